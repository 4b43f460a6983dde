// SPDX-License-Identifier: MIT
import SceneLibrary
package import SceneSyntax
package import SceneText
package import SceneTypes

/// The static types of a file and of its imports, for editors. Errors are not reported.
package struct ProgramTypes: Sendable {
  private let program: TypedProgram
  /// The files of the program by their paths.
  private let files: [String: FileID]

  /// Types a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file in the program.
  ///   - tree: Returns the syntax tree of a file, or `nil` if it is missing.
  package init(of path: String, tree: (String) -> SyntaxTree?) {
    var units: [TypedUnit] = []
    var files: [String: FileID] = [:]
    var waiting = tree(path).map { [TypedUnit(path, $0)] } ?? []
    var next = ProgramTypes.firstFile
    while let unit = waiting.popLast() {
      guard files[unit.path] == nil else { continue }
      files[unit.path] = unit.file.id
      units.append(unit)
      for imported in unit.imports.values where files[imported] == nil {
        if let known = libraryUnits[imported] {
          waiting.append(known)
        } else if let found = tree(imported) {
          // All files of an editor have the same number.
          let file = SourceFile(id: FileID(next), name: found.file.name, bytes: found.file.bytes)
          next += 1
          waiting.append(TypedUnit(imported, parse(file).tree))
        }
      }
    }
    for unit in preludeUnits where files[unit.path] == nil {
      files[unit.path] = unit.file.id
      units.append(unit)
    }
    self.files = files
    program = TypedProgram(typesOf: units)
  }

  /// Returns the type of a declared name in a file of the program, or `nil` if nothing is known
  /// about it.
  package func type(of name: Name, in path: String) -> Type? {
    known(name.span, in: path) { program.names[$0] }
  }

  /// Returns the type of an expression in the typed file, or `nil` if nothing is known about it.
  package func type(at span: SourceSpan, in path: String) -> Type? {
    known(span, in: path) { program.types[$0] }
  }

  private func known(_ span: SourceSpan, in path: String, _ type: (SourceSpan) -> Type?) -> Type? {
    guard let file = files[path],
      let found = type(SourceSpan(file: file, start: span.start, end: span.end)),
      !found.isOpen, found != .nothing
    else { return nil }
    return found
  }

  /// The number of the first imported file that is not in the library.
  private static let firstFile = 1000
}

/// The files of the library for the typer, by path.
private let libraryUnits: [String: TypedUnit] = {
  var units = Dictionary(uniqueKeysWithValues: preludeUnits.map { ($0.path, $0) })
  for (number, name) in Library.paths.enumerated() where units["std/" + name] == nil {
    let file = SourceFile(
      id: FileID(100 + number), name: "std/" + name, bytes: Library.file(name) ?? [])
    units[file.name] = TypedUnit(file.name, parse(file).tree)
  }
  return units
}()

extension TypedUnit {
  init(_ path: String, _ tree: SyntaxTree) {
    self.init(path, tree.file, declaring: SceneSyntax.declarations(of: tree))
  }

  init(_ path: String, _ file: SourceFile, declaring declarations: [Declaration]) {
    var imports: [String: String] = [:]
    for case .importDecl(let file, _, _) in declarations {
      guard case .text(let parts) = file.kind, parts.count == 1, case .literal(let text) = parts[0]
      else { continue }
      imports[text] = ModuleGraph.path(of: text, importedBy: path)
    }
    self.init(path: path, file: file, declarations: declarations, imports: imports)
  }
}
