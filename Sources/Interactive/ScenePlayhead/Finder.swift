// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// Finds the literals that determine one component of a value at the playhead.
///
/// Every literal has a weight: the factor with which its value contributes to the frame, such as
/// 0.25 for the end of a linear motion after a quarter of its time. Of the two ends, the one with
/// the greater weight is edited. A change of a literal divided by its weight moves the frame
/// exactly.
struct Finder {
  let playhead: Playhead
  let edit: ValueEdit
  /// The index of the component.
  let component: Int

  var property: SceneRecord.Property { edit.property }

  // MARK: Changes

  /// The value of a property before its changes, or of a change.
  private struct Stop {
    let span: SourceSpan
    let weight: Double
    let place: Place
    var isInitial = false

    func with(weight: Double) -> Stop { Stop(span: span, weight: weight, place: place) }
  }

  func found() throws(Refused) -> Found {
    if edit.key != nil { return try foundKey() }
    let stops = stops(of: property.changes, from: property.value)
    if case .initial = property.origin, stops.contains(where: \.isInitial) {
      throw Refused("'\(property.property.name)' has no value before its change")
    }
    return try found(at: stops)
  }

  /// Returns the values that are edited: the one with the greatest weight at the playhead, or all
  /// of them.
  private func stops(of changes: [SceneRecord.Change], from initial: SourceSpan) -> [Stop] {
    var stops: [Stop] = []
    for change in changes {
      let weight = weight(
        of: change.easing, from: change.from, to: change.to, at: playhead.number(change.clock))
      stops = stops.map { $0.with(weight: $0.weight * (1 - weight)) }
      stops.append(Stop(span: change.value, weight: weight, place: .change(change.from)))
    }
    let rest = changes.reduce(1.0) {
      $0 * (1 - weight(of: $1.easing, from: $1.from, to: $1.to, at: playhead.number($1.clock)))
    }
    if edit.scope == .whole {
      return stops.map { Stop(span: $0.span, weight: 1, place: .whole) }
        + [Stop(span: initial, weight: 1, place: .value, isInitial: true)]
    }
    if stops.allSatisfy({ $0.weight < rest }) {
      return [Stop(span: initial, weight: rest, place: .value, isInitial: true)]
    }
    return stops.max { $0.weight < $1.weight }.map { [$0] } ?? []
  }

  /// Finds the literals in values. `weight` and `sign` are those of the expression around them.
  private func found(
    at stops: [Stop], weight: Double = 1, sign: Double = 1
  ) throws(Refused) -> Found {
    var grips: [Grip] = []
    for stop in stops {
      guard let (value, file) = expression(at: stop.span) else {
        throw Refused("'\(property.property.name)' is set in a file that cannot be changed")
      }
      switch try slot(
        value, in: file, weight: weight * stop.weight, place: stop.place, sign: sign)
      {
      case .grips(let found): grips += found
      case .gap(let gap): return .gap(gap)
      }
    }
    return .grips(grips)
  }

  /// Finds the literals of the key that the edit names.
  private func foundKey() throws(Refused) -> Found {
    var refusal = Refused("'\(property.property.name)' is set in a file that cannot be changed")
    for span in [property.value] + property.changes.map(\.value) {
      guard let (value, file) = expression(at: span) else { continue }
      do throws(Refused) {
        let found = try slot(value, in: file, weight: 1, place: .value)
        if found.grips.contains(where: \.place.isMoving) { return found }
        refusal = computed(value, in: file)
      } catch { refusal = error }
    }
    throw refusal
  }

  /// Returns the outermost expression whose span equals `span`.
  func expression(at span: SourceSpan) -> (Expression, FileID)? {
    guard let tree = playhead.files[span.file]?.tree,
      let node = tree.nodes.indices.last(where: {
        let own = tree.span(of: $0)
        return own.start == span.start && own.end == span.end && Finder.isValue(tree.nodes[$0].kind)
      })
    else { return nil }
    return (tree.expression(of: node), span.file)
  }

