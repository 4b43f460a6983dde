// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneClips
import SceneModel
import ScenePixels

/// Serves requests for audio of one clip until the client closes the channel.
func serveSound(
  of clip: FileStore, index: [UInt8], memory: SharedMemory, channel: MessageChannel
) {
  guard let track = ClipIndex(index)?.sound else { return }
  let most = memory.byteCount / (4 * track.channels)
  var cursor: SoundCursor?
  while let request = channel.next().flatMap({ SoundRequest($0) }) {
    var reply = ClipReply.done(request.count)
    do throws(AssetError) {
      if cursor == nil { cursor = try SoundCursor(clip, track) }
      let count = max(0, min(request.count, most))
      let samples = try cursor?.samples(request.from, count) ?? []
      memory.store(samples, at: 0)
      if let damaged = cursor?.takeDamage() { reply = .damaged(damaged) }
    } catch {
      reply = .refused(error)
    }
    guard channel.send(reply.bytes) else { return }
  }
}

/// Decodes the audio of a clip by sample number.
struct SoundCursor {
  private let store: FileStore
  private let track: ClipIndex.SoundTrack
  private var demuxer: Demuxer
  private var decoder: DecodingContext
  private let packet: Packet
  private let frame: Frame
  /// The index of the next packet to decode.
  private var next = 0
  /// The first packet to decode. Earlier packets are only counted.
  private var begin = 0
  /// The number of the next sample, including priming.
  private var position = 0
  /// Decoded interleaved samples from `position` on.
  private var waiting: [Float] = []
  private var isAtEnd = false
  /// Whether no samples have been decoded since the last seek.
  private var isFresh = true
  /// The first sample of the first packet that could not be decoded since the last request.
  private var damage: Int?
  /// The first sample of a packet that could not be decoded, before another one is decoded. What
  /// follows the last packet of a file, such as a tag, can look like a damaged packet.
  private var suspect: Int?

  init(_ store: FileStore, _ track: ClipIndex.SoundTrack) throws(AssetError) {
    self.store = store
    self.track = track
    packet = try make { () throws(VideoError) in try Packet() }
    frame = try make { () throws(VideoError) in try Frame() }
    (demuxer, decoder) = try SoundCursor.open(store, track)
  }

  private static func open(_ store: FileStore, _ track: ClipIndex.SoundTrack) throws(AssetError)
    -> (Demuxer, DecodingContext)
  {
    let demuxer = try ClipIndexer.open(store)
    guard track.stream < Int(demuxer.nb_streams) else { throw .undecodable("the file has changed") }
    demuxer.choose([track.stream])
    return (demuxer, try decoder(track.codec, of: track.stream, in: demuxer))
  }

  /// Opens the decoder of an audio track.
  static func decoder(_ codec: String, of stream: Int, in demuxer: Demuxer) throws(AssetError)
    -> DecodingContext
  {
    try makeDecoder(codec) { () throws(VideoError) in
      try DecodingContext(
        decoder: Codecs.soundDecoder(codec) ?? "", of: stream, in: demuxer, keepsAll: true)
    }
  }

  /// Returns samples from `from` on, counted without priming. Samples outside the clip are silent.
  mutating func samples(_ from: Int, _ count: Int) throws(AssetError) -> [Float] {
    let channels = track.channels
    let range = (from + track.priming)..<(from + track.priming + count)
    if !(position...position + track.rate / 2).contains(range.lowerBound) { try jump(to: range) }
    var out: [Float] = []
    out.reserveCapacity(count * channels)
    while out.count < count * channels {
      let wanted = range.lowerBound + out.count / channels
      if waiting.isEmpty, !isAtEnd { try decode() }
      if isAtEnd, waiting.isEmpty { break }
      if position > wanted {
        // No samples were decoded for this interval.
        let gap = min(position - wanted, range.upperBound - wanted)
        out += [Float](repeating: 0, count: gap * channels)
        continue
      }
      let skipped = min(waiting.count, (wanted - position) * channels)
      let taken = min(waiting.count - skipped, count * channels - out.count)
      out += waiting[skipped..<skipped + taken]
      waiting.removeFirst(skipped + taken)
      position += (skipped + taken) / channels
    }
    return out + [Float](repeating: 0, count: count * channels - out.count)
  }

