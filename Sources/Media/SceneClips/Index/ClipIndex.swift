// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel

/// The result of scanning a clip's packets: the data for frame-exact seeking and the source of
/// `ClipInfo`.
package struct ClipIndex: Hashable, Sendable {
  /// The limits of supported clips.
  package enum Limits {
    package static let side = 8192
    package static let streams = 64
    package static let bytes = 64 << 30
    package static let pictures = 5_000_000
    /// The maximum size of an index itself, in bytes.
    package static let indexBytes = 512 << 20
    package static let headerBytes = 4096
  }

  /// The digest of the content of the streams in use.
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

  /// The video stream of a file.
  package struct PictureTrack: Hashable, Sendable {
    /// The index of the stream in the file.
    package var stream: Int
    /// The codec's name in libav.
    package var codec: String
    package var base: TimeBase
    /// The frame rate declared by the file.
    package var rate: FrameRate?
    package var storedSize: PixelSize
    /// The pixel aspect ratio: width divided by height.
    package var aspect: TimeBase
    package var orientation: ClipOrientation
    package var format: PictureFormat
    /// The number of the pixel format in libav.
    package var pixels: Int
    /// Whether packets lack presentation timestamps, so that frames are counted from the start.
    package var isCounted: Bool
    /// The duration of the last frame; 0 if unknown.
    package var lastDuration: Int64
    /// The codec headers for copying packets: H.264 in MP4, MOV or Matroska.
    package var headers: [UInt8]
    /// The offset of a copyable packet's data from its position, in bytes.
    package var lead: Int
    /// The packets in decoding order.
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

    /// The display size in pixels.
    package var size: PixelSize {
      let wide = Double(storedSize.width) * max(1, aspect.seconds)
      let high = Double(storedSize.height) * max(1, 1 / aspect.seconds)
      let upright = PixelSize(Int(wide.rounded()), Int(high.rounded()))
      return orientation.quarterTurns % 2 == 0
        ? upright : PixelSize(upright.height, upright.width)
    }
  }

  /// A packet of a video track.
  package struct PicturePacket: Hashable, Sendable {
    /// The presentation timestamp in units of the track.
    package var shown: Int64
    /// The decoding timestamp, or the value that the file declares for it.
    package var decoded: Int64
    /// The byte offset in the file; -1 if unknown.
    package var position: Int64
    package var size: Int
    /// Whether the packet can be decoded without earlier packets.
    package var isKey: Bool
    /// Whether the frame belongs to the clip. Frames before the start of an edit are decoded only.
    package var isShown: Bool
    /// Whether the packet is a keyframe that no later packet refers across, in streams that can be
    /// copied.
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

  /// The audio stream of a file.
  package struct SoundTrack: Hashable, Sendable {
    package var stream: Int
    package var codec: String
    package var rate: Int
    package var channels: Int
    /// The channel layout, as in `ClipSound`.
    package var speakers: UInt64
    package var base: TimeBase
    /// The number of decoded samples before the first audible one.
    package var priming: Int
    /// The number of audible samples.
    package var sampleCount: Int
    /// The time of the first audible sample, in ticks of the file's clock.
    package var start: Int64
    /// The clock drift, as in `ClipSound`.
    package var lags: [Float]
    /// The samples that are NaN or infinite; `nil` if there are none.
    package var invalid: InvalidSamples?
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

  /// A packet of an audio track.
  package struct SoundPacket: Hashable, Sendable {
    /// The index of its first sample, including priming.
    package var sample: Int
    /// The timestamp in the file.
    package var shown: Int64
    package var position: Int64

    package init(sample: Int, shown: Int64, position: Int64) {
      self.sample = sample
      self.shown = shown
      self.position = position
    }
  }
}

/// The decoding order of a clip's frames and the positions where decoding can start.
package struct PictureOrder: Sendable {
  /// The index of the packet of each frame, in presentation order.
  package let packets: [Int32]
  /// The index of the frame of each packet; -1 for packets without a visible frame.
  package let pictures: [Int32]
  /// The indices of packets at which decoding can start, ascending.
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

  /// Returns the last packet from which to start decoding for a frame. This keyframe is neither
  /// decoded nor displayed after the frame, so frames that precede a keyframe in presentation order
  /// are decoded from the previous keyframe. Returns 0 if no keyframe qualifies.
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
  /// Derives the properties of a clip from its index; returns `nil` if the timestamps are invalid.
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
    self.init(
      digest: digest, pictures: pictures, sound: sound, remarks: index.remarks,
      invalidSamples: index.sound?.invalid)
  }
}
