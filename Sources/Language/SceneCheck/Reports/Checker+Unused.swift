// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A part of the file that was not evaluated.
struct Untaken {
  enum Part {
    case items([Item], Scope, Instance)
    case expression(Expression, Context, Set<String>)
  }

  /// The key of the part, shared by all rounds of a loop and all uses of a component.
  let place: SourceSpan
  let part: Part
}

// Checks of code that the scene does not evaluate: unused declarations, branches that are not
// taken, and loops without rounds. Stand-ins replace unknown values, and only errors that do not
// depend on stand-ins are reported.
extension Checker {
  /// The additional steps for all these checks.
  private static let stepsOfUnused = 400_000

  // MARK: Branches that are not taken

  /// Marks a part of the file as evaluated.
  func take(_ place: SourceSpan) {
    if isHome(place) { taken.insert(place) }
  }

  /// Defers an unevaluated part until the rest of the scene is known.
  func leave(_ part: Untaken.Part, _ place: SourceSpan) {
    guard isHome(place), !taken.contains(place), left.insert(place).inserted else { return }
    untaken.append(Untaken(place: place, part: part))
  }

  /// Returns whether a span is in the file to check. Errors in imported files are reported when
  /// those files are checked.
  private func isHome(_ place: SourceSpan) -> Bool { place.file == FileID(0) }

  /// Checks the parts that no loop round and no component use evaluated.
  func checkUntaken() {
    defer {
      untaken = []
      left = []
    }
    guard !untaken.isEmpty else { return }
    apart {
      var index = 0
      // A check may defer further parts.
      while index < untaken.count {
        let it = untaken[index]
        index += 1
        if taken.contains(it.place) { continue }
        report(trying: { self.compute(it.part) }, if: isSureInUntaken)
      }
    }
  }

  private func compute(_ part: Untaken.Part) {
    switch part {
    case .expression(let e, let context, let words):
      _ = evaluate(e, context.with { $0.recorder = nil }, words: words)
    case .items(let items, let scope, let host):
      let it = double(of: host)
      let before = Set(it.properties.keys)
      process(items, Scope(parent: scope, owner: it), it)
      if hasTargets { linkChanges(in: it) }
      for property in it.properties.keys where !before.contains(property) {
        checkProperty(property, of: it)
      }
      let c = context(of: it, now: now)
      for (segment, scope) in it.segments {
        for argument in segment.arguments {
          _ = evaluate(argument.value, c.with { $0.scope = scope })
        }
      }
      _ = emitChildren(of: it)
    }
  }

  /// Creates an empty copy of an element with the properties of its own body.
  private func double(of host: Instance) -> Instance {
    instanceCount += 1
    let it = Instance(
      kind: host.kind, syntax: host.syntax, parent: host.parent, scope: host.scope,
      definition: host.definition, id: instanceCount)
    doubles.append(it)
    it.isElaborated = true
    it.startTime = start(of: host, host.span) ?? .zero
    it.endTime = end(of: host, host.span) ?? Ticks(Ticks.perSecond)
    (it.tempo, it.seed, it.boxes, it.placements) = (
      host.tempo, host.seed, host.boxes, host.placements
    )
    if crossing(around: host) != nil { it.crossing = Crossing([:]) }
    var own = Set((host.definition?.items ?? host.syntax.items).compactMap(Checker.propertyPlace))
    if let subject = host.syntax.subject { own.insert(subject.span) }
    for property in host.properties.keys {
      guard let source = host.properties[property], own.contains(source.nameSpan) else { continue }
      it.properties[property] = source
    }
    return it
  }

  private static func propertyPlace(_ item: Item) -> SourceSpan? {
    if case .property(let it) = item { it.name.span } else { nil }
  }

  /// Returns whether an error does not depend on a guarding condition. A condition may exclude a
  /// `none`, an empty list or a missing element.
  private func isSureInUntaken(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.code {
    case .unexpectedToken, .unknownProperty, .unknownElement, .propertyTwice, .propertyElsewhere,
      .misplacedElement, .unknownFunction, .wrongArguments:
      true
    case .unknownName: !elementNames.contains(text(at: diagnostic.span))
    case .typeMismatch, .operandMismatch, .unknownWord: isWithoutNames(diagnostic.span)
    default: false
    }
  }

