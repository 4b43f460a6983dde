// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneLanguage
import SceneModel
import SceneTypes

// Tables of the names that the checker accepts, for completion in editors.

extension PropertyType {
  /// The words that a value of the type can be, in alphabetical order.
  package var words: [String] {
    // The other words of a shift are only recognized to be rejected.
    self == .shift ? ["sub", "super"] : Words.accepted(by: self).sorted()
  }
}

/// Names of easings, colors and properties of effects, in alphabetical order.
package enum NamedValues {
  package static let effectProperties: [String] = Checker.effectProperties.sorted()
  package static let easings: [String] = Easing.named.keys.sorted()
  package static let colors: [String] = Color.named.keys.sorted()
}
