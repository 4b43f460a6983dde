// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText
import SceneTypes

/// The meanings of the names in a file, derived from its syntax alone. It requires no evaluation,
/// so that it covers unused code, branches that are not taken and files with errors.
package struct NameIndex: Sendable {
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

  /// An imported file. Its names are qualified by a symbol, or available unqualified.
  package struct Import: Sendable {
    /// The path in the source text.
    package let path: String
    package let symbol: Int?
  }

  /// A use of a name with its meaning.
  package struct Use: Sendable {
    package let span: SourceSpan
    package let name: String
    package let meaning: Meaning
    /// The parameter that receives the value. If it is declared in another file, the name may be
    /// one of its words.
    let parameter: Parameter?
  }

  /// A parameter of the callee at a span.
  struct Parameter: Hashable, Sendable {
    enum Place: Hashable, Sendable {
      case name(String)
      /// The index among the positional parameters.
      case position(Int)
    }

    let callee: SourceSpan
    let place: Place
  }

  package let symbols: [Symbol]
  /// In source order.
  package private(set) var uses: [Use]
  package let imports: [Import]
  private let tree: SyntaxTree
  /// The words that each parameter accepts.
  private let words: [Int: Set<String>]
  /// The names that are visible in each scope, outer scopes first.
  let scopes: [Visibility]

  struct Visibility: Sendable {
    let span: SourceSpan
    let parent: Int?
    let names: [String: Int]
  }

  package init(_ tree: SyntaxTree) { self.init(declarations(of: tree), in: tree) }

  /// Creates an index from the declarations of the tree.
  init(_ declarations: [Declaration], in tree: SyntaxTree) {
    var reader = NameReader(tree.file)
    reader.read(declarations)
    self.tree = tree
    imports = reader.imports
    words = reader.words
    scopes = reader.scopes.map {
      Visibility(span: $0.span, parent: $0.parent, names: $0.names.compactMapValues(\.symbol))
    }
    symbols = reader.symbols
    uses = reader.uses.sorted { $0.span < $1.span }
    for (index, use) in uses.enumerated() {
      guard let parameter = use.parameter, let callee = self.use(at: parameter.callee),
        case .symbol(let definition) = callee.meaning,
        words(ofParameter: parameter.place, of: definition).contains(use.name)
      else { continue }
      uses[index] = Use(span: use.span, name: use.name, meaning: .builtIn, parameter: nil)
    }
  }

  /// Returns the symbol whose declaration or use contains an offset, or `nil`.
  package func symbol(at offset: Int) -> Int? {
    func holds(_ span: SourceSpan) -> Bool { span.start <= offset && offset <= span.end }
    if let declared = symbols.firstIndex(where: { holds($0.name.span) }) { return declared }
    guard let use = uses.first(where: { holds($0.span) }), case .symbol(let it) = use.meaning
    else { return nil }
    return it
  }

  /// Returns the uses of a symbol, without its declaration.
  package func uses(of symbol: Int) -> [SourceSpan] {
    uses.filter { $0.meaning == .symbol(symbol) }.map(\.span)
  }

  /// Returns all symbols that are visible at an offset. Inner symbols shadow outer ones.
  package func visible(at offset: Int) -> [Int] {
    let around = scopes.indices.filter {
      scopes[$0].span.start <= offset && offset <= scopes[$0].span.end
    }
    // A scene may span the whole file. Of two scopes with equal spans, the later one is nested.
    let innermost = around.reversed().min {
      scopes[$0].span.end - scopes[$0].span.start < scopes[$1].span.end - scopes[$1].span.start
    }
    var names: [String: Int] = [:]
    var next = innermost
    while let index = next {
      names.merge(scopes[index].names) { inner, _ in inner }
      next = scopes[index].parent
    }
    return names.values.sorted()
  }

  /// Returns the symbols that are declared directly in the body of another, or at the top level.
  package func members(of symbol: Int?) -> [Int] {
    symbols.indices.filter { symbols[$0].container == symbol }
  }

  /// Returns the use at a span, by binary search.
  func use(at span: SourceSpan) -> Use? {
    var (low, high) = (0, uses.count)
    while low < high {
      let middle = (low + high) / 2
      if uses[middle].span < span { low = middle + 1 } else { high = middle }
    }
    return low < uses.count && uses[low].span == span ? uses[low] : nil
  }

  /// Returns a symbol at the top level.
  func topLevel(_ name: String) -> Int? { scopes[0].names[name] }

  /// Returns the parameters of a definition or a function, which directly follow it.
  package func parameters(of symbol: Int) -> Range<Int> {
    let first = symbol + 1
    return first..<first
      + symbols[first...].prefix { $0.kind == .parameter && $0.container == symbol }.count
  }

  /// Returns the parameter of a definition or a function with a name, or `nil`.
  func parameter(_ name: String, of symbol: Int) -> Int? {
    parameters(of: symbol).first { symbols[$0].name.text == name }
  }

  /// Returns the words that a parameter of a definition or a function accepts.
  func words(ofParameter place: Parameter.Place, of symbol: Int) -> Set<String> {
    let all = parameters(of: symbol)
    let found: Int? =
      switch place {
      case .name(let name): parameter(name, of: symbol)
      case .position(let position): position < all.count ? all.lowerBound + position : nil
      }
    return found.flatMap { words[$0] } ?? []
  }

  // MARK: Declarations

  private static let declaring: Set<SyntaxKind> = [
    .importDecl, .paramDecl, .letDecl, .fnDecl, .componentDecl, .styleDecl, .effectDecl,
    .transitionDecl, .parameter, .element, .forItem, .comprehension, .keyFor,
  ]

  /// Returns the node that declares a symbol, or `nil`.
  private func declaration(of symbol: Int) -> Int? {
    tree.path(at: symbols[symbol].name.span.start).last {
      NameIndex.declaring.contains(tree.nodes[$0].kind)
    }
  }

  /// Returns the span of a symbol's declaration, including its body.
  package func whole(of symbol: Int) -> SourceSpan {
    declaration(of: symbol).map(tree.span(of:)) ?? symbols[symbol].name.span
  }

  /// Returns the text of the `///` comment before a declaration.
  package func documentation(of symbol: Int) -> String {
    declaration(of: symbol).map(tree.documentation(before:)) ?? ""
  }

  /// Returns the declared type of a symbol, or the result type of a function, as source text.
  package func type(of symbol: Int) -> String? {
    guard let node = declaration(of: symbol) else { return nil }
    return tree.children(of: node).first { tree.nodes[$0].kind == .type }
      .map { tree.file.text(tree.span(of: $0)) }
  }

  /// Returns whether the declaration of a parameter, param or `let` has an initial value.
  package func hasInitializer(_ symbol: Int) -> Bool {
    guard let node = declaration(of: symbol) else { return false }
    return tree.children(of: node).contains { tree.nodes[$0].kind == .initializer }
  }

  /// The symbols without uses outside their own declarations.
  var unused: Set<Int> {
    var unused = Set(symbols.indices)
    for case .symbol(let it) in uses.lazy.map(\.meaning) { unused.remove(it) }
    return unused
  }
}
