// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The complete settings of a video file.
package struct VideoSettings: Hashable, Sendable, Encodable {
  /// The rate control: constant quality or target bit rate.
  package enum Rate: Hashable, Sendable, Encodable {
    /// A quality on the scale of the codec.
    case quality(Double)
    /// A target bit rate in bits per second.
    case bitrate(Double)

    package var isBitrate: Bool { if case .bitrate = self { true } else { false } }
  }

  package var file: FileFormat
  package var codec: VideoCodec
  package var pixelFormat: PixelFormat
  package var size: PixelSize
  /// The frame rate in frames per second, as a fraction in lowest terms.
  package var rateNumerator: Int64
  package var rateDenominator: Int64
  package var rate: Rate
  /// The preset, with the names of x264 for every codec: ultrafast … placebo.
  package var preset = "faster"
  package var profile: String?
  package var level: String?
  /// The number of times an animated image plays; `nil` loops forever.
  package var plays: Int?
  /// Whether the frame rate is variable: identical consecutive frames are merged into one.
  package var isVariable = false
  /// Whether packets of clips are copied where possible, and the headers of the copied packets once
  /// known.
  package var copies = false
  package var copied: CopiedHeaders?
  package var notes = FileNotes()
  /// The audio settings; `nil` for a file without audio.
  package var sound: SoundSettings?
  package var frameCount = 0

  package init(
    _ file: FileFormat, _ codec: VideoCodec, format: PixelFormat? = nil, size: PixelSize,
    rateNumerator: Int64, rateDenominator: Int64
  ) {
    self.file = file
    self.codec = codec
    pixelFormat = format ?? codec.pixelFormats[0]
    rate = .quality(codec.quality?.initial ?? 0)
    self.size = size
    self.rateNumerator = rateNumerator
    self.rateDenominator = rateDenominator
  }

  /// The settings without everything that does not affect the encoded frames.
  package var ofPictures: VideoSettings {
    var it = self
    (it.notes, it.sound) = (FileNotes(), nil)
    (it.file, it.frameCount, it.plays, it.copies) = (.mp4, 0, nil, false)
    return it
  }

  /// Whether segments of the video can be encoded independently.
  ///
  /// A target bit rate requires one encoder for the whole video. Uncompressed frames do not benefit
  /// from segments.
  package var isSegmented: Bool {
    codec.joins && !file.isStills && !rate.isBitrate
  }

  /// Whether equal consecutive frames are merged into one with a longer duration.
  ///
  /// The WebP encoder merges such frames itself.
  package var joinsEqualFrames: Bool { isVariable || codec == .gif || codec == .apng }

  /// The maximum number of merged frames: five seconds, so that players can seek.
  package var longestPicture: Int {
    max(1, Int(5 * Double(rateNumerator) / Double(max(1, rateDenominator))))
  }

  /// A level of H.264 with its limits in macroblocks, per frame and per second.
  package struct Level: Sendable {
    package let name: String
    package let frameSize: Int
    package let rate: Int
  }

  /// The lowest level of H.264 (table A-1) that supports this size and frame rate, or `nil` beyond
  /// 6.2.
  package var leastLevel: Level? {
    let blocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
    let perSecond =
      Double(blocks) * Double(rateNumerator) / Double(max(1, rateDenominator))
    return VideoSettings.levels.first { $0.frameSize >= blocks && Double($0.rate) >= perSecond }
  }

  /// The levels of ITU-T H.264 table A-1, with MaxFS and MaxMBPS in macroblocks.
  package static let levels: [Level] = [
    Level(name: "1", frameSize: 99, rate: 1_485), Level(name: "1.1", frameSize: 396, rate: 3_000),
    Level(name: "1.2", frameSize: 396, rate: 6_000),
    Level(name: "1.3", frameSize: 396, rate: 11_880),
    Level(name: "2", frameSize: 396, rate: 11_880),
    Level(name: "2.1", frameSize: 792, rate: 19_800),
    Level(name: "2.2", frameSize: 1_620, rate: 20_250),
    Level(name: "3", frameSize: 1_620, rate: 40_500),
    Level(name: "3.1", frameSize: 3_600, rate: 108_000),
    Level(name: "3.2", frameSize: 5_120, rate: 216_000),
    Level(name: "4", frameSize: 8_192, rate: 245_760),
    Level(name: "4.1", frameSize: 8_192, rate: 245_760),
    Level(name: "4.2", frameSize: 8_704, rate: 522_240),
    Level(name: "5", frameSize: 22_080, rate: 589_824),
    Level(name: "5.1", frameSize: 36_864, rate: 983_040),
    Level(name: "5.2", frameSize: 36_864, rate: 2_073_600),
    Level(name: "6", frameSize: 139_264, rate: 4_177_920),
    Level(name: "6.1", frameSize: 139_264, rate: 8_355_840),
    Level(name: "6.2", frameSize: 139_264, rate: 16_711_680),
  ]
}

/// The header data for copied packets.
package struct CopiedHeaders: Hashable, Sendable, Encodable {
  /// H.264 parameter sets, each after a start code.
  package let sets: [UInt8]
  /// The id of the encoder's own parameter sets; `nil` if no frames are encoded.
  package let ownNumber: Int?
  /// The maximum number of frames between decoding and presentation of a frame.
  package let delay: Int

  package init(sets: [UInt8], ownNumber: Int?, delay: Int) {
    self.sets = sets
    self.ownNumber = ownNumber
    self.delay = delay
  }
}

/// The metadata of a file.
package struct FileNotes: Hashable, Sendable, Encodable {
  /// A chapter of the video.
  package struct Chapter: Hashable, Sendable, Encodable {
    package let startMilliseconds: Int64
    package let title: String

    package init(startMilliseconds: Int64, title: String) {
      self.startMilliseconds = startMilliseconds
      self.title = title
    }
  }

  package var title = ""
  package var author = ""
  package var comment = ""
  package var chapters: [Chapter] = []

  package init() {}
}
