// SPDX-License-Identifier: MIT
import CLinux
package import SceneFiles
import SceneOutput
package import SceneSession
import SceneSystem

/// A revision of the git repository that contains a scene.
///
/// The files that the scene needs are extracted to a temporary folder, which is removed together
/// with this object. Nothing is checked out, and the index and the working tree are not read.
package final class Revision {
  /// The name of the revision, as it was given.
  package let name: String
  /// The temporary folder, which has the layout of the repository.
  package var folder: String { temporary.path }

  private let temporary: TemporaryFolder
  private let git: Git
  /// The absolute path of the working tree.
  private let top: String
  private let entries: [String: Entry]
  private var extracted: Set<String> = []

  /// A file of the revision.
  private struct Entry {
    let object: String
    let isLink: Bool
  }

  /// Opens a revision of the repository of a scene in the working tree. Throws if git is missing,
  /// the folder has no repository, or the revision is unknown.
  package init(_ name: String, ofScene path: String) throws(FileError) {
    self.name = name
    let sceneFolder = SceneFile.folder(of: path)
    git = Git(folder: sceneFolder)
    let place = try git("rev-parse", "--show-toplevel")
    guard place.status == 0 else {
      guard place.errors.contains("not a git repository") else { throw Git.failure(place.errors) }
      throw FileError(
        "'\(path)' is not in a git repository", help: "compare two files: scenec diff OLD NEW")
    }
    top = Files.resolved(place.text) ?? place.text
    try Revision.refusePartialClone(git)
    let commit = try git("rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}")
    guard commit.status == 0 else { throw try Revision.unknown(name, git) }
    entries = try Revision.entries(of: commit.text, git)
    temporary = try TemporaryFolder()
  }

  private static func refusePartialClone(_ git: Git) throws(FileError) {
    let found = try git(
      "config", "--get-regexp",
      #"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$"#)
    guard found.status != 0 || found.output.isEmpty else {
      throw FileError(
        "the repository is a partial clone, and git would download missing files",
        help: "compare with a complete clone")
    }
  }

  private static func unknown(_ name: String, _ git: Git) throws(FileError) -> FileError {
    let shallow = try git("rev-parse", "--is-shallow-repository")
    return FileError(
      "the repository has no revision '\(name)'",
      help: shallow.text == "true"
        ? "the repository is a shallow clone: run 'git fetch --unshallow'"
        : "'git log --oneline' lists revisions")
  }

  private static func entries(of commit: String, _ git: Git) throws(FileError) -> [String: Entry] {
    let tree = try git("ls-tree", "-r", "-z", "--full-tree", commit)
    guard tree.status == 0 else { throw Git.failure(tree.errors) }
    var entries: [String: Entry] = [:]
    for line in tree.output.split(separator: 0) {
      // The mode, the type, the object, a tab and the path.
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { continue }
      let head = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard head.count == 3, head[1] == "blob" else { continue }
      entries[String(decoding: line[(tab + 1)...], as: UTF8.self)] = Entry(
        object: String(head[2]), isLink: head[0] == "120000")
    }
    return entries
  }

  // MARK: Loading

  /// Returns the path at which a path of the working tree is extracted.
  package func path(of original: String) throws(FileError) -> String {
    let parts = original.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().joined(separator: "/")
    let absolute = Files.resolved(
      original.hasPrefix("/") && folder.isEmpty ? "/" : folder.isEmpty ? "." : folder)
    guard let absolute, absolute == top || absolute.hasPrefix(top + "/") else {
      throw FileError("'\(original)' is not in the repository '\(top)'")
    }
    return self.folder + absolute.dropFirst(top.count) + "/" + (parts.last ?? "")
  }

  /// Loads a scene of the revision with `load`, which is called again as long as the scene reads
  /// files that are not yet extracted.
  package func load(
    _ path: String, _ load: (String) throws -> LoadedScene
  ) throws -> LoadedScene {
    let scene = try self.path(of: path)
    guard try extract(scene) else {
      throw FileError(
        "'\(path)' does not exist in \(name)", help: "'git log -- \(path)' lists its revisions")
    }
    for project in projects(above: scene) { _ = try extract(project) }
    while true {
      let loaded = try load(scene)
      var isComplete = true
      for path in loaded.inputs.paths where try extract(path) { isComplete = false }
      for (folder, pattern) in loaded.inputs.patterns {
        for name in names(in: folder, like: pattern) where try extract("\(folder)/\(name)") {
          isComplete = false
        }
      }
      if isComplete { return loaded }
    }
  }

  private func projects(above scene: String) -> [String] {
    var found: [String] = []
    var place = scene[...]
    while place.count > folder.count, let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      found.append(place + "/project.scene")
    }
    return found
  }

  private func names(in place: String, like pattern: String) -> [String] {
    let inside = String(place.dropFirst(folder.count + 1))
    let names = entries.keys.compactMap { path -> String? in
      let parts = path.split(separator: "/")
      return parts.dropLast().joined(separator: "/") == inside ? parts.last.map(String.init) : nil
    }
    return AssetFolder.matching(pattern, names)
  }

  /// Extracts a file of the temporary folder. Returns `false` if the revision does not contain it,
  /// or if it was extracted before.
  private func extract(_ path: String) throws(FileError) -> Bool {
    guard path.hasPrefix(folder + "/") else { return false }
    let inside = Revision.normalized(path.dropFirst(folder.count + 1))
    guard let entry = try target(of: inside), extracted.insert(inside).inserted else {
      return false
    }
    var place = folder
    for part in inside.split(separator: "/").dropLast() {
      place += "/\(part)"
      _ = Files.makeFolder(place, permissions: 0o700)
    }
    let file = Files.open(
      "\(folder)/\(inside)", O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions: 0o600)
    guard file >= 0 else {
      throw FileError("cannot extract '\(inside)' of \(name): \(Files.reason())")
    }
    defer { close(file) }
    try git.write(object: entry.object, to: file)
    let head = String(decoding: Files.head(of: file, count: 48), as: UTF8.self)
    if head.hasPrefix("version https://git-lfs.github.com/spec/") {
      throw FileError(
        "'\(inside)' in \(name) is stored with Git LFS",
        help: "check the revision out with 'git worktree add', and compare the two files")
    }
    return true
  }

  /// Returns the file at a path, after at most eight symbolic links within the repository; `nil` if
  /// there is no such file.
  private func target(of path: String) throws(FileError) -> Entry? {
    var path = path
    for _ in 0...8 {
      if let entry = entries[path], !entry.isLink { return entry }
      guard let next = try withoutLink(path) else { return nil }
      path = next
    }
    return nil
  }

  /// Returns a path in which the first link is replaced by its target; `nil` without a link.
  private func withoutLink(_ path: String) throws(FileError) -> String? {
    let parts = path.split(separator: "/")
    for count in parts.indices {
      let head = parts[...count].joined(separator: "/")
      guard let entry = entries[head], entry.isLink else { continue }
      let link = try git("cat-file", "blob", entry.object).text
      let whole = parts[..<count] + [link[...]] + parts[(count + 1)...]
      return Revision.normalized(whole.joined(separator: "/")[...])
    }
    return nil
  }

  /// Returns a relative path without `.`, `..` and repeated slashes.
  private static func normalized(_ path: Substring) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." { parts.append(part) } else { _ = parts.popLast() }
    }
    return parts.joined(separator: "/")
  }
}
