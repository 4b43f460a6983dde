// SPDX-License-Identifier: MIT

/// What a token is. The raw values of punctuation and reserved words are their text.
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

  package var isReservedWord: Bool {
    rawValue >= TokenKind.letWord.rawValue && rawValue <= TokenKind.keyframesWord.rawValue
  }

  /// The words that are never names.
  package static let reserved: [String: TokenKind] = [
    "let": .letWord, "if": .ifWord, "else": .elseWord, "for": .forWord, "in": .inWord,
    "and": .andWord, "or": .orWord, "not": .notWord, "true": .trueWord, "false": .falseWord,
    "none": .noneWord, "keyframes": .keyframesWord,
  ]

  /// As a message names it.
  package var description: String {
    switch self {
    case .endOfFile: "the end of the file"
    case .identifier: "a name"
    case .number: "a number"
    case .pairLiteral: "a size"
    case .color: "a colour"
    case .stringStart, .stringText, .stringEnd: "a text"
    case .interpolationStart: "'{'"
    case .interpolationEnd: "'}'"
    case .newline: "the end of the line"
    case .whitespace, .lineComment, .docComment, .blockComment: "white space"
    case .unknown: "an unknown character"
    default: "'\(spelling)'"
    }
  }

  /// The one text of punctuation and reserved words; empty for the rest.
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

/// One token: a run of bytes of the source. All tokens of a file, in order, are its bytes.
package struct Token: Hashable, Sendable {
  package let kind: TokenKind
  /// Byte offset of its first byte; it ends where the next token starts.
  package let start: Int32

  package init(_ kind: TokenKind, _ start: Int) {
    self.kind = kind
    self.start = Int32(truncatingIfNeeded: start)
  }
}
