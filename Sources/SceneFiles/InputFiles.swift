// SPDX-License-Identifier: MIT
import SceneSystem

/// The files that a scene was made from, as they were when they were read.
package struct InputFiles: Sendable {
  /// What tells one content from another without reading it.
  package struct Stamp: Hashable, Sendable {
    private let identity: FileIdentity
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    private init(_ status: FileStatus) {
      (identity, size) = (status.identity, status.size)
      (seconds, nanoseconds) = status.written
    }

    /// Of an open file.
    init?(file: Int32) {
      guard let status = FileStatus(file: file) else { return nil }
      self.init(status)
    }

    init?(path: String) {
      guard let status = FileStatus(path: path) else { return nil }
      self.init(status)
    }
  }

  /// By path; `nil` for a file that was not there.
  private var stamps: [String: Stamp?] = [:]
  /// The names that a pattern such as `w-*.png` stood for, by folder.
  private var listings: [String: [String: [String]]] = [:]

  package init() {}

  /// Files that are read right after this.
  package init(_ paths: [String]) { for path in paths { stamps[path] = Stamp(path: path) } }

  /// Adds a file as it is when it is opened. The first reading counts: what follows from it is old as
  /// soon as the file changes.
  package mutating func add(_ path: String, _ stamp: Stamp?) {
    if stamps[path] == nil { stamps[path] = .some(stamp) }
  }

  mutating func add(pattern: String, in folder: String, _ names: [String]) {
    listings[folder, default: [:]][pattern] = listings[folder]?[pattern] ?? names
  }

  /// Both; where a file is in both, as it is in this.
  package func adding(_ others: InputFiles) -> InputFiles {
    var all = self
    all.stamps.merge(others.stamps) { own, _ in own }
    all.listings.merge(others.listings) { own, other in own.merging(other) { own, _ in own } }
    return all
  }

  /// With one more file, as it is now.
  package func adding(_ path: String?) -> InputFiles {
    guard let path else { return self }
    var all = self
    all.add(path, Stamp(path: path))
    return all
  }

  /// With these of its files as they are now.
  package func renewing(_ paths: [String]) -> InputFiles {
    var all = self
    for path in paths where all.stamps[path] != nil { all.stamps[path] = Stamp(path: path) }
    return all
  }

  /// All of them as they are now.
  var renewed: InputFiles {
    var all = renewing(paths)
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

  /// The folders that hold them.
  package var folders: [String] {
    stamps.keys.map { path in
      guard let slash = path.lastIndex(of: "/") else { return "." }
      return slash == path.startIndex ? "/" : String(path[..<slash])
    } + listings.keys
  }

  /// Whether a file that was there is not there now.
  package var someAreMissing: Bool {
    stamps.contains { $0.value != nil && Stamp(path: $0.key) == nil }
  }

  /// The files that are no longer what they were.
  package var changed: [String] {
    stamps.filter { $0.value != Stamp(path: $0.key) }.keys.sorted()
  }

  /// Whether a file is no longer what it was, or other files match a pattern.
  package var haveChanged: Bool {
    stamps.contains { $0.value != Stamp(path: $0.key) }
      || listings.contains { folder, patterns in
        let names = AssetFolder.entries(of: folder, limit: AssetFolder.largestListing)
        return patterns.contains { AssetFolder.matching($0.key, names) != $0.value }
      }
  }
}
