// SPDX-License-Identifier: MIT

/// A word that every element defines for the expressions in its body.
package enum ElementWord: String, CaseIterable, Sendable {
  case t, start, end, duration, progress
  case sceneTime = "scene-time"
}

/// A member of the canvas, as in `scene.width`.
package enum CanvasMember: String, CaseIterable, Sendable {
  case width, height, size, aspect, duration
}

/// An area of the frame that an expectation requires an element to be in.
package enum FrameArea: String, CaseIterable, Sendable {
  case scene
  case safeArea = "safe-area"
  case titleSafe = "title-safe"

  /// The margin of the area, as a fraction of the width and height of the frame.
  package var margin: Double {
    switch self {
    case .scene: 0
    case .safeArea: 0.035
    case .titleSafe: 0.1
    }
  }

  /// The area in messages.
  package var description: String {
    switch self {
    case .scene: "the frame"
    case .safeArea: "the safe area"
    case .titleSafe: "the title-safe area"
    }
  }
}

/// A member of an element's box, as in `title.box.width`.
package enum BoxMember: String, CaseIterable, Sendable {
  case size, width, height
}

/// A member of a color, as in `tint.red`: its channels in straight sRGB, from 0 to 1.
package enum ColorMember: String, CaseIterable, Sendable {
  case red, green, blue, alpha
}

/// A word that a pixel function defines for the expressions in its body.
package enum PixelWord: String, CaseIterable, Sendable {
  /// The position of the pixel in the box of the element: in pixels, and from 0 to 1.
  case xy, uv
  /// The size of the box.
  case size
  /// The width of the pixel.
  case pixel

  /// The layer that a filter samples.
  package static let source = "source"
  /// The layers that a transition samples: the outgoing and the incoming clip.
  package static let clips = ["from", "to"]
}

/// The units of a formula that `each` animates.
package enum FormulaUnit: String, CaseIterable, Sendable {
  case glyph
  /// A part that starts at a relation or a binary operator outside all groups.
  case term
  /// A row of an environment such as `aligned`.
  case line
}
