// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

/// The names of one body, with an enclosing scope.
final class Scope {
  enum Binding {
    /// A name whose type is computed when it is first used.
    case value(LazyType)
    case element(ElementType)
    /// The elements of a loop.
    case elements(ElementType)
    case function(Function)
    /// A parameter that is a function with a result type.
    case functionParameter(Type)
    case definition(Definition)
    case scene(ElementSyntax)
    case file(FileTypes?)
    /// A name that is declared twice or in an item with an error.
    case error
  }

  /// The declaration of a name, for the table of names.
  enum Symbol {
    case symbol(Int)
    /// A built-in name, such as `index` in `each`.
    case word
  }

  let parent: Scope?
  /// The element whose body is the scope, for suggestions.
  let owner: ElementSyntax?
  /// The source in which the names are visible; `nil` for a scope that declares none.
  let span: SourceSpan?
  private(set) var names: [Identifier: Binding] = [:]
  /// The declarations of the names. Names from other files have none.
  private(set) var symbols: [Identifier: Symbol] = [:]

  init(parent: Scope?, owner: ElementSyntax? = nil, span: SourceSpan? = nil) {
    self.parent = parent
    self.owner = owner
    self.span = span
  }

  /// All visible names, for suggestions.
  var visibleNames: [String] {
    sequence(first: self, next: \.parent).flatMap { $0.names.keys.map(\.text) }
  }

  /// Binds a name. If the scope already contains the name, the binding is replaced, but the first
  /// symbol is kept.
  func bind(_ name: Identifier, _ binding: Binding, as symbol: Symbol?) {
    names[name] = binding
    if symbols[name] == nil { symbols[name] = symbol }
  }

  /// Binds a name unless the scope already contains it.
  func add(_ name: Identifier, _ binding: Binding, as symbol: Symbol?) {
    if names[name] == nil { bind(name, binding, as: symbol) }
  }

  func removeAll() { (names, symbols) = ([:], [:]) }

  func lookup(_ name: Identifier) -> Binding? {
    var scope: Scope? = self
    while let it = scope {
      if let found = it.names[name] { return found }
      scope = it.parent
    }
    return nil
  }

  /// Returns the innermost function with a name, which other declarations do not shadow, and its
  /// symbol unless it is in another file. Returns `nil` if there is none.
  func function(_ name: Identifier) -> (Binding, Symbol?)? {
    var scope: Scope? = self
    while let it = scope {
      switch it.names[name] {
      case .function(let found)?: return (.function(found), it.symbols[name])
      case .functionParameter(let type)?: return (.functionParameter(type), it.symbols[name])
      default: scope = it.parent
      }
    }
    return nil
  }

  /// Returns the innermost declaration of a name, or `nil` if it is in another file or unknown.
  func symbol(_ name: Identifier) -> Symbol? {
    var scope: Scope? = self
    while let it = scope {
      if it.names[name] != nil { return it.symbols[name] }
      scope = it.parent
    }
    return nil
  }

  /// Returns the innermost definition of a kind, which other declarations do not shadow; `nil` if
  /// there is none.
  func definition(_ name: Identifier, _ kind: DefinitionSyntax.Kind) -> Definition? {
    var scope: Scope? = self
    while let it = scope {
      if case .definition(let found)? = it.names[name], found.syntax.kind == kind { return found }
      scope = it.parent
    }
    return nil
  }
}

/// A type that is computed once, when it is first requested.
final class LazyType {
  private enum State {
    case waiting(() -> Type)
    case running
    case done(Type)
  }

  private var state: State
  /// Whether the value is the variable of a loop over numbers, which is constant over time.
  let isRound: Bool

  init(isRound: Bool = false, _ compute: @escaping () -> Type) {
    state = .waiting(compute)
    self.isRound = isRound
  }

  init(_ type: Type, isRound: Bool = false) {
    state = .done(type)
    self.isRound = isRound
  }

  /// The type; unknown for a type that depends on itself, since evaluation reports the cycle.
  var type: Type {
    switch state {
    case .done(let type): return type
    case .running: return .unknown
    case .waiting(let compute):
      state = .running
      let type = compute()
      state = .done(type)
      return type
    }
  }
}

/// A function of a file.
final class Function {
  let syntax: FunctionSyntax
  let home: Scope
  /// The declarations of the parameters.
  let parameters: [Identifier: Scope.Symbol]
  /// The type of the result for arguments of the declared types.
  let result: LazyType

  init(
    _ syntax: FunctionSyntax, home: Scope, parameters: [Identifier: Scope.Symbol], result: LazyType
  ) {
    self.syntax = syntax
    self.home = home
    self.parameters = parameters
    self.result = result
  }
}

/// A component, style, effect or transition of a file.
final class Definition {
  let syntax: DefinitionSyntax
  let home: Scope
  /// The scope of the body, with the parameters.
  let scope: Scope
  /// The declarations of the parameters.
  let parameters: [Identifier: Scope.Symbol]
  let symbol: Int?
  /// The index of the body of a component, for its members.
  let body: Int

  init(
    _ syntax: DefinitionSyntax, home: Scope, scope: Scope, symbol: Int?,
    parameters: [Identifier: Scope.Symbol], body: Int
  ) {
    self.syntax = syntax
    self.home = home
    self.scope = scope
    self.symbol = symbol
    self.parameters = parameters
    self.body = body
  }
}

/// The names of a file.
final class FileTypes {
  let path: String
  /// The names of the file, in a scope of imported names.
  let scope: Scope
  let declarations: [Declaration]
  /// The functions and definitions, including those whose names are declared twice.
  var functions: [Function] = []
  var definitions: [Definition] = []
  /// Whether an import is missing, so that names may be unknown.
  var isIncomplete = false
  /// The components that replace element kinds in the file.
  var replaced: [ElementKind: Definition] = [:]

  init(path: String, scope: Scope, declarations: [Declaration]) {
    self.path = path
    self.scope = scope
    self.declarations = declarations
  }

  /// Returns the binding of a name that other files can use; `nil` for private and unknown names.
  func publicName(_ name: Identifier) -> Scope.Binding? {
    guard !name.text.hasPrefix("_") else { return nil }
    if case .file? = scope.names[name] { return nil }
    return scope.names[name]
  }
}

/// The members of an element that its body determines.
struct Body {
  /// The names in the body; for a component, none of them are members.
  let scope: Scope
  /// The component whose parameters are members.
  let definition: Definition?
  /// The element in the source; `nil` for a component.
  var syntax: ElementSyntax?
}