  /// Returns whether a span contains no identifier.
  private func isWithoutNames(_ span: SourceSpan) -> Bool {
    guard let tree = files.module(of: span.file)?.parsed.tree
    else { return false }
    return !tree.tokens.contains {
      $0.kind == .identifier && (span.start..<span.end).contains(Int($0.start))
    }
  }

  // MARK: Declarations

  /// Checks unused declarations of the file, and the defaults of all parameters.
  func checkUnusedDeclarations(_ module: Module) {
    guard reports.passedLimit == nil else { return }
    apart {
      let bindings = module.scope.bindings.values.sorted {
        ($0.nameSpan?.start ?? 0) < ($1.nameSpan?.start ?? 0)
      }
      for binding in bindings {
        guard let place = binding.nameSpan, isHome(place) else { continue }
        let isUsed = computedNames.contains(place)
        switch binding {
        case .function(let it, let home):
          tryDeclaration { self.checkFunction(it, home, isUsed) }
        case .definition(let it, let home):
          tryDeclaration { self.checkDefinition(it, home, isUsed) }
        default: break
        }
      }
    }
    checkUntaken()
  }

  private func tryDeclaration(_ body: () -> Void) {
    report(trying: body, if: Checker.isSureInDeclaration)
  }

  /// Returns whether an error does not depend on stand-ins.
  static func isSureInDeclaration(_ diagnostic: Diagnostic) -> Bool {
    switch diagnostic.code {
    case .cycle: false
    case .typeMismatch, .operandMismatch, .wrongArguments, .unknownWord: true
    default: diagnostic.code.rawValue.hasPrefix("E01") || diagnostic.code.rawValue.hasPrefix("E02")
    }
  }

  private func checkFunction(_ function: FunctionSyntax, _ home: Scope, _ isUsed: Bool) {
    let c = context(of: standInScene(), now: now)
    let scope = standIns(for: function.parameters, home, c)
    if let type = function.result, !isKnown(type) { return }
    guard !isUsed, let body = function.value else { return }
    let value = evaluate(body, c.with { $0.scope = scope })
    if let type = function.result { _ = convert(value, to: type, body.span) }
  }

  private func checkDefinition(_ definition: DefinitionSyntax, _ home: Scope, _ isUsed: Bool) {
    let root = standInScene()
    let scope = standIns(for: definition.parameters, home, context(of: root, now: now))
    if isUsed { return }
    switch definition.kind {
    case .component:
      let it = makeBody(of: definition, home: scope, root)
      it.startTime = .zero
      it.endTime = root.endTime
      process(definition.items, it.scope, it)
      if hasTargets { linkChanges(in: it) }
      _ = emitOne(it)
    case .effect:
      guard let it = standIn(.text, [], scope, root) else { return }
      it.effects = [
        EffectUse(
          definition: definition, scope: scope, isExit: false, over: Double(Ticks.perSecond),
          after: 0, easing: .linear, clauses: [], span: definition.name.span)
      ]
      _ = emitOne(it)
    case .style:
      for case .property(let property) in definition.items { checkStyled(property, scope, root) }
    // Transitions are checked when the declarations of their file are collected.
    case .transition: break
    }
  }

  /// Checks a property of a style on the first kind of element that supports it.
  private func checkStyled(_ property: PropertySyntax, _ scope: Scope, _ root: Instance) {
    guard let known = Property.named(property.name.text) else {
      let diagnostic = Diagnostic(
        .unknownProperty, "no element has a property '\(property.name.text)'",
        at: property.name.span)
      let all = Property.allCases.map(\.name)
      let word = property.name.text.lowercased()
      if let meant = Checker.sameProperty[word] {
        report(diagnostic.suggesting(meant, isSafe: Checker.exactProperties.contains(word)))
      } else if let note = Checker.otherProperty[word] {
        report(diagnostic.advising(note))
      } else if Checker.foreignProperties.contains(word) {
        report(diagnostic)
      } else {
        report(diagnostic.suggesting(nearestTo: property.name.text, in: all))
      }
      return
    }
    // Only texts and formulas have points on their baseline.
    let kinds: [ElementKind] =
      known == .anchor || known == .pivot
      ? [.text] : [.rect, .text, .path, .line, .circle, .star, .arc, .group]
    let kind = (kinds + ElementKind.allCases.filter(\.isDrawn))
      .first { known.declaration.use(in: $0) != nil }
    guard let kind, kind != .step, let it = standIn(kind, [.property(property)], scope, root) else {
      return
    }
    _ = emitOne(it)
  }

