// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Texts with `syntax`: highlighted source code.
extension Checker {
  /// The maximum size of highlighted code, in bytes.
  private static let longestCode = 10_000

  /// Divides code into highlighted pieces. `reader` names the function or the property in errors.
  func codePieces(
    of source: String, in name: String, for reader: String, at span: SourceSpan
  ) throws(Reported) -> [CodePiece] {
    guard let language = CodeLanguage.named(name) else {
      throw report(
        Diagnostic(
          .unknownWord, "unknown language '\(name)' for '\(reader)'", at: span,
          label: nearest(name, in: CodeLanguage.names).map { "did you mean \"\($0)\"?" } ?? "",
          notes: [Note(help: "use one of \(CodeLanguage.names.joined(separator: ", "))")]))
    }
    let size = source.utf8.count
    guard size <= Checker.longestCode else {
      throw report(
        Diagnostic(
          .limitExceeded, "the text of '\(reader)' has \(size) bytes", at: span,
          label: "the limit is \(Checker.longestCode) bytes",
          notes: [Note(help: "pass only the part to show")]))
    }
    guard spend(10 + size * 40, span) else { throw reports.expected(span) }
    do throws(AssetError) {
      return try assets.pieces(of: source, in: language)
    } catch {
      if case .undecodable(let why) = error {
        throw report(
          Diagnostic(.limitExceeded, "'\(reader)' cannot highlight this text: \(why)", at: span))
      }
      throw report(
        Diagnostic(
          .fileNotFound, "the language definition of '\(language.name)' is not installed", at: span,
          notes: [Note(help: "install the Debian package 'libsource-highlight-common'")]))
    }
  }

  /// Returns the programming language of a text and its source span; `nil` for elements without a
  /// valid `syntax`.
  private func syntax(of i: ElementNode) -> (name: String, span: SourceSpan)? {
    guard i.kind == .text, let (value, span) = value(.syntax, of: i, now: now),
      let name = asConstantText(value, span)
    else { return nil }
    return (name, span)
  }

  /// Returns highlighted code, or `nil` after an error.
  func code(_ text: String, of i: ElementNode) -> CodeText? {
    guard let syntax = syntax(of: i) else { return nil }
    let key = CodePiece(syntax.name + "\n" + text, .plain)
    if let known = codeTexts[key] { return known }
    let source = text.replacing("\t", with: "    ")
    guard
      let pieces = try? codePieces(of: source, in: syntax.name, for: "syntax", at: syntax.span)
    else { return nil }
    let code = CodeText(pieces)
    // Pango searches the text from its start for each run of each line.
    guard spend(code.lines.count * code.runs.count * source.utf8.count / 1000, syntax.span) else {
      return nil
    }
    codeTexts[key] = code
    return code
  }

  /// Returns the content of a text with `syntax`, or `nil` for other texts.
  private func codeContent(of i: ElementNode, now: Scalar) -> (TextExpression, SourceSpan)? {
    guard i.kind == .text, i.properties[.syntax] != nil else { return nil }
    if let other = i.children.first(where: { $0.kind == .span }) {
      _ = report(
        .propertyElsewhere, "a text with 'syntax' cannot contain spans", at: other.span,
        label: "the language determines the colors",
        help: "use 'code-spans' for your own spans")
      return nil
    }
    guard let (value, span) = value(.content, of: i, now: now), let text = asText(value, span)
    else { return nil }
    return (withoutParts(text), span)
  }

  /// Returns a text in which constant interpolated values are part of literals.
  private func withoutParts(_ text: TextExpression) -> TextExpression {
    switch text {
    case .choose(let condition, let a, let b):
      return .choose(condition, withoutParts(a), withoutParts(b))
    case .typed(let from, let to, let share):
      return .typed(from: withoutParts(from), to: withoutParts(to), share)
    case .literal: return text
    case .join, .number: return constantText(.text(text)).map(TextExpression.literal) ?? text
    }
  }

  /// Returns the code of a text that does not change; `nil` for other elements.
  func constantCode(of i: ElementNode, now: Scalar) -> CodeText? {
    guard let (content, _) = codeContent(of: i, now: now), case .literal(let text) = content else {
      return nil
    }
    return text.isEmpty ? nil : code(text, of: i)
  }

  /// Returns the content of a text with `syntax` that changes; `nil` for other elements and after
  /// an error.
  func changingCode(of i: ElementNode, now: Scalar) -> TextExpression? {
    guard let (content, span) = codeContent(of: i, now: now) else { return nil }
    if case .literal = content { return nil }
    guard content.versions != nil else {
      let (place, isOfChange) = runningPart(of: i, now: now) ?? (span: span, isOfChange: false)
      let change = isOfChange ? "write a constant text in the" : "set the whole text in a"
      _ = report(
        .notConstant, "a part of a text with 'syntax' cannot change over time", at: place,
        help: "\(change) 'change', or show a running value in a separate text")
      return nil
    }
    return content
  }

