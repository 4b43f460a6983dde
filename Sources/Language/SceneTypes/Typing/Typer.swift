// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
package import SceneSyntax
package import SceneText

/// A parsed file of a program.
package struct TypedUnit: Sendable {
  /// The path in the program, or `std/…`.
  package let path: String
  package let declarations: [Declaration]
  /// The imported files: the path in the source text, and the path in the program.
  package let imports: [String: String]

  package init(path: String, declarations: [Declaration], imports: [String: String]) {
    self.path = path
    self.declarations = declarations
    self.imports = imports
  }
}

/// The static types of a program.
package struct TypedProgram: Sendable {
  /// The type of each expression, by its span.
  package fileprivate(set) var types: [SourceSpan: Type] = [:]
  /// The type of each declared value, by the span of its name.
  package fileprivate(set) var names: [SourceSpan: Type] = [:]

  /// Types the files of a program. Each expression gets a type, whether a scene uses it or not.
  ///
  /// The typer follows the rules of evaluation, but computes with types instead of values: each
  /// body is typed once, and errors do not stop it.
  ///
  /// - Parameters:
  ///   - units: All files of the program.
  ///   - prelude: The paths of the files whose names need no import.
  ///   - signatures: The built-in functions by name.
  package init(
    _ units: [TypedUnit], prelude: [String], signatures: [Identifier: FunctionSignature]
  ) {
    let typer = Typer(units, prelude: prelude, signatures: signatures)
    typer.run()
    types = typer.types
    names = typer.names
    typer.dismantle()
  }
}

/// What the place of an expression expects of its value.
struct Expected {
  /// The words that take precedence over names.
  var words: Set<String> = []
  /// Whether only a word is accepted, so that a name of a point is unknown.
  var isWord = false

  static let nothing = Expected()

  init(words: Set<String> = [], isWord: Bool = false) {
    self.words = words
    self.isWord = isWord
  }

  init(_ type: TypeSyntax?) { words = type?.words ?? [] }

  init(_ type: PropertyType?) {
    words = type.map(Words.accepted) ?? []
    if case .word = type { isWord = true }
  }

  /// The expectation of a part, such as a component of a pair.
  var part: Expected { Expected(words: words) }
}

extension TypeSyntax {
  /// The words of an enumeration such as `light | dark`, or the names of easings.
  package var words: Set<String> {
    names.count > 1
      ? Set(names.map(\.text)) : names.first?.text == "easing" ? Words.easings : []
  }
}

/// The state of typing a program. Extensions contain the rules for expressions, bodies and
/// declarations.
final class Typer {
  let signatures: [Identifier: FunctionSignature]
  private(set) var types: [SourceSpan: Type] = [:]
  private(set) var names: [SourceSpan: Type] = [:]
  var bodies: [Body] = []
  /// The scopes of bodies by their syntax.
  var scopes: [ObjectIdentifier: Scope] = [:]
  /// The scopes of the two branches of an `if`.
  var branchScopes: [ObjectIdentifier: [Scope]] = [:]
  /// The scopes of the copies in a `repeat`.
  var copyScopes: [ObjectIdentifier: Scope] = [:]
  private(set) var files: [String: FileTypes] = [:]
  private let units: [String: TypedUnit]
  private let order: [TypedUnit]
  /// The names that need no import: the last file of the prelude, in the scope of the others.
  private var prelude: Scope?
  private let preludePaths: [String]
  private var allScopes: [Scope] = []
  private var depth = 0
  /// Expressions can be nested as deeply as the parser allows.
  private static let greatestDepth = 1000

  init(_ units: [TypedUnit], prelude paths: [String], signatures: [Identifier: FunctionSignature]) {
    self.signatures = signatures
    order = units
    self.units = Dictionary(units.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    preludePaths = paths
  }

  func run() {
    for path in preludePaths {
      if let file = file(at: path) { prelude = file.scope }
    }
    for unit in order {
      if let file = file(at: unit.path) { type(file) }
    }
  }

  /// Returns the names of a file, with those of its imports.
  private func file(at path: String) -> FileTypes? {
    if let known = files[path] { return known }
    guard let unit = units[path] else { return nil }
    let imported = makeScope(in: prelude)
    let file = FileTypes(
      path: path, scope: makeScope(in: imported), declarations: unit.declarations)
    files[path] = file
    for case .importDecl(let source, let name, _) in unit.declarations {
      var other: FileTypes?
      if case .text(let parts) = source.kind, case .literal(let text)? = parts.first {
        other = unit.imports[text].flatMap { self.file(at: $0) }
      }
      if other == nil || other?.isIncomplete == true { file.isIncomplete = true }
      if let name {
        file.scope.bind(name.identifier, .file(other))
      } else if let other {
        for name in other.scope.names.keys {
          if let binding = other.publicName(name) { imported.bind(name, binding) }
        }
      }
    }
    declare(file)
    return file
  }

  /// Returns the type of an expression and records it.
  func type(_ e: Expression, in scope: Scope, expecting expected: Expected = .nothing) -> Type {
    depth += 1
    defer { depth -= 1 }
    guard depth < Typer.greatestDepth else { return .unknown }
    let type = compute(e, scope, expected)
    note(e.span, type)
    return type
  }

  /// Records the type of an expression. An expression that is typed for several uses has a type
  /// that contains all results.
  func note(_ span: SourceSpan, _ type: Type) {
    types[span] = types[span]?.joined(with: type) ?? type
  }

  func note(_ name: Name, _ type: Type) {
    names[name.span] = names[name.span]?.joined(with: type) ?? type
  }

  func makeScope(in parent: Scope?) -> Scope {
    let scope = Scope(parent: parent)
    allScopes.append(scope)
    return scope
  }

  /// Breaks the reference cycles between scopes and their declarations.
  func dismantle() {
    for scope in allScopes { scope.removeAll() }
  }

  /// Adds a body with its members, and returns its index.
  func add(_ body: Body) -> Int {
    bodies.append(body)
    return bodies.count - 1
  }
}
