// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Tweens and keyframes.
extension Finder {
  /// The interval of a motion at the playhead.
  struct Interval {
    let motion: SceneRecord.Motion
    /// The time at the playhead in ticks of the motion's clock.
    let time: Double
    /// The index of the step.
    let step: Int
    /// The weight of the end of the step.
    let weight: Double
  }

  func interval(
    of e: Expression, in file: FileID, first: Int
  ) throws(Refused) -> Interval {
    guard
      // A loop evaluates its motion twice, first for the length.
      let motion = property.motions.last(where: {
        $0.span.file == file && $0.span.start == e.span.start && $0.span.end == e.span.end
      }), motion.steps.indices.contains(first)
    else { throw computed(e, in: file) }
    let time = playhead.number(motion.clock)
    let step = motion.steps.indices.last { $0 >= first && motion.steps[$0].from <= time } ?? first
    let it = motion.steps[step]
    return Interval(
      motion: motion, time: time, step: step,
      weight: weight(of: it.easing, from: it.from, to: it.to, at: time))
  }

  private func all(
    _ values: [Expression], in file: FileID, weight: Double, sign: Double
  ) throws(Refused) -> Found {
    var grips: [Grip] = []
    for value in values {
      grips += try slot(value, in: file, weight: weight, place: .whole, sign: sign).grips
    }
    return .grips(grips)
  }

  /// Finds the literals of the end of a leg that has the greater weight at the playhead.
  func tween(
    _ e: Expression, _ values: [Expression], in file: FileID, weight: Double, sign: Double
  ) throws(Refused) -> Found {
    let it = try interval(of: e, in: file, first: 0)
    guard it.motion.steps.count == values.count - 1 else { throw computed(e, in: file) }
    if let key = edit.key {
      guard key.span == it.motion.span, values.indices.contains(key.index) else {
        throw computed(e, in: file)
      }
      let time = key.index == 0 ? it.motion.steps[0].from : it.motion.steps[key.index - 1].to
      return try slot(values[key.index], in: file, weight: weight, place: .leg(time), sign: sign)
    }
    if edit.scope == .whole { return try all(values, in: file, weight: weight, sign: sign) }
    let steps = it.motion.steps
    if it.weight >= 0.5 {
      return try slot(
        values[it.step + 1], in: file, weight: weight * it.weight,
        place: .leg(steps[it.step].to), sign: sign)
    }
    let start = it.step == 0 ? steps[0].from : steps[it.step - 1].to
    return try slot(
      values[it.step], in: file, weight: weight * (1 - it.weight), place: .leg(start), sign: sign)
  }

  /// A key in the source.
  struct Key {
    let time: Expression
    let value: Expression
    let clauses: [Clause]

    var end: Int { clauses.last?.value.span.end ?? value.span.end }
  }

  /// The keys of a motion, which are all in the source.
  struct Keys {
    let all: [Key]
    let steps: [SceneRecord.Motion.Step]

    func key(_ index: Int) throws(Refused) -> Key {
      let span = steps[index].value
      guard
        let key = all.first(where: {
          $0.value.span.start == span.start && $0.value.span.end == span.end
        })
      else { throw Finder.looped }
      return key
    }
  }

  /// Finds the key at the playhead, or the gap between two keys.
  func keyframes(
    _ e: Expression, _ items: [KeyItem], in file: FileID, weight: Double, sign: Double
  ) throws(Refused) -> Found {
    let all = Finder.keys(items)
    if edit.scope == .whole {
      guard all.count == items.count else { throw Finder.looped }
      return try self.all(all.map(\.value), in: file, weight: weight, sign: sign)
    }
    let it = try interval(of: e, in: file, first: items.count > 1 ? 1 : 0)
    let steps = it.motion.steps
    let keys = Keys(all: all, steps: steps)
    func edited(_ index: Int, _ share: Double) throws(Refused) -> Found {
      try slot(
        keys.key(index).value, in: file, weight: weight * share, place: .key(steps[index].to),
        sign: sign)
    }
    if let key = edit.key {
      guard key.span == it.motion.span, steps.indices.contains(key.index) else {
        throw computed(e, in: file)
      }
      return try edited(key.index, 1)
    }
    let half = playhead.rate.frameTicks / 2
    if let last = steps.indices.last, edit.insertsKey {
      // Beyond its keys, a value is constant.
      if it.time < steps[0].to - half {
        return .gap(try outer(it, keys, isLast: false, in: file, weight: weight * sign))
      }
      if it.time > steps[last].to + half {
        return .gap(try outer(it, keys, isLast: true, in: file, weight: weight * sign))
      }
    }
    // A single key determines all values, and the outer keys those before and after the motion.
    if steps.count == 1 { return try edited(0, 1) }
    if it.time <= steps[0].to, it.weight == 0 { return try edited(0, 1) }
    if let last = steps.indices.last, it.time >= steps[last].to {
      return try edited(last, it.weight)
    }
    let near = [(it.step, it.weight), (it.step - 1, 1 - it.weight)]
      .filter { $0.1 >= 0.5 && abs(steps[$0.0].to - it.time) < half }
      .min { abs(steps[$0.0].to - it.time) < abs(steps[$1.0].to - it.time) }
    if let near { return try edited(near.0, near.1) }
    return .gap(
      try gap(
        it, from: keys.key(it.step - 1), to: keys.key(it.step), in: e, of: file,
        weight: weight * sign))
  }