  /// Returns the number of priming samples at the start of a track: those of packets without output
  /// and those that the decoder reports as padding.
  static func lead(_ store: FileStore, _ track: ClipIndex.SoundTrack) throws(AssetError) -> Int {
    var cursor = try SoundCursor(store, track)
    try cursor.decode()
    return cursor.isAtEnd ? 0 : max(0, cursor.position) + min(cursor.frame.padding, 1 << 20)
  }

  /// Decodes packets until samples are available.
  private mutating func decode() throws(AssetError) {
    while true {
      let status = decoder.receive(frame)
      if status >= 0 {
        // The position is counted, so that rounded timestamps cut nothing. A large difference is a
        // gap.
        let found = frame.timestamp ?? position
        if isFresh || (found &- position).magnitude > track.rate / 50 { position = found }
        isFresh = false
        (damage, suspect) = (damage ?? suspect, nil)
        waiting = frame.samples(channels: track.channels)
        if !waiting.isEmpty { return }
        continue
      }
      if status == scene_averror_eof() {
        isAtEnd = true
        return
      }
      if status != scene_averror(EAGAIN) { noteDamage() }
      let sent = decoder.send(read() ? packet : nil)
      if sent < 0, sent != scene_averror_eof() { noteDamage() }
    }
  }

  /// Records that the current packet cannot be decoded. After a seek, the first packets may refer
  /// to missing ones.
  private mutating func noteDamage() {
    if !isFresh, next > 0 { suspect = suspect ?? track.packets[next - 1].sample }
  }

  /// Returns the first sample of the first packet that could not be decoded since the last call,
  /// counted without priming, or `nil`.
  mutating func takeDamage() -> Int? {
    defer { damage = nil }
    return damage.map { max(0, $0 - track.priming) }
  }

  /// Reads the next packet of the track and sets its timestamp to the number of its first sample.
  /// Returns `false` at the end.
  private mutating func read() -> Bool {
    while demuxer.read(packet) >= 0 {
      guard packet.streamIndex == track.stream else { continue }
      let facts = packet.facts
      let range = next..<min(next + 64, track.packets.count)
      // Packets outside the table are duplicates or must not be played.
      guard let place = range.first(where: { matches($0, facts) }) else { continue }
      packet.pts = Int64(track.packets[place].sample)
      next = place + 1
      if place < begin { continue }
      return true
    }
    return false
  }

  private func matches(_ number: Int, _ facts: scene_packet) -> Bool {
    guard number < track.packets.count else { return false }
    let known = track.packets[number]
    return known.shown == facts.pts
      && (known.position < 0 || facts.position < 0 || known.position == facts.position)
  }

  /// Seeks to at least a quarter of a second and three packets before the range, because the first
  /// output of a decoder differs from that of a running one.
  private mutating func jump(to range: Range<Int>) throws(AssetError) {
    let early = range.lowerBound - track.rate / 4
    var (low, high) = (0, track.packets.count)
    while low < high {
      let middle = (low + high) / 2
      if track.packets[middle].sample <= early { low = middle + 1 } else { high = middle }
    }
    let first = max(0, low - 4)
    (waiting, isAtEnd, isFresh, begin) = ([], false, true, 0)
    let time = track.packets.isEmpty ? 0 : track.packets[first].shown
    if first == 0 || time == scene_no_time() || demuxer.seek(track.stream, to: time) < 0 {
      try reopen(from: first)
    } else {
      decoder.flush()
      try findPlace(near: first)
    }
    position = track.packets.isEmpty ? 0 : track.packets[first].sample
  }

  /// Reopens the file and decodes from packet `first` on.
  private mutating func reopen(from first: Int) throws(AssetError) {
    (demuxer, decoder) = try SoundCursor.open(store, track)
    (next, begin) = (0, first)
  }

  /// Finds the first packet after a seek in the table. Starts at the beginning of the file if the
  /// packet is unknown or later than expected.
  private mutating func findPlace(near first: Int) throws(AssetError) {
    for _ in 0..<64 {
      guard demuxer.read(packet) >= 0 else { break }
      guard packet.streamIndex == track.stream else { continue }
      let facts = packet.facts
      let place = (max(0, first - 4096)...first).last { matches($0, facts) }
      guard let place else { continue }
      packet.pts = Int64(track.packets[place].sample)
      _ = decoder.send(packet)
      next = place + 1
      return
    }
    try reopen(from: first)
  }
}
