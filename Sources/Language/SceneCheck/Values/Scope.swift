// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneText

/// A set of names with an enclosing scope.
class Scope {
  enum Binding {
    case expression(LetBinding)
    case value(Value, SourceSpan)
    case element(ElementNode)
    case elements([ElementNode])
    /// A name of two elements that both remain after their steps.
    case ambiguous(SourceSpan, SourceSpan)
    case function(FunctionSyntax, Scope)
    /// A built-in function that is passed as an argument.
    case builtIn(BuiltIn)
    case definition(DefinitionSyntax, Scope)
    case scene(ElementSyntax, Scope)
    case module(Module)
    /// The interval in ticks, on the clock of the text, in which a word of a caption is spoken;
    /// `nil` without word timestamps. The span is that of the `each`.
    case spoken(ClosedRange<Int64>?, SourceSpan)

    /// The span of the name in its declaration, if known.
    var nameSpan: SourceSpan? {
      switch self {
      case .expression(let it): it.name.span
      case .value(let value, let span): value.isPoison ? nil : span
      case .spoken(_, let span): span
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
  private let fixedOwner: ElementNode?
  private(set) var bindings: NameTable<Binding>
  /// A bloom filter of the names, since most lookups in a scope fail.
  private var filter: UInt64 = 0
  /// Whether the scope contains the declarations of a file.
  var isFile = false
  /// Names that the scope exports from its steps.
  var exported: Set<Identifier> = []

  /// Creates a scope with a capacity, if the number of names is known.
  init(parent: Scope?, owner: ElementNode?, room: Int = 0) {
    self.parent = parent
    fixedOwner = owner
    bindings = NameTable(room: room)
  }

  /// The element whose body is the scope, or `nil` if the clock is that of the use.
  var owner: ElementNode? { fixedOwner }

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

  /// Returns the innermost function with a name, which other declarations do not shadow; `nil` if
  /// there is none.
  func function(_ name: Identifier) -> Binding? {
    if filter & name.bit != 0, let found = bindings[name] {
      switch found {
      case .function, .builtIn: return found
      default: break
      }
    }
    return parent?.function(name)
  }

  /// All visible names, for suggestions.
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

/// A `let` or `param`. It is evaluated lazily, once for each clock, or only once if it depends on
/// no clock (`FixitySearch`).
final class LetBinding {
  let name: Name
  let type: TypeSyntax?
  let value: Expression
  let id: Int
  /// The scope in which names are resolved, if it differs. The scope of an argument is that of the
  /// call.
  let home: Scope?
  var known: [Key: Value] = [:]
  /// The diagnostics of failed evaluations whose diagnostics may have been discarded; see
  /// `Reports.trying`.
  var failures: [Key: [Diagnostic]] = [:]
  /// The first key of `known` in each scene, for values that are the same for all keys.
  var first: [Int: Key] = [:]
  /// Whether the value is the same for all elements and times, if known.
  var fixity: Fixity?
  /// The list and the index of the item of a loop variable, if the items change over time.
  var item: (list: LetBinding, index: Int)?
  /// The parameter of a component's use, if a `change` may animate it.
  var parameter: ChangeableParameter?
  /// The changeable parameters that the value depends on.
  var roots: [ChangeableParameter] = []
  /// Whether the value depends on one of them through a property of an element.
  var isIndirect = false

  struct Key: Hashable {
    let owner: Int
    let now: Scalar
    let isConstant: Bool
    let pathUse: PathUse?
    /// Whether parameters have their initial values.
    let isInitial: Bool
    /// Whether a text stands for all its versions.
    let isTimeless: Bool
  }

  init(name: Name, type: TypeSyntax?, value: Expression, id: Int, home: Scope? = nil) {
    self.home = home
    self.name = name
    self.type = type
    self.value = value
    self.id = id
  }
}

/// The scope of a body. Its element is set after its creation.
final class OwnerScope: Scope {
  /// A strong reference, broken by `dismantle`: weak references increase the time of a check by a
  /// tenth.
  var instance: ElementNode?

  init(parent: Scope) { super.init(parent: parent, owner: nil) }

  override var owner: ElementNode? { instance }

  override func removeAll() {
    super.removeAll()
    instance = nil
  }
}
