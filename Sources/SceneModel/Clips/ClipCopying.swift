// SPDX-License-Identifier: MIT

/// What it takes to copy pictures of a clip in H.264 into another file as they are.
package struct ClipCopying: Hashable, Sendable {
  /// What its decoder needs before the first picture.
  package let sets: [ParameterSet]
  /// Pictures that are decoded without any others, in rising order: each from one key picture to the next.
  package let groups: [Range<Int>]
  /// How many pictures later than it is decoded a picture may be shown.
  package let delay: Int

  package init(sets: [ParameterSet], groups: [Range<Int>], delay: Int) {
    self.sets = sets
    self.groups = groups
    self.delay = delay
  }
}

/// A parameter set of H.264: a NAL unit without a start code.
package struct ParameterSet: Hashable, Sendable, Encodable {
  package let bytes: [UInt8]
  /// Of a sequence, or of some of its pictures.
  package let isOfSequence: Bool
  /// What others name it by.
  package let id: Int

  /// `nil` for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, [7, 8].contains(first & 31) else { return nil }
    isOfSequence = first & 31 == 7
    // The number of a sequence's comes after its profile and level; both are Exp-Golomb codes.
    guard let id = ParameterSet.number(bytes.dropFirst(isOfSequence ? 4 : 1)), id < 256 else {
      return nil
    }
    self.bytes = bytes
    self.id = id
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    let bits = bytes.prefix(4).flatMap { byte in (0..<8).map { Int(byte >> (7 - $0)) & 1 } }
    let zeros = bits.prefix { $0 == 0 }.count
    guard zeros <= 8, 2 * zeros + 1 <= bits.count else { return nil }
    return bits[zeros...(2 * zeros)].reduce(0) { 2 * $0 + $1 } - 1
  }

  /// Of a sequence: 66 is Baseline, 77 Main, 100 High.
  package var profile: Int { bytes.count > 1 ? Int(bytes[1]) : 0 }

  /// Whether a decoder would take one for the other, though they differ.
  package func clashes(with other: ParameterSet) -> Bool {
    isOfSequence == other.isOfSequence && id == other.id && bytes != other.bytes
  }
}
