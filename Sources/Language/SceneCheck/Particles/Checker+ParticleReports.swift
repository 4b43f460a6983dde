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

  /// Reports a value of `stretch` below 0s.
  func reportNegativeStretch(of i: ElementNode) {
    guard case (.quantity(let time, _), let span)? = value(.stretch, of: i, now: now),
      valueOutside(.atLeast(0), of: time) != nil
    else { return }
    _ = report(.outOfRange, "'stretch' cannot be negative", at: span)
  }
}