  /// Returns the span of the interpolated value that changes continuously in code, or of the whole
  /// text that contains it, and whether it is in a `change`. Returns `nil` if there is none.
  private func runningPart(of i: ElementNode, now: Scalar)
    -> (span: SourceSpan, isOfChange: Bool)?
  {
    for owner in [i] + (i.changes[.content] ?? []) {
      guard let source = owner.properties[.content],
        case .text(let text) = evaluateProperty(source, of: owner, now: now, words: []),
        withoutParts(text).versions == nil
      else { continue }
      var place = source.value.span
      if source.made == nil, case .text(let parts) = source.value.kind {
        let c = context(of: owner, now: now).with { $0.scope = source.scope }
        for case .value(let part) in parts where !evaluate(part, c).isConstant {
          place = part.span
          break
        }
      }
      return (place, owner !== i)
    }
    return nil
  }

  /// Returns the number of lines of a text, or `nil` after an error.
  func lineCount(of text: TextExpression, _ span: SourceSpan) -> Scalar? {
    switch text {
    case .literal(let text):
      return .constant(Double(text.count { $0 == "\n" } + 1))
    case .choose(let condition, let a, let b):
      guard let x = lineCount(of: a, span), let y = lineCount(of: b, span) else { return nil }
      return builder.select(if: condition, then: x, else: y)
    case .typed(let from, let to, let share):
      guard let x = lineCount(of: from, span), let y = lineCount(of: to, span) else { return nil }
      return builder.mix(x, y, at: share)
    case .join, .number:
      _ = report(.notConstant, "a part of the text cannot change over time", at: span)
      return nil
    }
  }

  // MARK: Colors

  /// The colors of code on a dark and on a light background, which are those of `std/themes.scene`.
  private static let defaultColors: [CodeKind: (onDark: String, onLight: String)] = [
    .plain: ("e6edf3", "1f2430"), .keyword: ("ff7eb6", "b3226e"), .type: ("5ed3c3", "0b6f6a"),
    .function: ("79b8ff", "1d5fbf"), .string: ("f2c97d", "8a5a00"),
    .number: ("c3a6ff", "6b3fc4"), .comment: ("8b9ab0", "667085"),
    .symbol: ("b6c2d4", "4b5563"), .variable: ("ffb27a", "a8430a"), .meta: ("d3a8f5", "7a3e9d"),
  ]

  /// Returns the colors of a record by the kinds of code tokens.
  func asCodeColors(_ value: Value, _ span: SourceSpan) -> [CodeKind: ColorModel] {
    guard case .record(let fields) = value else {
      if case .none = value { return [:] }
      mismatch(
        "a record of colors", value, at: span,
        help: "write the colors by their kinds, such as (keyword: orange, string: teal)")
      return [:]
    }
    var colors: [CodeKind: ColorModel] = [:]
    for (name, value) in fields {
      guard let kind = CodeKind(rawValue: name) else {
        let known = CodeKind.allCases.map(\.rawValue)
        report(
          Diagnostic(
            .unknownMember, "unknown kind of token '\(name)'", at: span,
            notes: [Note("the kinds are \(known.joined(separator: ", "))")]))
        continue
      }
      colors[kind] = asColor(value, span)
    }
    return colors
  }

  /// Returns the colors of a text with `syntax`.
  func codeColors(of i: ElementNode) -> [CodeKind: ColorModel] {
    var isOnDark = true
    if case .color(let ink) = ink(for: i, now: now), let red = ink.red.constantValue {
      isOnDark = red > 0.5
    }
    var colors = Checker.defaultColors.compactMapValues { pair in
      Color(hexDigits: isOnDark ? pair.onDark : pair.onLight).map { ColorModel($0) }
    }
    if let (value, _) = value(.fill, of: i, now: now), case .color(let fill) = value {
      colors[.plain] = fill
    }
    if let (value, span) = value(.syntaxColors, of: i, now: now) {
      colors.merge(asCodeColors(value, span)) { $1 }
    }
    return colors
  }

  func codePaints(_ code: CodeText, of i: ElementNode) -> [TextPaintModel] {
    let colors = codeColors(of: i)
    return code.pieces.map { codePaint(colors[$0.kind], of: i) }
  }

  func codePaint(_ color: ColorModel?, of i: ElementNode) -> TextPaintModel {
    TextPaintModel(fill: color.map { .color($0) }, stroke: nil, strokeIsFirst: strokeIsFirst(i))
  }

  /// Returns a run with another text.
  func run(_ text: String, like run: TextModel.Run) -> TextModel.Run {
    var it = run
    it.text = .literal(text)
    return it
  }
}

extension TextExpression {
  /// The constant texts that the expression shows in turn; `nil` if it has other parts.
  var versions: [String]? {
    switch self {
    case .literal(let text): return [text]
    case .choose(_, let late, let early): return TextExpression.joined(early, late)
    case .typed(let from, let to, _): return TextExpression.joined(from, to)
    case .join, .number: return nil
    }
  }

  private static func joined(_ a: TextExpression, _ b: TextExpression) -> [String]? {
    guard let first = a.versions, let second = b.versions else { return nil }
    return first + (first.last == second.first ? Array(second.dropFirst()) : second)
  }
}
