// SPDX-License-Identifier: MIT
import CLinux
import SceneGraphics
package import SceneIR
package import SceneModel
import Synchronization

/// The files under one root, and nothing else: links are resolved before they are judged.
package final class AssetFolder: AssetProvider {
  /// The largest file that is read, in bytes.
  package static let largestFile = 512 << 20

  /// Absolute, links resolved, without a slash at the end (but for `/`).
  private let root: String
  private let folder: String
  private let fonts: FontLibrary
  private let known = Mutex<[String: [ImageFrame]]>([:])
  private let read = Mutex(InputFiles())
  private let decoded = Mutex<[ImageReference: PixelBuffer]>([:])
  /// Bytes of decoded images that wait for their drawing.
  private static let largestStore = 256 << 20

  /// What reads JSON, which is not the business of this layer.
  package typealias JSONReader = @Sendable ([UInt8]) throws(AssetFault) -> DataValue
  private let readJSON: JSONReader

  /// `folder` is where relative names begin; it lies under `root`.
  package init?(
    root: String, folder: String, fonts: FontLibrary,
    readJSON: @escaping JSONReader = { (_) throws(AssetFault) in
      throw .undecodable("nothing here reads JSON")
    }
  ) {
    guard let real = AssetFolder.resolved(root), let base = AssetFolder.resolved(folder) else {
      return nil
    }
    self.root = real
    self.folder = base
    self.fonts = fonts
    self.readJSON = readJSON
  }

  /// All files that were asked for, with those that are not there: what `watch` looks after.
  package var inputs: InputFiles { read.withLock { $0 } }

  package var paths: [String] { inputs.paths }

  package func image(_ path: String) throws(AssetFault) -> ImageReference {
    try frames(path)[0].image
  }

  package func frames(_ path: String) throws(AssetFault) -> [ImageFrame] {
    if let frames = known.withLock({ $0[path] }) { return frames }
    let bytes = try self.bytes(path)
    let decoder = try ImageDecoder(bytes)
    let digest = Digest.fnv1a(bytes)
    var frames: [ImageFrame] = []
    let animation = try decoder.animation()
    for (index, frame) in animation.enumerated() {
      let image = ImageReference(
        path: path, digest: digest, size: frame.pixels.size, frame: index)
      hold(frame.pixels, for: image)
      frames.append(ImageFrame(image, seconds: frame.seconds))
    }
    if frames.isEmpty {
      let buffer = try decoder.decode()
      let image = ImageReference(
        path: path, digest: digest, size: buffer.size, isVector: decoder.format == .svg)
      hold(buffer, for: image)
      frames = [ImageFrame(image, seconds: 0)]
    }
    known.withLock { $0[path] = frames }
    return frames
  }

  private func hold(_ buffer: PixelBuffer, for image: ImageReference) {
    decoded.withLock { state in
      if state.values.reduce(buffer.byteCount, { $0 + $1.byteCount }) <= AssetFolder.largestStore {
        state[image] = buffer
      }
    }
  }

  package func files(matching pattern: String) -> [String] {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, last.contains("*") else { return [] }
    let inside = parts.dropLast().joined(separator: "/")
    guard let path = AssetFolder.normalized(folder + "/" + inside), isInside(path) else {
      return []
    }
    let names = AssetFolder.matching(
      String(last), AssetFolder.entries(of: path, limit: AssetFolder.largestListing))
    read.withLock { $0.add(pattern: String(last), in: path, names) }
    return names.map { inside.isEmpty ? $0 : inside + "/" + $0 }
  }

  static let largestListing = 100_000

  /// The names that a pattern with one `*` stands for, in the order of their numbers.
  static func matching(_ pattern: String, _ names: [String]) -> [String] {
    guard let star = pattern.firstIndex(of: "*") else { return [] }
    let (before, behind) = (pattern[..<star], pattern[pattern.index(after: star)...])
    func number(_ name: String) -> Int {
      Int(name.dropFirst(before.count).dropLast(behind.count).filter(\.isNumber)) ?? 0
    }
    return names.filter {
      $0.count >= pattern.count - 1 && $0.hasPrefix(before) && $0.hasSuffix(behind)
    }
    .sorted { (number($0), $0) < (number($1), $1) }
  }

  /// Hands over the pixels that the check decoded, once.
  func takeDecoded(_ image: ImageReference) -> PixelBuffer? {
    decoded.withLock { $0.removeValue(forKey: image) }
  }

  package func font(_ path: String) throws(AssetFault) -> String {
    let bytes = try self.bytes(path)
    guard !bytes.isEmpty else { throw .undecodable("the file is empty") }
    guard let family = fonts.add(file: folder + "/" + path) else {
      throw .undecodable("it is no font that can be read")
    }
    return family
  }

  package func source(_ path: String) throws(AssetFault) -> [UInt8] { try bytes(path) }

  package func json(_ path: String) throws(AssetFault) -> DataValue {
    try readJSON(try bytes(path))
  }

  package var names: [String] { AssetFolder.entries(of: folder) }

  /// The content of a regular file under the root.
  package func bytes(_ path: String) throws(AssetFault) -> [UInt8] {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound }
    guard let lexical = AssetFolder.normalized(path.hasPrefix("/") ? path : folder + "/" + path),
      isInside(lexical)
    else { throw .outsideRoot }
    // Not blocking, so that a pipe is seen for what it is.
    let file = unsafe scene_open(lexical, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    read.withLock { $0.add(lexical, file < 0 ? nil : InputFiles.Stamp(file: file)) }
    guard file >= 0 else {
      let code = scene_errno()
      if code == ENOENT || code == ENOTDIR { throw .notFound }
      throw .unreadable(unsafe String(cString: strerror(code)))
    }
    defer { close(file) }
    // What was opened is judged, not the name: links may have changed in between.
    guard let real = AssetFolder.resolved("/proc/self/fd/\(file)"), isInside(real) else {
      throw .outsideRoot
    }
    return try AssetFolder.readAll(file)
  }

  private func isInside(_ path: String) -> Bool {
    path == root || path.hasPrefix(root == "/" ? "/" : root + "/")
  }

  private static func readAll(_ file: Int32) throws(AssetFault) -> [UInt8] {
    var info = stat()
    guard unsafe fstat(file, &info) == 0, unsafe scene_is_regular(&info) != 0 else {
      throw .notRegular
    }
    guard info.st_size <= largestFile else {
      throw .tooLarge("\(info.st_size) bytes are over \(largestFile)")
    }
    var bytes = [UInt8](repeating: 0, count: Int(info.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe CLinux.read(file, $0.baseAddress! + filled, $0.count - filled)
      }
      if count < 0, scene_errno() == EINTR { continue }
      guard count > 0 else { break }
      filled += count
    }
    return Array(bytes.prefix(filled))
  }

  // MARK: Paths

  package static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Without `.` and `..`; `nil` when it leaves the file system's root.
  static func normalized(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  static func entries(of folder: String, limit: Int = 1000) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory), names.count < limit {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
