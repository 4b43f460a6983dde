// SPDX-License-Identifier: MIT

/// The rules for flashes in a video.
package enum FlashLimit: String, CaseIterable, Hashable, Sendable {
  /// WCAG 2.3.1: a quarter of any rectangle with a third of the frame's width and height.
  case web
  /// ITU-R BT.1702: a quarter of the frame, and no long series of slower flashes.
  case broadcast
}
