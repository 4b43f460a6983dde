// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Unknown names. Suggestions are restricted to names that fit the place.
extension Typer {
  func unknown(_ name: String, at span: SourceSpan, in scope: Scope, expecting expected: Expected)
    -> Type
  {
    if isReporting(at: span), !mayBeMissing(in: span.file) {
      report(unknownName(name, at: span, in: scope, expecting: expected))
    }
    return .error
  }

  private func unknownName(
    _ name: String, at span: SourceSpan, in scope: Scope, expecting expected: Expected
  ) -> Diagnostic {
    var diagnostic = Diagnostic(.unknownName, "unknown name '\(name)'", at: span)
    let (wanted, words) = (expected.wanted, expected.words)
    if name == "scene" {
      return Diagnostic(
        .typeMismatch, "'scene' is the enclosing scene, not a value", at: span,
        notes: [Note("its values are scene.width, scene.height, scene.size and scene.aspect")])
    }
    let isInPixels = scope.lookup("uv") != nil && scope.lookup("pixel") != nil
    if isInPixels, name == PixelWord.source || PixelWord.clips.contains(name) {
      return Diagnostic(.typeMismatch, "'\(name)' is a layer, not a color", at: span)
        .advising("sample it at a point: sample(\(name), xy)")
    }
    if wanted == .property(.word(["none"])) {
      return Diagnostic(.unknownWord, "expected none, found '\(name)'", at: span)
        .advising("write audio settings as a block: audio { codec: \(name) }")
    }
    if let note = Typer.otherElement[name] { return diagnostic.advising(note) }
    if wanted == .property(.size), let note = Typer.advice(onSize: name, of: expected.kind) {
      return diagnostic.advising(note)
    }
    if wanted == .property(.shift) { return unknownWord(name, at: span, among: ["super", "sub"]) }
    if wanted == .property(.perspective) || wanted == .property(.opticalSize) {
      return unknownWord(name, at: span, among: ["auto", "none"])
    }
    if wanted == .property(.fonts) { return unknownFont(name, at: span, among: words) }
    if let known = importing(name, nil, for: diagnostic) { return known }
    if let value = sameValue(name, wanted) { return diagnostic.suggesting(value, isSafe: true) }
    // Where a position is expected, element names are more likely than corners.
    let isPlace = words.contains("top-left")
    if words.count > 1, words.count < 60, !isPlace {
      return unknownWord(name, at: span, among: words)
    }
    if isPlace, let meant = ForeignWords.sameWord[name], words.contains(meant) {
      return diagnostic.suggesting(meant, isSafe: ForeignWords.exactWords.contains(name))
    }
    if isPlace, Typer.cssPositions.contains(name) {
      return diagnostic.advising(
        "write a position as a point in the containing box, such as (100, 50)")
    }
    if let path = pathToHidden(name, in: scope) { return diagnostic.merging(path) }
    if name.contains("-"), let fix = subtraction(name, in: scope) {
      diagnostic.notes = [Note("'-' before a letter is part of the name")]
      return diagnostic.suggesting(fix)
    }
    if signatures[Identifier(name)] != nil {
      return diagnostic.advising("call the function: \(name)(…)")
    }
    if let time = Typer.sameTime[name] { return diagnostic.advising(time) }
    if let advice = ownProperty(name, in: scope) {
      return diagnostic.noting("'\(name)' is a property, not a value").advising(advice)
    }
    let near = nearestFitting(name, in: scope, expected)
    if wanted == .property(.text), near == nil {
      return diagnostic.fixing(
        "write a text in quotes: \"\(name)\"", replacing: span, with: "\"\(name)\"", isSafe: false)
    }
    guard let near else {
      guard Property.named(name) != nil else { return diagnostic }
      return diagnostic.noting("'\(name)' is a property, not a value")
        .advising("write a value, or the name of a 'let'")
    }
    return diagnostic.suggesting(near.name, isSafe: near.isSlip)
  }

  /// Returns advice about a name that is a property of the element with the expression; `nil` for
  /// other names.
  private func ownProperty(_ name: String, in scope: Scope) -> String? {
    let owner = sequence(first: scope, next: \.parent).first { $0.owner != nil }?.owner
    for case .property(let it) in owner?.items ?? [] where it.name.text == name {
      let value = text(at: it.value.span)
      if value == name {
        let isBool = Property.named(name)?.declaration.uses.contains { $0.type == .bool } ?? false
        return isBool ? "write 'true' or 'false'" : "write a value, or the name of a 'let'"
      }
      guard value.count <= 40, !value.contains(where: \.isNewline) else {
        return "name the value with 'let', and write the name for both properties"
      }
      return "write \(value) again, or name the value: let shared = \(value)"
    }
    return nil
  }

  private func unknownWord(_ name: String, at span: SourceSpan, among words: Set<String>)
    -> Diagnostic
  {
    let list = words.sorted().joined(separator: ", ")
    let meant = ForeignWords.word(name, among: words)
    if let function = signatures[Identifier(name)], function.result == .easing,
      words.contains("linear")
    {
      let isPlain = function.parameters.allSatisfy(\.isOptional)
      return Diagnostic(.unknownWord, "'\(name)' is a function that returns an easing", at: span)
        .advising("write \(name)(…)\(isPlain ? " or \(name)()" : "")")
    }
    if words.contains(VideoCodec.h264.rawValue), let file = FileFormat(path: ".\(name)"),
      !file.codecs.isEmpty
    {
      let codecs = file.codecs.map(\.rawValue).filter(words.contains).joined(separator: ", ")
      return Diagnostic(
        .unknownWord, "'\(name)' is a file format, not a codec", at: span,
        notes: codecs.isEmpty ? [] : [Note("the codecs of \(name) files are \(codecs)")]
      ).advising("remove 'codec', and name the file with -o film.\(name)")
    }
    let notes = words.count <= 24 ? [Note("expected one of \(list)")] : []
    let diagnostic = Diagnostic(.unknownWord, "unknown value '\(name)'", at: span, notes: notes)
    let isAligned = words.contains("stretch") && !words.contains("space-between")
    let isSide = isAligned && ["left", "right", "top", "bottom"].contains(name)
    if meant == nil, isSide {
      return diagnostic.advising("use 'justify' to distribute the children along a row or column")
    }
    if meant == nil, let advice = ForeignWords.advice(onSide: name, among: words) {
      return diagnostic.advising(advice)
    }
    return meant.map { diagnostic.suggesting($0, isSafe: ForeignWords.isExact(word: name)) }
      ?? diagnostic.suggesting(nearestTo: name, in: words)
  }

