// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel

/// Proves the expectations of a model in every frame.
///
/// A video has finitely many frames, so each condition is evaluated in every frame in which it can
/// differ from the previous one. Only the nodes that the condition needs are evaluated.
package struct Prover {
  let model: SceneModel
  let expectations: ExpectationsModel
  var evaluator: Evaluator
  let boxes: ElementBoxes
  /// The work that remains, in nanoseconds as estimated from the numbers of nodes and elements.
  private var budget: Double
  let isCancelled: () -> Bool
  /// Returns the value of a measurement of the frames or the mix; `nil` if it is not available.
  private let media: ((Measurement) -> MediaValue)?
  let changes: Changes
  /// The reason why a contrast is unknown in the last evaluated frame, or `nil`.
  var unknownContrast: Proof.Reason?
  /// The background to which only a lower bound of the contrast is known in that frame, or `nil`.
  var boundedContrast: String?
  /// The elements without a box in the last evaluated frame.
  var boxless: Set<Int> = []
  /// The needs of measurements that read the whole scene, by the interval.
  var needsOfScene: [Range<Int64>: Needs] = [:]

  /// The value of a measurement of the frames or the mix.
  package enum MediaValue {
    case value(Double)
    case unavailable(String)
  }

  /// The estimated nanoseconds that `check` and the language server spend on the proofs of a scene.
  package static let budgetOfCheck = 1e8
  /// The estimated nanoseconds that `test` spends on the proofs of a scene.
  package static let budgetOfTest = 2e10

  package init(
    _ model: SceneModel, metrics: any TextMetrics, budget: Double,
    media: ((Measurement) -> MediaValue)? = nil, isCancelled: @escaping () -> Bool = { false }
  ) {
    self.model = model
    self.budget = budget
    self.media = media
    self.isCancelled = isCancelled
    expectations = model.expectations
    evaluator = Evaluator(expectations.program, metrics: metrics)
    evaluator.interrupt(if: isCancelled)
    evaluator.measurements = Array(repeating: .nan, count: expectations.measurements.count)
    boxes = ElementBoxes(metrics: metrics)
    changes = Changes(of: expectations.program, within: 0..<max(1, model.duration.rawValue))
  }

  /// Returns a proof for each expectation for which `isWanted` returns `true`.
  package mutating func proofs(where isWanted: (ExpectationModel) -> Bool = { _ in true })
    -> [Proof]
  {
    expectations.list.filter(isWanted).map { expectation in
      var proof = Proof(expectation: expectation, verdicts: [])
      for condition in expectation.conditions {
        proof.verdicts.append(verdict(on: condition, of: expectation))
      }
      return proof
    }
  }

  /// Returns the frames in an interval of time.
  private func frames(in life: Range<Int64>) -> Range<Int> {
    let rate = model.frameRate
    let from = rate.frame(atOrAfter: Ticks(life.lowerBound))
    let to = rate.frame(atOrAfter: Ticks(min(life.upperBound, model.duration.rawValue)))
    return from..<max(from, min(model.frameCount, to))
  }

  private mutating func verdict(
    on condition: ExpectationModel.Condition, of expectation: ExpectationModel
  ) -> Proof.Verdict {
    if isCancelled() { return .unproven(.budget) }
    let isOfElements = !condition.subjects.isEmpty || !condition.lists.isEmpty
    if let truth = condition.truth.constantValue, !isOfElements {
      return truth != 0
        ? .holds(frames: nil)
        : .fails(
          Proof.Failure(
            frame: nil, time: nil, holding: 0, total: 0, values: values(of: condition), facts: []))
    }
    if let reason = incompleteness(of: condition.subjects + condition.lists.joined()) {
      return .unproven(reason)
    }
    let life = life(of: condition, in: expectation)
    guard let needed = needs(of: condition, within: life) else { return .unproven(.budget) }
    let measured = needed.measurements.flatMap { expectations.measurements[$0].subjects }
    if let reason = incompleteness(of: measured) { return .unproven(reason) }
    let frames = frames(in: life)
    for number in needed.measurements where expectations.measurements[number].isOfInterval {
      let measurement = expectations.measurements[number]
      if measurement.isOfMedia {
        switch media?(measurement) {
        case nil: return .unproven(.media)
        case .unavailable(let why)?: return .unproven(.unavailable(why))
        case .value(let value)?: evaluator.measurements[number] = value
        }
      } else {
        let whole = self.life(of: measurement.subjects, in: expectation)
        guard let value = run(measurement, in: self.frames(in: whole)) else {
          return .unproven(.budget)
        }
        evaluator.measurements[number] = value
      }
    }
    return verdict(on: condition, needed, in: frames)
  }

  private mutating func verdict(
    on condition: ExpectationModel.Condition, _ needed: Needs, in frames: Range<Int>
  ) -> Proof.Verdict {
    let steps = FrameSteps(
      frames, rate: model.frameRate, stretches: needed.stretches, events: needed.events)
    guard spend(steps.count, needed.cost) else { return .unproven(.budget) }
    var (holding, total) = (0, 0)
    var failure: Proof.Failure?
    let isOfLowerBounds = followsFromLowerBounds(condition.truth)
    for step in steps {
      if step.frame % 64 == 0, isCancelled() { return .unproven(.budget) }
      let time = model.frameRate.time(ofFrame: step.frame)
      evaluator.evaluate(nodes: needed.geometry, at: time)
      guard areAlive(condition, at: time) else { continue }
      unknownContrast = nil
      boxless = []
      boundedContrast = nil
      for number in needed.measurements where !expectations.measurements[number].isOfInterval {
        evaluator.measurements[number] = measure(expectations.measurements[number], at: time)
      }
      if isExhausted { return .unproven(.budget) }
      // An element without a box is not visible.
      if condition.subjects.contains(where: boxless.contains) { continue }
      if let unknownContrast { return .unproven(unknownContrast) }
      let isTrue = holds(condition, needed, at: time)
      if let boundedContrast, !isTrue || !isOfLowerBounds {
        return .unproven(
          isOfLowerBounds ? .background(boundedContrast) : .backgroundOfOutline(boundedContrast))
      }
      total += step.count
      if isTrue {
        holding += step.count
      } else if failure == nil {
        failure = Proof.Failure(
          frame: step.frame, time: time, holding: 0, total: 0, values: values(of: condition),
          facts: needed.measurements.flatMap {
            facts(about: expectations.measurements[$0], at: time)
          })
      }
    }
    guard total > 0 else { return .fails(absence(of: condition)) }
    guard let failure else { return .holds(frames: total) }
    // The values of whole intervals do not belong to a frame.
    if needed.isOfInterval {
      return .fails(
        Proof.Failure(
          frame: nil, time: nil, holding: 0, total: 0, values: failure.values, facts: []))
    }
    return .fails(
      Proof.Failure(
        frame: failure.frame, time: failure.time, holding: holding, total: total,
        values: failure.values, facts: failure.facts))
  }

  /// Returns whether a condition is true for the last measurements.
  private mutating func holds(
    _ condition: ExpectationModel.Condition, _ needed: Needs, at time: Ticks
  ) -> Bool {
    evaluator.evaluate(nodes: needed.conditions, at: time)
    let truth = evaluator(condition.truth)
    return truth != 0 && !truth.isNaN
  }

  /// Returns the reason why elements cannot be measured if their trails are incomplete; otherwise,
  /// `nil`.
  private func incompleteness(of subjects: [Int]) -> Proof.Reason? {
    guard let number = subjects.first(where: { !expectations.subjects[$0].isComplete }) else {
      return nil
    }
    return .unavailable("'\(expectations.subjects[number].name)' is in too many transitions")
  }

  private func absence(of condition: ExpectationModel.Condition) -> Proof.Failure {
    let numbers = condition.subjects + condition.lists.compactMap(\.first)
    let names = numbers.map { expectations.subjects[$0].name }
    let isHidden = model.hidesCaptions && numbers.contains(where: isCaptions)
    return Proof.Failure(
      frame: nil, time: nil, holding: 0, total: 0, values: [],
      facts: isHidden ? ["no output of the scene draws its captions"] : [],
      absent: names.isEmpty ? [""] : names)
  }

  /// Returns the operands with their values at the last evaluated time.
  private func values(of condition: ExpectationModel.Condition) -> [String] {
    condition.operands.map { "\($0.text) is \(evaluator.text($0.value))" }
  }

  /// Takes work from the budget. Returns `false` if the budget does not suffice.
  mutating func spend(_ count: Int, _ cost: Double) -> Bool {
    let work = Double(count) * cost
    guard work <= budget else { return false }
    budget -= work
    return true
  }

  /// Takes work that is already done from the budget.
  mutating func charge(_ count: Int, _ cost: Double) { budget -= Double(count) * cost }

  /// Whether measurements took more work than allowed.
  var isExhausted: Bool { budget < 0 }

  /// Returns the number of operations of a given cost at which the budget is exceeded.
  func limit(_ cost: Double) -> Int { Int(min(1e15, max(0, budget) / cost)) + 1 }
}
