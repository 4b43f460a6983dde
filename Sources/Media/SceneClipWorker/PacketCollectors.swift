// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneModel
import SceneSystem

/// Builds the packet table of a video track.
struct PictureCollector {
  private(set) var track: ClipIndex.PictureTrack
  /// The presentation timestamps and durations of the last frame and of the previous last one.
  private var latest: (shown: Int64, duration: Int64)?
  private var earlier: (shown: Int64, duration: Int64)?
  /// Whether the file ends within the last packet.
  private var endsEarly = false
  /// The number of damaged packets, and the timestamp of the first.
  private(set) var damage: (count: Int, first: Int64)?
  /// The NAL unit length format of H.264 and H.265; `nil` for other codecs and containers.
  private let lengths: UnitLengths?

  private let file: Int32

  /// Codecs in which each frame modifies the previous one, regardless of the packet flags.
  private static let chained: Set<String> = ["gif", "apng"]

  init(_ track: ClipIndex.PictureTrack, in file: Int32, headers: [UInt8]) {
    (self.track, self.file) = (track, file)
    lengths = UnitLengths(codec: track.codec, headers: headers)
  }

  mutating func add(_ facts: scene_packet, _ packet: Packet) throws(AssetError) {
    let isFirst = track.packets.isEmpty
    let isWhole = lengths.map { lengths in packet.withBytes { lengths.fit($0) } } ?? true
    // libav removes the keyframe flag from packets that it cannot parse. The first packet of a file
    // is a keyframe.
    let isKey =
      (facts.flags & AV_PKT_FLAG_KEY != 0 || isFirst && !isWhole)
      && (isFirst || !PictureCollector.chained.contains(track.codec))
    // Packets before the first keyframe cannot be decoded.
    guard isKey || !isFirst else { return }
    // A hidden VP8 frame is a reference for others and never displayed.
    let isHidden = track.codec == "vp8" && (packet.content.first ?? 0) & 16 == 0
    var beginsAnew = false
    if !track.headers.isEmpty {
      let units = packet.withBytes { lengthPrefixedUnits($0)?.map(\.type) }
      // Parameter sets that differ from the header would apply to packets other than the copied
      // ones.
      if let units, !units.contains(7), track.lead == 0 || isFound(packet, facts.position) {
        beginsAnew = units.contains(5)
      } else {
        track.headers = []
      }
    }
    if !isWhole {
      damage = ((damage?.count ?? 0) + 1, min(damage?.first ?? .max, facts.pts))
    }
    track.packets.append(
      ClipIndex.PicturePacket(
        shown: facts.pts, decoded: facts.dts, position: facts.position, size: Int(facts.size),
        isKey: isKey,
        isShown: !isHidden && facts.size > 0 && facts.flags & AV_PKT_FLAG_DISCARD == 0,
        beginsAnew: beginsAnew))
    endsEarly = facts.flags & AV_PKT_FLAG_CORRUPT != 0
    if facts.pts > latest?.shown ?? .min {
      (earlier, latest) = (latest, (facts.pts, facts.duration))
    }
    try PictureCollector.judge(track.packets.count)
  }

  /// Returns whether both ends of a packet are in the file at the expected offsets. Containers can
  /// omit or compress parts of packets.
  private func isFound(_ packet: Packet, _ position: Int64) -> Bool {
    let bytes = packet.content
    let start = Int(position) + track.lead
    func isFound(_ part: ArraySlice<UInt8>) -> Bool {
      Files.head(of: file, from: start + part.startIndex, count: part.count)[...] == part
    }
    return position >= 0 && isFound(bytes.prefix(16)) && isFound(bytes.suffix(16))
  }

  /// A warning about damage that is visible without decoding, reported by `check`.
  var remark: String? {
    guard let damage, let start = track.packets.map(\.shown).min() else { return nil }
    let seconds = Double(damage.first &- start) * track.base.seconds
    let time = Ticks(rounding: seconds * Double(Ticks.perSecond)) ?? .zero
    return ClipError.remark(count: damage.count, first: time)
  }

  static func judge(_ count: Int) throws(AssetError) {
    guard count <= ClipIndex.Limits.pictures else {
      throw .tooLarge("the file has more than 5,000,000 frames, the limit 'clip-pictures'")
    }
  }

  var finished: ClipIndex.PictureTrack {
    var it = track
    var end = latest
    if endsEarly, it.packets.count > 1, let cut = it.packets.popLast(), cut.shown == end?.shown {
      end = earlier
    }
    it.lastDuration = end?.duration ?? it.lastDuration
    // Frames that precede the first keyframe in presentation order refer to missing frames.
    let first = track.packets.first?.shown ?? 0
    for at in it.packets.indices where it.packets[at].shown < first {
      it.packets[at].isShown = it.isUnclear && it.packets[at].isShown
    }
    return it
  }
}

/// The length format of H.264 and H.265 NAL units in MP4, MOV and Matroska (ISO/IEC 14496-15).
///
/// In an overwritten packet, the lengths are almost always inconsistent.
private struct UnitLengths {
  /// The size of each length field in bytes.
  private let size: Int

  init?(codec: String, headers: [UInt8]) {
    switch codec {
    case "h264" where headers.count > 6 && headers[0] == 1: size = Int(headers[4] & 3) + 1
    case "hevc" where headers.count > 22 && headers[0] == 1: size = Int(headers[21] & 3) + 1
    default: return nil
    }
  }

