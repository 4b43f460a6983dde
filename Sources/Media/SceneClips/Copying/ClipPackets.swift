// SPDX-License-Identifier: MIT
package import SceneModel
import SceneSystem

/// An encoded frame of a clip. Its bytes equal those of the file, except that start codes replace
/// length prefixes.
package struct ClipPacket: Sendable {
  package let bytes: [UInt8]
  /// The index in presentation order among the frames that are copied together.
  package let index: Int
  package let isKey: Bool
}

extension ClipStore {
  /// Returns the packets of a range of frames in decoding order. The range must consist of whole
  /// groups (`ClipCopying`).
  package func packets(_ clip: ClipDigest, _ pictures: Range<Int>) throws(ClipError) -> [ClipPacket]
  {
    guard let open = openClip(clip), let order = open.order, !pictures.isEmpty,
      pictures.upperBound <= order.packets.count,
      let track = ClipIndex(open.bytes)?.pictures
    else { throw .noClip }
    let (table, first) = (track.packets, Int(order.packets[pictures.lowerBound]))
    var packets: [ClipPacket] = []
    for number in first..<min(first + pictures.count, table.count) {
      let picture = Int(order.pictures[number])
      let (place, size) = (Int(table[number].position), table[number].size)
      guard pictures.contains(picture), place >= 0, size < 1 << 28,
        let units = ParameterSet.stream(
          ofPacket: Files.head(of: open.file, from: place + track.lead, count: size)),
        !units.isEmpty
      else { throw open.failure(max(0, picture), "its packets cannot be copied") }
      packets.append(
        ClipPacket(
          bytes: units, index: picture - pictures.lowerBound, isKey: table[number].beginsAnew))
    }
    return packets
  }
}

extension ClipIndex.PictureTrack {
  /// Returns the data for copying packets; `nil` if the packets cannot be copied.
  func copying(_ order: PictureOrder) -> ClipCopying? {
    guard let sets = ParameterSet.all(inHeader: headers), sets.contains(where: \.isOfSequence),
      sets.allSatisfy({ !$0.isOfSequence || [66, 77, 100].contains($0.profile) })
    else { return nil }
    let starts = packets.indices.filter { packets[$0].beginsAnew }
    var groups: [Range<Int>] = []
    var delay = 0
    for (start, end) in zip(starts, starts.dropFirst() + [packets.count]) {
      let first = Int(order.pictures[start])
      let pictures = first..<first + end - start
      let own = order.pictures[start..<end]
      // All frames are displayed, and none precedes the keyframe or falls between frames of another
      // group.
      guard first >= 0, own.allSatisfy({ pictures.contains(Int($0)) }) else { continue }
      groups.append(pictures)
      for (place, picture) in own.enumerated() {
        delay = max(delay, place - (Int(picture) - first))
      }
    }
    return groups.isEmpty ? nil : ClipCopying(sets: sets, groups: groups, delay: delay)
  }
}
