// SPDX-License-Identifier: MIT
import SceneGraphics

/// A number of the model: a constant, or the value of a node of its `Program`.
package enum Scalar: Hashable, Sendable, Encodable {
  case constant(Double)
  case node(Int32)

  package static let zero = Scalar.constant(0)
  package static let one = Scalar.constant(1)

  package var constantValue: Double? {
    if case .constant(let value) = self { value } else { nil }
  }
}

/// The operation of a node on its operands `a`, `b`, `c`.
///
/// Booleans are 1 and 0, angles are in degrees, times in ticks.
package enum Operation: UInt8, Hashable, Sendable, Encodable {
  /// The time of the frame, in ticks of the built scene.
  case now
  case add, subtract, multiply, divide, negate, absolute, minimum, maximum
  case floor, ceiling, round, squareRoot, power, modulo, exponential, logarithm
  case sine, cosine, tangent, arcTangent
  case less, lessOrEqual, equal, and, or, not
  /// `a != 0 ? b : c`
  case select
  /// `(a - b) / c`, clamped to `0...1`; a jump at `b` if `c` is 0.
  case progress
  /// The easing with number `index`, applied to `a`.
  case ease
  /// Smooth noise in `-1...1` at `a`, with the seed `b`.
  case noise
  /// A pseudorandom number in `0..<1` from `a` and `b`.
  case random
  /// Smooth noise in `-1...1` at the point (`a`, `b`), with the seed `c`.
  case planeNoise
  /// A pseudorandom number in `0..<1` from the point (`a`, `b`) and the seed `c`.
  case planeRandom
  /// Channel `index % 4` of the sRGB color `a`, `b`, `c` in color space `index / 4`.
  case toSpace
  /// sRGB channel `index % 4` of the coordinates `a`, `b`, `c` in color space `index / 4`.
  case fromSpace
  /// The width (0), height (1) or first baseline (2), by `index % 4`, of text `index / 4`; x, y,
  /// width or height of the box if only some runs of the text are measured.
  case textExtent
  /// x, y, width or height, by `index % 4`, of the tight bounds of path `index / 4`.
  case pathBox
  /// x, y, direction or length, by `index % 4`, of path `index / 4` at the fraction `a` of its
  /// length.
  case pathPoint
  /// x (0), y (1) or the width (2), by `index`, of the pixel that a pixel function computes. From
  /// `firstInput` on, an input of a particle, in the order of `ParticleInput`.
  case pixel
  /// Channel `index % 4` of layer `index / 4` of a pixel function at the point (`a`, `b`).
  case sample
  /// The measurement with number `index` of an expectation, which the caller of the evaluator sets.
  case measured

  /// The index of `pixel` for the first input of a particle.
  package static let firstInput: Int32 = 3

  /// Whether the value is that of one pixel or particle.
  package var isOfPixel: Bool { self == .pixel || self == .sample }

  /// Whether the value depends on more than the operands.
  package var readsInput: Bool {
    switch self {
    case .now, .textExtent, .pathBox, .pathPoint, .pixel, .sample, .measured: true
    default: false
    }
  }
}

/// A node of a program.
package struct ProgramNode: Hashable, Sendable {
  package let operation: Operation
  /// An additional parameter of the operation; see `Operation`.
  package let index: Int32
  package let a: Scalar
  package let b: Scalar
  package let c: Scalar

  package init(
    _ operation: Operation, a: Scalar = .zero, b: Scalar = .zero, c: Scalar = .zero,
    index: Int32 = 0
  ) {
    self.operation = operation
    self.index = index
    self.a = a
    self.b = b
    self.c = c
  }

  /// Treats NaN as equal to NaN, so that nodes with NaN operands are shared like all others.
  package static func == (a: ProgramNode, b: ProgramNode) -> Bool {
    a.operation == b.operation && a.index == b.index && a.a.isSame(as: b.a) && a.b.isSame(as: b.b)
      && a.c.isSame(as: b.c)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(operation.rawValue) << 32 | UInt64(UInt32(bitPattern: index)))
    hasher.combine(a.bits)
    hasher.combine(b.bits)
    hasher.combine(c.bits)
  }

  /// A hash value; equal nodes have equal ones.
  var digest: UInt64 {
    func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
      let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }
    let head = UInt64(operation.rawValue) << 32 | UInt64(UInt32(bitPattern: index))
    return mixed(mixed(mixed(mixed(0x2545_F491_4F6C_DD1D, head), a.bits), b.bits), c.bits)
  }
}

extension Scalar {
  /// A bit pattern; equal scalars have equal ones. Both zeros share one pattern, as do all NaNs.
  fileprivate var bits: UInt64 {
    switch self {
    case .constant(let value):
      value == 0 ? 0 : value.isNaN ? Double.nan.bitPattern : value.bitPattern
    case .node(let index): ~UInt64(UInt32(bitPattern: index))
    }
  }

  fileprivate func isSame(as other: Scalar) -> Bool {
    guard case .constant(let a) = self, case .constant(let b) = other else { return self == other }
    return a == b || a.isNaN && b.isNaN
  }
}

