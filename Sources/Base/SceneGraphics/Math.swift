// SPDX-License-Identifier: MIT
import Glibc

/// The libm functions that scenec uses. Only this file of the pure targets imports libm.
package enum Math {
  package static let tau = 2 * Double.pi

  package static func sin(_ x: Double) -> Double { Glibc.sin(x) }
  package static func cos(_ x: Double) -> Double { Glibc.cos(x) }
  package static func tan(_ x: Double) -> Double { Glibc.tan(x) }
  package static func acos(_ x: Double) -> Double { Glibc.acos(x) }
  package static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
  package static func exp(_ x: Double) -> Double { Glibc.exp(x) }
  package static func log(_ x: Double) -> Double { Glibc.log(x) }
  package static func pow(_ x: Double, _ y: Double) -> Double { Glibc.pow(x, y) }
  package static func cbrt(_ x: Double) -> Double { Glibc.cbrt(x) }
  package static func hypot(_ x: Double, _ y: Double) -> Double { Glibc.hypot(x, y) }
  /// Returns the remainder with the sign of the divisor, so that time is continuous through zero.
  package static func mod(_ x: Double, _ y: Double) -> Double { x - y * (x / y).rounded(.down) }

  /// Returns the sine of an angle in degrees, exact at multiples of 90.
  package static func sinDegrees(_ degrees: Double) -> Double {
    let turn = mod(degrees, 360)
    switch turn {
    case 0, 180: return 0
    case 90: return 1
    case 270: return -1
    default: return Glibc.sin(turn * .pi / 180)
    }
  }

  package static func cosDegrees(_ degrees: Double) -> Double { sinDegrees(degrees + 90) }
}
