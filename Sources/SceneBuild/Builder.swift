// SPDX-License-Identifier: MIT
import CLinux
import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneAV
import SceneGraphics
import SceneLower
import SceneLanguage
import SceneModel
import SceneRaster
import SceneSession
import SceneSystem
import SceneText
import SceneVideo

/// Makes one video of one scene file.
struct Builder {
  private let options: BuildOptions
  private let console: Console
  private let interruption: Interruption
  /// Asked between frames; a build that is no longer wanted ends.
  private let isOutdated: @Sendable () -> Bool
  /// What this video may have in common with others.
  private let store: SegmentStore?
  /// Gets the files that the scene was made from, before it is drawn.
  private let hasRead: (InputFiles) -> Void

  init(
    _ options: BuildOptions, _ console: Console, _ interruption: Interruption,
    store: SegmentStore? = nil, isOutdated: @escaping @Sendable () -> Bool = { false },
    hasRead: @escaping (InputFiles) -> Void = { _ in }
  ) {
    self.hasRead = hasRead
    self.store = store
    self.options = options
    self.console = console
    self.interruption = interruption
    self.isOutdated = isOutdated
  }

  func build(_ path: String, _ session: Session, _ check: CheckOptions) -> ExitCode {
    let scene: LoadedScene
    var check = check
    check.isCancelled = isOutdated
    do {
      scene = try session.load(path, check)
    } catch {
      hasRead(InputFiles([path]))
      return console.report(error)
    }
    hasRead(scene.inputs)
    if scene.wasCancelled { return .interrupted }
    console.show(scene.diagnostics, scene.sources)
    guard let model = scene.model else { return .sceneWrong }
    do {
      let plan = try OutputPlan(options, scene, model)
      let frames = try self.frames(model)
      try draw(plan, frames, scene, model)
      if plan.path != "-" { console.result(plan.path) }
      return .done
    } catch {
      return report(error, scene)
    }
  }

  private func report(_ error: any Error, _ scene: LoadedScene) -> ExitCode {
    switch error {
    case PlanFault.call(let message):
      return console.report(Invocation.Fault(message: message))
    case PlanFault.scene(let diagnostic):
      console.show([diagnostic], scene.sources)
      return .sceneWrong
    case BuildFault.interrupted:
      return .interrupted
    case BuildFault.drawing(let fault):
      console.error(fault.message)
      return .worldRefused
    case BuildFault.world(let message, let help):
      console.error(message, help: help)
      return .worldRefused
    case BuildFault.video(let fault): return report(fault)
    case let fault as VideoFault: return report(fault)
    default: return console.report(error)
    }
  }

  private func report(_ fault: VideoFault) -> ExitCode {
    // The end of the program reports it, or is quiet about a reader that has gone.
    guard Console.outputFailure == 0 else { return .worldRefused }
    console.error("cannot \(fault.action): \(fault.reason)")
    return .worldRefused
  }

  /// `--from` and `--to`, else all.
  private func frames(_ model: SceneModel) throws -> Range<Int> {
    var low = 0
    var high = model.frameCount
    if let from = options.from?.ticks(model.frameRate) {
      low = model.frameRate.frames(before: from)
    }
    if let to = options.to?.ticks(model.frameRate) {
      high = min(high, model.frameRate.frames(before: to))
    }
    guard low < high else {
      throw Invocation.Fault(
        message:
          "there is no frame between --from and --to; the scene lasts \(model.duration.description)"
      )
    }
    return low..<high
  }

  private var workers: Int {
    options.jobs ?? min(16, OwnProcess.processorCount)
  }

  private func draw(
    _ plan: OutputPlan, _ frames: Range<Int>, _ scene: LoadedScene, _ model: SceneModel
  ) throws {
    let inputs = scene.inputs.paths
    let workers = self.workers
    var progress = Progress(options, total: frames.count)
    defer { progress.clear() }
    switch plan.target {
    case .stills:
      let writer = try StillsWriter(plan.path, inputs: inputs)
      let pipeline = try FramePipeline(
        model: model, frames: frames, size: plan.size, kind: .png, isOpaque: !model.isTransparent,
        workers: workers, metrics: scene.metrics, resources: scene.resources)
      try pipeline.run(workers: workers) { (index, picture) throws(BuildFault) in
        try self.goOn()
        try writer.write(picture, number: index)
        progress.show(index - frames.lowerBound + 1)
      }
      try writer.commit()
      if let stale = writer.stale(after: frames) {
        console.note("'\(stale)' and those after it are not of this build")
      }
    case .video(var settings):
      settings.frameCount = frames.count
      settings.chapters = chapters(model, frames)
      let file = plan.path == "-" ? nil : try OutputFile(plan.path, inputs: inputs)
      do {
        let writer = try VideoWriter(settings, to: file ?? StandardOutput())
        if settings.isSegmented {
          let pipeline = SegmentPipeline(
            model: model, frames: frames, settings: settings, headers: writer.headers,
            workers: workers,
            metrics: scene.metrics, resources: scene.resources, store: store)
          try encode(pipeline, writer, workers, &progress)
        } else {
          let format = settings.pixelFormat
          let kind: FramePipeline.Kind =
            format == .pal8
            ? .paletted(
              try PalettePass(
                model, frames, size: settings.size, metrics: scene.metrics,
                resources: scene.resources, goOn: { () throws(BuildFault) in try self.goOn() }))
            : .video(format)
          let pipeline = try FramePipeline(
            model: model, frames: frames, size: settings.size, kind: kind,
            isOpaque: format != .pal8 && !format.hasAlpha, workers: workers,
            metrics: scene.metrics, resources: scene.resources)
          try encode(pipeline, writer, settings, frames, workers, &progress)
        }
        try goOn()
        try writer.finish()
      } catch let fault as VideoFault {
        throw named(fault, file)
      } catch BuildFault.video(let fault) {
        throw named(fault, file)
      }
      try file?.commit()
    }
  }

