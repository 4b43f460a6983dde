// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// A clip as an element shows it, with its media time.
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
  /// Whether the clip fades from frame to frame.
  package let blendsFrames: Bool
  package let rendering: ImageRendering

  package init(
    path: String, digest: ClipDigest, pictures: ClipPictures, time: Scalar, range: Range<Int64>,
    reading: ClipReading = ClipReading(), blendsFrames: Bool = false,
    rendering: ImageRendering = .auto
  ) {
    self.blendsFrames = blendsFrames
    self.rendering = rendering
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
    return image(pictures.times.picture(at: Ticks(ticks), isBackwards: isBackwards))
  }

  private func image(_ number: Int) -> ImageReference {
    ImageReference(clip: digest, pictures.size, picture: number, path: path, reading: reading)
      .rendered(rendering)
  }

  /// Returns the two frames around a media time and the weight of the second one, if the clip fades
  /// from frame to frame and both are visible; otherwise, `nil`.
  package func blend(at time: Double) -> FrameBlend? {
    guard blendsFrames, time.isFinite, Double(range.lowerBound) < time,
      time < Double(range.upperBound)
    else { return nil }
    let times = pictures.times
    let number = times.picture(at: Ticks(Int64(time)))
    guard number + 1 < times.count else { return nil }
    let (start, next) = (times.start(of: number).rawValue, times.start(of: number + 1).rawValue)
    let share = (time - Double(start)) / Double(next - start)
    // Smaller weights do not change 8-bit pixels.
    guard next < range.upperBound, (1.0 / 512...511.0 / 512).contains(share) else { return nil }
    return FrameBlend(first: image(number), second: image(number + 1), share: share)
  }
}

/// A weighted blend of two consecutive frames of a clip.
package struct FrameBlend: Sendable {
  package let first: ImageReference
  package let second: ImageReference
  /// The weight of the second frame, between 0 and 1.
  package let share: Double
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
    (a.path, a.digest, a.time, a.range, a.reading) == (b.path, b.digest, b.time, b.range, b.reading)
      && a.blendsFrames == b.blendsFrames && a.rendering == b.rendering
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(digest)
    hasher.combine(time)
  }
}

extension ClipModel: Encodable {
  private enum Key: CodingKey { case digest, time, start, end, reading, blendsFrames, rendering }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(digest, forKey: .digest)
    try container.encode(time, forKey: .time)
    try container.encode(range.lowerBound, forKey: .start)
    try container.encode(range.upperBound, forKey: .end)
    try container.encode(reading, forKey: .reading)
    if blendsFrames { try container.encode(true, forKey: .blendsFrames) }
    if rendering != .auto { try container.encode(rendering.rawValue, forKey: .rendering) }
  }
}
