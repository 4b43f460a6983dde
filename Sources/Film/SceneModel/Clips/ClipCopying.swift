// SPDX-License-Identifier: MIT

/// The data needed to copy H.264 frames of a clip into another file without re-encoding.
package struct ClipCopying: Hashable, Sendable {
  /// The parameter sets that the decoder needs before the first frame.
  package let sets: [ParameterSet]
  /// The closed groups of pictures, in ascending order: each runs from one keyframe to the next and
  /// decodes independently.
  package let groups: [Range<Int>]
  /// The maximum number of frames between decoding and presentation of a frame.
  package let delay: Int

  package init(sets: [ParameterSet], groups: [Range<Int>], delay: Int) {
    self.sets = sets
    self.groups = groups
    self.delay = delay
  }
}

/// An H.264 parameter set: a NAL unit without a start code.
package struct ParameterSet: Hashable, Sendable, Encodable {
  package let bytes: [UInt8]
  /// Whether this is a sequence parameter set, as opposed to a picture parameter set.
  package let isOfSequence: Bool
  /// The id by which pictures and other parameter sets refer to this one.
  package let id: Int

  /// Creates a parameter set; `nil` for any other NAL unit.
  package init?(_ bytes: [UInt8]) {
    guard let first = bytes.first, [7, 8].contains(first & 31) else { return nil }
    isOfSequence = first & 31 == 7
    // The id of a sequence parameter set follows its profile and level. Both ids are Exp-Golomb
    // codes.
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

  /// The profile of a sequence parameter set: 66 is Baseline, 77 Main, 100 High.
  package var profile: Int { bytes.count > 1 ? Int(bytes[1]) : 0 }

  /// Returns whether `other` has the same type and id but different content, so that a decoder
  /// would confuse the two.
  package func clashes(with other: ParameterSet) -> Bool {
    isOfSequence == other.isOfSequence && id == other.id && bytes != other.bytes
  }
}
