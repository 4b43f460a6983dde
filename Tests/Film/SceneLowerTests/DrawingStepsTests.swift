// SPDX-License-Identifier: MIT
import SceneCheck
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// The predicted steps, compared with all frames lowered.
@Suite("Steps between frames", .cpuBudget(seconds: 3)) struct DrawingStepsTests {
  private func programs(of model: SceneModel) -> [FrameProgram] {
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return (0..<model.frameCount).map { lowerer.lower(frame: $0) }
  }

  /// Returns the frames that differ from the previous one although the steps exclude a change.
  private func missed(_ model: SceneModel) -> [Int] {
    let programs = programs(of: model)
    let steps = DrawingSteps(model)
    return programs.indices.dropFirst().filter {
      !steps.mayMove[$0] && programs[$0] != programs[$0 - 1]
    }
  }

  @Test(arguments: Corpus.cases.share(every: 2))
  func nothingMovesInWhatStands(_ row: Corpus.Case) {
    let result = checked(Corpus.whole(row.source), .brief)
    guard let model = result.model, model.frameCount <= 1000 else { return }
    #expect(missed(model) == [])
  }

  /// Motions that depend on the clock, with and without a start and end inside the scene.
  private static let motions = [
    "radius: 10 -> 40 over 0.7s after 0.33s",
    "radius: 10 -> 40 over 0s after 1s",
    "radius: 10 -> 40 over 0.5s -> 20 over 0.1s after 0.7s",
    "radius: keyframes { 0.2s: 10;  0.9s: 30;  1.7s: 30;  2s: 5 }",
    "radius: delay(10 -> 40 over 0.5s, 0.4s)",
    "radius: reverse(10 -> 40 over 0.5s)",
    "radius: loop(10 -> 40 over 0.4s)",
    "radius: 30;  opacity: 0 -> 1 over 0.3s with steps(3)",
    "radius: 30;  time-step: 0.25s;  translate: (0, 0) -> (50, 0) over 1s",
    "radius: clamp(30 * (t - 0.4s) / 0.6s, 0, 30)",
    "radius: clamp(30 * (1.3s - t) / 0.6s, 0, 30)",
    "radius: min(max(t / 0.1s, 3), 11)",
    "radius: 30;  visible: t > 0.5s",
    "radius: 30;  visible: t < 0.77s or t >= 1.1s",
    "radius: floor(t / 0.5s) * 10",
    "radius: t < 1s ? 10 : 10 + t / 1s",
    "radius: 30;  change { at: 0.4s;  for: 0.2s;  radius: 50 };  change { at: 1.5s;  for: 0.2s;  radius: 10 }",
    "radius: 30;  enter: fade over 0.4s;  exit: slide over 0.3s",
    "radius: 10 -> 40 over 0.5s with spring(bounce: 0.3)",
  ]

  private static let frames = [
    "fps: 30", "fps: 29.97", "fps: 24;  motion-blur: 180deg", "fps: 10;  motion-blur: 360deg",
  ]

  @Test(arguments: motions, frames) func nothingMovesBesideAMotion(
    _ motion: String, _ frame: String
  )
    throws
  {
    for life in ["", "at: 0.5s", "at: 0.31s;  for: 1.4s"] {
      let source = """
        scene { for: 3s;  \(frame);  background: white
          rect { size: 10 };  circle { \(life);  \(motion) }
        }
        """
      let model = try #require(checked(source).model, "\(diagnose(source))")
      #expect(missed(model) == [], "\(source)")
    }
  }

  /// Static frames do not count as changes. The given number of exceptions are one frame at a
  /// keyframe, where another curve starts with the same value, and one at each end of a rounded
  /// interval.
  @Test(arguments: [
    ("circle { radius: 10 -> 40 over 0.5s after 0.5s }", 0),
    ("circle { radius: keyframes { 0.2s: 10;  0.9s: 30;  2.5s: 30;  2.9s: 5 } }", 1),
    ("circle { at: 0.5s;  for: 1s;  radius: 20 }", 0),
    ("circle { radius: clamp(30 * (t - 1s) / 0.5s, 0, 30) }", 2),
    ("circle { radius: 30;  visible: t >= 1s and t < 2s }", 0),
    ("circle { at: 1s;  radius: delay(10 -> 40 over 0.5s, 0.5s) }", 0),
    (
      """
      circle {
        radius: 5
        change { at: 0.5s;  for: 0.2s;  radius: 50 }
        change { at: 2.5s;  for: 0.2s;  radius: 9 }
      }
      """, 0
    ),
  ])
  func whatStandsIsKnown(_ body: String, _ more: Int) throws {
    let model = try #require(
      checked("scene { for: 3s;  fps: 20;  background: white;  \(body) }").model)
    let programs = programs(of: model)
    let moved = programs.indices.dropFirst().filter { programs[$0] != programs[$0 - 1] }
    let steps = DrawingSteps(model)
    let planned = steps.mayMove.indices.filter { steps.mayMove[$0] }
    #expect(Set(planned).isSuperset(of: moved))
    #expect(planned.count == moved.count + more)
  }

  /// Each seam has the number of drawings that appear or disappear in that frame.
  @Test func seamsAreWhereDrawingsComeAndGo() throws {
    let body = (0..<20).map { index in
      let (start, length) = (index * 7 % 23, 1 + index * 5 % 11)
      return """
        group { at: \(index % 3)f
          rect { at: \(start)f;  for: \(length)f;  size: \(5 + index) }
          circle { radius: \(index + 1);  visible: t < \(start + 2)f }
        }
        """
    }.joined(separator: "\n")
    let model = try #require(
      checked("scene { for: 4s;  fps: 10;  background: white\n\(body)\n}").model)
    let drawn = programs(of: model).map { Set($0.ops) }
    let steps = DrawingSteps(model)
    for frame in drawn.indices.dropFirst() {
      let difference = drawn[frame].symmetricDifference(drawn[frame - 1]).count
      #expect(steps.seams[frame] == difference, "frame \(frame)")
    }
    #expect(steps.seams.reduce(0, +) > 40)
  }
}
