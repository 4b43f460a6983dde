// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneDiagnostics
import SceneFiles
import SceneOutput
import ScenePreview
import SceneSession
import SceneSystem

/// The `scenec watch` command: shows the scene in a browser and rebuilds its video on every change.
struct WatchCommand {
  private let call: Invocation
  private let console: Console
  private let interruption: Interruption

  init(_ call: Invocation, console: Console, interruption: Interruption) {
    self.call = call
    self.console = console
    self.interruption = interruption
  }

  func run() -> ExitCode {
    Console.goOnUnread()
    defer { Console.finish() }
    guard call.operands.count == 1, let path = call.operands.first, path != "-" else {
      console.error(
        "expected a file, such as 'scenec watch intro.scene'",
        help: "see 'scenec help watch'")
      return .callWrong
    }
    var reader = OptionReader(call)
    var load = LoadOptions(&reader)
    // The page can select the other rows.
    if load.data != nil, load.row == nil { load.row = 1 }
    let options = BuildOptions(&reader)
    let watch = WatchOptions(&reader)
    if options.outputs.contains(where: { $0.path == "-" }) {
      reader.report("'watch' requires an output file, not a pipe")
    }
    let preview: Preview?
    do {
      try console.accept(reader, load: load, paths: [path])
      preview =
        watch.hasPreview ? try self.preview(path, load: load, options: options, watch: watch) : nil
    } catch {
      return console.report(error)
    }
    defer { preview?.end() }
    let reporter = BuildConsole(console, ProgressStyle(reader))
    let film = FilmWatch(
      path, load: load, options: options, reporter: reporter, interruption: interruption)
    guard let preview else { return ExitCode(film.run()) }
    if watch.opensBrowser { OwnProcess.start(["xdg-open", preview.url]) }
    guard watch.hasVideo else {
      while interruption.caught == 0, watch.link?.isEnded != true {
        SystemClock().sleep(for: .milliseconds(20))
      }
      return .interrupted
    }
    // Building the video has lower priority than the preview.
    OwnProcess.giveWay()
    let pace: @Sendable () -> Void = { [interruption] in
      preview.waitForQuiet { interruption.caught != 0 }
    }
    return ExitCode(film.run(pace: pace) { preview.show($0) })
  }

  /// Starts the preview on the requested port, or on the first free port from the last used one on.
  private func preview(
    _ path: String, load: LoadOptions, options: BuildOptions, watch: WatchOptions
  ) throws -> Preview {
    var place = PreviewPlace(of: path, port: watch.port)
    // Reports an invalid table. The preview itself reads the parameters of each row.
    _ = try load.requests(for: path)
    var made = Preview.Call(
      path: path, load: load, check: load.check, build: options, interruption)
    made.isReadOnly = watch.isReadOnly
    made.editor = watch.editor
    made.link = watch.link
    made.otherHosts = watch.otherHosts
    made.report.read = { [console] in
      WatchCommand.report($0, after: $1, on: console, showsAll: !watch.hasVideo)
    }
    made.report.line = { [console] in console.note("\(SystemClock.timeOfDay) \($0)") }
    if watch.port == 0 { place.port = Int.random(in: 20_000..<60_000) }
    let last = watch.port.flatMap { $0 == 0 ? nil : $0 } ?? min(65_535, place.port + 99)
    while place.port <= last {
      if let preview = Preview(made, port: place.port, token: place.token) {
        place.keep(for: path)
        console.note("preview at \(preview.url)")
        return preview
      }
      place.port += 1
    }
    throw FileError(
      "port \(last) is already in use", help: "choose a different port with --port, or omit it")
  }

  private static func report(
    _ scene: LoadedScene, after time: Duration, on console: Console, showsAll: Bool
  ) {
    if showsAll { console.show(scene.diagnostics, scene.sources) }
    let summary = DiagnosticPrinter.summary(scene.diagnostics)
    console.note(
      "\(SystemClock.timeOfDay) \(scene.path) \(scene.isWrong ? "failed" : "checked") in "
        + "\(Int((time / .milliseconds(1)).rounded())) ms" + (summary.isEmpty ? "" : ", " + summary)
    )
  }
}
