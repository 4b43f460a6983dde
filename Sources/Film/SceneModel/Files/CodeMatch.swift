// SPDX-License-Identifier: MIT

/// A word or a symbol of a program. White space is not a token.
package struct CodeToken: Hashable, Sendable {
  package let text: String
  package let kind: CodeKind
  package let line: Int
  /// The text before the token in its line.
  package let prefix: String

  /// Whether the token is an identifier, a number or a word of a text or a comment.
  package var isWord: Bool { text.first.map(CodeText.isOfWord) == true }
}

/// A version of a program, divided into pieces and tokens.
package struct CodeText: Hashable, Sendable {
  /// A token, or white space between tokens.
  package struct Run: Hashable, Sendable {
    package let text: String
    /// The index of the token, or `nil` for white space.
    package let token: Int?
  }

  /// The pieces of a single kind, whose concatenation is the program.
  package let pieces: [CodePiece]
  package private(set) var tokens: [CodeToken] = []
  /// The tokens and the white space between them, whose concatenation is the program.
  package private(set) var runs: [Run] = []
  package private(set) var lines: [String] = [""]

  package init(_ pieces: [CodePiece]) {
    self.pieces = pieces
    for piece in pieces {
      var rest = piece.text[...]
      while let first = rest.first {
        let part =
          CodeText.isOfWord(first)
          ? rest.prefix(while: CodeText.isOfWord)
          : first.isWhitespace
            ? rest.prefix { $0.isWhitespace } : rest.prefix(1)
        add(String(part), of: piece.kind, isBlank: first.isWhitespace)
        rest = rest[part.endIndex...]
      }
    }
  }

  private mutating func add(_ text: String, of kind: CodeKind, isBlank: Bool) {
    if isBlank {
      runs.append(Run(text: text, token: nil))
      let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
      lines[lines.count - 1] += parts[0]
      lines += parts.dropFirst().map(String.init)
      return
    }
    runs.append(Run(text: text, token: tokens.count))
    tokens.append(
      CodeToken(text: text, kind: kind, line: lines.count - 1, prefix: lines[lines.count - 1]))
    lines[lines.count - 1] += text
  }

  static func isOfWord(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || letter == "_"
  }
}

