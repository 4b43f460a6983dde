// SPDX-License-Identifier: MIT
import SceneCairo
import SceneClips
import SceneFiles
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels

/// The cached video frames of one canvas. Frames of the last drawn frame stay cached in drawable
/// form, since a clip can be frozen while other elements move.
final class ClipFrames {
  private struct Key: Hashable {
    let picture: ImageReference
    let level: Int
  }

  private struct Entry {
    let picture: ScaledPicture
    var lastFrame: Int
  }

  private let store: ClipStore
  private var entries: [Key: Entry] = [:]
  private var frame = 0

  init(_ store: ClipStore) { self.store = store }

  /// Releases the frames that the last drawn frame did not use.
  func beginFrame() {
    entries = entries.filter { $0.value.lastFrame == frame }
    frame += 1
  }

  /// Returns a video frame in a resolution for a scale.
  func picture(_ image: ImageReference, of clip: ClipDigest, scale: Double) throws(ClipError)
    -> ScaledPicture
  {
    let level =
      scale > 1 && image.isPixelated
      ? Doubling.level(scale, of: image.size, mostPixels: Doubling.mostPixels)
      : Halving.level(scale, shorterSide: min(image.size.width, image.size.height))
    let key = Key(picture: image, level: level)
    if let known = entries[key]?.picture {
      entries[key]?.lastFrame = frame
      return known
    }
    release(clip)
    let reading = image.reading
    var pixels = try store.picture(of: clip, number: image.frame, damage: reading.damage).draw(
      reading.alpha)
    for _ in 0..<max(0, level) { pixels = pixels.halved() }
    for _ in 0..<max(0, -level) { pixels = pixels.doubled() }
    // Pixels may be non-square.
    let pixel = Size(
      Double(image.size.width) / Double(pixels.size.width),
      Double(image.size.height) / Double(pixels.size.height))
    let made = ScaledPicture(
      Surface(pixels, isOpaque: pixels.isOpaque), pixel: pixel,
      isSmooth: ScaledPicture.isSmooth(image, at: scale, level: level))
    entries[key] = Entry(picture: made, lastFrame: frame)
    return made
  }

  /// Releases the picture of a clip that the last frame showed, so that its memory serves for the
  /// next one. If the last frame showed several, this frame may show some of them again.
  private func release(_ clip: ClipDigest) {
    let old = entries.filter { $0.value.lastFrame < frame && $0.key.picture.clip == clip }
    if old.count == 1, let key = old.first?.key { entries[key] = nil }
  }
}
