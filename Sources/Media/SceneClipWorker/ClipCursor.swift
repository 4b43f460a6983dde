// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneModel

/// Decodes the frames of a clip by number. Each packet is sent to the decoder with its frame number
/// as the timestamp, so every decoded frame identifies itself.
struct ClipCursor {
  private let store: FileStore
  private let track: ClipIndex.PictureTrack
  private let order: PictureOrder
  private var stream: PictureStream
  /// The number of the next packet to decode.
  private var packet = 0
  /// The first valid frame. Earlier frames precede the keyframe in presentation order and may be
  /// wrong.
  private var floor = 0
  /// The number of the last decoded frame; -1 if there is none since the last seek.
  private var last = -1
  private var isAtEnd = false
  /// A decoded frame after the requested one.
  private var waiting: Frame?
  /// Keyframes at which decoding cannot start despite their flag.
  private var bad: Set<Int> = []
  /// The number of bad keyframes found for the current request.
  private var badCount = 0
  /// The maximum number of bad keyframes. Beyond it, decoding starts at the start of the file.
  private static let greatestBadCount = 16
  /// Whether the decoder uses a large reorder depth.
  private var isDeep = false
  /// Keyframes after which a large reorder depth did not help. With it, a decoder can mix the
  /// frames on both sides of a damaged keyframe.
  private var shallow: Set<Int> = []
  /// Whether the current frames may refer to a frame that was damaged or missing since the last
  /// keyframe.
  private var isSpoilt = false

  /// The maximum distance, in packets, from the expected position in the search for a packet.
  private static let reach = 4096

  init(_ store: FileStore, _ track: ClipIndex.PictureTrack) throws(AssetError) {
    self.store = store
    self.track = track
    order = PictureOrder(track)
    stream = try PictureStream(store, track)
  }

  /// Decodes a frame, which is valid until the next call.
  mutating func picture(_ number: Int) throws(AssetError) -> Frame {
    let wasDeep = isDeep
    do throws(AssetError) {
      return try decoded(number)
    } catch {
      if isDeep, !wasDeep {
        // Whether other frames can be decoded must not depend on earlier requests.
        isDeep = false
        shallow.insert(key(for: number))
        try reopen()
      }
      throw error
    }
  }

  private mutating func decoded(_ number: Int) throws(AssetError) -> Frame {
    badCount = 0
    if !canRunOn(to: number) { try jump(to: number) }
    while true {
      guard let frame = try nextFrame() else {
        isAtEnd = true
        if try retry(number) { continue }
        throw .undecodable("the frame is missing in the file")
      }
      guard let found = frame.timestamp, found >= floor, found < order.packets.count else {
        continue
      }
      // After a keyframe that is an I-frame, all frames are correct. A gradual refresh may be
      // incomplete.
      if stream.isDraining, track.codec == "h264", last < 0,
        found > floor || frame.pict_type != AV_PICTURE_TYPE_I
      {
        continue
      }
      // Decoding started too late, as with gradual intra refresh, or frames are missing in between.
      let isGap = found > (last < 0 ? floor : last + 1)
      if isGap, try retry(number) { continue }
      let isHole = isGap && last >= 0
      last = max(last, found)
      let isWhole = frame.flags & AV_FRAME_FLAG_CORRUPT == 0 && frame.decode_error_flags == 0
      if track.packets[Int(order.packets[found])].isKey { isSpoilt = false }
      // Other frames hardly ever refer to a B-frame.
      if isHole || !isWhole && frame.pict_type != AV_PICTURE_TYPE_B { isSpoilt = true }
      if found < number { continue }
      if found > number { waiting = frame }
      guard found == number, isWhole, !isSpoilt else {
        throw .undecodable("damaged data")
      }
      return frame
    }
  }

  private mutating func nextFrame() throws(AssetError) -> Frame? {
    if let frame = waiting {
      waiting = nil
      return frame
    }
    var next = packet
    defer { packet = next }
    guard !track.isCounted else {
      let count = { (_: Packet) in
        next += 1
        return true
      }
      guard let frame = try stream.next(count) else { return nil }
      frame.pts = Int64(last + 1)
      return frame
    }
    return try stream.next { packet in
      let facts = packet.facts
      guard let place = matches(next, facts) ? next : find(facts, near: next) else { return false }
      packet.pts = Int64(order.pictures[place])
      packet.dts = Int64(place)
      next = place + 1
      return true
    }
  }

