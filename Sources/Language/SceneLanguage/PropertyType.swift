// SPDX-License-Identifier: MIT

/// The type of a property.
package indirect enum PropertyType: Hashable, Sendable {
  case effects, number, angle, time, bool, color, paint, text, easing, path, bitrate
  /// An amplitude factor, or decibels.
  case gain
  /// A stereo position from -100% (left) to 100% (right).
  case pan
  case filters, shadow, transition
  /// `true` for the element's own outline, or an element or path to clip to.
  case clipping
  /// A length. Percentages are relative to the width, height or smaller side of the parent's box.
  case lengthX, lengthY, length
  /// A length. Percentages are relative to the font size.
  case fontLength
  /// A length, with percentages relative to the font size, or a word.
  case shift
  /// The distance of the eye in pixels, or a word.
  case perspective
  /// A point of the parent's box.
  case point
  /// A point of the element's own box, or one of the box's named points.
  case ownPoint
  case points
  case size
  /// One length, or a pair of lengths.
  case lengthPair
  /// One length, or a pair of lengths. Percentages are relative to the font size.
  case fontLengthPair
  /// One number, or a pair of numbers.
  case factors
  case angles
  case lengths
  case numbers
  /// One time, or a list of times.
  case times
  case share
  case trim
  /// Whether to repeat, or the number of repetitions.
  case loop
  case word([String])
  case weight
  /// A record of numbers by the tags of axes.
  case axes
  /// A record of colors by the kinds of code tokens.
  case colors
  /// The size in pixels for which a font is drawn, or a word.
  case opticalSize
  case fonts
  /// A file name or a list of file names, which may contain one `*`.
  case files
  /// Values by name.
  case record
  case frameRate
  case pixelSize
  /// A value, or a range from which each particle gets a random value.
  case varied(PropertyType)
  /// A frequency.
  case rate
  /// A point whose coordinates may be ranges, an element or a path.
  case emitter

  /// A short description of the type.
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
    case .perspective, .opticalSize: "number | auto | none"
    case .axes: "record of numbers"
    case .colors: "record of colors"
    case .point, .ownPoint: "point"
    case .points: "list of points"
    case .size, .pixelSize: "size"
    case .lengthPair, .fontLengthPair: "length or pair of lengths"
    case .factors: "number or pair of numbers"
    case .lengths: "list of lengths"
    case .numbers: "list of numbers"
    case .times: "time or list of times"
    case .share: "share"
    case .trim: "range"
    case .loop: "bool or number"
    case .word(let words): words.joined(separator: " | ")
    case .weight: "weight"
    case .fonts: "font"
    case .files: "text or list of texts"
    case .record: "record"
    case .varied(let type): "\(type.name) or range"
    case .rate: "rate"
    case .emitter: "point, element or path"
    }
  }

  /// Returns the type of a property whose values are the cases of an enumeration.
  static func words<T: RawRepresentable<String> & CaseIterable>(_ type: T.Type) -> PropertyType {
    .word(T.allCases.map(\.rawValue))
  }
}

/// The default value of a property.
package enum InitialValue: Hashable, Sendable {
  case number(Double)
  case percent(Double)
  /// An angle in degrees.
  case angle(Double)
  /// A time in seconds.
  case time(Double)
  case decibels(Double)
  /// The same value in both directions.
  case pair(Double), percents(Double), angles(Double)
  /// Percentages for both directions.
  case percentPair(Double, Double)
  case bool(Bool)
  case word(String)
  case none
  /// The range from 0% to 100%.
  case whole
  /// `ink`, the contrasting color, unless the element's other paint is set; then none.
  case ink

  /// The number, if the default is a number or a pair of equal numbers.
  package var number: Double? {
    switch self {
    case .number(let number), .pair(let number): number
    default: nil
    }
  }

  /// The word, if the default is a word.
  package var word: String? { if case .word(let word) = self { word } else { nil } }

  /// The default in scene syntax.
  package var description: String {
    func text(_ value: Double) -> String {
      value == value.rounded() ? String(Int(value)) : String(value)
    }
    switch self {
    case .number(let x), .pair(let x): return text(x)
    case .percent(let x), .percents(let x): return text(x) + "%"
    case .percentPair(let x, let y): return "(\(text(x))%, \(text(y))%)"
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

/// The place where particles are born: inside an outline, or on it.
package enum ParticleEmission: String, CaseIterable, Sendable { case area, outline }

/// Whether an element in space is visible from behind (CSS `backface-visibility`).
package enum Backface: String, CaseIterable, Sendable { case visible, hidden }

/// The placement of an image in a box (CSS `object-fit`).
package enum Fit: String, CaseIterable, Sendable { case cover, contain, fill, none }

/// The style of a formula: display or inline, as in CSS (MathML Core).
package enum MathStyle: String, CaseIterable, Sendable { case normal, compact }

/// Whether the overlap of two clips is inside the duration of the first clip, or extends it.
package enum ClipOverlap: String, CaseIterable, Sendable { case inside, beyond }

/// The order in which the units of a text start.
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
  /// The words that `align` accepts for this kind, depending on its cross axis.
  package var alignments: [Alignment] {
    switch self {
    case .row: [.top, .center, .bottom, .stretch, .baseline]
    case .column: [.left, .center, .right, .stretch]
    case .grid: [.left, .center, .right, .top, .bottom]
    default: []
    }
  }
}
