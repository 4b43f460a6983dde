// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneEditing
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// The indices of a motion and of one of its values: a key of keyframes, or a value of a tween,
/// including its start value.
package struct KeyNumber: Hashable, Sendable {
  /// The index among the motions of the property.
  package let motion: Int
  package let key: Int

  package init(motion: Int, key: Int) { (self.motion, self.key) = (motion, key) }
}

/// Edits of keys by their numbers, regardless of the playhead.
package struct KeyEdit {
  private let playhead: Playhead
  private let property: SceneRecord.Property
  /// The element and its ancestors, innermost first.
  private let elements: [SceneRecord.Element]
  /// The size that percentages of each component refer to, in pixels.
  package var wholes: [Double?] = []
  /// The duration of a beat in ticks.
  package var beat: Double?
  /// The maximum rounding error, in the unit of the value; `nil` for the default.
  package var tolerance: Double?

  package init(
    _ property: SceneRecord.Property, of elements: [SceneRecord.Element], at playhead: Playhead
  ) {
    (self.property, self.elements, self.playhead) = (property, elements, playhead)
  }

  private func motion(_ index: Int) throws(Refused) -> SceneRecord.Motion {
    guard property.motions.indices.contains(index) else {
      throw Refused("'\(property.property.name)' has no motion \(index + 1)")
    }
    return property.motions[index]
  }

  // MARK: Values

  /// Returns the replacements that change the value of a key by `shift`.
  package func shifted(
    _ number: KeyNumber, by shift: [Double]
  ) throws(Refused) -> [TextEdit.Piece] {
    guard shift.contains(where: { $0 != 0 }) else { return [] }
    var edit = ValueEdit(property, of: elements, by: shift)
    edit.wholes = wholes
    edit.tolerance = tolerance
    edit.key = ValueEdit.Key(span: try motion(number.motion).span, index: number.key)
    return try edit.edit(at: playhead).pieces
  }

  // MARK: Times

  /// Returns the replacements that move keys by a number of ticks. Values of a tween after the last
  /// moved key keep their times.
  package func delayed(
    _ numbers: Set<KeyNumber>, by ticks: Double
  ) throws(Refused) -> [TextEdit.Piece] {
    guard ticks != 0 else { return [] }
    var pieces: [TextEdit.Piece] = []
    for number in numbers.sorted(by: { ($0.motion, $0.key) < ($1.motion, $1.key) }) {
      let motion = try motion(number.motion)
      let isTween = motion.steps.first?.start != nil
      if !isTween {
        guard motion.steps.indices.contains(number.key),
          case let step = motion.steps[number.key], let time = step.time
        else { throw Finder.looped }
        pieces.append(try later(time, lasting: step.to - motion.origin, by: ticks))
        continue
      }
      guard number.key > 0, motion.steps.indices.contains(number.key - 1) else {
        throw Refused("the motion starts with its element, or after the previous motion")
      }
      if !numbers.contains(KeyNumber(motion: number.motion, key: number.key - 1)) {
        pieces.append(try longer(motion.steps[number.key - 1], by: ticks))
      }
      let isLast = number.key == motion.steps.count
      if !isLast, !numbers.contains(KeyNumber(motion: number.motion, key: number.key + 1)) {
        pieces.append(try longer(motion.steps[number.key], by: -ticks))
      }
    }
    return pieces
  }

  private func longer(
    _ step: SceneRecord.Motion.Step, by ticks: Double
  ) throws(Refused) -> TextEdit.Piece {
    guard let over = step.clauses.first(where: { $0.word.text == "over" })?.value.span else {
      throw Refused("the duration of the motion has no 'over'; edit it in the source")
    }
    return try later(over, lasting: step.to - step.from, by: ticks)
  }

  /// Returns the replacement of a duration literal, lengthened by some ticks. Its unit is kept.
  private func later(
    _ span: SourceSpan, lasting: Double, by ticks: Double
  ) throws(Refused) -> TextEdit.Piece {
    let own = playhead.files[span.file]?.source.span(span.start, span.end)
    guard let tree = playhead.files[span.file]?.tree, let own,
      let literal = tree.literals(in: own).first, literal.span == own,
      case .number(let old) = literal.value, let unit = literal.unit,
      let each = old == 0 ? length(of: unit) : lasting / old, each != 0
    else {
      let text = own.flatMap { playhead.files[span.file]?.source.text($0) } ?? ""
      throw Refused("the time is computed by '\(text.prefix(40))'; edit it in the source")
    }
    var new = old + ticks / each
    // Frames stay whole, and so do beats.
    let isNear = abs(new - new.rounded()) < 1e-3
    if unit == .f && old == old.rounded() || unit == .beat && isNear { new = new.rounded() }
    guard let text = literal.text(of: .number(new)) else {
      throw Refused("'\(literal.text)' cannot be set to this value")
    }
    return TextEdit.Piece(span: span, text: text)
  }

  private func length(of unit: NumberUnit) -> Double? {
    let second = Double(Ticks.perSecond)
    return switch unit {
    case .s: second
    case .ms: second / 1000
    case .min: second * 60
    case .f: playhead.rate.frameTicks
    case .beat: beat
    default: nil
    }
  }

  // MARK: Easings and removal

  /// Returns the replacement of a step's easing by an easing in source syntax.
  package func eased(
    motion index: Int, step: Int, _ easing: String
  ) throws(Refused) -> [TextEdit.Piece] {
    let motion = try motion(index)
    guard motion.steps.indices.contains(step), motion.steps[step].from < motion.steps[step].to
    else {
      throw Refused("'\(property.property.name)' has no motion there")
    }
    let it = motion.steps[step]
    guard motion.steps.count(where: { $0.value == it.value }) == 1 else { throw Finder.looped }
    guard playhead.files[it.value.file] != nil else {
      throw Refused("'\(property.property.name)' is set in a file that cannot be changed")
    }
    return [Finder.easing(easing, it.clauses, after: it.value)]
  }

  /// Returns the replacements that remove keys.
  package func removed(_ numbers: Set<KeyNumber>) throws(Refused) -> [TextEdit.Piece] {
    let finder = Finder(
      playhead: playhead, edit: ValueEdit(property, of: elements, by: []), component: 0)
    var pieces: [TextEdit.Piece] = []
    for (index, own) in Dictionary(grouping: numbers, by: \.motion) {
      let motion = try motion(index)
      guard let (value, file) = finder.expression(at: motion.span),
        case .keyframes(let items) = value.kind
      else { throw Refused("only the keys of 'keyframes' can be deleted") }
      pieces += try finder.removal(
        of: own.map(\.key).sorted(), items, value, in: file, steps: motion.steps)
    }
    return pieces
  }
}
