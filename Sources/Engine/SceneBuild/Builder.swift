// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
package import SceneCheck
import SceneClips
import SceneDiagnostics
import SceneEncoding
package import SceneFiles
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
package import SceneModel
package import SceneOutput
import SceneRaster
package import SceneSession
import SceneSound
package import SceneSystem
import SceneText
import SceneTimeline
import SceneWriting

/// The observer of a build: callbacks for its progress, and conditions that end it.
package struct BuildFollower {
  /// Polled between frames. The build ends once this returns `true`.
  package var isOutdated: @Sendable () -> Bool = { false }
  /// Called before each frame is rendered.
  package var pace: @Sendable () -> Void = {}
  /// Called with the input files of the scene before rendering starts.
  package var hasRead: (InputFiles) -> Void = { _ in }
  /// Called with the number of finished frames and the total.
  package var hasDrawn: (Int, Int) -> Void = { _, _ in }
  /// Called with the output files.
  package var hasMade: ([BuiltFile]) -> Void = { _ in }
  /// Receives the threads of a video when they have no further work. Threads of a cancelled build
  /// may still be rendering a frame.
  package var leave: ([WorkerThread]) -> Void = { for thread in $0 { thread.join() } }

  package init() {}
}

/// An output file of a build.
package struct BuiltFile: Sendable {
  package let path: String
  /// The captions, then the descriptions. Times are relative to the first frame of the file.
  package let tracks: [CaptionTrack]
}

