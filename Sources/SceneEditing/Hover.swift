// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneLanguage
import SceneLibrary
import SceneModel
import SceneSyntax
import SceneText

/// What is said of a place, as Markdown.
package struct HoverText: Hashable, Sendable {
  package let range: Range<Int>
  package let text: String
}

extension Workspace {
  /// `record` is that of the last check, if the text is still the same.
  package func hover(at offset: Int, in file: String, _ record: SceneRecord?) -> HoverText? {
    guard let facts = files[file], !facts.tree.tokens.isEmpty else { return nil }
    let token = facts.tree.token(at: offset)
    let range = facts.tree.range(ofToken: token)
    let word = facts.tree.text(ofToken: token)
    let kind = facts.tree.tokens[token].kind
    if kind.isTrivia || [.stringText, .number, .color].contains(kind) { return nil }
    let path = facts.tree.path(at: offset)
    if let found = symbol(at: offset, in: file) {
      let name = found.name.start..<found.name.end
      return HoverText(range: name, text: text(of: found.target, offset, facts, record))
    }
    if isPropertyName(path, range, facts) {
      return page("property", word).map { HoverText(range: range, text: $0) }
    }
    if isElementKind(path, range, facts), let text = page("element", word) {
      let life = record.map { lives(at: offset, $0) } ?? ""
      return HoverText(range: range, text: life + text)
    }
    if let function = BuiltIn.all[word], facts.tree.tokens[token].kind == .identifier {
      let list = function.parameters.map { "\($0.description): \($0.type.rawValue)" }.joined(
        separator: ", ")
      let head = Workspace.code("\(function.name)(\(list)) -> \(function.result.rawValue)")
      return HoverText(range: range, text: head + (page("function", word) ?? function.summary))
    }
    let text = ["word", "easing", "type"].lazy.compactMap { page($0, word) }.first
    return text.map { HoverText(range: range, text: $0) }
  }

  private func isPropertyName(_ path: [Int], _ range: Range<Int>, _ facts: FileFacts) -> Bool {
    let property = path.last { facts.tree.nodes[$0].kind == .property }
    return property.flatMap { facts.words(atHeadOf: $0).first?.range } == range
  }

  private func isElementKind(_ path: [Int], _ range: Range<Int>, _ facts: FileFacts) -> Bool {
    guard let element = path.last(where: { facts.tree.nodes[$0].kind == .element }) else {
      return false
    }
    return facts.words(atHeadOf: element).first?.range == range
  }

  // MARK: What is said

  private static func code(_ text: String) -> String { "```scene\n\(text)\n```\n\n" }

  /// A page of the manual, without its examples.
  private func page(_ chapter: String, _ word: String) -> String? {
    guard let page = Manual.pages.first(where: { $0.chapter == chapter && $0.word == word }) else {
      return nil
    }
    var head = ""
    if chapter == "property", let property = Property.named(word) {
      let initial = property.declaration.uses.lazy.compactMap(\.initial).first
      head = Workspace.code(word + (initial.map { ": \($0.description)" } ?? ""))
    } else if chapter == "element" {
      head = Workspace.code(word)
    }
    let prose = page.text.split(separator: "\n```", maxSplits: 1).first.map(String.init) ?? ""
    return head + prose.trimmingBlanks
  }

  private func text(
    of target: NameLinks.Target, _ offset: Int, _ facts: FileFacts, _ record: SceneRecord?
  ) -> String {
    guard let home = files[target.file], let symbol = declared(target) else { return "" }
    let whole = home.index.whole(of: target.symbol)
    let source = home.source.text(whole)
    let line = source.prefix { $0 != "\n" && $0 != "{" }
    var text = ""
    switch symbol.kind {
    case .element, .scene:
      text = Workspace.code(String(line).trimmingBlanks)
      if home === facts, let record { text += lives(at: symbol.name.span.start, record) }
    case .function, .component, .effect, .transition, .style:
      text = Workspace.code(
        signature(of: symbol.name.text, offset, target.file).map {
          "\(symbol.kind.rawValue == "function" ? "fn" : symbol.kind.rawValue) \($0.text)"
        } ?? String(line))
    default: text = Workspace.code(String(line).trimmingBlanks)
    }
    let documentation = home.index.documentation(of: target.symbol)
    text += documentation.isEmpty ? "" : documentation + "\n\n"
    if target.file.hasPrefix("std/") { text += "from `\(target.file)`" }
    return text.trimmingBlanks
  }

  /// When the elements at a place are there.
  private func lives(at offset: Int, _ record: SceneRecord) -> String {
    let places = record.elements(at: offset, in: FileID(0))
    guard let first = places.first.map({ record.elements[$0] }), let start = first.start,
      let end = first.end
    else { return "" }
    let times = "\(start.description) – \(end.description)"
    return places.count == 1 ? "\(times)\n\n" : "\(times), \(places.count) rounds\n\n"
  }
}

extension String {
  /// Without spaces and line ends at both ends.
  var trimmingBlanks: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.drop(while: \.isWhitespace))
  }
}
