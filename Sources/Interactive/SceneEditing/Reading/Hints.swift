// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// An inlay hint.
package struct InlayHint: Hashable, Sendable {
  /// The kind of a hint; settings can disable each kind.
  package enum Kind: String, CaseIterable, Sendable {
    case lives, lengths, parameters, types
  }

  package let offset: Int
  package let text: String
  package let kind: Kind

  package init(offset: Int, text: String, kind: Kind) {
    self.offset = offset
    self.text = text
    self.kind = kind
  }
}

extension Workspace {
  /// Returns the inlay hints of a file in order. `findings` is the result of the last check if the
  /// text has not changed since.
  package func hints(in file: String, _ findings: CheckFindings?, _ kinds: Set<InlayHint.Kind>)
    -> [InlayHint]
  {
    guard let facts = files[file] else { return [] }
    var hints: [InlayHint] = []
    if let record = findings?.record {
      if kinds.contains(.lives) { hints += facts.lives(record) }
      if kinds.contains(.lengths) { hints += facts.lengths(record) }
    }
    if kinds.contains(.parameters) { hints += parameters(facts, file) }
    if kinds.contains(.types), let session = findings?.session { hints += facts.types(session) }
    return hints.sorted { ($0.offset, $0.text) < ($1.offset, $1.text) }
  }

  /// Returns parameter names before literal arguments in calls with three or more arguments.
  private func parameters(_ facts: FileFacts, _ file: String) -> [InlayHint] {
    var hints: [InlayHint] = []
    let literals: Set<SyntaxKind> = [.number, .color, .bool, .string, .pairLiteral, .unary]
    for node in facts.tree.nodes.indices where facts.tree.nodes[node].kind == .call {
      let arguments = facts.tree.children(of: node).filter {
        facts.tree.nodes[$0].kind == .argument
      }
      let first = Int(facts.tree.nodes[node].firstToken)
      guard arguments.count >= 3, facts.tree.tokens[first].kind == .identifier,
        let signature = signature(
          of: facts.tree.text(ofToken: first), facts.tree.span(of: node).start, file)
      else { continue }
      for (argument, parameter) in zip(arguments, signature.parameters) {
        // A named argument ends the positional ones.
        guard !parameter.isMany, let value = facts.tree.children(of: argument).first,
          facts.tree.span(of: value).start == facts.tree.span(of: argument).start
        else { break }
        guard literals.contains(facts.tree.nodes[value].kind) else { continue }
        hints.append(
          InlayHint(
            offset: facts.tree.span(of: value).start,
            text: parameter.name.filter { $0 != "?" } + ":", kind: .parameters))
      }
    }
    return hints
  }
}

extension FileFacts {
  /// Returns the lifetimes of elements that are not evident from the source: those in sequences and
  /// components, and computed ones.
  fileprivate func lives(_ record: SceneRecord) -> [InlayHint] {
    var hints: [Int: (text: String, count: Int)] = [:]
    for element in record.elements.dropFirst() {
      guard element.head.file == FileID(0), element.head.end <= source.bytes.count,
        !element.isTransition,
        let start = element.start, let end = element.end, isComputed(element, record)
      else { continue }
      let text = "\(start.description)–\(end.description)"
      let count = (hints[element.head.end]?.count ?? 0) + 1
      hints[element.head.end] = (hints[element.head.end]?.text ?? text, count)
    }
    return hints.map { offset, hint in
      InlayHint(
        offset: offset,
        text: hint.count == 1 ? hint.text : "\(hint.text) and \(hint.count - 1) more", kind: .lives)
    }
  }

  private func isComputed(_ element: SceneRecord.Element, _ record: SceneRecord) -> Bool {
    if let parent = element.parent {
      let it = record.elements[parent]
      if it.kind == "sequence" || it.properties.contains(where: { $0.property == .stagger }) {
        return true
      }
    }
    return element.properties.contains { property in
      guard [.at, .for].contains(property.property), property.origin == .body else { return false }
      let token = tree.token(at: property.value.start)
      let range = tree.range(ofToken: token)
      return tree.tokens[token].kind != .number || range.upperBound != property.value.end
    }
  }

  /// Returns the durations of legs without an `over` clause.
  fileprivate func lengths(_ record: SceneRecord) -> [InlayHint] {
    var found: [Int: String] = [:]
    for motion in record.elements.flatMap(\.properties).flatMap(\.motions) {
      for step in motion.steps
      where step.value.file == FileID(0) && step.time == nil && step.to > step.from
        && !step.clauses.contains(where: { $0.word.text == "over" })
        && step.value.end <= source.bytes.count
      {
        guard let length = Ticks(rounding: step.to - step.from)?.description else { continue }
        // If the rounds of a loop have different durations, no hint is shown.
        found[step.value.end] =
          found[step.value.end].map { $0 == length ? length : "" } ?? length
      }
    }
    return found.filter { !$0.value.isEmpty }.map {
      InlayHint(offset: $0.key, text: "over \($0.value)", kind: .lengths)
    }
  }

  /// Returns the types of `let` declarations without a type whose type is not obvious.
  fileprivate func types(_ session: CheckSession) -> [InlayHint] {
    index.symbols.indices.compactMap { symbol -> InlayHint? in
      guard index.symbols[symbol].kind == .constant, index.type(of: symbol) == nil else {
        return nil
      }
      let name = index.symbols[symbol].name.span
      // The static type, if no scene uses the name.
      guard let type = valueSpan(at: name.start, in: session)?.type ?? session.type(at: name) else {
        return nil
      }
      return InlayHint(offset: name.end, text: ": \(type)", kind: .types)
    }
  }
}
