// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneGraphics
import SceneJSON
import SceneLanguage
import SceneModel
import SceneSession
import SceneSyntax
import SceneSystem
import SceneText
import SceneTypes

/// The literals in property values, with the reason if a page cannot change one.
struct LeafReader {
  private let revision: Revision
  let isReadOnly: Bool
  private let places: Places
  let facts: [FileID: FileFacts]

  /// Parses the loaded sources of a revision. Without `parses`, only values are read.
  init(_ revision: Revision, isReadOnly: Bool, parses: Bool = true) {
    self.revision = revision
    self.isReadOnly = isReadOnly
    places = Places(revision.scene.sources)
    guard parses else {
      facts = [:]
      return
    }
    facts = Dictionary(
      uniqueKeysWithValues: revision.scene.sources.filter { !$0.name.hasPrefix("std/") }
        .map { ($0.id, FileFacts($0.bytes, name: $0.name)) })
  }

  private var elements: [SceneRecord.Element] { revision.scene.record?.elements ?? [] }

  func leaves(of property: SceneRecord.Property) -> [JSON] {
    guard let file = facts[property.value.file] else { return [] }
    let words = words(of: property.type)
    return file.tree.literals(in: own(property.value, file)).flatMap { literal -> [JSON] in
      let literal = moved(literal, property.value.file)
      guard case .word(let name) = literal.value, !words.contains(name) else {
        return [json(literal, words: words)]
      }
      if Easing.named[name] != nil { return [json(literal, words: Easing.named.keys.sorted())] }
      return behind(name, use: literal, in: file).map { [$0] } ?? []
    }
  }

  /// Returns whether all numbers of a value are percentages.
  func areAllPercents(_ property: SceneRecord.Property) -> Bool {
    guard let file = facts[property.value.file] else { return false }
    let numbers = file.tree.literals(in: own(property.value, file)).filter {
      if case .number = $0.value { true } else { false }
    }
    return !numbers.isEmpty && numbers.allSatisfy { $0.unit == .percent }
  }

  /// Returns the span with the file number that the file has in its own tree.
  func own(_ span: SourceSpan, _ file: FileFacts) -> SourceSpan {
    file.source.span(span.start, span.end)
  }

  func moved(_ literal: Literal, _ file: FileID) -> Literal {
    literal.moved(to: SourceSpan(file: file, start: literal.span.start, end: literal.span.end))
  }

  private func words(of type: PropertyType?) -> [String] {
    if case .word(let words)? = type { words } else { [] }
  }

  /// Returns the literal of a `let` declaration in the same file; `nil` if its value is not a
  /// literal.
  private func behind(_ name: String, use: Literal, in file: FileFacts) -> JSON? {
    guard
      case .symbol(let symbol)? = file.index.uses.first(where: {
        $0.span.start == use.span.start && $0.span.end == use.span.end
      })?.meaning, file.index.symbols[symbol].kind == .constant
    else { return nil }
    let declared = file.index.symbols[symbol].name.span
    let tree = file.tree
    for node in tree.nodes.indices where tree.nodes[node].kind == .letDecl {
      let children = tree.children(of: node)
      guard children.contains(where: { tree.span(of: $0) == declared }),
        let initializer = children.last, let value = tree.children(of: initializer).last
      else { continue }
      let span = tree.span(of: value)
      guard let literal = tree.literals(in: span).first, literal.span == span else { return nil }
      let uses = file.index.uses.count { $0.meaning == .symbol(symbol) }
      return json(moved(literal, use.span.file), words: [], via: name, uses: uses)
    }
    return nil
  }

  private func json(
    _ literal: Literal, words: [String], via: String? = nil, uses: Int? = nil
  ) -> JSON {
    var it: [String: JSON] = [
      "span": places.json(literal.span), "text": .string(literal.text),
      "uses": .int(uses ?? self.uses(of: literal.span)),
    ]
    switch literal.value {
    case .number(let number):
      (it["kind"], it["value"]) = ("number", .double(number))
      it["unit"] = .string(literal.unit?.rawValue ?? "")
    case .size(let width, let height):
      (it["kind"], it["value"]) = ("size", [.double(width), .double(height)])
    case .color(let c):
      it["kind"] = "color"
      it["value"] = [.double(c.red), .double(c.green), .double(c.blue), .double(c.alpha)]
    case .text(let text): (it["kind"], it["value"]) = ("text", .string(text))
    case .bool(let truth): (it["kind"], it["value"]) = ("bool", .bool(truth))
    case .word(let word):
      (it["kind"], it["value"]) = ("word", .string(word))
      it["words"] = .array(words.map { .string($0) })
    }
    if let via { it["via"] = .string(via) }
    let why = whyFixed(literal.span)
    it["writable"] = .bool(why == nil)
    if let why { it["why"] = .string(why) }
    return .object(it)
  }

