// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneLanguage
package import SceneSyntax
package import SceneText

/// A parsed file of a program.
package struct TypedUnit: Sendable {
  /// The path in the program, or `std/…`.
  package let path: String
  package let file: SourceFile
  package let declarations: [Declaration]
  /// The imported files: the path in the source text, and the path in the program.
  package let imports: [String: String]

  var isOfLibrary: Bool { path.hasPrefix("std/") }

  package init(
    path: String, file: SourceFile, declarations: [Declaration], imports: [String: String]
  ) {
    self.path = path
    self.file = file
    self.declarations = declarations
    self.imports = imports
  }
}

/// The static types of a program.
package struct TypedProgram: Sendable {
  /// The type of each expression by its span, if types are recorded; otherwise, those of some
  /// expressions.
  package fileprivate(set) var types: [SourceSpan: Type] = [:]
  /// The type of each declared value, by the span of its name.
  package fileprivate(set) var names: [SourceSpan: Type] = [:]
  /// Errors about names, properties and arguments in all files except those of the library.
  package fileprivate(set) var nameErrors: [Diagnostic] = []
  /// Type errors. Evaluation also finds those that it reaches, with values in the message.
  package fileprivate(set) var typeErrors: [Diagnostic] = []
  /// The spans of invalid names and properties, including those without an error of their own.
  package fileprivate(set) var invalidNames: Set<SourceSpan> = []
  /// The names of one file.
  package fileprivate(set) var fileNames: FileNames

  package var diagnostics: [Diagnostic] { nameErrors + typeErrors }

  /// Creates the types of a program without files.
  package init() { fileNames = FileNames(of: FileID(0)) }

  /// Types the files of a program. Each expression gets a type, whether a scene uses it or not.
  ///
  /// The typer follows the rules of evaluation, but computes with types instead of values: each
  /// body is typed once, and errors do not stop it.
  ///
  /// - Parameters:
  ///   - units: All files of the program.
  ///   - file: The file whose names are recorded.
  ///   - prelude: The paths of the files whose names need no import.
  ///   - signatures: The built-in functions by name.
  ///   - includesLibrary: Whether the bodies of library files are typed as well. Otherwise, only
  ///     those of their functions and values are typed that the other files use.
  ///   - recordsTypes: Whether the types of all expressions are recorded.
  ///   - reportsErrors: Whether errors are reported. Searching for suggestions takes time.
  ///   - hasFamily: Returns whether a font is installed, for suggestions.
  package init(
    _ units: [TypedUnit], names file: FileID = FileID(0), prelude: [String],
    signatures: [Identifier: FunctionSignature], includesLibrary: Bool,
    recordsTypes: Bool = true, reportsErrors: Bool = true, hasFamily: @escaping (String) -> Bool
  ) {
    let typer = Typer(
      units, names: file, prelude: prelude, signatures: signatures, hasFamily: hasFamily)
    typer.recordsTypes = recordsTypes
    typer.isSilent = !reportsErrors
    typer.run(includesLibrary: includesLibrary)
    types = typer.types
    names = typer.names
    (nameErrors, typeErrors) = (typer.nameErrors, typer.typeErrors)
    invalidNames = typer.invalidNames
    fileNames = typer.finishedNames()
    typer.dismantle()
  }
}

/// The expectations of the context of an expression.
struct Expected {
  /// The words that take precedence over names.
  var words: Set<String> = []
  /// The expected kind of value, for suggestions of names.
  var wanted = Wanted.any
  /// The parameter of an unknown callee that receives the value.
  var receiver: FileNames.Parameter?
  /// The kind of the element whose property has the value, if known.
  var kind: ElementKind?

  static let nothing = Expected()

  init(words: Set<String> = [], wanted: Wanted = .any, receiver: FileNames.Parameter? = nil) {
    self.words = words
    self.wanted = wanted
    self.receiver = receiver
  }

  init(_ type: TypeSyntax?) { words = type?.words ?? [] }

  init(_ type: PropertyType?, receiver: FileNames.Parameter? = nil) {
    self.receiver = receiver
    guard let type else { return }
    words = Words.accepted(by: type)
    wanted = .property(type)
  }

  /// Whether only a word is accepted, so that a name of a point is unknown.
  var isWord: Bool { if case .property(.word) = wanted { !words.isEmpty } else { false } }

