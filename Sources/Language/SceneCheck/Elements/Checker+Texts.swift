// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

extension Checker {
  /// Returns the runs of a text: its own content, then its spans in depth-first order.
  func textRuns(of i: ElementNode) -> [ElementNode] {
    elaborate(i)
    var runs: [ElementNode] = i.properties[.content] == nil ? [] : [i]
    for child in i.children where child.kind == .span { runs += textRuns(of: child) }
    return runs
  }

  /// Returns whether the body contains loops or conditions, which may produce no spans.
  private func hasLoops(_ i: ElementNode) -> Bool {
    i.syntax.items.contains { item in
      switch item {
      case .forItem, .ifItem: true
      default: false
      }
    }
  }

  func textModel(of i: ElementNode, now: Scalar) -> TextModel? {
    if hasLoops(i), textRuns(of: i).isEmpty, i.children.allSatisfy({ $0.kind != .span }) {
      i.properties[.content] = Source(.value(.literal("")), scope: i.scope, at: i.span)
    }
    let sources = textRuns(of: i)
    if sources.isEmpty {
      if i.children.contains(where: { $0.kind == .span }) { return nil }
      // The content was reported as unknown.
      if !i.unknownProperties.isEmpty { return nil }
      report(
        Diagnostic(
          .missingProperty, "the text is empty", at: i.span,
          label: "write text \"…\", or add spans to its body"))
      return nil
    }
    var runs: [TextModel.Run] = []
    for source in sources {
      guard let run = run(of: source, now: now) else { return nil }
      runs.append(run)
    }
    if runs.count == 1, let code = constantCode(of: i, now: now) {
      runs = code.pieces.map { run($0.text, like: runs[0]) }
    }
    var width: Scalar?
    if let (value, span) = self.value(.width, of: i, now: now) {
      width = asLength(value, span, of: parentSize(i, now: now).0)
    }
    var text = TextModel(
      runs: runs, width: width, align: align(of: i), lineHeight: lineHeight(of: i, now: now))
    if let (value, span) = self.value(.fitWidth, of: i, now: now) {
      text.fitWidth = asLength(value, span, of: parentSize(i, now: now).0)
    }
    if i.properties[.maxLines] != nil {
      text.maxLines = wholeNumber(.maxLines, of: i, in: 1...1000, or: 1000)
    }
    if let (value, span) = inheritedValue(.direction, of: i, now: now) {
      let words = TextDirection.allCases.map(\.rawValue)
      text.direction = asWord(value, span, from: words).flatMap(TextDirection.init) ?? .auto
    }
    if i.properties[.wrap] != nil { text.wrap = word(.wrap, of: i) }
    text.width = wrapping(text, of: i, now: now)
    return text
  }

  /// Returns the alignment of lines. By default, code is aligned left, and the alignment of other
  /// texts follows from the anchor.
  private func align(of i: ElementNode) -> TextAlign {
    var fallback = TextAlign.center
    if i.properties[.syntax] != nil {
      fallback = .left
    } else if let (value, _) = value(.anchor, of: i, now: now), case .word(let word) = value {
      if word.hasSuffix("left") { fallback = .left }
      if word.hasSuffix("right") { fallback = .right }
    }
    guard let (value, span) = value(.align, of: i, now: now) else { return fallback }
    return asWord(value, span, from: TextAlign.allCases.map(\.rawValue)).flatMap(TextAlign.init)
      ?? fallback
  }

  func lineHeight(of i: ElementNode, now: Scalar) -> Scalar {
    let normal = Scalar.constant(1.25)
    guard let (value, span) = self.value(.lineHeight, of: i, now: now) else { return normal }
    switch value {
    case .percent(let s): return s
    // Up to 8, a number is a multiple of the font size as in CSS; above, it is a length in pixels.
    case .quantity(let s, .none):
      guard let constant = s.constantValue, constant > 8 else { return s }
      return builder.divide(s, fontSize(of: i, now: now))
    default: return asNumber(value, span) ?? normal
    }
  }

