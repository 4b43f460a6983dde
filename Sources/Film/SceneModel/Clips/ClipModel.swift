// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// The frames of a clip over time.
///
/// Clips with equal digests are equal: the list of frames is derived from the digested data.
package struct ClipModel: Sendable {
  package let path: String
  package let digest: ClipDigest
  package let pictures: ClipPictures
  /// The media time in ticks from the first frame. Before the first and after the last frame, that
  /// frame is held.
  package let time: Scalar
  /// The part of the media that may be shown, in ticks.
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

  /// Returns the frame at a media time. `later` is the media time a quarter of a frame later and
  /// determines the direction of playback.
  package func image(at time: Double, later: Double) -> ImageReference {
    let isBackwards = later < time
    // The time stays inside the range by more than the tolerance of frame start times.
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
  /// Creates a reference to a frame of a clip, displayed at `size`.
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
