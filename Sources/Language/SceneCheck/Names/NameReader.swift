// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

/// Collects the names of a file scope by scope: first the declarations of a scope, then their uses,
/// since a body may use a name before its declaration.
struct NameReader {
  /// The meaning of a visible name.
  enum Binding {
    case symbol(Int)
    /// A built-in name, such as `index` in `each`.
    case builtIn

    var symbol: Int? { if case .symbol(let it) = self { it } else { nil } }
  }

  struct Scope {
    let span: SourceSpan
    let parent: Int?
    var names: [String: Binding] = [:]
  }

  typealias Symbol = NameIndex.Symbol

  private(set) var symbols: [Symbol] = []
  var uses: [NameIndex.Use] = []
  private(set) var imports: [NameIndex.Import] = []
  private(set) var scopes: [Scope]
  /// The scopes of elements, loops and branches, by span.
  private var bodies: [SourceSpan: Int] = [:]
  /// The parameters of each definition or function, by name.
  private var parameters: [Int: [String: Int]] = [:]
  /// The words that each parameter accepts.
  private(set) var words: [Int: Set<String>] = [:]
  /// The direct children of each element, by name.
  private var children: [Int: [String: Int]] = [:]
  /// The name and scope of each element's kind, if it is not built in.
  private var kinds: [Int: (name: String, scope: Int)] = [:]

  /// The bodies of the components that replace an element kind in this file, by the name of the
  /// kind.
  private var replacements: [String: SourceSpan] = [:]

  /// The position of an item.
  private struct Place {
    var scope: Int
    /// The symbol that contains the item.
    var container: Int?
    var kind: ElementKind?
    /// The component or scene that the enclosing element instantiates, if it is declared in this
    /// file.
    var definition: Int?
    /// The span of its name, whichever file declares it.
    var callee: SourceSpan?
  }

  init(_ file: SourceFile) {
    scopes = [Scope(span: file.span(0, file.bytes.count), parent: nil)]
  }

  mutating func read(_ declarations: [Declaration]) {
    for case .definition(let it) in declarations where it.kind == .component {
      guard ElementKind(rawValue: it.name.text)?.mayBeReplaced == true else { continue }
      if replacements[it.name.text] == nil { replacements[it.name.text] = it.body ?? it.name.span }
    }
    let declared = declarations.map { declare($0) }
    for (declaration, symbol) in zip(declarations, declared) { read(declaration, symbol) }
  }

  /// Returns the built-in kind of an element, or `nil` for a component or a scene.
  private func builtInKind(of element: ElementSyntax) -> ElementKind? {
    guard element.kind.count == 1 else { return nil }
    if let body = replacements[element.kindText],
      element.headSpan.start < body.start || element.headSpan.end > body.end
    {
      return nil
    }
    return ElementKind(rawValue: element.kindText)
  }

  // MARK: Symbols

  /// Adds a symbol and binds its name, unless the scope already contains the name.
  @discardableResult
  mutating func declare(_ kind: Symbol.Kind, _ name: Name?, _ container: Int?, in scope: Int)
    -> Int?
  {
    guard let name else { return nil }
    symbols.append(Symbol(kind: kind, name: name, container: container))
    let index = symbols.count - 1
    if scopes[scope].names[name.text] == nil { scopes[scope].names[name.text] = .symbol(index) }
    return index
  }

  mutating func scope(in parent: Int, _ span: SourceSpan) -> Int {
    scopes.append(Scope(span: span, parent: parent))
    return scopes.count - 1
  }

