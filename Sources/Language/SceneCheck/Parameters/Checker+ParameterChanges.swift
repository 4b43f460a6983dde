// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// `change { value: 0.8 }` in the body of a component's use, and `change of gauge { value: 0.8 }`:
// parameters that animate to a new value and retain it.
extension Checker {
  /// Returns the names of the parameters that changes in the program may animate.
  func namesOfChangedParameters() -> Set<Identifier> {
    var changed: Set<Identifier> = []
    var parameters: Set<Identifier> = []
    for declaration in files.modules.flatMap(\.declared) {
      switch declaration {
      case .scene(let it): changed.formUnion(Module.namesOfChanges(in: it.items))
      case .definition(let it):
        changed.formUnion(Module.namesOfChanges(in: it.items))
        if it.kind == .component { parameters.formUnion(it.parameters.map(\.name.identifier)) }
      case .importDecl, .param, .letDecl, .fn, .project: break
      }
    }
    return changed.intersection(parameters)
  }

  /// Returns whether the property of a `change` controls its timing.
  static func isTiming(_ name: Name) -> Bool {
    KnownWords.properties[name].map(changeWords.contains) == true
  }

  /// Adds the new value of a parameter to a `change`. Returns `false` for other names.
  func addArgument(_ property: PropertySyntax, to change: ElementNode, _ scope: Scope) -> Bool {
    guard change.kind == .change, !Checker.isTiming(property.name),
      let parameter = change.host?.definition?.parameters.first(where: {
        $0.name.identifier == property.name.identifier
      })
    else { return false }
    note(property.name.span, parameter.name.span)
    if let first = change.arguments[property.name.identifier] {
      report(
        Diagnostic(
          .propertyTwice, "duplicate parameter '\(property.name.text)'", at: property.name.span,
          label: "remove one of them", notes: [Note("first set here", at: first.nameSpan)]))
      return true
    }
    change.arguments[property.name.identifier] = Source(
      value: property.value, scope: scope, nameSpan: property.name.span)
    return true
  }

  /// Registers the changes of parameters in the body of a component's use, before the elements of
  /// the component are created.
  func noteParameterChanges(of use: ElementNode) {
    for change in use.children where change.kind == .change && change.syntax.target == nil {
      elaborate(change)
      noteParameters(of: change, in: use)
    }
  }

  /// Registers the changes of parameters that a `change` of a component's use contains.
  func noteParameters(of change: ElementNode, in host: ElementNode) {
    for (name, given) in change.arguments.sorted(by: { $0.value.nameSpan < $1.value.nameSpan }) {
      guard case .expression(let binding)? = host.scope.bindings[name],
        let parameter = binding.parameter
      else {
        switch host.scope.bindings[name] {
        case .function?, .builtIn?:
          report(
            .notConstant, "'\(name.text)' of '\(host.kindName)' cannot change over time",
            at: given.nameSpan, label: "the parameter is a function")
        default: break
        }
        continue
      }
      if binding.known.keys.contains(where: { !$0.isInitial && !$0.isConstant }) {
        report(
          .cycle, "a change cannot affect a condition for its own existence", at: given.nameSpan,
          label: "a loop, a condition or a name before '{' depends on '\(name.text)' of "
            + "'\(host.displayName)'")
        continue
      }
      parameter.changes.append(change)
      for read in parameter.constantReads { report(read, of: parameter, in: change) }
    }
  }

  /// Returns the changes of the parameters of a component's use.
  func parameterChanges(of use: ElementNode) -> [ElementNode] {
    (use.definition?.parameters ?? []).flatMap { parameter -> [ElementNode] in
      guard case .expression(let it)? = use.scope.bindings[parameter.name.identifier] else {
        return []
      }
      return it.parameter?.changes ?? []
    }
  }

  // MARK: Values

  /// Returns the value of a name, and records the parameters that it depends on.
  func recordedValue(
    of binding: LetBinding, scope: Scope, at span: SourceSpan, in c: Context
  ) -> Value {
    let (reads, steps) = (parameterReads, stepsOfElements)
    let outer = reads.constantOrigin
    reads.constantOrigin = c.constantFor == nil ? nil : outer ?? span
    defer { reads.constantOrigin = outer }
    var value = reads.recording(binding, inside: steps) {
      plainValue(of: binding, scope: scope, at: span, in: c)
    }
    reads.note(binding, at: span, inside: steps)
    if let what = c.constantFor, outer == nil, !value.isPoison {
      let reader = what.isEmpty ? "a constant value" : what
      let read = ConstantRead(reader: reader, reason: "\(reader) must be constant", span: span)
      let roots = binding.parameter.map { binding.roots + [$0] } ?? binding.roots
      // A value derived from all versions of a text, such as the first one, is constant.
      let mayMove = !value.isConstant
      for parameter in roots where mayMove || parameter.changes.isEmpty {
        if let error = require(parameter, constantFor: read) { value = .poison(error) }
      }
    }
    return value
  }

