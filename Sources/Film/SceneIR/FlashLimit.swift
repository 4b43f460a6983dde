// SPDX-License-Identifier: MIT

/// The rules for flashes in a video.
package enum FlashLimit: String, CaseIterable, Hashable, Sendable {
  /// WCAG 2.3.1, for a video that may be shown in full screen: a quarter of any third by third of
  /// the frame.
  case web
  /// ITU-R BT.1702: a quarter of the frame, and no long series of slower flashes.
  case broadcast
}
