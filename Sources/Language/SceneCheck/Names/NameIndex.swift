// SPDX-License-Identifier: MIT
package import SceneSyntax
package import SceneText
package import SceneTypes

/// The names of one file, without those of its imports, and the declarations behind them.
package struct NameIndex: Sendable {
  package typealias Symbol = FileNames.Symbol
  package typealias Use = FileNames.Use
  package typealias Meaning = FileNames.Meaning

  /// An imported file. Its names are qualified by a symbol, or available unqualified.
  package struct Import: Sendable {
    /// The path in the source text.
    package let path: String
    package let symbol: Int?
  }

  package var symbols: [Symbol] { table.symbols }
  /// The uses in source order.
  package var uses: [Use] { table.uses }
  package let imports: [Import]
  private let table: FileNames
  /// The types of declared values by the spans of their names.
  private let types: [SourceSpan: Type]
  private let tree: SyntaxTree
  /// The words that each parameter accepts, by the index of its symbol.
  private let words: [Int: Set<String>]

  /// The names that are visible in each scope, outer scopes first.
  private var scopes: [FileNames.Visibility] { table.scopes }

  /// Creates the index of a file by typing it without its imports.
  package init(_ tree: SyntaxTree) {
    self.tree = tree
    let declarations = declarations(of: tree)
    let program = TypedProgram(names: tree.file, declarations, in: preludeUnits)
    types = program.names
    let table = program.fileNames
    self.table = table
    let symbols = Dictionary(
      table.symbols.indices.map { (table.symbols[$0].name.span, $0) },
      uniquingKeysWith: { first, _ in first })
    imports = declarations.compactMap { declaration in
      guard case .importDecl(let file, let name, _) = declaration,
        case .text(let parts) = file.kind, case .literal(let path)? = parts.first
      else { return nil }
      return Import(path: path, symbol: name.flatMap { symbols[$0.span] })
    }
    var words: [Int: Set<String>] = [:]
    for parameter in declarations.flatMap(\.parameters) {
      guard let symbol = symbols[parameter.name.span], let type = parameter.type else { continue }
      words[symbol] = type.words
    }
    self.words = words
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

  /// Returns the use at a span, by binary search; `nil` if there is none.
  func use(at span: SourceSpan) -> Use? {
    var (low, high) = (0, uses.count)
    while low < high {
      let middle = (low + high) / 2
      if uses[middle].span < span { low = middle + 1 } else { high = middle }
    }
    return low < uses.count && uses[low].span == span ? uses[low] : nil
  }

  /// Returns a symbol at the top level; `nil` if there is none.
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
  func words(ofParameter place: FileNames.Parameter.Place, of symbol: Int) -> Set<String> {
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
    .transitionDecl, .filterDecl, .paintDecl, .parameter, .element, .forItem, .comprehension,
    .keyFor,
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

  /// Returns the static type of a declared value, or `nil` if nothing is known about it without the
  /// imports.
  package func valueType(of symbol: Int) -> Type? {
    types[symbols[symbol].name.span].flatMap { $0.isOpen || $0 == .nothing ? nil : $0 }
  }

  /// Returns the declared type of a symbol, or the result type of a function, as source text; `nil`
  /// if none is declared.
  package func type(of symbol: Int) -> String? {
    guard let node = declaration(of: symbol) else { return nil }
    return tree.children(of: node).first { tree.nodes[$0].kind == .type }
      .map { tree.file.text(tree.span(of: $0)) }
  }

  /// Returns whether the declaration of a parameter, param or `let` has an initial value.
  package func hasInitializer(_ symbol: Int) -> Bool { initializer(of: symbol) != nil }

  /// Returns the span of the initial value of a parameter, param or `let`; `nil` if there is none.
  package func initialValue(of symbol: Int) -> SourceSpan? {
    initializer(of: symbol).flatMap { tree.children(of: $0).last }.map(tree.span(of:))
  }

  private func initializer(of symbol: Int) -> Int? {
    guard let node = declaration(of: symbol) else { return nil }
    return tree.children(of: node).first { tree.nodes[$0].kind == .initializer }
  }
}

extension Declaration {
  /// The parameters of a function or a definition.
  fileprivate var parameters: [ParameterSyntax] {
    switch self {
    case .fn(let it): it.parameters
    case .definition(let it): it.parameters
    default: []
    }
  }
}
