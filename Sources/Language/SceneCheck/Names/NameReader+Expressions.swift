// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText
import SceneTypes

extension NameReader {
  /// The use of a value, which determines the words that take precedence over names.
  struct Role {
    /// The words of the expected enumeration.
    var words: Set<String> = []
    /// The parameter that receives the value. Its words are known after all files are read.
    var parameter: NameIndex.Parameter?
  }

  /// Records the names in an expression. Returns the symbol that the whole expression denotes, or
  /// `nil`.
  @discardableResult
  mutating func read(_ e: Expression, in scope: Int, as role: Role = Role()) -> Int? {
    switch e.kind {
    case .number, .size, .color, .bool, .none, .error: break
    case .reference(let name):
      if role.words.contains(name.text) {
        use(Name(name, e.span), .builtIn)
      } else {
        return use(Name(name, e.span), in: scope, for: role.parameter)
      }
    case .member(let base, let name): return read(member: name, of: base, in: scope)
    case .text(let parts):
      for case .value(let value) in parts { read(value, in: scope) }
    case .index(let base, let index):
      let symbol = read(base, in: scope, as: role)
      read(index, in: scope)
      return symbol
    case .call(let callee, let arguments): read(callee, arguments, in: scope)
    case .unary(_, let operand): read(operand, in: scope)
    case .binary(_, let a, let b):
      read(a, in: scope)
      read(b, in: scope)
    case .range(let a, let b), .pair(let a, let b):
      read(a, in: scope, as: role)
      read(b, in: scope, as: role)
    case .conditional(let condition, let a, let b):
      read(condition, in: scope)
      read(a, in: scope, as: role)
      read(b, in: scope, as: role)
    case .tween(let first, let legs):
      read(first, in: scope, as: role)
      for leg in legs {
        read(leg.value, in: scope, as: role)
        read(leg.clauses, in: scope)
      }
    case .timed(let value, let clauses):
      read(value, in: scope, as: role)
      read(clauses, in: scope)
    case .record(let fields): for field in fields { read(field.value, in: scope, as: role) }
    case .list(let items): for item in items { read(item, in: scope, as: role) }
    case .comprehension(let it): read(it, in: scope, role)
    case .lambda(let it): read(it, in: scope, e.span)
    case .keyframes(let items): read(items, in: scope, role)
    }
    return nil
  }

  private mutating func read(member name: Name, of base: Expression, in scope: Int) -> Int? {
    guard let owner = read(base, in: scope) else { return nil }
    if kind(of: owner) == .file {
      use(name, .imported(owner))
      return nil
    }
    guard kind(of: owner) == .element, let member = member(name.text, of: owner) else { return nil }
    use(name, .symbol(member))
    return member
  }

  private mutating func read(_ callee: Expression, _ arguments: [Argument], in scope: Int) {
    let function = isBuiltIn(callee, in: scope) ? nil : read(callee, in: scope)
    let span = if case .member(_, let name) = callee.kind { name.span } else { callee.span }
    read(arguments, of: function, at: span, in: scope)
  }

  /// Returns whether a call denotes a built-in function although an element has its name, since
  /// elements cannot be called.
  private mutating func isBuiltIn(_ callee: Expression, in scope: Int) -> Bool {
    guard case .reference(let name) = callee.kind, BuiltIn.all[name] != nil,
      let symbol = lookUp(name.text, in: scope, only: nil)?.symbol, kind(of: symbol) == .element
    else { return false }
    use(Name(name, callee.span), .free(.function))
    return true
  }

  /// Records the arguments of a function or a definition. A callee without a symbol is declared in
  /// another file.
  private mutating func read(
    _ arguments: [Argument], of callee: Int?, at span: SourceSpan, in scope: Int
  ) {
    var position = 0
    for argument in arguments {
      if let name = argument.name {
        if let callee {
          if let known = parameter(name.text, of: callee) { use(name, .symbol(known)) }
        } else {
          use(name, .parameter(of: span))
        }
      }
      let place =
        argument.name.map { NameIndex.Parameter.Place.name($0.text) } ?? .position(position)
      if argument.name == nil { position += 1 }
      read(
        argument.value, in: scope,
        as: Role(parameter: NameIndex.Parameter(callee: span, place: place)))
    }
  }

  private mutating func read(_ clauses: [Clause], in scope: Int) {
    for clause in clauses {
      let words = clause.word.text == "with" ? Words.easings : []
      read(clause.value, in: scope, as: Role(words: words))
    }
  }

  /// Records effects or transitions. Other declarations do not shadow them.
  mutating func read(
    _ e: Expression, in scope: Int, defining kind: NameIndex.Symbol.Kind
  ) {
    switch e.kind {
    case .list(let items): for item in items { read(item, in: scope, defining: kind) }
    case .timed(let value, let clauses):
      read(value, in: scope, defining: kind)
      read(clauses, in: scope)
    case .reference(let name): use(Name(name, e.span), in: scope, only: kind)
    case .call(let callee, let arguments):
      guard case .reference(let name) = callee.kind else {
        read(e, in: scope)
        return
      }
      let definition = use(Name(name, callee.span), in: scope, only: kind)
      read(arguments, of: definition, at: callee.span, in: scope)
    default: read(e, in: scope)
    }
  }

  private mutating func read(_ it: Comprehension, in outer: Int, _ role: Role) {
    read(it.list, in: outer)
    let inner = scope(in: outer, it.variable.span.union(it.value.span))
    declare(.round, it.variable, nil, in: inner)
    declare(.round, it.index, nil, in: inner)
    if let condition = it.condition { read(condition, in: inner) }
    read(it.value, in: inner, as: role)
  }

  /// Records a lambda with its parameters.
  private mutating func read(_ it: FunctionSyntax, in outer: Int, _ span: SourceSpan) {
    let inner = scope(in: outer, span)
    for parameter in it.parameters {
      if let value = parameter.value { read(value, in: outer, as: role(parameter.type)) }
      declare(.round, parameter.name, nil, in: inner)
    }
    if let value = it.value { read(value, in: inner, as: role(it.result)) }
  }

  private mutating func read(_ keys: [KeyItem], in outer: Int, _ role: Role) {
    for key in keys {
      switch key {
      case .key(let time, let value, let clauses):
        read(time, in: outer)
        read(value, in: outer, as: role)
        read(clauses, in: outer)
      case .loop(let variable, let index, let list, let inside):
        read(list, in: outer)
        let inner = scope(in: outer, variable.span)
        declare(.round, variable, nil, in: inner)
        declare(.round, index, nil, in: inner)
        read(inside, in: inner, role)
      }
    }
  }
}
