// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneText

// Credits roll, tickers run, words fly past each other: what is cut or covered only while it moves is a
// fault when nobody ever sees it whole.

/// A text that is cut off at an instant.
struct CutText {
  let shown: Composition.Shown
  let time: Ticks
  let code: Code
  let message: String
  let label: String
  /// What it has to be in, on the canvas, and how much of it.
  let area: Rect
  let share: Double
  /// What is seen of it at some time, as shares of its box.
  var seen = Rect.empty

  var isSeen: Bool { seen.width >= share && seen.height >= share }
}

/// A text that is over another at an instant.
struct TextPair {
  let upper: Composition.Shown
  let lower: Composition.Shown
}

/// Where a text is at another time than the one that was looked at.
private struct Place {
  let seconds: Double
  let box: Rect

  /// Pixels a second, as far as its corners say.
  func speed(from other: Rect) -> Double {
    let way = max(
      abs(box.x - other.x), abs(box.y - other.y), abs(box.maxX - other.maxX),
      abs(box.maxY - other.maxY))
    return way / max(1e-9, abs(seconds))
  }
}

extension Composition {
  /// Pixels a second; what is slower rests.
  private static let slowest = 2.0
  /// Looks at the whole scene that texts on their way get, all together.
  private static let mostLooks = 200

  /// Decides about what was found at an instant: what rests is wrong there.
  mutating func settle(_ cuts: [CutText], _ pairs: [TextPair], at time: Ticks) {
    guard !cuts.isEmpty || !pairs.isEmpty else { return }
    let trails = Set(
      cuts.map(\.shown.trail) + pairs.flatMap { [$0.upper.trail, $0.lower.trail] })
    // Half a second before and after, or as far as it is there.
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
        report(cut.code, cut.message, cut.shown.element, at: cut.time, label: cut.label)
      } else if passing.count < 200, !passing.contains(where: { $0.shown.trail == cut.shown.trail })
      {
        passing.append(cut)
      }
    }
    for pair in pairs
    where !passes(pair, around[pair.upper.trail] ?? [], around[pair.lower.trail] ?? []) {
      reportOver(pair, at: time)
    }
  }

  /// Whether something stays where it is, before an instant or after it: for half a second, where it is
  /// there that long.
  private func rests(_ box: Rect, _ around: [Place]) -> Bool {
    let long = around.filter { abs($0.seconds) >= 0.5 }
    let sides = long.isEmpty ? around : long
    return sides.isEmpty || sides.contains { $0.speed(from: box) <= Composition.slowest }
  }

  /// Whether two texts meet only for a moment, since one moves past the other.
  private func passes(_ pair: TextPair, _ upper: [Place], _ lower: [Place]) -> Bool {
    var apart: [Place] = []
    for place in upper {
      guard let other = lower.first(where: { $0.seconds == place.seconds }) else { continue }
      // Where the upper one is when the lower one stays.
      let box = place.box
      let (dx, dy) = (pair.lower.box.x - other.box.x, pair.lower.box.y - other.box.y)
      apart.append(
        Place(
          seconds: place.seconds, box: Rect(box.x + dx, box.y + dy, box.width, box.height)))
    }
    return !rests(pair.upper.box, apart)
      && apart.contains { !covers($0.box, pair.lower.box) }
  }

  private struct Found {
    let map: Affine
    let box: Rect
    var onCanvas: Rect { map.apply(box) }
  }

  /// What has to be computed to know where elements are.
  private func nodes(of trails: Set<[Int]>) -> [Int32] {
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

  /// Where an element is at the time that was evaluated last; `nil` when it is not there.
  private func place(of trail: [Int], at time: Ticks) -> Found? {
    var list = model.elements
    var map = Affine.identity
    for (depth, index) in trail.enumerated() {
      let element = list[index]
      guard element.start <= time, time < element.end, evaluator(element.visible) != 0,
        evaluator(element.opacity) > 0
      else { return nil }
      map = map.concat(evaluator.affine(element.transform))
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

  /// Reports texts on their way of which a part is never seen.
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
    // Spread over all of them when there are too many.
    let most = min(Composition.mostLooks, greatestLooks)
    let nodes = nodes(of: Set(passing.map(\.shown.trail)))
    for step in 0..<min(most, all.count) where passing.contains(where: { !$0.isSeen }) {
      let time = Ticks(all[all.count <= most ? step : step * all.count / most])
      evaluator.evaluate(nodes: nodes, at: time)
      for index in passing.indices where !passing[index].isSeen { look(at: time, for: index) }
    }
    for cut in passing where !cut.isSeen && all.count <= most {
      report(cut.code, cut.message, cut.shown.element, at: cut.time, label: cut.label)
    }
  }

  /// Adds what is seen of a text.
  private mutating func look(at time: Ticks, for index: Int) {
    guard let found = place(of: passing[index].shown.trail, at: time),
      let back = found.map.inverted
    else { return }
    let part = back.apply(passing[index].area).intersection(found.box)
    guard !part.isEmpty else { return }
    passing[index].seen = passing[index].seen.union(
      Rect(
        (part.x - found.box.x) / found.box.width, (part.y - found.box.y) / found.box.height,
        part.width / found.box.width, part.height / found.box.height))
  }

  /// When an element is there, with all that is around it.
  private func life(of trail: [Int]) -> Range<Int64> {
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
