// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneGraphics
import SceneLanguage
package import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The result of the last check, if the text has not changed since.
package struct CheckFindings {
  package let record: SceneRecord?
  /// The session that provides values; `nil` if it was discarded to save memory.
  package let session: CheckSession?
  /// The playhead of the preview.
  package var playhead: Ticks?
  /// Whether the client can display images.
  package var showsImages = false

  package init(record: SceneRecord?, session: CheckSession?) {
    self.record = record
    self.session = session
  }
}

extension CheckFindings {
  /// A summary of the built scene, such as `10.5s · 1920×1080 · 30 fps`.
  package var summary: String? {
    guard let session, let scene = record?.elements.first, let start = scene.start,
      let end = scene.end, let box = scene.box, let width = box.width.constantValue,
      let height = box.height.constantValue
    else { return nil }
    let rate = NumberFormat().text((session.frameRate.value * 1000).rounded() / 1000)
    return "\((end - start).description) · \(Int(width))×\(Int(height)) · \(rate) fps"
  }
}

extension Workspace {
  /// Returns the value at an offset on a separate line; empty if it is obvious or unknown.
  func computed(at offset: Int, _ facts: FileFacts, _ findings: CheckFindings?) -> String {
    guard let session = findings?.session,
      let found = facts.valueSpan(at: offset, in: session, time: findings?.playhead)
    else { return "" }
    return Workspace.line(found, findings, isUse: facts.isOfDefinition(offset))
  }

  /// Returns the value at an offset, or the static type of an expression that was not evaluated.
  func value(at offset: Int, _ facts: FileFacts, _ findings: CheckFindings?) -> String {
    let value = computed(at: offset, facts, findings)
    if !value.isEmpty { return value }
    let type = (findings?.session).flatMap { facts.type(at: offset, in: $0) }
    return type.map { "type `\($0)`\n\n" } ?? ""
  }

  /// Formats a value, such as `= (960, 540)`, or its values at three times.
  static func line(_ found: FoundValue, _ findings: CheckFindings?, isUse: Bool = false) -> String {
    func list(_ moments: [FoundValue.Moment]) -> String {
      moments.count == 1
        ? "`\(moments[0].text)`"
        : moments.map { "`\($0.text)` at \($0.time.description)" }.joined(separator: " · ")
    }
    guard let first = found.moments.first, !first.text.isEmpty else { return "" }
    var text = "= " + list(found.moments)
    if !found.last.isEmpty {
      text += "\n\nin the last \(isUse ? "use" : "iteration") " + list(found.last)
    }
    if !["word", "none", "element"].contains(found.type) { text += " (\(found.type))" }
    if let easing = found.easing {
      text += "\n\n" + Sketch.curve(easing, findings?.showsImages == true)
    }
    if let color = found.color, findings?.showsImages == true {
      text += "\n\n" + Sketch.swatch(color)
    }
    return text + "\n\n"
  }

  /// Returns the lifetime, size, position and count of the elements at an offset.
  func lives(at offset: Int, _ facts: FileFacts, _ findings: CheckFindings) -> String {
    guard let record = findings.record else { return "" }
    let places = record.elements(at: offset, in: FileID(0))
    guard let first = places.first.map({ record.elements[$0] }), let start = first.start,
      let end = first.end
    else { return "" }
    var text = "\(start.description)–\(end.description)"
    if let rate = findings.session?.frameRate {
      let last = max(0, Workspace.frame(end, rate) - 1)
      text += " (frames \(min(last, Workspace.frame(start, rate)))–\(last))"
    }
    let middle = Ticks(start.rawValue + (end - start).rawValue / 2)
    let time = findings.playhead.flatMap { start <= $0 && $0 < end ? $0 : nil } ?? middle
    if let box = findings.session?.box(of: first, at: time) {
      func number(_ value: Double) -> String {
        NumberFormat().text((value * 10).rounded() / 10)
      }
      text +=
        " · box \(number(box.size.x))×\(number(box.size.y)) at (\(number(box.center.x)), \(number(box.center.y)))"
    }
    // Several elements from one source location: uses of a component, or rounds of a loop.
    let uses = Set(places.compactMap { use(of: record.elements[$0], record) })
    if uses.count > 1 {
      text += " · used \(uses.count) times"
      if let here = uses.min() { text += "; here: line \(facts.source.position(at: here).line)" }
    } else if places.count > 1 {
      text += " · \(places.count) iterations"
    }
    // The hover title already shows the text of a description.
    if let words = first.alternative, first.kind != ElementKind.description.rawValue {
      let line = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      text += "\n\nalternative text: `\(line.replacing("`", with: "'"))`"
    }
    return text + "\n\n"
  }

