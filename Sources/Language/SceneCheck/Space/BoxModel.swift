// SPDX-License-Identifier: MIT
package import SceneModel

/// The box of an element in its own coordinates.
package struct BoxModel: Sendable {
  package var x: Scalar
  package var y: Scalar
  package var width: Scalar
  package var height: Scalar
}
