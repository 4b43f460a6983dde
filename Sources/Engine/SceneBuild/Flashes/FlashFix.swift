// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneModel
import SceneSession
import SceneSyntax
import SceneText
import SceneTypes

extension LoadedScene {
  /// Returns a fix that lengthens the period of the flashes at `span`; `nil` unless the period or
  /// rate is one literal, either in place or in a `let`. `period` is the shortest safe period in
  /// seconds, and `rate` the number of flashes per second.
  func flashFix(at span: SourceSpan, rate: Double, period: Double) -> FixIt? {
    guard let source = sources.first(where: { $0.id == span.file }),
      !source.name.hasPrefix("std/")
    else { return nil }
    let all = PeriodSearch(source).literals(at: span)
    // An element can have other periodic properties, such as a slow rotation.
    let matching = all.filter { literal in
      let count = rate * literal.period
      return count > 0.88 && abs(count - count.rounded()) < 0.12
    }
    let literals = all.count == 1 ? all : matching
    guard let literal = literals.first, literals.count == 1 else { return nil }
    // An element can flash several times per period. At short periods, frames skip flashes.
    let count = max(1, (rate * literal.period).rounded())
    guard literal.period < period * count, let text = literal.text(period: period * count) else {
      return nil
    }
    let name = literal.name.map { "'\($0)'" } ?? "the \(literal.kind == .rate ? "rate" : "period")"
    // Other elements may use a `let`, too.
    return FixIt(
      "change \(name) from \(literal.written) to \(text)", replacing: literal.span, with: text,
      isSafe: literal.name == nil)
  }
}

/// A literal that determines the period of a repeated change.
private struct PeriodicLiteral {
  /// The meaning of the literal.
  enum Kind {
    case period
    /// Half of the period: the duration of a loop that also plays backward.
    case mirrored
    case rate
  }

  let kind: Kind
  let span: SourceSpan
  let written: String
  /// The name of the `let` that contains the literal.
  let name: String?
  private let value: Double

  /// The period in seconds.
  var period: Double {
    switch kind {
    case .period: value
    case .mirrored: 2 * value
    case .rate: 1 / value
    }
  }

  /// Returns a literal for the shortest round period that is not below `period`; `nil` if the rate
  /// would be rounded to zero.
  func text(period: Double) -> String? {
    let format = NumberFormat()
    switch kind {
    case .period, .mirrored:
      let value = kind == .mirrored ? period / 2 : period
      return format.text((value * 100 - 1e-6).rounded(.up) / 100) + "s"
    case .rate:
      let rate = (10 / period + 1e-6).rounded(.down) / 10
      return rate > 0 ? format.text(rate) + "Hz" : nil
    }
  }

  init?(_ kind: Kind, _ literal: Expression, in source: SourceFile, of name: String?) {
    let units: [NumberUnit: Double] = kind == .rate ? [.hertz: 1] : [.ms: 1e-3, .s: 1]
    guard case .number(let number, let unit?) = literal.kind, let factor = units[unit], number > 0
    else { return nil }
    self.kind = kind
    self.name = name
    span = literal.span
    written = source.text(literal.span)
    value = number * factor
  }
}

/// A search for the literals that determine the periods of an element's values.
private struct PeriodSearch {
  private let source: SourceFile
  private let tree: SyntaxTree
  private let names: NameIndex

  init(_ source: SourceFile) {
    self.source = source
    tree = parse(source).tree
    names = NameIndex(tree)
  }

  /// Returns the literals of the value at a span, or of the element with this head. For an element,
  /// these are the literals of its own properties and styles or, failing that, of its children.
  func literals(at span: SourceSpan) -> [PeriodicLiteral] {
    let start = tree.path(at: span.start).first {
      ![.file, .body].contains(tree.nodes[$0].kind) && tree.span(of: $0).start == span.start
    }
    guard let start else { return [] }
    guard tree.nodes[start].kind == .element else { return literals(in: [start]) }
    let own = properties(of: start)
    let found = literals(in: own + own.flatMap(styles))
    return found.isEmpty ? literals(in: [start]) : found
  }

