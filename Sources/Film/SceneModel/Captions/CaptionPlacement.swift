// SPDX-License-Identifier: MIT

/// The placement of a caption as a file specifies it: the WebVTT cue settings (W3C WebVTT section
/// 3.1).
///
/// Numbers are percentages of the frame, or of the region.
package struct CaptionPlacement: Hashable, Sendable {
  /// The direction in which lines follow each other.
  package enum Direction: Hashable, Sendable {
    case horizontal
    /// Columns from right to left (`rl`).
    case growingLeft
    /// Columns from left to right (`lr`).
    case growingRight
  }

  /// The edge or center of the box that is placed at `line`.
  package enum LineAlignment: String, Hashable, Sendable {
    case start, center, end
  }

  /// The edge or center of the box that is placed at `position`.
  package enum PositionAlignment: String, Hashable, Sendable {
    case lineLeft = "line-left"
    case center
    case lineRight = "line-right"
  }

  /// The alignment of text lines within the box.
  package enum TextAlignment: String, Hashable, Sendable {
    case start, center, end, left, right
  }

  package var direction = Direction.horizontal
  /// A line number from the start, or from the end if negative; a percentage if `snapsToLines` is
  /// false; `nil` for `auto`.
  package var line: Double?
  package var snapsToLines = true
  package var lineAlignment = LineAlignment.start
  /// The position in percent; `nil` for `auto`.
  package var position: Double?
  /// The edge or center of the box at `position`; `nil` for `auto`.
  package var positionAlignment: PositionAlignment?
  /// The size in percent; `nil` if the file does not specify one.
  package var size: Double?
  package var alignment = TextAlignment.center
  package var region: CaptionRegion?

  package init() {}

  /// Whether the file does not specify a placement.
  package var isAutomatic: Bool { self == CaptionPlacement() }

  /// Whether the caption begins in the upper half of the frame.
  package var isAtTop: Bool {
    if let region { return region.viewportAnchor.y < 50 }
    return snapsToLines ? computedLine >= 0 : computedLine < 50
  }

  /// The "computed line" of WebVTT for a single track; the default is the last line.
  package var computedLine: Double {
    guard let line else { return snapsToLines ? -1 : 100 }
    return !snapsToLines && !(0...100).contains(line) ? 100 : line
  }

  /// The "computed position" of WebVTT.
  package var computedPosition: Double {
    if let position { return position }
    switch alignment {
    case .left: return 0
    case .right: return 100
    case .start, .center, .end: return 50
    }
  }

  /// Returns the "computed position alignment" of WebVTT.
  package func computedPositionAlignment(isRightToLeft: Bool) -> PositionAlignment {
    if let positionAlignment { return positionAlignment }
    switch alignment {
    case .left: return .lineLeft
    case .right: return .lineRight
    case .start: return isRightToLeft ? .lineRight : .lineLeft
    case .end: return isRightToLeft ? .lineLeft : .lineRight
    case .center: return .center
    }
  }

  /// Returns the "maximum size" of WebVTT: the space between the position and the edge of the
  /// frame.
  package func maximumSize(_ alignment: PositionAlignment) -> Double {
    switch alignment {
    case .lineLeft: 100 - computedPosition
    case .lineRight: computedPosition
    case .center: 2 * min(computedPosition, 100 - computedPosition)
    }
  }
}

/// A region of the frame in which captions scroll (W3C WebVTT section 3.4).
package struct CaptionRegion: Hashable, Sendable {
  package var id = ""
  /// The width as a percentage of the frame.
  package var width = 100.0
  package var lines = 3
  /// The point of the region that is placed at `viewportAnchor`. Both are percentages.
  package var anchor = Anchor(x: 0, y: 100)
  package var viewportAnchor = Anchor(x: 0, y: 100)
  package var scrolls = false

  /// A point whose coordinates are percentages.
  package struct Anchor: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
      (self.x, self.y) = (x, y)
    }
  }

  package init() {}
}

// MARK: Reading

