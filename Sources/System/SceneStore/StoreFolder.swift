// SPDX-License-Identifier: MIT
import CLinux
package import SceneDigest
import SceneSystem

/// A cache folder of reproducible contents, accessed by key. Any number of processes and machines
/// can read and write it concurrently, without locks.
///
/// Files appear atomically under their final name, with their key and a checksum. Damaged or
/// foreign files and files of other users count as missing. An unusable folder only costs the
/// repeated work. Only files whose names are keys are ever accessed.
package struct StoreFolder: Sendable {
  package let path: String

  /// The magic number at the start of each file, followed by the key.
  private static let mark = Array("scenec 1".utf8)
  private static let frame = 8 + 32 + 32
  private static let largestContent = 1 << 30
  /// The age in seconds after which an unfinished file is considered abandoned by a process that
  /// exited.
  private static let patience = 3600

  package init(_ path: String) { self.path = path }

  private func place(of key: SHA256) -> String { "\(path)/\(key)" }

  /// Whether the folder is a symbolic link. The files of another folder are neither read nor
  /// changed.
  private var isLink: Bool { Files.target(of: path) != nil }

  // MARK: Contents

  package func contains(_ key: SHA256) -> Bool { Files.exists(place(of: key)) }

  /// Returns the content of a key; `nil` if it is missing. Removes a file that is damaged or has
  /// another key.
  package func read(_ key: SHA256) -> ArraySlice<UInt8>? {
    guard !isLink else { return nil }
    let path = place(of: key)
    let file = Files.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let status = FileStatus(file: file), status.isRegular, status.isOwn else { return nil }
    guard status.size >= StoreFolder.frame, status.size <= StoreFolder.largestContent,
      let content = StoreFolder.content(of: Files.head(of: file, count: status.size), key)
    else {
      Files.remove(path)
      return nil
    }
    // Updates the time of last use, so that recently used files are removed last.
    if status.written.0 < SystemClock.secondsSince1970 - 60 { Files.touch(file) }
    return content
  }

  private static func content(of file: [UInt8], _ key: SHA256) -> ArraySlice<UInt8>? {
    let sealed = file.dropLast(32)
    guard file.starts(with: mark), sealed.dropFirst(8).prefix(32).elementsEqual(key.bytes),
      file.suffix(32).elementsEqual(SHA256(of: sealed).bytes)
    else { return nil }
    return sealed.dropFirst(8 + 32)
  }

  /// Stores content under its key; returns 0, or the errno of the failure.
  @discardableResult
  package func write(_ content: [UInt8], _ key: SHA256) -> Int32 {
    guard content.count <= StoreFolder.largestContent - StoreFolder.frame else { return EFBIG }
    let code = makeFolder()
    guard code == 0 else { return code }
    let name = place(of: key)
    let unfinished = name + "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let file = Files.open(unfinished, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    guard file >= 0 else { return Files.errno }
    // Joined parts would be a copy of several megabytes.
    let head = StoreFolder.mark + key.bytes
    var failure: Int32 = 0
    for part in [head, content, SHA256(ofJoined: [head, content]).bytes] where failure == 0 {
      failure = Files.write(file, part)
    }
    // Some file systems report a full disk only here.
    if close(file) != 0, failure == 0 { failure = Files.errno }
    if failure == 0, !Files.rename(unfinished, name) { failure = Files.errno }
    if failure != 0 { Files.remove(unfinished) }
    return failure
  }

  /// Creates the folder including its ancestors; returns 0, or the errno of the failure.
  private func makeFolder() -> Int32 {
    if isLink { return ELOOP }
    if Files.exists(path) { return 0 }
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if !Files.exists(made), !Files.makeFolder(made, permissions: 0o700), Files.errno != EEXIST {
        return Files.errno
      }
    }
    return 0
  }

  /// Returns the reason why the folder is unusable, as a predicate after its name; `nil` if it is
  /// usable.
  package func problem() -> String? {
    if let obstacle { return obstacle }
    if isLink { return "is a symbolic link" }
    let code = makeFolder()
    guard code == 0 else { return "cannot be created: \(Files.reason(code))" }
    guard let status = FileStatus(path: path) else { return "cannot be read: \(Files.reason())" }
    if !status.isOwn { return "belongs to another user" }
    if status.permissions & 0o002 != 0 { return "is writable by everyone" }
    return Files.exists(path, W_OK | X_OK) ? nil : "cannot be written: \(Files.reason())"
  }

  /// The obstacle at the folder's path, as a predicate after its name: a file or a dangling link.
  /// `nil` if there are only folders or nothing.
  package var obstacle: String? {
    let names = path.split(separator: "/")
    var part = path.hasPrefix("/") ? "/" : ""
    for (index, name) in names.enumerated() {
      part += name
      let isLast = index == names.count - 1
      if let status = FileStatus(path: part) {
        if !status.isFolder { return isLast ? "is a file" : "is in '\(part)', which is a file" }
      } else {
        guard Files.target(of: part) != nil else { return nil }
        return isLast
          ? "is a broken symbolic link" : "is in '\(part)', a broken symbolic link"
      }
      part += "/"
    }
    return nil
  }

  // MARK: Maintenance

  private struct Entry {
    let path: String
    let size: Int
    let lastUse: Int
    let isFinished: Bool
  }

  /// Returns the files of this folder, most recently used first.
  private func entries() -> [Entry] {
    guard !isLink else { return [] }
    return Files.names(in: path, limit: 10_000_000) { name in
      name.utf8.count >= 64
        && name.utf8.prefix(64).allSatisfy { byte in
          (48...57).contains(byte) || (97...102).contains(byte)
        }
    }
    .compactMap { name in
      let isFinished = name.utf8.count == 64
      guard isFinished || name.dropFirst(64).hasPrefix("."),
        let status = FileStatus(path: "\(path)/\(name)"), status.isRegular
      else { return nil }
      return Entry(
        path: "\(path)/\(name)", size: status.size, lastUse: status.written.0,
        isFinished: isFinished)
    }
    .sorted { $0.lastUse > $1.lastUse }
  }

  /// The number and total size of files, and the seconds since the oldest one was used.
  package struct Usage: Hashable, Sendable {
    package var count = 0
    package var bytes = 0
    package var age = 0
  }

  package var usage: Usage {
    let all = entries().filter(\.isFinished)
    return Usage(
      count: all.count, bytes: all.reduce(0) { $0 + $1.size },
      age: all.last.map { max(0, SystemClock.secondsSince1970 - $0.lastUse) } ?? 0)
  }

  /// Removes the least recently used files until at most `limit` bytes remain, and also abandoned
  /// unfinished files.
  package func trim(to limit: Int) {
    var sum = 0
    for entry in entries() {
      sum += entry.size
      let isAbandoned =
        !entry.isFinished && entry.lastUse < SystemClock.secondsSince1970 - StoreFolder.patience
      if sum > limit || isAbandoned { Files.remove(entry.path) }
    }
  }

  /// Removes the files that were not used for some seconds, and returns their number and size.
  package func clean(unusedFor seconds: Int) -> Usage {
    var removed = Usage()
    for entry in entries() where entry.lastUse <= SystemClock.secondsSince1970 - seconds {
      guard entry.isFinished || entry.lastUse < SystemClock.secondsSince1970 - StoreFolder.patience,
        Files.remove(entry.path)
      else { continue }
      removed.count += 1
      removed.bytes += entry.size
    }
    return removed
  }
}
