// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneText

// Moving texts, such as credits and tickers. A text that is clipped or covered while it moves is
// only an error if it is never fully visible.

/// A text that is clipped at an instant.
struct CutText {
  let shown: Composition.Shown
  let time: Ticks
  let code: Code
  let message: String
  let label: String
  /// The area of the canvas in which the text must be visible, and the required fraction of the
  /// text.
  let area: Rect
  let share: Double
  /// The part of the text that is visible at some time, in fractions of its box.
  var seen = Rect.empty

  var isSeen: Bool { seen.width >= share && seen.height >= share }
}

/// A text that overlaps another at an instant.
struct TextPair {
  let upper: Composition.Shown
  let lower: Composition.Shown
}

/// The position of a text at a time relative to the examined instant.
private struct Place {
  let seconds: Double
  let box: Rect

  /// The box without its position, to compare sizes.
  var sized: Place {
    Place(
      seconds: seconds, box: Rect(x: 0, y: 0, width: box.width, height: box.height))
  }

  /// Returns the speed in pixels per second, from the corners of the boxes.
  func speed(from other: Rect) -> Double {
    let way = max(
      abs(box.x - other.x), abs(box.y - other.y), abs(box.maxX - other.maxX),
      abs(box.maxY - other.maxY))
    return way / max(1e-9, abs(seconds))
  }
}

extension Composition {
  /// The speed in pixels per second up to which an element counts as at rest.
  private static let slowest = 2.0
  /// The maximum number of evaluations of the whole scene for all moving texts together.
  static let mostLooks = 200

  /// Reports cut texts at rest, overlaps that are not brief, and small texts of a constant size.
  /// Collects cut texts in motion, and small texts whose size changes.
  mutating func settle(at time: Ticks) {
    guard !cuts.isEmpty || !pairs.isEmpty || !smallTexts.isEmpty else { return }
    let trails = Set(
      (cuts.map(\.shown) + smallTexts.map(\.shown) + pairs.flatMap { [$0.upper, $0.lower] })
        .map(\.trail))
    // Half a second before and after, as far as the element is alive.
    var around: [[Int]: [Place]] = [:]
    let nodes = nodes(of: trails)
    for seconds in [-0.5, -0.1, 0.1, 0.5] {
      let other = Ticks(time.rawValue + Int64(seconds * Double(Ticks.perSecond)))
      evaluator.evaluate(nodes: nodes, at: other)
      for trail in trails {
        guard let box = place(of: trail, at: other)?.onCanvas else { continue }
        around[trail, default: []].append(Place(seconds: seconds, box: box))
      }
    }
    evaluator.evaluate(nodes: nodes, at: time)
    for cut in cuts {
      if rests(cut.shown.box, around[cut.shown.trail] ?? []) {
        report(cut.code, cut.message, on: cut.shown.element, at: cut.time, label: cut.label)
      } else if passing.count < 200, !passing.contains(where: { $0.shown.trail == cut.shown.trail })
      {
        passing.append(cut)
      }
    }
    for small in smallTexts {
      let places = (around[small.shown.trail] ?? []).map(\.sized)
      let box = Place(seconds: 0, box: small.shown.box).sized.box
      if isConstant(box, places) { report(small) } else { collect(small) }
    }
    for pair in pairs
    where !passes(
      pair, upper: around[pair.upper.trail] ?? [], lower: around[pair.lower.trail] ?? [])
    {
      reportOver(pair, at: time)
    }
  }

  /// Returns whether an element is at rest before or after an instant: for half a second, or as
  /// long as it is alive.
  private func rests(_ box: Rect, _ around: [Place]) -> Bool {
    let long = around.filter { abs($0.seconds) >= 0.5 }
    let sides = long.isEmpty ? around : long
    return sides.isEmpty || sides.contains { $0.speed(from: box) <= Composition.slowest }
  }

  /// Returns whether the size of an element is constant for half a second before or after an
  /// instant, or as long as it is alive.
  private func isConstant(_ box: Rect, _ around: [Place]) -> Bool {
    let sides = [around.filter { $0.seconds < 0 }, around.filter { $0.seconds > 0 }]
    return around.isEmpty
      || sides.contains { side in
        !side.isEmpty && side.allSatisfy { $0.speed(from: box) <= Composition.slowest }
      }
  }

  /// Returns the scale of an element on the canvas at the last evaluated time; `nil` if it is not
  /// visible.
  func stretch(of trail: [Int], at time: Ticks) -> Double? {
    place(of: trail, at: time)?.map.maximumStretch
  }

