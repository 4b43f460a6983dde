// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneSyntax
import SceneText

/// A parameter of a component's use that a `change` may animate.
final class ChangeableParameter {
  let name: Name
  /// The name of the component.
  let component: String
  /// The changes of the parameter, in document order.
  var changes: [ElementNode] = []
  /// The reads that require a constant value. They are errors if a `change of` the parameter is
  /// found later.
  var constantReads: [ConstantRead] = []

  init(name: Name, component: String) {
    self.name = name
    self.component = component
  }
}

/// A read of a parameter that requires a constant value.
struct ConstantRead {
  /// The reader, such as "the range of 'for'".
  let reader: String
  /// A complete sentence, such as "'copies' must be constant".
  let reason: String
  let span: SourceSpan
}

/// A read that determines the number of elements, which is checked as soon as all changes are
/// known.
struct PendingRead {
  let parameters: [ChangeableParameter]
  let read: ConstantRead
  /// Returns whether the value is constant after all.
  let isConstant: () -> Bool
}

/// Records which values depend on parameters that changes may animate.
///
/// Elements are created before all changes are known. The number of elements therefore follows from
/// the initial values of parameters, and each such read is recorded. It is an error if a change
/// animates the parameter. Other reads apply the changes.
final class ParameterReads {
  /// The parameters that the changes of the program name. Empty if it changes no parameter.
  let names: Set<Identifier>
  /// The reads of each value in progress, innermost last.
  private var frames: [Frame] = []
  /// The parameters that the value of a name depends on, by the span of the name.
  private var places: [SourceSpan: [ChangeableParameter]] = [:]
  /// Whether parameters have their initial values, to determine the number of elements.
  private(set) var isStructural = false
  /// Whether changing texts are evaluated to all their versions, without their times.
  private(set) var isTimeless = false
  /// The reads that determine the number of elements and are not yet checked.
  var pending: [PendingRead] = []
  /// The outermost name in an expression in progress that must be constant, or `nil`.
  var constantOrigin: SourceSpan?

  /// The reads of a value in progress.
  private struct Frame {
    /// The number of steps in progress at the start, apart from values of names.
    let steps: Int
    var parameters: [ChangeableParameter] = []
    /// Whether a parameter was read through a property of an element.
    var isIndirect = false
  }

  init(names: Set<Identifier>) { self.names = names }

  /// Whether any parameter changes. Otherwise, no reads are recorded.
  var isActive: Bool { !names.isEmpty }

  func mayChange(_ name: Name) -> Bool { names.contains(name.identifier) }

  // MARK: Dependencies

  /// Evaluates the value of a name and records the parameters that it depends on.
  ///
  /// - Parameter steps: The number of steps in progress, apart from values of names.
  func recording(_ binding: LetBinding, inside steps: Int, _ body: () -> Value) -> Value {
    frames.append(Frame(steps: steps))
    let value = body()
    let frame = frames.removeLast()
    for it in frame.parameters where !binding.roots.contains(where: { $0 === it }) {
      binding.roots.append(it)
    }
    if frame.isIndirect { binding.isIndirect = true }
    return value
  }

  /// Records a use of a name.
  func note(_ binding: LetBinding, at span: SourceSpan, inside steps: Int) {
    let roots = binding.parameter.map { binding.roots + [$0] } ?? binding.roots
    guard !roots.isEmpty else { return }
    places[span] = roots
    guard let last = frames.indices.last else { return }
    frames[last].parameters += roots
    if binding.isIndirect || steps > frames[last].steps { frames[last].isIndirect = true }
  }

  /// Returns the changed parameter that an expression at a span reads, or that an argument of an
  /// enclosing call reads; `nil` if there is none. `calls` are the calls of functions in progress,
  /// innermost last.
  func changedParameter(at span: SourceSpan, inside calls: [SourceSpan]) -> ChangeableParameter? {
    for around in [span] + calls.reversed() {
      let inside = places.filter {
        $0.key.file == around.file && around.start <= $0.key.start && $0.key.end <= around.end
      }
      for (_, roots) in inside.sorted(by: { $0.key.start < $1.key.start }) {
        if let changed = roots.first(where: { !$0.changes.isEmpty }) { return changed }
      }
    }
    return nil
  }

  // MARK: Structure

  /// The result of a structural evaluation.
  struct Structure<T> {
    let value: T
    /// The parameters that were read.
    let parameters: [ChangeableParameter]
    /// Whether a parameter was read through a property of an element.
    let isIndirect: Bool
  }

  /// Evaluates changing texts to all their versions, without the times of their changes, so that a
  /// duration can depend on the versions of a text that changes after it. Only names may be
  /// evaluated in this way: properties of elements are evaluated once, for all readers.
  func timeless<T>(if isName: Bool, _ evaluate: () -> T) -> T {
    let outer = isTimeless
    isTimeless = isName
    defer { isTimeless = outer }
    return evaluate()
  }

  /// Evaluates an expression with the initial values of parameters.
  func structurally<T>(inside steps: Int, _ body: () -> T) -> Structure<T> {
    let outer = isStructural
    isStructural = true
    frames.append(Frame(steps: steps))
    let value = body()
    let frame = frames.removeLast()
    isStructural = outer
    return Structure(value: value, parameters: frame.parameters, isIndirect: frame.isIndirect)
  }
}

extension Module {
  /// Returns the names that the changes of a body set, without those of timing.
  static func namesOfChanges(in items: [Item]) -> Set<Identifier> {
    var names: Set<Identifier> = []
    func visit(_ items: [Item], isChange: Bool) {
      for item in items {
        switch item {
        case .property(let it): if isChange { names.insert(it.name.identifier) }
        case .element(let it): visit(it.items, isChange: it.kindText == "change")
        case .forItem(let it): visit(it.items, isChange: isChange)
        case .ifItem(let it): visit(it.items + it.otherwise, isChange: isChange)
        case .letDecl, .segment, .expectation: break
        }
      }
    }
    visit(items, isChange: false)
    return names
  }
}
