// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

// Measurements of the longest interval in which something is true.
extension Prover {
  /// The speed in pixels per second up to which an element counts as at rest.
  private static let slowest = 2.0
  private static let leastOpacity = 0.9

  /// Returns the longest time in ticks for which a measurement is true; `nil` beyond the budget.
  mutating func run(_ measurement: Measurement, in frames: Range<Int>) -> Double? {
    guard let subject = measurement.subjects.first else { return 0 }
    guard let needed = needs(ofSubject: subject) else { return nil }
    let steps = FrameSteps(
      frames, rate: model.frameRate, stretches: needed.stretches, events: needed.events)
    guard spend(steps.count, needed.cost) else { return nil }
    let scalars = measurement == .still(subject) ? self.scalars(of: subject) : []
    var (longest, length) = (0, 0)
    var before: Moment?
    for step in steps {
      if step.frame % 64 == 0, isCancelled() { return nil }
      let time = model.frameRate.time(ofFrame: step.frame)
      evaluator.evaluate(nodes: needed.geometry, at: time)
      let moment =
        scalars.isEmpty && measurement != .still(subject)
        ? readable(subject, at: time) : still(subject, scalars, at: time)
      guard let moment else {
        (before, length) = (nil, 0)
        continue
      }
      let goesOn = before.map { isSame($0, moment) } ?? false
      length = (goesOn ? length : 0) + step.count
      longest = max(longest, length)
      before = moment
    }
    return (Double(longest) * model.frameRate.frameTicks).rounded()
  }

  /// The state of an element in one frame.
  private enum Moment {
    case box(Rect)
    case values([Double])
  }

  private func isSame(_ a: Moment, _ b: Moment) -> Bool {
    switch (a, b) {
    case (.box(let a), .box(let b)):
      let way = max(abs(a.x - b.x), abs(a.y - b.y), abs(a.maxX - b.maxX), abs(a.maxY - b.maxY))
      return way * model.frameRate.value < Prover.slowest
    case (.values(let a), .values(let b)): return a == b
    default: return false
    }
  }

  /// Returns the box of an element if it is opaque, inside the frame and not clipped; otherwise,
  /// `nil`.
  private func readable(_ subject: Int, at time: Ticks) -> Moment? {
    guard isAlive(subject, at: time), opacity(of: subject, at: time) >= Prover.leastOpacity,
      let box = box(of: subject, at: time), excess(of: box, beyond: canvas) == nil
    else { return nil }
    let trails = expectations.subjects[subject].trails.filter { isAlive($0, at: time) }
    return trails.contains { isClipped($0, at: time) } ? nil : .box(box)
  }

  /// The least share of the width and the height of a text that clips must leave visible.
  private static let leastShown = 0.9

  /// Returns whether the boxes of clips hide a considerable part of a text, or all of another
  /// element.
  private func isClipped(_ trail: [Int], at time: Ticks) -> Bool {
    let steps = elements(along: trail)
    let cut = steps.reduce(Cut()) { self.cut($0, by: $1.element, in: $1.place) }
    guard let (element, place) = steps.last, let limit = cut.box else { return false }
    if case .text = element.drawing {
      guard let box = letterBox(of: element, in: place) else { return false }
      let shown = limit.intersection(box)
      return shown.isEmpty || shown.width < Prover.leastShown * box.width
        || shown.height < Prover.leastShown * box.height
    }
    guard let box = wholeBox(of: element, in: place, at: time) else { return false }
    return limit.intersection(box).isEmpty
  }

  private func still(_ subject: Int, _ scalars: [Scalar], at time: Ticks) -> Moment? {
    guard isAlive(subject, at: time) else { return nil }
    var values = scalars.map { evaluator($0) }
    for trail in expectations.subjects[subject].trails {
      guard let element = element(at: trail) else { continue }
      ElementModel.visit([element]) { values.append(isShown($0, at: time) ? 1 : 0) }
    }
    return .values(values)
  }

  func element(at trail: [Int]) -> ElementModel? {
    var list = model.elements
    for index in trail.dropLast() { list = list[index].children }
    return trail.last.map { list[$0] }
  }

  /// Returns all variable scalars of an element, its contents, and the places of its ancestors.
  private func scalars(of subject: Int) -> [Scalar] {
    var scalars: [Scalar] = []
    func add(_ scalar: Scalar) { if case .node = scalar { scalars.append(scalar) } }
    for trail in expectations.subjects[subject].trails {
      var list = model.elements
      for index in trail {
        let element = list[index]
        add(element.opacity)
        element.transform.forEachScalar(add)
        element.content.forEachScalar(add)
        element.depth?.forEachScalar(add)
        element.perspective?.forEachScalar(add)
        list = element.children
      }
      if let element = element(at: trail) {
        ElementModel.visit([element]) { $0.forEachScalar(add) }
      }
    }
    return scalars
  }
}