  private func run(of i: ElementNode, now: Scalar) -> TextModel.Run? {
    guard let (value, span) = self.value(.content, of: i, now: now) else { return nil }
    let text: TextExpression
    switch value {
    case .text(let it): text = it
    case .quantity, .percent:
      guard let piece = textPiece(value, span) else { return nil }
      text = piece
    default:
      guard let it = asText(value, span) else { return nil }
      text = it
    }
    // Shaping and the search for missing glyphs cost as much as hundreds of additions.
    guard isAffordable(text, span), spend(stepsOfRun(of: i), span) else { return nil }
    // A word without break opportunities is shaped again for each line.
    let word = text.longestWord
    let texts = sequence(first: i) { $0.parent }.prefix { $0.kind == .text || $0.kind == .span }
    if word > 500, texts.contains(where: { $0.properties[.width] != nil }) {
      guard spend(word * word / 20, span) else { return nil }
    }
    let count = text.greatestLength
    guard count <= Checker.longestText else {
      _ = report(
        .limitExceeded, "the text has \(count) characters", at: span,
        label: "the limit 'text' is \(Checker.longestText)")
      return nil
    }
    let size = fontSize(of: i, now: now)
    // A new font size costs as much as many texts, since fontconfig resolves its fonts again.
    if let known = size.constantValue, fontSizes.insert(known).inserted,
      !spend(Checker.stepsOfFontSize, span)
    {
      return nil
    }
    var spacing = Scalar.zero
    if let (value, span) = self.inheritedValue(.letterSpacing, of: i, now: now) {
      spacing = asLength(value, span, of: size) ?? .zero
    }
    func flag(_ value: (Value, SourceSpan)?) -> Scalar {
      value.flatMap { asBool($0.0, $0.1) } ?? .zero
    }
    func inheritedPair(_ property: Property) -> (Value, SourceSpan)? {
      inheritedValue(property, of: i, now: now)
    }
    var underline = self.value(.underline, of: i, now: now)
    if underline == nil, i.kind == .span, let parent = i.parent {
      underline = self.value(.underline, of: parent, now: now)
    }
    let families = families(of: i)
    var run = TextModel.Run(
      text: text, families: families, size: size, weight: weight(of: i, now: now),
      italic: flag(inheritedPair(.italic)), letterSpacing: spacing,
      features: features(of: i, families),
      underline: flag(underline), language: language(of: i) ?? "")
    run.rise = rise(of: i, size, now: now)
    run.axes = fontAxes(of: i, families, now: now)
    return run
  }

  /// Returns the cost of a run in steps. Spans of captions cost as much as texts if they are few,
  /// since captions are short.
  private func stepsOfRun(of i: ElementNode) -> Int {
    guard i.kind == .span, let text = i.parent else { return Checker.stepsOfText }
    let isSmall = text.caption != nil && text.children.count <= 8
    return isSmall ? Checker.stepsOfText : Checker.stepsOfSpan
  }

  private func constantWord(_ property: Property, of i: ElementNode) -> String {
    guard let (value, span) = inheritedValue(property, of: i, now: now) else { return "" }
    return asConstantText(value, span) ?? ""
  }

  /// Returns `features` after the features that disable ligatures in monospaced fonts, and before
  /// tabular figures if `tabular` is true. For duplicate features, the last value takes precedence.
  private func features(of i: ElementNode, _ families: [String]) -> String {
    var features: [String] = []
    if families.first.map(Checker.isMonospaced) == true {
      features.append(Checker.withoutLigatures)
    }
    let given = constantWord(.features, of: i)
    if !given.isEmpty { features.append(given) }
    if let (value, span) = self.inheritedValue(.tabular, of: i, now: now),
      asBool(value, span)?.constantValue == 1
    {
      features.append("tnum=1")
    }
    return features.joined(separator: ", ")
  }

