// SPDX-License-Identifier: MIT
import CLinux
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneText

/// `scenec check`.
struct CheckCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard !call.operands.isEmpty else {
      throw Invocation.Fault(message: "name a file: scenec check intro.scene")
    }
    let loader = try SceneLoader(call)
    var code = ExitCode.done
    var reports: [DiagnosticReport] = []
    for path in call.operands {
      if call.has("fix") { try fix(path, loader) }
      let scene = try loader.load(path, isStrict: call.has("strict"))
      if scene.model == nil { code = .sceneWrong }
      if call.value("format") == "json" {
        reports += scene.diagnostics.map { DiagnosticReport($0, scene.sources) }
      } else {
        console.show(scene.diagnostics, scene.sources)
        if scene.diagnostics.isEmpty, let model = scene.model {
          console.note(
            "\(path): \(model.size), \(model.frameRate.description) fps, \(model.duration.description), \(model.frameCount) frames"
          )
        }
      }
    }
    if call.value("format") == "json" { Console.print(try DiagnosticReport.json(reports)) }
    return code
  }
}

extension CheckCommand {
  /// Applies mends one by one; each is kept only if its fault is gone then. What it hid, such as the
  /// body of an element whose name was wrong, is told of next.
  private func fix(_ path: String, _ loader: SceneLoader) throws {
    guard path != "-" else {
      throw Invocation.Fault(message: "'--fix' changes a file, and standard input is none")
    }
    var scene = try loader.load(path)
    var bytes = scene.source.bytes
    var refused: Set<Diagnostic> = []
    var count = 0
    while let (fault, fix) = nextMend(scene, refused) {
      var mended = bytes
      mended.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
      let after = try loader.load(path, bytes: mended)
      func alike(_ list: [Diagnostic]) -> Int {
        list.count { $0.code == fault.code && $0.message == fault.message }
      }
      if alike(after.diagnostics) < alike(scene.diagnostics) {
        scene = after
        bytes = mended
        count += 1
      } else {
        refused.insert(fault)
      }
      if count + refused.count > 1000 { break }
    }
    guard count > 0 else { return }
    let file = try OutputFile(path, inputs: [])
    try file.write(bytes)
    try file.commit()
    console.note("\(path): \(count) \(count == 1 ? "fault" : "faults") mended")
  }

  /// The first fault of the file itself with one mend that has not been tried in vain.
  private func nextMend(_ scene: LoadedScene, _ refused: Set<Diagnostic>) -> (Diagnostic, FixIt)? {
    for fault in scene.diagnostics where fault.fixIts.count == 1 && !refused.contains(fault) {
      let fix = fault.fixIts[0]
      let isEmpty = fix.replacement.isEmpty && fix.span.start == fix.span.end
      if fix.span.file == scene.source.id, !isEmpty { return (fault, fix) }
    }
    return nil
  }
}

/// What the commands share that draw single frames.
struct StillSource {
  let scene: LoadedScene
  let model: SceneModel

  /// Loads the one operand and shows what is wrong with it; `nil` when it cannot be drawn.
  init?(_ call: Invocation, _ console: Console) throws {
    guard call.operands.count == 1, let path = call.operands.first else {
      throw Invocation.Fault(message: "name one file: scenec \(call.command.name) intro.scene")
    }
    let scene = try SceneLoader(call).load(path)
    console.show(scene.diagnostics, scene.sources)
    guard let model = scene.model else { return nil }
    self.scene = scene
    self.model = model
  }

  /// The frame that `--at` or `--frame` names; the first without them.
  func frameIndex(_ call: Invocation) throws -> Int {
    if let text = call.value("frame") {
      guard !call.has("at") else {
        throw Invocation.Fault(message: "give '--at' or '--frame', not both")
      }
      guard let number = Int(text), number >= 0 else {
        throw Invocation.Fault(message: "'--frame' is a whole number from 0, not '\(text)'")
      }
      guard number < model.frameCount else {
        throw Invocation.Fault(
          message: "there is no frame \(number): frames are 0 to \(model.frameCount - 1)")
      }
      return number
    }
    guard let text = call.value("at") else { return 0 }
    let time = try SceneLoader.time(text, "at", model.frameRate)
    guard time <= model.duration else {
      throw Invocation.Fault(
        message: "\(time.description) is behind the end, \(model.duration.description)")
    }
    let next = model.frameRate.frames(before: Ticks(time.rawValue + 1))
    return min(max(0, next - 1), model.frameCount - 1)
  }

