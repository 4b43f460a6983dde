// SPDX-License-Identifier: MIT
import SceneCheck
import SceneSyntax
import SceneText

// The outline, folding ranges and selection ranges of a file.

/// An entry of a file's outline.
package struct OutlineEntry: Hashable, Sendable {
  /// The kind of declaration.
  package enum Kind: Hashable, Sendable {
    case scene, component, style, effect, transition, function, constant, param, file, element
  }

  package let name: String
  package let detail: String
  package let kind: Kind
  package let whole: Range<Int>
  package let head: Range<Int>
  /// The range of the name, or of the first word if the entry is unnamed.
  package let own: Range<Int>
  package var children: [OutlineEntry]
}

extension FileFacts {
  /// The declarations, with the elements inside them.
  package var outline: [OutlineEntry] {
    guard !tree.nodes.isEmpty else { return [] }
    return tree.children(of: tree.root).compactMap { entry($0) }
  }

  private static let kinds: [SyntaxKind: OutlineEntry.Kind] = [
    .importDecl: .file, .paramDecl: .param, .letDecl: .constant, .fnDecl: .function,
    .componentDecl: .component, .styleDecl: .style, .effectDecl: .effect,
    .transitionDecl: .transition, .filterDecl: .function, .paintDecl: .function,
    .element: .element,
  ]

  private func entry(_ node: Int) -> OutlineEntry? {
    let syntax = tree.nodes[node].kind
    guard let kind = FileFacts.kinds[syntax] else { return nil }
    let words = words(atHeadOf: node)
    guard let first = words.first else { return nil }
    var name = words.count > 1 ? words[1].text : first.text
    let isScene = syntax == .element && first.text == "scene"
    var detail = kind == .element || words.count < 2 ? first.text : ""
    let subject = tree.children(of: node).first { tree.nodes[$0].kind == .string }
    let text = subject.map { source.text(tree.span(of: $0)).prefix(60) }.map(String.init)
    if kind == .element, words.count == 1 { (name, detail) = (first.text, text ?? "") }
    if kind == .file {
      (name, detail) = (
        text ?? first.text, words.count > 1 ? words[words.count - 1].text : "import"
      )
    }
    let body = tree.children(of: node).filter { tree.nodes[$0].kind == .body }
    let inner = body.flatMap { tree.children(of: $0) }.flatMap(elements)
    let whole = tree.span(of: node)
    let last = kind == .element && words.count > 1 ? words[1] : first
    return OutlineEntry(
      name: name, detail: detail, kind: isScene ? .scene : kind, whole: whole.start..<whole.end,
      head: first.range.lowerBound..<max(first.range.upperBound, last.range.upperBound),
      own: kind == .file ? first.range : (words.count > 1 ? words[1] : first).range,
      children: inner)
  }

  /// Returns the elements of an item, including those inside loops and conditions.
  private func elements(_ node: Int) -> [OutlineEntry] {
    switch tree.nodes[node].kind {
    case .element: entry(node).map { [$0] } ?? []
    case .forItem, .ifItem, .body: tree.children(of: node).flatMap(elements)
    default: []
    }
  }

  /// Returns the words at the start of a node.
  func words(atHeadOf node: Int) -> [(text: String, range: Range<Int>)] {
    var words: [(String, Range<Int>)] = []
    let it = tree.nodes[node]
    for token in Int(it.firstToken)..<Int(it.endToken) {
      let kind = tree.tokens[token].kind
      if kind.isTrivia && kind != .newline { continue }
      guard kind == .identifier || kind.isReservedWord else { break }
      words.append((tree.text(ofToken: token), tree.range(ofToken: token)))
    }
    return words
  }

  // MARK: Folding

  /// The kind of a folding range.
  package enum Fold: Hashable, Sendable { case body, comment, imports, region }

  /// The folding ranges as line ranges, from 0.
  package var folds: [(lines: Range<Int>, kind: Fold)] {
    var folds: [(Range<Int>, Fold)] = importFolds.map { ($0, .imports) }
    var open: [Int] = []
    var regions: [Int] = []
    var comments: Range<Int>?
    func line(_ offset: Int) -> Int { source.lineIndex(at: offset) }
    for token in tree.tokens.indices {
      let range = tree.range(ofToken: token)
      switch tree.tokens[token].kind {
      case .leftBrace, .leftBracket, .leftParen: open.append(line(range.lowerBound))
      case .rightBrace, .rightBracket, .rightParen:
        guard let first = open.popLast() else { break }
        let last = line(range.lowerBound)
        if last > first + 1 { folds.append((first..<(last - 1), .body)) }
      case .blockComment:
        let (first, last) = (
          line(range.lowerBound), line(max(range.lowerBound, range.upperBound - 1))
        )
        if last > first { folds.append((first..<last, .comment)) }
      case .lineComment, .docComment:
        let (at, text) = (line(range.lowerBound), tree.text(ofToken: token))
        if text.hasPrefix("// region") { regions.append(at) }
        if text.hasPrefix("// endregion"), let first = regions.popLast() {
          folds.append((first..<at, .region))
        }
        if let run = comments, run.upperBound == at - 1 {
          comments = run.lowerBound..<at
        } else {
          if let run = comments, !run.isEmpty { folds.append((run, .comment)) }
          comments = at..<at
        }
      default: break
      }
    }
    if let run = comments, !run.isEmpty { folds.append((run, .comment)) }
    return folds.sorted { ($0.0.lowerBound, $0.0.upperBound) < ($1.0.lowerBound, $1.0.upperBound) }
  }

  /// The lines of consecutive imports.
  private var importFolds: [Range<Int>] {
    guard !tree.nodes.isEmpty else { return [] }
    var runs: [Range<Int>] = []
    for node in tree.children(of: tree.root) where tree.nodes[node].kind == .importDecl {
      let span = tree.span(of: node)
      let (first, last) = (source.lineIndex(at: span.start), source.lineIndex(at: span.end))
      if let run = runs.last, run.upperBound == first - 1 {
        runs[runs.count - 1] = run.lowerBound..<last
      } else {
        runs.append(first..<last)
      }
    }
    return runs.filter { !$0.isEmpty }
  }

  /// Returns the selection ranges around an offset, from the innermost to the whole file.
  package func selections(at offset: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let token = tree.token(at: offset)
    if !tree.tokens[token].kind.isTrivia { ranges.append(tree.range(ofToken: token)) }
    for node in tree.path(at: offset).reversed() {
      let span = tree.span(of: node)
      let range = span.start..<span.end
      if let last = ranges.last,
        range == last || range.lowerBound > last.lowerBound || range.upperBound < last.upperBound
      {
        continue
      }
      ranges.append(range)
    }
    if ranges.last != 0..<source.bytes.count { ranges.append(0..<source.bytes.count) }
    return ranges
  }
}
