// SPDX-License-Identifier: MIT
package import SceneModel

/// A requested time in a scene whose frame rate may be unknown.
package enum TimeOption: Sendable {
  case ticks(Double)
  /// A number of frames.
  case frames(Double)

  /// Returns the time in ticks, limited to ten days.
  package func ticks(_ rate: FrameRate) -> Ticks {
    let ticks =
      switch self {
      case .ticks(let ticks): ticks
      case .frames(let count): count * rate.frameTicks
      }
    return Ticks(rounding: ticks) ?? Ticks(863_999 * Ticks.perSecond)
  }
}
