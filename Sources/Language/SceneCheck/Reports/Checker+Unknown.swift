// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The expected kind of an expression, as far as its position determines it.
enum Wanted: Hashable {
  /// No expectation.
  case any
  case property(PropertyType)
  /// An operand of `+ - * /`.
  case operand
  /// The base of a member access, before the `.`.
  case owner
  /// An interpolated value in a text.
  case text
  case condition
}

// Unknown names. Suggestions are restricted to names that fit the position.
extension Checker {
  func unknown(_ name: String, _ span: SourceSpan, _ c: Context, _ words: Set<String>) -> Value {
    guard reports.isNew(span) else { return poison(span) }
    report(unknownName(name, span, c, words))
    return poison(span)
  }

  private func unknownName(
    _ name: String, _ span: SourceSpan, _ c: Context, _ words: Set<String>
  ) -> Diagnostic {
    var diagnostic = Diagnostic(.unknownName, "unknown name '\(name)'", at: span)
    if name == "scene" {
      return Diagnostic(
        .typeMismatch, "'scene' is the enclosing scene, not a value", at: span,
        notes: [Note("its values are scene.width, scene.height, scene.size and scene.aspect")])
    }
    if c.wanted == .property(.word(["none"])) {
      return Diagnostic(.unknownWord, "expected none, found '\(name)'", at: span)
        .advising("write audio settings as a block: audio { codec: \(name) }")
    }
    if let note = Checker.otherElement[name] { return diagnostic.advising(note) }
    if c.wanted == .property(.size), let note = Checker.otherSizes[name] {
      return diagnostic.advising(note)
    }
    if c.wanted == .property(.shift) { return unknownWord(name, span, ["super", "sub"]) }
    if c.wanted == .property(.fonts) { return unknownFont(name, span, words) }
    if let known = importing(name, nil, diagnostic) { return known }
    if let value = sameValue(name, c.wanted) { return diagnostic.suggesting(value, isSafe: true) }
    // Where a position is expected, element names are more likely than corners.
    let isPlace = words.contains("top-left")
    if words.count > 1, words.count < 60, !isPlace { return unknownWord(name, span, words) }
    if isPlace, let meant = Checker.sameWord[name], words.contains(meant) {
      return diagnostic.suggesting(meant, isSafe: Checker.exactWords.contains(name))
    }
    if isPlace, Checker.cssPositions.contains(name) {
      return diagnostic.advising(
        "write a position as a point in the containing box, such as (100, 50)")
    }
    if let path = pathToHidden(name, c) { return diagnostic.merging(path, at: span) }
    if name.contains("-"), let mend = subtraction(name, c) {
      diagnostic.notes = [Note("'-' before a letter is part of the name")]
      return diagnostic.suggesting(mend)
    }
    if BuiltIn.all[name] != nil {
      return diagnostic.advising("call the function: \(name)(…)")
    }
    if let time = Checker.sameTime[name] { return diagnostic.advising(time) }
    guard let near = nearestFitting(name, in: c, words: words) else { return diagnostic }
    return diagnostic.suggesting(near.name, isSafe: near.isSlip)
  }

  private func unknownWord(_ name: String, _ span: SourceSpan, _ words: Set<String>) -> Diagnostic {
    let list = words.sorted().joined(separator: ", ")
    let meant = Checker.sameWord[name] ?? name
    let isSame = words.contains(meant)
    if let function = BuiltIn.all[name], function.result == .easing, words.contains("linear") {
      return Diagnostic(.unknownWord, "'\(name)' is a function that returns an easing", at: span)
        .advising(
          "write \(name)(…)\(function.parameters.allSatisfy(\.isOptional) ? " or \(name)()" : "")")
    }
    let notes = words.count <= 24 ? [Note("expected one of \(list)")] : []
    let diagnostic = Diagnostic(.unknownWord, "unknown value '\(name)'", at: span, notes: notes)
    return isSame
      ? diagnostic.suggesting(meant, isSafe: Checker.exactWords.contains(name))
      : diagnostic.suggesting(nearestTo: name, in: words)
  }

