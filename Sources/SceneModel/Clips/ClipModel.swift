// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// The pictures of a clip over time.
///
/// Equal ones have equal digests: the list of pictures follows from what was digested.
package struct ClipModel: Sendable {
  package let path: String
  package let digest: ClipDigest
  package let pictures: ClipPictures
  /// The time of the material, in ticks from its first picture; beyond its ends these are held.
  package let time: Scalar
  /// The part of the material that may be shown, in ticks.
  package let range: Range<Int64>
  package let reading: ClipReading

  package init(
    path: String, digest: ClipDigest, pictures: ClipPictures, time: Scalar, range: Range<Int64>,
    reading: ClipReading = ClipReading()
  ) {
    self.path = path
    self.digest = digest
    self.pictures = pictures
    self.time = time
    self.range = range
    self.reading = reading
  }

  /// The picture at a time of the material; `later` is that time a quarter of a frame later, which
  /// says which way it plays.
  package func image(at time: Double, later: Double) -> ImageReference {
    let isBackwards = later < time
    // Within the range by more than what a picture's start may be missed by.
    let (first, last) = (range.lowerBound, range.upperBound)
    let margin = min(ClipTimes.tolerance + 1, (last - first) / 2)
    let held = time.isFinite ? max(Double(first), min(Double(last), time.rounded())) : Double(first)
    var ticks = Int64(held)
    if isBackwards { ticks = max(ticks, first + margin) } else { ticks = min(ticks, last - margin) }
    let number = pictures.times.picture(at: Ticks(ticks), isBackwards: isBackwards)
    return ImageReference(
      clip: digest, pictures.size, picture: number, path: path, reading: reading)
  }
}

extension ImageReference {
  /// A picture of a clip, which is shown in a size.
  package init(
    clip: ClipDigest, _ size: PixelSize, picture: Int, path: String,
    reading: ClipReading = ClipReading()
  ) {
    self.init(
      path: path, digest: clip.low, size: size, frame: picture, kind: .clip(clip.high, reading))
  }
}

extension ClipModel: Hashable {
  package static func == (a: ClipModel, b: ClipModel) -> Bool {
    (a.path, a.digest, a.time, a.range, a.reading)
      == (b.path, b.digest, b.time, b.range, b.reading)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
    hasher.combine(time)
  }
}

extension ClipModel: Encodable {
  private enum Key: CodingKey { case digest, time, start, end, reading }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(digest, forKey: .digest)
    try container.encode(time, forKey: .time)
    try container.encode(range.lowerBound, forKey: .start)
    try container.encode(range.upperBound, forKey: .end)
    try container.encode(reading, forKey: .reading)
  }
}
