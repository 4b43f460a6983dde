// SPDX-License-Identifier: MIT

/// The letters of the mathematical alphabets (Unicode 15, "Mathematical Alphanumeric Symbols").
enum MathLetters {
  /// Returns the form of a letter or digit in an alphabet, or the character itself if the alphabet
  /// lacks it.
  static func scalar(_ written: Unicode.Scalar, _ alphabet: MathAlphabet) -> Unicode.Scalar {
    if let special = exceptions[alphabet]?[written] { return special }
    let value = written.value
    switch value {
    case 0x41...0x5A: return place(capitals[alphabet], value - 0x41) ?? written
    case 0x61...0x7A: return place(smalls[alphabet], value - 0x61) ?? written
    case 0x30...0x39: return place(digits[alphabet], value - 0x30) ?? written
    default: break
    }
    if let index = greekCapitals.firstIndex(of: written) {
      let starts: [MathAlphabet: UInt32] = [
        .bold: 0x1D6A8, .italic: 0x1D6E2, .boldItalic: 0x1D71C,
      ]
      return place(starts[alphabet], UInt32(index)) ?? written
    }
    if let index = greekSmalls.firstIndex(of: written) {
      let starts: [MathAlphabet: UInt32] = [
        .standard: 0x1D6FC, .italic: 0x1D6FC, .bold: 0x1D6C2, .boldItalic: 0x1D736,
      ]
      return place(starts[alphabet], UInt32(index)) ?? written
    }
    return written
  }

  private static func place(_ start: UInt32?, _ index: UInt32) -> Unicode.Scalar? {
    start.flatMap { Unicode.Scalar($0 + index) }
  }

  private static let capitals: [MathAlphabet: UInt32] = [
    .standard: 0x1D434, .italic: 0x1D434, .bold: 0x1D400, .boldItalic: 0x1D468,
    .doubleStruck: 0x1D538, .script: 0x1D49C, .fraktur: 0x1D504, .sans: 0x1D5A0,
    .monospace: 0x1D670,
  ]

  private static let smalls: [MathAlphabet: UInt32] = [
    .standard: 0x1D44E, .italic: 0x1D44E, .bold: 0x1D41A, .boldItalic: 0x1D482,
    .doubleStruck: 0x1D552, .script: 0x1D4B6, .fraktur: 0x1D51E, .sans: 0x1D5BA,
    .monospace: 0x1D68A,
  ]

  private static let digits: [MathAlphabet: UInt32] = [
    .bold: 0x1D7CE, .boldItalic: 0x1D7CE, .doubleStruck: 0x1D7D8, .sans: 0x1D7E2,
    .monospace: 0x1D7F6,
  ]

  /// Greek letters in the order of the mathematical alphabets of Unicode, which include `ϴ` and
  /// `∇`.
  private static let greekCapitals = Array("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇".unicodeScalars)
  private static let greekSmalls = Array("αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ".unicodeScalars)

  /// Letters that Unicode encoded before the mathematical alphabets.
  private static let exceptions: [MathAlphabet: [Unicode.Scalar: Unicode.Scalar]] = [
    .standard: ["h": "ℎ", "∇": "∇"],
    .italic: ["h": "ℎ"],
    .doubleStruck: ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"],
    .script: [
      "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ",
      "g": "ℊ", "o": "ℴ",
    ],
    .fraktur: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"],
  ]
}
