// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

/// The degree to which a value is independent of its context, in descending order.
enum Fixity: Int, Comparable {
  /// The value is the same for all elements and times.
  case everywhere
  /// The value is the same in each scene, whose seed or tempo it depends on.
  case inScene
  /// The value may depend on the element, the time, or a parameter that changes.
  case none

  static func < (a: Fixity, b: Fixity) -> Bool { a.rawValue < b.rawValue }
}

/// The search for anything in an expression that makes its value depend on the element or the time.
///
/// The search visits all expressions that the evaluation may reach: names, bodies of functions and
/// default arguments. It accepts only expressions that it understands. Each expression is visited
/// once and counts as a step. Chains of names do not use the stack.
struct FixitySearch {
  /// A node whose visit has not ended.
  private struct Visit {
    let node: FixityNode
    var fixity: Fixity
    /// The nodes that it refers to and that are not yet visited.
    var open: [FixityNode]
    /// The index of the outermost visit that the node leads back to, or its own one.
    var lowest: Int
  }

  private enum State {
    case open(index: Int)
    /// The node belongs to a cycle that begins at an open visit.
    case inCycle(start: Int)
    case done(Fixity)
  }

  private let checker: Checker
  private var visits: [Visit] = []
  private var states: [FixityNode.ID: State] = [:]
  private var inCycles: [FixityNode] = []

  /// Returns the fixity of a binding, which is cached in it.
  static func fixity(of binding: LetBinding, in scope: Scope, _ checker: Checker) -> Fixity {
    if let known = binding.fixity { return known }
    var search = FixitySearch(checker: checker)
    return search.fixity(of: .name(binding, scope))
  }

  private init(checker: Checker) { self.checker = checker }

  /// Visits all nodes that a node leads to, depth first. The nodes of a cycle are its strongly
  /// connected component (Tarjan 1972) and have the same fixity.
  private mutating func fixity(of root: FixityNode) -> Fixity {
    begin(root)
    var result = Fixity.none
    while var visit = visits.popLast() {
      let index = visits.count
      guard visit.fixity != .none, let next = visit.open.popLast() else {
        end(visit, at: index)
        result = visit.fixity
        continue
      }
      switch state(of: next) {
      case .done(let fixity)?: visit.fixity = max(visit.fixity, fixity)
      case .open(let start)?, .inCycle(let start)?: visit.lowest = min(visit.lowest, start)
      case nil:
        visits.append(visit)
        begin(next)
        continue
      }
      visits.append(visit)
    }
    return result
  }

  private func state(of node: FixityNode) -> State? {
    if case .name(let binding, _) = node, let known = binding.fixity { return .done(known) }
    return states[node.id]
  }

  private mutating func begin(_ node: FixityNode) {
    let reads = FixityReads(of: node, checker)
    states[node.id] = .open(index: visits.count)
    visits.append(
      Visit(node: node, fixity: reads.fixity, open: reads.nodes, lowest: visits.count))
  }

  private mutating func end(_ visit: Visit, at index: Int) {
    if let last = visits.indices.last {
      visits[last].fixity = max(visits[last].fixity, visit.fixity)
      visits[last].lowest = min(visits[last].lowest, visit.lowest)
    }
    if visit.lowest < index, visit.fixity != .none {
      states[visit.node.id] = .inCycle(start: visit.lowest)
      inCycles.append(visit.node)
      return
    }
    set(visit.fixity, of: visit.node)
    while let node = inCycles.last, case .inCycle(let start)? = states[node.id], start >= index {
      set(visit.fixity, of: node)
      inCycles.removeLast()
    }
  }

  private mutating func set(_ fixity: Fixity, of node: FixityNode) {
    states[node.id] = .done(fixity)
    if case .name(let binding, _) = node { binding.fixity = fixity }
  }
}

/// A name or a function whose value other values depend on.
private enum FixityNode: Identifiable {
  case name(LetBinding, Scope)
  case function(FunctionSyntax, Scope)

  enum ID: Hashable {
    case name(ObjectIdentifier)
    case function(SourceSpan)
  }

  var id: ID {
    switch self {
    case .name(let binding, _): .name(ObjectIdentifier(binding))
    case .function(let function, _): .function(function.name.span)
    }
  }
}

/// The nodes to which the expressions of one node refer.
private struct FixityReads {
  /// The fixity of the expressions, without that of the nodes.
  private(set) var fixity = Fixity.everywhere
  private(set) var nodes: [FixityNode] = []
  private let checker: Checker

  init(of node: FixityNode, _ checker: Checker) {
    self.checker = checker
    switch node {
    case .name(let binding, let scope):
      if binding.item != nil || binding.parameter != nil {
        fixity = .none
      } else {
        visit(binding.value, in: binding.home ?? scope, [])
      }
    case .function(let function, let scope): visit(function, in: scope, [])
    }
  }

  private mutating func lower(to other: Fixity) { fixity = max(fixity, other) }

