// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel

/// What one scan of a clip's packets finds: what its decoder needs to land on a picture, and what
/// `ClipInfo` is made of.
package struct ClipIndex: Hashable, Sendable {
  /// What may be decoded.
  package enum Limits {
    package static let side = 8192
    package static let streams = 64
    package static let bytes = 64 << 30
    package static let pictures = 5_000_000
    /// What an index itself may take.
    package static let indexBytes = 512 << 20
    package static let headerBytes = 4096
  }

  /// Of the bytes of the streams that are used.
  package var content: ClipDigest
  package var pictures: PictureTrack?
  package var sound: SoundTrack?
  package var remarks: [String]

  package init(
    content: ClipDigest, pictures: PictureTrack? = nil, sound: SoundTrack? = nil,
    remarks: [String] = []
  ) {
    self.content = content
    self.pictures = pictures
    self.sound = sound
    self.remarks = remarks
  }

  /// The stream of a file that pictures are taken from.
  package struct PictureTrack: Hashable, Sendable {
    /// Its number in the file.
    package var stream: Int
    /// As libav names it.
    package var codec: String
    package var base: TimeBase
    /// The rate that the file names.
    package var rate: FrameRate?
    package var storedSize: PixelSize
    /// Width of a pixel for its height.
    package var aspect: TimeBase
    package var orientation: ClipOrientation
    package var format: PictureFormat
    /// libav's number of the format of pixels.
    package var pixels: Int
    /// Whether packets do not say when they are shown, so that pictures are counted from the start.
    package var isCounted: Bool
    /// How long the last picture is shown, 0 when unknown.
    package var lastDuration: Int64
    /// What its decoder needs before the first packet, where packets may be copied: H.264 in an MP4, a MOV or
    /// a Matroska.
    package var headers: [UInt8]
    /// How far behind its position the bytes of such a packet begin.
    package var lead: Int
    /// In the order of decoding.
    package var packets: [PicturePacket]

    package init(
      stream: Int, codec: String, base: TimeBase, rate: FrameRate?, storedSize: PixelSize,
      aspect: TimeBase, orientation: ClipOrientation, format: PictureFormat, pixels: Int,
      isCounted: Bool = false, lastDuration: Int64 = 0, headers: [UInt8] = [],
      lead: Int = 0, packets: [PicturePacket] = []
    ) {
      self.stream = stream
      self.codec = codec
      self.base = base
      self.rate = rate
      self.storedSize = storedSize
      self.aspect = aspect
      self.orientation = orientation
      self.format = format
      self.pixels = pixels
      self.isCounted = isCounted
      self.lastDuration = lastDuration
      self.headers = headers
      self.lead = lead
      self.packets = packets
    }

    /// Pixels as shown.
    package var size: PixelSize {
      let wide = Double(storedSize.width) * max(1, aspect.seconds)
      let high = Double(storedSize.height) * max(1, 1 / aspect.seconds)
      let upright = PixelSize(Int(wide.rounded()), Int(high.rounded()))
      return orientation.quarterTurns % 2 == 0
        ? upright : PixelSize(upright.height, upright.width)
    }
  }

  /// One packet of a picture track.
  package struct PicturePacket: Hashable, Sendable {
    /// When its picture is shown, in units of the track.
    package var shown: Int64
    /// When it is decoded, or what the file says of that.
    package var decoded: Int64
    /// Where it is in the file; -1 when unknown.
    package var position: Int64
    package var size: Int
    /// Whether it can be decoded without those before it.
    package var isKey: Bool
    /// Whether its picture is one of the clip: those before an edit begins are decoded only.
    package var isShown: Bool
    /// Whether it is a key one that no later packet looks behind, where packets may be copied.
    package var beginsAnew: Bool

    package init(
      shown: Int64, decoded: Int64, position: Int64, size: Int, isKey: Bool, isShown: Bool,
      beginsAnew: Bool = false
    ) {
      self.shown = shown
      self.decoded = decoded
      self.position = position
      self.size = size
      self.isKey = isKey
      self.isShown = isShown
      self.beginsAnew = beginsAnew
    }
  }

  /// The stream of a file that sound is taken from.
  package struct SoundTrack: Hashable, Sendable {
    package var stream: Int
    package var codec: String
    package var rate: Int
    package var channels: Int
    /// Which speakers they are for, as in `ClipSound`.
    package var speakers: UInt64
    package var base: TimeBase
    /// Samples that the decoder gives before the first one that is meant.
    package var priming: Int
    /// Samples that are meant.
    package var sampleCount: Int
    /// When the first sample that is meant sounds, in ticks of the file's clock.
    package var start: Int64
    /// As in `ClipSound`.
    package var lags: [Float]
    package var packets: [SoundPacket]

    package init(
      stream: Int, codec: String, rate: Int, channels: Int, speakers: UInt64 = 0, base: TimeBase,
      priming: Int = 0, sampleCount: Int = 0, start: Int64 = 0, lags: [Float] = [],
      packets: [SoundPacket] = []
    ) {
      self.stream = stream
      self.codec = codec
      self.rate = rate
      self.channels = channels
      self.speakers = speakers
      self.base = base
      self.priming = priming
      self.sampleCount = sampleCount
      self.start = start
      self.lags = lags
      self.packets = packets
    }
  }

  /// One packet of a sound track.
  package struct SoundPacket: Hashable, Sendable {
    /// The number of its first sample, priming included.
    package var sample: Int
    /// What the file says of its time.
    package var shown: Int64
    package var position: Int64

    package init(sample: Int, shown: Int64, position: Int64) {
      self.sample = sample
      self.shown = shown
      self.position = position
    }
  }
}

