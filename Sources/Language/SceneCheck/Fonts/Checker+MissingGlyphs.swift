// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText

// Characters without a glyph in the selected fonts.
extension Checker {
  /// Warns about missing glyphs of a constant text. Other texts are known only when they are drawn.
  func warnOfMissingGlyphs(_ text: TextModel, _ i: ElementNode) {
    guard text.isConstant, let (_, span) = value(.content, of: textRuns(of: i)[0], now: now) else {
      return
    }
    let block = Evaluator(Program(), metrics: metrics).block(text)
    guard !isCovered(block) else { return }
    let count = metrics.unknownGlyphCount(block)
    guard count > 0 else { return warnOfOtherFonts(block, span) }
    let named = characters(of: block) { metrics.unknownGlyphCount($0) > 0 }
    let unnamed = count == 1 ? "a character of this text" : "\(count) characters of this text"
    report(
      Diagnostic(
        .missingGlyph, "no installed font has \(named ?? unnamed)", at: span,
        label: "drawn as a box with the code point",
        notes: [Note(help: "install a font with this character, or select one with 'font'")]))
  }

  /// Warns about glyphs from a fallback font, which may differ between systems.
  private func warnOfOtherFonts(_ written: TextBlock, _ span: SourceSpan) {
    var block = written
    for index in block.runs.indices where block.runs[index].font.families == Checker.defaultFamilies
    {
      let first = Checker.defaultFamilies[0]
      if metrics.hasFamily(first) { block.runs[index].font.families = [first] }
    }
    guard let other = metrics.fallbackFamilies(of: block).first else { return cover(written) }
    let wanted = block.runs.map { $0.font.families[0] }.first { $0 != other } ?? ""
    let named = characters(of: block) { metrics.fallbackFamilies(of: $0).contains(other) }
    report(
      Diagnostic(
        .otherFont,
        "'\(wanted)' has no glyph for \(named ?? "some characters of this text"); "
          + "'\(other)' is used instead",
        at: span, label: "the fallback font can differ on other machines",
        notes: [Note(help: "name both fonts: font: [\"\(wanted)\", \"\(other)\"]")]))
  }

  /// Returns whether earlier texts without warnings contain all characters of a text in its fonts.
  private func isCovered(_ block: TextBlock) -> Bool {
    block.runs.allSatisfy { run in
      coveredCharacters[run.font.withoutSize]?.isSuperset(of: run.text.utf8) ?? false
    }
  }

  /// Records the characters of a text without warnings. Runs with other characters than ASCII are
  /// ignored, since their glyphs can depend on neighboring characters.
  private func cover(_ block: TextBlock) {
    for run in block.runs where run.text.utf8.allSatisfy({ $0 < 0x80 }) {
      coveredCharacters[run.font.withoutSize, default: []].formUnion(run.text.utf8)
    }
  }

  private static let mostNamedCharacters = 3
  /// The maximum number of characters that are laid out to find those without a glyph.
  private static let mostTriedCharacters = 500

  /// Returns a list of the first characters of a text that lack a glyph on their own, such as
  /// "'☃' (U+2603)"; `nil` if there are none, since glyphs can depend on neighboring characters.
  private func characters(of block: TextBlock, lacking isLacking: (TextBlock) -> Bool) -> String? {
    var rest = Checker.mostTriedCharacters
    var found: [Character] = []
    for run in block.runs {
      var tried: Set<Character> = []
      for character in run.text where !character.isWhitespace && rest > 0 {
        guard !found.contains(character), tried.insert(character).inserted else { continue }
        rest -= 1
        var single = run
        single.text = String(character)
        if isLacking(TextBlock(runs: [single])) { found.append(character) }
        if found.count > Checker.mostNamedCharacters { break }
      }
      if found.count > Checker.mostNamedCharacters { break }
    }
    if found.isEmpty { return nil }
    let names = found.prefix(Checker.mostNamedCharacters).map { character in
      let codes = character.unicodeScalars.map { "U+" + Checker.code(of: $0) }
      return "'\(visible(String(character)))' (\(codes.joined(separator: " ")))"
    }
    let list = names.joined(separator: ", ")
    return found.count > Checker.mostNamedCharacters ? list + " and others" : list
  }

  /// Returns the code point of a scalar with at least four hexadecimal digits.
  private static func code(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension FontSpec {
  /// The font with the size 0; glyphs do not depend on the size.
  fileprivate var withoutSize: FontSpec {
    var font = self
    font.size = 0
    return font
  }
}
