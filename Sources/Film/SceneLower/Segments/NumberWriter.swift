// SPDX-License-Identifier: MIT
import SceneModel

/// Encodes the numbers of a segment: the value of a constant number, else its computation. Each
/// node is encoded once and referred to by number afterwards.
final class NumberWriter {
  private let program: Program
  private let changes: Changes
  private let evaluator: Evaluator
  /// The start time of the segment. `evaluator` holds the values at this time, and encoded times
  /// are relative to it.
  private let begin: Int64
  private let time: ClosedRange<Int64>
  /// The numbers by which the encoded nodes are referred to.
  private var written: [Int32: Int] = [:]

  private enum Form: UInt8 { case value, node, clock, computation }

  init(
    program: Program, changes: Changes, evaluator: Evaluator, begin: Int64,
    time: ClosedRange<Int64>
  ) {
    self.program = program
    self.changes = changes
    self.evaluator = evaluator
    self.begin = begin
    self.time = time
  }

  func write(_ scalar: Scalar, _ encoder: CanonicalEncoder) throws {
    if case .node(let index) = scalar, !rests(index) { try define(index, encoder) }
    writeOperand(scalar, encoder)
  }

  /// Returns whether a part of the model is constant in the whole segment and known to `evaluator`.
  func rests(_ part: some HoldsScalars) -> Bool {
    var isResting = true
    part.forEachScalar { if case .node(let index) = $0, !rests(index) { isResting = false } }
    return isResting
  }

  /// Returns whether a node is constant in the whole segment and known to `evaluator`.
  private func rests(_ index: Int32) -> Bool {
    program.needed[Int(index)].contains(begin)
      && !changes(.node(index)).ranges.contains {
        $0.lowerBound < time.upperBound && $0.upperBound > time.lowerBound
      }
  }

  private func writeOperand(_ scalar: Scalar, _ encoder: CanonicalEncoder) {
    if case .node(let index) = scalar, let number = written[index] {
      encoder.write(Form.node.rawValue)
      encoder.write(number)
    } else {
      encoder.write(Form.value.rawValue)
      encoder.write(evaluator(scalar))
    }
  }

  /// Encodes a node after all of its operands. Iterative, since chains may be long.
  private func define(_ index: Int32, _ encoder: CanonicalEncoder) throws {
    var open = [index]
    while let index = open.last {
      guard written[index] == nil else {
        open.removeLast()
        continue
      }
      let node = program.nodes[Int(index)]
      var missing: [Int32] = []
      forEachInput(of: node) { scalar in
        if case .node(let it) = scalar, self.written[it] == nil, !self.rests(it) {
          missing.append(it)
        }
      }
      guard missing.isEmpty else {
        open += missing
        continue
      }
      open.removeLast()
      try writeNode(node, encoder)
      written[index] = written.count
    }
  }

  private func forEachInput(of node: ProgramNode, _ use: (Scalar) -> Void) {
    if relative(node) != nil { return }
    for operand in [node.a, node.b, node.c] { use(operand) }
    switch node.operation {
    case .textExtent: program.texts[Int(node.index / 4)].forEachScalar(use)
    case .pathBox, .pathPoint: program.paths[Int(node.index / 4)].forEachScalar(use)
    default: break
    }
  }

  private func writeNode(_ node: ProgramNode, _ encoder: CanonicalEncoder) throws {
    encoder.write(Form.computation.rawValue)
    encoder.write(node.operation.rawValue)
    if node.operation == .now { return encoder.write(begin) }
    if let relative = relative(node) {
      for operand in relative {
        encoder.write(operand == nil ? Form.clock.rawValue : Form.value.rawValue)
        if let operand { encoder.write(operand) }
      }
      return
    }
    for operand in [node.a, node.b, node.c] { writeOperand(operand, encoder) }
    switch node.operation {
    case .ease: try encoder.encode(program.easings[Int(node.index)])
    case .textExtent:
      let measure = program.texts[Int(node.index / 4)]
      // The box of some runs differs from the extent of the text.
      encoder.write(node.index % 4 + (measure.runs == nil ? 0 : 4))
      try encoder.encode(measure.text)
      if let runs = measure.runs {
        for bound in [runs.lowerBound, runs.upperBound] { encoder.write(Int32(bound)) }
      }
    case .pathBox, .pathPoint:
      encoder.write(node.index % 4)
      try encoder.encode(program.paths[Int(node.index / 4)])
    default: encoder.write(node.index)
    }
  }

  /// Returns the operands, relative to the start of the segment, of a node that adds, subtracts or
  /// compares the clock and a whole number of ticks, or of a progress of the clock from a whole
  /// tick on. The operand for the clock is `nil`. Returns `nil` for other nodes.
  private func relative(_ node: ProgramNode) -> [Double?]? {
    func isClock(_ scalar: Scalar) -> Bool {
      if case .node(let index) = scalar {
        program.nodes[Int(index)].operation == .now
      } else {
        false
      }
    }
    func moved(_ scalar: Scalar, by ticks: Int64) -> Double? {
      guard let value = scalar.constantValue, value == value.rounded(), abs(value) < 0x1p51 else {
        return nil
      }
      return value + Double(ticks)
    }
    let direction: Int64 = node.operation == .add ? begin : -begin
    switch node.operation {
    case .add, .subtract, .less, .lessOrEqual, .equal:
      if isClock(node.a), let b = moved(node.b, by: direction) { return [nil, b] }
      if isClock(node.b), let a = moved(node.a, by: direction) { return [a, nil] }
      return nil
    case .progress:
      guard isClock(node.a), let b = moved(node.b, by: -begin), let length = node.c.constantValue
      else { return nil }
      return [nil, b, length]
    default: return nil
    }
  }
}