  /// The features that disable ligatures. Programming fonts draw `=>` as an arrow with `calt`, a
  /// few with `liga`.
  private static let withoutLigatures = "calt=0, liga=0"

  /// Words in the names of monospaced families.
  private static let monospaceWords: Set<String> = [
    "monospace", "mono", "code", "consolas", "courier", "hasklig", "inconsolata", "iosevka",
    "menlo", "terminal", "typewriter",
  ]

  /// Returns whether a family is monospaced according to its name: `Fira Code`, `JetBrainsMono Nerd
  /// Font`.
  private static func isMonospaced(_ family: String) -> Bool {
    var words: [String] = [""]
    var last: Character = " "
    for letter in family {
      if !letter.isLetter || letter.isUppercase && last.isLowercase { words.append("") }
      if letter.isLetter { words[words.count - 1] += letter.lowercased() }
      last = letter
    }
    return words.contains(where: monospaceWords.contains)
  }

  func fontSize(of i: ElementNode, now: Scalar) -> Scalar {
    let initial = Scalar.constant(initialNumber(.fontSize, i))
    guard let (source, owner) = inherited(.fontSize, i) else { return initial }
    let value = memo(.fontSize, from: source, of: owner, now: now)
    let span = source.value.span
    // The box of a text depends on its glyphs, so percentages are relative to the parent's font
    // size.
    if owner.kind == .span, let parent = owner.parent {
      return asLength(value, span, of: fontSize(of: parent, now: now)) ?? initial
    }
    return asLength(value, span, of: smallerSide(owner, now: now)) ?? initial
  }

  private func weight(of i: ElementNode, now: Scalar) -> Scalar {
    let initial = Scalar.constant(initialNumber(.fontWeight, i))
    guard let (value, span) = self.inheritedValue(.fontWeight, of: i, now: now) else {
      return initial
    }
    if case .word(let word) = value, let weight = Words.weights[word] { return .constant(weight) }
    let weight = asNumber(value, span) ?? initial
    if let number = valueOutside(.between(1, 1000), of: weight) {
      _ = report(
        .outOfRange, "a font weight cannot be \(NumberFormat().text(number))", at: span,
        label: "expected 1 to 1000, such as 400 or bold")
    }
    return weight
  }

  /// The maximum number of characters in a text, since the cost of a layout is superlinear.
  private static let longestText = 10_000

  /// The default font: Inter if it is installed, otherwise the `sans-serif` font of the system.
  static let defaultFamilies = ["Inter", "sans-serif"]

  func families(of i: ElementNode) -> [String] {
    guard let (value, span) = self.inheritedValue(.font, of: i, now: now) else {
      return i.properties[.syntax] == nil ? Checker.defaultFamilies : families(of: "monospace")
    }
    var names: [String] = []
    // Generic families may be in quotes, like other families.
    let items = asList(value).map { item in
      let name = constantText(item) ?? ""
      return Words.genericFamilies.contains(name) ? .word(name) : item
    }
    // A list that ends with a generic family always has a match.
    var isOpen = true
    if case .word? = items.last { isOpen = false }
    for item in items {
      if case .word(let word) = item {
        names += families(of: word)
        continue
      }
      guard let name = asConstantText(item, span) else { return Checker.defaultFamilies }
      if let family = family(name, span, mustBe: isOpen, isAlone: items.count == 1) {
        names.append(family)
      } else if isOpen {
        return Checker.defaultFamilies
      }
    }
    return names.isEmpty ? Checker.defaultFamilies : names
  }

  /// The family for a generic name, if it is installed.
  private static let preferredFamilies = ["monospace": "JetBrains Mono", "serif": "EB Garamond"]