  /// Returns the error for a font name without quotes.
  private func unknownFont(_ name: String, at span: SourceSpan, among words: Set<String>)
    -> Diagnostic
  {
    if let near = nearest(name, in: words), !hasFamily(name) {
      return unknownWord(name, at: span, among: words).suggesting(near)
    }
    return Diagnostic(
      .unknownWord, "a font name must be in quotes", at: span,
      label: "expected quotes, or one of \(words.sorted().joined(separator: ", "))"
    ).fixing("write \"\(name)\"", replacing: span, with: "\"\(name)\"")
  }

  /// Returns the equivalent of a foreign word for a value, or `nil`.
  private func sameValue(_ name: String, _ wanted: Wanted) -> String? {
    switch name.lowercased() {
    case "yes", "on", "true": wanted == .property(.bool) || wanted == .condition ? "true" : nil
    case "no", "off", "false": wanted == .property(.bool) || wanted == .condition ? "false" : nil
    case "null", "nil", "undefined":
      if case .property(let type) = wanted, Type.none.read(as: type) == .never {
        nil
      } else {
        "none"
      }
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

  /// Returns advice about a foreign word for a size of an element, or `nil`.
  private static func advice(onSize name: String, of kind: ElementKind?) -> String? {
    let natural: Set<ElementKind> = [.image, .video, .svg, .row, .column, .grid]
    if name == "auto", let kind, !natural.contains(kind) {
      return "write a size such as 300x200, or 100% for the size of the parent"
    }
    return otherSizes[name]
  }

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

  /// Returns `a - b` for an unknown `a-b` if both parts are known; otherwise, `nil`.
  private func subtraction(_ name: String, in scope: Scope) -> String? {
    let known = Set(scope.visibleNames + ElementWord.allCases.map(\.rawValue))
    for index in name.indices where name[index] == "-" {
      let left = String(name[..<index])
      let right = String(name[name.index(after: index)...])
      if known.contains(left), known.contains(right) { return "\(left) - \(right)" }
    }
    return nil
  }

  // MARK: Names inside other elements

  /// Returns a suggestion for the name of an element that is declared inside another element: its
  /// path, such as `unit.dot`, or a note if an element on the path has no name. Returns `nil` if
  /// there is none.
  private func pathToHidden(_ name: String, in scope: Scope) -> Suggestion? {
    var budget = 2000
    for scope in sequence(first: scope, next: \.parent) {
      for (outer, binding) in scope.names.sorted(by: { $0.key.text < $1.key.text }) {
        guard case .element(let element) = binding, let index = element.body,
          bodies[index].definition == nil, let syntax = bodies[index].syntax
        else { continue }
        if let path = path(to: name, in: syntax.items, &budget) {
          return path.isNamed
            ? .name("\(outer.text).\(path.text)")
            : .note("name the element of '\(outer.text)' that contains '\(name)' as well")
        }
      }
      guard let owner = scope.owner, path(to: name, in: owner.items, &budget) != nil else {
        continue
      }
      return .note("name the element that contains '\(name)': group g { … } g.\(name)")
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

  /// Returns the most similar known name whose type fits the place, or `nil`.
  private func nearestFitting(_ name: String, in scope: Scope, _ expected: Expected)
    -> (name: String, isSlip: Bool)?
  {
    var candidates = Set(
      scope.visibleNames + ElementWord.allCases.map(\.rawValue) + ["ink"]
        + Array(Color.named.keys) + Array(Words.easings) + Array(expected.words))
    for _ in 0..<8 {
      guard let near = nearest(name, in: candidates) else { return nil }
      if expected.words.contains(near) || fits(near, in: scope, wanted: expected.wanted) {
        return (near, isSlip(name, of: near, among: candidates))
      }
      candidates.remove(near)
    }
    return nil
  }

  private func fits(_ name: String, in scope: Scope, wanted: Wanted) -> Bool {
    switch scope.lookup(Identifier(name)) {
    case nil:
      if Words.easings.contains(name) { return wanted == .any || wanted == .property(.easing) }
      switch ElementWord(rawValue: name) {
      case .progress: return wanted.fits(.number)
      case .t, .start, .end, .duration, .sceneTime: return wanted.fits(.time)
      case nil: return wanted.fits(.color)
      }
    case .element(let it): return wanted.fits(.element(it))
    case .elements(let it): return wanted.fits(.list(.element(it), items: nil))
    case .value(let it): return wanted == .any || wanted.fits(it.type)
    case .function, .functionParameter, .definition, .scene, .file, .error: return wanted == .any
    }
  }
}

/// A suggestion for an unknown name: a replacement or advice.
private enum Suggestion {
  case name(String)
  case note(String)
}

extension Diagnostic {
  fileprivate func merging(_ suggestion: Suggestion) -> Diagnostic {
    switch suggestion {
    case .name(let name): suggesting(name)
    case .note(let text): advising(text)
    }
  }
}
