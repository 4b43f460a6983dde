// SPDX-License-Identifier: MIT
import SceneIR
package import SceneModel

/// The intervals of a video in which encoded frames of clips can be copied.
///
/// Each interval consists of complete groups of pictures (GOPs), from one keyframe to the next,
/// shown frame by frame and without other visible elements.
package struct CopyPlan {
  /// An interval of clip frames, one for each frame of the video.
  package struct Stretch: Hashable, Sendable {
    package let frames: Range<Int>
    package let clip: ClipDigest
    package let pictures: Range<Int>
  }

  /// The intervals, in order.
  package private(set) var stretches: [Stretch] = []
  /// The parameter sets of all copied clips.
  package private(set) var sets: [ParameterSet] = []
  /// The maximum number of frames between decoding and presentation of a frame.
  package private(set) var delay = 0

  /// The frames of the video.
  package let frames: Range<Int>
  private let longest: Int

  /// Consecutive frames that show consecutive frames of one clip.
  private struct Run {
    let clip: ClipModel
    /// The first frame of the video.
    let frame: Int
    /// The clip frame that the first frame shows.
    let picture: Int
    var count: Int
  }

  package init(_ model: SceneModel, metrics: any TextMetrics, frames: Range<Int>) {
    self.frames = frames
    longest = max(1, Int(8 * model.frameRate.value))
    let lives = ClipLives(model)
    var lowerer = Lowerer(model, metrics: metrics)
    var run: Run?
    for frame in frames {
      var shown: (clip: ClipModel, picture: Int)?
      if lives.count(in: frame) == 1, let image = lowerer.lower(frame: frame).onlyPicture,
        let clip = lives.shown(in: frame).first?.clip, clip.digest == image.clip,
        image.reading.damage == .hold, clip.pictures.areUsual(in: model.size)
      {
        shown = (clip, image.frame)
      }
      if let it = run, let shown, shown.clip.digest == it.clip.digest,
        shown.picture == it.picture + it.count
      {
        run?.count += 1
        continue
      }
      if let it = run {
        add(it.clip, frame: it.frame, pictures: it.picture..<it.picture + it.count)
      }
      run = shown.map { Run(clip: $0.clip, frame: frame, picture: $0.picture, count: 1) }
    }
    if let it = run { add(it.clip, frame: it.frame, pictures: it.picture..<it.picture + it.count) }
    if stretches.last.map({ frames.upperBound - $0.frames.upperBound }) == 1 {
      stretches.removeLast()
    }
  }

  /// Adds the groups of a clip that lie within `pictures`, the clip frames shown from `frame` on.
  private mutating func add(_ clip: ClipModel, frame: Int, pictures: Range<Int>) {
    guard let copying = clip.pictures.copying,
      !copying.sets.contains(where: { set in sets.contains { $0.clashes(with: set) } })
    else { return }
    for group in copying.groups
    where group.lowerBound >= pictures.lowerBound && group.upperBound <= pictures.upperBound {
      let first = frame + group.lowerBound - pictures.lowerBound
      let end = stretches.last?.frames.upperBound ?? frames.lowerBound
      // An encoder requires at least two frames.
      if first - end == 1 { continue }
      delay = max(delay, copying.delay)
      for set in copying.sets where !sets.contains(set) { sets.append(set) }
      if let last = stretches.last, last.frames.upperBound == first,
        last.pictures.upperBound == group.lowerBound, last.clip == clip.digest,
        last.frames.count + group.count <= longest
      {
        stretches[stretches.count - 1] = Stretch(
          frames: last.frames.lowerBound..<first + group.count, clip: clip.digest,
          pictures: last.pictures.lowerBound..<group.upperBound)
      } else {
        stretches.append(
          Stretch(frames: first..<first + group.count, clip: clip.digest, pictures: group))
      }
    }
  }

  /// The number of copied frames.
  package var frameCount: Int { stretches.reduce(0) { $0 + $1.frames.count } }

  /// Whether all frames are copied, so that none needs to be drawn.
  package var isWhole: Bool { frameCount == frames.count }

  /// Returns the segments of the video: each copied interval is one segment; the gaps are split by
  /// `planner`.
  package func segments(_ planner: SegmentPlanner) -> [Segment] {
    var segments: [Segment] = []
    var end = frames.lowerBound
    for stretch in stretches {
      if end < stretch.frames.lowerBound {
        segments += planner.segments(of: end..<stretch.frames.lowerBound)
      }
      segments.append(Segment(frames: stretch.frames, isStill: false, copied: stretch))
      end = stretch.frames.upperBound
    }
    return end < frames.upperBound
      ? segments + planner.segments(of: end..<frames.upperBound) : segments
  }
}
