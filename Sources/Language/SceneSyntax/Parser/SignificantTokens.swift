// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// The tokens of a file without trivia.
struct SignificantTokens {
  /// The indices of the tokens in the file; the last one is the end of the file.
  private(set) var indices: [Int32] = []
  private(set) var kinds: [TokenKind] = []
  /// Whether each token is the first one on its line.
  private(set) var startsLine: [Bool] = []

  init(of tokens: [Token], in file: SourceFile) {
    indices.reserveCapacity(tokens.count)
    kinds.reserveCapacity(tokens.count)
    startsLine.reserveCapacity(tokens.count)
    var newline = false
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .newline, .lineComment, .docComment: newline = true
      case .blockComment:
        let end = index + 1 < tokens.count ? Int(tokens[index + 1].start) : file.bytes.count
        if file.lineIndex(at: Int(token.start)) < file.lineIndex(at: end) { newline = true }
      case .whitespace: break
      default:
        indices.append(Int32(index))
        kinds.append(token.kind)
        startsLine.append(newline)
        newline = false
      }
    }
  }

  /// Whether the numbers of opening and closing brackets are equal for each kind of bracket.
  var hasMatchingBrackets: Bool { BracketExcess(of: kinds) == BracketExcess() }

  /// Returns the number of leading blanks of each token that begins a line; `nil` for other tokens.
  func columns(of tokens: [Token], in file: SourceFile) -> [Int?] {
    indices.indices.map { index in
      guard index == 0 || startsLine[index] else { return nil }
      let line = file.lineRange(file.lineIndex(at: Int(tokens[Int(indices[index])].start)))
      return file.bytes[line].prefix { $0 == 32 || $0 == 9 }.count
    }
  }

  /// Removes surplus brackets and replaces wrong ones. Returns an error for each.
  mutating func correctBrackets(of tokens: [Token], in file: SourceFile) -> [Diagnostic] {
    let correction = BracketCorrection(kinds, columns: columns(of: tokens, in: file))
    func span(_ index: Int) -> SourceSpan {
      let token = Int(indices[index])
      return file.span(Int(tokens[token].start), Int(tokens[token + 1].start))
    }
    let unmatched = correction.surplus.map { index in
      Diagnostic(
        .unexpectedToken, "unmatched \(kinds[index].description)", at: span(index),
        label: "no matching opening bracket",
        fixIts: [FixIt("remove it", replacing: span(index), with: "", isSafe: false)])
    }
    let wrong = correction.replaced.map { bracket in
      Diagnostic(
        .unexpectedToken,
        "expected \(bracket.kind.description), found \(kinds[bracket.token].description)",
        at: span(bracket.token),
        notes: bracket.open.map { [Note("the bracket was opened here", at: span($0))] } ?? [],
        fixIts: [
          FixIt(
            "change to \(bracket.kind.description)", replacing: span(bracket.token),
            with: bracket.kind.spelling, isSafe: false)
        ])
    }
    kinds = correction.kinds
    remove(correction.surplus)
    return unmatched + wrong
  }

  /// Removes tokens. If a removed token begins a line, the next token does afterwards.
  private mutating func remove(_ removed: [Int]) {
    var isKept = Array(repeating: true, count: indices.count)
    for index in removed {
      isKept[index] = false
      if startsLine[index] { startsLine[index + 1] = true }
    }
    let kept = indices.indices.filter { isKept[$0] }
    indices = kept.map { indices[$0] }
    kinds = kept.map { kinds[$0] }
    startsLine = kept.map { startsLine[$0] }
  }
}