  private func canRunOn(to number: Int) -> Bool {
    if let waiting { if Int(waiting.pts) <= number { return true } else { return false } }
    guard !isAtEnd, number > last, number >= floor else { return false }
    if track.isCounted { return true }
    let own = Int(order.packets[number])
    return max(0, own - packet) <= own - key(for: number) + 3
  }

  // MARK: Seeking

  private func key(for number: Int) -> Int {
    var limit = Int.max
    while true {
      let key = order.key(for: number, before: limit)
      if key == 0 || !bad.contains(key) { return key }
      limit = key
    }
  }

  /// Prepares another attempt to decode a missing frame: from an earlier keyframe, or with a
  /// greater reorder depth. Returns `false` if no attempt remains.
  private mutating func retry(_ number: Int) throws(AssetError) -> Bool {
    guard !track.isCounted else { return false }
    let key = key(for: number)
    if last < 0, key > 0 {
      bad.insert(key)
      badCount += 1
      if badCount > ClipCursor.greatestBadCount {
        bad.formUnion(order.keys.lazy.map { Int($0) }.filter { $0 <= key })
      }
    } else if !isDeep, !shallow.contains(key) {
      // The reorder depth of the decoder may have been too small.
      isDeep = true
      try reopen()
    } else {
      return false
    }
    try jump(to: number)
    return true
  }

  private mutating func reopen() throws(AssetError) {
    stream = try PictureStream(store, track, reordering: isDeep ? 15 : 0)
    (packet, floor, last, isAtEnd, waiting, isSpoilt) = (0, 0, -1, false, nil, false)
  }

  private mutating func jump(to number: Int) throws(AssetError) {
    let key = track.isCounted ? 0 : key(for: number)
    let isFresh = packet == 0 && last < 0 && waiting == nil
    if key == 0 {
      if !isFresh { try reopen() }
      return
    }
    // Some decoders identify the encoder from the first packet.
    if isFresh, track.codec == "h264", stream.read() { _ = stream.decoder.send(stream.packet) }
    let own = order.keys.firstIndex { Int($0) >= key } ?? 0
    var back = 0
    while true {
      let from = back > own ? 0 : Int(order.keys[own - back])
      if try land(on: key, from: from) { break }
      guard from > 0 else { throw .undecodable("the keyframe of the frame was not found") }
      back = max(1, back * 4)
    }
    floor = max(0, Int(order.pictures[key]))
    (last, isAtEnd, waiting, isSpoilt) = (-1, false, nil, false)
  }

  /// Seeks to a keyframe, or to an earlier packet, and searches the packets read from there for the
  /// keyframe. Returns whether it was found.
  private mutating func land(on key: Int, from: Int) throws(AssetError) -> Bool {
    if from == 0 {
      try reopen()
    } else {
      guard seek(to: track.packets[from]) >= 0 else { return false }
    }
    stream.flush()
    var place: Int?
    // Beyond a few groups of pictures, no packet will match.
    for _ in 0..<max(2000, 2 * (key - from)) {
      guard stream.read() else { return false }
      let facts = stream.packet.facts
      place = place.map { $0 + 1 }
      if place.map({ matches($0, facts) }) != true { place = find(facts, near: key) }
      guard let place, place >= key else { continue }
      guard place == key else { return false }
      stream.isHolding = true
      packet = key
      return true
    }
    return false
  }

  private func seek(to packet: ClipIndex.PicturePacket) -> Int32 {
    let isPlain = ["mpegts", "mpeg"].contains(stream.demuxer.formatName)
    if isPlain, packet.position >= 0 { return stream.demuxer.seek(toByte: packet.position) }
    return stream.demuxer.seek(track.stream, to: packet.shown)
  }

  private func matches(_ place: Int, _ facts: scene_packet) -> Bool {
    guard place >= 0, place < track.packets.count else { return false }
    let known = track.packets[place]
    return known.shown == facts.pts && known.size == Int(facts.size)
      && (known.position < 0 || facts.position < 0 || known.position == facts.position)
  }

  /// Returns the index of a packet in the table, searched outward from a position; `nil` if it is
  /// not within `reach`.
  private func find(_ facts: scene_packet, near place: Int) -> Int? {
    for distance in 0..<ClipCursor.reach {
      if matches(place - distance, facts) { return place - distance }
      if matches(place + distance, facts) { return place + distance }
    }
    return nil
  }
}
