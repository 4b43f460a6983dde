// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

/// The captions of one element, with the data that determines their positions.
final class CaptionPlan {
  /// A caption and the texts that show it.
  struct Entry {
    /// The caption, with times from the start of the element.
    let caption: Caption
    var start: Double { caption.start }
    var end: Double { caption.end }
    /// The placement of the caption; `nil` if the scene sets the position.
    let placement: CaptionPlacement?
    let writing: Writing
    let box: CaptionBox
    /// One text, or one for each column.
    var texts: [ElementNode] = []
  }

  /// The writing mode of a caption.
  enum Writing {
    case horizontal
    /// All lines rotated clockwise as a block.
    case turned
    /// Each line rotated clockwise separately.
    case turnedColumns
    /// Upright characters from top to bottom.
    case stackedColumns

    init(_ caption: Caption) {
      switch caption.placement.direction {
      case .horizontal: self = .horizontal
      case _ where caption.text.unicodeScalars.contains(where: \.isUpright):
        self = .stackedColumns
      case .growingLeft: self = .turned
      case .growingRight: self = .turnedColumns
      }
    }
  }

  /// The box of a caption that others must not cover, until its end.
  struct Shown {
    let end: Double
    let box: Rect
    let isHorizontal: Bool
  }

  /// The positions for one clock.
  final class Places {
    /// The translation of each caption from its position.
    var shifts: [PointModel] = []
    /// The boxes that a later caption must not cover.
    var shown: [Shown] = []
    /// Whether a translation is being computed, for the detection of cycles.
    var isComputing = false
  }

  var path = ""
  /// The `each` of the element, which its texts share.
  var units: [ElementNode] = []
  var entries: [Entry] = []
  /// Whether the scene places the captions in the upper half of the frame; `nil` for the positions
  /// of the file.
  var isAtTop: Bool?
  var places = TimeMap<Places>()
}

/// The caption and the column that a text shows, as indices of an entry of the plan and of its
/// texts.
struct CaptionPart {
  let entry: Int
  let column: Int
}

/// The box of a caption along its lines, in percent of the frame.
struct CaptionBox: Hashable {
  /// A margin, since controls of players and overscan may cover the edges.
  static let margin = 4.0
  /// The default size of a box, since long lines are hard to read.
  static let usualSize = 80.0
  /// The minimum size of a box.
  static let leastSize = 10.0

  /// The side or center of the box that `place` refers to.
  let alignment: CaptionPlacement.PositionAlignment
  let place: Double
  let size: Double

  /// Computes the box of a cue (W3C WebVTT section 7.2, processing model), clamped to the margin.
  init(_ placement: CaptionPlacement, isRightToLeft: Bool) {
    alignment = placement.computedPositionAlignment(isRightToLeft: isRightToLeft)
    let region = placement.region
    let usual = region == nil ? CaptionBox.usualSize : 100
    let size = min(placement.size ?? usual, placement.maximumSize(alignment))
    let length = region?.width ?? 100
    let origin = region.map { $0.viewportAnchor.x - $0.anchor.x * length / 100 } ?? 0
    let place = origin + placement.computedPosition * length / 100
    let own = size * length / 100
    let (low, high) = (CaptionBox.margin, 100 - CaptionBox.margin)
    let least = CaptionBox.leastSize
    switch alignment {
    case .lineLeft:
      let start = min(max(place, low), high - least)
      (self.place, self.size) = (start, max(least, min(place + own, high) - start))
    case .lineRight:
      let end = max(min(place, high), low + least)
      (self.place, self.size) = (end, max(least, end - max(place - own, low)))
    case .center:
      let half = max(least, min(own, 2 * max(place - low, high - place))) / 2
      self.place = half > least / 2 ? place : min(max(place, low + half), high - half)
      self.size = 2 * half
    }
  }

  /// The start of the box, in percent of the frame.
  var start: Double {
    switch alignment {
    case .lineLeft: place
    case .center: place - size / 2
    case .lineRight: place - size
    }
  }
}

/// Moves boxes so that they do not overlap.
enum CaptionStack {
  /// Returns the translation of a box along one axis, and whether its new position is free.
  ///
  /// With a `step`, the box moves by multiples of it until its position is free, then from its
  /// original position in the other direction (W3C WebVTT section 7.2, "step loop"). Without one,
  /// the result is the closest free position. If no position is free, the box covers as little of
  /// the others as possible.
  static func shift(
    _ box: Rect, vertically isVertical: Bool, among others: [Rect], within area: Rect, step: Double?
  ) -> (by: Double, isFree: Bool) {
    func moved(_ by: Double) -> Rect {
      isVertical
        ? Rect(x: box.x, y: box.y + by, width: box.width, height: box.height)
        : Rect(x: box.x + by, y: box.y, width: box.width, height: box.height)
    }
    let tolerance = 0.02 * (isVertical ? box.height : box.width)
    func isInside(_ it: Rect) -> Bool {
      isVertical
        ? it.y >= area.y - tolerance && it.y + it.height <= area.y + area.height + tolerance
        : it.x >= area.x - tolerance && it.x + it.width <= area.x + area.width + tolerance
    }
    /// Returns the area of the other boxes that a box covers.
    func covered(_ it: Rect) -> Double {
      others.reduce(0) { sum, other in
        let common = it.intersection(other)
        let covers =
          common.width > (isVertical ? 0 : tolerance)
          && common.height > (isVertical ? tolerance : 0)
        return covers ? sum + common.area : sum
      }
    }
    var best = (by: 0.0, area: covered(box))
    if best.area == 0 { return (0, true) }
    // Areas that differ only by rounding errors are equal, and the first position is preferred.
    let leastGain = 1e-6 * box.area
    func isFree(at by: Double) -> Bool {
      let area = covered(moved(by))
      if area == 0 || area < best.area - leastGain { best = (by, area) }
      return area == 0
    }
    if let step {
      guard abs(step) >= 1 else { return (0, false) }
      for step in [step, -step] {
        var by = step
        while isInside(moved(by)) {
          if isFree(at: by) { return (by, true) }
          by += step
        }
      }
      return (best.by, false)
    }
    let ends: [Double] = others.flatMap { other -> [Double] in
      isVertical
        ? [other.y - box.height - box.y, other.y + other.height - box.y]
        : [other.x - box.width - box.x, other.x + other.width - box.x]
    }
    let sides =
      isVertical
      ? [area.y - box.y, area.maxY - box.maxY] : [area.x - box.x, area.maxX - box.maxX]
    for by in ends.sorted(by: { (abs($0), $0) < (abs($1), $1) }) + sides
    where isInside(moved(by)) {
      if isFree(at: by) { return (by, true) }
    }
    return (best.by, false)
  }
}

extension Unicode.Scalar {
  /// Whether a vertical text with the character is upright: Han, kana, hangul, bopomofo and wide
  /// forms. Emoji occur in texts of all scripts.
  fileprivate var isUpright: Bool {
    switch value {
    case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
      0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether the character is right-to-left.
  private var isRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// The direction of the character, or `nil` for a neutral one.
  fileprivate var runsToLeft: Bool? {
    if isRightToLeft { return properties.numericType == nil ? true : nil }
    return properties.isAlphabetic || value == 0x200E ? false : nil
  }
}

extension String {
  /// The base direction: that of the first character with a direction.
  var isRightToLeft: Bool {
    for scalar in unicodeScalars {
      if let runsToLeft = scalar.runsToLeft { return runsToLeft }
    }
    return false
  }
}