  /// Reports a font name without quotes.
  private func unknownFont(_ name: String, _ span: SourceSpan, _ words: Set<String>) -> Diagnostic {
    if let near = nearest(name, in: words), !metrics.hasFamily(name) {
      return unknownWord(name, span, words).suggesting(near)
    }
    return Diagnostic(
      .unknownWord, "a font name must be in quotes", at: span,
      label: "expected quotes, or one of \(words.sorted().joined(separator: ", "))"
    ).fixing("write \"\(name)\"", span, "\"\(name)\"")
  }

  /// Returns the equivalent of a foreign word for a value, or `nil`.
  private func sameValue(_ name: String, _ wanted: Wanted) -> String? {
    switch name.lowercased() {
    case "yes", "on", "true": wanted == .property(.bool) || wanted == .condition ? "true" : nil
    case "no", "off", "false": wanted == .property(.bool) || wanted == .condition ? "false" : nil
    case "null", "nil", "undefined": "none"
    default: nil
    }
  }

  /// Foreign words for the current element and its parent.
  private static let otherElement: [String: String] = {
    let own = "name the element and use its name: rect r { size: (200, r.box.width / 2) }"
    return [
      "parent": "use a percentage for the containing box, or 'scene.width' for the scene",
      "self": own, "this": own,
    ]
  }()

  /// Foreign words for sizes.
  private static let otherSizes: [String: String] = {
    let fit = { (word: String) in "use '\(word)' as a value of 'fit': size: 100%; fit: \(word)" }
    let leave = "remove 'size' for the natural size of the element"
    return [
      "cover": fit("cover"), "contain": fit("contain"), "fill": fit("fill"), "auto": leave,
      "full": "write size: 100%", "stretch": fit("fill"), "fit-content": "write size: fit",
    ]
  }()

  private static let cssPositions: Set<String> = [
    "absolute", "relative", "fixed", "static", "sticky", "auto", "initial", "inherit",
  ]

  /// Foreign words for the time.
  private static let sameTime: [String: String] = {
    let note = "use 't' for the time since the start of the element, or 'scene-time'"
    let share = "use 'progress', which goes from 0 to 1 during the lifetime of the element"
    return [
      "now": note, "time": note, "frame": "write t / 1f for the frame number", "clock": note,
      "elapsed": note, "percent": share, "p": share,
    ]
  }()

  /// Returns `a - b` for an unknown `a-b` if both parts are known.
  private func subtraction(_ name: String, _ c: Context) -> String? {
    let known = Set(c.scope.visibleNames + ElementWord.allCases.map(\.rawValue))
    for index in name.indices where name[index] == "-" {
      let left = String(name[..<index])
      let right = String(name[name.index(after: index)...])
      if known.contains(left), known.contains(right) { return "\(left) - \(right)" }
    }
    return nil
  }

  // MARK: Names inside other elements

  /// Returns the path to an element that is not visible from here, such as `unit.dot`.
  private func pathToHidden(_ name: String, _ c: Context) -> Suggestion? {
    var budget = 2000
    for scope in sequence(first: c.scope, next: \.parent) {
      for (outer, binding) in scope.bindings.sorted(by: { $0.name.text < $1.name.text }) {
        guard case .element(let instance) = binding, instance.definition == nil else { continue }
        if let path = path(to: name, in: instance.syntax.items, &budget) {
          return path.isNamed
            ? .name("\(outer.text).\(path.text)")
            : .note(
              "name the element of '\(outer.text)' that contains '\(name)' as well"
            )
        }
      }
      guard let owner = scope.owner, owner.definition == nil,
        path(to: name, in: owner.syntax.items, &budget) != nil
      else { continue }
      return .note(
        "name the element that contains '\(name)': group g { … } g.\(name)")
    }
    return nil
  }

  private func path(to name: String, in items: [Item], _ budget: inout Int)
    -> (text: String, isNamed: Bool)?
  {
    for case .element(let it) in items {
      budget -= 1
      guard budget > 0 else { return nil }
      if it.name?.text == name { return (name, true) }
      if let inner = path(to: name, in: it.items, &budget) {
        guard let own = it.name?.text, inner.isNamed else { return (inner.text, false) }
        return ("\(own).\(inner.text)", true)
      }
    }
    return nil
  }

  // MARK: Candidates

