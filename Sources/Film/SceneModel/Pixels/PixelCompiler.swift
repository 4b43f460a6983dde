// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneIR

/// Compiles the computation of a color that depends on the pixel to a `PixelProgram`.
///
/// Nodes that do not depend on the pixel remain in the scene's program; their values are the
/// variables of the pixel program.
package struct PixelCompiler {
  /// The reason that a computation cannot be compiled to a pixel program.
  package enum Failure: Error, Equatable {
    /// A text or a path depends on the pixel.
    case variesByPixel(String)
    case tooManyInstructions(Int)
    case tooManySamples(Int)
    case tooManyRegisters(Int)
  }

  package static let mostInstructions = 2000
  package static let mostSamples = 64
  package static let mostRegisters = 64

  typealias PixelOperation = PixelProgram.Operation
  typealias Operand = PixelProgram.Operand

  /// An instruction whose operands are values.
  struct Step: Hashable {
    let operation: PixelOperation
    let operands: [Value]
    let index: Int
  }

  /// The value of a node: channel `part` of a step, or a number.
  enum Value: Hashable {
    case step(Int, part: Int)
    case constant(UInt32)
    case variable(Int)
  }

  let program: Program
  let images: [ImageReference]
  let sourceCount: Int
  private(set) var steps: [Step] = []
  private var known: [Step: Int] = [:]
  private var values: [Int32: Value] = [:]
  private(set) var variables: [Scalar] = []
  private var places: [Scalar: Int] = [:]
  private var origins: [Value: Origin] = [:]
  private(set) var tables: [[Float]] = []
  private var tableOfEasing: [Int32: Int] = [:]

  private init(_ program: Program, images: [ImageReference], sourceCount: Int) {
    self.program = program
    self.images = images
    self.sourceCount = sourceCount
  }

  /// Compiles a color. `sourceCount` layers precede those of the images.
  ///
  /// - Returns: The program, and the scalars of its variables.
  package static func compile(
    _ color: ColorModel, of program: Program, images: [ImageReference], sourceCount: Int = 1
  ) -> Result<(PixelProgram, [Scalar]), Failure> {
    var compiler = PixelCompiler(program, images: images, sourceCount: sourceCount)
    do throws(Failure) {
      let compiled = try compiler.compile([color.red, color.green, color.blue, color.alpha])
      return .success((compiled, compiler.variables))
    } catch {
      return .failure(error)
    }
  }

  /// Compiles the outputs of a particle.
  ///
  /// - Returns: The program, and the scalars of its variables.
  package static func compile(outputs: [Scalar], of program: Program)
    -> Result<(PixelProgram, [Scalar]), Failure>
  {
    var compiler = PixelCompiler(program, images: [], sourceCount: 1)
    do throws(Failure) {
      let compiled = try compiler.compile(outputs)
      return .success((compiled, compiler.variables))
    } catch {
      return .failure(error)
    }
  }

  private mutating func compile(_ channels: [Scalar]) throws(Failure) -> PixelProgram {
    let nodes = program.nodes(of: channels).sorted()
    var varying: Set<Int32> = []
    for index in nodes where try varies(index, given: varying) { varying.insert(index) }
    for index in nodes where varying.contains(index) {
      values[index] = value(of: program.nodes[Int(index)])
      if steps.count > 4 * PixelCompiler.mostInstructions {
        throw .tooManyInstructions(steps.count)
      }
    }
    let values = channels.map { value(of: $0) }
    return try allocated(values)
  }

  private func varies(_ index: Int32, given varying: Set<Int32>) throws(Failure) -> Bool {
    let node = program.nodes[Int(index)]
    if node.operation == .pixel || node.operation == .sample { return true }
    func isVarying(_ scalar: Scalar) -> Bool {
      if case .node(let it) = scalar { varying.contains(it) } else { false }
    }
    var input = false
    switch node.operation {
    case .textExtent:
      program.texts[Int(node.index / 4)].forEachScalar { input = input || isVarying($0) }
      if input { throw .variesByPixel("the size of a text") }
    case .pathBox, .pathPoint:
      program.paths[Int(node.index / 4)].forEachScalar { input = input || isVarying($0) }
      if input || isVarying(node.a) { throw .variesByPixel("a point of a path") }
    default: break
    }
    return isVarying(node.a) || isVarying(node.b) || isVarying(node.c)
  }

  // MARK: Values

  private mutating func value(of scalar: Scalar) -> Value {
    switch scalar {
    case .constant(let number): return .constant(Float(number).bitPattern)
    case .node(let index):
      if let known = values[index] { return known }
      if let place = places[scalar] { return .variable(place) }
      places[scalar] = variables.count
      variables.append(scalar)
      return .variable(variables.count - 1)
    }
  }

  private mutating func make(_ operation: PixelOperation, _ operands: [Value], index: Int = 0)
    -> Value
  {
    .step(step(operation, operands, index: index), part: 0)
  }

  private mutating func step(_ operation: PixelOperation, _ operands: [Value], index: Int) -> Int {
    let step = Step(operation: operation, operands: operands, index: index)
    if let place = known[step] { return place }
    steps.append(step)
    known[step] = steps.count - 1
    return steps.count - 1
  }

  private static func number(_ value: Double) -> Value { .constant(Float(value).bitPattern) }

  private mutating func value(of node: ProgramNode) -> Value {
    let (a, b, c) = (value(of: node.a), value(of: node.b), value(of: node.c))
    if let simple = PixelCompiler.plain[node.operation] {
      return make(simple, Array([a, b, c].prefix(simple.operandCount)))
    }
    switch node.operation {
    case .pixel where node.index >= Operation.firstInput:
      return make(.input, [], index: Int(node.index - Operation.firstInput))
    case .pixel: return make([.x, .y, .width][Int(node.index)], [])
    case .sample: return sampled(at: [a, b], node.index)
    case .power: return power(a, b)
    case .tangent: return make(.divide, [make(.sine, [a]), make(.cosine, [a])])
    case .progress:
      // A length of 0 is a jump.
      let share = make(.divide, [make(.subtract, [a, b]), c])
      let clamped = make(
        .minimum, [make(.maximum, [share, PixelCompiler.number(0)]), PixelCompiler.number(1)])
      let hasEnded = make(.lessOrEqual, [b, a])
      return make(.select, [make(.less, [PixelCompiler.number(0), c]), clamped, hasEnded])
    case .ease: return make(.entry, [a], index: table(of: node.index))
    case .noise: return make(.noise, [a, PixelCompiler.number(0.5), b])
    case .random: return make(.random, [a, PixelCompiler.number(0), b])
    case .toSpace, .fromSpace: return converted(node, [a, b, c])
    default: return PixelCompiler.number(0)
    }
  }

  /// The operations that pixel programs share with scene programs.
  private static let plain: [Operation: PixelOperation] = [
    .add: .add, .subtract: .subtract, .multiply: .multiply, .divide: .divide, .negate: .negate,
    .absolute: .absolute, .minimum: .minimum, .maximum: .maximum, .floor: .floor,
    .ceiling: .ceiling, .round: .round, .squareRoot: .squareRoot, .modulo: .modulo,
    .exponential: .exponential, .logarithm: .logarithm, .sine: .sine, .cosine: .cosine,
    .arcTangent: .arcTangent, .less: .less, .lessOrEqual: .lessOrEqual, .equal: .equal,
    .and: .and, .or: .or, .not: .not, .select: .select, .planeNoise: .noise,
    .planeRandom: .random,
  ]

  private static let scalar = Dictionary(
    plain.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the operation of scene programs that computes the same; `nil` if there is none.
  static func scalarOperation(_ operation: PixelOperation) -> Operation? {
    operation == .power ? .power : scalar[operation]
  }

  private mutating func sampled(at point: [Value], _ index: Int32) -> Value {
    let (layer, channel) = (Int(index / 4), Int(index % 4))
    let here = [make(.x, []), make(.y, [])]
    // At the pixel itself, a source needs no interpolation.
    let place =
      layer < sourceCount && point == here
      ? step(.load, [], index: layer) : step(.sample, point, index: layer)
    return .step(place, part: channel)
  }

  private mutating func power(_ a: Value, _ b: Value) -> Value {
    guard case .constant(let bits) = b else { return make(.power, [a, b]) }
    let exponent = Float(bitPattern: bits)
    if exponent == 0.5 { return make(.squareRoot, [a]) }
    guard exponent == exponent.rounded(), (1...16).contains(exponent) else {
      return make(.power, [a, b])
    }
    var (rest, square) = (Int(exponent), a)
    var result: Value?
    while rest > 0 {
      if rest & 1 == 1 { result = result.map { make(.multiply, [$0, square]) } ?? square }
      rest >>= 1
      if rest > 0 { square = make(.multiply, [square, square]) }
    }
    return result ?? a
  }

  private mutating func table(of easing: Int32) -> Int {
    if let known = tableOfEasing[easing] { return known }
    let count = PixelProgram.tableSteps
    let curve = program.easings[Int(easing)]
    tables.append((0...count).map { Float(curve.value(at: Double($0) / Double(count))) })
    tableOfEasing[easing] = tables.count - 1
    return tables.count - 1
  }

  // MARK: Colors

  /// Converts between sRGB and another color space; see `ColorSpace`.
  ///
  /// A color that comes from the same space keeps its coordinates there, so that a mixture of
  /// mixtures is not converted back and forth.
  private mutating func converted(_ node: ProgramNode, _ channels: [Value]) -> Value {
    let space = ColorSpace.allCases[Int(node.index / 4)]
    let part = Int(node.index % 4)
    guard node.operation == .toSpace else {
      let value = converted(channels, from: space, part: part)
      origins[value] = Origin(space: space, coordinates: channels, part: part)
      return value
    }
    let found = channels.map { origins[$0] }
    if let first = found[0], first.space == space,
      found.enumerated().allSatisfy({ index, origin in
        origin == Origin(space: space, coordinates: first.coordinates, part: index)
      })
    {
      return first.coordinates[part]
    }
    return converted(channels, to: space, part: part)
  }

  private mutating func converted(_ channels: [Value], to space: ColorSpace, part: Int) -> Value {
    switch space {
    case .srgb: return channels[part]
    case .linear: return make(.toLinear, [channels[part]])
    case .oklab:
      let linear = channels.map { make(.toLinear, [$0]) }
      let roots = OKLab.conesOfLinear.map { make(.cubeRoot, [sum($0, linear)]) }
      return sum(OKLab.labOfRoots[part], roots)
    }
  }

  /// The coordinates from which a channel of a color was converted.
  private struct Origin: Equatable {
    let space: ColorSpace
    let coordinates: [Value]
    let part: Int
  }

  private mutating func converted(_ channels: [Value], from space: ColorSpace, part: Int) -> Value {
    switch space {
    case .srgb: return unit(channels[part])
    case .linear: return unit(make(.fromLinear, [channels[part]]))
    case .oklab:
      let cubes = OKLab.rootsOfLab.map { row in
        let root = sum(row, channels)
        return make(.multiply, [make(.multiply, [root, root]), root])
      }
      return unit(make(.fromLinear, [sum(OKLab.linearOfCones[part], cubes)]))
    }
  }

  private mutating func sum(_ factors: [Double], _ values: [Value]) -> Value {
    var total: Value?
    for (factor, value) in zip(factors, values) {
      let product = factor == 1 ? value : make(.multiply, [value, PixelCompiler.number(factor)])
      total = total.map { make(.add, [$0, product]) } ?? product
    }
    return total ?? PixelCompiler.number(0)
  }

  private mutating func unit(_ value: Value) -> Value {
    make(.minimum, [make(.maximum, [value, PixelCompiler.number(0)]), PixelCompiler.number(1)])
  }
}
