// SPDX-License-Identifier: MIT

/// The outline of a glyph with the character that it represents.
package struct GlyphOutline: Hashable, Sendable, Encodable {
  /// The character, in any form; for rules and similar shapes, any text that is equal for
  /// counterparts.
  package let sign: String
  package let outline: Path
  /// A number for the role of the glyph in a formula, such as exponent or numerator; 0 in the main
  /// row of the formula and in texts.
  package let role: Int
  /// The word in a formula that the glyph is part of, if its letters must stay together; otherwise,
  /// empty.
  package let word: String

  package init(sign: String, outline: Path, role: Int = 0, word: String = "") {
    self.sign = sign
    self.outline = outline
    self.role = role
    self.word = word
  }

  package func transformed(by map: Affine) -> GlyphOutline {
    GlyphOutline(sign: sign, outline: outline.transformed(by: map), role: role, word: word)
  }
}

/// The correspondence between the glyphs of two texts or formulas.
///
/// It pairs equal glyphs: in order as far as possible, and then those whose order changed, by their
/// positions. Glyphs are equal if they have the same character and, up to their size, the same
/// shape. Then it pairs the remaining glyphs with equal characters in the same way, such as the
/// letters of another font.
///
/// Glyphs with the same role, such as exponents, and runs of glyphs take precedence. A digit
/// changes its role only with its whole number: the 2 in `x^2` can become the factor in `2x`, but
/// not a digit of 12. A letter of a word in a formula, such as `\text{grid}`, belongs only to an
/// equal word.
package struct GlyphMatch {
  /// Pairs of indices, in the order of the first text.
  package private(set) var pairs: [(Int, Int)] = []
  /// The glyphs without a partner.
  package private(set) var gone: [Int]
  package private(set) var come: [Int]

  /// The maximum number of comparisons; beyond it, only the glyphs at both ends are compared.
  private static let greatestProduct = 250_000

  package init(from a: [GlyphOutline], to b: [GlyphOutline]) {
    (gone, come) = (Array(a.indices), Array(b.indices))
    let kinds = GlyphMatch.kinds(of: a + b)
    let (left, right) = (Array(kinds.prefix(a.count)), Array(kinds.suffix(b.count)))
    guard left.count * right.count <= GlyphMatch.greatestProduct else {
      pair(GlyphMatch.ends(left, right))
      return
    }
    let (numbers, others) = (GlyphMatch.numbers(in: a), GlyphMatch.numbers(in: b))
    func similarity(_ i: Int, _ j: Int) -> Similarity {
      if a[i].word != b[j].word { return .none }
      if a[i].role == b[j].role { return .sameRole }
      return numbers[i] == others[j] ? .otherRole : .none
    }
    pairCommon { left[$0] == right[$1] ? similarity($0, $1) : .none }
    for least in [Similarity.sameRole, .otherRole] {
      pairNearest(of: a, with: b) { left[$0] == right[$1] && similarity($0, $1) >= least }
    }
    pairCommon { a[$0].sign == b[$1].sign ? similarity($0, $1) : .none }
    for least in [Similarity.sameRole, .otherRole] {
      pairNearest(of: a, with: b) { a[$0].sign == b[$1].sign && similarity($0, $1) >= least }
    }
  }

  /// Whether two glyphs can be a pair. The raw values are their weights in a common subsequence.
  private enum Similarity: Int, Comparable {
    case none = 0
    case otherRole = 1
    case sameRole = 3

    static func < (a: Similarity, b: Similarity) -> Bool { a.rawValue < b.rawValue }
  }

  /// Returns the number that each glyph is part of, such as "12"; an empty text for other glyphs.
  private static func numbers(in glyphs: [GlyphOutline]) -> [String] {
    func isDigit(_ glyph: GlyphOutline) -> Bool {
      glyph.sign.count == 1 && glyph.sign.first?.isWholeNumber == true
    }
    var numbers = [String](repeating: "", count: glyphs.count)
    var start = 0
    for (i, glyph) in glyphs.enumerated() where isDigit(glyph) {
      if i == 0 || numbers[i - 1].isEmpty || glyphs[i - 1].role != glyph.role { start = i }
      let number = glyphs[start...i].map(\.sign).joined()
      for k in start...i { numbers[k] = number }
    }
    return numbers
  }

  /// Returns numbers that are equal for glyphs with the same character and shape.
  private static func kinds(of glyphs: [GlyphOutline]) -> [Int] {
    var known: [String: [(kind: Int, outline: Path)]] = [:]
    var count = 0
    return glyphs.map { glyph in
      if let kind = known[glyph.sign]?.first(where: { $0.outline.isSimilar(to: glyph.outline) }) {
        return kind.kind
      }
      known[glyph.sign, default: []].append((count, glyph.outline))
      count += 1
      return count - 1
    }
  }

  /// Pairs the remaining glyphs, which have different characters, by their positions. If there are
  /// too many, pairs them in order.
  package mutating func pairRest(of a: [GlyphOutline], with b: [GlyphOutline]) {
    guard gone.count * come.count <= GlyphMatch.greatestProduct else {
      return pair(Array(zip(gone, come)))
    }
    pairNearest(of: a, with: b) { _, _ in true }
  }

  /// Pairs remaining glyphs that `isPair` accepts, the nearest ones first.
  private mutating func pairNearest(
    of a: [GlyphOutline], with b: [GlyphOutline], where isPair: (Int, Int) -> Bool
  ) {
    var candidates: [(distance: Double, pair: (Int, Int))] = []
    let ends = come.map { b[$0].outline.bounds.center }
    for i in gone {
      let start = a[i].outline.bounds.center
      for (j, end) in zip(come, ends) where isPair(i, j) {
        candidates.append((start.distance(to: end), (i, j)))
      }
    }
    candidates.sort { ($0.distance, $0.pair.0, $0.pair.1) < ($1.distance, $1.pair.0, $1.pair.1) }
    var (left, right) = (Set<Int>(), Set<Int>())
    var found: [(Int, Int)] = []
    for (_, (i, j)) in candidates where !left.contains(i) && !right.contains(j) {
      left.insert(i)
      right.insert(j)
      found.append((i, j))
    }
    pair(found)
  }

  private mutating func pair(_ more: [(Int, Int)]) {
    let (left, right) = (Set(more.map(\.0)), Set(more.map(\.1)))
    pairs = (pairs + more).sorted { $0.0 < $1.0 }
    gone.removeAll(where: left.contains)
    come.removeAll(where: right.contains)
  }

  /// Returns the common start and the common end of two sequences, as pairs of indices.
  private static func ends(_ a: [Int], _ b: [Int]) -> [(Int, Int)] {
    let shorter = min(a.count, b.count)
    let start = (0..<shorter).prefix { a[$0] == b[$0] }.count
    let end = (0..<(shorter - start)).prefix { a[a.count - 1 - $0] == b[b.count - 1 - $0] }.count
    return (0..<start).map { ($0, $0) }
      + (0..<end).reversed().map { (a.count - 1 - $0, b.count - 1 - $0) }
  }

  /// Pairs the remaining glyphs in order, along the common subsequence with the maximum weight.
  /// Each pair that directly follows another one adds 1 to the weight.
  private mutating func pairCommon(by similarity: (Int, Int) -> Similarity) {
    let (a, b) = (gone, come)
    let width = b.count + 1
    /// The maximum weights of the sequences from `i` and `j` on: in general, and directly after a
    /// pair.
    var weights = [Int](repeating: 0, count: (a.count + 1) * width)
    var runs = weights
    for i in a.indices.reversed() {
      for j in b.indices.reversed() {
        let place = i * width + j
        let skipped = max(weights[place + width], weights[place + 1])
        let own = similarity(a[i], b[j]).rawValue
        let paired = own > 0 ? own + runs[place + width + 1] : 0
        weights[place] = max(skipped, paired)
        runs[place] = max(skipped, paired > 0 ? paired + 1 : 0)
      }
    }
    var found: [(Int, Int)] = []
    var (i, j, isRun) = (0, 0, false)
    while i < a.count, j < b.count {
      let place = i * width + j
      let own = similarity(a[i], b[j]).rawValue
      let rest = (isRun ? runs : weights)[place]
      if own > 0, own + (isRun ? 1 : 0) + runs[place + width + 1] == rest {
        found.append((a[i], b[j]))
        (i, j, isRun) = (i + 1, j + 1, true)
      } else {
        isRun = false
        if weights[place + width] == rest { i += 1 } else { j += 1 }
      }
    }
    pair(found)
  }
}

