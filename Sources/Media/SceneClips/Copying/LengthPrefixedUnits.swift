// SPDX-License-Identifier: MIT
package import SceneModel
import SceneSystem

// H.264 as stored in MP4 and MOV: NAL units with length prefixes, and parameter sets in a separate
// header.

/// Returns the NAL units of a packet with their types and byte ranges; `nil` for invalid lengths.
package func lengthPrefixedUnits(_ bytes: RawSpan) -> [(type: UInt8, range: Range<Int>)]? {
  var units: [(type: UInt8, range: Range<Int>)] = []
  var at = 0
  while at < bytes.byteCount {
    guard bytes.byteCount - at > 4 else { return nil }
    let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes.byte(at + $1)) }
    guard length > 0, length <= bytes.byteCount - at - 4 else { return nil }
    units.append((bytes.byte(at + 4) & 31, at + 4..<at + 4 + length))
    at += 4 + length
  }
  return units
}

extension ParameterSet {
  private static let startCode: [UInt8] = [0, 0, 0, 1]

  /// Returns the parameter sets of a track header (`avcC`); `nil` for other headers or lengths that
  /// are not four bytes.
  package static func all(inHeader bytes: [UInt8]) -> [ParameterSet]? {
    guard bytes.count > 6, bytes[0] == 1, bytes[4] & 3 == 3 else { return nil }
    var sets: [ParameterSet] = []
    var at = 5
    for mask in [UInt8(31), 255] {
      guard at < bytes.count else { return nil }
      let count = bytes[at] & mask
      at += 1
      for _ in 0..<count {
        guard bytes.count - at > 2 else { return nil }
        let length = Int(bytes[at]) << 8 | Int(bytes[at + 1])
        guard length > 0, length <= bytes.count - at - 2,
          let set = ParameterSet(Array(bytes[at + 2..<at + 2 + length]))
        else { return nil }
        sets.append(set)
        at += 2 + length
      }
    }
    return sets
  }

  /// Returns all parameter sets, each after a start code.
  package static func stream(_ sets: [ParameterSet]) -> [UInt8] {
    sets.flatMap { startCode + $0.bytes }
  }

  /// Returns the NAL units of a packet after start codes, without parameter sets; `nil` for invalid
  /// lengths.
  static func stream(ofPacket bytes: [UInt8]) -> [UInt8]? {
    guard let units = bytes.lend(lengthPrefixedUnits) else { return nil }
    return units.filter { ![7, 8, 9].contains($0.type) }.flatMap { startCode + bytes[$0.range] }
  }
}
