// SPDX-License-Identifier: MIT
import SceneDigest
import SceneGraphics
import SceneIR
import SceneModel
package import SceneStore
import SceneSystem

/// The properties of an image file without its pixels.
struct KnownImage: Hashable, Sendable {
  let frames: [ImageFrame]
  /// Remarks about missing parts of an image that is displayed anyway.
  let remarks: [String]
}

/// A cache folder for image properties. An unchanged image is neither read nor decoded before it is
/// rendered.
package struct ImageCache: Sendable {
  private let folder: StoreFolder
  private static let largestSum = 16 << 20
  /// The version of the format and of the detected properties.
  private static let version = 1
  /// The minimum age of a file in seconds. A more recent file may change again without a new
  /// modification time.
  private let rest: Int

  package init(_ folder: StoreFolder, rest: Int = 2) {
    self.folder = folder
    self.rest = rest
  }

  private func key(_ status: FileStatus) -> SHA256 {
    SHA256(of: Array("image \(ImageCache.version) \(status.state)".utf8))
  }

  /// Returns the cached properties, or `nil` if they are not cached. `path` is the name of the file
  /// in the scene.
  func image(_ status: FileStatus, called path: String) -> KnownImage? {
    guard let bytes = folder.read(key(status)) else { return nil }
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    let head = lines.popFirst().map { $0.split(separator: " ") } ?? []
    guard head.count == 3, let digest = UInt64(head[0]), let count = Int(head[2]),
      count > 0, count <= lines.count
    else { return nil }
    var frames: [ImageFrame] = []
    for line in lines.prefix(count) {
      let numbers = line.split(separator: " ")
      guard numbers.count == 3, let width = Int(numbers[0]), let height = Int(numbers[1]),
        width > 0, height > 0, let bits = UInt64(numbers[2])
      else { return nil }
      let image = ImageReference(
        path: path, digest: digest, size: PixelSize(width, height), frame: frames.count,
        kind: head[1] == "vector" ? .vector : .raster)
      frames.append(ImageFrame(image, seconds: Double(bitPattern: bits)))
    }
    return KnownImage(frames: frames, remarks: lines.dropFirst(count).map(String.init))
  }

  /// Caches the properties of a file. `status` is its status before it was read.
  func keep(_ image: KnownImage, for status: FileStatus) {
    guard let first = image.frames.first?.image,
      status.changed.0 < SystemClock.secondsSince1970 - rest
    else { return }
    let head =
      "\(first.digest) \(first.kind == .vector ? "vector" : "raster") \(image.frames.count)"
    let frames = image.frames.map {
      "\($0.image.size.width) \($0.image.size.height) \($0.seconds.bitPattern)"
    }
    let remarks = image.remarks.map { $0.split(separator: "\n").joined(separator: " ") }
    let text = ([head] + frames + remarks).joined(separator: "\n")
    if folder.write(Array(text.utf8), key(status)) == 0 { folder.trim(to: ImageCache.largestSum) }
  }
}
