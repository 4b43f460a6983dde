// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneLibrary
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A hover text in Markdown.
package struct HoverText: Hashable, Sendable {
  package let range: Range<Int>
  package let text: String
}

extension Workspace {
  /// Returns the hover text at an offset. `findings` is the result of the last check if the text
  /// has not changed since. `media` returns a description of a file.
  package func hover(
    at offset: Int, in file: String, _ findings: CheckFindings?,
    media: (FileLink) -> String? = { _ in nil }
  ) -> HoverText? {
    guard let facts = files[file], !facts.tree.tokens.isEmpty else { return nil }
    let token = facts.tree.token(at: offset)
    let range = facts.tree.range(ofToken: token)
    let word = facts.tree.text(ofToken: token)
    let kind = facts.tree.tokens[token].kind
    if let link = facts.fileLinks.first(where: { $0.range.contains(offset) }) {
      return (names(of: link, in: file) ?? media(link)).map {
        HoverText(range: link.range, text: $0)
      }
    }
    if let vectors = findings?.record?.vectors,
      let part = vectorPart(at: offset, in: file, vectors)
    {
      return HoverText(range: part.range, text: text(of: part.node, in: part.link.path))
    }
    let path = facts.tree.path(at: offset)
    if kind == .stringText { return command(at: offset, facts) }
    if kind == .number {
      // The value in seconds depends on the scene, as for beats and frames.
      let found = path.last.flatMap { findings?.session?.value(at: facts.tree.span(of: $0)) }
      return found.map {
        HoverText(range: range, text: Workspace.line($0, findings).trimmingBlanks)
      }
    }
    if kind.isTrivia || kind == .color { return nil }
    if let found = symbol(at: offset, in: file) {
      let name = found.name.start..<found.name.end
      return HoverText(
        range: name, text: text(of: found.target, at: offset, in: facts, findings: findings))
    }
    let value = value(at: offset, facts, findings)
    if isPropertyName(path, at: range, in: facts) {
      let owner = owner(of: path, facts)
      return page("property", word, of: owner).map {
        HoverText(range: range, text: $0.adding(value))
      }
    }
    if isElementKind(path, at: range, in: facts), let text = page("element", word) {
      let life = findings.map { lives(at: offset, facts, $0) } ?? ""
      return HoverText(range: range, text: text.adding(life))
    }
    if let text = argument(at: offset, path, facts) {
      return HoverText(range: range, text: text.adding(value))
    }
    if let function = BuiltIn.all[word], facts.tree.tokens[token].kind == .identifier {
      let list = function.parameters.map { "\($0.description): \($0.type.rawValue)" }.joined(
        separator: ", ")
      let head = Workspace.code("\(function.name)(\(list)) -> \(function.result.rawValue)")
      let said = page("function", word) ?? function.summary
      return HoverText(range: range, text: (head + said).adding(value))
    }
    if facts.isEasing(token), let easing = Easing.named[word] {
      let curve = Sketch.curve(easing, findings?.showsImages == true)
      return HoverText(range: range, text: (page("easing", word) ?? word).adding(curve))
    }
    // A value equal to the word itself is redundant.
    let shown = value.hasPrefix("= `\(word)`") ? "" : value
    let isClip =
      PixelWord.clips.contains(word) && facts.pixelFunction(around: offset) == .transition
    let chapters = isClip ? ["element"] : ["word", "easing", "type"]
    let pages = chapters.lazy.compactMap { self.page($0, word) }
    if let text = pages.first ?? choice(at: offset, path: path, word: range, in: file) {
      return HoverText(range: range, text: text.adding(shown))
    }
    // For an operator, bracket or element word, show the value of the enclosing expression.
    return value.isEmpty ? nil : HoverText(range: range, text: value.trimmingBlanks)
  }

  /// Returns the kind of the element whose body contains a property.
  private func owner(of path: [Int], _ facts: FileFacts) -> ElementKind? {
    path.last { facts.tree.nodes[$0].kind == .element }
      .flatMap { facts.words(atHeadOf: $0).first }.flatMap { ElementKind(rawValue: $0.text) }
  }

  private func isPropertyName(_ path: [Int], at range: Range<Int>, in facts: FileFacts) -> Bool {
    let property = path.last { facts.tree.nodes[$0].kind == .property }
    return property.flatMap { facts.words(atHeadOf: $0).first?.range } == range
  }

