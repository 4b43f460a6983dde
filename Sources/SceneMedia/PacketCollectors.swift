// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneModel

/// Makes the table of a picture track from its packets.
struct PictureCollector {
  private(set) var track: ClipIndex.PictureTrack
  private var latest = Int64.min

  /// Codecs whose pictures are changes of the one before, whatever their packets say.
  private static let chained: Set<String> = ["gif", "apng"]

  init(_ track: ClipIndex.PictureTrack) { self.track = track }

  mutating func add(_ facts: scene_packet, firstByte: UInt8?) throws(AssetFault) {
    let isFirst = track.packets.isEmpty
    let isKey =
      facts.flags & AV_PKT_FLAG_KEY != 0
      && (isFirst || !PictureCollector.chained.contains(track.codec))
    // What comes before the first one that can be decoded is lost.
    guard isKey || !isFirst else { return }
    // A frame of VP8 that others refer to and that is never shown.
    let isHidden = track.codec == "vp8" && (firstByte ?? 0) & 16 == 0
    track.packets.append(
      ClipIndex.PicturePacket(
        shown: facts.pts, decoded: facts.dts, position: facts.position, size: Int(facts.size),
        isKey: isKey,
        isShown: !isHidden && facts.size > 0 && facts.flags & AV_PKT_FLAG_DISCARD == 0))
    if facts.pts > latest { (latest, track.lastDuration) = (facts.pts, facts.duration) }
    try PictureCollector.judge(track.packets.count)
  }

  static func judge(_ count: Int) throws(AssetFault) {
    guard count <= ClipIndex.Limits.pictures else {
      throw .tooLarge("it has more than 5 000 000 pictures, the limit 'clip-pictures'")
    }
  }

  var finished: ClipIndex.PictureTrack {
    var it = track
    // Pictures that lead the first key one refer to some that are not there.
    let first = track.packets.first?.shown ?? 0
    for at in it.packets.indices where it.packets[at].shown < first {
      it.packets[at].isShown = it.isUnclear && it.packets[at].isShown
    }
    return it
  }
}

extension ClipIndex.PictureTrack {
  /// Whether packets do not say in which order pictures are shown.
  var isUnclear: Bool {
    let times = packets.filter(\.isShown).map(\.shown)
    return times.contains(scene_no_time()) || Set(times).count < times.count
  }
}

/// Counts the samples of a sound track.
struct SoundCounter {
  private(set) var track: ClipIndex.SoundTrack

  init(_ track: ClipIndex.SoundTrack) { self.track = track }

  mutating func add(_ facts: scene_packet) throws(AssetFault) {
    let length =
      facts.duration > 0
      ? Int((Double(facts.duration) * track.base.seconds * Double(track.rate)).rounded()) : 0
    if track.packets.isEmpty {
      track.priming = Int(max(0, facts.skipped))
      let start = track.base.time(facts.pts == scene_no_time() ? 0 : facts.pts)
      track.start = start?.rawValue ?? 0
    }
    track.packets.append(
      ClipIndex.SoundPacket(
        sample: track.sampleCount, shown: facts.pts, position: facts.position))
    track.sampleCount += max(0, length - Int(max(0, facts.dropped)))
    guard track.packets.count <= 4 * ClipIndex.Limits.pictures else {
      throw .tooLarge("it has more than 20 000 000 packets of sound")
    }
  }

  func finished(zero: Int64?) -> ClipIndex.SoundTrack? {
    var it = track
    it.sampleCount -= min(it.sampleCount, it.priming)
    return it.sampleCount > 0 ? it : nil
  }
}