  private static func isValue(_ kind: SyntaxKind) -> Bool {
    ![.initializer, .argument, .property, .name, .qualifiedName, .leg, .key].contains(kind)
  }

  /// Returns the eased progress of an interval.
  func weight(of easing: Easing, from: Double, to: Double, at time: Double) -> Double {
    if from >= to { return time >= from ? 1 : 0 }
    return time < from ? 0 : easing.value(at: min(1, (time - from) / (to - from)))
  }

  // MARK: Expressions

  func find(
    _ e: Expression, in file: FileID, weight: Double, place: Place, sign: Double = 1
  ) throws(Refused) -> Found {
    switch e.kind {
    case .number: return .grips([try grip(e, in: file, weight: weight, place: place, sign: sign)])
    case .unary(.minus, let inner):
      if case .number = inner.kind {
        return .grips([try grip(e, in: file, weight: weight, place: place, sign: sign)])
      }
      return try find(inner, in: file, weight: weight, place: place, sign: -sign)
    case .size:
      guard let literal = literal(e, in: file) else { throw computed(e, in: file) }
      return .grips([
        Grip(
          target: .literal(literal, part: component), factor: weight * sign, weight: weight,
          place: place)
      ])
    case .pair(let x, let y):
      return try slot(
        component == 0 ? x : y, in: file, weight: weight, place: place, sign: sign, isPart: true)
    case .binary(.plus, let a, let b), .binary(.minus, let a, let b):
      let isMinus = if case .binary(.minus, _, _) = e.kind { true } else { false }
      return try better(
        Result { () throws(Refused) in
          try find(b, in: file, weight: weight, place: place, sign: isMinus ? -sign : sign)
        },
        Result { () throws(Refused) in
          try find(a, in: file, weight: weight, place: place, sign: sign)
        }, else: computed(e, in: file))
    case .tween(let first, let legs):
      return try legs.isEmpty
        ? slot(first, in: file, weight: weight, place: place, sign: sign)
        : tween(e, [first] + legs.map(\.value), in: file, weight: weight, sign: sign)
    case .keyframes(let items):
      return try keyframes(e, items, in: file, weight: weight, sign: sign)
    case .reference where argument(at: e.span, in: file)?.changes.isEmpty == false:
      guard let argument = argument(at: e.span, in: file) else { throw computed(e, in: file) }
      return try found(
        at: stops(of: argument.changes, from: argument.value), weight: weight, sign: sign)
    case .reference, .member, .index:
      guard let (value, home) = resolved(e, in: file) else { throw computed(e, in: file) }
      return try find(value, in: home, weight: weight, place: place, sign: sign)
    // `loop` and `delay` evaluate the same value at another time.
    case .call(let callee, let arguments):
      guard case .reference(let name) = callee.kind, ["loop", "delay"].contains(name.text),
        let inner = arguments.first
      else { throw computed(e, in: file) }
      return try find(inner.value, in: file, weight: weight, place: place, sign: sign)
    default: throw computed(e, in: file)
    }
  }

  /// Finds the literals in a value. A name without any, such as `center` or `ball.bottom`, gets an
  /// offset. With `isPart`, the value is a part of a pair.
  func slot(
    _ e: Expression, in file: FileID, weight: Double, place: Place, sign: Double = 1,
    isPart: Bool = false
  ) throws(Refused) -> Found {
    do throws(Refused) {
      return try find(e, in: file, weight: weight, place: place, sign: sign)
    } catch {
      guard isNamed(e, in: file), let unit = offsetUnit else { throw error }
      let span = SourceSpan(file: file, start: e.span.end, end: e.span.end)
      let offset = Offset(
        span: span, isPair: !isPart && property.numbers.count == 2, unit: unit)
      return .grips([
        Grip(target: .offset(offset), factor: weight * sign, weight: weight, place: place)
      ])
    }
  }

  /// The unit of an offset that is added to a name; `nil` if the property has no such offsets.
  private var offsetUnit: String? {
    switch property.type {
    case .point, .lengthX, .lengthY, .length, .size: ""
    case .angle: "deg"
    default: nil
    }
  }

