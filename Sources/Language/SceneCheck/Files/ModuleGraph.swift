// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText

/// A file of a program with its names and scenes.
final class Module {
  /// The path relative to the root file, or `std/…`.
  let path: String
  let scope: Scope
  let parsed: Parsed
  let declared: [Declaration]
  var scenes: [ElementSyntax] = []
  var projects: [ElementSyntax] = []
  /// Whether an import failed or has syntax errors, so that names may be missing.
  var isIncomplete = false
  /// The path of the module that declares each imported name.
  fileprivate var origins: [String: String] = [:]

  init(path: String, scope: Scope, parsed: Parsed, declared: [Declaration]) {
    self.path = path
    self.scope = scope
    self.parsed = parsed
    self.declared = declared
    scope.isFile = true
  }

  /// The scope of imported names, which encloses that of the file.
  var imported: Scope? { scope.parent }

  var tree: SyntaxTree { parsed.tree }
  /// The names of the file without those of its imports, for advice in errors.
  private(set) lazy var names = NameIndex(tree)

  /// Whether the file contains a `change of`.
  private(set) lazy var hasTargets = tree.nodes.contains { $0.kind == .target }
  /// Whether the file contains an `expect`.
  private(set) lazy var hasExpectations = tree.hasExpectations

  /// Whether the file contains declarations and no scene.
  var isLibrary: Bool {
    !declared.isEmpty && !declared.contains { if case .scene = $0 { true } else { false } }
  }

  /// The folder for relative imports: empty, or with a trailing slash.
  var folder: String { ModuleGraph.folder(of: path) }
}

/// The files of a program and their imports. Each file is loaded once.
final class ModuleGraph {
  static let greatestCount = 1000

  /// All loaded files, indexed by their ids. The first is the root.
  private(set) var sources: [SourceFile] = []
  private(set) var modules: [Module] = []
  /// The names that are available in every file.
  var prelude: Scope?
  /// The imports in progress, for the detection of cycles.
  var loading = Dependencies<String>()

  var root: SourceFile? { sources.first }

  var isFull: Bool { modules.count >= ModuleGraph.greatestCount }

  /// The folder of the root, a prefix of file names in messages.
  private var rootFolder: String { root.map { ModuleGraph.folder(of: $0.name) } ?? "" }

  // MARK: Files

  /// Adds a file by its path in the program. Its name in messages is by default relative to the
  /// folder of the root.
  func add(_ bytes: [UInt8], path: String, called name: String? = nil) -> SourceFile {
    let known = path.hasPrefix("std/") ? path : rootFolder + path
    let file = SourceFile(id: FileID(sources.count), name: name ?? known, bytes: bytes)
    add(file)
    return file
  }

  func add(_ file: SourceFile) { sources.append(file) }

  func add(_ module: Module) { modules.append(module) }

  func module(at path: String) -> Module? { modules.first { $0.path == path } }

  func module(of file: FileID) -> Module? { modules.first { $0.tree.file.id == file } }

  /// Returns whether a span is in a file of `std/`.
  func isOfLibrary(_ span: SourceSpan) -> Bool {
    let file = Int(span.file.rawValue)
    return sources.indices.contains(file) && sources[file].name.hasPrefix("std/")
  }

  func text(at span: SourceSpan) -> String {
    let file = Int(span.file.rawValue)
    return sources.indices.contains(file) ? sources[file].text(span) : ""
  }

  // MARK: Names

  /// Imports the public names of a file into another. Returns those that another import provides as
  /// well.
  func bringIn(_ other: Module, to module: Module) -> [DoubleName] {
    guard let imported = module.imported else { return [] }
    var twice: [DoubleName] = []
    for (name, binding) in other.scope.bindings.sorted(by: { $0.name.text < $1.name.text })
    where !name.text.hasPrefix("_") {
      if case .module = binding { continue }
      if let first = module.origins.updateValue(other.path, forKey: name.text), first != other.path
      {
        twice.append(DoubleName(name: name.text, path: first))
      }
      imported.bind(name, binding)
    }
    return twice
  }

  /// Breaks the reference cycles between scopes and their bindings.
  func dismantle() {
    for module in modules {
      module.imported?.removeAll()
      module.scope.removeAll()
    }
    prelude?.removeAll()
  }

  // MARK: Paths

  /// Returns the path of an imported file in the program, without `.` and `..`.
  static func path(of text: String, importedBy path: String) -> String {
    let whole = text.hasPrefix("std/") ? text : folder(of: path) + text
    return normalized(whole) ?? whole
  }

  /// Returns the folder of a path: empty, or with a trailing slash.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Returns whether a relative path leaves its folder.
  static func isOutside(_ path: String) -> Bool { normalized(path) == nil }

  /// Returns a path without `.` and `..`, or `nil` if it leaves the folder.
  private static func normalized(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard let last = parts.last, last != ".." else { return nil }
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}

/// A name that two imported files declare.
struct DoubleName {
  let name: String
  /// The file that was imported first.
  let path: String
}
