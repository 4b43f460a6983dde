// SPDX-License-Identifier: MIT
import CLinux
import SceneCheck
import SceneCompare
import SceneFiles
import SceneModel
import SceneRevision
import SceneSession
import SceneSystem
import SceneText

/// The operands of `scenec diff`.
struct DiffOperands {
  /// A version of a scene: a file, or a file in a revision of git.
  struct Version {
    let path: String
    let revision: String?

    var name: String { revision.map { "\($0):\(path)" } ?? path }
  }

  let old: Version
  let new: Version

  /// Parses `FILE`, `OLD NEW`, `REVISION FILE` or `REVISION..REVISION FILE`. An existing file takes
  /// precedence over a revision of the same name.
  init(_ operands: [String]) throws(Invocation.Failure) {
    guard (1...2).contains(operands.count), let path = operands.last, path != "-" else {
      throw Invocation.Failure(
        message:
          "'diff' requires a scene and a version to compare it with: scenec diff HEAD~1 film.scene")
    }
    guard operands.count == 2 else {
      old = Version(path: path, revision: "HEAD")
      new = Version(path: path, revision: nil)
      return
    }
    let first = operands[0]
    if FileStatus(path: first)?.isFolder == false {
      old = Version(path: first, revision: nil)
      new = Version(path: path, revision: nil)
    } else if first.hasSuffix(".scene") {
      throw Invocation.Failure(message: "file '\(first)' not found")
    } else if let dots = first.firstRange(of: "..") {
      let names = [String(first[..<dots.lowerBound]), String(first[dots.upperBound...])]
      guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else {
        throw Invocation.Failure(
          message: "revisions must have the form OLD..NEW, found '\(first)'")
      }
      old = Version(path: path, revision: names[0])
      new = Version(path: path, revision: names[1])
    } else {
      old = Version(path: path, revision: first)
      new = Version(path: path, revision: nil)
    }
  }
}

/// A loaded version of a scene.
struct DiffSide {
  let version: DiffOperands.Version
  let scene: LoadedScene
  private let revision: Revision?
  /// The absolute path of the folder of the scene.
  private let base: String

  /// Loads a version. Shows its diagnostics and returns `nil` if it has errors.
  init?(_ version: DiffOperands.Version, load: LoadOptions, console: Console) throws {
    self.version = version
    let revision = try version.revision.map { try Revision($0, ofScene: version.path) }
    self.revision = revision
    var load = load
    if let revision, let root = load.root {
      load.root = try String(revision.path(of: root + "/.").dropLast(2))
    }
    var check = try load.requests(for: version.path)[0].check
    check.recordsElements = true
    let session = Session(load)
    let loaded =
      try revision?.load(version.path) { try session.load($0, check) }
      ?? session.load(version.path, check)
    scene = loaded.asBuilt
    let folder = SceneFile.folder(of: try revision?.path(of: version.path) ?? version.path)
    base = Files.resolved(folder) ?? folder
    guard scene.model != nil else {
      let sources = scene.sources.map { [revision] in
        SourceFile(
          id: $0.id, name: DiffSide.name($0.name, in: revision), bytes: $0.bytes)
      }
      console.show(scene.diagnostics, sources)
      if !scene.isWrong { console.error("'\(version.name)' has no scene to compare") }
      return nil
    }
  }

  /// The version for the comparison; `nil` without a scene.
  var side: SceneSide? {
    guard let model = scene.model, let record = scene.record else { return nil }
    return SceneSide(model, record: record, sources: scene.sources, metrics: scene.metrics)
  }

  /// Returns the file and the line of a span.
  func place(_ span: SourceSpan) -> (file: String, line: Int) {
    let source = scene.sources[Int(span.file.rawValue)]
    return (
      DiffSide.name(source.name, in: revision), source.position(at: span.start).line
    )
  }

  private static func name(_ name: String, in revision: Revision?) -> String {
    guard let revision, name.hasPrefix(revision.folder + "/") else { return name }
    return "\(revision.name):\(name.dropFirst(revision.folder.count + 1))"
  }

  /// The files except scenes, by their path relative to the scene.
  var files: [String: String] {
    var files: [String: String] = [:]
    for path in scene.inputs.paths where !path.hasSuffix(".scene") {
      let absolute = Files.resolved(path) ?? path
      files[DiffSide.relative(absolute, to: base)] = absolute
    }
    return files
  }

  /// Returns a path relative to a folder; both are absolute.
  private static func relative(_ path: String, to folder: String) -> String {
    let (parts, base) = (path.split(separator: "/"), folder.split(separator: "/"))
    let common = zip(parts, base).prefix { $0 == $1 }.count
    return (base.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)).joined(
      separator: "/")
  }

  /// Returns the paths of files whose content differs between two versions.
  static func changedFiles(_ old: DiffSide, _ new: DiffSide) -> [String] {
    let (a, b) = (old.files, new.files)
    return a.keys.filter { name in
      guard let x = a[name], let y = b[name] else { return false }
      return x != y && !DiffSide.areEqual(x, y)
    }
    .sorted()
  }

  private static func areEqual(_ path: String, _ other: String) -> Bool {
    let files = [path, other].map { Files.open($0, O_RDONLY) }
    defer { for file in files where file >= 0 { close(file) } }
    guard files.allSatisfy({ $0 >= 0 }),
      FileStatus(file: files[0])?.size == FileStatus(file: files[1])?.size
    else { return false }
    var offset = 0
    while true {
      let parts = files.map { Files.head(of: $0, from: offset, count: 1 << 20) }
      guard parts[0] == parts[1] else { return false }
      guard !parts[0].isEmpty else { return true }
      offset += parts[0].count
    }
  }
}