/// In which order the pictures of a clip are decoded, and where decoding can begin.
package struct PictureOrder: Sendable {
  /// The packet of each picture, by the order in which pictures are shown.
  package let packets: [Int32]
  /// The picture of each packet, or -1.
  package let pictures: [Int32]
  /// Packets that decoding can begin at, in rising order.
  package let keys: [Int32]

  package init(_ track: ClipIndex.PictureTrack) {
    let shown = track.packets.indices.filter { track.packets[$0].isShown }
      .sorted { track.packets[$0].shown < track.packets[$1].shown }
    packets = shown.map { Int32($0) }
    var pictures = [Int32](repeating: -1, count: track.packets.count)
    for (picture, packet) in shown.enumerated() { pictures[packet] = Int32(picture) }
    self.pictures = pictures
    keys = track.packets.indices.filter { track.packets[$0].isKey }.map { Int32($0) }
  }

  /// The last packet to begin at for a picture: at or before its own, and shown no later, so that
  /// the pictures that lead a key one are decoded from the key before. 0 where there is no such.
  package func key(for picture: Int, before limit: Int = .max) -> Int {
    let own = min(Int(packets[picture]), limit - 1)
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] <= own { low = middle + 1 } else { high = middle }
    }
    return keys[..<low].last { pictures[Int($0)] <= picture }.map { Int($0) } ?? 0
  }
}

extension ClipInfo {
  /// `nil` where the times of the index make no sense.
  package init?(_ index: ClipIndex, digest: ClipDigest) {
    var pictures: ClipPictures?
    var zero: Ticks?
    if let track = index.pictures {
      let order = PictureOrder(track)
      let shown = order.packets.map { track.packets[Int($0)].shown }
      guard
        let times = ClipTimes(
          shown: shown, in: track.base, lastDuration: track.lastDuration, nominal: track.rate)
      else { return nil }
      zero = track.base.time(shown[0])
      pictures = ClipPictures(
        codec: track.codec, times: times, size: track.size, storedSize: track.storedSize,
        orientation: track.orientation, format: track.format,
        keys: order.keys.map { Int(order.pictures[Int($0)]) }.filter { $0 >= 0 }.sorted(),
        copying: track.copying(order))
    }
    let sound = index.sound.map { track in
      let start = zero.map { track.start.subtractingReportingOverflow($0.rawValue) }
      return ClipSound(
        codec: track.codec, rate: track.rate, channels: track.channels, speakers: track.speakers,
        start: start.flatMap { $0.overflow ? nil : Ticks($0.partialValue) } ?? .zero,
        sampleCount: track.sampleCount, lags: track.lags)
    }
    self.init(digest: digest, pictures: pictures, sound: sound, remarks: index.remarks)
  }
}
