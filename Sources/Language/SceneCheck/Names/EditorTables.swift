// SPDX-License-Identifier: MIT
package import SceneLanguage
import SceneGraphics
import SceneModel

// What the checker accepts, as tables for those who offer it to a writer.

extension PropertyType {
  /// The words that a value of the type may be, in alphabetical order.
  package var words: [String] { Checker.words(for: self).sorted() }
}

extension ElementKind {
  /// What can be read of an element of any kind: its box, times and points.
  package static let commonMembers: [String] =
    ["box", "start", "end", "duration", "origin"] + namedPoints.keys.sorted()

  /// What can be read of an element of this kind.
  package var members: [String] {
    var all = ElementKind.commonMembers
    if [.audio, .video].contains(self) { all.append("tempo") }
    if self == .text || self == .math { all += baselinePoints.keys.sorted() }
    return all + Property.all(of: self).map(\.name)
  }
}

/// Names of easings, of colors and of what an effect may have, in alphabetical order.
package enum NamedValues {
  package static let effectProperties: [String] = Checker.effectProperties.sorted()
  package static let easings: [String] = Easing.named.keys.sorted()
  package static let colors: [String] = Color.named.keys.sorted()
}
