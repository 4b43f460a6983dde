// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

// Reports about the properties of `particles`.
extension Checker {
  /// Warns about properties that are overridden by another property or a drawing.
  func reportIdleParticleProperties(of i: ElementNode) {
    func warn(_ property: Property, _ reason: String, help: String) {
      guard let source = i.properties[property], source.made == nil else { return }
      report(
        Diagnostic(
          .idleProperty, "'\(property.name)' has no effect \(reason)", at: source.nameSpan,
          notes: [Note(help: help)]))
    }
    if i.properties[.burst] != nil {
      for property in [Property.emitFor, .prewarm] {
        warn(property, "with 'burst'", help: "replace 'burst' with 'rate'")
      }
    }
    if i.children.contains(where: { $0.kind.isDrawn }) {
      warn(.size, "on particles with drawings", help: "use 'scale', or set the size of the drawing")
      warn(.shape, "on particles with drawings", help: "remove it or the drawings")
    }
  }

  /// Reports a constant value below 0.
  func reportNegative(_ property: Property, of i: ElementNode) {
    guard let (value, span) = value(property, of: i, now: now) else { return }
    let ends = if case .range(let low, let high) = value { [low, high] } else { [value] }
    let isNegative = ends.contains { end in
      if case .quantity(let number, _) = end {
        valueOutside(.atLeast(0), of: number) != nil
      } else {
        false
      }
    }
    guard isNegative else { return }
    _ = report(.outOfRange, "'\(property.name)' cannot be negative", at: span)
  }
}
