// SPDX-License-Identifier: MIT
import SceneModel
import SceneSyntax
import SceneText

/// Names that are visible together, in the scope of those around them.
class Scope {
  enum Binding {
    case expression(LetBinding)
    case value(Value, SourceSpan)
    case element(Instance)
    case elements([Instance])
    /// Two elements that stay after their steps have the name.
    case ambiguous(SourceSpan, SourceSpan)
    case function(FunctionSyntax, Scope)
    /// A function of the language, given to a parameter.
    case builtIn(BuiltIn)
    case definition(DefinitionSyntax, Scope)
    case scene(ElementSyntax, Scope)
    case module(Module)

    /// Where the name is written, if that is known.
    var nameSpan: SourceSpan? {
      switch self {
      case .expression(let it): it.name.span
      case .value(let value, let span): value.isPoison ? nil : span
      case .element(let it): it.syntax.name?.span
      case .function(let it, _): it.name.span
      case .definition(let it, _): it.name.span
      case .scene(let it, _): it.name?.span
      case .ambiguous(let first, _): first
      case .elements, .module, .builtIn: nil
      }
    }
  }

  let parent: Scope?
  private let fixedOwner: Instance?
  private(set) var bindings: NameTable<Binding>
  /// A bit for each name that it has, by the hashes: most scopes do not have most names.
  private var filter: UInt64 = 0
  /// Whether it holds the names of a file.
  var isFile = false
  /// Names that it has from the steps in it.
  var exported: Set<Identifier> = []

  /// With room for some names, where it is known how many it gets.
  init(parent: Scope?, owner: Instance?, room: Int = 0) {
    self.parent = parent
    fixedOwner = owner
    bindings = NameTable(room: room)
  }

  /// The element in whose body it is written; `nil` where the clock is that of the use.
  var owner: Instance? { fixedOwner }

  func bind(_ name: Identifier, _ binding: Binding) {
    filter |= name.bit
    bindings.set(binding, for: name)
  }

  func bind(_ name: Name, _ binding: Binding) { bind(name.identifier, binding) }

  func removeAll() {
    filter = 0
    bindings = NameTable()
  }

  func lookup(_ name: Identifier) -> (Binding, Scope)? {
    if filter & name.bit != 0, let found = bindings[name] { return (found, self) }
    return parent?.lookup(name)
  }

  func lookup(_ name: Name) -> (Binding, Scope)? { lookup(name.identifier) }

  /// All names that are visible here, for suggestions.
  var visibleNames: [String] {
    var names: [String] = []
    var scope: Scope? = self
    while let it = scope {
      names += it.bindings.keys
      scope = it.parent
    }
    return names
  }
}

/// A `let` or `param`: computed when first used, once for each clock.
final class LetBinding {
  let name: Name
  let type: TypeSyntax?
  let value: Expression
  let id: Int
  /// Where its names are looked up, if not where it is bound: an argument belongs to its use.
  let home: Scope?
  var isUsed = false
  var known: [Key: Value] = [:]

  struct Key: Hashable {
    let owner: Int
    let now: Scalar
    let isConstant: Bool
  }

  init(name: Name, type: TypeSyntax?, value: Expression, id: Int, home: Scope? = nil) {
    self.home = home
    self.name = name
    self.type = type
    self.value = value
    self.id = id
  }
}

/// The scope of a body, which knows its element once that is made.
final class OwnerScope: Scope {
  /// Each holds the other until the element is dismantled: weak references cost a tenth of checking.
  var instance: Instance?

  init(parent: Scope) { super.init(parent: parent, owner: nil) }

  override var owner: Instance? { instance }

  override func removeAll() {
    super.removeAll()
    instance = nil
  }
}
