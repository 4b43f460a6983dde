// SPDX-License-Identifier: MIT
import SceneIR

// The order of the instructions, and their registers.
extension PixelCompiler {
  /// A part of the result of a step.
  private struct Part: Hashable {
    let step: Int
    let part: Int
  }

  /// Returns the program with a register for each value that is alive.
  func allocated(_ channels: [Value]) throws(Failure) -> PixelProgram {
    let needed = neededSteps(for: channels)
    if needed.count > PixelCompiler.mostInstructions { throw .tooManyInstructions(needed.count) }
    let samples = needed.count { steps[$0].operation == .sample }
    if samples > PixelCompiler.mostSamples { throw .tooManySamples(samples) }
    let (order, rowCount) = scheduled(needed, for: channels)

    var constants: [UInt32] = [0]
    var constantPlaces: [UInt32: Int] = [0: 0]
    for value in order.flatMap({ steps[$0].operands }) + channels {
      guard case .constant(let bits) = value, constantPlaces[bits] == nil else { continue }
      constantPlaces[bits] = constants.count
      constants.append(bits)
    }

    var registers = RegisterFile()
    var targets: [Int: Int] = [:]
    func operand(_ value: Value) -> Operand {
      switch value {
      case .step(let step, let part): .register((targets[step] ?? 0) + part)
      case .constant(let bits): .number(constantPlaces[bits] ?? 0)
      case .variable(let place): .number(constants.count + place)
      }
    }
    var uses = self.uses(of: needed, channels)
    // Values of a row stay alive for all of its pixels.
    for step in order.prefix(rowCount) { uses[Part(step: step, part: 0)] = .max }
    var instructions: [PixelProgram.Instruction] = []
    for index in order {
      let step = steps[index]
      let operands = step.operands.map(operand)
      let count = step.operation.resultCount
      // The result never shares a register with an operand.
      let target = registers.take(count)
      targets[index] = target
      instructions.append(
        PixelProgram.Instruction(
          step.operation, target: target, operands: operands, index: step.index))
      for part in parts(of: step) {
        guard let left = uses[part], left != .max else { continue }
        uses[part] = left - 1
        if left == 1 { registers.give((targets[part.step] ?? 0) + part.part) }
      }
      for part in 0..<count where uses[Part(step: index, part: part)] == nil {
        registers.give(target + part)
      }
    }
    if registers.count > PixelCompiler.mostRegisters { throw .tooManyRegisters(registers.count) }
    return PixelProgram(
      instructions, rowCount: rowCount, registerCount: registers.count,
      constants: constants.map(Float.init(bitPattern:)), variableCount: variables.count,
      tables: tables, images: images, color: channels.map(operand))
  }

  /// The distinct results that a step reads.
  private func parts(of step: Step) -> Set<Part> {
    var parts: Set<Part> = []
    for case .step(let used, let part) in step.operands {
      parts.insert(Part(step: used, part: part))
    }
    return parts
  }

  /// Returns the number of steps that read each result; results of the color are never free.
  private func uses(of needed: [Int], _ channels: [Value]) -> [Part: Int] {
    var uses: [Part: Int] = [:]
    for part in needed.flatMap({ parts(of: steps[$0]) }) { uses[part, default: 0] += 1 }
    for case .step(let used, let part) in channels { uses[Part(step: used, part: part)] = .max }
    return uses
  }

  /// Returns the steps in an order that keeps few results alive: next is always the step that frees
  /// the most registers. The steps that depend on `y` alone come first.
  private func scheduled(_ needed: [Int], for channels: [Value]) -> ([Int], rowCount: Int) {
    let isOfRow = stepsOfRow
    let rows = needed.filter(isOfRow.contains).sorted()
    var uses = self.uses(of: needed, channels)
    var order = rows
    func use(_ parts: Set<Part>) {
      for part in parts where uses[part] != .max { uses[part]? -= 1 }
    }
    for step in rows { use(parts(of: steps[step])) }
    var parts: [Int: Set<Part>] = [:]
    var readers: [Int: [Int]] = [:]
    var missing: [Int: Int] = [:]
    var ready: [Int] = []
    for index in needed where !isOfRow.contains(index) {
      parts[index] = self.parts(of: steps[index])
      let operands = Set((parts[index] ?? []).map(\.step)).subtracting(isOfRow)
      for operand in operands { readers[operand, default: []].append(index) }
      missing[index] = operands.count
      if operands.isEmpty { ready.append(index) }
    }
    let rank = Dictionary(uniqueKeysWithValues: needed.enumerated().map { ($1, $0) })
    func growth(_ index: Int) -> Int {
      let freed = (parts[index] ?? []).count { uses[$0] == 1 && !isOfRow.contains($0.step) }
      return steps[index].operation.resultCount - freed
    }
    while !ready.isEmpty {
      var best = 0
      var least = (growth: Int.max, rank: Int.max)
      for (place, index) in ready.enumerated() {
        let cost = (growth: growth(index), rank: rank[index] ?? 0)
        if cost < least { (best, least) = (place, cost) }
      }
      let index = ready.remove(at: best)
      use(parts[index] ?? [])
      order.append(index)
      for reader in readers[index] ?? [] {
        missing[reader]? -= 1
        if missing[reader] == 0 { ready.append(reader) }
      }
    }
    return (order, rows.count)
  }

  /// The steps that depend on `y` alone.
  private var stepsOfRow: Set<Int> {
    var found: Set<Int> = []
    for (index, step) in steps.enumerated() {
      let isFree = ![.x, .width, .load, .sample].contains(step.operation)
      let depends = step.operands.allSatisfy { value in
        if case .step(let used, _) = value { found.contains(used) } else { true }
      }
      if isFree, depends { found.insert(index) }
    }
    return found
  }

  /// Returns the steps that a color needs, each after its operands and close to its first use.
  private func neededSteps(for channels: [Value]) -> [Int] {
    var order: [Int] = []
    var seen: Set<Int> = []
    var open: [(step: Int, isReady: Bool)] = []
    for case .step(let index, _) in channels.reversed() { open.append((index, false)) }
    while let (index, isReady) = open.popLast() {
      if isReady {
        order.append(index)
        continue
      }
      guard seen.insert(index).inserted else { continue }
      open.append((index, true))
      for case .step(let used, _) in steps[index].operands.reversed() { open.append((used, false)) }
    }
    return order
  }
}

/// The free registers of a program under construction.
private struct RegisterFile {
  private var isTaken: [Bool] = []

  var count: Int { isTaken.count }

  /// Returns the first of some consecutive registers.
  mutating func take(_ count: Int) -> Int {
    var start = 0
    while true {
      let end = start + count
      guard let taken = (start..<min(end, isTaken.count)).last(where: { isTaken[$0] }) else {
        break
      }
      start = taken + 1
    }
    while isTaken.count < start + count { isTaken.append(false) }
    for register in start..<(start + count) { isTaken[register] = true }
    return start
  }

  mutating func give(_ register: Int) { isTaken[register] = false }
}