  private func whyFixed(_ span: SourceSpan) -> String? {
    if isReadOnly { return "the preview is read-only" }
    guard let source = places.source(span), Files.exists(source.name, 2) else {
      return "the file cannot be written"
    }
    return nil
  }

  /// Returns the number of elements with a value at a source location, also by a name that is
  /// declared there.
  func uses(of span: SourceSpan) -> Int {
    var users: Set<Int> = []
    var waiting = [span]
    var visited: Set<Int> = []
    while let span = waiting.popLast() {
      func contains(_ value: SourceSpan) -> Bool {
        value.file == span.file && value.start <= span.start && span.end <= value.end
      }
      let direct = elements.indices.filter { index in
        elements[index].properties.contains { property in
          contains(property.value) || property.changes.contains { contains($0.value) }
        }
      }
      users.formUnion(direct)
      guard direct.isEmpty, let file = facts[span.file],
        let symbol = declared(around: span, in: file), visited.insert(symbol).inserted
      else { continue }
      waiting += file.index.uses(of: symbol).map {
        SourceSpan(file: span.file, start: $0.start, end: $0.end)
      }
    }
    return users.count
  }

  /// Returns the `let` whose value contains a span. A name cannot be declared by itself.
  private func declared(around span: SourceSpan, in file: FileFacts) -> Int? {
    let tree = file.tree
    for node in tree.nodes.indices where tree.nodes[node].kind == .letDecl {
      let children = tree.children(of: node)
      guard let value = children.last, case let own = tree.span(of: value),
        own.start <= span.start, span.end <= own.end
      else { continue }
      return file.index.symbols.firstIndex { symbol in
        children.contains { tree.span(of: $0) == symbol.name.span }
      }
    }
    return nil
  }

  // MARK: References

  /// Returns the keys of the elements whose properties refer to an element by name.
  func readers(of element: SceneRecord.Element) -> [String] {
    guard let name = element.name, let file = facts[element.head.file] else { return [] }
    let uses = file.index.uses.filter { use in
      guard use.name == name, case .symbol(let symbol) = use.meaning else { return false }
      let declared = file.index.symbols[symbol].name.span
      return element.head.start <= declared.start && declared.end <= element.head.end
    }
    return elements.filter { other in
      other.key != element.key
        && other.properties.contains { property in
          property.value.file == element.head.file
            && uses.contains {
              property.value.start <= $0.span.start && $0.span.end <= property.value.end
            }
        }
    }.map(\.key)
  }

  /// Returns the literals that determine the times of a property's keyframes. An exit ends with its
  /// element, so it starts earlier the longer it is. An entrance or exit with the default length of
  /// its effect can be given an explicit length.
  func keys(of property: SceneRecord.Property) -> [JSON] {
    let isExit = property.property == .exit
    return property.motions.flatMap(\.steps).map { step in
      let span = step.time ?? step.clauses.first { $0.word.text == "over" }?.value.span
      return [
        "t": .double((isExit ? step.from : step.to) / Double(Ticks.perSecond)),
        "leaf": span.flatMap(alone).map { json($0, words: []) } ?? .null,
        "by": isExit ? -1 : 1,
        "open": .bool(
          span == nil && [.enter, .exit].contains(property.property)
            && whyFixed(property.value) == nil),
      ]
    }
  }

  /// Returns the literal that exactly covers a span.
  func alone(_ span: SourceSpan) -> Literal? {
    guard let file = facts[span.file], case let place = own(span, file),
      let literal = file.tree.literals(in: place).first, literal.span == place
    else { return nil }
    return moved(literal, span.file)
  }

  /// Returns the text that adds properties to the body of an element, and the offset at which it is
  /// inserted.
  func addition(of properties: [String], to element: SourceSpan) -> (place: Int, text: String)? {
    guard let file = facts[element.file] else { return nil }
    return file.parsed.addition(of: properties, to: own(element, file))
  }

  /// Returns whether a span covers exactly one number literal.
  func isNumber(_ span: SourceSpan) -> Bool {
    if case .number? = alone(span)?.value { true } else { false }
  }

  /// Returns the spans of the two parts of a pair; `nil` for another expression.
  func parts(of span: SourceSpan) -> [SourceSpan]? {
    guard let file = facts[span.file], case let own = own(span, file),
      let node = file.tree.nodes.indices.first(where: {
        file.tree.nodes[$0].kind == .pair && file.tree.span(of: $0) == own
      })
    else { return nil }
    return file.tree.children(of: node).map { file.tree.span(of: $0) }
  }

  func json(_ literal: Literal) -> JSON { json(literal, words: []) }
}