  /// Returns whether all units end within the packet and at least one unit is not empty.
  func fit(_ bytes: RawSpan) -> Bool {
    var (at, isEmpty) = (0, true)
    while at + size <= bytes.byteCount {
      let length = (0..<size).reduce(0) { $0 << 8 | Int(bytes.byte(at + $1)) }
      guard length <= bytes.byteCount - at - size else { return false }
      isEmpty = isEmpty && length == 0
      at += size + length
    }
    return !isEmpty
  }
}

extension ClipIndex.PictureTrack {
  /// Whether packets do not determine the presentation order.
  var isUnclear: Bool {
    let times = packets.filter(\.isShown).map(\.shown)
    return times.contains(scene_no_time()) || Set(times).count < times.count
  }
}

/// Counts the samples of an audio track.
struct SoundCounter {
  private(set) var track: ClipIndex.SoundTrack
  /// The timestamp of the first packet.
  private var first: Int64 = 0
  /// The number of samples so far, including priming.
  private var end = 0
  /// The number of padding samples at the end of the last packet.
  private var dropped = 0
  private var drift = SoundDrift()

  /// Whether the declared duration of the last packet excludes padding.
  private let isTrimmed: Bool
  /// The number of samples that the file declares, or `nil`.
  private let most: Int?
  /// The lengths of Vorbis packets, which containers round or omit; `nil` for other codecs.
  private let lengths: VorbisLengths?

  init(_ track: ClipIndex.SoundTrack, format: String, duration: Int64, headers: [UInt8]) {
    self.track = track
    isTrimmed = format == "ogg"
    lengths = track.codec == "vorbis" ? VorbisLengths(headers: headers) : nil
    // The end of an edit list or the last Ogg page defines the end of the audio.
    let isNamed = format.hasPrefix("mov") || isTrimmed && track.codec == "vorbis"
    let samples = Double(duration) * track.base.seconds * Double(track.rate)
    most = isNamed && duration > 0 && samples < 1e12 ? Int(samples.rounded()) : nil
  }

  /// Counts a packet. `exact` is the number of its samples according to libav; 0 if unknown.
  mutating func add(_ facts: scene_packet, _ packet: Packet, exact: Int) throws(AssetError) {
    let shown = facts.pts
    var (facts, exact) = (facts, exact)
    if let length = lengths?.length(of: packet), length > 0 {
      exact = length
      // In Ogg, libav reports a short block after a long one too short and too late, but with the
      // correct end.
      if isTrimmed, facts.pts != scene_no_time() {
        let ticks = Double(length) / Double(track.rate) / track.base.seconds
        let cut = Double(max(0, facts.dropped)) / Double(track.rate) / track.base.seconds
        facts.pts = facts.pts &+ facts.duration &+ Int64((cut - ticks).rounded())
      }
    }
    dropped = Int(max(0, min(facts.dropped, 1 << 20)))
    var named = Double(facts.duration) * track.base.seconds * Double(track.rate)
    if isTrimmed { named += Double(dropped) }
    // Containers round durations. Opus packets are multiples of 2.5 ms.
    let step = track.codec == "opus" ? 120.0 : 1
    var length = Int(((named.isFinite ? named : 0) / step).rounded() * step)
    if exact > 0, lengths != nil || length == 0 || (length / 2...length * 2).contains(exact) {
      length = exact
    }
    if track.packets.isEmpty {
      if facts.skipped > 0 { track.priming = Int(min(facts.skipped, 1 << 20)) }
      first = facts.pts == scene_no_time() ? 0 : facts.pts
      // A slightly negative start time marks the priming of the encoder.
      let early = -Double(first) * track.base.seconds
      if track.priming == 0, early > 0, early < 0.1 {
        track.priming = Int((early * Double(track.rate)).rounded())
      }
      // A Vorbis decoder outputs nothing for the first packet.
      if track.priming == 0, lengths != nil { track.priming = length }
      let ticks = Double(track.priming) / Double(track.rate) * Double(Ticks.perSecond)
      track.start = (track.base.time(first)?.rawValue ?? 0) + Int64(ticks.rounded())
    }
    if facts.pts != scene_no_time() {
      let named = Double(facts.pts &- first) * track.base.seconds * Double(track.rate)
      let off = named - Double(end)
      // Rounded timestamps and slight clock drift are not gaps. Repeated packets are dropped.
      let jump = off - drift.latest
      if jump < -Double(track.rate) / 50 { return }
      if jump > Double(track.rate) / 50, named < 1e12 { end += Int(jump) }
      drift.add(named - Double(end), at: end, track.rate)
    }
    if let found = packet.invalidSamples(codec: track.codec) {
      let (start, channels) = (end - track.priming, max(1, track.channels))
      let first = max(0, start + found.range.lowerBound / channels)
      let last = max(0, start + found.range.upperBound / channels)
      track.invalid = InvalidSamples(
        count: (track.invalid?.count ?? 0) + found.count, first: track.invalid?.first ?? first,
        last: last)
    }
    track.packets.append(
      ClipIndex.SoundPacket(sample: end, shown: shown, position: facts.position))
    end += max(0, length)
    guard track.packets.count <= 4 * ClipIndex.Limits.pictures else {
      throw .tooLarge("the file has more than 20,000,000 audio packets")
    }
  }

  var finished: ClipIndex.SoundTrack? {
    var it = track
    it.sampleCount = max(0, end - it.priming - dropped)
    if let most {
      // libav discards too much of the last Vorbis packet if its block is shorter than the others.
      let isLonger = isTrimmed && most - it.sampleCount < 8192
      it.sampleCount = isLonger ? most : min(it.sampleCount, most)
    }
    it.lags = drift.lags(it.rate, unit: it.base.seconds)
    return it.sampleCount > 0 ? it : nil
  }
}