/// The correspondence between the tokens of two versions of a program.
///
/// First, the alignment with the maximum weight pairs equal tokens in order. The weight of a pair
/// is that of its token; neighbors that remain neighbors increase it, so that lines stay together.
/// Then blocks of tokens that moved as a whole are paired, the longest first, such as lines that
/// are now in another function. Equal lines at both ends are always paired. The remaining tokens
/// are removed and inserted. Of several results with equal weight, the one that pairs earlier
/// tokens takes precedence.
package struct CodeMatch: Sendable {
  /// A token of the first version, and its counterpart in the second one.
  package struct Pair: Hashable, Sendable {
    package let from: Int
    package let to: Int
  }

  /// The pairs in the order of the first version.
  package private(set) var pairs: [Pair] = []
  /// The removed and the inserted tokens.
  package private(set) var gone: [Int] = []
  package private(set) var come: [Int] = []

  /// The additional weight of a pair directly after another one.
  private static let neighborWeight: Int32 = 3
  /// The minimum number of tokens of a block that moves.
  private static let leastBlock = 4
  /// The maximum number of comparisons; beyond it, only both ends are paired.
  package static let greatestProduct = 2_000_000

  package init(from a: [CodeToken], to b: [CodeToken]) {
    var partners = [Int?](repeating: nil, count: a.count)
    let start = CodeMatch.commonLines(a, b)
    let end = CodeMatch.commonLines(
      Array(a[start...].reversed()), Array(b[start...].reversed()))
    for index in 0..<start { partners[index] = index }
    for index in 0..<end { partners[a.count - 1 - index] = b.count - 1 - index }
    let middle = (start..<a.count - end, start..<b.count - end)
    if middle.0.count * middle.1.count <= CodeMatch.greatestProduct {
      for pair in CodeMatch.alignment(of: Array(a[middle.0]), Array(b[middle.1])) {
        partners[start + pair.from] = start + pair.to
      }
      let strays = CodeMatch.strays(in: partners, a)
      for from in strays.keys { partners[from] = nil }
      CodeMatch.pairBlocks(of: a, and: b, in: &partners)
      let taken = Set(partners.compactMap(\.self))
      for (from, to) in strays where partners[from] == nil && !taken.contains(to) {
        partners[from] = to
      }
    }
    pairs = partners.indices.compactMap { from in partners[from].map { Pair(from: from, to: $0) } }
    gone = a.indices.filter { partners[$0] == nil }
    let taken = Set(pairs.map(\.to))
    come = b.indices.filter { !taken.contains($0) }
  }

  /// Returns the number of tokens in equal lines at the start.
  private static func commonLines(_ a: [CodeToken], _ b: [CodeToken]) -> Int {
    let equal = zip(a, b).prefix { $0.text == $1.text }.count
    func isEnd(_ index: Int, in tokens: [CodeToken]) -> Bool {
      index == tokens.count || tokens[index].line != tokens[index - 1].line
    }
    return (1...max(1, equal)).last { $0 <= equal && isEnd($0, in: a) && isEnd($0, in: b) } ?? 0
  }

  /// Returns the pairs without a neighbor, in lines that have mostly tokens without a partner. The
  /// line of the token may have moved.
  private static func strays(in partners: [Int?], _ a: [CodeToken]) -> [Int: Int] {
    var (all, paired) = ([Int: Int](), [Int: Int]())
    for (index, token) in a.enumerated() {
      all[token.line, default: 0] += 1
      if partners[index] != nil { paired[token.line, default: 0] += 1 }
    }
    var strays: [Int: Int] = [:]
    for case (let from, let to?) in partners.enumerated() {
      let isBeside =
        from > 0 && partners[from - 1] == to - 1
        || from + 1 < partners.count && partners[from + 1] == to + 1
      let line = a[from].line
      if !isBeside, 2 * (paired[line] ?? 0) < (all[line] ?? 0) { strays[from] = to }
    }
    return strays
  }

  private static func weight(of token: CodeToken) -> Int32 {
    token.isWord ? 2 + Int32(min(token.text.count, 8)) : 2
  }

  /// Returns the alignment with the maximum weight.
  private static func alignment(of a: [CodeToken], _ b: [CodeToken]) -> [Pair] {
    let width = b.count + 1
    // The maximum weights of the alignments of two prefixes: of all, and of those that end with a
    // pair.
    var best = [Int32](repeating: 0, count: (a.count + 1) * width)
    var paired = [Int32](repeating: -1, count: best.count)
    for i in a.indices {
      for j in b.indices {
        let (place, before) = ((i + 1) * width + j + 1, i * width + j)
        if a[i].text == b[j].text {
          paired[place] =
            weight(of: a[i])
            + max(best[before], paired[before] < 0 ? 0 : paired[before] + neighborWeight)
        }
        best[place] = max(best[place - 1], best[place - width], paired[place])
      }
    }
    var pairs: [Pair] = []
    var (i, j) = (a.count, b.count)
    // Whether the next pair must end here, because it is a neighbor of the last one.
    var isBound = false
    while i > 0, j > 0 {
      let place = i * width + j
      if !isBound, best[place] == best[place - width] {
        i -= 1
      } else if !isBound, best[place] == best[place - 1] {
        j -= 1
      } else {
        pairs.append(Pair(from: i - 1, to: j - 1))
        let before = place - width - 1
        isBound =
          paired[before] >= 0
          && paired[place] == weight(of: a[i - 1]) + paired[before] + neighborWeight
        (i, j) = (i - 1, j - 1)
      }
    }
    return pairs
  }

  /// Pairs blocks of successive tokens without a partner, the longest first.
  private static func pairBlocks(
    of a: [CodeToken], and b: [CodeToken], in partners: inout [Int?]
  ) {
    var isTaken = [Bool](repeating: false, count: b.count)
    for case let to? in partners { isTaken[to] = true }
    let isFree = partners.map { $0 == nil }
    guard isFree.count(where: { $0 }) * isTaken.count(where: { !$0 }) <= greatestProduct / 8 else {
      return
    }
    for _ in 0..<32 {
      var (length, end) = (0, Pair(from: 0, to: 0))
      var row = [Int](repeating: 0, count: b.count + 1)
      for i in a.indices {
        var next = [Int](repeating: 0, count: b.count + 1)
        if partners[i] == nil {
          for j in b.indices where !isTaken[j] && a[i].text == b[j].text {
            next[j + 1] = row[j] + 1
            if next[j + 1] > length { (length, end) = (next[j + 1], Pair(from: i + 1, to: j + 1)) }
          }
        }
        row = next
      }
      let words = a[(end.from - length)..<end.from].count(where: \.isWord)
      guard length >= leastBlock, words > 1 else { return }
      for offset in 1...length {
        partners[end.from - offset] = end.to - offset
        isTaken[end.to - offset] = true
      }
    }
  }
}
