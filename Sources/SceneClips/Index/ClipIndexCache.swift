// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import SceneSystem

/// Indexes of clips in a folder, so that a clip is scanned once. What is wrong or foreign there is
/// ignored, and a folder that cannot be used costs only the scans.
package struct ClipIndexCache: Sendable {
  private let folder: String
  private static let largestSum = 64 << 20
  /// Counts the changes of what a scan finds.
  private static let version = 3

  /// `folder` is the one for all that scenec keeps.
  package init(folder: String) { self.folder = folder + "/clips" }

  /// Below `XDG_CACHE_HOME`, by default `~/.cache`; `nil` without a home.
  package static var ofUser: ClipIndexCache? {
    let own = OwnProcess.environment("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = OwnProcess.environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    return (own ?? home).map { ClipIndexCache(folder: $0 + "/scenec") }
  }

  private func path(_ status: FileStatus) -> String {
    let (seconds, nanoseconds) = status.written
    let key = "\(status.identity)-\(status.size)-\(seconds)-\(nanoseconds)"
    return "\(folder)/\(key).\(ClipIndexCache.version)"
  }

  func read(_ status: FileStatus) -> ClipIndex? {
    let path = path(status)
    guard let bytes = sealed(path) else { return nil }
    guard let index = ClipIndex(bytes) else {
      Files.remove(path)
      return nil
    }
    return index
  }

  /// What a file holds, if it is as it was written.
  private func sealed(_ path: String) -> [UInt8]? {
    let file = Files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let size = FileStatus(file: file)?.size, size <= ClipIndexCache.largestSum else {
      return nil
    }
    let all = Files.head(of: file, count: size)
    let bytes = Array(all.dropLast(16))
    guard ClipIndexCache.seal(bytes) == all.suffix(16) else {
      Files.remove(path)
      return nil
    }
    return bytes
  }

  func write(_ bytes: [UInt8], for status: FileStatus) { write(bytes, to: path(status)) }

  private func write(_ bytes: [UInt8], to path: String) {
    guard bytes.count < ClipIndexCache.largestSum / 2, makeFolders() else { return }
    let file = Files.open(folder, O_WRONLY | scene_o_tmpfile, permissions: 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    guard Files.write(file, bytes + ClipIndexCache.seal(bytes)) == 0 else { return }
    // Whole or not at all; where another process was first, its file is as good.
    _ = Files.link(file, path)
    prune()
  }

  // MARK: Levels

  private func path(_ clip: ClipDigest, _ measure: SoundMeasure) -> String {
    let request = LevelsRequest(measure).bytes.map { String($0, radix: 16) }.joined()
    return "\(folder)/levels-\(clip.high)-\(clip.low)-\(request).\(ClipIndexCache.version)"
  }

  func levels(_ clip: ClipDigest, _ measure: SoundMeasure) -> [Float]? {
    guard let bytes = sealed(path(clip, measure)) else { return nil }
    return stride(from: 0, to: bytes.count - 3, by: 4).map { at in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) })
    }
  }

  func write(_ levels: [Float], _ clip: ClipDigest, _ measure: SoundMeasure) {
    let bytes = levels.flatMap { level in
      (0..<4).map { UInt8(truncatingIfNeeded: level.bitPattern >> (8 * UInt32($0))) }
    }
    write(bytes, to: path(clip, measure))
  }

  private static func seal(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let digest = ContentHash.digest(of: bytes)
    return [digest.high, digest.low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }[...]
  }

  private func makeFolders() -> Bool {
    if Files.exists(folder) { return true }
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/" + part
      if !Files.exists(path) { _ = Files.makeFolder(path, permissions: 0o700) }
    }
    return Files.exists(folder)
  }

  /// The oldest go first.
  private func prune() {
    var files = Files.names(in: folder, limit: 100_000).compactMap { name in
      FileStatus(path: folder + "/" + name).map { (path: folder + "/" + name, status: $0) }
    }
    var sum = files.reduce(0) { $0 + $1.status.size }
    guard sum > ClipIndexCache.largestSum else { return }
    files.sort { $0.status.written < $1.status.written }
    for (path, status) in files where sum > ClipIndexCache.largestSum {
      Files.remove(path)
      sum -= status.size
    }
  }
}
