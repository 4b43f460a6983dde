// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneEditing
package import SceneModel
package import SceneText

/// The frame at which values are edited, with the values and motions of the scene at its time.
package struct Playhead {
  /// The files of the scene without those of the library, which cannot change.
  package let files: [FileID: FileFacts]
  package let rate: FrameRate
  private let evaluator: Evaluator

  /// Creates a playhead. `evaluator` has the values of the frame.
  package init(files: [FileID: FileFacts], rate: FrameRate, _ evaluator: Evaluator) {
    self.files = files
    self.rate = rate
    self.evaluator = evaluator
  }

  /// Returns a number of the scene at the frame.
  func number(_ scalar: Scalar) -> Double { evaluator(scalar) }

  /// Returns the numbers of a value. Percentages are relative to `wholes`, by default 1.
  package func numbers(
    of property: SceneRecord.Property, wholes: [Double?]
  ) -> [Double] {
    property.numbers.enumerated().map { index, it in
      let whole = wholes.indices.contains(index) ? wholes[index] ?? 1 : 1
      return evaluator(it.own) + (it.share.map { evaluator($0) * whole } ?? 0)
    }
  }

  /// Returns a time of an element in source syntax: in seconds if milliseconds express it, else in
  /// frames if possible.
  func text(ofTime ticks: Double) -> String {
    let seconds = ticks / Double(Ticks.perSecond)
    let frames = ticks / rate.frameTicks
    func isWhole(_ x: Double) -> Bool { abs(x - x.rounded()) < 1e-6 }
    if !isWhole(seconds * 1000), isWhole(frames) { return Numeral.text(frames, decimals: 0) + "f" }
    return Numeral.text(seconds, decimals: 4) + "s"
  }
}

/// The reason why a value cannot be edited at the playhead.
package struct Refused: Error, Hashable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The part of a motion that an edit changes.
package enum Scope: String, Sendable {
  /// The key, leg or change that determines the frame. Between two keys, a new key.
  case key
  /// All keys, legs and changes by the same amount.
  case whole
}

/// A new value of a property at the playhead.
package struct ValueEdit {
  package let property: SceneRecord.Property
  /// The element and its ancestors, innermost first.
  package let elements: [SceneRecord.Element]
  /// The size that percentages of each component refer to, in pixels.
  package var wholes: [Double?] = []
  /// The change of each component of the value, such as pixels or degrees.
  package var shift: [Double]
  package var scope = Scope.key
  /// Whether numbers are exact, as when typed. Numbers from a drag are rounded to the resolution of
  /// the frame.
  package var isExact = false
  /// Whether a key is inserted at the playhead, even if the value remains.
  package var insertsKey = false
  /// Whether the key at the playhead is removed.
  package var removesKey = false
  /// The new easing of the motion at the playhead; `nil` to keep it.
  package var easing: String?
  /// The maximum rounding error, in the unit of the value; `nil` for the default.
  package var tolerance: Double?
  /// The key to edit; `nil` for the one at the playhead.
  var key: Key?

  /// A key, by the location of its motion and its number.
  struct Key {
    let span: SourceSpan
    let index: Int
  }

  package init(
    _ property: SceneRecord.Property, of elements: [SceneRecord.Element], by shift: [Double]
  ) {
    self.property = property
    self.elements = elements
    self.shift = shift
  }
}

/// Replacements in one file.
package struct TextEdit: Hashable, Sendable {
  /// A span and its new text.
  package struct Piece: Hashable, Sendable {
    package let span: SourceSpan
    package let text: String

    package init(span: SourceSpan, text: String) { (self.span, self.text) = (span, text) }
  }

  package let file: FileID
  package let pieces: [Piece]
  /// The edited part, such as "key at 2s".
  package let place: String

  package init(file: FileID, pieces: [Piece], place: String) {
    (self.file, self.pieces, self.place) = (file, pieces, place)
  }
}

/// Numbers in source syntax.
package enum Numeral {
  /// Returns a number with at most the given decimal places.
  package static func text(_ number: Double, decimals: Int) -> String {
    var format = NumberFormat()
    format.decimals = decimals
    format.minus = "-"
    let text = format.text(number)
    guard text.contains(".") else { return text == "-0" ? "0" : text }
    var end = text.endIndex
    while text[text.index(before: end)] == "0" { end = text.index(before: end) }
    if text[text.index(before: end)] == "." { end = text.index(before: end) }
    let short = String(text[..<end])
    return short == "-0" ? "0" : short
  }

  /// Returns the minimum number of decimal places, at most four, with which the error of a number
  /// times a factor remains below a tolerance.
  package static func decimals(for factor: Double, within tolerance: Double) -> Int {
    var step = abs(factor) / 2
    for places in 0..<4 {
      if step <= tolerance * (1 + 1e-9) { return places }
      step /= 10
    }
    return 4
  }
}
