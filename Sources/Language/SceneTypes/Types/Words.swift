// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneLanguage
import SceneModel

/// The words that denote values where a type expects them.
package enum Words {
  /// The named points of a box, as fractions of its width and height.
  package static let points: [String: Point] = [
    "center": Point(0.5, 0.5), "top-left": Point(0, 0), "top": Point(0.5, 0),
    "top-right": Point(1, 0), "right": Point(1, 0.5), "bottom-right": Point(1, 1),
    "bottom": Point(0.5, 1), "bottom-left": Point(0, 1), "left": Point(0, 0.5),
  ]

  /// The named points of texts, on the baseline of the first line, as fractions of the width.
  package static let baselinePoints: [String: Double] = [
    "baseline-left": 0, "baseline": 0.5, "baseline-right": 1,
  ]

  package static let easings: Set<String> = Set(Easing.named.keys)
  package static let genericFamilies: Set<String> = ["sans-serif", "serif", "monospace"]

  package static let weights: [String: Double] = [
    "thin": 100, "extra-light": 200, "light": 300, "normal": 400, "regular": 400, "medium": 500,
    "semibold": 600, "semi-bold": 600, "bold": 700, "extra-bold": 800, "black": 900,
  ]

  private static let boxPoints = Set(points.keys)
  private static let ownPoints = boxPoints.union(baselinePoints.keys)
  private static let weightNames = Set(weights.keys)

  static func isPoint(_ word: String) -> Bool { points[word] != nil }

  /// Returns the words that a property of a type accepts. They take precedence over names.
  package static func accepted(by type: PropertyType) -> Set<String> {
    switch type {
    case .word(let words): Set(words)
    case .point, .emitter: boxPoints
    case .ownPoint: ownPoints
    case .easing: easings
    case .weight: weightNames
    case .fonts: genericFamilies
    case .size: ["fit"]
    // Contains the names of points, which are then rejected as words. Evaluated as points, they
    // would require the box.
    case .shift: boxPoints.union(["super", "sub"])
    case .perspective, .opticalSize: ["auto"]
    case .loop: ["forever", "once"]
    default: []
    }
  }
}

extension ElementKind {
  /// The members of every element: its box, times and points.
  package static let commonMembers: [String] =
    ["box", "start", "end", "duration", "origin"] + Words.points.keys.sorted()

  /// The members of an element of this kind.
  package var members: [String] {
    var all = ElementKind.commonMembers
    if [.audio, .video].contains(self) { all.append("tempo") }
    if self == .text || self == .math { all += Words.baselinePoints.keys.sorted() }
    return all + Property.all(of: self).map(\.name)
  }
}
