// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText

/// One file of a program: its names and its scenes.
final class Module {
  /// Relative to the root file, or `std/…`.
  let path: String
  let scope: Scope
  let parsed: Parsed
  let declared: [Declaration]
  var scenes: [ElementSyntax] = []
  /// An import failed, so that names may be missing.
  var isIncomplete = false

  init(path: String, scope: Scope, parsed: Parsed, declared: [Declaration]) {
    self.path = path
    self.scope = scope
    self.parsed = parsed
    self.declared = declared
    scope.isFile = true
  }

  /// What is imported lies around what the file declares itself.
  var imported: Scope? { scope.parent }

  var tree: SyntaxTree { parsed.tree }

  /// Whether a `change` in the file names its element.
  private(set) lazy var hasTargets = tree.nodes.contains { $0.kind == .target }

  /// Whether it declares something, and no scene.
  var isLibrary: Bool {
    !declared.isEmpty && !declared.contains { if case .scene = $0 { true } else { false } }
  }

  /// The folder that its imports begin in, with a slash at the end, or empty.
  var folder: String { ModuleGraph.folder(of: path) }
}

/// The files of a program, each read once, and which names they bring into one another.
final class ModuleGraph {
  static let greatestCount = 1000

  /// All files that were read, the root first; their place is their id.
  private(set) var sources: [SourceFile] = []
  private(set) var modules: [Module] = []
  /// Names that are known in every file.
  var prelude: Scope?
  /// The imports that are being followed.
  var loading = Dependencies<String>()
  /// Which file an imported name is from.
  private var origins: [String: Module] = [:]

  var root: SourceFile? { sources.first }

  var isFull: Bool { modules.count >= ModuleGraph.greatestCount }

  /// What stands before the names of imported files in messages: the folder of the root.
  private var rootFolder: String { root.map { ModuleGraph.folder(of: $0.name) } ?? "" }

  // MARK: Files

  /// Adds a file by its path in the program; messages call it by that of the root.
  func add(_ bytes: [UInt8], path: String) -> SourceFile {
    let name = path.hasPrefix("std/") ? path : rootFolder + path
    let file = SourceFile(id: FileID(sources.count), name: name, bytes: bytes)
    add(file)
    return file
  }

  func add(_ file: SourceFile) { sources.append(file) }

  func add(_ module: Module) { modules.append(module) }

  func module(at path: String) -> Module? { modules.first { $0.path == path } }

  func module(of file: FileID) -> Module? { modules.first { $0.tree.file.id == file } }

  /// What is written at a place.
  /// Whether some bytes are in a file of `std/`.
  func isOfLibrary(_ span: SourceSpan) -> Bool {
    let file = Int(span.file.rawValue)
    return sources.indices.contains(file) && sources[file].name.hasPrefix("std/")
  }

  func text(at span: SourceSpan) -> String {
    let file = Int(span.file.rawValue)
    return sources.indices.contains(file) ? sources[file].text(span) : ""
  }

  // MARK: Names

  /// Brings the public names of a file into another; answers those that come from a third too.
  func bringIn(_ other: Module, to module: Module) -> [String] {
    guard let imported = module.imported else { return [] }
    var twice: [String] = []
    for (name, binding) in other.scope.bindings.sorted(by: { $0.name.text < $1.name.text })
    where !name.text.hasPrefix("_") {
      if case .module = binding { continue }
      if imported.bindings[name] != nil, origins[name.text] !== other { twice.append(name.text) }
      origins[name.text] = other
      imported.bind(name, binding)
    }
    return twice
  }

  /// Lets go of all names: scopes and what they hold refer to each other.
  func dismantle() {
    for module in modules {
      module.imported?.removeAll()
      module.scope.removeAll()
    }
    prelude?.removeAll()
    origins = [:]
  }

  // MARK: Paths

  /// The path in the program of what a file imports, without `.` and `..`.
  static func path(of text: String, importedBy path: String) -> String {
    let whole = text.hasPrefix("std/") ? text : folder(of: path) + text
    return normalized(whole) ?? whole
  }

  /// With a slash at the end, or empty.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// `nil` when it leaves the folder.
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