  /// - Parameter locals: The names that loops and functions bind inside the expression.
  private mutating func visit(_ e: Expression, in scope: Scope, _ locals: Set<Identifier>) {
    guard fixity != .none, checker.spend(1, e.span) else { return lower(to: .none) }
    switch e.kind {
    case .number(_, .beat?): lower(to: .inScene)
    case .number, .size, .color, .bool, .none: break
    case .text(let parts): for case .value(let e) in parts { visit(e, in: scope, locals) }
    case .reference(let name): if !locals.contains(name) { visit(name, in: scope) }
    case .member(let base, let name):
      guard case .reference(let file) = base.kind, !locals.contains(file),
        case .module(let module)? = scope.lookup(file)?.0
      else { return visit(base, in: scope, locals) }
      visit(module.scope.bindings[name], in: module.scope)
    case .call(let callee, let arguments):
      visit(callee: callee, in: scope, locals)
      for argument in arguments { visit(argument: argument.value, in: scope, locals) }
    case .unary(_, let a): visit(a, in: scope, locals)
    case .binary(_, let a, let b), .range(let a, let b), .pair(let a, let b), .index(let a, let b):
      visit([a, b], in: scope, locals)
    case .conditional(let a, let b, let c): visit([a, b, c], in: scope, locals)
    case .record(let fields): for field in fields { visit(field.value, in: scope, locals) }
    case .list(let items): visit(items, in: scope, locals)
    case .comprehension(let it):
      var inner = locals
      inner.insert(it.variable.identifier)
      if let index = it.index { inner.insert(index.identifier) }
      visit(it.list, in: scope, locals)
      visit(it.value, in: scope, inner)
      if let condition = it.condition { visit(condition, in: scope, inner) }
    case .tween, .timed, .keyframes, .lambda, .error: lower(to: .none)
    }
  }

  private mutating func visit(
    _ parts: [Expression], in scope: Scope, _ locals: Set<Identifier>
  ) {
    for part in parts { visit(part, in: scope, locals) }
  }

  private mutating func visit(_ name: Identifier, in scope: Scope) {
    if let (binding, home) = scope.lookup(name) { return visit(binding, in: home) }
    switch KnownName.all[name] {
    case .number, .color, .easing: break
    case .word, .origin, .point, .ink, nil: lower(to: .none)
    }
  }

  private mutating func visit(_ binding: Scope.Binding?, in home: Scope) {
    switch binding {
    case .expression(let it): nodes.append(.name(it, home))
    case .value(let value, _): if !value.isData { lower(to: .none) }
    case .function(let function, let home): nodes.append(.function(function, home))
    case .builtIn(let it): visit(it)
    case .element, .elements, .ambiguous, .definition, .scene, .module, .spoken, nil:
      lower(to: .none)
    }
  }

  // MARK: Functions

  private mutating func visit(
    callee: Expression, in scope: Scope, _ locals: Set<Identifier>
  ) {
    guard case .reference(let name) = callee.kind else { return visit(callee, in: scope, locals) }
    // A function that is an argument was visited as an argument.
    if locals.contains(name) { return }
    if let function = scope.function(name) { return visit(function, in: scope) }
    visit(BuiltIn.all[name])
  }

  private mutating func visit(
    argument: Expression, in scope: Scope, _ locals: Set<Identifier>
  ) {
    if case .lambda(let function) = argument.kind { return visit(function, in: scope, locals) }
    if case .reference(let name) = argument.kind, !locals.contains(name),
      scope.lookup(name) == nil, let builtIn = BuiltIn.all[name]
    {
      return visit(builtIn)
    }
    visit(argument, in: scope, locals)
  }

  private mutating func visit(
    _ function: FunctionSyntax, in scope: Scope, _ locals: Set<Identifier>
  ) {
    guard function.pixels == nil, let body = function.value else { return lower(to: .none) }
    let inner = locals.union(function.parameters.map(\.name.identifier))
    visit(body, in: scope, inner)
    for case let value? in function.parameters.map(\.value) {
      visit(argument: value, in: scope, inner)
    }
  }

  private mutating func visit(_ function: BuiltIn?) {
    switch function?.reads {
    case .nothing: break
    case .seed: lower(to: .inScene)
    case .context, nil: lower(to: .none)
    }
  }
}

extension Value {
  /// Whether the value consists of constants and refers to no element.
  fileprivate var isData: Bool {
    switch self {
    case .quantity, .percent, .length, .bool, .color, .text, .easing, .word, .cell, .none,
      .emptySum:
      isConstant
    case .pair(let a, let b), .range(let a, let b): a.isData && b.isData
    case .list(let items): items.allSatisfy(\.isData)
    case .record(let fields): fields.allSatisfy { $0.1.isData }
    case .path: isConstant
    case .gradient, .pattern, .brush, .pixels, .filter, .shadow, .stop, .element, .box, .poison:
      false
    }
  }
}
