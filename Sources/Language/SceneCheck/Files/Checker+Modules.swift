// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneLibrary
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Imports.
extension Checker {
  /// Loads the declarations of a file and of its imports.
  func load(
    _ parsed: Parsed, _ declared: [Declaration]? = nil, path: String, isRoot: Bool
  ) -> Module {
    let declared = declared ?? declarations(of: parsed.tree)
    let imported = Scope(parent: files.prelude, owner: nil)
    let module = Module(
      path: path, scope: Scope(parent: imported, owner: nil), parsed: parsed, declared: declared)
    files.add(module)
    for declaration in declared {
      if case .importDecl(let file, let name, _) = declaration {
        importFile(file, name, into: module)
      } else {
        declare(declaration, in: module, isRoot: isRoot)
      }
    }
    // Bounds are checked after all names are declared.
    checkBounds(declared, in: module, isRoot: isRoot)
    for case .definition(let it) in declared
    where it.kind == .transition && !path.hasPrefix("std/") {
      checkDefinition(ofTransition: it, module.scope)
    }
    return module
  }

  private func importFile(_ file: Expression, _ name: Name?, into module: Module) {
    guard case .text(let parts) = file.kind, parts.count == 1, case .literal(let text) = parts[0]
    else {
      _ = report(
        .notConstant, "the file name of an import must be constant", at: file.span,
        help: "write a name such as \"brand.scene\"")
      return
    }
    guard let other = self.module(text, file.span, from: module) else {
      module.isIncomplete = true
      return
    }
    if other.isIncomplete || other.parsed.diagnostics.contains(where: { $0.severity == .error }) {
      module.isIncomplete = true
    }
    if let name {
      if module.scope.bindings[name] != nil {
        report(
          Diagnostic(
            .nameTwice, "'\(name.text)' is declared twice in this file", at: name.span,
            label: "choose a different name"))
      }
      module.scope.bind(name, .module(other))
      return
    }
    let twice = files.bringIn(other, to: module)
    guard let first = twice.first else { return }
    // Uses of these names would be reported as unknown.
    module.isIncomplete = true
    let names = twice.prefix(4).map { "'\($0.name)'" } + (twice.count > 4 ? ["others"] : [])
    let listed =
      names.count > 1
      ? names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1] : names[0]
    report(
      Diagnostic(
        .nameTwice, "\(listed) \(twice.count > 1 ? "are" : "is") imported from two files",
        at: file.span, label: "also declared in '\(first.path)'",
        notes: [
          Note(
            help:
              "give one import a name, as in import \"\(text)\" as other, and write other.\(first.name)"
          )
        ]))
  }

  /// Returns the module of an imported file, or reports an error and returns `nil`. Cached.
  private func module(_ text: String, _ span: SourceSpan, from module: Module) -> Module? {
    let isLibrary = text.hasPrefix("std/") || module.path.hasPrefix("std/")
    let path = ModuleGraph.path(of: text, importedBy: module.path)
    if let ring = files.loading.ring(closedBy: path) {
      var cycle = Diagnostic(
        .cycle, "'\(path)' imports itself", at: span, label: "closes the import cycle")
      for step in ring.dropFirst() {
        cycle.notes.append(Note("'\(step.key)' is imported here", at: step.span))
      }
      if !reports.all.contains(where: { $0.code == .cycle }) { report(cycle) }
      return nil
    }
    if let known = files.module(at: path) { return known }
    guard !files.isFull else {
      _ = report(
        .limitExceeded, "the program imports more than \(ModuleGraph.greatestCount) files",
        at: span, label: Limits.fixed)
      return nil
    }
    let bytes: [UInt8]
    if isLibrary {
      let name = String(path.dropFirst(4))
      guard let known = Library.file(name) else {
        let known = Library.paths.map { "std/\($0)" }
        var diagnostic = Diagnostic(
          .fileNotFound, "unknown library file '\(path)'", at: span,
          notes: [Note("the library files are \(known.joined(separator: ", "))")])
        let full = path.hasSuffix(".scene") ? path : path + ".scene"
        if let near = known.contains(full) ? full : nearest(full, in: known) {
          diagnostic.fixIts = [
            FixIt(
              "change to \"\(near)\"", replacing: span, with: "\"\(near)\"", isSafe: false)
          ]
        }
        report(diagnostic)
        return nil
      }
      bytes = known
    } else {
      do {
        bytes = try assets.source(path)
      } catch {
        let written = text.hasPrefix("/") ? text : path
        report(assetError(error, written, at: span, importedBy: module.path))
        return nil
      }
    }
    return read(bytes, path: path, at: span)
  }

  /// Parses and loads a file. Messages show `name`, or, without it, the path relative to the folder
  /// of the root. Returns `nil` if the file exceeds the limit.
  func read(
    _ bytes: [UInt8], path: String, called name: String? = nil, at span: SourceSpan
  ) -> Module? {
    guard bytes.count <= options.limits.source else {
      _ = report(
        .limitExceeded,
        "'\(path)' has \(bytes.count) bytes, more than the limit of \(options.limits.source)",
        at: span, label: "exceeds the limit 'source'",
        help: Limits.raising("source", to: Double(bytes.count)))
      return nil
    }
    let parsed = parse(files.add(bytes, path: path, called: name))
    files.loading.begin(path, { path }, at: span)
    defer { files.loading.end() }
    return load(parsed, path: path, isRoot: false)
  }

  /// Loads the effects and transitions that require no import.
  func loadPrelude() {
    guard files.sources.count == 1 else { return }
    for (parsed, declared) in preludeFiles {
      let file = parsed.tree.file
      files.add(file)
      files.prelude = load(parsed, declared, path: file.name, isRoot: false).scope
    }
  }

  // MARK: Names of modules

  /// Returns the binding of `name` or `file.name`, with the scope that contains its declaration;
  /// `nil` for unknown names and other expressions.
  func resolve(_ e: Expression, _ scope: Scope) -> (Scope.Binding, Scope)? {
    switch e.kind {
    case .reference(let name):
      let found = scope.lookup(name)
      if let found { note(e.span, found.0) }
      return found
    case .member(let base, let name):
      guard case .reference(let file) = base.kind, case .module(let module)? = scope.lookup(file)?.0
      else { return nil }
      return publicName(name, of: module).map { ($0, module.scope) }
    default: return nil
    }
  }

  /// Returns a public name of a file, or reports an error and returns `nil`. A name that begins
  /// with `_` is private.
  func publicName(_ name: Name, of module: Module) -> Scope.Binding? {
    if !name.text.hasPrefix("_"), let binding = module.scope.bindings[name] {
      note(name.span, binding)
      return binding
    }
    let isPrivate = module.scope.bindings[name] != nil
    report(
      Diagnostic(
        .unknownMember, "unknown name '\(name.text)' in '\(module.path)'", at: name.span,
        label: isPrivate ? "a name that begins with '_' is private to its file" : ""
      ).suggesting(
        nearestTo: name.text, in: module.scope.bindings.keys.filter { !$0.hasPrefix("_") }))
    return nil
  }

  /// Returns the words of all enumerations: those of properties, and each `light | dark` in the
  /// files.
  func allEnumerations() -> [Set<String>] {
    var groups = Property.enumerations.map { Set($0) }
    for module in files.modules {
      let tree = module.parsed.tree
      var group: Set<String> = []
      let tokens = tree.tokens.indices.filter { !tree.tokens[$0].kind.isTrivia }
      for (index, token) in tokens.enumerated() where tree.tokens[token].kind == .identifier {
        let isFirst = index == 0 || tree.tokens[tokens[index - 1]].kind != .bar
        if isFirst {
          if group.count > 1 { groups.append(group) }
          group = []
        }
        group.insert(tree.text(ofToken: token))
      }
      if group.count > 1 { groups.append(group) }
    }
    return groups
  }
}

/// The files of the prelude, parsed once. They always follow the first file of a program.
private let preludeFiles: [(Parsed, [Declaration])] = Library.prelude.enumerated().map {
  let parsed = parse(
    SourceFile(
      id: FileID($0.offset + 1), name: "std/\($0.element)", bytes: Library.file($0.element) ?? []))
  return (parsed, declarations(of: parsed.tree))
}

/// The files of the prelude for the typer.
let preludeUnits = preludeFiles.map { parsed, declarations in
  TypedUnit(parsed.tree.file.name, parsed.tree.file, declaring: declarations)
}

/// The indexes of names for the prelude, by path.
let preludeIndexes = Dictionary(
  uniqueKeysWithValues: preludeFiles.map { ($0.0.tree.file.name, NameIndex($0.0.tree)) })
