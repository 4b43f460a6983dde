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
  private let known = Mutex<[String: ImageReference]>([:])
  private let read = Mutex<Set<String>>([])
  private let decoded = Mutex<[UInt64: PixelBuffer]>([:])
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
  package var paths: [String] { read.withLock { $0.sorted() } }

  package func image(_ path: String) throws(AssetFault) -> ImageReference {
    if let image = known.withLock({ $0[path] }) { return image }
    let bytes = try self.bytes(path)
    // Decoded whole, so that a damaged file is told of at its place; drawing takes what was made.
    let buffer = try ImageDecoder(bytes).decode()
    let image = ImageReference(path: path, digest: AssetFolder.digest(bytes), size: buffer.size)
    decoded.withLock { state in
      if state.values.reduce(buffer.byteCount, { $0 + $1.byteCount }) <= AssetFolder.largestStore {
        state[image.digest] = buffer
      }
    }
    known.withLock { $0[path] = image }
    return image
  }

  /// Hands over the pixels that the check decoded, once.
  func takeDecoded(_ digest: UInt64) -> PixelBuffer? {
    decoded.withLock { $0.removeValue(forKey: digest) }
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
    read.withLock { _ = $0.insert(lexical) }
    // Not blocking, so that a pipe is seen for what it is.
    let file = unsafe scene_open(lexical, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
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

  private static func entries(of folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory), names.count < 1000 {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// FNV-1a, 64 bits (Fowler, Noll and Vo).
  package static func digest(_ bytes: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
