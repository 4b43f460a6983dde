// SPDX-License-Identifier: MIT
package import SceneIR

/// A hash of a frame program. Its 128 bits make equal hashes of different programs practically
/// impossible. Valid within one process.
package struct Fingerprint: Hashable, Sendable {
  private let first: Int
  private let second: Int

  package init(_ program: FrameProgram) {
    func hash(_ salt: UInt8) -> Int {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(program)
      return hasher.finalize()
    }
    (first, second) = (hash(0), hash(1))
  }

  /// Creates a fingerprint for tests.
  package init(_ number: Int) { (first, second) = (number, 0) }
}

/// The frames of two videos, divided into parts that correspond to each other.
package struct FrameAlignment: Sendable {
  /// Consecutive frames of both videos. In an equal part, frames of equal position are equal;
  /// otherwise, one of the ranges may be empty.
  package struct Part: Hashable, Sendable {
    package let old: Range<Int>
    package let new: Range<Int>
    package let isEqual: Bool

    /// The number of frames that differ.
    package var differingCount: Int { isEqual ? 0 : max(old.count, new.count) }
  }

  /// The parts, in order. They cover all frames of both videos.
  package private(set) var parts: [Part] = []

  /// Aligns two videos by frames that occur once in each, as patience diff does. Videos of equal
  /// length are compared frame by frame unless the alignment has less than half the differences.
  package init(old: [Fingerprint], new: [Fingerprint]) {
    let (a, b) = (0..<old.count, 0..<new.count)
    var aligned = Aligner(old: old, new: new)
    aligned.align(a, b)
    guard old.count == new.count else {
      parts = aligned.parts
      return
    }
    var plain = Aligner(old: old, new: new)
    plain.compare(a, b)
    parts = plain.differingCount <= 2 * aligned.differingCount ? plain.parts : aligned.parts
  }

  /// Compares frames by position, for videos whose frames cannot move.
  package init(byPosition old: [Fingerprint], _ new: [Fingerprint]) {
    let count = min(old.count, new.count)
    var plain = Aligner(old: old, new: new)
    plain.compare(0..<count, 0..<count)
    plain.append(count..<old.count, count..<new.count, isEqual: false)
    parts = plain.parts
  }

  /// The number of frames that differ.
  package var differingCount: Int { parts.reduce(0) { $0 + $1.differingCount } }
}

private struct Aligner {
  /// The maximum depth of alignments within alignments.
  private static let mostLevels = 64

  let old: [Fingerprint]
  let new: [Fingerprint]
  private(set) var parts: [FrameAlignment.Part] = []

  init(old: [Fingerprint], new: [Fingerprint]) { (self.old, self.new) = (old, new) }

  var differingCount: Int { parts.reduce(0) { $0 + $1.differingCount } }

  mutating func append(_ a: Range<Int>, _ b: Range<Int>, isEqual: Bool) {
    guard !a.isEmpty || !b.isEmpty else { return }
    if let last = parts.last, last.isEqual == isEqual {
      parts[parts.count - 1] = FrameAlignment.Part(
        old: last.old.lowerBound..<a.upperBound, new: last.new.lowerBound..<b.upperBound,
        isEqual: isEqual)
    } else {
      parts.append(FrameAlignment.Part(old: a, new: b, isEqual: isEqual))
    }
  }

  /// Compares frames of equal position in ranges of equal length.
  mutating func compare(_ a: Range<Int>, _ b: Range<Int>) {
    for (i, j) in zip(a, b) { append(i..<i + 1, j..<j + 1, isEqual: old[i] == new[j]) }
  }

  mutating func align(_ a: Range<Int>, _ b: Range<Int>, level: Int = 0) {
    var (a, b) = (a, b)
    let start = zip(a, b).prefix { old[$0] == new[$1] }.count
    append(
      a.lowerBound..<a.lowerBound + start, b.lowerBound..<b.lowerBound + start, isEqual: true)
    (a, b) = (a.dropFirst(start), b.dropFirst(start))
    let end = zip(a.reversed(), b.reversed()).prefix { old[$0] == new[$1] }.count
    let tail = (a.suffix(end), b.suffix(end))
    (a, b) = (a.dropLast(end), b.dropLast(end))
    // The common frames at both ends of each piece between anchors belong to the anchors.
    let anchors = level < Self.mostLevels ? anchors(a, b) : []
    if anchors.isEmpty {
      if a.count == b.count { compare(a, b) } else { append(a, b, isEqual: false) }
    } else {
      var (i, j) = (a.lowerBound, b.lowerBound)
      for anchor in anchors + [(a.upperBound, b.upperBound)] {
        if (i, j) != anchor { align(i..<anchor.0, j..<anchor.1, level: level + 1) }
        (i, j) = anchor
      }
    }
    append(tail.0, tail.1, isEqual: true)
  }

  /// Returns the starts of runs that occur once in each range, without the starts of the ranges, in
  /// an order that both share.
  private func anchors(_ a: Range<Int>, _ b: Range<Int>) -> [(Int, Int)] {
    guard !a.isEmpty, !b.isEmpty else { return [] }
    let (starts, others) = (runs(old, a), runs(new, b))
    let pairs = starts.compactMap { print, i in
      i.flatMap { i in others[print].flatMap { $0 }.map { (i, $0) } }
    }
    .filter { $0.0 != a.lowerBound || $0.1 != b.lowerBound }.sorted { $0.0 < $1.0 }
    // The longest increasing subsequence, by patience sorting.
    var piles: [Int] = []
    var before = Array(repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, piles.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[piles[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
      }
      before[index] = low > 0 ? piles[low - 1] : -1
      if low == piles.count { piles.append(index) } else { piles[low] = index }
    }
    var chain: [(Int, Int)] = []
    var index = piles.last ?? -1
    while index >= 0 {
      chain.append(pairs[index])
      index = before[index]
    }
    return chain.reversed()
  }

  /// Returns the start of each run of equal frames by their fingerprint; `nil` for a fingerprint
  /// with several runs.
  private func runs(_ prints: [Fingerprint], _ range: Range<Int>) -> [Fingerprint: Int?] {
    var starts: [Fingerprint: Int?] = [:]
    for index in range where index == range.lowerBound || prints[index] != prints[index - 1] {
      starts[prints[index]] = starts[prints[index]] == nil ? .some(index) : .some(nil)
    }
    return starts
  }
}
