// SPDX-License-Identifier: MIT
import SceneDigest
import SceneGraphics
import SceneIR
import SceneModel
package import SceneStore
import SceneSystem

/// What a file of an image was found to hold, without its pixels.
struct KnownImage: Hashable, Sendable {
  let frames: [ImageFrame]
  /// What is missing in it though it is shown.
  let remarks: [String]
}

/// What images are, in a folder: one that has not changed since an earlier run is neither read nor
/// decoded before it is drawn.
package struct ImageCache: Sendable {
  private let folder: StoreFolder
  private static let largestSum = 16 << 20
  /// Counts the changes of the form, and of what is found in images.
  private static let version = 1
  /// Seconds for which a file must have been as it is: in a shorter time it may change again without its
  /// times telling.
  private let rest: Int

  package init(_ folder: StoreFolder, rest: Int = 2) {
    self.folder = folder
    self.rest = rest
  }

  private func key(_ status: FileStatus) -> SHA256 {
    let state = "\(status.identity) \(status.size) \(status.written) \(status.changed)"
    return SHA256(of: Array("image \(ImageCache.version) \(state)".utf8))
  }

  /// `path` is what the scene calls the file.
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

  /// Keeps what a file holds that had this status before it was read.
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