  /// The number of evaluations in progress, apart from those of names.
  private var stepsOfElements: Int {
    running.count { if case .binding = $0.key { false } else { true } }
  }

  /// Applies the changes of a parameter to its initial value, in the order of their starts.
  func changed(
    _ value: Value, _ parameter: ChangeableParameter, of binding: LetBinding,
    key: LetBinding.Key, in c: Context
  ) -> Value {
    let name = binding.name.identifier
    guard let changes = timed(parameter.changes, of: value, source: { $0.arguments[name] }) else {
      return poison(binding.name.span)
    }
    // A change that starts after its predecessors have ended begins exactly at their last value, as
    // in keyframes.
    var stages: [(from: Double, value: Value)] = [(-.infinity, value)]
    var (last, end) = (value, Double.infinity * -1)
    var recorded: [SceneRecord.Change] = []
    for it in changes {
      let own = context(of: it.change, now: c.now, hasSteps: false).with {
        $0.scope = it.source.scope
        $0.space = c.space
        $0.pathUse = c.pathUse
      }
      let given = evaluate(it.source.value, own, words: binding.type?.words ?? [])
      let target =
        binding.type.map { convert(given, to: $0, at: it.source.value.span) } ?? given
      let u = progress(of: it, at: c.now)
      let easing = easing(of: it.change)
      recorded.append(it.record(easing, clock: c.now))
      let space = mixingSpace(own)
      let from = Double(it.start.rawValue)
      let isSeparate = from >= end
      let moved = blend(
        isSeparate ? last : stages[stages.count - 1].value, target,
        by: .mix(builder.ease(u, easing), space), at: it.source.value.span, in: own)
      if moved.isPoison { return moved }
      if stages.count == 1, begins(easing), end == -.infinity || !isSeparate {
        stages[0].value = moved
      } else if isSeparate || !begins(easing) {
        stages.append((from, moved))
      } else {
        stages[stages.count - 1].value = moved
      }
      (last, end) = (target, max(end, Double(it.end.rawValue)))
      if let begin = start(of: c.owner, it.change.span) {
        c.recorder?.note(Double((it.end - begin).rawValue))
      }
    }
    recording?.note(recorded, of: .binding(binding.id, key))
    return latest(stages, at: binding.name.span, in: c)
  }

  /// Returns a choice of the first text of a parameter and the texts that its changes give, in the
  /// order in which they are written.
  func versions(
    _ first: TextExpression, _ parameter: ChangeableParameter, of binding: LetBinding, in c: Context
  ) -> Value {
    var all = first
    for change in parameter.changes.sorted(by: { $0.syntax.span < $1.syntax.span }) {
      guard let source = change.arguments[binding.name.identifier] else { continue }
      let own = context(of: change, now: c.now, hasSteps: false).with { $0.scope = source.scope }
      let value = parameterReads.timeless(if: source.value.isName) { evaluate(source.value, own) }
      guard let text = asText(value, source.value.span) else {
        return poison(source.value.span)
      }
      all = .choose(.one, text, all)
    }
    return .text(all)
  }

  /// Returns the value of a loop variable as an item of a list whose items change over time.
  ///
  /// - Parameter list: The list, which is evaluated once for all rounds.
  func changingItem(_ index: Int, of list: LetBinding, as variable: Name) -> LetBinding {
    let it = LetBinding(
      name: variable, type: nil, value: list.value, id: newID(), home: list.home)
    it.item = (list, index)
    return it
  }

  /// Evaluates an item of a list whose items change over time.
  func value(ofItem item: (list: LetBinding, index: Int), in c: Context) -> Value {
    let list = item.list
    let value = value(of: list, scope: c.scope, at: list.name.span, in: c)
    guard case .list(let items) = value, items.indices.contains(item.index) else {
      return poison(list.name.span)
    }
    return items[item.index]
  }

  // MARK: Constant values