  private mutating func declare(_ declaration: Declaration) -> Int? {
    switch declaration {
    case .importDecl(let file, let name, _):
      let symbol = declare(.file, name, nil, in: 0)
      if case .text(let parts) = file.kind, case .literal(let path)? = parts.first {
        imports.append(NameIndex.Import(path: path, symbol: symbol))
      }
      return symbol
    case .param(let name, _, _, _, _): return declare(.param, name, nil, in: 0)
    case .letDecl(let it): return declare(.constant, it.name, nil, in: 0)
    case .fn(let it):
      let symbol = declare(.function, it.name, nil, in: 0)
      declare(it.parameters, of: symbol)
      return symbol
    case .definition(let it):
      guard let kind = Symbol.Kind(rawValue: it.kind.rawValue) else { return nil }
      let symbol = declare(kind, it.name, nil, in: 0)
      declare(it.parameters, of: symbol)
      return symbol
    case .scene(let it): return declare(.scene, it.name, nil, in: 0)
    }
  }

  /// Adds the parameters of a definition, whose uses may precede it.
  private mutating func declare(_ list: [ParameterSyntax], of definition: Int?) {
    guard let definition else { return }
    for parameter in list {
      symbols.append(Symbol(kind: .parameter, name: parameter.name, container: definition))
      parameters[definition, default: [:]][parameter.name.text] = symbols.count - 1
      if let words = parameter.type?.words, !words.isEmpty { self.words[symbols.count - 1] = words }
    }
  }

  func parameter(_ name: String, of definition: Int) -> Int? { parameters[definition]?[name] }

  func kind(of symbol: Int) -> Symbol.Kind { symbols[symbol].kind }

  // MARK: Declarations

  private mutating func read(_ declaration: Declaration, _ symbol: Int?) {
    switch declaration {
    case .importDecl: break
    case .param(_, let type, let value, let bound, _):
      if let value { read(value, in: 0, as: Role(words: Set(type?.names.map(\.text) ?? []))) }
      if let bound { read(bound, in: 0) }
    case .letDecl(let it): read(it.value, in: 0, as: role(it.type))
    case .fn(let it):
      let inner = scope(ofParameters: it.parameters, of: symbol, it.body ?? it.name.span)
      if let value = it.value { read(value, in: inner, as: role(it.result)) }
    case .definition(let it):
      let inner = scope(ofParameters: it.parameters, of: symbol, it.body ?? it.name.span)
      declare(it.items, in: inner, symbol, owner: nil)
      if [.effect, .transition].contains(it.kind) { declareBuiltIn("progress", in: inner) }
      for item in it.items { read(item, Place(scope: inner, container: symbol)) }
    case .scene(let it):
      declare(bodyOf: it, in: 0, symbol, owner: nil)
      read(bodyOf: it, Place(scope: 0, container: symbol, kind: .scene))
    }
  }

  /// Creates a scope with parameters, in which their defaults are resolved.
  private mutating func scope(
    ofParameters list: [ParameterSyntax], of symbol: Int?, _ span: SourceSpan
  ) -> Int {
    let first = list.first?.name.span ?? span
    let inner = scope(in: 0, first.union(span))
    for parameter in list {
      if let known = symbol.flatMap({ self.parameter(parameter.name.text, of: $0) }) {
        scopes[inner].names[parameter.name.text] = .symbol(known)
      }
    }
    for parameter in list {
      if let value = parameter.value { read(value, in: inner, as: role(parameter.type)) }
    }
    return inner
  }

  func role(_ type: TypeSyntax?) -> Role { Role(words: type?.words ?? []) }

  // MARK: Names in bodies

  /// Declares the names of a body and its nested bodies. `owner` is the element that has them as
  /// members.
  ///
  /// Names in loops, conditions and steps are exported to the enclosing scope, unless it contains
  /// the same name.
  private mutating func declare(
    _ items: [Item], in scope: Int, _ container: Int?, owner: Int?
  ) {
    for item in items {
      switch item {
      case .letDecl(let it): declare(.constant, it.name, container, in: scope)
      case .element(let it): declare(it, in: scope, container, owner)
      default: break
      }
    }
    for item in items {
      switch item {
      case .element(let it):
        // The content of steps remains, so later elements can refer to it.
        let kind = builtInKind(of: it)
        if kind == .steps || kind == .step, let inner = bodies[it.span] { export(inner, to: scope) }
      case .forItem(let it):
        let inner = self.scope(in: scope, it.body ?? it.variable.span)
        bodies[it.variable.span] = inner
        declare(.round, it.variable, container, in: inner)
        declare(.round, it.index, container, in: inner)
        declare(it.items, in: inner, container, owner: owner)
        export(inner, to: scope)
      case .ifItem(let it):
        for (place, branch) in it.branches {
          let inner = self.scope(in: scope, place)
          bodies[place] = inner
          declare(branch, in: inner, container, owner: owner)
          export(inner, to: scope)
        }
      default: break
      }
    }
  }

