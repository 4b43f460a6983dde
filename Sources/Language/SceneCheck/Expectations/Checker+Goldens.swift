// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// The names of the golden frames of a scene, which are also their file names. Numbers make them
/// unique.
struct GoldenNames {
  private var numbers: [String: [Ticks: Int]] = [:]

  /// Returns the name of a golden frame: the requested name, with a number if it already denotes
  /// another time.
  mutating func name(_ wanted: String, at time: Ticks) -> String {
    let next = (numbers[wanted]?.count ?? 0) + 1
    let number = numbers[wanted]?[time] ?? next
    numbers[wanted, default: [:]][time] = number
    return number == 1 ? wanted : "\(wanted)~\(number)"
  }
}

// The golden frames of expectations.
extension Checker {
  /// Returns the golden frames of an expectation. Their names follow the written times, so that a
  /// change of a duration does not rename files.
  func goldens(of i: ElementNode, in model: SceneModel, names: inout GoldenNames)
    -> [ExpectationModel.Golden]
  {
    guard let source = i.properties[.golden] else { return [] }
    let context = context(of: i, now: now, hasSteps: false).with {
      $0.scope = source.scope
      $0.constantFor = "'golden'"
      $0.timeBase = i.parent ?? i
    }
    var goldens: [ExpectationModel.Golden] = []
    func add(_ value: Value, at span: SourceSpan, as name: String) {
      let value = markerTime(value, in: context, at: span)
      guard let ticks = asConstantTime(value, span).flatMap({ Ticks(rounding: $0) }),
        let base = start(of: i.parent ?? i, span)
      else { return }
      let time = base + ticks
      guard time >= .zero, time <= model.duration else {
        _ = report(
          .outOfRange, "the golden frame at \(time.description) is outside the scene", at: span,
          label: "the scene ends at \(model.duration.description)")
        return
      }
      goldens.append(
        ExpectationModel.Golden(name: names.name(name, at: time), time: time, span: span))
    }
    if case .list(let items) = source.value.kind {
      for item in items {
        add(releasing { evaluate(item, context) }, at: item.span, as: fileName(text(at: item.span)))
      }
      return goldens
    }
    let value = releasing { evaluate(source.value, context) }
    let name = fileName(text(at: source.value.span))
    if case .list(let values) = value {
      for item in values { add(item, at: source.value.span, as: name) }
    } else {
      add(value, at: source.value.span, as: name)
    }
    return goldens
  }

  /// Returns the name of a file for an expression: its text without spaces, as in `x.start+8s`,
  /// with an index as a member, as in `boxes.0.end`. Other characters become `_`, which is not an
  /// operator.
  private func fileName(_ text: String) -> String {
    var name = ""
    for character in text where !character.isWhitespace && character != "]" {
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || ".-+_".contains(character) {
        name.append(character)
      } else if character == "[" {
        name.append(".")
      } else if name.last != "_" {
        name.append("_")
      }
    }
    let trimmed = name.drop { ".-+_".contains($0) }
    return trimmed.lastIndex { !".-+_".contains($0) }.map { String(trimmed[...$0].prefix(60)) }
      ?? "frame"
  }
}
