// SPDX-License-Identifier: MIT
import SceneCLI
import SceneLanguage
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import Scenec

/// One layout of a scene with the files that show it.
struct Film: Sendable {
  let model: SceneModel
  let frames: Range<Int>
  let plans: [OutputPlan]
  let drawing: DrawingPlan
  let metrics: PangoMetrics
  let resources: DrawingResources
  /// Called before each frame is drawn: it may wait while something else is more urgent.
  let pace: @Sendable () -> Void

  init(
    _ scene: LoadedScene, _ model: SceneModel, _ frames: Range<Int>, _ plans: [OutputPlan],
    pace: @escaping @Sendable () -> Void
  ) {
    self.pace = pace
    self.model = model
    self.frames = frames
    self.plans = plans
    drawing = DrawingPlan(plans)
    metrics = scene.metrics
    resources = scene.resources
  }

  var sound: SoundOfFilm {
    SoundOfFilm(model: model, frames: frames, metrics: metrics, resources: resources)
  }

  /// The stretches that are encoded apart.
  var segments: [Segment] { SegmentPlanner(model).segments(of: frames) }

  /// Whether stretches may be encoded apart; one file that cannot makes all take their pictures in order.
  var isSegmented: Bool { plans.allSatisfy(\.settings.isSegmented) }
}