extension Path {
  /// Returns two paths with the same commands for one glyph that becomes another.
  ///
  /// A glyph that only moves or changes its size keeps its shape. The contours of other glyphs are
  /// paired by their positions within the glyphs, regardless of the positions of the glyphs.
  package static func matchedGlyph(_ a: Path, _ b: Path) -> (Path, Path) {
    isSameGlyph(a, b) ? (a, b) : matched(a, b, isRelative: true)
  }

  /// Returns two paths with the same commands for a text or formula that becomes another.
  ///
  /// A glyph without a partner grows from a point of the nearest glyph, or shrinks to it.
  package static func matched(_ a: [GlyphOutline], _ b: [GlyphOutline]) -> (Path, Path) {
    let (a, b) = (a.filter { !$0.outline.isEmpty }, b.filter { !$0.outline.isEmpty })
    guard !a.isEmpty, !b.isEmpty else {
      return matched(Path(a.flatMap(\.outline.elements)), Path(b.flatMap(\.outline.elements)))
    }
    var match = GlyphMatch(from: a, to: b)
    match.pairRest(of: a, with: b)
    var results = (Path(), Path())
    for (i, j) in match.pairs {
      let (p, q) = matchedGlyph(a[i].outline, b[j].outline)
      results.0.elements += p.elements
      results.1.elements += q.elements
    }
    let isComplete = match.gone.isEmpty && match.come.isEmpty
    let starts = isComplete ? [] : a.map(\.outline.bounds.center)
    let ends = isComplete ? [] : b.map(\.outline.bounds.center)
    func center(nearest own: Point, among centers: [Point]) -> Point {
      centers.min { own.distance(to: $0) < own.distance(to: $1) } ?? own
    }
    for i in match.gone {
      let path = a[i].outline
      results.0.elements += path.elements
      results.1.elements += path.collapsed(to: center(nearest: starts[i], among: ends)).elements
    }
    for j in match.come {
      let path = b[j].outline
      results.0.elements += path.collapsed(to: center(nearest: ends[j], among: starts)).elements
      results.1.elements += path.elements
    }
    return results
  }

