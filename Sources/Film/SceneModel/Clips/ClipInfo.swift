// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A 128-bit digest of the streams of a clip that are used. Clips with equal digests look and sound
/// the same.
package struct ClipDigest: Hashable, Sendable, Encodable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The properties of a clip, found by reading its packets once without decoding them.
package struct ClipInfo: Hashable, Sendable {
  package let digest: ClipDigest
  package let pictures: ClipPictures?
  package let sound: ClipSound?
  /// Defects of a file that can still be shown, such as "the file is truncated at 12.3s of 60s".
  package let remarks: [String]
  /// The samples of the audio that are NaN or infinite; `nil` if there are none.
  package let invalidSamples: InvalidSamples?

  package init(
    digest: ClipDigest, pictures: ClipPictures?, sound: ClipSound?, remarks: [String] = [],
    invalidSamples: InvalidSamples? = nil
  ) {
    self.invalidSamples = invalidSamples
    self.digest = digest
    self.pictures = pictures
    self.sound = sound
    self.remarks = remarks
  }
}

/// The samples of an audio track that are NaN or infinite, and therefore silent.
package struct InvalidSamples: Hashable, Sendable {
  /// The number of samples in all channels.
  package var count: Int
  /// The index of the first one, counted as one sample for all channels and without priming.
  package var first: Int
  /// The index of the last one.
  package var last: Int

  package init(count: Int, first: Int, last: Int) {
    (self.count, self.first, self.last) = (count, first, last)
  }
}

/// The video track of a clip.
package struct ClipPictures: Hashable, Sendable {
  /// The codec name in libav, such as `h264`.
  package let codec: String
  package let times: ClipTimes
  /// The display size in pixels, after the pixel aspect ratio and the rotation.
  package let size: PixelSize
  /// The size of a decoded frame in pixels, before the rotation.
  package let storedSize: PixelSize
  package let orientation: ClipOrientation
  package let format: PictureFormat
  /// The numbers of the keyframes, in ascending order.
  package let keys: [Int]
  /// The data for copying packets; `nil` if they cannot be copied.
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

/// The transformation that turns decoded frames upright.
package struct ClipOrientation: Hashable, Sendable {
  /// The number of clockwise turns by 90°, `0...3`.
  package let quarterTurns: Int
  /// Whether left and right are swapped, before the rotation.
  package let isMirrored: Bool

  package init(quarterTurns: Int = 0, isMirrored: Bool = false) {
    self.quarterTurns = quarterTurns
    self.isMirrored = isMirrored
  }

  /// Returns the size of a decoded frame of `size` after its rotation.
  package func applied(to size: PixelSize) -> PixelSize {
    quarterTurns % 2 == 0 ? size : PixelSize(size.height, size.width)
  }
}

/// The sample format of decoded frames.
package struct PictureFormat: Hashable, Sendable {
  /// The layout of samples: planes of Y, Cb and Cr by chroma subsampling, or premultiplied BGRA
  /// pixels.
  package enum Layout: UInt8, Hashable, Sendable { case yuv420, yuv422, yuv444, bgra }
  /// The matrix between R'G'B' and Y'CbCr.
  package enum Matrix: UInt8, Hashable, Sendable { case bt601, bt709, bt2020 }
  /// The transfer function between linear light and R'G'B'.
  package enum Transfer: UInt8, Hashable, Sendable { case standard, pq, hlg }
  /// The position of chroma samples: on the left one of two pixels, between them, or on the top
  /// left of four.
  package enum Siting: UInt8, Hashable, Sendable { case left, center, topLeft }
  /// The field order.
  package enum Fields: UInt8, Hashable, Sendable { case progressive, topFirst, bottomFirst }

  /// The default of `peak`, for files that do not declare it.
  package static let usualPeak = 1000

  package var layout: Layout
  /// The number of bits per sample: 8, or 9 to 16 stored in two bytes, little-endian.
  package var depth: Int
  /// Whether the samples include an alpha plane.
  package var hasAlpha: Bool
  package var isFullRange: Bool
  package var matrix: Matrix
  package var transfer: Transfer
  /// The peak luminance of the PQ mastering display, in cd/m².
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

/// The audio track of a clip.
package struct ClipSound: Hashable, Sendable, Encodable {
  /// The codec name in libav, such as `aac`.
  package let codec: String
  /// The sample rate in Hz.
  package let rate: Int
  package let channels: Int
  /// The channel layout as a bit mask, lowest bit first: front left, front right, front center, low
  /// frequencies, back left, back right, front left of center, front right of center, back center,
  /// side left, side right. 0 if the file does not declare a layout.
  package let speakers: UInt64
  /// The start time, relative to the first frame.
  package let start: Ticks
  /// The number of samples per channel, without encoder padding at the start.
  package let sampleCount: Int
  /// The drift of the audio clock behind the video clock, in samples, every `lagSeconds`, with
  /// linear interpolation between the values. Empty if the clocks agree.
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

  /// The interval between two values of `lags`, in seconds.
  package static let lagSeconds = 10

  /// Returns the drift in samples at a time in seconds from the first sample.
  package func lag(at seconds: Double) -> Double {
    guard let last = lags.last else { return 0 }
    let place = max(0, seconds / Double(ClipSound.lagSeconds))
    guard place < Double(lags.count - 1) else { return Double(last) }
    let (low, share) = (Int(place), place - place.rounded(.down))
    return Double(lags[low]) * (1 - share) + Double(lags[low + 1]) * share
  }
}
