// SPDX-License-Identifier: MIT

/// The place of a caption as a file gives it: the cue settings of WebVTT (W3C WebVTT section 3.1).
///
/// Numbers are percent of the frame, or of the region.
package struct CaptionPlacement: Hashable, Sendable {
  /// The way in which lines follow each other.
  package enum Direction: Hashable, Sendable {
    case horizontal
    /// Columns from right to left (`rl`).
    case growingLeft
    /// Columns from left to right (`lr`).
    case growingRight
  }

  /// The side of a box, or its middle, that is at the line.
  package enum LineAlignment: String, Hashable, Sendable {
    case start, center, end
  }

  /// The side of a box, or its middle, that is at the position.
  package enum PositionAlignment: String, Hashable, Sendable {
    case lineLeft = "line-left"
    case center
    case lineRight = "line-right"
  }

  /// The side of a box to which lines of text are aligned.
  package enum TextAlignment: String, Hashable, Sendable {
    case start, center, end, left, right
  }

  package var direction = Direction.horizontal
  /// A number of lines from the start, or from the end if negative; percent if `snapsToLines` is
  /// false; `nil` for `auto`.
  package var line: Double?
  package var snapsToLines = true
  package var lineAlignment = LineAlignment.start
  /// `nil` for `auto`.
  package var position: Double?
  /// `nil` for `auto`.
  package var positionAlignment: PositionAlignment?
  /// `nil` if the file does not give it.
  package var size: Double?
  package var alignment = TextAlignment.center
  package var region: CaptionRegion?

  package init() {}

  /// Whether the file says nothing about the place.
  package var isAutomatic: Bool { self == CaptionPlacement() }

  /// "Computed line" for one track; without a line, the last one.
  package var computedLine: Double {
    guard let line else { return snapsToLines ? -1 : 100 }
    return !snapsToLines && !(0...100).contains(line) ? 100 : line
  }

  /// "Computed position".
  package var computedPosition: Double {
    if let position { return position }
    switch alignment {
    case .left: return 0
    case .right: return 100
    case .start, .center, .end: return 50
    }
  }

  /// "Computed position alignment".
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

  /// "Maximum size": the room between the position and the edge of the frame.
  package func maximumSize(_ alignment: PositionAlignment) -> Double {
    switch alignment {
    case .lineLeft: 100 - computedPosition
    case .lineRight: computedPosition
    case .center: 2 * min(computedPosition, 100 - computedPosition)
    }
  }
}

/// A part of the frame that captions scroll in (W3C WebVTT section 3.4).
package struct CaptionRegion: Hashable, Sendable {
  package var id = ""
  /// Percent of the frame.
  package var width = 100.0
  package var lines = 3
  /// The point of the region that is placed at `viewportAnchor`; both in percent.
  package var anchor = Anchor(x: 0, y: 100)
  package var viewportAnchor = Anchor(x: 0, y: 100)
  package var scrolls = false

  /// A point in percent.
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
  /// Reads the settings that follow the times of a cue. Invalid ones are recorded and ignored.
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
    // A region has no room for these.
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
  /// Reads the lines below `REGION`, of which the first has the number `first`.
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
  /// What is before and after the first separator, both with at least one character.
  fileprivate func halves(at separator: Character) -> (Substring, Substring)? {
    guard let place = firstIndex(of: separator), place > startIndex, index(after: place) < endIndex
    else { return nil }
    return (self[..<place], self[index(after: place)...])
  }

  fileprivate var partsAtComma: (Substring, Substring?) {
    guard let comma = firstIndex(of: ",") else { return (self, nil) }
    return (self[..<comma], self[index(after: comma)...])
  }

  /// "Parse a percentage string": digits, with more behind a point, and `%`; at most 100.
  fileprivate var percentage: Double? {
    guard hasSuffix("%") else { return nil }
    let digits = dropLast()
    guard digits.first?.isDigitOfASCII == true, let number = digits.realNumber,
      (0...100).contains(number)
    else { return nil }
    return number
  }

  /// A number such as `-1` or `1.5`, with digits on both sides of a point.
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
