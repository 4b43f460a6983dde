// SPDX-License-Identifier: MIT
import SceneClips
import SceneIR
import SceneLanguage
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneWriting

/// One layout of a scene and the output files that show it.
struct Film: Sendable {
  let model: SceneModel
  let frames: Range<Int>
  let plans: [OutputPlan]
  let drawing: DrawingPlan
  let metrics: PangoMetrics
  let resources: DrawingResources
  /// Called before each frame is rendered. May block while more urgent work is pending.
  let pace: @Sendable () -> Void
  /// Polled continuously by all threads. Returns `true` once the build has been cancelled.
  let isUnwanted: @Sendable () -> Bool
  /// The clip packets that are copied instead of encoded again; `nil` unless an output requests
  /// this.
  let copies: CopyPlan?

  init(
    _ scene: LoadedScene, model: SceneModel, frames: Range<Int>, plans: [OutputPlan],
    pace: @escaping @Sendable () -> Void, isUnwanted: @escaping @Sendable () -> Bool
  ) {
    self.pace = pace
    self.isUnwanted = isUnwanted
    self.model = model
    self.frames = frames
    self.plans = plans
    drawing = DrawingPlan(plans)
    metrics = scene.metrics
    resources = scene.resources
    copies =
      plans.contains(where: \.settings.copies) && plans.allSatisfy(\.settings.isSegmented)
      ? CopyPlan(model, metrics: metrics, frames: frames) : nil
  }

  /// Returns the settings of a file, including the values derived from the copied clips.
  func settings(of plan: OutputPlan) -> VideoSettings {
    var settings = plan.settings
    guard settings.copies, let copies, !copies.stretches.isEmpty else { return settings }
    let free = (0..<32).first { number in !copies.sets.contains { $0.id == number } }
    settings.copied = CopiedHeaders(
      sets: ParameterSet.stream(copies.sets), ownNumber: copies.isWhole ? nil : free ?? 31,
      delay: copies.delay)
    return settings
  }

  /// Returns the sound of the scene, with its descriptions if `described` is `true`.
  func sound(described: Bool) -> SoundOfFilm {
    SoundOfFilm(
      model: described ? model.described : model, frames: frames, metrics: metrics,
      resources: resources)
  }

  /// Returns the contents of the audio tracks of a file that has audio.
  func sounds(of plan: OutputPlan) -> [SoundOfFilm] {
    switch plan.described {
    case .none: [sound(described: false)]
    case .mix: [sound(described: true)]
    case .track, .both: [sound(described: false), sound(described: true)]
    }
  }

  /// The independently encoded segments.
  var segments: [Segment] {
    let planner = SegmentPlanner(model)
    return copies?.segments(planner) ?? planner.segments(of: frames)
  }

  /// Whether segments may be encoded independently. A single file that does not support segments
  /// makes all files encode in frame order.
  var isSegmented: Bool { plans.allSatisfy(\.settings.isSegmented) }
}
