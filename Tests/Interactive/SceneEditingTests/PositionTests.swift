// SPDX-License-Identifier: MIT
import SceneEditing
import SceneTestSupport
import SceneText
import Testing

/// Positions in texts, compared with counting Unicode scalars.
@Suite("Positions", .cpuBudget(seconds: 1)) struct PositionTests {
  private static let letters: [String] = [
    "a", "é", "漢", "😀", "\n", "\r\n", "\u{0301}", " ", "\u{10FFFF}", "\r",
  ]

  private func width(_ scalar: Unicode.Scalar, _ encoding: PositionEncoding) -> Int {
    switch encoding {
    case .utf8: String(scalar).utf8.count
    case .utf16: String(scalar).utf16.count
    case .utf32: 1
    }
  }

  @Test(arguments: PositionEncoding.allCases) func eachByteHasOne(_ encoding: PositionEncoding) {
    var generator = Generator(seed: 11)
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0..<30, using: &generator))
        .map { _ in Self.letters.randomElement(using: &generator) ?? "" }.joined()
      let file = SourceFile(name: "", text: text)
      var (line, character, offset) = (0, 0, 0)
      let scalars = Array(text.unicodeScalars)
      for (index, scalar) in scalars.enumerated() {
        let place = Position(line, character)
        #expect(file.position(of: offset, encoding) == place)
        // A position between the two characters of a line end is invalid.
        let isInLineEnd = scalar == "\n" && index > 0 && scalars[index - 1] == "\r"
        if !isInLineEnd { #expect(file.offset(of: place, encoding) == offset) }
        offset += String(scalar).utf8.count
        let isBeforeNewline = index + 1 < scalars.count && scalars[index + 1] == "\n"
        if scalar == "\n" || scalar == "\r" && !isBeforeNewline {
          (line, character) = (line + 1, 0)
        } else {
          character += width(scalar, encoding)
        }
      }
      #expect(file.position(of: text.utf8.count, encoding) == Position(line, character))
      // Positions beyond the end of a line or text are clamped.
      #expect(file.offset(of: Position(line, 1000), encoding) == text.utf8.count)
      #expect(file.offset(of: Position(line + 5, 0), encoding) == text.utf8.count)
    }
  }

  @Test func theMiddleOfACharacterIsItsStart() {
    let file = SourceFile(name: "", text: "a😀b")
    #expect(file.offset(of: Position(0, 2), .utf16) == 1)
    #expect(file.offset(of: Position(0, 3), .utf16) == 5)
    #expect(file.offset(of: Position(0, 3), .utf8) == 1)
  }
}
