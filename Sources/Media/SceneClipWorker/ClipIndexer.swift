// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneGraphics
import SceneModel
import SceneSystem

/// Builds the index of a clip in a single scan of its packets.
struct ClipIndexer {
  private let store: FileStore
  private var demuxer: Demuxer
  /// Packets that were read to determine the pixel format.
  private var ahead: [Packet] = []
  private var hash = ContentHash()
  private var remarks: [String] = []
  /// The time in seconds before the damaged part of the file.
  private var damaged: Double?

  /// The containers whose demuxer reports errors only for damaged files.
  private static let checked = ["matroska", "ogg"]

  init(_ store: FileStore) throws(AssetError) {
    self.store = store
    demuxer = try ClipIndexer.open(store)
  }

  /// Opens a demuxer and reads the stream information. The pixel format remains unset if the header
  /// of the first frame contains it, unless `decodes` is `true`.
  static func open(_ store: FileStore, decodes: Bool = false) throws(AssetError) -> Demuxer {
    do throws(VideoError) {
      let it = try Demuxer(store, formats: Codecs.formats, codecs: Codecs.decoders)
      let status = it.findStreams(decodes: decodes)
      if status < 0 { throw VideoError("read its streams", status) }
      return it
    } catch {
      if let format = store.unsupportedFormat {
        throw .unsupported(format)
      }
      throw .undecodable(ClipIndexer.refusal(of: store, error))
    }
  }

  /// Returns the reason why a file cannot be opened, depending on the format that its first bytes
  /// indicate. The messages of libav, such as "Invalid argument", do not distinguish damaged files
  /// from other files.
  private static func refusal(of store: FileStore, _ failure: VideoError) -> String {
    if failure.code == ENOMEM { return PictureStream.noMemory }
    switch store.namedFormat {
    case "MP4"?:
      return "the index of the MP4 or MOV file is incomplete; the file is truncated or damaged"
    case let name?: return "\(name) with a truncated or damaged header"
    case nil: return "unknown clip format"
    }
  }

  mutating func index() throws(AssetError) -> ClipIndex {
    guard demuxer.nb_streams <= ClipIndex.Limits.streams else {
      throw .tooLarge(
        "\(demuxer.nb_streams) streams exceed the limit of \(ClipIndex.Limits.streams) for a clip"
      )
    }
    try learnFormat()
    let streams = (0..<Int(demuxer.nb_streams)).map(demuxer.stream)
    var collector = try pictureTrack(streams).map {
      PictureCollector($0, in: store.file, headers: demuxer.headers(of: $0.stream))
    }
    var counter = soundTrack(streams).map {
      SoundCounter(
        $0, format: demuxer.formatName, duration: streams[$0.stream].duration,
        headers: demuxer.headers(of: $0.stream))
    }
    let chosen = [collector?.track.stream, counter?.track.stream].compactMap { $0 }
    demuxer.choose(chosen)
    for stream in chosen { demuxer.headers(of: stream).lend { hash.add($0) } }
    let status = try scan(&collector, &counter)
    var pictures = collector?.finished
    if let track = pictures, track.isUnclear { pictures = try counted(track) }
    if pictures?.packets.contains(where: \.isShown) != true { pictures = nil }
    var sound = counter?.finished
    // ADTS has no timestamps. The audio starts at 0 after the priming.
    if let track = sound, demuxer.formatName == "aac" {
      let lead = max(0, try SoundCursor.lead(store, track) - track.priming)
      sound?.priming += lead
      sound?.sampleCount -= lead
    }
    guard pictures != nil || sound != nil else {
      throw .undecodable(remarks.first ?? "the file has neither video nor audio")
    }
    judgeEnd(pictures: pictures, sound: sound, status: status)
    if let damaged, remarks.isEmpty {
      remarks.append("the file is damaged at \(seconds(damaged))")
    }
    if let remark = collector?.remark { remarks.append(remark) }
    return ClipIndex(content: hash.digest, pictures: pictures, sound: sound, remarks: remarks)
  }

