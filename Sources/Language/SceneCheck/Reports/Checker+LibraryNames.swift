// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLibrary
import SceneSyntax
import SceneText

/// What files of the library declare that a scene sees only after it imports them.
private enum LibraryNames {
  /// The path of the file that declares a name, and what it is there.
  struct Place {
    let path: String
    /// `nil` for a `let` and an `fn`.
    let kind: DefinitionSyntax.Kind?
    let isFunction: Bool
  }

  /// Where a name is declared, by the name. Read once, when the first name is missing somewhere.
  static let places: [String: Place] = {
    var places: [String: Place] = [:]
    for path in Library.paths where !Library.prelude.contains(path) {
      guard let bytes = Library.file(path) else { continue }
      let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
      for declaration in declarations(of: parsed.tree) {
        let (name, kind, isFunction): (Name, DefinitionSyntax.Kind?, Bool)
        switch declaration {
        case .definition(let it): (name, kind, isFunction) = (it.name, it.kind, false)
        case .fn(let it): (name, kind, isFunction) = (it.name, nil, true)
        case .letDecl(let it): (name, kind, isFunction) = (it.name, nil, false)
        default: continue
        }
        guard !name.text.hasPrefix("_") else { continue }
        places[name.text] = Place(path: path, kind: kind, isFunction: isFunction)
      }
    }
    return places
  }()
}

extension Checker {
  /// The error of a name that is not there, with the import that makes it known; `nil` where the library has no
  /// such name. A `kind` of `nil` stands for values and functions.
  func importing(
    _ name: String, _ kind: DefinitionSyntax.Kind?, _ diagnostic: Diagnostic
  ) -> Diagnostic? {
    guard let place = LibraryNames.places[name], place.kind == kind,
      let module = files.module(of: diagnostic.span.file)
    else { return nil }
    let line = "import \"std/\(place.path)\""
    let first = module.declared.lazy.compactMap { declaration -> Int? in
      if case .importDecl(_, _, let span) = declaration { span.start } else { nil }
    }.first
    let at = first ?? 0
    return diagnostic.fixing(
      "add \(line)", SourceSpan(file: diagnostic.span.file, start: at, end: at), line + "\n")
  }

  /// The same for a name that is only similar to one of the library.
  func nearlyImporting(
    _ name: String, _ kind: DefinitionSyntax.Kind?, _ diagnostic: Diagnostic
  ) -> Diagnostic? {
    // What is called is a function.
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