  /// The expectation of a part, such as a component of a pair.
  var part: Expected { Expected(words: words, receiver: receiver) }
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
  let hasFamily: (String) -> Bool
  private(set) var types: [SourceSpan: Type] = [:]
  private(set) var names: [SourceSpan: Type] = [:]
  var bodies: [Body] = []
  /// Whether the types of all expressions are recorded. Those of list items always are, since they
  /// are compared with the type that a declaration requires.
  var recordsTypes = true
  /// The types of declared values by the spans of their names.
  var values: [SourceSpan: LazyType] = [:]
  /// The scopes of bodies by their syntax.
  var scopes: [ObjectIdentifier: Scope] = [:]
  /// The scopes of the two branches of an `if`.
  var branchScopes: [ObjectIdentifier: [Scope]] = [:]
  /// The scopes of the copies in a `repeat`.
  var copyScopes: [ObjectIdentifier: Scope] = [:]
  /// A use of each component in the file whose names are recorded, by the index of its body.
  var callees: [Int: SourceSpan] = [:]
  /// The names of one file.
  var fileNames: FileNames
  private(set) var files: [String: FileTypes] = [:]
  private let units: [String: TypedUnit]
  private let order: [TypedUnit]
  /// The names that need no import: the last file of the prelude, in the scope of the others.
  private var prelude: Scope?
  private let preludePaths: [String]
  private var allScopes: [Scope] = []
  private var depth = 0
  private(set) var nameErrors: [Diagnostic] = []
  private(set) var typeErrors: [Diagnostic] = []
  private(set) var invalidNames: Set<SourceSpan> = []
  private var reported: Set<Diagnostic> = []
  /// The advice about unknown properties of each element, which is given once.
  var advice: [ObjectIdentifier?: Set<String>] = [:]
  /// Whether errors are suppressed, because the code is typed again for a different use.
  var isSilent = false
  private let unitsByFile: [FileID: TypedUnit]
  /// The length of source code with one expression, at least in most files.
  private static let bytesPerExpression = 8
  /// The maximum depth of nested expressions, which the parser does not exceed.
  private static let greatestDepth = 1000

