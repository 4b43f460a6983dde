// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// `change of card { … }`: a change outside the element that it animates.
//
// The evaluation of a property requires all its changes, wherever they are. Therefore, the whole
// scene is elaborated first, then each `change of` is linked to its element, and only then are
// properties evaluated.
extension Checker {
  /// Links every `change of` below an element to its target.
  func linkChanges(in root: ElementNode) {
    var changes: [ElementNode] = []
    collectChanges(in: root, &changes)
    for change in changes where !reports.isClosed {
      elaborate(change)
      guard let first = change.target else { continue }
      let others = change.otherTargets.compactMap { twin(of: change, for: $0) }
      for (host, change) in zip([first] + change.otherTargets, [change] + others) {
        // An element of another scene must not be animated.
        let around = sequence(first: host) { $0.parent }
        if around.contains(where: { $0 === root }) { link(change, to: host) }
      }
    }
  }

  private func collectChanges(in i: ElementNode, _ changes: inout [ElementNode]) {
    if reports.isClosed { return }
    elaborate(i)
    for child in i.children {
      switch child.kind {
      case .change: if child.syntax.target != nil { changes.append(child) }
      case .each, .output, .marker: break
      default: collectChanges(in: child, &changes)
      }
    }
  }

  /// Creates a copy of a change for another target; returns `nil` after an error.
  private func twin(of change: ElementNode, for host: ElementNode) -> ElementNode? {
    guard let parent = change.parent, let scope = change.scope.parent,
      let twin = makeElement(change.syntax, parent: parent, scope)
    else { return nil }
    twin.target = host
    parent.children.append(twin)
    elaborate(twin)
    return twin
  }

  // MARK: Targets

  /// Resolves the target of a `change of`.
  func aim(_ change: ElementNode) {
    guard change.target == nil, let target = change.syntax.target, let parent = change.parent else {
      return
    }
    let c = context(of: parent, now: now).with {
      $0.scope = change.scope.parent ?? change.scope
      $0.constantFor = "'change of'"
    }
    var hosts: [ElementNode] = []
    noteHosts(named(target, in: c), at: target.span, &hosts)
    change.target = hosts.first
    change.otherTargets = Array(hosts.dropFirst())
  }

  private func noteHosts(_ value: Value, at span: SourceSpan, _ hosts: inout [ElementNode]) {
    switch value {
    case .element(let host):
      if let diagnostic = hostError(host, span) {
        report(diagnostic)
      } else if !hosts.contains(where: { $0 === host }) {
        hosts.append(host)
      }
    case .list(let items): for item in items { noteHosts(item, at: span, &hosts) }
    case .poison: break
    default:
      _ = report(
        .typeMismatch, "'change of' requires an element, found \(value.description)", at: span,
        help: "name the element to change: change of card { … }")
    }
  }

  private func hostError(_ host: ElementNode, _ span: SourceSpan) -> Diagnostic? {
    if host.kind.isDrawn || host.kind == .span { return nil }
    let name = host.kind == .scene ? "a scene" : "'\(host.displayName)'"
    return Diagnostic(
      .typeMismatch, "\(name) cannot be the target of 'change of'", at: span,
      label: host.kind == .scene
        ? "animate its properties directly as a -> b"
        : "'\(host.kindName)' has no properties that 'change' can animate")
  }

  // MARK: Properties

  private func link(_ change: ElementNode, to host: ElementNode) {
    if !change.arguments.isEmpty {
      elaborate(host)
      noteParameters(of: change, in: host)
    }
    for property in change.properties.keys where !Checker.changeWords.contains(property) {
      guard let given = change.properties[property] else { continue }
      if isComputed(property, of: host) {
        _ = report(
          .cycle, "a change cannot affect a condition for its own existence", at: given.nameSpan,
          label: "a loop, a condition or a name before '{' depends on '\(property.name)' of "
            + "'\(host.displayName)'")
        continue
      }
      note(change, property, of: host)
    }
  }

  /// Returns whether a property was evaluated during elaboration.
  private func isComputed(_ property: Property, of host: ElementNode) -> Bool {
    if host.properties[property] != nil { return host.values[now]?[property] != nil }
    return host.placements[now] != nil || host.kind != .scene && host.boxes[now] != nil
  }

  // MARK: Warnings

  /// Warns about changes before the start or after the end of their element.
  func warnOfMissedChanges(of host: ElementNode, from start: Ticks, to end: Ticks) {
    var seen: Set<Int> = []
    let changes = host.changes.sorted { $0.key.name < $1.key.name }.flatMap(\.value)
    for change in changes + parameterChanges(of: host) where seen.insert(change.id).inserted {
      guard let from = self.start(of: change, change.span),
        let to = self.end(of: change, change.span)
      else { continue }
      if from >= end {
        report(
          Diagnostic(
            .keyOutsideLife,
            "the change starts at \(from.description), after '\(host.displayName)' has ended",
            at: change.span, label: "'\(host.displayName)' ends at \(end.description)"))
      } else if from < to, to <= start, to < end {
        report(
          Diagnostic(
            .keyOutsideLife,
            "the change ends at \(to.description), before '\(host.displayName)' starts",
            at: change.span, label: "'\(host.displayName)' starts at \(start.description)"))
      }
    }
  }
}
