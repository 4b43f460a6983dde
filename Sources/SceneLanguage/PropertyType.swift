// SPDX-License-Identifier: MIT

/// What a property expects.
package enum PropertyType: Hashable, Sendable {
  case effects, number, angle, time, bool, color, paint, text, easing, path, bitrate
  /// A factor of amplitude, or decibels.
  case gain
  /// From -100%, left, to 100%, right.
  case pan
  case filters, shadow, transition
  /// `true` for the element's own outline, or the element or the path that clips.
  case clipping
  /// Percent is of the width, the height or the smaller side of the parent's box.
  case lengthX, lengthY, length
  /// Percent is of the font size.
  case fontLength
  /// A length, percent being of the font size, or a word.
  case shift
  /// A point of the parent's box.
  case point
  /// A point of the own box, or one of its named points.
  case ownPoint
  case points
  case size
  /// One length, or a pair.
  case lengthPair
  /// One number or two.
  case factors
  case angles
  case lengths
  case share
  case trim
  /// Whether, or how often, something plays again.
  case loop
  case word([String])
  case weight
  case fonts
  case frameRate
  case pixelSize

  /// What it takes, in a word or two.
  package var name: String {
    switch self {
    case .effects: "effects"
    case .number, .frameRate: "number"
    case .angle: "angle"
    case .angles: "angle or pair of angles"
    case .time: "time"
    case .bool: "bool"
    case .color: "color"
    case .paint: "paint"
    case .text: "text"
    case .easing: "easing"
    case .path: "path"
    case .bitrate: "bit rate"
    case .gain: "gain"
    case .pan: "percent"
    case .filters: "filters"
    case .shadow: "shadow"
    case .transition: "transition"
    case .clipping: "bool, element or path"
    case .lengthX, .lengthY, .length, .fontLength: "length"
    case .shift: "length | super | sub"
    case .point, .ownPoint: "point"
    case .points: "list of points"
    case .size, .pixelSize: "size"
    case .lengthPair: "length or pair of lengths"
    case .factors: "number or pair of numbers"
    case .lengths: "list of lengths"
    case .share: "share"
    case .trim: "range"
    case .loop: "bool or number"
    case .word(let words): words.joined(separator: " | ")
    case .weight: "weight"
    case .fonts: "font"
    }
  }

  /// The type of a property that takes one word of an enumeration.
  static func words<T: RawRepresentable<String> & CaseIterable>(_ type: T.Type) -> PropertyType {
    .word(T.allCases.map(\.rawValue))
  }
}

/// The value of a property that nothing gives.
package enum InitialValue: Hashable, Sendable {
  case number(Double)
  case percent(Double)
  /// Degrees.
  case angle(Double)
  /// Seconds.
  case time(Double)
  case decibels(Double)
  /// The same in both directions.
  case pair(Double), percents(Double), angles(Double)
  case bool(Bool)
  case word(String)
  case none
  /// From 0% to 100%.
  case whole
  /// `ink`, the color that stands out, unless the element's other paint is given; then none.
  case ink

  /// The number of one that is a number, or the same number in both directions.
  package var number: Double? {
    switch self {
    case .number(let number), .pair(let number): number
    default: nil
    }
  }

  /// The word of one that is a word.
  package var word: String? { if case .word(let word) = self { word } else { nil } }

  /// As it is written in a scene.
  package var description: String {
    func text(_ value: Double) -> String {
      value == value.rounded() ? String(Int(value)) : String(value)
    }
    switch self {
    case .number(let x), .pair(let x): return text(x)
    case .percent(let x), .percents(let x): return text(x) + "%"
    case .angle(let x), .angles(let x): return text(x) + "deg"
    case .time(let x): return text(x) + "s"
    case .decibels(let x): return text(x) + "dB"
    case .bool(let truth): return truth ? "true" : "false"
    case .word(let word): return word
    case .none: return "none"
    case .whole: return "0% .. 100%"
    case .ink: return "ink"
    }
  }
}

/// How a picture takes its place in a box (CSS `object-fit`).
package enum Fit: String, CaseIterable, Sendable { case cover, contain, fill, none }

/// Whether a formula is set on its own or as in a line of text, as in CSS (MathML Core).
package enum MathStyle: String, CaseIterable, Sendable { case normal, compact }

/// In which order the parts of a text begin.
package enum TextOrder: String, CaseIterable, Sendable { case start, end, center, random }

/// The alignment of children across a row or column, or in the cells of a grid.
package enum Alignment: String, CaseIterable, Sendable {
  case left, center, right, top, bottom, stretch, baseline
}

/// The distribution of free space (CSS `justify-content` and `align-content`).
package enum Distribution: String, CaseIterable, Sendable {
  case start, center, end, stretch
  case spaceBetween = "space-between"
  case spaceAround = "space-around"
  case spaceEvenly = "space-evenly"
}

extension ElementKind {
  /// The words that 'align' takes: those of the direction in which there is room.
  package var alignments: [Alignment] {
    switch self {
    case .row: [.top, .center, .bottom, .stretch, .baseline]
    case .column: [.left, .center, .right, .stretch]
    case .grid: [.left, .center, .right, .top, .bottom]
    default: []
    }
  }
}
