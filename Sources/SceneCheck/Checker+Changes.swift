// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneSyntax
import SceneText

// `change { at:, for:, size: … }`: properties that move to a new value and stay there.
extension Checker {
  /// The properties of a `change` that say when and how, not what.
  static let changeWords: Set<String> = ["at", "for", "easing", "style"]

  /// Notes which properties of an element its changes move, in document order.
  func noteChanges(of instance: Instance) {
    for change in instance.children where change.kind == .change {
      elaborate(change)
      for name in change.properties.keys.sorted() where !Checker.changeWords.contains(name) {
        if instance.properties[name] == nil {
          guard let source = beginning(of: name, of: instance, change) else { continue }
          instance.properties[name] = source
        }
        instance.changes[name, default: []].append(change)
      }
    }
  }

  /// What a property is before its first change, when the element does not say.
  private func beginning(of name: String, of i: Instance, _ change: Instance) -> Source? {
    guard let given = change.properties[name] else { return nil }
    if PropertyTable.inherited.contains(name), let parent = i.parent,
      let (source, _) = inherited(name, parent)
    {
      return source
    }
    func e(_ kind: Expression.Kind) -> Expression { Expression(kind, given.nameSpan) }
    func number(_ value: Double, _ unit: NumberUnit? = nil) -> Expression {
      e(.number(value, unit))
    }
    func pair(_ value: Double, _ unit: NumberUnit? = nil) -> Expression {
      e(.pair(number(value, unit), number(value, unit)))
    }
    let value: Expression
    switch name {
    case "opacity", "scale": value = number(1)
    case "rotate": value = number(0, .deg)
    case "skew": value = pair(0, .deg)
    case "translate": value = pair(0)
    case "position" where !i.kind.standsByCoordinates, "anchor", "pivot", "focus":
      value = pair(50, .percent)
    case "size" where i.kind == .rect: value = pair(100)
    case "size" where i.kind == .group: value = pair(100, .percent)
    case "radius": value = number(50)
    case "stroke-width": value = number(i.kind.isOpenLine ? 4 : 1)
    case "corner-radius", "z", "dash-offset", "letter-spacing": value = number(0)
    case "font-size": value = number(Checker.defaultFontSize)
    case "font-weight": value = number(400)
    case "line-height": value = number(125, .percent)
    case "visible": value = e(.bool(true))
    case "trim": value = e(.range(number(0, .percent), number(100, .percent)))
    case "fill" where i.properties["stroke"] == nil && !i.kind.isOpenLine,
      "stroke" where i.properties["fill"] == nil && i.kind.isOpenLine:
      value = e(.reference(Checker.ink))
    case "fill", "stroke", "filter", "shadow": value = e(.none)
    case "gap", "padding": value = pair(0)
    case "zoom": value = number(1)
    default:
      report(
        Diagnostic(
          .missingProperty, "'\(i.displayName)' has no '\(name)' to change from",
          at: given.nameSpan, label: "give the element '\(name): …' too"))
      return nil
    }
    return Source(value: value, scope: i.scope, nameSpan: given.nameSpan)
  }

  /// A name that no scene can write: the ink that stands out.
  static let ink = "#ink"

  /// A value with the changes of its property on top.
  func changed(_ value: Value, _ name: String, of i: Instance, now: Scalar, words: Set<String>)
    -> Value
  {
    guard let changes = i.changes[name] else { return value }
    var result = value
    for change in changes {
      guard let source = change.properties[name], let start = start(of: change, change.span),
        let end = end(of: change, change.span)
      else { return .poison }
      let target = evaluateProperty(
        source, of: change, now: now, words: words,
        standsInParent: Checker.placing.contains(name))
      let length = Double((end - start).rawValue)
      let u = builder.make(
        .progress, now, .constant(Double(start.rawValue)), .constant(length))
      var easing = Easing.named["ease-in-out"] ?? .linear
      if let (given, span) = self.value("easing", of: change, now: self.now),
        let (it, _) = asEasing(given, span)
      {
        easing = it
      }
      let space = mixingSpace(context(of: i, now: now))
      result = blend(
        result, target, .mix(builder.ease(u, easing), space), source.value.span,
        context(of: change, now: now))
    }
    return result
  }
}
