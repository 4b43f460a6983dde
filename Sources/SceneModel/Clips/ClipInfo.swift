// SPDX-License-Identifier: MIT
package import SceneGraphics

/// 128 bits over the streams of a clip that are used: equal ones show and sound the same.
package struct ClipDigest: Hashable, Sendable, Encodable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// What is known of a clip from one reading of its packets, without decoding them.
package struct ClipInfo: Hashable, Sendable {
  package let digest: ClipDigest
  package let pictures: ClipPictures?
  package let sound: ClipSound?
  /// What is wrong with the file though it can be shown, such as "it is cut short at 12.3s of 60s".
  package let remarks: [String]

  package init(
    digest: ClipDigest, pictures: ClipPictures?, sound: ClipSound?, remarks: [String] = []
  ) {
    self.digest = digest
    self.pictures = pictures
    self.sound = sound
    self.remarks = remarks
  }
}

/// The picture track of a clip.
package struct ClipPictures: Hashable, Sendable {
  /// As libav names it: `h264`.
  package let codec: String
  package let times: ClipTimes
  /// Pixels as shown: after the aspect of its pixels and the turn.
  package let size: PixelSize
  /// Pixels of a decoded picture, before the turn.
  package let storedSize: PixelSize
  package let orientation: ClipOrientation
  package let format: PictureFormat
  /// The numbers of the pictures, in rising order, that can be decoded without one before them.
  package let keys: [Int]
  /// How its packets are copied; `nil` where they cannot be.
  package let copying: ClipCopying?

  package init(
    codec: String, times: ClipTimes, size: PixelSize, storedSize: PixelSize,
    orientation: ClipOrientation, format: PictureFormat, keys: [Int],
    copying: ClipCopying? = nil
  ) {
    self.codec = codec
    self.times = times
    self.size = size
    self.storedSize = storedSize
    self.orientation = orientation
    self.format = format
    self.keys = keys
    self.copying = copying
  }
}

/// How decoded pictures are turned to stand upright.
package struct ClipOrientation: Hashable, Sendable {
  /// Turns by 90° clockwise, `0...3`.
  package let quarterTurns: Int
  /// Whether left and right are swapped, before the turn.
  package let isMirrored: Bool

  package init(quarterTurns: Int = 0, isMirrored: Bool = false) {
    self.quarterTurns = quarterTurns
    self.isMirrored = isMirrored
  }

  /// The size of a picture that is turned upright.
  package func applied(to size: PixelSize) -> PixelSize {
    quarterTurns % 2 == 0 ? size : PixelSize(size.height, size.width)
  }
}

/// What the samples of decoded pictures are.
package struct PictureFormat: Hashable, Sendable {
  /// Planes of Y, Cb and Cr by how many Cb and Cr there are, or pixels of premultiplied BGRA.
  package enum Layout: UInt8, Hashable, Sendable { case yuv420, yuv422, yuv444, bgra }
  /// How Y'CbCr was made of R'G'B'.
  package enum Matrix: UInt8, Hashable, Sendable { case bt601, bt709, bt2020 }
  /// How R'G'B' was made of light.
  package enum Transfer: UInt8, Hashable, Sendable { case standard, pq, hlg }
  /// Where the samples of chroma are: on the left one of two pixels, between them, or on the first of
  /// four.
  package enum Siting: UInt8, Hashable, Sendable { case left, center, topLeft }
  /// Which lines of a picture were taken first.
  package enum Fields: UInt8, Hashable, Sendable { case progressive, topFirst, bottomFirst }

  /// Where nothing is said of it.
  package static let usualPeak = 1000

  package var layout: Layout
  /// Bits of a sample: 8, or 9 to 16 in two bytes, the low one first.
  package var depth: Int
  /// Whether a plane of alpha follows.
  package var hasAlpha: Bool
  package var isFullRange: Bool
  package var matrix: Matrix
  package var transfer: Transfer
  /// The brightest light that PQ was mastered for, in cd/m².
  package var peak = PictureFormat.usualPeak
  package var siting: Siting
  package var fields: Fields

  package init(
    _ layout: Layout, depth: Int = 8, hasAlpha: Bool = false, isFullRange: Bool = false,
    matrix: Matrix = .bt709, transfer: Transfer = .standard, siting: Siting = .left,
    fields: Fields = .progressive
  ) {
    self.layout = layout
    self.depth = depth
    self.hasAlpha = hasAlpha
    self.isFullRange = isFullRange
    self.matrix = matrix
    self.transfer = transfer
    self.siting = siting
    self.fields = fields
  }
}

/// The sound track of a clip.
package struct ClipSound: Hashable, Sendable, Encodable {
  /// As libav names it: `aac`.
  package let codec: String
  /// Samples a second.
  package let rate: Int
  package let channels: Int
  /// Which speakers the channels are for, in their order: a bit for each, from the lowest on front left,
  /// front right, front center, low frequencies, back left, back right, both sides of the front center, back
  /// center, side left, side right; 0 when the file does not say.
  package let speakers: UInt64
  /// When it begins, counted from the first picture.
  package let start: Ticks
  /// Samples of each channel, without what an encoder put in front.
  package let sampleCount: Int
  /// By how many samples the clock of the recording is behind the one of its pictures, every ten seconds,
  /// with straight lines between; empty where they go together.
  package let lags: [Float]

  package init(
    codec: String, rate: Int, channels: Int, speakers: UInt64 = 0, start: Ticks, sampleCount: Int,
    lags: [Float] = []
  ) {
    self.codec = codec
    self.rate = rate
    self.channels = channels
    self.speakers = speakers
    self.start = start
    self.sampleCount = sampleCount
    self.lags = lags
  }

  package var length: Ticks {
    let samples = Double(sampleCount) + Double(lags.last ?? 0)
    return Ticks(rounding: samples * Double(Ticks.perSecond) / Double(max(1, rate))) ?? .zero
  }

  /// The distance of `lags`.
  package static let lagSeconds = 10

  /// By how many samples it is behind at a time in seconds from its first sample.
  package func lag(at seconds: Double) -> Double {
    guard let last = lags.last else { return 0 }
    let place = max(0, seconds / Double(ClipSound.lagSeconds))
    guard place < Double(lags.count - 1) else { return Double(last) }
    let (low, share) = (Int(place), place - place.rounded(.down))
    return Double(lags[low]) * (1 - share) + Double(lags[low + 1]) * share
  }
}