  /// Returns whether two texts overlap only briefly while one passes the other.
  private func passes(_ pair: TextPair, upper: [Place], lower: [Place]) -> Bool {
    var apart: [Place] = []
    for place in upper {
      guard let other = lower.first(where: { $0.seconds == place.seconds }) else { continue }
      // The box of the upper text relative to the lower one.
      let box = place.box
      let (dx, dy) = (pair.lower.box.x - other.box.x, pair.lower.box.y - other.box.y)
      apart.append(
        Place(
          seconds: place.seconds,
          box: Rect(x: box.x + dx, y: box.y + dy, width: box.width, height: box.height)))
    }
    return !rests(pair.upper.box, apart)
      && apart.contains { !covers($0.box, pair.lower.box) }
  }

  private struct Found {
    let map: Affine
    let box: Rect
    var onCanvas: Rect { map.apply(box) }
  }

  /// Returns the nodes that determine the positions of elements.
  func nodes(of trails: Set<[Int]>) -> [Int32] {
    var scalars: [Scalar] = []
    for trail in trails {
      var list = model.elements
      for (depth, index) in trail.enumerated() {
        let element = list[index]
        scalars += [element.visible, element.opacity]
        element.transform.forEachScalar { scalars.append($0) }
        if depth == trail.count - 1 {
          if element.isFormula {
            ElementModel.visit([element]) { $0.forEachScalar { scalars.append($0) } }
          } else {
            element.drawing.forEachScalar { scalars.append($0) }
          }
        } else {
          element.content.forEachScalar { scalars.append($0) }
        }
        list = element.children
      }
    }
    return evaluator.nodes(of: scalars)
  }

  /// Returns the position of an element at the last evaluated time; `nil` if it is not visible.
  private func place(of trail: [Int], at time: Ticks) -> Found? {
    var list = model.elements
    var map = Affine.identity
    for (depth, index) in trail.enumerated() {
      let element = list[index]
      guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
        evaluator(element.opacity) > 0
      else { return nil }
      map = map.concat(evaluator.affine(of: element))
      if depth == trail.count - 1 {
        let bounds =
          element.isFormula ? formulaBounds(of: element, at: time) : bounds(of: element)
        guard map.isFinite, let box = bounds, box.isFinite, box.area > 0 else { return nil }
        return Found(map: map, box: box)
      }
      map = map.concat(evaluator.affine(element.content))
      list = element.children
    }
    return nil
  }

  /// Reports moving texts with a part that is never visible.
  mutating func settlePassing() {
    var times: Set<Int64> = []
    for cut in passing {
      let life = life(of: cut.shown.trail)
      for step in 0..<16 {
        times.insert(
          life.lowerBound + (life.upperBound - life.lowerBound) / 32 * Int64(2 * step + 1))
      }
      for seconds in [-0.5, -0.2, 0.2, 0.5] {
        times.insert(cut.time.rawValue + Int64(seconds * Double(Ticks.perSecond)))
      }
    }
    let all = times.sorted().filter { $0 >= 0 && $0 < model.duration.rawValue }
    // If there are too many times, sample them evenly.
    let most = min(Composition.mostLooks, greatestLooks)
    let nodes = nodes(of: Set(passing.map(\.shown.trail)))
    for step in 0..<min(most, all.count) where passing.contains(where: { !$0.isSeen }) {
      let time = Ticks(all[all.count <= most ? step : step * all.count / most])
      evaluator.evaluate(nodes: nodes, at: time)
      for index in passing.indices where !passing[index].isSeen { look(at: time, for: index) }
    }
    for cut in passing where !cut.isSeen && all.count <= most {
      report(cut.code, cut.message, on: cut.shown.element, at: cut.time, label: cut.label)
    }
  }

  /// Adds the visible part of a text at a time.
  private mutating func look(at time: Ticks, for index: Int) {
    guard let found = place(of: passing[index].shown.trail, at: time),
      let back = found.map.inverted
    else { return }
    let part = back.apply(passing[index].area).intersection(found.box)
    guard !part.isEmpty else { return }
    passing[index].seen = passing[index].seen.union(
      Rect(
        x: (part.x - found.box.x) / found.box.width, y: (part.y - found.box.y) / found.box.height,
        width: part.width / found.box.width, height: part.height / found.box.height))
  }

  /// Returns the lifetime of an element, limited by its ancestors.
  func life(of trail: [Int]) -> Range<Int64> {
    var life = 0..<max(1, model.duration.rawValue)
    var list = model.elements
    for index in trail {
      let element = list[index]
      life = life.clamped(
        to: element.start.rawValue..<max(element.start.rawValue, element.end.rawValue))
      list = element.children
    }
    return life
  }
}
