// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport

/// A deterministic generator of random frame programs.
struct RandomOps {
  private var random: Generator

  init(seed: Int) { random = Generator(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15) }

  mutating func program() -> FrameProgram {
    let size = PixelSize(Int.random(in: 1...500, using: &random), int(1...500))
    return FrameProgram(
      size: size, background: bool() ? paint() : nil,
      ops: (0..<int(1...4)).map { _ in op(depth: 3) })
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func bool() -> Bool { Bool.random(using: &random) }

  /// Returns a number with at most three decimals, which the text form preserves.
  mutating func number(_ range: ClosedRange<Int> = -2000...2000) -> Double {
    Double(int(range)) / [1, 2, 8, 10, 1000][int(0...4)]
  }

  mutating func point() -> Point { Point(number(), number()) }

  mutating func rect() -> Rect {
    Rect(x: number(), y: number(), width: number(0...900), height: number(0...900))
  }

  /// Returns a color with 8-bit channels, which the text form preserves.
  mutating func color() -> Color { Color(hex: UInt32(int(0...0xFF_FFFF))) }

  mutating func outline() -> Outline {
    switch int(0...2) {
    case 0: .rect(rect(), radius: bool() ? 0 : number(1...50))
    case 1: .ellipse(center: point(), rx: number(0...300), ry: number(0...300))
    default: .path(path())
    }
  }

  mutating func path() -> Path {
    var path = Path()
    path.move(point())
    for _ in 0..<int(1...4) {
      if bool() { path.line(point()) } else { path.cubic(point(), point(), to: point()) }
    }
    if bool() { path.close() }
    return path
  }

  mutating func paint() -> Paint {
    let stops = [GradientStop(color(), at: 0), GradientStop(color(), at: 1)]
    switch int(0...5) {
    case 0, 1: return .color(color())
    case 4: return .pixels(function(), opacity: Double(int(1...8)) / 8)
    case 2: return .linear(from: point(), to: point(), stops: stops)
    case 3: return .radial(center: point(), radius: number(1...400), stops: stops)
    default: return .conic(center: point(), angle: number(0...360), stops: stops)
    }
  }

  /// Returns a function that mixes two colors by the position.
  mutating func function() -> PixelFunction {
    let program = PixelProgram(
      [
        PixelProgram.Instruction(.y, target: 0, operands: []),
        PixelProgram.Instruction(.sine, target: 1, operands: [.register(0)]),
        PixelProgram.Instruction(.multiply, target: 0, operands: [.register(1), .number(2)]),
      ], rowCount: 2, registerCount: 2, constants: [0, Float(int(0...8)) / 8], variableCount: 1,
      tables: [], images: [], color: [.register(0), .number(2), .number(1), .number(1)])
    return PixelFunction(program, variables: [number(0...1)], box: rect(), reach: number(0...9))
  }

  mutating func op(depth: Int) -> DrawOp {
    switch int(0...(depth > 0 ? 9 : 3)) {
    case 0, 1: return .fill(outline(), paint())
    case 2: return .stroke(outline(), StrokeStyle(width: number(1...40)), paint())
    case 3:
      let image = ImageReference(
        path: "p\(int(0...99)).png", digest: UInt64(int(0...99)), size: PixelSize(40, 20))
      return .image(image, source: Rect(x: 0, y: 0, width: 40, height: 20), destination: rect())
    case 4: return .transformed(.translation(number(), number()), body: body(depth))
    case 5: return .clipped(outline(), body: body(depth))
    case 6: return .layer(opacity: Double(int(1...8)) / 8, body: body(depth))
    case 7: return .masked(MaskStyle(), mask: body(depth), body: body(depth))
    case 8: return .crossed(function(), from: body(depth), to: body(depth))
    default: return .averaged([body(depth), body(depth)])
    }
  }

  private mutating func body(_ depth: Int) -> [DrawOp] {
    (0..<int(1...2)).map { _ in op(depth: depth - 1) }
  }
}