  /// Returns the most similar known name whose value fits the position, or `nil`.
  private func nearestFitting(_ name: String, in c: Context, words: Set<String>)
    -> (name: String, isSlip: Bool)?
  {
    var candidates = Set(
      c.scope.visibleNames + ElementWord.allCases.map(\.rawValue) + ["ink"]
        + Array(Color.named.keys)
        + Array(Easing.named.keys) + Array(words))
    for _ in 0..<8 {
      guard let near = nearest(name, in: candidates) else { return nil }
      if words.contains(near) || fits(near, c) {
        return (near, isSlip(name, of: near, among: candidates))
      }
      candidates.remove(near)
    }
    return nil
  }

  private func fits(_ name: String, _ c: Context) -> Bool {
    let identifier = Identifier(name)
    guard let (binding, _) = c.scope.lookup(identifier) else {
      if Easing.named[name] != nil { return c.wanted == .any || c.wanted == .property(.easing) }
      let value: Value
      switch ElementWord(rawValue: name) {
      case .progress: value = .number(0)
      case .t, .start, .end, .duration, .sceneTime: value = .quantity(.zero, .time)
      case nil: value = .color(ColorModel(.white))
      }
      return fits(value, c.wanted)
    }
    switch binding {
    case .element, .elements, .value, .expression: break
    default: return c.wanted == .any
    }
    guard c.wanted != .any else { return true }
    let (value, _) = reports.trying {
      reference(identifier, c.owner.span, c.with { $0.wanted = .any }, [])
    }
    return fits(value, c.wanted)
  }

  /// Returns whether a value fits an expectation, possibly after conversion.
  private func fits(_ value: Value, _ wanted: Wanted) -> Bool {
    switch value {
    case .poison: return false
    case .cell: return true
    case .list(let items): return items.first.map { fits($0, wanted) } ?? true
    default: break
    }
    switch wanted {
    case .any: return true
    case .owner:
      switch value {
      case .element, .record, .pair, .box: return true
      default: return false
      }
    case .operand:
      switch value {
      case .pair, .element, .gradient, .path: return true
      default: return value.isNumberLike
      }
    case .condition: if case .bool = value { return true } else { return false }
    case .text:
      switch value {
      case .text, .word, .bool: return true
      default: return value.isNumberLike
      }
    case .property(let type): return fits(value, type)
    }
  }

  private func fits(_ value: Value, _ type: PropertyType) -> Bool {
    switch (type, value) {
    case (.number, .quantity(_, let d)), (.factors, .quantity(_, let d)): return d == .none
    case (.number, .percent), (.factors, .percent), (.factors, .pair), (.angles, .pair): return true
    case (.angle, .quantity(_, let d)), (.angles, .quantity(_, let d)): return d == .angle
    case (.time, .quantity(_, let d)): return d == .time
    case (.time, .element(let it)): return it.kind == .marker
    case (.color, .color), (.paint, .color), (.paint, .gradient), (.paint, .pattern): return true
    case (.bool, .bool), (.easing, .easing), (.path, .path), (.path, .element): return true
    case (.filters, .filter), (.shadow, .shadow), (.text, .text), (.fonts, .text): return true
    case (.text, _): return value.isNumberLike
    case (.point, .pair), (.point, .element), (.ownPoint, .pair), (.ownPoint, .element),
      (.points, .pair), (.size, .pair), (.lengthPair, .pair):
      return true
    case (.lengthX, _), (.lengthY, _), (.length, _), (.fontLength, _), (.lengthPair, _),
      (.lengths, _), (.share, _), (.weight, _), (.frameRate, _):
      return lengthParts(value) != nil
    case (.number, _), (.factors, _), (.angle, _), (.angles, _), (.time, _), (.color, _),
      (.paint, _), (.bool, _), (.easing, _), (.path, _), (.filters, _), (.shadow, _), (.fonts, _),
      (.point, _), (.ownPoint, _), (.points, _), (.size, _), (.word, _), (.effects, _),
      (.transition, _):
      return false
    default: return true
    }
  }
}

/// A suggestion for an unknown name: a replacement or advice.
private enum Suggestion {
  case name(String)
  case note(String)
}

extension Diagnostic {
  fileprivate func merging(_ suggestion: Suggestion, at span: SourceSpan) -> Diagnostic {
    switch suggestion {
    case .name(let name): suggesting(name)
    case .note(let text): advising(text)
    }
  }
}