  private func encode(
    _ pipeline: SegmentPipeline, _ writer: VideoWriter, _ workers: Int, _ progress: inout Progress
  ) throws {
    var bar = progress
    try pipeline.run(workers: workers) { (count) throws(BuildFault) in
      try self.goOn()
      bar.show(count)
    } consume: { (packet, start) throws(BuildFault) in
      try write(packet, from: start, writer)
    }
    progress = bar
  }

  private func write(_ packet: VideoPacket, from start: Int, _ writer: VideoWriter)
    throws(BuildFault)
  {
    do throws(VideoFault) { try writer.write(packet, from: start) } catch { throw .video(error) }
  }

  private func encode(
    _ pipeline: FramePipeline, _ writer: VideoWriter, _ settings: VideoSettings,
    _ frames: Range<Int>, _ workers: Int, _ progress: inout Progress
  ) throws {
    let encoder = try VideoEncoder(settings, .whole)
    var shown: VideoFrame?
    var bar = progress
    try pipeline.run(workers: workers) { (index, picture) throws(BuildFault) in
      try self.goOn()
      var isRepeated = true
      if case .video(let frame) = picture {
        shown = frame
        isRepeated = false
      }
      guard let shown else { preconditionFailure("the first picture is never a repeated one") }
      let packets: [VideoPacket]
      do throws(VideoFault) {
        packets = try encoder.encode(
          shown, index: index - frames.lowerBound, isRepeated: isRepeated)
      } catch {
        throw .video(error)
      }
      for packet in packets { try write(packet, from: 0, writer) }
      bar.show(index - frames.lowerBound + 1)
    }
    for packet in try encoder.finish(endsVideo: true) { try write(packet, from: 0, writer) }
    progress = bar
  }

  /// A full disk and similar faults are reported with the name of the file.
  private func named(_ fault: VideoFault, _ file: OutputFile?) -> any Error {
    let isWrite = [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(fault.code)
    guard isWrite, let file else { return fault }
    return OutputFile.writeFault(file.path, code: fault.code)
  }

  private func goOn() throws(BuildFault) {
    if interruption.caught != 0 { throw .interrupted(interruption.caught) }
    if isOutdated() { throw .interrupted(0) }
  }

  private func chapters(_ model: SceneModel, _ frames: Range<Int>) -> [VideoSettings.Chapter] {
    let start = model.frameRate.time(ofFrame: frames.lowerBound)
    let end = model.frameRate.time(ofFrame: frames.upperBound)
    return model.chapters.filter { $0.start >= start && $0.start < end }.map {
      VideoSettings.Chapter(
        startMilliseconds: ($0.start - start).rawValue * 1000 / Ticks.perSecond, title: $0.title)
    }
  }
}

extension OutputFile: ByteStore {
  package var isSeekable: Bool { true }
}

/// A pipe: bytes go out in order.
final class StandardOutput: ByteStore {
  var isSeekable: Bool { false }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    Console.print(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
    return Console.outputFailure
  }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int { -Int(ESPIPE) }
}

/// Numbered PNG files, all put in place together at the end.
final class StillsWriter {
  private let pattern: NumberPattern
  private let files: OutputSet
  private var last: [UInt8] = []

  init(_ path: String, inputs: [String]) throws {
    guard let pattern = NumberPattern(path) else {
      throw FileFault("'\(path)' has no number such as %04d")
    }
    self.pattern = pattern
    files = try OutputSet(pattern.name(0), inputs: inputs)
  }

  func write(_ picture: Picture, number: Int) throws(BuildFault) {
    if case .still(let bytes) = picture { last = bytes }
    do {
      try files.add(pattern.name(number), last)
    } catch {
      throw .world(error.message, help: error.help)
    }
  }

  func commit() throws { try files.commit() }

  /// The first still of an earlier, longer build, which stays.
  func stale(after frames: Range<Int>) -> String? {
    let next = pattern.name(frames.upperBound)
    return Files.exists(next) ? next : nil
  }
}
