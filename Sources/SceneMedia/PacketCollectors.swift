// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneModel
import SceneSystem

/// Makes the table of a picture track from its packets.
struct PictureCollector {
  private(set) var track: ClipIndex.PictureTrack
  /// The packet that is shown last, and the one before that was, with their lengths.
  private var latest: (shown: Int64, duration: Int64)?
  private var earlier: (shown: Int64, duration: Int64)?
  /// Whether the file ends within the last packet.
  private var endsEarly = false
  /// The number of packets that cannot be whole, and the time of the first.
  private(set) var damage: (count: Int, first: Int64)?
  /// How the units of H.264 and H.265 are stored; `nil` for other codecs and containers.
  private let lengths: UnitLengths?

  private let file: Int32

  /// Codecs whose pictures are changes of the one before, whatever their packets say.
  private static let chained: Set<String> = ["gif", "apng"]

  init(_ track: ClipIndex.PictureTrack, in file: Int32, headers: [UInt8]) {
    (self.track, self.file) = (track, file)
    lengths = UnitLengths(codec: track.codec, headers: headers)
  }

  mutating func add(_ facts: scene_packet, _ packet: Packet) throws(AssetFault) {
    let isFirst = track.packets.isEmpty
    let isWhole = lengths.map { lengths in packet.withBytes { lengths.fit($0) } } ?? true
    // libav takes the flag away from a packet that it cannot parse. The first one of a file has it.
    let isKey =
      (facts.flags & AV_PKT_FLAG_KEY != 0 || isFirst && !isWhole)
      && (isFirst || !PictureCollector.chained.contains(track.codec))
    // What comes before the first one that can be decoded is lost.
    guard isKey || !isFirst else { return }
    // A frame of VP8 that others refer to and that is never shown.
    let isHidden = track.codec == "vp8" && (packet.content.first ?? 0) & 16 == 0
    var beginsAnew = false
    if !track.headers.isEmpty {
      let units = packet.withBytes { lengthPrefixedUnits($0)?.map(\.type) }
      // Parameter sets that are not those of the header belong to other packets than these.
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

  /// Whether both ends of a packet are in the file where they should be: a container may leave out or
  /// pack some of it.
  private func isFound(_ packet: Packet, _ position: Int64) -> Bool {
    let bytes = packet.content
    let start = Int(position) + track.lead
    return [
      (bytes.prefix(16), start), (bytes.suffix(16), start + bytes.count - min(16, bytes.count)),
    ]
    .allSatisfy { end, place in
      position >= 0 && Files.head(of: file, from: place, count: end.count)[...] == end
    }
  }

  /// The damage that packets show without being decoded: what `check` says of the clip.
  var remark: String? {
    guard let damage, let start = track.packets.map(\.shown).min() else { return nil }
    let seconds = Double(damage.first &- start) * track.base.seconds
    let time = Ticks(rounding: seconds * Double(Ticks.perSecond)) ?? .zero
    return ClipFault.remark(count: damage.count, first: time)
  }

  static func judge(_ count: Int) throws(AssetFault) {
    guard count <= ClipIndex.Limits.pictures else {
      throw .tooLarge("the file has more than 5 000 000 frames, the limit 'clip-pictures'")
    }
  }

  var finished: ClipIndex.PictureTrack {
    var it = track
    var end = latest
    if endsEarly, it.packets.count > 1, let cut = it.packets.popLast(), cut.shown == end?.shown {
      end = earlier
    }
    it.lastDuration = end?.duration ?? it.lastDuration
    // Pictures that lead the first key one refer to some that are not there.
    let first = track.packets.first?.shown ?? 0
    for at in it.packets.indices where it.packets[at].shown < first {
      it.packets[at].isShown = it.isUnclear && it.packets[at].isShown
    }
    return it
  }
}

/// The lengths before the units of H.264 and H.265 in MP4, MOV and Matroska (ISO/IEC 14496-15).
///
/// In a packet that was overwritten they hardly ever fit.
private struct UnitLengths {
  /// Bytes of each length.
  private let size: Int

  init?(codec: String, headers: [UInt8]) {
    switch codec {
    case "h264" where headers.count > 6 && headers[0] == 1: size = Int(headers[4] & 3) + 1
    case "hevc" where headers.count > 22 && headers[0] == 1: size = Int(headers[21] & 3) + 1
    default: return nil
    }
  }

  /// Whether they end within the packet, and one unit is not empty.
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
  /// Whether packets do not say in which order pictures are shown.
  var isUnclear: Bool {
    let times = packets.filter(\.isShown).map(\.shown)
    return times.contains(scene_no_time()) || Set(times).count < times.count
  }
}

/// Counts the samples of a sound track.
struct SoundCounter {
  private(set) var track: ClipIndex.SoundTrack
  /// What the file says of the first packet's time.
  private var first: Int64 = 0
  /// Samples so far, priming included.
  private var end = 0
  /// Samples at the end of the last packet that are not meant.
  private var dropped = 0
  private var drift = SoundDrift()

  /// Whether the length of a last packet, as the file says it, is that of the samples that are meant.
  private let isTrimmed: Bool
  /// Samples that the file says that there are; `nil` where it does not.
  private let most: Int?
  /// Lengths of Vorbis packets, which containers round or do not store; `nil` for other codecs.
  private let lengths: VorbisLengths?

  init(_ track: ClipIndex.SoundTrack, format: String, duration: Int64, headers: [UInt8]) {
    self.track = track
    isTrimmed = format == "ogg"
    lengths = track.codec == "vorbis" ? VorbisLengths(headers: headers) : nil
    // With an edit list, that is where it ends, as it is where the last page of Ogg says.
    let isNamed = format.hasPrefix("mov") || isTrimmed && track.codec == "vorbis"
    let samples = Double(duration) * track.base.seconds * Double(track.rate)
    most = isNamed && duration > 0 && samples < 1e12 ? Int(samples.rounded()) : nil
  }

  /// Counts a packet. `exact` is the number of its samples by libav, 0 if unknown.
  mutating func add(_ facts: scene_packet, _ packet: Packet, exact: Int) throws(AssetFault) {
    let shown = facts.pts
    var (facts, exact) = (facts, exact)
    if let length = lengths?.length(of: packet), length > 0 {
      exact = length
      // In Ogg, libav counts a short block after a long one too short and puts it too late. Its end is right.
      if isTrimmed, facts.pts != scene_no_time() {
        let ticks = Double(length) / Double(track.rate) / track.base.seconds
        let cut = Double(max(0, facts.dropped)) / Double(track.rate) / track.base.seconds
        facts.pts = facts.pts &+ facts.duration &+ Int64((cut - ticks).rounded())
      }
    }
    dropped = Int(max(0, min(facts.dropped, 1 << 20)))
    var named = Double(facts.duration) * track.base.seconds * Double(track.rate)
    if isTrimmed { named += Double(dropped) }
    // Containers round; packets of Opus are multiples of 2.5 ms.
    let step = track.codec == "opus" ? 120.0 : 1
    var length = Int(((named.isFinite ? named : 0) / step).rounded() * step)
    if exact > 0, lengths != nil || length == 0 || (length / 2...length * 2).contains(exact) {
      length = exact
    }
    if track.packets.isEmpty {
      if facts.skipped > 0 { track.priming = Int(min(facts.skipped, 1 << 20)) }
      first = facts.pts == scene_no_time() ? 0 : facts.pts
      // What a file puts a little before its zero is what the encoder put in front.
      let early = -Double(first) * track.base.seconds
      if track.priming == 0, early > 0, early < 0.1 {
        track.priming = Int((early * Double(track.rate)).rounded())
      }
      // A decoder of Vorbis gives nothing for the first packet.
      if track.priming == 0, lengths != nil { track.priming = length }
      let ticks = Double(track.priming) / Double(track.rate) * Double(Ticks.perSecond)
      track.start = (track.base.time(first)?.rawValue ?? 0) + Int64(ticks.rounded())
    }
    if facts.pts != scene_no_time() {
      let named = Double(facts.pts &- first) * track.base.seconds * Double(track.rate)
      let off = named - Double(end)
      // Rounded times and a clock that is a little wrong are no gap; what comes twice is heard once.
      let jump = off - drift.latest
      if jump < -Double(track.rate) / 50 { return }
      if jump > Double(track.rate) / 50, named < 1e12 { end += Int(jump) }
      drift.add(named - Double(end), at: end, track.rate)
    }
    track.packets.append(
      ClipIndex.SoundPacket(sample: end, shown: shown, position: facts.position))
    end += max(0, length)
    guard track.packets.count <= 4 * ClipIndex.Limits.pictures else {
      throw .tooLarge("the file has more than 20 000 000 audio packets")
    }
  }

  var finished: ClipIndex.SoundTrack? {
    var it = track
    it.sampleCount = max(0, end - it.priming - dropped)
    if let most {
      // Of the last packet of Vorbis, libav drops too much where its block is smaller than others.
      let isLonger = isTrimmed && most - it.sampleCount < 8192
      it.sampleCount = isLonger ? most : min(it.sampleCount, most)
    }
    it.lags = drift.lags(it.rate, unit: it.base.seconds)
    return it.sampleCount > 0 ? it : nil
  }
}
