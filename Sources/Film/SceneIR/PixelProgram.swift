// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A pixel function of the scene as instructions on registers.
///
/// A program computes the straight sRGB color of one pixel. Numbers have single precision, angles
/// are in degrees, and booleans are 1 and 0.
public final class PixelProgram: Hashable, Sendable, Encodable {
  /// The operation of an instruction on its operands `a`, `b` and `c`.
  package enum Operation: String, Hashable, Sendable, Encodable, CaseIterable {
    /// The center of the pixel, relative to the top left of the box.
    case x, y
    /// The width of the pixel in the coordinates of the box.
    case width
    /// The input of a particle with the number `index`.
    case input
    /// The color of a layer at the pixel itself, in four registers.
    case load
    /// The color of a layer at the point (a, b), in four registers.
    case sample
    /// The entry of a table at `a`, which is clamped to `0...1`.
    case entry
    case add, subtract, multiply, divide, negate, absolute, minimum, maximum
    case floor, ceiling, round, squareRoot, power, modulo, exponential, logarithm
    case sine, cosine, arcTangent
    case less, lessOrEqual, equal, and, or, not
    /// `a != 0 ? b : c`
    case select
    /// Gradient noise in `-1...1` at the point (a, b) with the seed `c`.
    case noise
    /// A pseudorandom number in `0..<1` from `a`, `b` and `c`.
    case random
    /// The sRGB transfer functions.
    case toLinear, fromLinear
    case cubeRoot

    /// The number of registers of the result.
    package var resultCount: Int { self == .load || self == .sample ? 4 : 1 }
  }

  /// The source of a number.
  package enum Operand: Hashable, Sendable, Encodable {
    case register(Int)
    /// A number that is equal for all pixels: an index into the constants followed by the
    /// variables.
    case number(Int)
  }

  /// An operation with its operands and the register of its result.
  package struct Instruction: Hashable, Sendable, Encodable {
    package let operation: Operation
    /// The first register of the result.
    package let target: Int
    package let a: Operand
    package let b: Operand
    package let c: Operand
    /// The index of the layer (the sources, then the images), the table or the input.
    package let index: Int

    package init(
      _ operation: Operation, target: Int, operands: [Operand], index: Int = 0
    ) {
      self.operation = operation
      self.target = target
      let unused = Operand.number(0)
      a = operands.first ?? unused
      b = operands.count > 1 ? operands[1] : unused
      c = operands.count > 2 ? operands[2] : unused
      self.index = index
    }
  }

  /// The number of steps of a table; it has one more entry.
  package static let tableSteps = 1024

  package let instructions: [Instruction]
  /// The number of leading instructions that depend on `y` alone.
  package let rowCount: Int
  package let registerCount: Int
  package let constants: [Float]
  package let variableCount: Int
  /// Tables of `tableSteps + 1` values from 0 to 1.
  package let tables: [[Float]]
  /// Images that are stretched over the box.
  package let images: [ImageReference]
  /// The number of layers that are drawn for the function: both clips of a transition, the source
  /// of a filter, or an unused one of a paint.
  package let sourceCount: Int
  /// Red, green, blue and alpha, or the outputs of a particle.
  package let color: [Operand]
  private let digest: Int

  package init(
    _ instructions: [Instruction], rowCount: Int, registerCount: Int, constants: [Float],
    variableCount: Int, tables: [[Float]], images: [ImageReference], sourceCount: Int = 1,
    color: [Operand]
  ) {
    self.instructions = instructions
    self.rowCount = rowCount
    self.registerCount = registerCount
    self.constants = constants
    self.variableCount = variableCount
    self.tables = tables
    self.images = images
    self.sourceCount = sourceCount
    self.color = color
    digest = [instructions.hashValue, constants.hashValue, color.hashValue].hashValue
  }

  private enum CodingKeys: CodingKey {
    case instructions, rowCount, registerCount, constants, variableCount, tables, images
    case sourceCount, color
  }

