// SPDX-License-Identifier: MIT

/// The kind of a token. Trivia kinds come first, which `isTrivia` relies on.
package enum TokenKind: UInt8, Hashable, Sendable, CaseIterable {
  case whitespace, newline, lineComment, docComment, blockComment, unknown, endOfFile
  case identifier, number, pairLiteral, color
  case stringStart, stringText, interpolationStart, interpolationEnd, stringEnd
  case letWord, ifWord, elseWord, forWord, inWord, andWord, orWord, notWord
  case trueWord, falseWord, noneWord, keyframesWord
  case leftBrace, rightBrace, leftParen, rightParen, leftBracket, rightBracket
  case colon, semicolon, comma, dot, dotDot, arrow
  case plus, minus, star, slash
  case less, lessEqual, greater, greaterEqual, equalEqual, notEqual, equal
  case question, bar

  package var isTrivia: Bool { rawValue <= TokenKind.blockComment.rawValue }

  /// Whether the token is an operator that compares two values.
  package var isComparison: Bool {
    switch self {
    case .less, .lessEqual, .greater, .greaterEqual, .equalEqual, .notEqual: true
    default: false
    }
  }

  /// Whether an item may end after this token at the end of a line.
  var endsItem: Bool {
    switch self {
    case .identifier, .number, .pairLiteral, .color, .stringEnd, .trueWord, .falseWord, .noneWord,
      .rightParen, .rightBracket, .rightBrace, .interpolationEnd, .unknown:
      true
    default: false
    }
  }

  /// Whether the token is an operator that computes an amount from two others.
  package var isArithmetic: Bool {
    switch self {
    case .plus, .minus, .star, .slash: true
    default: false
    }
  }

  /// Whether the token is a binary operator.
  package var isBinary: Bool {
    isArithmetic || isComparison || self == .andWord || self == .orWord
  }

  /// Whether a value must follow.
  var wantsValue: Bool {
    switch self {
    case .colon, .arrow, .dot, .equal, .dotDot, .comma: true
    default: isBinary
    }
  }

  /// Whether the token continues the item of the previous line.
  var continuesItem: Bool {
    switch self {
    case .dotDot, .dot, .arrow, .question, .colon, .semicolon, .rightBrace, .rightParen,
      .rightBracket, .interpolationEnd, .endOfFile:
      true
    default: isBinary
    }
  }

  package var isReservedWord: Bool {
    rawValue >= TokenKind.letWord.rawValue && rawValue <= TokenKind.keyframesWord.rawValue
  }

  /// The reserved words, which cannot be names.
  package static let reserved: [String: TokenKind] = [
    "let": .letWord, "if": .ifWord, "else": .elseWord, "for": .forWord, "in": .inWord,
    "and": .andWord, "or": .orWord, "not": .notWord, "true": .trueWord, "false": .falseWord,
    "none": .noneWord, "keyframes": .keyframesWord,
  ]

  /// The reserved words grouped by length.
  private static let reservedByLength: [[(bytes: [UInt8], kind: TokenKind)]] = {
    var lists: [[(bytes: [UInt8], kind: TokenKind)]] = Array(repeating: [], count: 10)
    for (word, kind) in reserved { lists[word.utf8.count].append((Array(word.utf8), kind)) }
    return lists
  }()

  /// Returns the reserved word with these bytes, if any.
  static func reserved(_ bytes: ArraySlice<UInt8>) -> TokenKind? {
    guard bytes.count < reservedByLength.count else { return nil }
    for word in reservedByLength[bytes.count] where bytes.elementsEqual(word.bytes) {
      return word.kind
    }
    return nil
  }

  /// The description used in messages.
  package var description: String {
    switch self {
    case .endOfFile: "the end of the file"
    case .identifier: "a name"
    case .number: "a number"
    case .pairLiteral: "a size"
    case .color: "a color"
    case .stringStart, .stringText, .stringEnd: "a text"
    case .interpolationStart: "'{'"
    case .interpolationEnd: "'}'"
    case .newline: "the end of the line"
    case .whitespace, .lineComment, .docComment, .blockComment: "whitespace"
    case .unknown: "an unknown character"
    default: "'\(spelling)'"
    }
  }

  /// The fixed text of punctuation and reserved words; empty for other kinds.
  package var spelling: String {
    switch self {
    case .leftBrace: "{"
    case .rightBrace: "}"
    case .leftParen: "("
    case .rightParen: ")"
    case .leftBracket: "["
    case .rightBracket: "]"
    case .colon: ":"
    case .semicolon: ";"
    case .comma: ","
    case .dot: "."
    case .dotDot: ".."
    case .arrow: "->"
    case .plus: "+"
    case .minus: "-"
    case .star: "*"
    case .slash: "/"
    case .less: "<"
    case .lessEqual: "<="
    case .greater: ">"
    case .greaterEqual: ">="
    case .equalEqual: "=="
    case .notEqual: "!="
    case .equal: "="
    case .question: "?"
    case .bar: "|"
    default: TokenKind.reserved.first { $0.value == self }?.key ?? ""
    }
  }
}

/// A token: a range of source bytes. The concatenation of all tokens of a file is the file.
package struct Token: Hashable, Sendable {
  package let kind: TokenKind
  /// The offset of the first byte; the token ends where the next one starts.
  package let start: Int32

  package init(_ kind: TokenKind, _ start: Int) {
    self.kind = kind
    self.start = Int32(truncatingIfNeeded: start)
  }
}
