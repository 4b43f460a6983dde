// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText

/// What the names in one file stand for, read off its syntax alone: nothing is computed, so that it
/// holds for what is not used or not taken too, and for files with errors.
package struct NameIndex: Sendable {
  /// Something that a file gives a name.
  package struct Symbol: Sendable {
    /// What was declared.
    package enum Kind: String, Hashable, Sendable {
      /// What `import … as` names.
      case file
      case param, constant, function, component, style, effect, transition, scene, element
      /// Of a function or a definition.
      case parameter
      /// The variable or the index of a loop.
      case round
    }

    package let kind: Kind
    package let name: Name
    /// The symbol in whose body it is declared; `nil` at the top of the file.
    package let container: Int?

    /// Whether no other file sees it.
    package var isPrivate: Bool { name.text.hasPrefix("_") }
  }

  /// What one place means.
  package enum Meaning: Hashable, Sendable {
    case symbol(Int)
    /// A name of the imported file that a symbol stands for.
    case imported(Int)
    /// A parameter, if there is one of that name, of what the name at another place means.
    case parameter(of: SourceSpan)
    /// A word of the language there.
    case builtIn
    /// Of a file that is imported without a name, of the prelude, or built in; else unknown. Where
    /// only one kind is meant, that of it.
    case free(Symbol.Kind?)
  }

  /// Another file whose names are known here, all of them or behind the name of a symbol.
  package struct Import: Sendable {
    /// As it is written.
    package let path: String
    package let symbol: Int?
  }

  /// A name where it is used, and what it means there.
  package struct Use: Sendable {
    package let span: SourceSpan
    package let name: String
    package let meaning: Meaning
    /// The parameter whose value it is: in another file than its own it may be one of its words.
    let parameter: Parameter?
  }

  /// A parameter of what the name at a place means.
  struct Parameter: Hashable, Sendable {
    enum Place: Hashable, Sendable {
      case name(String)
      /// Among those without a name, from 0 on.
      case position(Int)
    }

    let callee: SourceSpan
    let place: Place
  }

  package let symbols: [Symbol]
  /// In the order of the file.
  package private(set) var uses: [Use]
  package let imports: [Import]
  private let tree: SyntaxTree
  /// Those that a value of a parameter may be.
  private let words: [Int: Set<String>]
  /// Which names are visible where, outer ones first.
  let scopes: [Visibility]

  struct Visibility: Sendable {
    let span: SourceSpan
    let parent: Int?
    let names: [String: Int]
  }

  package init(_ tree: SyntaxTree) { self.init(declarations(of: tree), in: tree) }

  /// The declarations are those of the tree.
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

  /// The symbol that is declared or used at an offset.
  package func symbol(at offset: Int) -> Int? {
    func holds(_ span: SourceSpan) -> Bool { span.start <= offset && offset <= span.end }
    if let declared = symbols.firstIndex(where: { holds($0.name.span) }) { return declared }
    guard let use = uses.first(where: { holds($0.span) }), case .symbol(let it) = use.meaning
    else { return nil }
    return it
  }

  /// The places where a symbol is used, without that of its declaration.
  package func uses(of symbol: Int) -> [SourceSpan] {
    uses.filter { $0.meaning == .symbol(symbol) }.map(\.span)
  }

  /// All symbols that a name at an offset could mean; inner ones hide outer ones.
  package func visible(at offset: Int) -> [Int] {
    let around = scopes.indices.filter {
      scopes[$0].span.start <= offset && offset <= scopes[$0].span.end
    }
    // A scene may be all that a file has: of two equal spans the later one is inside.
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

  /// The symbols that are declared directly in the body of another, or at the top of the file.
  package func members(of symbol: Int?) -> [Int] {
    symbols.indices.filter { symbols[$0].container == symbol }
  }

  /// The use at a place, whose names are in the order of the file.
  func use(at span: SourceSpan) -> Use? {
    var (low, high) = (0, uses.count)
    while low < high {
      let middle = (low + high) / 2
      if uses[middle].span < span { low = middle + 1 } else { high = middle }
    }
    return low < uses.count && uses[low].span == span ? uses[low] : nil
  }

  /// A symbol at the top of the file.
  func topLevel(_ name: String) -> Int? { scopes[0].names[name] }

  /// The parameters of a definition or a function, which come right after it.
  package func parameters(of symbol: Int) -> Range<Int> {
    let first = symbol + 1
    return first..<first
      + symbols[first...].prefix { $0.kind == .parameter && $0.container == symbol }.count
  }

  /// The parameter of a definition or a function.
  func parameter(_ name: String, of symbol: Int) -> Int? {
    parameters(of: symbol).first { symbols[$0].name.text == name }
  }

  /// The words that a parameter of a definition or a function may be.
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

  /// The node that declares a symbol.
  private func declaration(of symbol: Int) -> Int? {
    tree.path(at: symbols[symbol].name.span.start).last {
      NameIndex.declaring.contains(tree.nodes[$0].kind)
    }
  }

  /// All that declares a symbol, with its body.
  package func whole(of symbol: Int) -> SourceSpan {
    declaration(of: symbol).map(tree.span(of:)) ?? symbols[symbol].name.span
  }

  /// The `///` lines above its declaration.
  package func documentation(of symbol: Int) -> String {
    declaration(of: symbol).map(tree.documentation(before:)) ?? ""
  }

  /// The type as it is written, of a function that of its result.
  package func type(of symbol: Int) -> String? {
    guard let node = declaration(of: symbol) else { return nil }
    return tree.children(of: node).first { tree.nodes[$0].kind == .type }
      .map { tree.file.text(tree.span(of: $0)) }
  }

  /// Whether a parameter, a param or a `let` is given a value where it is declared.
  package func hasInitializer(_ symbol: Int) -> Bool {
    guard let node = declaration(of: symbol) else { return false }
    return tree.children(of: node).contains { tree.nodes[$0].kind == .initializer }
  }

  /// Symbols that no place outside their own declaration uses.
  var unused: Set<Int> {
    var unused = Set(symbols.indices)
    for case .symbol(let it) in uses.lazy.map(\.meaning) { unused.remove(it) }
    return unused
  }
}
