// SPDX-License-Identifier: MIT
import SceneIR

// The order of the instructions, and their registers.
extension PixelCompiler {
  /// A result of a step: four times the step plus the part.
  private typealias Part = Int

  /// An order of the steps.
  private struct Schedule {
    var order: [Int]
    /// The number of leading steps that depend on `y` alone and are executed once per row.
    var rowCount = 0
  }

  /// Returns the program with registers allocated to its live values.
  func allocated(_ channels: [Value]) throws(Failure) -> PixelProgram {
    let needed = neededSteps(for: channels)
    if needed.count > PixelCompiler.mostInstructions { throw .tooManyInstructions(needed.count) }
    let samples = needed.count { steps[$0].operation == .sample }
    if samples > PixelCompiler.mostSamples { throw .tooManySamples(samples) }
    // The fastest order is tried first; for some programs, the others keep fewer values live.
    let attempts = [
      { scheduled(needed, for: channels, rows: stepsOfRow) },
      { scheduled(needed, for: channels, rows: []) },
      { Schedule(order: needed) },
    ]
    var least = Int.max
    for attempt in attempts {
      let program = program(attempt(), channels)
      if program.registerCount <= PixelCompiler.mostRegisters { return program }
      least = min(least, program.registerCount)
    }
    throw .tooManyRegisters(least)
  }

  private func program(_ schedule: Schedule, _ channels: [Value]) -> PixelProgram {
    let order = schedule.order
    var constants: [UInt32] = [0]
    var constantPlaces: [UInt32: Int] = [0: 0]
    for value in order.flatMap({ steps[$0].operands }) + channels {
      guard case .constant(let bits) = value, constantPlaces[bits] == nil else { continue }
      constantPlaces[bits] = constants.count
      constants.append(bits)
    }

    var registers = RegisterFile()
    var targets = Array(repeating: 0, count: steps.count)
    func operand(_ value: Value) -> Operand {
      switch value {
      case .step(let step, let part): .register(targets[step] + part)
      case .constant(let bits): .number(constantPlaces[bits] ?? 0)
      case .variable(let place): .number(constants.count + place)
      }
    }
    var uses = self.uses(of: order, channels)
    // Values of a row stay live for all of its pixels.
    for step in order.prefix(schedule.rowCount) { uses[4 * step] = .max }
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
      for part in parts(of: step) where uses[part] != .max {
        uses[part] -= 1
        if uses[part] == 0 { registers.give(targets[part / 4] + part % 4) }
      }
      for part in 0..<count where uses[4 * index + part] == 0 { registers.give(target + part) }
    }
    return PixelProgram(
      instructions, rowCount: schedule.rowCount, registerCount: registers.count,
      constants: constants.map(Float.init(bitPattern:)), variableCount: variables.count,
      tables: tables, images: images, sourceCount: sourceCount, color: channels.map(operand))
  }

  /// Returns the distinct results that a step reads.
  private func parts(of step: Step) -> [Part] {
    var parts: [Part] = []
    for case .step(let used, let part) in step.operands where !parts.contains(4 * used + part) {
      parts.append(4 * used + part)
    }
    return parts
  }

  /// Returns the number of steps that read each result; results of the color are never free.
  private func uses(of needed: [Int], _ channels: [Value]) -> [Int] {
    var uses = Array(repeating: 0, count: 4 * steps.count)
    for index in needed { for part in parts(of: steps[index]) { uses[part] += 1 } }
    for case .step(let used, let part) in channels { uses[4 * used + part] = .max }
    return uses
  }

  /// Returns the steps in an order that keeps few results live: the next step is always the one
  /// that frees the most registers. The steps in `rows` come first.
  private func scheduled(_ needed: [Int], for channels: [Value], rows: Set<Int>) -> Schedule {
    var isOfRow = Array(repeating: false, count: steps.count)
    for step in rows { isOfRow[step] = true }
    var uses = self.uses(of: needed, channels)
    let reads = steps.map(parts)
    let resultCounts = steps.indices.map { index in
      (0..<steps[index].operation.resultCount).count { uses[4 * index + $0] > 0 }
    }
    var schedule = Schedule(order: needed.filter { isOfRow[$0] }.sorted())
    schedule.rowCount = schedule.order.count
    func use(_ parts: [Part]) {
      for part in parts where uses[part] != .max { uses[part] -= 1 }
    }
    for step in schedule.order { use(reads[step]) }
    var readers: [[Int]] = Array(repeating: [], count: steps.count)
    var missing = Array(repeating: 0, count: steps.count)
    var rank = Array(repeating: 0, count: steps.count)
    var ready: [Int] = []
    for (place, index) in needed.enumerated() where !isOfRow[index] {
      rank[index] = place
      let operands = Set(reads[index].map { $0 / 4 }).filter { !isOfRow[$0] }
      for operand in operands { readers[operand].append(index) }
      missing[index] = operands.count
      if operands.isEmpty { ready.append(index) }
    }
    func growth(_ index: Int) -> Int {
      resultCounts[index] - reads[index].count { uses[$0] == 1 && !isOfRow[$0 / 4] }
    }
    while !ready.isEmpty {
      var best = 0
      var least = (growth: Int.max, rank: Int.max)
      for (place, index) in ready.enumerated() {
        let cost = (growth: growth(index), rank: rank[index])
        if cost < least { (best, least) = (place, cost) }
      }
      let index = ready.remove(at: best)
      use(reads[index])
      schedule.order.append(index)
      for reader in readers[index] {
        missing[reader] -= 1
        if missing[reader] == 0 { ready.append(reader) }
      }
    }
    return schedule
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

  /// Reserves consecutive registers and returns the first one.
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