  /// Evaluates an expression that determines the number of elements, with the initial values of
  /// parameters. Reports a parameter that changes, unless the number is the length of a list whose
  /// items change.
  func structuralValue(_ e: Expression, _ c: Context, for reader: StructureReader) -> (
    value: Value, isChangingList: Bool
  ) {
    let before = memory.recent
    guard parameterReads.isActive else {
      let value = evaluate(e, c)
      cache(value, since: before)
      return (value, false)
    }
    let found = parameterReads.structurally(inside: stepsOfElements) { evaluate(e, c) }
    cache(found.value, since: before)
    if found.parameters.isEmpty { return (found.value, false) }
    if !found.isIndirect, reader == .loop, case .list = found.value { return (found.value, true) }
    let read = ConstantRead(reader: reader.rawValue, reason: reader.reason, span: e.span)
    parameterReads.pending.append(
      PendingRead(parameters: found.parameters, read: read) {
        // Properties of elements are cached with the initial values.
        guard !found.isIndirect else { return false }
        let value = self.releasing { self.evaluate(e, c) }
        let at = Evaluator(Program(), metrics: self.metrics)
        return value.isConstant && value.written(at) == found.value.written(at)
      })
    return (found.value, false)
  }

  /// Reports changes of parameters that determine the number of elements.
  func checkPendingReads() {
    let pending = parameterReads.pending
    parameterReads.pending = []
    for it in pending where it.parameters.contains(where: { !$0.changes.isEmpty }) {
      if it.isConstant() { continue }
      for parameter in it.parameters where !parameter.changes.isEmpty {
        _ = require(parameter, constantFor: it.read)
      }
    }
  }

  /// Reports that a parameter with changes must be constant. Without changes so far, records the
  /// read for a `change of` that is found later, and returns `nil`.
  private func require(_ parameter: ChangeableParameter, constantFor read: ConstantRead)
    -> Reported?
  {
    if parameter.changes.isEmpty {
      if !parameter.constantReads.contains(where: { $0.span == read.span }) {
        parameter.constantReads.append(read)
      }
      return nil
    }
    var error: Reported?
    for change in parameter.changes { error = report(read, of: parameter, in: change) ?? error }
    return error
  }

  @discardableResult
  private func report(
    _ read: ConstantRead, of parameter: ChangeableParameter, in change: ElementNode
  ) -> Reported? {
    change.arguments[parameter.name.identifier].map {
      let diagnostic = Diagnostic(
        .notConstant,
        "'\(parameter.name.text)' of '\(parameter.component)' cannot change over time",
        at: $0.nameSpan, label: "\(read.reader) depends on it",
        notes: [Note(read.reason, at: read.span)])
      return report(advice(onChanging: parameter).map(diagnostic.advising) ?? diagnostic)
    }
  }

  /// Returns the advice about changes of a parameter in the documentation of its component; `nil`
  /// if there is none.
  private func advice(onChanging parameter: ChangeableParameter) -> String? {
    BlameSearch(files: files).advice(
      onChanging: parameter.name.text, of: parameter.component, in: parameter.name.span.file)
  }

  /// Returns an error about a value that cannot change over time as an error of the `change` of the
  /// parameter that the value depends on. Returns `nil` if it does not depend on one.
  func atChange(_ diagnostic: Diagnostic) -> Diagnostic? {
    guard parameterReads.isActive, [.notConstant, .notMixable].contains(diagnostic.code),
      let parameter = parameterReads.changedParameter(
        at: diagnostic.span, inside: calls.map(\.span)),
      let source = parameter.changes.lazy
        .compactMap({ $0.arguments[parameter.name.identifier] }).first,
      source.nameSpan != diagnostic.span
    else { return nil }
    let advice = advice(onChanging: parameter)
    return Diagnostic(
      diagnostic.code,
      "'\(parameter.name.text)' of '\(parameter.component)' cannot change over time",
      at: source.nameSpan, label: "a value that depends on it must be constant",
      notes: [Note(diagnostic.message, at: diagnostic.span)]
        + (advice.map { [Note(help: $0)] } ?? diagnostic.notes))
  }
}

/// A part of a component that determines its number of elements. A parameter that it reads must be
/// constant.
enum StructureReader: String {
  case loop = "the range of 'for'"
  case condition = "the condition of 'if'"

  var reason: String {
    switch self {
    case .loop: "the number of elements must be known before the first frame"
    case .condition: "the choice of elements must be known before the first frame"
    }
  }
}
