// SPDX-License-Identifier: MIT

/// A word of a caption and the time at which it is spoken, in seconds from the start of the file.
package struct SpokenWord: Hashable, Sendable {
  package let text: String
  package var start: Double
  package var end: Double

  package init(_ text: String, from start: Double, to end: Double) {
    (self.text, self.start, self.end) = (text, start, end)
  }
}

/// Speech as pieces of text with times, as recognizers and WebVTT timestamps provide it: words,
/// parts of words, or several words.
struct SpokenText {
  /// A piece of text; the times are `nil` if they are unknown.
  struct Piece {
    var text: String
    var start: Double?
    var end: Double?
  }

  /// The words between white space.
  private(set) var words: [SpokenWord] = []
  /// The words whose times are estimated.
  private(set) var estimated: [String] = []

  /// Joins pieces into words, or divides them. A piece belongs to the word before it unless white
  /// space separates them. Words without times share the time between their neighbors in proportion
  /// to their letters. `range` limits all times.
  init(_ pieces: [Piece], in range: ClosedRange<Double>) {
    var found: [Piece] = []
    var isOpen = false
    for piece in pieces {
      for (index, part) in SpokenText.parts(of: piece).enumerated() {
        if index == 0, isOpen, piece.text.first?.isWhitespace == false,
          let last = found.indices.last
        {
          found[last].text += part.text
          found[last].start = found[last].start ?? part.start
          found[last].end = part.end ?? found[last].end
        } else {
          found.append(part)
        }
      }
      if !piece.text.isEmpty { isOpen = piece.text.last?.isWhitespace == false }
    }
    estimated = found.filter { $0.start == nil || $0.end == nil }.map(\.text)
    SpokenText.estimate(&found, in: range)
    var time = range.lowerBound
    for piece in found {
      let start = min(max(piece.start ?? time, time), range.upperBound)
      let end = min(max(piece.end ?? start, start), range.upperBound)
      words.append(SpokenWord(piece.text, from: start, to: end))
      time = start
    }
  }

  /// Returns the words of a piece. They share its time in proportion to their letters.
  private static func parts(of piece: Piece) -> [Piece] {
    let words = piece.text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count > 1, let start = piece.start, let end = piece.end else {
      return words.map { Piece(text: $0, start: piece.start, end: piece.end) }
    }
    let letters = Double(words.reduce(0) { $0 + $1.count })
    var time = start
    return words.map { word in
      let from = time
      time += (end - start) * Double(word.count) / letters
      return Piece(text: word, start: from, end: time)
    }
  }

  /// Sets the unknown times.
  private static func estimate(_ pieces: inout [Piece], in range: ClosedRange<Double>) {
    var index = 0
    while index < pieces.count {
      guard pieces[index].start == nil || pieces[index].end == nil else {
        index += 1
        continue
      }
      let first = index
      while index < pieces.count, pieces[index].start == nil || pieces[index].end == nil {
        index += 1
      }
      let before = pieces[first].start ?? (first > 0 ? pieces[first - 1].end : nil)
      let after = pieces[index - 1].end ?? (index < pieces.count ? pieces[index].start : nil)
      var time = before ?? range.lowerBound
      let whole = max(0, (after ?? range.upperBound) - time)
      let letters = Double(max(1, pieces[first..<index].reduce(0) { $0 + $1.text.count }))
      for place in first..<index {
        pieces[place].start = time
        time += whole * Double(pieces[place].text.count) / letters
        pieces[place].end = time
      }
    }
  }
}