  public static func == (a: PixelProgram, b: PixelProgram) -> Bool {
    a === b
      || a.digest == b.digest && a.instructions == b.instructions && a.rowCount == b.rowCount
        && a.constants == b.constants && a.variableCount == b.variableCount
        && a.tables == b.tables && a.images == b.images && a.sourceCount == b.sourceCount
        && a.color == b.color
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Whether the program reads its sources at positions other than that of the pixel.
  package var readsAround: Bool {
    instructions.contains { $0.operation == .sample && $0.index < sourceCount }
  }

  /// Whether pixels may be visible where the source is transparent.
  package var drawsOutside: Bool {
    guard case .register(let alpha) = color[3],
      let last = instructions.last(where: {
        ($0.target..<($0.target + $0.operation.resultCount)).contains(alpha)
      })
    else { return true }
    return last.operation != .load || alpha != last.target + 3
  }

  /// Whether the alpha of all pixels is 1.
  package var isOpaque: Bool {
    guard case .number(let index) = color[3], index < constants.count else { return false }
    return constants[index] >= 1
  }

  /// The estimated time per pixel, in nanoseconds.
  package var work: Double { 3 + instructions.reduce(0) { $0 + $1.operation.work } }
}

extension PixelProgram.Operation {
  fileprivate var work: Double {
    switch self {
    case .sample: 6
    case .load, .entry: 2
    case .noise: 2.5
    case .power: 1.2
    case .toLinear, .fromLinear, .cubeRoot: 1
    case .random, .sine, .cosine, .arcTangent, .exponential, .logarithm: 0.6
    default: 0.15
    }
  }
}

/// A pixel program with the numbers of one frame and the box to which its positions refer.
public struct PixelFunction: Hashable, Sendable {
  package let program: PixelProgram
  /// The values of the variables. NaN is replaced by 0.
  package let variables: [Float]
  package let box: Rect
  /// The map from the coordinates of the box to those of the op.
  package private(set) var place = Projection(.identity)
  /// The distance beyond the layer at which a filter draws, in pixels.
  package let reach: Double

  package init(_ program: PixelProgram, variables: [Double], box: Rect, reach: Double = 0) {
    self.program = program
    self.variables = variables.map { $0.isNaN ? 0 : Float($0) }
    self.box = box
    self.reach = reach
  }

  /// Returns the function with a translation of the op.
  package func translated(by shift: Point) -> PixelFunction {
    guard place == Projection(.identity) else {
      return placed(by: Projection(.translation(shift.x, shift.y)))
    }
    return PixelFunction(
      program, variables: variables.map(Double.init),
      box: Rect(x: box.x + shift.x, y: box.y + shift.y, width: box.width, height: box.height),
      reach: reach)
  }

  /// Returns the function with a projection of the op.
  package func placed(by map: Projection) -> PixelFunction {
    var it = self
    it.place = map.concat(place)
    return it
  }
}

extension PixelProgram: CustomStringConvertible {
  /// The instructions, such as `r0 = x; r1 = multiply r0 0.5; color r1 r1 r1 1`. Variables are
  /// `v0`, `v1` and so on.
  public var description: String {
    func text(_ operand: Operand) -> String {
      switch operand {
      case .register(let index): "r\(index)"
      case .number(let index):
        index < constants.count ? "\(constants[index])" : "v\(index - constants.count)"
      }
    }
    var lines = instructions.map { it in
      var words = ["r\(it.target)", "=", it.operation.rawValue]
      if [.load, .sample, .entry, .input].contains(it.operation) { words.append("\(it.index)") }
      words += [it.a, it.b, it.c].prefix(it.operation.operandCount).map(text)
      return words.joined(separator: " ")
    }
    lines.append("color " + color.map(text).joined(separator: " "))
    return lines.joined(separator: "; ")
  }
}

extension PixelProgram.Operation {
  package var operandCount: Int {
    switch self {
    case .x, .y, .width, .input, .load: 0
    case .entry, .negate, .absolute, .floor, .ceiling, .round, .squareRoot, .exponential,
      .logarithm, .sine, .cosine, .not, .toLinear, .fromLinear, .cubeRoot:
      1
    case .select, .noise, .random: 3
    default: 2
    }
  }
}