extension CaptionPlacement {
  /// Parses the settings after the times of a cue. Invalid settings are recorded and ignored.
  init(
    webVTT settings: Substring, regions: [String: CaptionRegion], line number: Int,
    ignored: inout IgnoredParts
  ) {
    var regionSetting = ""
    for setting in settings.split(whereSeparator: \.isSpaceOfASCII) {
      guard let (name, value) = setting.halves(at: ":") else {
        ignored.note(written: setting, line: number)
        continue
      }
      let isRead: Bool
      switch name {
      case "vertical": isRead = readDirection(value)
      case "line": isRead = readLine(value)
      case "position": isRead = readPosition(value)
      case "size":
        let percent = value.percentage
        isRead = percent != nil
        size = percent ?? size
      case "align":
        let read = TextAlignment(rawValue: String(value))
        isRead = read != nil
        alignment = read ?? alignment
      case "region":
        region = regions[String(value)] ?? region
        isRead = regions[String(value)] != nil
        if isRead { regionSetting = String(setting) }
      default: isRead = false
      }
      if !isRead { ignored.note(written: setting, line: number) }
    }
    // A region does not support these settings.
    if region != nil, line != nil || size ?? 100 != 100 || direction != .horizontal {
      region = nil
      ignored.note(written: regionSetting, line: number)
    }
  }

  private mutating func readDirection(_ value: Substring) -> Bool {
    switch value {
    case "rl": direction = .growingLeft
    case "lr": direction = .growingRight
    default: return false
    }
    return true
  }

  private mutating func readLine(_ value: Substring) -> Bool {
    let (place, word) = value.partsAtComma
    var read = lineAlignment
    if let word {
      guard let known = LineAlignment(rawValue: String(word)) else { return false }
      read = known
    }
    if place.hasSuffix("%") {
      guard let percent = place.percentage else { return false }
      (line, snapsToLines) = (percent, false)
    } else {
      guard let number = place.realNumber else { return false }
      (line, snapsToLines) = (number, true)
    }
    lineAlignment = read
    return true
  }

  private mutating func readPosition(_ value: Substring) -> Bool {
    let (place, word) = value.partsAtComma
    guard let percent = place.percentage else { return false }
    if let word {
      guard let known = PositionAlignment(rawValue: String(word)) else { return false }
      positionAlignment = known
    }
    position = percent
    return true
  }
}

extension CaptionRegion {
  /// Parses the lines after `REGION`; `first` is the number of the first of these lines.
  init(_ lines: some Collection<Substring>, from first: Int, ignored: inout IgnoredParts) {
    for (index, line) in lines.enumerated() {
      for setting in line.split(whereSeparator: \.isSpaceOfASCII) {
        guard let (name, value) = setting.halves(at: ":"), read(name, value) else {
          ignored.note(written: setting, line: first + index)
          continue
        }
      }
    }
  }

  private mutating func read(_ name: Substring, _ value: Substring) -> Bool {
    switch name {
    case "id":
      id = String(value)
      return true
    case "width":
      guard let percent = value.percentage else { return false }
      width = percent
    case "lines":
      guard value.allSatisfy(\.isDigitOfASCII), let count = Int(value) else { return false }
      lines = count
    case "regionanchor":
      guard let point = Anchor(value) else { return false }
      anchor = point
    case "viewportanchor":
      guard let point = Anchor(value) else { return false }
      viewportAnchor = point
    case "scroll":
      guard value == "up" else { return false }
      scrolls = true
    default: return false
    }
    return true
  }
}

extension CaptionRegion.Anchor {
  fileprivate init?(_ value: Substring) {
    let (first, second) = value.partsAtComma
    guard let x = first.percentage, let y = second?.percentage else { return nil }
    self.init(x: x, y: y)
  }
}

extension Character {
  fileprivate var isSpaceOfASCII: Bool { " \t\n\u{C}\r".contains(self) }
  fileprivate var isDigitOfASCII: Bool { isASCII && isNumber }
}

extension Substring {
  /// Returns the parts before and after the first separator; `nil` if either part is empty.
  fileprivate func halves(at separator: Character) -> (Substring, Substring)? {
    guard let place = firstIndex(of: separator), place > startIndex, index(after: place) < endIndex
    else { return nil }
    return (self[..<place], self[index(after: place)...])
  }

  fileprivate var partsAtComma: (Substring, Substring?) {
    guard let comma = firstIndex(of: ",") else { return (self, nil) }
    return (self[..<comma], self[index(after: comma)...])
  }

  /// The value of a percentage as "parse a percentage string" defines it: digits, an optional
  /// fraction, and `%`; at most 100. `nil` for other texts.
  fileprivate var percentage: Double? {
    guard hasSuffix("%") else { return nil }
    let digits = dropLast()
    guard digits.first?.isDigitOfASCII == true, let number = digits.realNumber,
      (0...100).contains(number)
    else { return nil }
    return number
  }

  /// The value of a number such as `-1` or `1.5`; a decimal point requires digits on both sides.
  /// `nil` for other texts.
  fileprivate var realNumber: Double? {
    let digits = first == "-" ? dropFirst() : self
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigitOfASCII) }),
      let number = Double(self), number.isFinite
    else { return nil }
    return number
  }
}