  /// `-o`, or the name of the scene with another ending, beside it.
  func output(_ call: Invocation, suffix: String) -> String {
    if let path = call.value("output") { return path }
    let path = scene.path == "-" ? "scene" : scene.path
    let base = path.hasSuffix(".scene") ? String(path.dropLast(6)) : path
    return base + suffix
  }
}

/// `scenec frame`.
struct FrameCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard let still = try StillSource(call, console) else { return .sceneWrong }
    let index = try still.frameIndex(call)
    var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
    var program = lowerer.lower(frame: index)
    if let text = call.value("width") {
      guard let width = Int(text), (1...16_384).contains(width) else {
        throw Invocation.Fault(message: "'--width' is 1 to 16384, not '\(text)'")
      }
      program = program.scaled(toWidth: width)
    }
    let path = still.output(call, suffix: "-\(index).png")
    return try writeStill(program, to: path, still.scene, console)
  }
}

/// `scenec sheet`: pictures in a grid, each with its time.
struct SheetCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard let still = try StillSource(call, console) else { return .sceneWrong }
    let frames = try self.frames(still.model)
    let program = sheet(still, frames)
    return try writeStill(
      program, to: still.output(call, suffix: "-sheet.png"), still.scene, console)
  }

  private func frames(_ model: SceneModel) throws -> [Int] {
    if let text = call.value("every") {
      let step = try SceneLoader.time(text, "every", model.frameRate)
      guard step > .zero else { throw Invocation.Fault(message: "'--every' is above 0s") }
      let count = Int((model.duration.rawValue + step.rawValue - 1) / step.rawValue)
      guard count <= 400 else {
        throw Invocation.Fault(message: "that makes \(count) pictures; a sheet holds 400")
      }
      return (0..<count).map {
        model.frameRate.frames(before: Ticks(step.rawValue * Int64($0) + 1)) - 1
      }
    }
    let text = call.value("count") ?? "12"
    guard let count = Int(text), (1...400).contains(count) else {
      throw Invocation.Fault(message: "'--count' is 1 to 400, not '\(text)'")
    }
    // In the middle of as many equal parts: neither the empty first nor the faded last frame.
    return (0..<count).map { (2 * $0 + 1) * model.frameCount / (2 * count) }
  }

  private func sheet(_ still: StillSource, _ frames: [Int]) -> FrameProgram {
    var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
    let columns = Int(Double(frames.count).squareRoot().rounded(.up))
    let rows = (frames.count + columns - 1) / columns
    let (width, gap, label) = (480.0, 12.0, 28.0)
    let scale = width / Double(still.model.size.width)
    let height = (Double(still.model.size.height) * scale).rounded()
    let font = FontSpec(families: ["Inter", "sans-serif"], size: 16)
    var ops: [DrawOp] = []
    for (number, frame) in frames.enumerated() {
      let program = lowerer.lower(frame: frame)
      let x = gap + Double(number % columns) * (width + gap)
      let y = gap + Double(number / columns) * (height + label + gap)
      let whole = Outline.rect(
        Rect(0, 0, Double(program.size.width), Double(program.size.height)), radius: 0)
      ops.append(
        .transformed(
          Affine(scale, 0, 0, scale, x, y),
          body: [.clipped(whole, body: program.opsWithBackground)]))
      let time = still.model.frameRate.time(ofFrame: frame)
      let run = TextRun("\(frame) · \(time.description)", font: font)
      ops.append(
        .text(
          TextBlock(runs: [run]), paints: [TextPaint(fill: .color(Color(hex: 0xB8BEC9)))],
          at: Point(x, y + height + 4)))
    }
    let size = PixelSize(
      Int(gap + Double(columns) * (width + gap)),
      Int(gap + Double(rows) * (height + label + gap)))
    return FrameProgram(size: size, background: .color(Color(hex: 0x1B1E24)), ops: ops)
  }
}