  static func keys(_ items: [KeyItem]) -> [Key] {
    items.compactMap { item in
      guard case .key(let time, let value, let clauses) = item else { return nil }
      return Key(time: time, value: value, clauses: clauses)
    }
  }

  static let looped = Refused(
    "the key is created by a loop in 'keyframes'; edit it in the source")

  // MARK: New keys

  /// Returns the gap before the first or after the last key.
  private func outer(
    _ it: Interval, _ keys: Keys, isLast: Bool, in file: FileID, weight: Double
  ) throws(Refused) -> GapValue {
    let index = isLast ? keys.steps.count - 1 : 0
    let key = try keys.key(index)
    guard let value = constant(key.value, in: file) else { throw computed(key.value, in: file) }
    let other = try keys.steps.count > 1 ? keys.key(isLast ? index - 1 : 1) : nil
    let between = other.map { min($0.end, key.end)..<max($0.time.span.start, key.time.span.start) }
    return GapValue(
      gap: Gap(
        file: file, start: isLast ? key.end : key.time.span.start, separator: between ?? 0..<0,
        isLast: isLast, time: it.time - it.motion.origin, sceneTime: it.time, easing: nil,
        rest: nil),
      value: value.value, unit: value.unit, factor: try factor(of: value.unit), weight: weight,
      isSingle: value.isSingle)
  }

  private func gap(
    _ it: Interval, from: Key, to: Key, in e: Expression, of file: FileID, weight: Double
  ) throws(Refused) -> GapValue {
    let step = it.motion.steps[it.step]
    let (start, end) = (constant(from.value, in: file), constant(to.value, in: file))
    let value: Constant
    if let start, let end {
      let isSame = start.unit == end.unit
      value = Constant(
        value: start.value + (end.value - start.value) * it.weight, unit: isSame ? start.unit : nil,
        isSingle: start.isSingle && end.isSingle)
    } else if property.value.file == file, property.value.start == e.span.start,
      property.value.end == e.span.end, property.changes.isEmpty, property.type == .point,
      start != nil || isNamed(from.value, in: file), end != nil || isNamed(to.value, in: file)
    {
      // Points that are given by name are replaced with their numbers in the frame.
      value = Constant(
        value: playhead.numbers(of: property, wholes: edit.wholes)[component], isSingle: false)
    } else {
      throw computed((start == nil ? from : to).value, in: file)
    }
    let given = to.clauses.first { $0.word.text == "with" }?.value
    var easing: String?
    var rest: TextEdit.Piece?
    if given != nil || step.easing != .linear {
      let progress = (it.time - step.from) / (step.to - step.from)
      guard let parts = Division(step.easing, at: progress) else {
        let name = given.map { text(of: $0, in: file) } ?? "easing"
        throw Refused(
          "the motion between the keys has the easing '\(name)', which a new key cannot divide; "
            + "go to a key, or move the whole motion")
      }
      easing = parts.left
      let place = given?.span ?? to.value.span
      let span = SourceSpan(
        file: file, start: given == nil ? place.end : place.start, end: place.end)
      let isSame = step.easing == .linear || step.easing == .hold
      if given == nil || !isSame {
        rest = TextEdit.Piece(span: span, text: given == nil ? " with \(parts.right)" : parts.right)
      }
    }
    return GapValue(
      gap: Gap(
        file: file, start: to.time.span.start, separator: from.end..<to.time.span.start,
        isLast: false, time: it.time - it.motion.origin, sceneTime: it.time, easing: easing,
        rest: rest),
      value: value.value, unit: value.unit, factor: try factor(of: value.unit), weight: weight,
      isSingle: value.isSingle)
  }

  private struct Constant {
    var value: Double
    var unit: NumberUnit?
    var isSingle = true
  }

  /// Returns the component of a value that consists of literals; `nil` for other values.
  private func constant(_ e: Expression, in file: FileID) -> Constant? {
    switch e.kind {
    case .number(let number, let unit):
      guard let factor = try? factor(of: unit) else { return nil }
      return Constant(value: number * factor, unit: unit)
    case .size(let width, let height):
      return Constant(value: component == 0 ? width : height, isSingle: false)
    case .unary(.minus, let inner):
      guard var it = constant(inner, in: file) else { return nil }
      it.value = -it.value
      return it
    case .pair(let x, let y):
      guard var it = constant(component == 0 ? x : y, in: file) else { return nil }
      it.isSingle = false
      return it
    case .binary(.plus, let a, let b), .binary(.minus, let a, let b):
      guard let a = constant(a, in: file), let b = constant(b, in: file) else { return nil }
      let isMinus = if case .binary(.minus, _, _) = e.kind { true } else { false }
      return Constant(
        value: isMinus ? a.value - b.value : a.value + b.value,
        unit: a.unit == b.unit ? a.unit : nil,
        isSingle: a.isSingle && b.isSingle)
    case .reference, .member, .index:
      return resolved(e, in: file).flatMap { constant($0, in: $1) }
    default: return nil
    }
  }
}
