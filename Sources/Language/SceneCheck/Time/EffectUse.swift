// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// An effect of an `enter` or `exit` with its timing.
struct EffectUse {
  let definition: DefinitionSyntax
  /// The scope of its parameters.
  let scope: Scope
  let isExit: Bool
  /// The duration, and the delay after the start or before the end, in ticks.
  let over: Double
  let after: Double
  let easing: Easing
  let clauses: [Clause]
  let span: SourceSpan

  /// Returns whether the effect sets one of some properties.
  func sets(_ properties: Set<EffectProperty>) -> Bool {
    definition.items.contains { item in
      if case .property(let it) = item {
        EffectProperty(rawValue: it.name.text).map(properties.contains) ?? false
      } else {
        false
      }
    }
  }

  /// Returns the start of the effect for a lifetime from `start` to `end`.
  func begin(from start: Double, to end: Double) -> Double {
    isExit ? end - after - over : start + after
  }
}

/// The properties of effects, by how they combine with the properties of the element.
enum EffectProperty: String, CaseIterable {
  /// Multiplied with the property of the element.
  case opacity, scale
  /// Added to the property of the element.
  case translate, rotate, skew, blur, shift
  case rotateX = "rotate-x"
  case rotateY = "rotate-y"
  case translateZ = "translate-z"
  /// The visible part of the outline, the box or the glyphs.
  case trim, crop, shown
  /// The progress of outlines that are drawn and then filled: all as one line, or glyph by glyph.
  case drawn, written

  /// The property of elements that it combines with; `nil` if there is none. `crop`, `shift`,
  /// `shown`, `drawn` and `written` exist only in effects.
  var property: Property? {
    switch self {
    case .opacity: .opacity
    case .scale: .scale
    case .translate: .translate
    case .rotate: .rotate
    case .rotateX: .rotateX
    case .rotateY: .rotateY
    case .translateZ: .translateZ
    case .skew: .skew
    case .blur: .blur
    case .trim: .trim
    case .crop, .shift, .shown, .drawn, .written: nil
    }
  }
}
