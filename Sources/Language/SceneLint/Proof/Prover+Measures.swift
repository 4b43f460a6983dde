// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

// Measurements of one frame.
extension Prover {
  /// The error in pixels that rounded numbers and antialiasing may cause.
  private static let tolerance = 0.5
  /// The estimated nanoseconds for the comparison of two boxes.
  private static let perComparison = 4.0

  /// Returns the value of a measurement at the last evaluated time; booleans are 1 and 0.
  mutating func measure(_ measurement: Measurement, at time: Ticks) -> Double {
    switch measurement {
    case .inside(let subject, let area):
      guard let box = box(of: subject, at: time) else {
        boxless.insert(subject)
        return 1
      }
      guard let limit = rect(of: area, at: time) else {
        if case .box(let other) = area { boxless.insert(other) }
        return 0
      }
      return excess(of: box, beyond: limit) == nil ? 1 : 0
    case .overlaps(let a, let b):
      guard let a = box(of: a, at: time), let b = box(of: b, at: time) else { return 0 }
      return overlap(a, b) ? 1 : 0
    case .apart(let list):
      let sweep = sweep(over: list, at: time, limit: limit(Prover.perComparison))
      charge(sweep.comparisons, Prover.perComparison)
      return sweep.meeting == nil ? 1 : 0
    case .opacity(let subject): return opacity(of: subject, at: time)
    case .contrast(let subject):
      switch contrast(of: subject, at: time) {
      case .ratio(let ratio, _)?: return ratio
      case .least(let ratio, let background)?:
        boundedContrast = background
        return ratio
      case .unknown(let reason)?:
        unknownContrast = reason
        return .nan
      case nil:
        // Captions are not shown at all times, and a text can be empty.
        boxless.insert(subject)
        return .nan
      }
    case .covered(let subject): return cover(of: subject, at: time) == nil ? 0 : 1
    case .readable, .still, .loudness, .peak, .flashes: return .nan
    }
  }

  func rect(of area: Measurement.Area, at time: Ticks) -> Rect? {
    switch area {
    case .frame(let margin, _):
      canvas.inset(canvas.width * margin, canvas.height * margin)
    case .box(let subject): box(of: subject, at: time)
    }
  }

  /// The maximum distance in pixels by which a box exceeds an area, and the exceeded side.
  struct Excess {
    let length: Double
    let side: String
  }

  func excess(of box: Rect, beyond area: Rect) -> Excess? {
    let sides = [
      Excess(length: area.x - box.x, side: "on the left"),
      Excess(length: box.maxX - area.maxX, side: "on the right"),
      Excess(length: area.y - box.y, side: "at the top"),
      Excess(length: box.maxY - area.maxY, side: "at the bottom"),
    ]
    guard let most = sides.max(by: { $0.length < $1.length }), most.length > Prover.tolerance else {
      return nil
    }
    return most
  }

  /// Returns whether boxes overlap by more than a pixel in both directions.
  func overlap(_ a: Rect, _ b: Rect) -> Bool {
    min(a.maxX, b.maxX) - max(a.x, b.x) > 1 && min(a.maxY, b.maxY) - max(a.y, b.y) > 1
  }

  /// The search for two elements of a list that overlap.
  struct Sweep {
    /// The indices of two elements in the list; `nil` if no elements overlap.
    var meeting: (first: Int, second: Int)?
    var comparisons = 0
  }

  /// Compares the boxes of a list at most `limit` times. They are sorted along the axis in which
  /// they spread more.
  func sweep(over list: [Int], at time: Ticks, limit: Int = .max) -> Sweep {
    var placed: [(index: Int, box: Rect)] = []
    for (index, subject) in list.enumerated() {
      if let box = box(of: subject, at: time) { placed.append((index, box)) }
    }
    let whole = placed.dropFirst().reduce(placed.first?.box) { $0?.union($1.box) }
    let isTall = whole.map { $0.height > $0.width } ?? false
    func start(_ box: Rect) -> Double { isTall ? box.y : box.x }
    placed.sort { start($0.box) < start($1.box) }
    var sweep = Sweep()
    for (place, it) in placed.enumerated() {
      let end = isTall ? it.box.maxY : it.box.maxX
      for other in placed[(place + 1)...] {
        if start(other.box) > end || sweep.comparisons >= limit { break }
        sweep.comparisons += 1
        if overlap(it.box, other.box) {
          sweep.meeting = (min(it.index, other.index), max(it.index, other.index))
          return sweep
        }
      }
    }
    return sweep
  }

  /// Returns facts about a measurement at the last evaluated time that explain a failure.
  func facts(about measurement: Measurement, at time: Ticks) -> [String] {
    func name(_ subject: Int) -> String { "'\(expectations.subjects[subject].name)'" }
    let format = NumberFormat()
    switch measurement {
    case .inside(let subject, let area):
      guard let box = box(of: subject, at: time), let limit = rect(of: area, at: time),
        let excess = excess(of: box, beyond: limit)
      else { return [] }
      let place =
        switch area {
        case .frame(_, let name): name
        case .box(let other): name(other)
        }
      return [
        "\(name(subject)) leaves \(place) by \(format.text((excess.length * 10).rounded() / 10)) px \(excess.side)"
      ]
    case .apart(let list):
      guard let (a, b) = sweep(over: list, at: time).meeting else { return [] }
      let isSame = expectations.subjects[list[a]].name == expectations.subjects[list[b]].name
      let names =
        isSame
        ? "\(expectations.subjects[list[a]].name)[\(a)]' and '\(expectations.subjects[list[b]].name)[\(b)]"
        : "\(expectations.subjects[list[a]].name)' and '\(expectations.subjects[list[b]].name)"
      return ["'\(names)' overlap"]
    case .contrast(let subject):
      guard case .ratio(_, let behind)? = contrast(of: subject, at: time) else { return [] }
      return [behind]
    case .covered(let subject):
      return cover(of: subject, at: time).map { ["\(name(subject)) is covered by \($0)"] } ?? []
    default: return []
    }
  }
}