  private mutating func declare(
    _ element: ElementSyntax, in scope: Int, _ container: Int?, _ owner: Int?
  ) {
    // The name of `each` is a word.
    let isUnit = element.kindText == ElementKind.each.rawValue
    let symbol = isUnit ? nil : declare(.element, element.name, container, in: scope)
    if let symbol {
      if let owner { children[owner, default: [:]][symbols[symbol].name.text] = symbol }
      if element.kind.count == 1, builtInKind(of: element) == nil {
        kinds[symbol] = (element.kindText, scope)
      }
    }
    declare(bodyOf: element, in: scope, symbol ?? container, owner: symbol)
    let isCounted = isUnit || element.kindText == ElementKind.repeat.rawValue
    if isCounted, let inner = bodies[element.span] {
      for word in ["index", "count"] { declareBuiltIn(word, in: inner) }
    }
  }

  /// Binds a built-in name, unless the body declares the same name.
  private mutating func declareBuiltIn(_ word: String, in scope: Int) {
    if scopes[scope].names[word] == nil { scopes[scope].names[word] = .builtIn }
  }

  private mutating func declare(
    bodyOf element: ElementSyntax, in scope: Int, _ container: Int?, owner: Int?
  ) {
    guard !element.items.isEmpty else { return }
    let inner = self.scope(in: scope, element.span.union(element.body ?? element.span))
    bodies[element.span] = inner
    declare(element.items, in: inner, container, owner: owner)
  }

  private mutating func export(_ inner: Int, to outer: Int) {
    for (name, binding) in scopes[inner].names where scopes[outer].names[name] == nil {
      if let symbol = binding.symbol, kind(of: symbol) == .element {
        scopes[outer].names[name] = binding
      }
    }
  }

  // MARK: Bodies

  private mutating func read(bodyOf element: ElementSyntax, _ place: Place) {
    if let target = element.target { read(target, in: place.scope) }
    if let subject = element.subject { read(subject, in: place.scope) }
    var inside = place
    inside.scope = bodies[element.span] ?? place.scope
    for item in element.items { read(item, inside) }
  }

  private mutating func read(_ item: Item, _ place: Place) {
    switch item {
    case .letDecl(let it): read(it.value, in: place.scope, as: role(it.type))
    case .property(let it): read(it, place)
    case .element(let it): read(it, place)
    case .segment(let it):
      for argument in it.arguments { read(argument.value, in: place.scope) }
    case .forItem(let it):
      read(it.list, in: place.scope)
      read(it.items, in: it.variable.span, place)
    case .ifItem(let it):
      read(it.condition, in: place.scope)
      for (span, branch) in it.branches { read(branch, in: span, place) }
    }
  }

  /// Records the items of a loop or a branch.
  private mutating func read(_ items: [Item], in body: SourceSpan, _ place: Place) {
    var inside = place
    inside.scope = bodies[body] ?? place.scope
    for item in items { read(item, inside) }
  }