  /// The maximum distance between corresponding points of the same glyph in different sizes, as a
  /// fraction of the size. The line above a root grows independently of its sign, for example.
  private static let greatestShift = 0.35

  /// Returns whether two glyphs have the same commands, with similar points within their bounds.
  private static func isSameGlyph(_ a: Path, _ b: Path) -> Bool {
    guard a.elements.count == b.elements.count else { return false }
    let (first, second) = (a.controlBounds, b.controlBounds)
    func isNear(_ p: Point, _ q: Point) -> Bool {
      let (u, v) = (first.share(of: p), second.share(of: q))
      return abs(u.x - v.x) <= greatestShift && abs(u.y - v.y) <= greatestShift
    }
    return zip(a.elements, b.elements).allSatisfy { areAlike($0, $1, where: isNear) }
  }

  /// Returns whether two paths are equal up to their position and size, within a thousandth of the
  /// size.
  fileprivate func isSimilar(to other: Path) -> Bool {
    guard elements.count == other.elements.count else { return false }
    let (first, second) = (controlBounds, other.controlBounds)
    let (a, b) = (max(first.width, first.height), max(second.width, second.height))
    guard a > 0, b > 0 else { return a == b }
    func isNear(_ p: Point, _ q: Point) -> Bool {
      abs((p.x - first.x) / a - (q.x - second.x) / b) < 1e-3
        && abs((p.y - first.y) / a - (q.y - second.y) / b) < 1e-3
    }
    return zip(elements, other.elements).allSatisfy { Path.areAlike($0, $1, where: isNear) }
  }

  /// Returns whether two elements are the same command with points that `isNear` accepts.
  private static func areAlike(
    _ a: Element, _ b: Element, where isNear: (Point, Point) -> Bool
  ) -> Bool {
    switch (a, b) {
    case (.move(let p), .move(let q)), (.line(let p), .line(let q)): isNear(p, q)
    case (.cubic(let c1, let c2, let p), .cubic(let d1, let d2, let q)):
      isNear(c1, d1) && isNear(c2, d2) && isNear(p, q)
    case (.close, .close): true
    default: false
    }
  }

  /// Returns a path with the same commands whose points are all `p`.
  private func collapsed(to p: Point) -> Path {
    Path(
      elements.map { element in
        switch element {
        case .move: .move(p)
        case .line: .line(p)
        case .cubic: .cubic(p, p, p)
        case .close: .close
        }
      })
  }
}

extension Rect {
  /// Returns the position of a point in the rectangle as fractions of the width and the height.
  func share(of p: Point) -> Point {
    Point(width > 0 ? (p.x - x) / width : 0, height > 0 ? (p.y - y) / height : 0)
  }
}