  /// Returns the families for a generic name, which is the last of them.
  private func families(of generic: String) -> [String] {
    let preferred = Checker.preferredFamilies[generic].map { metrics.hasFamily($0) ? [$0] : [] }
    return (preferred ?? []) + [generic]
  }

  /// Returns the family of a font file, which is available from then on; `nil` after an error.
  ///
  /// `name` is the name in messages, if it differs from the path.
  func fontFamily(ofFile path: String, called name: String? = nil, at span: SourceSpan) -> String? {
    let name = name ?? path
    do {
      return try assets.font(path)
    } catch {
      if case .undecodable(let why) = error {
        report(
          Diagnostic(
            .undecodable, "'\(name)' cannot be used as a font: \(why)", at: span,
            label: "expected a TrueType or OpenType file"))
      } else {
        report(assetError(error, name, at: span))
      }
      return nil
    }
  }

  /// Returns a family by its name or from a font file beside the scene. `mustBe` is `false` if
  /// later families of the list can replace it. Returns `nil` if the family is not available.
  private func family(_ name: String, _ span: SourceSpan, mustBe: Bool, isAlone: Bool) -> String? {
    let isFile = [".ttf", ".otf", ".ttc", ".woff2", ".woff"].contains {
      name.lowercased().hasSuffix($0)
    }
    if isFile { return fontFamily(ofFile: name, at: span) }
    if metrics.hasFamily(name) { return name }
    if !mustBe {
      // The library lists optional fonts first.
      if files.isOfLibrary(span) { return nil }
      report(
        Diagnostic(
          .otherFont, "the font family '\(name)' is not installed", at: span,
          label: "the next font in the list is used"))
      return nil
    }
    guard reports.isNew(span) else { return nil }
    let known = metrics.families
    var diagnostic = Diagnostic(
      .unknownFont, "unknown font family '\(name)'", at: span,
      notes: [Note("'scenec fonts' lists the installed families")])
    if !isAlone {
      diagnostic.notes.append(
        Note(
          help:
            "to allow missing fonts, end the list in sans-serif, serif or monospace: font: [\"\(name)\", sans-serif]"
        ))
    }
    let near =
      known.first { $0.lowercased() == name.lowercased() } ?? nearest(name, in: known)
    if let near {
      diagnostic.fixIts = [
        FixIt("change to \"\(near)\"", replacing: span, with: "\"\(near)\"", isSafe: false)
      ]
    } else {
      diagnostic.notes.append(Note(help: "name a font file: font: \"fonts/Name.ttf\""))
    }
    report(diagnostic)
    return nil
  }

  /// Returns width, height and first baseline, as constants if the text is constant.
  func extent(of text: TextModel, in i: ElementNode) -> MeasuredText {
    let index: Int32
    if let (known, extent) = extents[text] {
      if let extent { return constants(extent) }
      index = known
    } else {
      if text.isConstant {
        let block = Evaluator(Program(), metrics: metrics).block(text)
        let extent = metrics.measure(block)
        if block.runs.first?.font.size != text.runs.first?.size.constantValue {
          _ = spend(text.letterCount * Checker.stepsOfFitting, i.span)
        }
        if text.wrap == .balance, extent.height > block.runs[0].font.size * 2 {
          _ = spend(text.letterCount * Checker.stepsOfBalance, i.span)
        }
        extents[text] = (0, extent)
        return constants(extent)
      }
      index = builder.register(text)
      extents[text] = (index, nil)
    }
    let parts = (0..<3).map { builder.make(.textExtent, index: index * 4 + Int32($0)) }
    return MeasuredText(width: parts[0], height: parts[1], baseline: parts[2])
  }

  private func constants(_ e: TextExtent) -> MeasuredText {
    MeasuredText(
      width: .constant(e.width), height: .constant(e.height), baseline: .constant(e.baseline))
  }
}

/// The size and the first baseline of a text in pixels.
struct MeasuredText {
  let width: Scalar
  let height: Scalar
  let baseline: Scalar
}