  // MARK: Streams

  /// Determines the pixel format from the header of the first frame, or else by decoding it.
  private mutating func learnFormat() throws(AssetError) {
    let streams = (0..<Int(demuxer.nb_streams)).map(demuxer.stream)
    guard let number = preferred(streams, AVMEDIA_TYPE_VIDEO), streams[number].format < 0,
      demuxer.tellsByHead(number)
    else { return }
    while ahead.count < 4096 {
      let packet = try make { () throws(VideoError) in try Packet() }
      guard demuxer.read(packet) >= 0 else { break }
      ahead.append(packet)
      guard packet.streamIndex == number else { continue }
      if demuxer.readHead(packet) { return }
      break
    }
    ahead = []
    demuxer = try ClipIndexer.open(store, decodes: true)
  }

  private func preferred(_ streams: [scene_stream], _ kind: AVMediaType) -> Int? {
    let own = streams.indices.filter {
      streams[$0].kind == kind.rawValue
        && streams[$0].disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
    return own.first { streams[$0].disposition & AV_DISPOSITION_DEFAULT != 0 } ?? own.first
  }

  private func pictureTrack(_ streams: [scene_stream]) throws(AssetError)
    -> ClipIndex.PictureTrack?
  {
    guard let number = preferred(streams, AVMEDIA_TYPE_VIDEO) else { return nil }
    let facts = streams[number]
    let codec = codecName(facts.codec)
    guard Codecs.pictureDecoder(codec, hasAlpha: facts.has_alpha != 0) != nil else {
      let name = codec == "none" ? "an unknown codec" : "the codec \(codec)"
      throw .undecodable(
        "\(name) is not supported for video; supported codecs are \(Codecs.pictureNames)")
    }
    let size = PixelSize(Int(facts.width), Int(facts.height))
    guard size.width <= ClipIndex.Limits.side, size.height <= ClipIndex.Limits.side else {
      throw .tooLarge(
        "a side of \(size) exceeds the limit of \(ClipIndex.Limits.side) pixels for a clip")
    }
    guard facts.dolby_vision != 5 else {
      throw .undecodable(
        "Dolby Vision profile 5 is not supported; export the clip as HDR10, HLG or SDR")
    }
    guard size.width > 0, size.height > 0, facts.format >= 0, facts.base.num > 0 else { return nil }
    let (format, pixels) = PictureFormat.of(facts)
    let headers = demuxer.headers(of: number)
    let isCopied =
      codec == "h264" && ["mov", "matroska"].contains { demuxer.formatName.hasPrefix($0) }
      && headers.count <= ClipIndex.Limits.headerBytes
    return ClipIndex.PictureTrack(
      stream: number, codec: codec, base: TimeBase(facts.base), rate: FrameRate(facts.rate),
      storedSize: size, aspect: facts.aspect.num > 0 ? TimeBase(facts.aspect) : TimeBase(1, 1),
      orientation: try ClipOrientation(facts), format: format, pixels: Int(pixels),
      headers: isCopied ? headers : [],
      // A Matroska block starts with its track number, a timestamp and flags.
      lead: demuxer.formatName.hasPrefix("matroska") ? 4 : 0)
  }

  private mutating func soundTrack(_ streams: [scene_stream]) -> ClipIndex.SoundTrack? {
    guard let number = preferred(streams, AVMEDIA_TYPE_AUDIO) else { return nil }
    let facts = streams[number]
    let codec = codecName(facts.codec)
    guard Codecs.soundDecoder(codec) != nil, facts.sample_rate > 0, facts.channels > 0 else {
      remarks.append(
        codec == "none"
          ? "its sound uses an unknown codec"
          : "its sound uses the codec \(codec), which is not supported")
      return nil
    }
    guard (try? SoundCursor.decoder(codec, of: number, in: demuxer)) != nil else {
      remarks.append("its sound has a damaged or unsupported header")
      return nil
    }
    var priming = Int(max(0, min(facts.padding, 1 << 20)))
    let headers = demuxer.headers(of: number)
    // The decoder uses the pre-skip of the Opus header (RFC 7845, section 5.1) instead of the
    // container's delay.
    if codec == "opus", headers.count > 11, headers.starts(with: Array("OpusHead".utf8)) {
      priming = Int(headers[10]) | Int(headers[11]) << 8
    }
    return ClipIndex.SoundTrack(
      stream: number, codec: codec, rate: Int(facts.sample_rate), channels: Int(facts.channels),
      speakers: facts.speakers, base: TimeBase(facts.base),
      priming: priming)
  }

  // MARK: Packets

  /// Reads all packets and returns the status at the end.
  private mutating func scan(
    _ pictures: inout PictureCollector?, _ sound: inout SoundCounter?
  ) throws(AssetError) -> Int32 {
    let chosen = [pictures?.track.stream, sound?.track.stream]
    for packet in ahead where chosen.contains(packet.streamIndex) {
      try scan(packet, pictures: &pictures, sound: &sound)
    }
    ahead = []
    let packet = try make { () throws(VideoError) in try Packet() }
    let isChecked = ClipIndexer.checked.contains { demuxer.formatName.hasPrefix($0) }
    var time = 0.0
    var gap = (start: 0.0, length: 0.0)
    while true {
      let status = demuxer.read(packet)
      guard status >= 0 else {
        // The demuxer reads ahead, so the gap between the packets shows where the damage is.
        if isChecked, demuxer.errorCount > 0 {
          let rest = Double(demuxer.duration) / 1e6 - time
          damaged = rest > gap.length ? time : gap.start
        }
        return status
      }
      if isChecked, let base = base(of: packet, pictures?.track, sound?.track) {
        let shown = packet.facts.pts
        let next = shown == scene_no_time() ? time : Double(shown) * base.seconds
        if next - time > gap.length { gap = (time, next - time) }
        time = max(time, next)
      }
      try scan(packet, pictures: &pictures, sound: &sound)
      packet.clear()
    }
  }

  /// Returns the unit of a packet's timestamps.
  private func base(
    of packet: Packet, _ pictures: ClipIndex.PictureTrack?, _ sound: ClipIndex.SoundTrack?
  ) -> TimeBase? {
    if packet.streamIndex == pictures?.stream { return pictures?.base }
    return packet.streamIndex == sound?.stream ? sound?.base : nil
  }

  private mutating func scan(
    _ packet: Packet, pictures: inout PictureCollector?, sound: inout SoundCounter?
  ) throws(AssetError) {
    let facts = packet.facts
    packet.withBytes { hash.add($0) }
    if Int(facts.stream) == pictures?.track.stream {
      try pictures?.add(facts, packet)
    } else if Int(facts.stream) == sound?.track.stream {
      let exact = demuxer.soundLength(of: Int(facts.stream), bytes: facts.size)
      try sound?.add(facts, packet, exact: exact)
    }
  }

  /// Decodes and counts all frames of a track whose packets lack presentation timestamps.
  private func counted(_ track: ClipIndex.PictureTrack) throws(AssetError)
    -> ClipIndex.PictureTrack
  {
    var track = track
    let stream = try PictureStream(store, track)
    var times: [Int64] = []
    while let frame = try stream.next() {
      times.append(frame.best_effort_timestamp)
      try PictureCollector.judge(times.count)
    }
    let rate = track.rate ?? FrameRate(25, 1)
    let isRising =
      !times.contains(scene_no_time()) && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
    if !isRising {
      track.base = TimeBase(rate.denominator, rate.numerator)
      times = times.indices.map { Int64($0) }
      track.lastDuration = 1
    }
    track.isCounted = true
    track.packets = times.enumerated().map { number, time in
      ClipIndex.PicturePacket(
        shown: time, decoded: Int64(number), position: -1, size: 0, isKey: number == 0,
        isShown: true)
    }
    return track
  }

  /// Reports a file that ends before the duration in its header.
  private mutating func judgeEnd(
    pictures: ClipIndex.PictureTrack?, sound: ClipIndex.SoundTrack?, status: Int32
  ) {
    guard let track = pictures, let last = track.packets.map(\.shown).max() else {
      if let sound { judgeEnd(of: sound, status) }
      return
    }
    let facts = demuxer.stream(track.stream)
    let first = facts.start == scene_no_time() ? 0 : facts.start
    let end = Double(last &- first) * track.base.seconds
    // Whether the duration is that of a header. Others are estimated from the file.
    let isNamed =
      demuxer.duration_estimation_method == AVFMT_DURATION_FROM_STREAM && !store.isStreamedRIFF
    let isCutOff = store.isCutOff
    var meant = 0.0
    if isNamed, facts.duration > 0 {
      meant = Double(facts.duration) * track.base.seconds
    } else if isNamed, demuxer.nb_streams == 1 || isCutOff, demuxer.duration > 0 {
      // The end of a Matroska file, which may start later than 0.
      meant = Double(demuxer.duration) / 1e6 - max(0, Double(first) * track.base.seconds)
    }
    let step = track.rate.map { 1 / $0.value } ?? 0.04
    if isCutOff || meant > 0 && end + 2 * step + 0.5 < meant {
      remarks.append(truncation(at: end + step, of: meant))
    } else if status != scene_averror_eof() {
      remarks.append("the file is damaged after \(seconds(end + step))")
    }
    let named = isNamed ? Double(demuxer.duration) / 1e6 : 0
    if named > 0, end > 1.5 * named + 1 {
      remarks.append(
        "the last frame is at \(seconds(end)), but the header of the file names a duration of \(seconds(named))"
      )
    }
  }

  /// Reports an audio-only file that ends before the duration in its header.
  private mutating func judgeEnd(of track: ClipIndex.SoundTrack, _ status: Int32) {
    let end = Double(track.sampleCount) / Double(track.rate)
    let facts = demuxer.stream(track.stream)
    var meant = facts.duration > 0 ? Double(facts.duration) * track.base.seconds : 0
    var isNamed = demuxer.duration_estimation_method == AVFMT_DURATION_FROM_STREAM
    // For a truncated WAV, libav reports only the duration of the remaining data.
    if demuxer.formatName == "wav", let share = store.shareOfRIFF {
      (meant, isNamed) = (end / share, true)
    }
    // Programs that write to a pipe store the largest possible size.
    let isShort = isNamed && meant * Double(track.rate * track.channels) < 1e9 && end + 0.1 < meant
    if isShort || store.isCutOff {
      remarks.append(truncation(at: end, of: meant))
    } else if status != scene_averror_eof() {
      remarks.append("the file is damaged after \(seconds(end))")
    }
  }

  /// Returns the remark about a file that ends too early. `meant` may be unknown or too short.
  private func truncation(at end: Double, of meant: Double) -> String {
    let (found, whole) = (seconds(end), seconds(meant))
    if found == whole { return "the end of the file is missing" }
    return "the file is truncated at \(found)" + (meant > end ? " of \(whole)" : "")
  }

  private func seconds(_ value: Double) -> String {
    Ticks(rounding: (value * 10).rounded() / 10 * Double(Ticks.perSecond))?.description
      ?? "the start"
  }
}

/// Returns an object that libav allocates. Throws if allocation fails.
func make<T>(_ body: () throws(VideoError) -> T) throws(AssetError) -> T {
  do throws(VideoError) { return try body() } catch { throw .undecodable(PictureStream.noMemory) }
}

/// Returns a decoder for a track. Throws if none is available.
func makeDecoder(_ codec: String, _ body: () throws(VideoError) -> DecodingContext?)
  throws(AssetError) -> DecodingContext
{
  do throws(VideoError) {
    if let made = try body() { return made }
  } catch {
    throw .undecodable(
      error.code == ENOMEM
        ? PictureStream.noMemory : "the header of its \(codec) track is damaged or not supported")
  }
  throw .undecodable("no decoder for \(codec) is available")
}
