// SPDX-License-Identifier: MIT
import CLinux
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneText

/// The place of a frame: a time, or a marker of the scene.
enum FramePlace {
  case time(TimeOption)
  case marker(String)
}

/// The options of commands that render single frames.
struct StillOptions {
  let at: FramePlace?
  let frame: Int?
  let scale: PictureScale?
  /// The interval that a sheet shows; by default, from the start to the end of the scene.
  let from: FramePlace?
  let to: FramePlace?
  let every: TimeOption?
  /// The number of frames in a sheet.
  let count: Int
  let output: String?
  /// Whether to compress the file more, which takes longer.
  let isCompressed: Bool
  /// Whether to suppress the name of the output file.
  let isQuiet: Bool

  init(_ reader: inout OptionReader) {
    at = reader.place("at")
    frame = reader.count("frame", in: 0...100_000_000)
    scale = PictureScale(&reader)
    (from, to) = (reader.place("from"), reader.place("to"))
    every = reader.time("every")
    count = reader.count("count", in: 1...400) ?? 12
    output = reader.text("output")
    isCompressed = reader.has("compress")
    isQuiet = reader.has("quiet")
    if reader.all("output").count > 1 { reader.report("'-o' can be given only once") }
    if reader.has("at"), reader.has("frame") {
      reader.report("'--at' and '--frame' cannot be combined")
    }
    if reader.has("every"), reader.has("count") {
      reader.report("'--every' and '--count' cannot be combined")
    }
  }
}

/// The shared part of the commands that render single frames.
struct StillSource {
  let scene: LoadedScene
  let model: SceneModel
  let options: StillOptions
  private let console: Console

  /// Loads the only operand and shows its diagnostics.
  init(_ call: Invocation, _ console: Console) throws {
    self.console = console
    guard call.operands.count == 1, let path = call.operands.first else {
      throw Invocation.Failure(
        message: "expected a single file: scenec \(call.command.name) intro.scene")
    }
    var reader = OptionReader(call)
    let load = LoadOptions(&reader)
    options = StillOptions(&reader)
    if let data = load.data, load.row == nil {
      reader.report("'\(call.command.name)' requires a single row of '\(data)': add --row 1")
    }
    try console.accept(reader, load: load, paths: [path])
    if load.check.sceneName == nil {
      console.noteOtherScenes(of: path) { "use --scene \($0) to render it" }
    }
    scene = try Session(load).load(path, load.requests(for: path)[0].check).asBuilt
    console.show(scene.diagnostics, scene.sources)
    guard let model = scene.model else { throw ReportedError(code: .sceneWrong) }
    self.model = model
  }

  /// Returns the frame selected by `--at` or `--frame`, by default the first.
  func frameIndex() throws -> Int {
    if let number = options.frame {
      guard number < model.frameCount else {
        throw Invocation.Failure(
          message: "frame \(number) is out of range: the frames are 0 to \(model.frameCount - 1)")
      }
      return number
    }
    guard let time = try options.at.map(time) else { return 0 }
    guard time <= model.duration else {
      throw Invocation.Failure(
        message: "\(time.description) is after the end of the scene (\(model.duration.description))"
      )
    }
    let next = model.frameRate.frames(before: Ticks(time.rawValue + 1))
    return min(max(0, next - 1), model.frameCount - 1)
  }

  /// Returns the time of a place in the scene.
  func time(of place: FramePlace) throws -> Ticks {
    switch place {
    case .time(let time): return time.ticks(model.frameRate)
    case .marker(let name):
      if let time = model.markers[name] { return time }
      let names = model.markers.keys.sorted()
      let advice =
        if let near = nearest(name, in: names) {
          "did you mean '\(near)'?"
        } else if names.count > 1 {
          "its markers are \(names.joined(separator: ", "))"
        } else {
          names.first.map { "its only marker is '\($0)'" } ?? "it has no markers"
        }
      throw Invocation.Failure(message: "the scene has no marker '\(name)'; \(advice)")
    }
  }

  /// Renders a frame program as PNG, SVG or PDF, to standard output for `-`.
  ///
  /// Without `-o`, the file has the name of the scene with a different file extension.
  func write(_ program: FrameProgram, isOpaque: Bool, suffix: String) throws -> ExitCode {
    let path = options.output ?? defaultPath(suffix)
    let ending = path == "-" ? "png" : path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    guard ["png", "svg", "pdf"].contains(ending) else {
      throw Invocation.Failure(
        message: "the output of a frame must be .png, .svg or .pdf, found '\(path)'")
    }
    let output =
      path == "-" ? nil : try OutputFile(path, inputs: scene.inputs.paths)
    let bytes: [UInt8]
    do throws(DrawingError) {
      switch ending {
      case "svg": bytes = try VectorCanvas.svg(program, resources: scene.resources)
      case "pdf": bytes = try VectorCanvas.pdf(program, resources: scene.resources)
      default:
        let canvas = try Canvas(
          program.size, isOpaque: isOpaque, resources: scene.resources)
        try canvas.draw(program)
        bytes = try canvas.png(isCompressed: options.isCompressed)
      }
    } catch {
      throw FileError(error.message)
    }
    guard let output else {
      StandardOutput.write(bytes)
      return .done
    }
    try output.write(bytes)
    try output.commit()
    console.show(scene.clipDamages, scene.sources)
    if let folder = output.madeFolder { console.note("created folder '\(folder)'") }
    console.result(path)
    return .done
  }

  private func defaultPath(_ suffix: String) -> String {
    let path = scene.path == "-" ? "scene" : scene.path
    return (path.hasSuffix(".scene") ? String(path.dropLast(6)) : path) + suffix
  }
}

/// The `scenec frame` command.
struct FrameCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    let still = try StillSource(call, console)
    let index = try still.frameIndex()
    let size = try still.options.scale?.size(of: still.model.size, isEven: false)
    var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
    let program = lowerer.lower(frame: index)
    return try still.write(
      program.scaled(to: size ?? program.size), isOpaque: program.isOpaque,
      suffix: "-\(index).png")
  }
}

/// The `scenec ir` command.
struct IRCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    let still = try StillSource(call, console)
    if call.has("frame") || call.has("at") {
      var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
      Console.print(lowerer.lower(frame: try still.frameIndex()).description)
    } else {
      Console.print(ModelDump(still.model).text)
    }
    return .done
  }
}
