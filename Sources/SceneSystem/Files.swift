// SPDX-License-Identifier: MIT
package import CLinux

/// Calls of the system on files and paths. Numbers of files are those of the system; where a call
/// fails, `errno` says why.
package enum Files {
  // MARK: Content

  /// The corresponding C function is `open`; below 0 when it fails.
  package static func open(_ path: String, _ flags: Int32, permissions: UInt32 = 0) -> Int32 {
    scene_open(path, flags | O_CLOEXEC, permissions)
  }

  /// Another number for an open file; below 0 when it fails.
  package static func duplicate(_ file: Int32) -> Int32 { scene_duplicate(file) }

  /// What comes next, up to `count` bytes, none at the end; `nil` when it fails.
  package static func next(_ file: Int32, upTo count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let count = unsafe CLinux.read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return count < 0 ? nil : Array(bytes.prefix(count))
    }
  }

  /// `count` bytes of a file from `start` on, wherever the next read would begin; fewer where it ends, or
  /// fails, before.
  package static func head(of file: Int32, from start: Int = 0, count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = unsafe bytes.withUnsafeMutableBytes {
        // Safe: there are bytes to fill.
        unsafe pread(file, $0.baseAddress! + filled, count - filled, off_t(start + filled))
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { return Array(bytes.prefix(filled)) }
      filled += more
    }
    return bytes
  }

  /// Reads bytes at `offset`; the number of bytes, 0 at the end, or a negative errno.
  package static func read(_ file: Int32, _ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    unsafe bytes.withUnsafeMutableBytes { bytes in
      while true {
        let count = unsafe pread(file, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0, errno == EINTR { continue }
        return count < 0 ? -Int(errno) : count
      }
    }
  }

  /// Writes all bytes; 0, or the errno of what failed.
  package static func write(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe CLinux.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Writes all bytes at `offset`; 0, or the errno of what failed.
  package static func write(_ file: Int32, _ bytes: RawSpan, at offset: Int) -> Int32 {
    unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        // Safe: there are bytes left.
        let count = unsafe pwrite(
          file, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 ? ENOSPC : errno }
        done += count
      }
      return 0
    }
  }

  /// An open file counts as written now.
  package static func touch(_ file: Int32) { futimens(file, nil) }

  /// The seconds of the clock by which files are dated.
  package static var now: Int { time(nil) }

  /// Waits until something comes from one of some open files, or one ends: whether that is so within the
  /// time, which has no end below 0.
  package static func hasInput(_ files: [Int32], within milliseconds: Int32) -> Bool {
    var events = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return wait(for: &events, milliseconds) > 0
  }

  /// Waits for events of open files; how many have some, below 0 when it was interrupted.
  package static func wait(for events: inout [pollfd], _ milliseconds: Int32) -> Int32 {
    unsafe poll(&events, nfds_t(events.count), milliseconds)
  }

  /// Has an inotify instance notice events of a folder; the handle, or a negative number.
  package static func watch(_ file: Int32, _ folder: String, _ events: UInt32) -> Int32 {
    unsafe inotify_add_watch(file, folder, events)
  }

  // MARK: Names

  package static func exists(_ path: String, _ access: Int32 = 0) -> Bool {
    CLinux.access(path, access) == 0
  }

  /// Removes a file or an empty folder; `false` when it is still there.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    unlink(path) == 0 || rmdir(path) == 0
  }

  /// Removes a folder that is empty.
  package static func removeFolder(_ path: String) { _ = rmdir(path) }

  package static func makeFolder(_ path: String, permissions: UInt32) -> Bool {
    mkdir(path, permissions) == 0
  }

  @discardableResult
  package static func rename(_ path: String, _ new: String) -> Bool {
    CLinux.rename(path, new) == 0
  }

  /// Gives each of two files the name of the other.
  package static func exchange(_ path: String, _ other: String) -> Bool {
    scene_exchange(path, other) == 0
  }

  /// Gives a name to an open file that has none.
  package static func link(_ file: Int32, _ path: String) -> Bool {
    scene_link(path, file) == 0
  }

  /// The absolute path with all links followed.
  package static func resolved(_ path: String) -> String? {
    guard let real = unsafe Owned(realpath(path, nil), { unsafe free($0) }) else { return nil }
    return unsafe String(cString: real.pointer)
  }

  /// What a link leads to, without following it.
  package static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlink(link, &bytes, bytes.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The names in a folder but for `.` and `..`, up to `limit` of them that `isWanted`, in any order.
  package static func names(
    in folder: String, limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) -> [String] {
    guard let directory = unsafe Owned(opendir(folder), { unsafe closedir($0) }) else { return [] }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(directory.pointer) {
      let name = unsafe String(cString: scene_name(entry))
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }

  /// MiB that are free where a folder is, or 0.
  package static func freeMebibytes(in folder: String) -> Double {
    scene_free_mebibytes(folder)
  }

  // MARK: Faults

  /// Why the last call failed.
  package static var errno: Int32 { scene_errno() }

  /// A number of `errno` in words.
  package static func reason(_ code: Int32 = Files.errno) -> String {
    unsafe String(cString: strerror(code))
  }
}