  /// Returns the better of the two sides of an addition: for an edit at the playhead, a motion
  /// rather than an offset; a length rather than a percentage.
  private func better(
    _ right: Result<Found, Refused>, _ left: Result<Found, Refused>, else refusal: Refused
  ) throws(Refused) -> Found {
    func rank(_ found: Found) -> Int {
      guard case .grips(let grips) = found else { return edit.scope == .whole ? 0 : 2 }
      let isMoving = grips.contains { $0.place.isMoving }
      if isMoving != (edit.scope == .whole), isMoving { return 2 }
      return grips.contains(where: \.isShare) ? 0 : 1
    }
    guard let a = try? right.get() else {
      guard let b = try? left.get() else { throw refusal }
      return b
    }
    guard let b = try? left.get() else { return a }
    return rank(b) > rank(a) ? b : a
  }

  func literal(_ e: Expression, in file: FileID) -> Literal? {
    guard let tree = playhead.files[file]?.tree,
      let literal = tree.literals(in: e.span).first, literal.span == e.span
    else { return nil }
    return literal.moved(to: SourceSpan(file: file, start: e.span.start, end: e.span.end))
  }

  private func grip(
    _ e: Expression, in file: FileID, weight: Double, place: Place, sign: Double
  ) throws(Refused) -> Grip {
    guard let literal = literal(e, in: file), case .number = literal.value else {
      throw computed(e, in: file)
    }
    return Grip(
      target: .literal(literal), factor: weight * sign * (try factor(of: literal.unit)),
      weight: weight, place: place)
  }

  /// Returns the change of the component per unit.
  func factor(of unit: NumberUnit?) throws(Refused) -> Double {
    switch (property.type, unit) {
    case (.number, nil), (.factors, nil), (.share, nil), (.gain, nil), (.weight, nil),
      (.angle, .deg), (.angles, .deg):
      return 1
    case (.number, .percent), (.factors, .percent), (.share, .percent), (.gain, .percent):
      return 0.01
    case (.ownPoint, nil), (.ownPoint, .px): return 1
    case (.time, .s): return Double(Ticks.perSecond)
    case (.time, .ms): return Double(Ticks.perSecond) / 1000
    case (.time, .min): return Double(Ticks.perSecond) * 60
    case (.time, .f): return playhead.rate.frameTicks
    case (.angle, .turn), (.angles, .turn): return 360
    case (.angle, .rad), (.angles, .rad): return 180 / Double.pi
    case (.point, nil), (.lengthX, nil), (.lengthY, nil), (.length, nil), (.size, nil),
      (.lengthPair, nil), (.fontLength, nil), (.point, .px), (.lengthX, .px), (.lengthY, .px),
      (.length, .px), (.size, .px), (.lengthPair, .px), (.fontLength, .px),
      (.fontLengthPair, nil), (.fontLengthPair, .px):
      return 1
    case (.point, .percent), (.lengthX, .percent), (.lengthY, .percent), (.length, .percent),
      (.size, .percent), (.lengthPair, .percent), (.ownPoint, .percent):
      if edit.wholes.indices.contains(component), let whole = edit.wholes[component], whole > 0 {
        return whole / 100
      }
    default: break
    }
    throw Refused(
      "'\(property.property.name)' in the unit '\(unit?.rawValue ?? "")' cannot be edited here; edit it in the source"
    )
  }

  func computed(_ e: Expression, in file: FileID) -> Refused {
    let part = property.numbers.count == 2 ? [" horizontally", " vertically"][component] : ""
    return Refused(
      "'\(property.property.name)' is computed\(part) by '\(text(of: e, in: file))'; edit it in the source"
    )
  }

  /// Returns the source of an expression, shortened to one line.
  func text(of e: Expression, in file: FileID) -> String {
    let source = playhead.files[file]?.source
    let text = source.map { $0.text($0.span(e.span.start, e.span.end)) } ?? ""
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return words.count > 40 ? String(words.prefix(39)) + "…" : words
  }
}
