// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

/// How far a value is independent of its context.
enum Fixity {
  /// The value is the same for all elements and times.
  case everywhere
  /// The value is the same in each scene, whose seed or tempo it depends on.
  case inScene
  /// The value may depend on the element, the time, or a parameter that changes.
  case none
}

/// The search for anything in an expression that makes its value depend on the element or the time.
///
/// The search visits all expressions that the evaluation may reach: names, bodies of functions and
/// default arguments. It accepts only expressions that it understands. A name or function is
/// visited once, so recursion ends.
struct FixitySearch {
  private var visited: [LetBinding] = []
  private var functions: Set<SourceSpan> = []
  private var isInScene = false

  /// Returns the fixity of a binding, which is cached in it.
  static func fixity(of binding: LetBinding, in scope: Scope) -> Fixity {
    if let known = binding.fixity { return known }
    var search = FixitySearch()
    let isFixed = search.isFixed(binding, in: scope)
    let fixity: Fixity = !isFixed ? .none : search.isInScene ? .inScene : .everywhere
    binding.fixity = fixity
    if isFixed, !search.isInScene { for it in search.visited { it.fixity = .everywhere } }
    return fixity
  }

  private mutating func isFixed(_ binding: LetBinding, in scope: Scope) -> Bool {
    if let known = binding.fixity {
      if known == .inScene { isInScene = true }
      return known != .none
    }
    if visited.contains(where: { $0 === binding }) { return true }
    visited.append(binding)
    guard binding.item == nil, binding.parameter == nil,
      isFixed(binding.value, in: binding.home ?? scope, [])
    else {
      binding.fixity = Fixity.none
      return false
    }
    return true
  }

  /// - Parameter locals: The names that loops and functions bind inside the expression.
  private mutating func isFixed(_ e: Expression, in scope: Scope, _ locals: Set<Identifier>) -> Bool
  {
    switch e.kind {
    case .number(_, .beat?):
      isInScene = true
      return true
    case .number, .size, .color, .bool, .none: return true
    case .text(let parts):
      for case .value(let e) in parts where !isFixed(e, in: scope, locals) { return false }
      return true
    case .reference(let name): return locals.contains(name) || isFixed(name, in: scope)
    case .member(let base, let name):
      guard case .reference(let file) = base.kind, !locals.contains(file),
        case .module(let module)? = scope.lookup(file)?.0
      else { return isFixed(base, in: scope, locals) }
      return module.scope.bindings[name].map { isFixed($0, in: module.scope) } ?? false
    case .call(let callee, let arguments):
      return isFixed(callee: callee, in: scope, locals)
        && arguments.allSatisfy { isFixed(argument: $0.value, in: scope, locals) }
    case .unary(_, let a): return isFixed(a, in: scope, locals)
    case .binary(_, let a, let b), .range(let a, let b), .pair(let a, let b), .index(let a, let b):
      return isFixed(a, in: scope, locals) && isFixed(b, in: scope, locals)
    case .conditional(let a, let b, let c):
      return [a, b, c].allSatisfy { isFixed($0, in: scope, locals) }
    case .record(let fields): return fields.allSatisfy { isFixed($0.value, in: scope, locals) }
    case .list(let items): return items.allSatisfy { isFixed($0, in: scope, locals) }
    case .comprehension(let it):
      var inner = locals
      inner.insert(it.variable.identifier)
      if let index = it.index { inner.insert(index.identifier) }
      return isFixed(it.list, in: scope, locals) && isFixed(it.value, in: scope, inner)
        && (it.condition.map { isFixed($0, in: scope, inner) } ?? true)
    case .tween, .timed, .keyframes, .lambda, .error: return false
    }
  }

  private mutating func isFixed(_ name: Identifier, in scope: Scope) -> Bool {
    if let (binding, home) = scope.lookup(name) { return isFixed(binding, in: home) }
    switch KnownName.all[name] {
    case .number, .color, .easing: return true
    case .word, .origin, .point, .ink, nil: return false
    }
  }

  private mutating func isFixed(_ binding: Scope.Binding, in home: Scope) -> Bool {
    switch binding {
    case .expression(let it): isFixed(it, in: home)
    case .value(let value, _): value.isData
    case .function(let function, let home): isFixed(function, in: home, [])
    case .builtIn(let it): isFixed(it)
    case .element, .elements, .ambiguous, .definition, .scene, .module, .spoken: false
    }
  }

  // MARK: Functions

  private mutating func isFixed(
    callee: Expression, in scope: Scope, _ locals: Set<Identifier>
  ) -> Bool {
    guard case .reference(let name) = callee.kind else {
      return isFixed(callee, in: scope, locals)
    }
    // A function that is an argument was visited as an argument.
    if locals.contains(name) { return true }
    if let function = scope.function(name) { return isFixed(function, in: scope) }
    return BuiltIn.all[name].map { isFixed($0) } ?? false
  }

  private mutating func isFixed(
    argument: Expression, in scope: Scope, _ locals: Set<Identifier>
  ) -> Bool {
    if case .lambda(let function) = argument.kind { return isFixed(function, in: scope, locals) }
    if case .reference(let name) = argument.kind, !locals.contains(name),
      scope.lookup(name) == nil, let builtIn = BuiltIn.all[name]
    {
      return isFixed(builtIn)
    }
    return isFixed(argument, in: scope, locals)
  }

  private mutating func isFixed(
    _ function: FunctionSyntax, in scope: Scope, _ locals: Set<Identifier>
  ) -> Bool {
    guard function.pixels == nil, let body = function.value else { return false }
    if locals.isEmpty, !functions.insert(function.name.span).inserted { return true }
    let inner = locals.union(function.parameters.map(\.name.identifier))
    let defaults = function.parameters.compactMap(\.value)
    return isFixed(body, in: scope, inner)
      && defaults.allSatisfy { isFixed(argument: $0, in: scope, inner) }
  }

  private mutating func isFixed(_ function: BuiltIn) -> Bool {
    if function.readsSeed { isInScene = true }
    return function.isPure || function.readsSeed
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

extension BuiltIn {
  /// Whether the result depends only on the arguments.
  fileprivate var isPure: Bool { BuiltIn.pureNames.contains(name) }
  /// Whether the result depends on the arguments and the seed of the scene.
  fileprivate var readsSeed: Bool { ["random", "noise"].contains(name) }

  private static let pureNames: Set<String> = {
    let functions = numbers + angles + lists + texts + easings + paths
    let colors = ["rgb", "hsl", "oklch", "lighten", "darken", "alpha"]
    return Set(functions.filter { !$0.moves }.map(\.name) + colors)
  }()
}