  private func isElementKind(_ path: [Int], at range: Range<Int>, in facts: FileFacts) -> Bool {
    guard let element = path.last(where: { facts.tree.nodes[$0].kind == .element }) else {
      return false
    }
    return facts.words(atHeadOf: element).first?.range == range
  }

  // MARK: Texts

  /// The manual pages by chapter and word.
  private static let pages: [String: String] = Dictionary(
    Manual.pages.map { ("\($0.chapter)/\($0.word)", $0.text) },
    uniquingKeysWith: { first, _ in first })

  static func code(_ text: String) -> String { "```scene\n\(text)\n```\n\n" }

  /// Returns a manual page without its examples; `nil` if there is no such page.
  func page(_ chapter: String, _ word: String, of kind: ElementKind? = nil) -> String? {
    guard let page = Workspace.pages["\(chapter)/\(word)"] else { return nil }
    var head = ""
    if chapter == "property", let property = Property.named(word) {
      let own = kind.flatMap(property.declaration.use)
      let use = own ?? property.declaration.uses.first
      let initial =
        own.map(\.initial) ?? property.declaration.uses.lazy.compactMap(\.initial).first
      head = Workspace.code(
        word + (use.map { ": \($0.type.name)" } ?? "")
          + (initial.map { " = \($0.description)" } ?? ""))
    } else if chapter == "element" {
      head = Workspace.code(word)
    }
    let prose = page.split(separator: "\n```", maxSplits: 1).first.map(String.init) ?? ""
    return head + prose.trimmingBlanks
  }

  /// Returns the documentation of a completion item: its manual page, or the doc comment of its
  /// declaration.
  package func documentation(ofPage page: String) -> String? {
    if let target = Workspace.target(ofPage: page) {
      guard let home = files[target.file] else { return nil }
      return text(
        of: target,
        at: home.index.symbols.indices.contains(target.symbol)
          ? home.index.symbols[target.symbol].name.span.start : 0, in: home, findings: nil)
    }
    let parts = page.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    if parts[0] == "easing", let easing = Easing.named[parts[1]] {
      return (self.page("easing", parts[1]) ?? parts[1]).adding(Sketch.curve(easing, false))
    }
    guard let whole = Workspace.pages[page] else { return nil }
    // Include the first example.
    let fences = whole.split(separator: "\n```", maxSplits: 2, omittingEmptySubsequences: false)
    let text = self.page(parts[0], parts[1]) ?? ""
    guard fences.count == 3 else { return text }
    let example = fences[1].drop { $0 != "\n" }
    return text + "\n\n```scene" + example + "\n```"
  }

  private func text(
    of target: NameLinks.Target, at offset: Int, in facts: FileFacts, findings: CheckFindings?
  ) -> String {
    guard let home = files[target.file], let symbol = declared(target) else { return "" }
    let whole = home.index.whole(of: target.symbol)
    let source = home.source.text(whole)
    let line = source.prefix { $0 != "\n" && $0 != "{" }
    var text = ""
    switch symbol.kind {
    case .element, .scene:
      // A marker has no content other than its time.
      let isMarker = source.hasPrefix("marker ") && !source.contains("\n")
      text = Workspace.code((isMarker ? source : String(line)).trimmingBlanks)
      if home === facts, let findings {
        text += lives(at: symbol.name.span.start, facts, findings)
      }
    case .function, .component, .effect, .transition, .style:
      // A function is declared by fn, filter or paint.
      let word = source.prefix { $0 != " " }
      text = Workspace.code(
        signature(of: symbol.name.text, symbol.name.span.start, target.file).map {
          "\(word) \($0.text)"
        } ?? String(line))
    default:
      text = Workspace.code(String(line).trimmingBlanks)
      let places = [offset] + (home === facts ? home.places(of: target.symbol) : [])
      let value = places.lazy.map { computed(at: $0, facts, findings) }.first { !$0.isEmpty }
      let session = home === facts ? findings?.session : nil
      let type = session?.type(at: symbol.name.span).map { "type `\($0)`\n\n" }
      text += value ?? type ?? ""
    }
    let documentation = home.index.documentation(of: target.symbol)
    text += documentation.isEmpty ? "" : documentation + "\n\n"
    if target.file.hasPrefix("std/") { text += "from `\(target.file)`" }
    return text.trimmingBlanks
  }
}

extension String {
  /// The string without white space at both ends.
  var trimmingBlanks: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }

  /// Returns the string with another paragraph appended.
  func adding(_ more: String) -> String {
    more.isEmpty ? self : trimmingBlanks + "\n\n" + more.trimmingBlanks
  }
}
