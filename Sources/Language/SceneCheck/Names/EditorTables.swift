// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneLanguage
import SceneModel
import SceneTypes

// Tables of the names that the checker accepts, for completion in editors.

extension PropertyType {
  /// The words that a value of the type can be, in alphabetical order.
  package var words: [String] { Words.accepted(by: self).sorted() }
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

/// Names of easings, colors and properties of effects, in alphabetical order.
package enum NamedValues {
  package static let effectProperties: [String] = Checker.effectProperties.sorted()
  package static let easings: [String] = Easing.named.keys.sorted()
  package static let colors: [String] = Color.named.keys.sorted()
}
