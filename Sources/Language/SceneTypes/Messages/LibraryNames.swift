// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLibrary
import SceneSyntax
import SceneText

/// The names of library files that require an import.
private enum LibraryNames {
  /// The file that declares a name, and the kind of the declaration.
  struct Place {
    let path: String
    /// The kind of a definition; `nil` for a `let`, a `param` and an `fn`.
    let kind: DefinitionSyntax.Kind?
    let isFunction: Bool

    init(of declaration: Declaration, in path: String) {
      self.path = path
      (kind, isFunction) =
        switch declaration {
        case .definition(let it): (it.kind, false)
        case .fn: (nil, true)
        default: (nil, false)
        }
    }
  }

  /// The declarations by name. Computed lazily, for the first unknown name.
  static let places: [String: Place] = {
    var places: [String: Place] = [:]
    for path in Library.paths where !Library.prelude.contains(path) {
      guard let bytes = Library.file(path) else { continue }
      let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
      for declaration in declarations(of: parsed.tree) {
        guard let name = declaration.name?.text, !name.hasPrefix("_") else { continue }
        places[name] = Place(of: declaration, in: path)
      }
    }
    return places
  }()
}

extension Typer {
  /// Returns an unknown-name error with a fix that adds the missing import, or `nil` if the library
  /// does not declare the name. A `kind` of `nil` means values and functions. The fix is safe unless
  /// the file has a declaration of the same kind and of similar spelling.
  func importing(
    _ name: String, _ kind: DefinitionSyntax.Kind?, for diagnostic: Diagnostic
  ) -> Diagnostic? {
    guard let place = LibraryNames.places[name], place.kind == kind,
      let unit = unit(of: diagnostic.span.file)
    else { return nil }
    let line = "import \"std/\(place.path)\""
    let first = unit.declarations.lazy.compactMap { declaration -> Int? in
      if case .importDecl(_, _, let span) = declaration { span.start } else { nil }
    }.first
    let at = first ?? 0
    // The user may mean a declaration of the same kind with a similar name.
    let same = unit.declarations.filter {
      let other = LibraryNames.Place(of: $0, in: "")
      return (other.kind, other.isFunction) == (place.kind, place.isFunction)
    }
    let similar = nearest(name, in: same.compactMap { $0.name?.text }).flatMap {
      editDistance(name, $0) <= 2 ? $0 : nil
    }
    return diagnostic.fixing(
      "add \(line)", replacing: SourceSpan(file: diagnostic.span.file, start: at, end: at),
      with: line + "\n", isSafe: similar == nil
    ).suggesting(similar)
  }

  /// Returns the error with advice for a library name of similar spelling, or `nil`.
  func nearlyImporting(
    _ name: String, _ kind: DefinitionSyntax.Kind?, for diagnostic: Diagnostic
  ) -> Diagnostic? {
    // A name that is called must be a function.
    let isCalled = diagnostic.code == .unknownFunction
    let known = LibraryNames.places.filter {
      $0.value.kind == kind && (!isCalled || $0.value.isFunction)
    }
    guard name.utf8.count > 3, let meant = nearest(name, in: known.keys.sorted()),
      let place = known[meant]
    else { return nil }
    return diagnostic.advising("import \"std/\(place.path)\" for '\(meant)'")
  }
}