/// `scenec ir`.
struct IRCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard let still = try StillSource(call, console) else { return .sceneWrong }
    if call.has("frame") || call.has("at") {
      var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
      Console.print(lowerer.lower(frame: try still.frameIndex(call)).description)
    } else {
      Console.print(ModelDump(still.model).text)
    }
    return .done
  }
}

/// Draws one program into a PNG, SVG or PDF, or to standard output for `-`.
private func writeStill(
  _ program: FrameProgram, to path: String, _ scene: LoadedScene, _ console: Console
) throws -> ExitCode {
  let ending = path == "-" ? "png" : path.split(separator: ".").last.map { $0.lowercased() } ?? ""
  guard ["png", "svg", "pdf"].contains(ending) else {
    throw Invocation.Fault(message: "a frame is written as .png, .svg or .pdf, not '\(path)'")
  }
  let output =
    path == "-" ? nil : try OutputFile(path, inputs: [scene.path] + scene.assets.paths)
  let bytes: [UInt8]
  do throws(DrawingFault) {
    switch ending {
    case "svg": bytes = try VectorCanvas.svg(program, resources: scene.resources)
    case "pdf": bytes = try VectorCanvas.pdf(program, resources: scene.resources)
    default:
      let canvas = try Canvas(
        program.size, isOpaque: program.isOpaque, resources: scene.resources)
      try canvas.draw(program)
      bytes = try canvas.png()
    }
  } catch {
    throw OutputFault(error.message)
  }
  guard let output else {
    Console.print(bytes)
    return .done
  }
  try output.write(bytes)
  try output.commit()
  Console.print(path + "\n")
  return .done
}

/// `scenec fonts`: families with their styles, those that hold the word.
func listFonts(_ call: Invocation) -> ExitCode {
  let wanted = call.operands.first?.lowercased() ?? ""
  var lines: [(String, [String])] = []
  for (family, style) in FontLibrary().faces
  where family.lowercased().contains(wanted) || wanted.isEmpty {
    if lines.last?.0 == family {
      if lines[lines.count - 1].1.last != style { lines[lines.count - 1].1.append(style) }
    } else {
      lines.append((family, [style]))
    }
  }
  for (family, styles) in lines { Console.print("\(family): \(styles.joined(separator: ", "))\n") }
  return .done
}

/// `scenec new NAME`: a scene that can be built at once.
func newScene(_ call: Invocation, _ console: Console) throws -> ExitCode {
  guard call.operands.count == 1, let name = call.operands.first else {
    throw Invocation.Fault(message: "name the scene: scenec new intro")
  }
  let path = name.hasSuffix(".scene") ? name : name + ".scene"
  guard !name.hasSuffix("/"), !path.hasSuffix("/.scene"), path != ".scene" else {
    throw Invocation.Fault(message: "'\(name)' does not name a scene: scenec new intro")
  }
  guard unsafe access(path, F_OK) != 0 else {
    throw OutputFault("'\(path)' is there already", help: "choose another name")
  }
  let output = try OutputFile(path, inputs: [])
  try output.write(Array(NewScene.source.utf8))
  try output.commit()
  Console.print(path + "\n")
  console.note("next: scenec build \(path)")
  return .done
}

/// What `scenec new` writes.
package enum NewScene {
  package static let source = """
    /// A first scene: change a number, save, and build it again.
    scene {
        size: 1920x1080
        fps: 30
        for: 4s
        background: linear-gradient(#10162b, #24386b, from: top-left, to: bottom-right)

        circle {
            position: (50%, 42%)
            radius: 0 -> 120 over 0.8s with spring(bounce: 0.35)
            fill: #ff8a3d
        }

        text "Hello" {
            at: 0.4s
            position: (50%, 68%)
            font-size: 110
            font-weight: bold
            opacity: 0 -> 1 over 0.5s
            translate: (0, 40) -> (0, 0) over 0.6s with ease-out-cubic
        }
    }

    """
}