/// All computations of a scene over time, as nodes in topological order.
///
/// Equal computations share one node. A node is computed only while a live element needs it.
package struct Program: Hashable, Sendable {
  package var nodes: [ProgramNode] = []
  package var easings: [Easing] = []
  package var texts: [TextMeasure] = []
  package var paths: [PathModel] = []
  /// The interval in which live elements use each node.
  package var needed: [Range<Int64>] = []

  package init() {}

  /// Returns the nodes that scalars depend on.
  package func nodes(of scalars: [Scalar]) -> Set<Int32> {
    var found: Set<Int32> = []
    var open = scalars
    while let scalar = open.popLast() {
      guard case .node(let index) = scalar, found.insert(index).inserted else { continue }
      let node = nodes[Int(index)]
      open += [node.a, node.b, node.c]
      switch node.operation {
      case .textExtent: texts[Int(node.index / 4)].forEachScalar { open.append($0) }
      case .pathBox, .pathPoint: paths[Int(node.index / 4)].forEachScalar { open.append($0) }
      default: break
      }
    }
    return found
  }

  /// Returns whether scalars are values of one pixel in a pixel function.
  package func dependsOnPixel(_ scalars: [Scalar]) -> Bool {
    nodes(of: scalars).contains { nodes[Int($0)].operation.isOfPixel }
  }

  /// Returns whether a node reads a list of gains. Measured levels are fractions and never
  /// negative.
  package func readsGains(_ index: Int32) -> Bool {
    let node = nodes[Int(index)]
    guard node.operation == .ease, case .samples(let list) = easings[Int(node.index)] else {
      return false
    }
    return list.contains { $0 < 0 }
  }

  /// Returns the value of a scalar at a time in ticks. Returns `nil` if the scalar depends on more
  /// than 500 nodes or on a text or path.
  package func value(of scalar: Scalar, at time: Double) -> Double? {
    if let constant = scalar.constantValue { return constant }
    var known: [Int32: Double] = [:]
    var open: [Int32] = []
    if case .node(let index) = scalar { open.append(index) }
    while let index = open.last {
      let node = nodes[Int(index)]
      let operands = [node.a, node.b, node.c]
      let missing = operands.compactMap { operand -> Int32? in
        if case .node(let it) = operand, known[it] == nil { it } else { nil }
      }
      guard missing.isEmpty else {
        open += missing
        continue
      }
      open.removeLast()
      if known[index] != nil { continue }
      guard known.count < 500 else { return nil }
      let values = operands.map { operand -> Double in
        switch operand {
        case .constant(let value): value
        case .node(let it): known[it] ?? 0
        }
      }
      switch node.operation {
      case .now: known[index] = time
      case .textExtent, .pathBox, .pathPoint, .pixel, .sample, .measured: return nil
      default:
        let easing = node.operation == .ease ? easings[Int(node.index)] : nil
        known[index] = Program.apply(
          node.operation, a: values[0], b: values[1], c: values[2], index: node.index,
          easing: easing)
      }
    }
    if case .node(let index) = scalar { return known[index] }
    return nil
  }

  /// Applies an operation on numbers; `Evaluator` handles the operations on texts and paths.
  package static func apply(
    _ operation: Operation, a: Double, b: Double, c: Double, index: Int32, easing: Easing?
  ) -> Double {
    switch operation {
    case .add: return a + b
    case .subtract: return a - b
    case .multiply: return a * b
    case .divide: return a / b
    case .negate: return -a
    case .absolute: return abs(a)
    case .minimum: return min(a, b)
    case .maximum: return max(a, b)
    case .floor: return a.rounded(.down)
    case .ceiling: return a.rounded(.up)
    case .round: return a.rounded()
    case .squareRoot: return a.squareRoot()
    case .power: return Math.pow(a, b)
    case .modulo: return Math.mod(a, b)
    case .exponential: return Math.exp(a)
    case .logarithm: return Math.log(a)
    case .sine: return Math.sinDegrees(a)
    case .cosine: return Math.cosDegrees(a)
    case .tangent: return Math.sinDegrees(a) / Math.cosDegrees(a)
    case .arcTangent: return Math.atan2(a, b) * 180 / .pi
    case .less: return a < b ? 1 : 0
    case .lessOrEqual: return a <= b ? 1 : 0
    case .equal: return a == b ? 1 : 0
    case .and: return a != 0 && b != 0 ? 1 : 0
    case .or: return a != 0 || b != 0 ? 1 : 0
    case .not: return a == 0 ? 1 : 0
    case .select: return a != 0 ? b : c
    case .progress:
      if c <= 0 { return a >= b ? 1 : 0 }
      return max(0, min(1, (a - b) / c))
    case .ease: return easing?.value(at: a) ?? a
    case .noise: return Noise.smooth(a, seed: b)
    case .random: return Noise.random(a, b)
    case .planeNoise: return Noise.smooth(x: a, y: b, seed: c)
    case .planeRandom: return Noise.random(x: a, y: b, seed: c)
    case .toSpace, .fromSpace: return convert(operation, a: a, b: b, c: c, index: index)
    case .now, .textExtent, .pathBox, .pathPoint, .pixel, .sample, .measured: return 0
    }
  }

  private static func convert(
    _ operation: Operation, a: Double, b: Double, c: Double, index: Int32
  ) -> Double {
    let space = ColorSpace.allCases[Int(index / 4)]
    if operation == .toSpace {
      let it = space.coordinates(Color(red: a, green: b, blue: c))
      return index % 4 == 0 ? it.x : index % 4 == 1 ? it.y : it.z
    }
    let it = space.color(at: ColorSpace.Coordinates(x: a, y: b, z: c), alpha: 1)
    return index % 4 == 0 ? it.red : index % 4 == 1 ? it.green : it.blue
  }
}