  private mutating func read(_ property: PropertySyntax, _ place: Place) {
    let parameter = place.callee.map {
      NameIndex.Parameter(callee: $0, place: .name(property.name.text))
    }
    let role = Role(parameter: parameter)
    if let definition = place.definition {
      if let symbol = self.parameter(property.name.text, of: definition) {
        use(property.name, .symbol(symbol))
        read(property.value, in: place.scope, as: role)
        return
      }
    } else if let callee = place.callee {
      use(property.name, .parameter(of: callee))
    }
    guard let known = Property.named(property.name.text) else {
      read(property.value, in: place.scope, as: role)
      return
    }
    switch known {
    case .enter, .exit: read(property.value, in: place.scope, defining: .effect)
    case .transition: read(property.value, in: place.scope, defining: .transition)
    default:
      let use = place.kind.flatMap(known.declaration.use) ?? known.declaration.uses[0]
      read(
        property.value, in: place.scope,
        as: Role(words: Words.accepted(by: use.type), parameter: parameter))
    }
  }

  private mutating func read(_ element: ElementSyntax, _ place: Place) {
    var inside = place
    (inside.kind, inside.definition, inside.callee) = (nil, nil, nil)
    if element.kind.count == 1 {
      inside.kind = builtInKind(of: element)
      if let kind = inside.kind, givesWay(kind, place) { inside.kind = nil }
      if inside.kind == nil {
        inside.definition = use(element.kind[0], in: place.scope)
        inside.callee = element.kind[0].span
      }
    } else if let file = element.kind.first, let name = element.kind.last {
      if let known = use(file, in: place.scope) {
        use(name, .imported(known))
        inside.callee = name.span
      }
    }
    read(bodyOf: element, inside)
  }

  /// Returns whether `part` or `step` is the name of a component or scene here, as in
  /// `Checker.givesWay`.
  private func givesWay(_ kind: ElementKind, _ place: Place) -> Bool {
    guard kind == .part || kind == .step, place.kind?.mayHold(kind) != true,
      let symbol = lookUp(kind.rawValue, in: place.scope, only: nil)?.symbol
    else { return false }
    return [.component, .scene].contains(self.kind(of: symbol))
  }

  // MARK: Uses

  mutating func use(
    _ name: Name, _ meaning: NameIndex.Meaning, for parameter: NameIndex.Parameter? = nil
  ) {
    uses.append(
      NameIndex.Use(span: name.span, name: name.text, meaning: meaning, parameter: parameter))
  }

  /// Records a name and returns its symbol: the innermost symbol of the expected kind. If there is
  /// none and the prelude has none either, returns the innermost symbol of any kind.
  @discardableResult
  mutating func use(
    _ name: Name, in scope: Int, only kind: Symbol.Kind? = nil,
    for parameter: NameIndex.Parameter? = nil
  ) -> Int? {
    var binding = lookUp(name.text, in: scope, only: kind)
    if binding == nil, !preludeNames.contains(name.text) {
      binding = lookUp(name.text, in: scope, only: nil)
    }
    switch binding {
    case .symbol(let symbol)?: use(name, .symbol(symbol), for: parameter)
    case .builtIn?: use(name, .builtIn)
    case nil: use(name, .free(kind), for: parameter)
    }
    return binding?.symbol
  }

  func lookUp(_ name: String, in scope: Int, only wanted: Symbol.Kind?) -> Binding? {
    var next: Int? = scope
    while let index = next {
      switch scopes[index].names[name] {
      case .builtIn?: return .builtIn
      case .symbol(let symbol)? where wanted == nil || wanted == kind(of: symbol):
        return .symbol(symbol)
      default: next = scopes[index].parent
      }
    }
    return nil
  }

  /// Returns the meaning of an element's member: a parameter of its component, or a child.
  func member(_ name: String, of element: Int) -> Int? {
    if let kind = kinds[element] {
      return lookUp(kind.name, in: kind.scope, only: nil)?.symbol
        .flatMap { parameter(name, of: $0) }
    }
    return children[element]?[name]
  }
}

extension IfSyntax {
  /// The branches in the source text, each with its span.
  fileprivate var branches: [(SourceSpan, [Item])] { Array(zip(bodies, [items, otherwise])) }
}
