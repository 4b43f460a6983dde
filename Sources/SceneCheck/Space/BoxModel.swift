// SPDX-License-Identifier: MIT
import SceneModel

/// The box of an element in its own coordinates.
struct BoxModel {
  var x: Scalar
  var y: Scalar
  var width: Scalar
  var height: Scalar
}
