// SPDX-License-Identifier: MIT
import CLinux
import SceneDigest
import SceneSystem

/// The files that a scene was loaded from, with their state at that time.
package struct InputFiles: Sendable {
  /// The state of a file, which differs from the state after any later write.
  ///
  /// Linux advances modification times in steps of up to 10 ms. A file that was written within the
  /// current step can be written again without a new time, so its state includes a
  /// digest of its content. Git handles entries of its index that are "racily clean" in the same
  /// way.
  package struct Stamp: Sendable {
    private static let step = 20_000_000
    /// The maximum size of a file whose content is digested. Larger files are not written twice
    /// within a step.
    private static let largestDigested = 1 << 20

    private let identity: FileIdentity
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int
    private var digest: SHA256?

    private init(_ status: FileStatus) {
      (identity, size) = (status.identity, status.size)
      (seconds, nanoseconds) = status.written
    }

    /// Reads the state of an open file.
    init?(file: Int32) {
      guard let status = FileStatus(file: file) else { return nil }
      self.init(status)
      // Uses the path of the descriptor, since the file may be open without read permission.
      if Stamp.isRecent(status) { digest = Stamp.digest(of: "/proc/self/fd/\(file)") }
    }

    init?(path: String) {
      guard let status = FileStatus(path: path) else { return nil }
      self.init(status)
      if Stamp.isRecent(status) { digest = Stamp.digest(of: path) }
    }

    /// Returns whether a file is still in the given state. `nil` is the state of a missing file.
    static func isCurrent(_ stamp: Stamp?, _ path: String) -> Bool {
      guard let status = FileStatus(path: path), let stamp else {
        return stamp == nil && FileStatus(path: path) == nil
      }
      return stamp.identity == status.identity && stamp.size == status.size
        && (stamp.seconds, stamp.nanoseconds) == status.written
        && (stamp.digest == nil || stamp.digest == digest(of: path))
    }

    private static func isRecent(_ status: FileStatus) -> Bool {
      guard status.isRegular, status.size <= largestDigested else { return false }
      let written = status.written.0 * 1_000_000_000 + status.written.1
      return SystemClock.nanosecondsSince1970 - written < step
    }

    private static func digest(of path: String) -> SHA256? {
      let file = Files.open(path, O_RDONLY | O_NONBLOCK)
      guard file >= 0 else { return nil }
      defer { close(file) }
      return SHA256(of: Files.head(of: file, count: largestDigested))
    }
  }

  /// The states by path; `nil` for a missing file.
  private var stamps: [String: Stamp?] = [:]
  /// The names that matched a pattern such as `w-*.png`, by folder.
  private var listings: [String: [String: [String]]] = [:]

  /// The missing files that would be inputs if they existed.
  private var missing: Set<String> = []

  package init() {}

  /// Adds missing files whose appearance counts as a change.
  package mutating func addMissing(_ paths: [String]) { missing.formUnion(paths) }

  /// Records the current state of files that are read afterward.
  package init(_ paths: [String]) { for path in paths { stamps[path] = Stamp(path: path) } }

  /// Adds the state of a file when it is opened. The first reading counts, since its results are
  /// outdated as soon as the file changes.
  package mutating func add(_ path: String, _ stamp: Stamp?) {
    if stamps[path] == nil { stamps[path] = .some(stamp) }
  }

  mutating func add(pattern: String, in folder: String, _ names: [String]) {
    listings[folder, default: [:]][pattern] = listings[folder]?[pattern] ?? names
  }

  /// Returns the union. For files in both, the state in `self` is used.
  package func adding(_ others: InputFiles) -> InputFiles {
    var all = self
    all.stamps.merge(others.stamps) { own, _ in own }
    all.missing.formUnion(others.missing)
    all.listings.merge(others.listings) { own, other in own.merging(other) { own, _ in own } }
    return all
  }

  /// Returns the union of several readings. A file that changed between two readings counts as
  /// changed, since one of them is outdated.
  package static func union(_ readings: some Sequence<InputFiles>) -> InputFiles {
    readings.reduce(InputFiles()) { all, next in
      var all = all.adding(next)
      for (path, stamp) in next.stamps where !Stamp.isCurrent(stamp, path) {
        all.stamps[path] = .some(stamp)
      }
      return all
    }
  }

  /// Returns a copy with an additional file in its current state.
  package func adding(_ path: String?) -> InputFiles {
    guard let path else { return self }
    var all = self
    all.add(path, Stamp(path: path))
    return all
  }

  /// Returns a copy with the current state of some of its files.
  package func renewing(_ paths: [String]) -> InputFiles {
    var all = self
    for path in paths where all.stamps[path] != nil { all.stamps[path] = Stamp(path: path) }
    return all
  }

  /// The patterns that select files, such as `w-*.png`, with their folders.
  package var patterns: [(folder: String, pattern: String)] {
    listings.flatMap { folder, patterns in patterns.keys.map { (folder, $0) } }
  }

  /// A copy with the current state of all files.
  package var renewed: InputFiles {
    var all = renewing(paths)
    all.missing = missing.filter { FileStatus(path: $0) == nil }
    for (folder, patterns) in listings {
      let names = AssetFolder.entries(of: folder, limit: AssetFolder.largestListing)
      for pattern in patterns.keys {
        all.listings[folder]?[pattern] = AssetFolder.matching(pattern, names)
      }
    }
    return all
  }

  package var paths: [String] { stamps.keys.sorted() }

  package var count: Int { stamps.count }

  /// The folders that contain the files.
  package var folders: [String] {
    (Array(stamps.keys) + missing).map { path in
      guard let slash = path.lastIndex(of: "/") else { return "." }
      return slash == path.startIndex ? "/" : String(path[..<slash])
    } + listings.keys
  }

  /// Whether any file was missing when it was read.
  package var lacksFiles: Bool { stamps.values.contains { $0 == nil } }

  /// Whether any file that existed is missing now.
  package var someAreMissing: Bool {
    stamps.contains { $0.value != nil && FileStatus(path: $0.key) == nil }
  }

  /// The files whose state has changed.
  package var changed: [String] {
    stamps.filter { !Stamp.isCurrent($0.value, $0.key) }.keys.sorted()
  }

  /// Whether the state of a file or the matches of a pattern have changed.
  package var haveChanged: Bool {
    stamps.contains { !Stamp.isCurrent($0.value, $0.key) }
      || missing.contains { FileStatus(path: $0) != nil }
      || listings.contains { folder, patterns in
        let names = AssetFolder.entries(of: folder, limit: AssetFolder.largestListing)
        return patterns.contains { AssetFolder.matching($0.key, names) != $0.value }
      }
  }
}
