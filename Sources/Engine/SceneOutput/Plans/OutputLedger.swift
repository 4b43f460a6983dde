// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneModel

/// The output files of several videos that are built one after another, such as one for each row of
/// a table. A later video must not replace a file of an earlier one.
package struct OutputLedger {
  private struct Entry {
    let video: String
    let plan: OutputPlan
    let frames: Range<Int>
  }

  /// The files by location.
  private var entries: [String: Entry] = [:]

  package init() {}

  /// Adds the files of a video before it is built. Caption files of two videos can be the same file
  /// if their content is the same.
  package mutating func add(
    _ plans: [OutputPlan], of video: String, model: SceneModel, _ options: BuildOptions
  ) throws(PlanError) {
    for plan in plans where plan.path != "-" {
      let place = OutputPlace.name(of: plan.path)
      let frames = plan.frames(of: model, options)
      guard let other = entries[place] else {
        entries[place] = Entry(video: video, plan: plan, frames: frames)
        continue
      }
      if plan.origin != nil || other.plan.origin != nil, plan.hasSameTrack(as: other.plan),
        frames == other.frames
      {
        continue
      }
      let origin = plan.origin ?? other.plan.origin
      let derivation = origin.map { ": \($0.explanation(of: "it"))" } ?? ""
      throw .call(
        "\(other.video) and \(video) have the same output '\(visible(plan.path))'\(derivation); rename one of the videos"
      )
    }
  }
}
