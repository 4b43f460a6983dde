// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText

/// The declarations and uses of names in one file, as the typer resolves them. They cover unused
/// code, branches that are not taken and files with errors.
package struct FileNames: Sendable {
  /// A declaration with a name.
  package struct Symbol: Sendable {
    /// The kind of a declaration.
    package enum Kind: String, Hashable, Sendable {
      /// The name of an `import … as`.
      case file
      case param, constant, function, component, style, effect, transition, scene, element
      /// A parameter of a function or a definition.
      case parameter
      /// The variable or the index of a loop.
      case round
    }

    package let kind: Kind
    package let name: Name
    /// The symbol whose body contains the declaration, or `nil` at the top level.
    package let container: Int?

    /// Whether the symbol is private to its file.
    package var isPrivate: Bool { name.text.hasPrefix("_") }
  }

  /// The meaning of one use.
  package enum Meaning: Hashable, Sendable {
    case symbol(Int)
    /// A name of the imported file that a symbol denotes.
    case imported(Int)
    /// The parameter with this name of the callee at another span.
    case parameter(of: SourceSpan)
    /// A built-in word.
    case builtIn
    /// A name of an unqualified import, of the prelude, or built in; otherwise unknown. A kind
    /// restricts the meaning to symbols of that kind.
    case free(Symbol.Kind?)
  }

  /// A use of a name with its meaning.
  package struct Use: Sendable {
    package let span: SourceSpan
    package let name: String
    package let meaning: Meaning
    /// The parameter that receives the value if it is declared in another file, since the name may
    /// be one of its words.
    package let parameter: Parameter?
  }

  /// A parameter of the callee at a span.
  package struct Parameter: Hashable, Sendable {
    /// The name or the position of a parameter.
    package enum Place: Hashable, Sendable {
      case name(String)
      /// The index among the positional parameters.
      case position(Int)
    }

    package let callee: SourceSpan
    package let place: Place
  }

  /// The names that are visible in a part of the file.
  package struct Visibility: Sendable {
    package let span: SourceSpan
    /// The index of the enclosing scope.
    package let parent: Int?
    package let names: [String: Int]
  }

  package let file: FileID
  package private(set) var symbols: [Symbol] = []
  package private(set) var uses: [Use] = []
  /// The scopes that declare names, enclosing ones first. The first one is that of the file.
  package fileprivate(set) var scopes: [Visibility] = []
  private var declared: [SourceSpan: Int] = [:]
  private var used: Set<SourceSpan> = []

  init(of file: FileID) { self.file = file }

  /// Adds a declaration and returns its symbol, or that of the same declaration if it was added
  /// earlier. Returns `nil` for a declaration in another file.
  mutating func declare(_ kind: Symbol.Kind, _ name: Name, in container: Int?) -> Int? {
    guard name.span.file == file else { return nil }
    if let known = declared[name.span] { return known }
    symbols.append(Symbol(kind: kind, name: name, container: container))
    declared[name.span] = symbols.count - 1
    return symbols.count - 1
  }

  /// Adds a use, unless it was added earlier or is in another file.
  mutating func use(
    _ name: Identifier, at span: SourceSpan, _ meaning: Meaning, for parameter: Parameter? = nil
  ) {
    guard span.file == file, used.insert(span).inserted else { return }
    uses.append(Use(span: span, name: name.text, meaning: meaning, parameter: parameter))
  }

  /// Sorts the table by source order and adds the scopes.
  mutating func finish(_ all: [Scope]) {
    var numbers: [ObjectIdentifier: Int] = [:]
    func number(_ scope: Scope?) -> Int? {
      guard let scope else { return nil }
      return numbers[ObjectIdentifier(scope)] ?? number(scope.parent)
    }
    for scope in all {
      guard let span = scope.span, span.file == file else { continue }
      var names: [String: Int] = [:]
      for case (let name, .symbol(let symbol)) in scope.symbols { names[name.text] = symbol }
      scopes.append(Visibility(span: span, parent: number(scope.parent), names: names))
      numbers[ObjectIdentifier(scope)] = scopes.count - 1
    }
    uses.sort { $0.span < $1.span }
    (declared, used) = ([:], [])
  }

  /// The symbols without uses outside their own declarations.
  package var unused: Set<Int> {
    var unused = Set(symbols.indices)
    for case .symbol(let it) in uses.lazy.map(\.meaning) { unused.remove(it) }
    return unused
  }
}

extension Typer {
  /// Records a use of a name with its meaning in a scope. `kind` is the kind of symbol that an
  /// undeclared name could refer to.
  func use(
    _ name: Identifier, at span: SourceSpan, in scope: Scope,
    only kind: FileNames.Symbol.Kind? = nil, for parameter: FileNames.Parameter? = nil
  ) {
    switch scope.symbol(name) {
    case .symbol(let symbol)?: fileNames.use(name, at: span, .symbol(symbol), for: parameter)
    case .word?: fileNames.use(name, at: span, .builtIn)
    case nil: fileNames.use(name, at: span, .free(kind), for: parameter)
    }
  }

  /// Records the use of a file's name before a dot, and of the name after it.
  func use(_ name: Name, of file: Identifier, at span: SourceSpan, in scope: Scope) {
    use(file, at: span, in: scope)
    if case .symbol(let symbol)? = scope.symbol(file) {
      fileNames.use(name.identifier, at: name.span, .imported(symbol))
    }
  }

  /// Records the name of an argument or a property that sets a parameter of the callee at a span.
  func use(_ name: Name, in parameters: [Identifier: Scope.Symbol], ofCalleeAt callee: SourceSpan) {
    if case .symbol(let symbol)? = parameters[name.identifier] {
      fileNames.use(name.identifier, at: name.span, .symbol(symbol))
    } else {
      fileNames.use(name.identifier, at: name.span, .parameter(of: callee))
    }
  }
}
