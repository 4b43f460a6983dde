// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneFiles
import SceneLanguage
import SceneLower
import SceneOutput
import SceneSession

extension Builder {
  /// Renders one shard of the segments into the store and writes no output file. A later build
  /// without `--shard` joins the segments and renders the missing ones.
  func draw(_ shard: BuildOptions.Shard, _ films: [Film]) throws {
    let shared = films.filter(\.isSegmented)
    let others = films.filter { !$0.isSegmented }.flatMap(\.plans)
    guard !shared.isEmpty else {
      let reason =
        others.first.map { "'\($0.path)' is encoded by a single encoder" }
        ?? "audio and caption files are written when the shares are joined"
      throw CallError(message: "'--shard' has nothing to render: \(reason)")
    }
    for plan in others {
      reporter.note(
        "'\(plan.path)' requires a single encoder and is encoded when the shares are joined")
    }
    let parts = shared.map { film in
      let shares = SegmentShares(film.model, film.segments, metrics: film.metrics)
      return (film, Array(shares.segments[shares.shares(shard.count)[shard.number - 1]]))
    }
    for film in shared { try keepSound(of: film, shard) }
    let total = parts.flatMap(\.1).reduce(0) { $0 + $1.frames.count }
    reporter.begin(frames: total)
    defer { reporter.endFrames() }
    var before = 0
    for (film, segments) in parts {
      let outputs = try film.plans.map { plan in
        let settings = film.settings(of: plan)
        return (settings: settings, headers: try VideoEncoder(settings, .moving).headers)
      }
      let show = { (count: Int) throws(BuildError) in
        try self.goOn()
        reporter.advance(to: before + count)
      }
      try SegmentPipeline(
        film, segments: segments, for: outputs, workers: workers, store: store, timings: timings
      )
      .run(workers: workers, leave: follower.leave, progress: show) {
        (_, _, _) throws(BuildError) in
      }
      before += segments.reduce(0) { $0 + $1.frames.count }
    }
    try goOn()
    reporter.endFrames()
    store?.trim()
    if let failure = store?.takeFailure() { throw FileError(failure) }
    let counts = store?.takeCounts() ?? PacketStore.Counts()
    for other in counts.others { reporter.note(other) }
    reporter.note(
      "share \(shard.number) of \(shard.count): rendered \(counts.drawn) of \(counts.drawn + counts.kept) segments"
    )
  }

  /// Encodes one shard of the audio into the store, unless its pieces depend on each other.
  private func keepSound(of film: Film, _ shard: BuildOptions.Shard) throws {
    for plan in film.plans {
      guard let sound = plan.settings.sound else { continue }
      for content in film.sounds(of: plan) {
        try SoundTrack(
          content, settings: sound, in: plan.settings.file, share: shard, making: making
        ).keep()
      }
    }
  }
}