  init(
    _ units: [TypedUnit], names file: FileID, prelude paths: [String],
    signatures: [Identifier: FunctionSignature], hasFamily: @escaping (String) -> Bool
  ) {
    self.signatures = signatures
    self.hasFamily = hasFamily
    fileNames = FileNames(of: file)
    order = units
    unitsByFile = Dictionary(
      units.map { ($0.file.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.units = Dictionary(units.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    preludePaths = paths
  }

  func run(includesLibrary: Bool) {
    for path in preludePaths {
      if let file = file(at: path) { prelude = file.scope }
    }
    for unit in order
    where unit.file.id == fileNames.file || includesLibrary || !unit.isOfLibrary {
      guard let file = file(at: unit.path) else { continue }
      if recordsTypes {
        types.reserveCapacity(types.count + unit.file.bytes.count / Typer.bytesPerExpression)
      }
      type(file)
    }
  }

  /// Returns the names of a file, with those of its imports; `nil` for an unknown file.
  private func file(at path: String) -> FileTypes? {
    if let known = files[path] { return known }
    guard let unit = units[path] else { return nil }
    let imported = makeScope(in: prelude)
    let file = FileTypes(
      path: path,
      scope: makeScope(in: imported, span: unit.file.span(0, unit.file.bytes.count)),
      declarations: unit.declarations)
    files[path] = file
    for case .importDecl(let source, let name, _) in unit.declarations {
      var other: FileTypes?
      if case .text(let parts) = source.kind, case .literal(let text)? = parts.first {
        other = unit.imports[text].flatMap { self.file(at: $0) }
      }
      if other == nil || other?.isIncomplete == true { file.isIncomplete = true }
      if let name {
        file.scope.bind(name.identifier, .file(other), as: symbol(.file, name, in: nil))
      } else if let other {
        for name in other.scope.names.keys {
          if let binding = other.publicName(name) { imported.bind(name, binding, as: nil) }
        }
      }
    }
    declare(file)
    return file
  }

  // MARK: Errors

  /// Reports an error about a name, unless the same error has already been reported or the name is
  /// in the library, whose errors users cannot correct.
  func report(_ diagnostic: Diagnostic) {
    invalidNames.insert(diagnostic.span)
    if isNew(diagnostic) { nameErrors.append(diagnostic) }
  }

  /// Reports a type error.
  func reportType(_ diagnostic: Diagnostic) {
    if isNew(diagnostic) { typeErrors.append(diagnostic) }
  }

  /// Marks a name as invalid without reporting it, because a different error covers it.
  func markInvalid(_ span: SourceSpan) { invalidNames.insert(span) }

  private func isNew(_ diagnostic: Diagnostic) -> Bool {
    isReporting(at: diagnostic.span) && reported.insert(diagnostic).inserted
  }

  /// Whether more errors are reported. Each may search for similar names.
  private var hasRoom: Bool { nameErrors.count + typeErrors.count < Diagnostic.greatestCount }

  /// Returns whether errors at a span are reported.
  func isReporting(at span: SourceSpan) -> Bool {
    !isSilent && hasRoom && unit(of: span.file)?.isOfLibrary == false
  }

  /// Returns whether names of a file may be missing, since an import failed.
  func mayBeMissing(in file: FileID) -> Bool {
    unit(of: file).flatMap { files[$0.path]?.isIncomplete } ?? true
  }

  func unit(of file: FileID) -> TypedUnit? { unitsByFile[file] }

  func text(at span: SourceSpan) -> String { unit(of: span.file)?.file.text(span) ?? "" }

  /// Runs `body` without reporting its errors.
  func silently<T>(_ body: () -> T) -> T {
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    return body()
  }

  /// Runs each alternative and keeps the errors of the first one, if all have errors.
  func trying(_ alternatives: [() -> Void]) {
    let kept = (nameErrors, typeErrors, reported)
    var first: (names: [Diagnostic], types: [Diagnostic])?
    var isRight = false
    for body in alternatives {
      (nameErrors, typeErrors, reported) = ([], [], [])
      body()
      if nameErrors.isEmpty, typeErrors.isEmpty { isRight = true }
      if first == nil { first = (nameErrors, typeErrors) }
    }
    (nameErrors, typeErrors, reported) = kept
    guard !isRight, let first else { return }
    first.names.forEach(report)
    first.types.forEach(reportType)
  }

  /// Runs `body` and replaces its errors about names, if there are any, with those that `change`
  /// returns.
  func changingNameErrors<T>(of body: () -> T, by change: ([Diagnostic]) -> [Diagnostic]) -> T {
    let (start, typeStart) = (nameErrors.count, typeErrors.count)
    let result = body()
    let own = Array(nameErrors[start...])
    guard !own.isEmpty else { return result }
    let others = change(own).filter { own.contains($0) || reported.insert($0).inserted }
    nameErrors.replaceSubrange(start..., with: others)
    // Errors of other kinds follow from the replaced ones. Advice does not replace an error.
    if others.map(\.message) != own.map(\.message) { typeErrors.removeSubrange(typeStart...) }
    return result
  }

  /// Returns the type of an expression and records it if types are recorded.
  func type(_ e: Expression, in scope: Scope, expecting expected: Expected = .nothing) -> Type {
    depth += 1
    defer { depth -= 1 }
    guard depth < Typer.greatestDepth else { return .unknown }
    let type = compute(e, in: scope, expecting: expected).bounded
    if recordsTypes { note(e.span, type) }
    return type
  }

  /// Records the type of an expression. An expression that is typed for several uses has a type
  /// that contains all results.
  func note(_ span: SourceSpan, _ type: Type) {
    if let other = types.updateValue(type, forKey: span) { types[span] = other.joined(with: type) }
  }

  func note(_ name: Name, _ type: Type) {
    names[name.span] = names[name.span]?.joined(with: type) ?? type
  }

  /// Adds a declaration to the table of names and returns its symbol; `nil` for a declaration in
  /// another file.
  func symbol(_ kind: FileNames.Symbol.Kind, _ name: Name, in container: Int?) -> Scope.Symbol? {
    fileNames.declare(kind, name, in: container).map(Scope.Symbol.symbol)
  }

  /// Returns the table of names after all files are typed.
  func finishedNames() -> FileNames {
    fileNames.finish(allScopes)
    return fileNames
  }

  func makeScope(in parent: Scope?, owner: ElementSyntax? = nil, span: SourceSpan? = nil) -> Scope {
    let scope = Scope(parent: parent, owner: owner, span: span)
    allScopes.append(scope)
    return scope
  }

  /// Breaks the reference cycles between scopes and their declarations.
  func dismantle() {
    for scope in allScopes { scope.removeAll() }
    for file in files.values { (file.functions, file.definitions) = ([], []) }
    values = [:]
  }

  /// Adds a body with its members, and returns its index.
  func add(_ body: Body) -> Int {
    bodies.append(body)
    return bodies.count - 1
  }
}