/// Builds the output files of one scene file.
package struct Builder {
  let options: BuildOptions
  let reporter: any BuildReporter
  private let interruption: Interruption
  let clock: any TimeSource
  let follower: BuildFollower
  /// Cached results of earlier builds and results shared with other videos of this build.
  let store: PacketStore?
  /// The collected timings; `nil` without `--timings`.
  let timings: Timings?

  package init(
    _ options: BuildOptions, reporter: any BuildReporter, interruption: Interruption,
    store: PacketStore? = nil, follower: BuildFollower = BuildFollower(),
    clock: any TimeSource = SystemClock()
  ) {
    self.clock = clock
    self.follower = follower
    timings = options.showsTimings ? Timings(clock: clock) : nil
    self.store = store
    self.options = options
    self.reporter = reporter
    self.interruption = interruption
  }

  /// Builds the outputs of the scene at a path.
  package func build(_ path: String, in session: Session, check: CheckOptions) -> BuildOutcome {
    let scene: LoadedScene
    var check = check
    check.isCancelled = follower.isOutdated
    do {
      scene = try timings.measure(.check) { () throws(FileError) in
        try load(path, in: session, checks: check)
      }
    } catch {
      return reporter.report(error)
    }
    follower.hasRead(scene.inputs)
    if scene.wasCancelled { return .interrupted }
    reporter.show(scene.diagnostics, scene.sources)
    guard let model = scene.model else { return .invalidScene }
    do {
      let outputs = try OutputPlans(options, scene: scene.path, model: model)
      for note in model.remarks + outputs.notes { reporter.note(note) }
      for plan in outputs.plans where plan.losesSound {
        reporter.note("'\(plan.path)' has no audio track: the format does not support one")
      }
      let drawn = outputs.plans.filter(\.settings.file.isDrawn)
      let films = try self.films(drawn, of: scene, model: model, session: session, check: check)
      let trace = try self.trace(scene, outputs.plans)
      let dependencies = try self.dependencies(scene.inputs, outputs.plans)
      if let shard = options.shard {
        try draw(shard, films)
        try showTimings(scene, trace)
        return .done
      }
      let sounds = try outputs.plans.filter { $0.settings.file.isSound }.compactMap { plan in
        let heard = SoundOfFilm(
          model: plan.described == .none ? model : model.described,
          frames: try frames(model, of: plan), metrics: scene.metrics, resources: scene.resources)
        return try SoundFile(plan, film: heard, inputs: scene.inputs.paths, making: making)
      }
      let captions = try captionFiles(outputs.plans, of: scene, model: model)
      for sound in sounds { try sound.write(goOn) }
      try warn(
        warnings(
          limited: sounds.lazy.compactMap(\.limited).first,
          overshoot: sounds.lazy.compactMap(\.overshoot).first, scene), scene)
      try make(films, scene)
      try SoundFile.commit(sounds)
      try CaptionOutput.commit(captions)
      store?.trim()
      if let failure = store?.takeFailure() { reporter.note(failure) }
      for plan in outputs.plans where plan.path != "-" { reporter.result(plan.path) }
      noteEmbeddedCaptions(in: outputs.plans, model)
      noteDrawnCaptions(in: outputs.plans)
      try dependencies?.write(reporter)
      follower.hasMade(
        try outputs.plans.map {
          BuiltFile(path: $0.path, tracks: model.tracks(in: try frames(model, of: $0)))
        })
      try showTimings(scene, trace)
      return .done
    } catch {
      return report(error, scene)
    }
  }

  /// Loads a scene. If the file is unreadable but exists immediately afterward, an editor was
  /// replacing it, and the load is retried. If the file is missing, its reappearance counts as a
  /// change.
  private func load(_ path: String, in session: Session, checks: CheckOptions)
    throws(FileError) -> LoadedScene
  {
    var attempts = 0
    while true {
      do throws(FileError) {
        return try session.load(path, checks, isStrict: options.isStrict)
      } catch {
        let files = InputFiles([path])
        attempts += 1
        if files.lacksFiles || attempts == Builder.mostAttempts {
          follower.hasRead(files)
          throw error
        }
      }
    }
  }

  private static let mostAttempts = 5

  /// Opens the file that `--timings` names; returns `nil` without one. Throws if the build itself
  /// reads or writes the file.
  private func trace(_ scene: LoadedScene, _ plans: [OutputPlan]) throws -> SideFile? {
    guard let path = options.timingsFile, let timings else { return nil }
    return try sideFile(path, "its timings", inputs: scene.inputs, plans: plans) { timings.trace }
  }

  private func showTimings(_ scene: LoadedScene, _ trace: SideFile?) throws {
    guard let timings else { return }
    if let trace { return try trace.write(reporter) }
    for line in timings.lines(heaviest: { scene.heaviest(in: $0) }) { reporter.note(line) }
  }

  /// An additional output file that the build itself neither reads nor writes.
  ///
  /// The file is opened before the work starts, so an unwritable folder is reported immediately.
  struct SideFile {
    let path: String
    let file: OutputFile
    let content: () throws -> String

    func write(_ reporter: any BuildReporter) throws {
      try file.write(Array(try content().utf8))
      try file.commit()
      reporter.result(path)
    }
  }

  func sideFile(
    _ path: String, _ what: String, inputs: InputFiles, plans: [OutputPlan],
    content: @escaping () throws -> String
  ) throws -> SideFile {
    let place = OutputPlace.name(of: path)
    guard !plans.contains(where: { OutputPlace.name(of: $0.path) == place }) else {
      throw FileError("'\(path)' is an output of the build and cannot contain \(what)")
    }
    return SideFile(path: path, file: try OutputFile(path, inputs: inputs.paths), content: content)
  }

  /// Groups the output files by the variant of the scene that they show.
  private func films(
    _ plans: [OutputPlan], of scene: LoadedScene, model: SceneModel, session: Session,
    check: CheckOptions
  ) throws -> [Film] {
    var films = try self.films(plans.filter { $0.variant == nil }, of: scene, model: model)
    for variant in model.variants {
      let plans = plans.filter { $0.variant == variant }
      guard !plans.isEmpty else { continue }
      let other = try session.load(
        scene.path, check.evaluating(variant, of: model), isStrict: options.isStrict)
      if other.wasCancelled { throw BuildError.interrupted(0) }
      reporter.show(
        other.diagnostics.filter { !scene.diagnostics.contains($0) }, other.sources)
      guard let model = other.model else { throw ReportedBuildError(outcome: .invalidScene) }
      films += try self.films(plans, of: other, model: model)
    }
    return films
  }

  /// Groups the output files of a variant by their frames and whether captions are drawn.
  private func films(_ plans: [OutputPlan], of scene: LoadedScene, model: SceneModel) throws
    -> [Film]
  {
    struct Group {
      let frames: Range<Int>
      let hasDrawnCaptions: Bool
      var plans: [OutputPlan]
    }
    var groups: [Group] = []
    let hasCaptions = model.elements.contains(where: \.hasCaptions)
    for plan in plans {
      let frames = try self.frames(model, of: plan)
      let isDrawn = plan.captions.isDrawn || !hasCaptions
      if let index = groups.firstIndex(where: {
        $0.frames == frames && $0.hasDrawnCaptions == isDrawn
      }) {
        groups[index].plans.append(plan)
      } else {
        groups.append(Group(frames: frames, hasDrawnCaptions: isDrawn, plans: [plan]))
      }
    }
    return groups.map { group in
      film(
        scene, model: group.hasDrawnCaptions ? model : model.withoutCaptions, frames: group.frames,
        plans: group.plans)
    }
  }

  private func film(
    _ scene: LoadedScene, model: SceneModel, frames: Range<Int>, plans: [OutputPlan]
  ) -> Film {
    Film(
      scene, model: model, frames: frames, plans: plans, pace: follower.pace, isUnwanted: isUnwanted
    )
  }

  private func report(_ error: any Error, _ scene: LoadedScene) -> BuildOutcome {
    // A cancelled build can fail for unrelated reasons.
    if isUnwanted() { return .interrupted }
    switch error {
    case PlanError.scene(let diagnostic):
      reporter.show([diagnostic], scene.sources)
      return .invalidScene
    case BuildError.interrupted:
      return .interrupted
    case BuildError.drawing(let failure), let failure as DrawingError:
      reporter.error(failure.message, help: nil)
      return .failed
    case BuildError.media(let failure): return report(failure, scene)
    case MediaError.file(let failure): return reporter.report(failure)
    case MediaError.video(let failure): return report(failure)
    case let failure as VideoError: return report(failure)
    default: return reporter.report(error)
    }
  }

  private func report(_ failure: VideoError) -> BuildOutcome {
    // The program reports the failure when it exits, or stays silent if the reader closed the pipe.
    guard StandardOutput.failure == 0 else { return .failed }
    reporter.error("cannot \(failure.action): \(failure.reason)", help: nil)
    return .failed
  }

  /// Returns the frames of a file: those selected by `--from` and `--to`, or by its output; by
  /// default, all frames.
  func frames(_ model: SceneModel, of plan: OutputPlan) throws -> Range<Int> {
    let frames = plan.frames(of: model, options)
    guard !frames.isEmpty else {
      throw CallError(message: model.noFramesMessage)
    }
    return frames
  }

  var workers: Int {
    options.jobs ?? min(16, OwnProcess.processorCount)
  }

  var making: SoundMaking {
    SoundMaking(store: store, workers: workers, timings: timings, isOver: isUnwanted)
  }

  /// Returns `true` once the build is interrupted or its input is outdated.
  private var isUnwanted: @Sendable () -> Bool {
    { [interruption, isOutdated = follower.isOutdated] in
      interruption.caught != 0 || isOutdated()
    }
  }

  private func make(_ films: [Film], _ scene: LoadedScene) throws {
    // Reports unsupported settings before any frame is rendered.
    let files = try films.map { film in
      try film.plans.map {
        try FilmFile($0, film: film, inputs: scene.inputs.paths, making: making)
      }
    }
    let total = films.reduce(0) { $0 + $1.frames.count }
    reporter.begin(frames: total)
    defer { reporter.endFrames() }
    var before = 0
    var findings: [FlashFindings] = []
    for (film, files) in zip(films, files) {
      let judge = FlashJudge(film, store: store)
      let show = { (count: Int) throws(BuildError) in
        try self.goOn()
        reporter.advance(to: before + count)
        follower.hasDrawn(before + count, total)
      }
      if film.isSegmented {
        let pipeline = try SegmentPipeline(
          film, segments: timings.measure(.plan) { film.segments },
          for: files.map { ($0.settings, $0.media.headers) }, workers: workers, store: store,
          timings: timings)
        try pipeline.run(
          workers: workers, judge: judge, leave: follower.leave, progress: show
        ) {
          (file, packet, start) throws(BuildError) in
          try timings.measure(.write) { () throws(BuildError) in
            try files[file].write(packet, from: start)
          }
        }
      } else {
        try inOrder(film, files, judge: judge, show: show)
      }
      findings.append(judge.finish())
      before += film.frames.count
    }
    try goOn()
    reporter.endFrames()
    try timings.measure(.write) { for file in files.joined() { try file.media.finish() } }
    // Files with different intervals of the scene can have the same warnings.
    var warnings: [Diagnostic] = []
    for (film, findings) in zip(films, findings) {
      warnings += scene.warnings(about: findings, in: film.model)
        .filter { !warnings.contains($0) }
    }
    warnings += self.warnings(
      limited: files.joined().lazy.compactMap(\.limited).first,
      overshoot: files.joined().lazy.compactMap(\.overshoot).first, scene)
    warnings += scene.clipDamages
    try warn(warnings, scene)
    try timings.measure(.write) { try MediaFile.commit(files.joined().map(\.media)) }
    for case let folder? in files.joined().map(\.media.madeFolder) {
      reporter.note("created folder '\(folder)'")
    }
    for (film, findings) in zip(films, findings) {
      if let copies = film.copies { note(copies, findings) }
    }
    for (film, files) in zip(films, files) {
      for stale in files.compactMap({ $0.media.stale(after: film.frames) }) {
        reporter.note("'\(stale)' and the files after it are from an earlier build")
      }
    }
  }

  /// Shows warnings that only a build can find. Throws in strict mode, before any file is moved
  /// into place.
  private func warn(_ warnings: [Diagnostic], _ scene: LoadedScene) throws {
    guard !warnings.isEmpty else { return }
    reporter.show(warnings, scene.sources)
    if options.isStrict { throw ReportedBuildError(outcome: .invalidScene) }
  }

  /// Reports the number of copied frames.
  private func note(_ copies: CopyPlan, _ findings: FlashFindings) {
    reporter.note(
      copies.stretches.isEmpty
        ? "no frames copied: no closed group of pictures (GOP) of a clip is shown unchanged"
        : "copied \(copies.frameCount) of \(NumberFormat.count(copies.frames.count, of: "frame")) from clips without encoding"
          + (findings.skippedCount > 0 ? " or a check for flashes" : "")
    )
  }

  /// Returns the warnings about the limiter of the mix, and about encoded audio that exceeds the
  /// peak limit of its file. Notes a slight reduction.
  private func warnings(limited: Limited?, overshoot: SoundOvershoot?, _ scene: LoadedScene)
    -> [Diagnostic]
  {
    guard let places = scene.model?.places else { return [] }
    let isNormalized = scene.model?.isNormalized ?? false
    var warnings: [Diagnostic] = []
    if let limited {
      let limit = Timeline.Mix.Limit(
        time: Timeline.Time(limited.time), decibels: limited.decibels)
      if let warning = limit.warning(at: places, isNormalized: isNormalized) {
        warnings.append(warning)
      } else if limited.decibels >= 0.1 {
        let decibels = NumberFormat().text((limited.decibels * 10).rounded() / 10)
        reporter.note(
          "the limiter reduced the mix by \(decibels) dB at \(limited.time.description)")
      }
    }
    return warnings
      + [overshoot?.warning(at: places, isNormalized: isNormalized)].compactMap { $0 }
  }

  private func inOrder(
    _ film: Film, _ files: [FilmFile], judge: FlashJudge, show: (Int) throws(BuildError) -> Void
  ) throws {
    var palettes: [Int: PalettePass] = [:]
    for (number, view) in film.drawing.views.enumerated() where film.drawing.isPaletted(number) {
      palettes[number] = try PalettePass(film, view) { () throws(BuildError) in try self.goOn() }
    }
    let ordered = try zip(files, film.drawing.formOfFile).map {
      try OrderedFile($0.media, form: $1, film.frames)
    }
    try FramePipeline(film, ordered, palettes: palettes, judge: judge, workers: workers)
      .run(workers: workers, leave: follower.leave, progress: show)
  }

  func goOn() throws(BuildError) {
    if interruption.caught != 0 { throw .interrupted(interruption.caught) }
    if follower.isOutdated() { throw .interrupted(0) }
  }
}

extension LoadedScene {
  /// Returns the location of the element with the most work in a frame, such as `for
  /// intro.scene:12`; `nil` if no element has a known location.
  fileprivate func heaviest(in frame: Int) -> String? {
    guard let model else { return nil }
    var work = DrawingWork(model, metrics: metrics)
    guard let span = work.frame(at: model.frameRate.time(ofFrame: frame)).heaviest,
      let source = sources.first(where: { $0.id == span.file })
    else { return nil }
    return "for \(source.name):\(source.position(at: span.start).line)"
  }
}