  /// Returns the properties in the body of an element.
  private func properties(of element: Int) -> [Int] {
    tree.children(of: element).filter { tree.nodes[$0].kind == .body }
      .flatMap(tree.children).filter { tree.nodes[$0].kind == .property }
  }

  /// Returns the declarations of the styles that a property `style` names.
  private func styles(of property: Int) -> [Int] {
    let parts = tree.children(of: property)
    guard parts.first.map(tree.span(of:)).map(source.text) == "style" else { return [] }
    return parts.dropFirst().flatMap(subtree).compactMap { node in
      guard tree.nodes[node].kind == .reference,
        let symbol = names.symbol(at: tree.span(of: node).start),
        names.symbols[symbol].kind == .style
      else { return nil }
      return self.node(at: names.whole(of: symbol))
    }
  }

  private func literals(in nodes: [Int]) -> [PeriodicLiteral] {
    // A `let` that is used several times is one literal.
    var seen: Set<SourceSpan> = []
    return nodes.flatMap(subtree).flatMap(literals(of:)).filter { seen.insert($0.span).inserted }
  }

  /// Returns the literals that a node itself interprets, without those of its parts.
  private func literals(of node: Int) -> [PeriodicLiteral] {
    guard [.call, .binary, .number, .reference].contains(tree.nodes[node].kind) else { return [] }
    let e = tree.expression(of: node)
    switch e.kind {
    case .number, .reference: return [literal(.rate, e)].compactMap { $0 }
    case .binary(.slash, let time, let period) where time.isReference(to: ["t", "scene-time"]):
      return [literal(.period, period)].compactMap { $0 }
    case .call(let callee, let arguments) where callee.isReference(to: ["wave"]):
      let period = arguments.first { $0.name == nil }?.value
      return [period.flatMap { literal(.period, $0) }].compactMap { $0 }
    case .call(let callee, let arguments) where callee.isReference(to: ["loop"]):
      let isMirrored = arguments.contains { $0.name?.text == "mirror" }
      let durations =
        arguments.dropFirst().filter { $0.name == nil }.map(\.value)
        + subtree(of: node).filter { tree.nodes[$0].kind == .clause }.compactMap(duration)
      guard durations.count == 1 else { return [] }
      return [literal(isMirrored ? .mirrored : .period, durations[0])].compactMap { $0 }
    default: return []
    }
  }

  /// Returns the duration in a clause `over`; `nil` for other clauses.
  private func duration(of clause: Int) -> Expression? {
    let parts = tree.children(of: clause)
    guard tree.text(ofToken: Int(tree.nodes[clause].firstToken)) == "over" else { return nil }
    return parts.last.map(tree.expression)
  }

  /// Returns an expression that is a literal, or the literal that is the whole value of the `let`
  /// that the expression names; `nil` for other expressions.
  private func literal(_ kind: PeriodicLiteral.Kind, _ e: Expression) -> PeriodicLiteral? {
    guard e.isName else { return PeriodicLiteral(kind, e, in: source, of: nil) }
    guard let symbol = names.symbol(at: e.span.start), names.symbols[symbol].kind == .constant,
      let value = names.initialValue(of: symbol).flatMap(node)
    else { return nil }
    return PeriodicLiteral(
      kind, tree.expression(of: value), in: source, of: names.symbols[symbol].name.text)
  }

  /// Returns the outermost node whose span equals `span`.
  private func node(at span: SourceSpan) -> Int? {
    tree.path(at: span.start).first { tree.span(of: $0) == span }
  }

  private func subtree(of node: Int) -> ClosedRange<Int> {
    (node - Int(tree.nodes[node].size) + 1)...node
  }
}

extension Expression {
  /// Returns whether the expression is one of some names.
  fileprivate func isReference(to names: Set<String>) -> Bool {
    if case .reference(let name) = kind { names.contains(name.text) } else { false }
  }
}
