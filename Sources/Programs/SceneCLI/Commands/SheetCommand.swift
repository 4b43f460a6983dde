// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneOutput
import SceneSession

/// The `scenec sheet` command: renders a grid of frames with their times.
struct SheetCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    let still = try StillSource(call, console)
    let frames = try self.frames(of: still)
    return try still.write(try sheet(still, frames), isOpaque: true, suffix: "-sheet.png")
  }

  private func frames(of still: StillSource) throws -> [Int] {
    let (model, options) = (still.model, still.options)
    let from = try options.from.map { try still.time(of: $0) }
    let to = try options.to.map { try still.time(of: $0) }
    let frames = model.frames(from: from, to: to)
    guard !frames.isEmpty else { throw Invocation.Failure(message: model.noFramesMessage) }
    if let step = options.every?.ticks(model.frameRate) {
      guard step > .zero else { throw Invocation.Failure(message: "'--every' must be above 0s") }
      let start = from?.rawValue ?? 0
      let end = model.frameRate.time(ofFrame: frames.upperBound - 1).rawValue
      let count = Int((end - start) / step.rawValue) + 1
      guard count <= 400 else {
        throw Invocation.Failure(message: "the sheet would have \(count) frames, the limit is 400")
      }
      return (0..<count).map {
        let time = Ticks(start + step.rawValue * Int64($0) + 1)
        return max(frames.lowerBound, model.frameRate.frames(before: time) - 1)
      }
    }
    // Takes the middle of equal intervals, which avoids an empty first and a faded last frame.
    let count = options.count
    return (0..<count).map { frames.lowerBound + (2 * $0 + 1) * frames.count / (2 * count) }
  }

  private func sheet(_ still: StillSource, _ frames: [Int]) throws -> FrameProgram {
    var lowerer = Lowerer(still.model, metrics: still.scene.metrics)
    let columns = Int(Double(frames.count).squareRoot().rounded(.up))
    let rows = (frames.count + columns - 1) / columns
    let scale = still.options.scale ?? .width(480)
    let picture = try scale.size(of: still.model.size, isEven: false)
    let (width, height) = (Double(picture.width), Double(picture.height))
    let (gap, label) = (12.0, 28.0)
    let font = FontSpec(families: ["Inter", "sans-serif"], size: 16)
    var ops: [DrawOp] = []
    for (number, frame) in frames.enumerated() {
      let program = lowerer.lower(frame: frame)
      let x = gap + Double(number % columns) * (width + gap)
      let y = gap + Double(number / columns) * (height + label + gap)
      let whole = Outline.rect(
        Rect(x: 0, y: 0, width: Double(program.size.width), height: Double(program.size.height)),
        radius: 0)
      ops.append(
        .transformed(
          Affine(
            a: width / Double(program.size.width), b: 0, c: 0,
            d: height / Double(program.size.height), e: x, f: y),
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
