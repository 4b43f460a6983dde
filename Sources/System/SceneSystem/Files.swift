// SPDX-License-Identifier: MIT
package import CLinux

/// System calls on files and paths. Files are identified by descriptors; after a failure, `errno`
/// has the reason.
package enum Files {
  // MARK: Content

  /// Opens a file like the C function of the same name; returns a negative number on failure.
  package static func open(_ path: String, _ flags: Int32, permissions: UInt32 = 0) -> Int32 {
    Simulation.pass()
    let file = scene_open(path, flags | O_CLOEXEC, permissions)
    if file >= 0, flags & (O_CREAT | O_TRUNC | scene_o_tmpfile) != 0 {
      Simulation.current?.date(file)
    }
    return file
  }

  /// Duplicates a descriptor; returns a negative number on failure.
  package static func duplicate(_ file: Int32) -> Int32 { scene_duplicate(file) }

  /// Reads up to `count` bytes, none at the end; returns `nil` on failure.
  package static func next(_ file: Int32, upTo count: Int) -> [UInt8]? {
    if let simulator = Simulation.current {
      simulator.pass()
      if scene_is_blocking(file) { _ = simulator.wait(atMost: nil) { isReady(file, POLLIN) } }
    }
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let count = unsafe CLinux.read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return count < 0 ? nil : Array(bytes.prefix(count))
    }
  }

  /// Returns `count` bytes from offset `start`, independent of the file position; fewer at the end
  /// or after an error.
  package static func head(of file: Int32, from start: Int = 0, count: Int) -> [UInt8] {
    Simulation.pass()
    // The file may be much shorter than `count`.
    var bytes = [UInt8](repeating: 0, count: min(count, 1 << 20))
    var filled = 0
    while filled < count {
      if filled == bytes.count {
        bytes += [UInt8](repeating: 0, count: min(filled, count - filled))
      }
      let more = unsafe bytes.withUnsafeMutableBytes {
        // Safe: the buffer is not empty.
        unsafe pread(file, $0.baseAddress! + filled, $0.count - filled, off_t(start + filled))
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { return Array(bytes.prefix(filled)) }
      filled += more
    }
    return bytes
  }

  /// Reads bytes at `offset`; returns the number of bytes, 0 at the end, or a negative errno.
  package static func read(_ file: Int32, _ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    unsafe bytes.withUnsafeMutableBytes { bytes in
      while true {
        let count = unsafe pread(file, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0, errno == EINTR { continue }
        return count < 0 ? -Int(errno) : count
      }
    }
  }

  /// Writes all bytes; returns 0 or an errno.
  package static func write(_ file: Int32, _ bytes: [UInt8]) -> Int32 {
    if let code = refusal(ofWritingTo: file) { return code }
    defer { Simulation.current?.date(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe CLinux.write(file, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN, let simulator = Simulation.current {
        _ = simulator.wait(atMost: nil) { isReady(file, POLLOUT) }
        continue
      }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }

  /// Writes all bytes at `offset`; returns 0 or an errno.
  package static func write(_ file: Int32, _ bytes: RawSpan, at offset: Int) -> Int32 {
    if let code = refusal(ofWritingTo: file) { return code }
    defer { Simulation.current?.date(file) }
    return unsafe bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        // Safe: bytes remain.
        let count = unsafe pwrite(
          file, bytes.baseAddress! + done, bytes.count - done, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 ? ENOSPC : errno }
        done += count
      }
      return 0
    }
  }

  /// Returns the error that a simulation injects into a write, such as a full disk.
  private static func refusal(ofWritingTo file: Int32) -> Int32? {
    guard let simulator = Simulation.current else { return nil }
    simulator.pass()
    return simulator.refusal(ofWritingTo: file)
  }

  /// Sets the modification time of an open file to the current time.
  package static func touch(_ file: Int32) { futimens(file, nil) }

  /// Sets the modification time of an open file, in nanoseconds since 1970.
  package static func touch(_ file: Int32, at nanoseconds: Int) {
    scene_date(file, nanoseconds)
  }

  /// Blocks until any of the files is readable or at its end. Returns `false` after the timeout; a
  /// negative timeout is infinite.
  package static func hasInput(_ files: [Int32], within milliseconds: Int32) -> Bool {
    var events = files.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return wait(for: &events, milliseconds) > 0
  }

  /// Waits for events like `poll`; returns the number of files with events, negative if
  /// interrupted.
  package static func wait(for events: inout [pollfd], _ milliseconds: Int32) -> Int32 {
    guard let simulator = Simulation.current else {
      return poll(&events, milliseconds)
    }
    simulator.pass()
    var found: Int32 = 0
    let limit = milliseconds < 0 ? nil : Duration.milliseconds(Int(milliseconds))
    _ = simulator.wait(atMost: limit) {
      found = poll(&events, 0)
      return found != 0
    }
    return found
  }

  /// Returns whether a file is ready for an event.
  private static func isReady(_ file: Int32, _ event: Int32) -> Bool {
    var events = [pollfd(fd: file, events: Int16(event), revents: 0)]
    return poll(&events, 0) != 0
  }

  private static func poll(_ events: inout [pollfd], _ milliseconds: Int32) -> Int32 {
    unsafe CLinux.poll(&events, nfds_t(events.count), milliseconds)
  }

  /// Adds a folder to an inotify instance; returns the handle or a negative number.
  package static func watch(_ file: Int32, in folder: String, events: UInt32) -> Int32 {
    unsafe inotify_add_watch(file, folder, events)
  }

  // MARK: Names

  package static func exists(_ path: String, _ access: Int32 = 0) -> Bool {
    Simulation.passing(CLinux.access(path, access) == 0)
  }

  /// Returns whether no file, folder or link has this name. Returns `false` after other errors, such
  /// as a missing permission.
  package static func isMissing(_ path: String) -> Bool {
    var byte: CChar = 0
    let count = unsafe readlink(path, &byte, 1)
    let isMissing = count < 0 && errno == ENOENT
    return Simulation.passing(isMissing)
  }

  /// Removes a file or an empty folder; returns `false` on failure.
  @discardableResult
  package static func remove(_ path: String) -> Bool {
    Simulation.passing(unlink(path) == 0 || rmdir(path) == 0)
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) { _ = rmdir(path) }

  package static func makeFolder(_ path: String, permissions: UInt32) -> Bool {
    mkdir(path, permissions) == 0
  }

  @discardableResult
  package static func rename(_ path: String, _ new: String) -> Bool {
    Simulation.passing(CLinux.rename(path, new) == 0)
  }

  /// Exchanges the names of two files atomically.
  package static func exchange(_ path: String, _ other: String) -> Bool {
    Simulation.passing(scene_exchange(path, other) == 0)
  }

  /// Gives an unnamed open file a name.
  package static func link(_ file: Int32, _ path: String) -> Bool {
    Simulation.passing(scene_link(path, file) == 0)
  }

  /// Returns the absolute path with all links followed; `nil` if it does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let real = unsafe Owned(realpath(path, nil), { unsafe free($0) }) else { return nil }
    return unsafe String(cString: real.pointer)
  }

  /// Returns the path with all links in its folders followed. The file itself may be a link or
  /// missing.
  package static func resolvingFolders(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else {
      return resolved(".").map { ($0 == "/" ? "" : $0) + "/" + path } ?? path
    }
    guard slash > path.startIndex, let folder = resolved(String(path[..<slash])) else {
      return path
    }
    return (folder == "/" ? "" : folder) + path[slash...]
  }

  /// Returns the direct target of a link; `nil` if the path is not a link.
  package static func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = unsafe readlink(link, &bytes, bytes.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns the names in a folder, except `.` and `..`, up to `limit` names for which `isWanted`
  /// returns `true`, in any order.
  package static func names(
    in folder: String, limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) -> [String] {
    Simulation.pass()
    guard let directory = unsafe Owned(opendir(folder), { unsafe closedir($0) }) else { return [] }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(directory.pointer) {
      let name = unsafe String(cString: scene_name(entry))
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }

  /// Returns the free space on the file system of a folder in MiB, or 0.
  package static func freeMebibytes(in folder: String) -> Double {
    scene_free_mebibytes(folder)
  }

  // MARK: Errors

  /// The error code of the last failed call.
  package static var errno: Int32 { scene_errno() }

  /// Returns the message for an error code.
  package static func reason(_ code: Int32 = Files.errno) -> String {
    unsafe String(cString: strerror(code))
  }
}