  /// Returns the first frame at or after a time.
  private static func frame(_ time: Ticks, _ rate: FrameRate) -> Int {
    Int((Double(time.rawValue) / rate.frameTicks - 1e-6).rounded(.up))
  }

  /// Returns the offset of the use of the component that contains an element's source; `nil` if the
  /// checked file has no such use.
  private func use(of element: SceneRecord.Element, _ record: SceneRecord) -> Int? {
    var next = element.parent
    while let index = next {
      let it = record.elements[index]
      if it.definition != nil, it.head.file == FileID(0),
        !(it.whole.start <= element.head.start && element.head.end <= it.whole.end)
      {
        return it.head.start
      }
      next = it.parent
    }
    return nil
  }
}

extension FileFacts {
  private static let statements: Set<SyntaxKind> = [
    .property, .letDecl, .paramDecl, .element, .fnDecl, .body, .forItem, .ifItem, .segment, .file,
  ]
  /// The statements that assign a value to a name.
  private static let given: Set<SyntaxKind> = [.property, .letDecl, .paramDecl]

  /// Returns the value of the innermost expression at an offset, or the value assigned to the name
  /// there.
  func valueSpan(at offset: Int, in session: CheckSession, time: Ticks? = nil) -> FoundValue? {
    for node in tree.path(at: offset).reversed() {
      let kind = tree.nodes[node].kind
      if let first = tree.children(of: node).first, offset < tree.span(of: first).end {
        // In `a.b`, the value of `a` is not that of the whole expression. For the name of an
        // argument, return the argument's value.
        if [.member, .index].contains(kind) { return nil }
        if kind == .argument, tree.nodes[first].kind == .name {
          return tree.children(of: node).last.flatMap { self.value(of: $0, in: session, time) }
        }
      }
      if FileFacts.statements.contains(kind) {
        guard FileFacts.given.contains(kind) else { return nil }
        return tree.children(of: node).reversed().lazy.compactMap { child in
          self.value(of: child, in: session, time)
        }.first
      }
      if let found = session.value(at: tree.span(of: node), time: time) { return found }
    }
    return nil
  }

  private static let literals: Set<SyntaxKind> = [
    .number, .pairLiteral, .color, .bool, .noneLiteral, .string,
  ]

  /// Returns the static type of the expression at an offset, or of the value that is assigned to
  /// the name there; `nil` for literals, whose type is obvious.
  func type(at offset: Int, in session: CheckSession) -> String? {
    for node in tree.path(at: offset).reversed() {
      let kind = tree.nodes[node].kind
      if FileFacts.literals.contains(kind) { return nil }
      if FileFacts.statements.contains(kind) {
        guard FileFacts.given.contains(kind),
          let value = tree.children(of: node).last.map({ child in
            tree.nodes[child].kind == .initializer ? tree.children(of: child).first ?? child : child
          }), !FileFacts.literals.contains(tree.nodes[value].kind)
        else { return nil }
        return session.type(at: tree.span(of: value))
      }
      if let first = tree.children(of: node).first, offset < tree.span(of: first).end,
        [.member, .index, .argument].contains(kind)
      {
        return nil
      }
      if let found = session.type(at: tree.span(of: node)) { return found }
    }
    return nil
  }

  private func value(of node: Int, in session: CheckSession, _ time: Ticks?) -> FoundValue? {
    if let found = session.value(at: tree.span(of: node), time: time) { return found }
    guard tree.nodes[node].kind == .initializer else { return nil }
    return tree.children(of: node).lazy.compactMap { self.value(of: $0, in: session, time) }.first
  }

  /// Returns the offsets at which the value of a symbol is known: its declaration or, for loop
  /// variables and parameters, its first use.
  func places(of symbol: Int) -> [Int] {
    let own = index.symbols[symbol].name.span.start
    switch index.symbols[symbol].kind {
    case .constant, .param: return [own]
    case .round, .parameter: return index.uses(of: symbol).prefix(1).map(\.start)
    default: return []
    }
  }

  /// Returns whether an offset is evaluated once for each use of a definition, as opposed to each
  /// round of a loop.
  func isOfDefinition(_ offset: Int) -> Bool {
    let kinds = tree.path(at: offset).map { tree.nodes[$0].kind }
    let isDefined = kinds.contains { [.componentDecl, .fnDecl, .effectDecl].contains($0) }
    return isDefined && !kinds.contains { [.forItem, .comprehension].contains($0) }
  }
}