  // MARK: Stand-ins

  /// Creates an empty scene of one second.
  func standInScene() -> Instance {
    let root = Instance(
      kind: .scene, syntax: .empty, parent: nil, scope: fileScope, definition: nil, id: -1)
    root.isElaborated = true
    root.startTime = .zero
    root.endTime = Ticks(Ticks.perSecond)
    root.boxes[now] = BoxModel(
      x: .zero, y: .zero, width: .constant(1920), height: .constant(1080))
    return root
  }

  private func standIn(_ kind: ElementKind, _ items: [Item], _ scope: Scope, _ root: Instance)
    -> Instance?
  {
    let span = root.span
    let syntax = ElementSyntax(
      kind: [Name(kind.rawValue, span)], name: nil, subject: nil, items: items, span: span)
    let made = makeInstance(syntax, parent: root, scope)
    if kind == .text || kind == .math {
      made?.properties[.content] = Source(.value(.literal("a")), scope: scope, at: span)
    }
    return made
  }

  /// Creates a scope with a value for each parameter, and reports errors in types and defaults.
  private func standIns(for parameters: [ParameterSyntax], _ home: Scope, _ c: Context) -> Scope {
    let scope = Scope(parent: home, owner: nil)
    for parameter in parameters {
      let isKnown = parameter.type.map(isKnown) ?? true
      let name = parameter.type?.names.first?.text ?? ""
      // The contents of lists and records are unknown.
      if isKnown, !["list", "record"].contains(name), parameter.type?.element == nil {
        bindPlaceholder(parameter, scope)
      } else {
        scope.bind(
          parameter.name, .value(poison(parameter.name.span), parameter.name.span))
      }
      guard isKnown, let value = parameter.value else { continue }
      if parameter.type?.isFunction == true {
        _ = function(value, for: parameter, c.with { $0.scope = scope })
        continue
      }
      let given = evaluate(value, c.with { $0.scope = scope }, words: parameter.type?.words ?? [])
      if let type = parameter.type { _ = convert(given, to: type, value.span) }
    }
    return scope
  }

  // MARK: Speculative checks

  /// Runs `body` speculatively and reports the errors that `isSure` accepts.
  private func report(trying body: () -> Void, if isSure: (Diagnostic) -> Bool) {
    let (_, found) = reports.tryingApart(body)
    for diagnostic in found where diagnostic.severity == .error && isSure(diagnostic) {
      report(diagnostic)
    }
  }

  /// Runs `body` without marking declarations as used and without counting its work for the scene.
  func apart(_ body: () -> Void) {
    let kept = (computedNames, referredElements, openLoops, lets)
    let counts = (stepCount, roundCount, instanceCount)
    let hadTimeSteps = usesTimeSteps
    notesUses = false
    seen?.isPaused = true
    stepCount = max(stepCount, options.limits.steps - Checker.stepsOfUnused)
    body()
    notesUses = true
    seen?.isPaused = false
    usesTimeSteps = hadTimeSteps
    (stepCount, roundCount, instanceCount) = counts
    (computedNames, referredElements, openLoops, lets) = kept
  }
}

extension Module {
  /// The names of all elements in the file, at any depth.
  var elementNames: Set<String> {
    var names: Set<String> = []
    func visit(_ items: [Item]) {
      for item in items {
        switch item {
        case .element(let it):
          if let name = it.name { names.insert(name.text) }
          visit(it.items)
        case .forItem(let it): visit(it.items)
        case .ifItem(let it):
          visit(it.items)
          visit(it.otherwise)
        case .letDecl(let it): names.insert(it.name.text)
        default: break
        }
      }
    }
    for scene in scenes { visit(scene.items) }
    for case .definition(let it, _) in scope.bindings.values { visit(it.items) }
    return names
  }
}
