// SPDX-License-Identifier: MIT
package import SceneGraphics

/// What a video file is to be; every choice is made.
package struct VideoSettings: Hashable, Sendable, Encodable {
  /// What the encoder keeps: a quality or a bit rate.
  package enum Rate: Hashable, Sendable, Encodable {
    /// On the scale of the codec.
    case quality(Double)
    /// Bits a second.
    case bitrate(Double)

    package var isBitrate: Bool { if case .bitrate = self { true } else { false } }
  }

  package var file: FileFormat
  package var codec: VideoCodec
  package var pixelFormat: PixelFormat
  package var size: PixelSize
  /// Frames a second, in lowest terms.
  package var rateNumerator: Int64
  package var rateDenominator: Int64
  package var rate: Rate
  /// x264's words for every codec: ultrafast … placebo.
  package var preset = "faster"
  package var profile: String?
  package var level: String?
  /// How often an animated image is played; `nil` for ever.
  package var plays: Int?
  /// Whether a picture lasts until the next one that differs, rather than for one frame.
  package var isVariable = false
  /// Whether packets of clips are copied where they can be, and then what was found of them.
  package var copies = false
  package var copied: CopiedHeaders?
  package var notes = FileNotes()
  /// `nil` where the file is silent.
  package var sound: SoundSettings?
  package var frameCount = 0

  package init(
    _ file: FileFormat, _ codec: VideoCodec, _ format: PixelFormat? = nil, size: PixelSize,
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

  /// Without what is in the file beside the pictures.
  package var ofPictures: VideoSettings {
    var it = self
    (it.notes, it.sound) = (FileNotes(), nil)
    (it.file, it.frameCount, it.plays, it.copies) = (.mp4, 0, nil, false)
    return it
  }

  /// Whether stretches of the video may be encoded apart.
  ///
  /// A bit rate is kept by one encoder that sees everything; pictures that are not compressed gain
  /// nothing.
  package var isSegmented: Bool {
    codec.joins && !file.isStills && !rate.isBitrate
  }

  /// Whether equal frames become one picture that is shown longer.
  ///
  /// The encoder of WebP joins them itself.
  package var joinsEqualFrames: Bool { isVariable || codec == .gif || codec == .apng }

  /// How many frames such a picture lasts at most: five seconds, so that players can seek.
  package var longestPicture: Int {
    max(1, Int(5 * Double(rateNumerator) / Double(max(1, rateDenominator))))
  }

  /// The least level of H.264 (table A-1) that holds this size and rate, or `nil` beyond 6.2.
  package var leastLevel: (name: String, frameSize: Int, rate: Int)? {
    let blocks = ((size.width + 15) / 16) * ((size.height + 15) / 16)
    let perSecond =
      Double(blocks) * Double(rateNumerator) / Double(max(1, rateDenominator))
    return VideoSettings.levels.first { $0.frameSize >= blocks && Double($0.rate) >= perSecond }
  }

  /// ITU-T H.264 table A-1: MaxFS and MaxMBPS in macroblocks.
  package static let levels: [(name: String, frameSize: Int, rate: Int)] = [
    ("1", 99, 1_485), ("1.1", 396, 3_000), ("1.2", 396, 6_000), ("1.3", 396, 11_880),
    ("2", 396, 11_880), ("2.1", 792, 19_800), ("2.2", 1_620, 20_250), ("3", 1_620, 40_500),
    ("3.1", 3_600, 108_000), ("3.2", 5_120, 216_000), ("4", 8_192, 245_760),
    ("4.1", 8_192, 245_760), ("4.2", 8_704, 522_240), ("5", 22_080, 589_824),
    ("5.1", 36_864, 983_040), ("5.2", 36_864, 2_073_600), ("6", 139_264, 4_177_920),
    ("6.1", 139_264, 8_355_840), ("6.2", 139_264, 16_711_680),
  ]
}

/// What a file gets into its headers for packets that are copied.
package struct CopiedHeaders: Hashable, Sendable, Encodable {
  /// Parameter sets of H.264, each after a start code.
  package let sets: [UInt8]
  /// The number that the encoder gives its own ones; `nil` where it makes nothing.
  package let ownNumber: Int?
  /// How many pictures later than it is decoded a picture may be shown.
  package let delay: Int

  package init(sets: [UInt8], ownNumber: Int?, delay: Int) {
    self.sets = sets
    self.ownNumber = ownNumber
    self.delay = delay
  }
}

/// What a file says of itself to players.
package struct FileNotes: Hashable, Sendable, Encodable {
  /// A named time that players list.
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
