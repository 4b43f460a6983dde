// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText

/// The position of a placeholder name in the syntax tree of an incomplete text.
struct Site {
  private let tree: SyntaxTree
  /// The nodes that contain the placeholder, from the file to the innermost one.
  private let path: [Int]
  /// The token of the placeholder; the number of tokens for a site without one.
  private let token: Int
  /// The arguments after the placeholder in the whole text.
  private let later: [String]

  private static let placeholder = "placeholder-name"

  /// Finds the site of a name at an offset, ignoring the text after it.
  init(_ facts: FileFacts, before offset: Int) {
    self.init(facts, at: offset, writing: Site.placeholder)
  }

  private init(_ facts: FileFacts, at offset: Int, writing name: String) {
    // The bodies that contain the offset are closed. Other unclosed ones are missing their braces.
    let outer = facts.tree.path(writingAt: offset)
    let open = outer.count { [.body, .keyframes].contains(facts.tree.nodes[$0].kind) }
    // A line that starts in the first column does not continue the one above.
    let bytes = facts.source.bytes
    let isLine =
      !name.isEmpty && offset > 0 && SourceFile.endsLine(bytes, at: offset - 1)
    let text =
      Array(bytes[..<offset]) + Array((isLine ? ";" + name : name).utf8)
      + Array(("\n" + String(repeating: "}", count: open)).utf8)
    tree = parse(SourceFile(id: FileID(0), name: "", bytes: text)).tree
    token = tree.token(at: offset + (isLine ? 1 : 0))
    path = tree.path(at: offset + (isLine ? 2 : 1))
    let call = facts.tree.path(at: offset).last { facts.tree.nodes[$0].kind == .call }
    later = call.map { facts.tree.names(ofArguments: $0, after: offset) } ?? []
  }

  // MARK: Nodes

  private func kind(_ index: Int) -> SyntaxKind? {
    path.indices.contains(index) ? tree.nodes[path[index]].kind : nil
  }

  private func firstToken(_ node: Int) -> Int { Int(tree.nodes[node].firstToken) }

  private func text(_ token: Int) -> String { tree.text(ofToken: token) }

  /// Returns the last token before another that is neither white space nor a comment.
  private func token(before token: Int) -> Int? {
    tree.tokens[..<token].lastIndex { !$0.kind.isTrivia || $0.kind == .newline }
  }

  /// Returns the kind of the innermost element or declaration whose body contains a node of the
  /// path, as in `Cursor.Wanted.item`, or `nil` at the top level.
  private func owner(before index: Int) -> String? {
    guard let place = path[..<index].lastIndex(where: { Site.owners[tree.nodes[$0].kind] != nil }),
      let known = Site.owners[tree.nodes[path[place]].kind]
    else { return nil }
    guard known.isEmpty else { return known }
    let words = tree.children(of: path[place]).filter { tree.nodes[$0].kind != .body }
      .map { tree.nodes[$0].endToken }.map { text(Int($0) - 1) }
    guard let word = words.first else { return nil }
    if word == "audio", owner(before: place) == "output" { return ElementKind.soundTrack.rawValue }
    return words.starts(with: ["each", "part"]) ? Cursor.eachPart : word
  }

  /// The declarations with bodies; an element has the kind that it names.
  private static let owners: [SyntaxKind: String] = [
    .element: "", .componentDecl: "component", .styleDecl: "style", .effectDecl: "effect",
    .transitionDecl: "transition", .filterDecl: "filter", .paintDecl: "paint",
  ]

  /// Returns the owner of properties, which is `part` for `each part`.
  private func host(before index: Int) -> String {
    let owner = owner(before: index) ?? ""
    return owner == Cursor.eachPart ? ElementKind.part.rawValue : owner
  }

  // MARK: Answers

  /// The expected syntax instead of the placeholder.
  var wanted: Cursor.Wanted {
    let last = path.count - 1
    switch kind(last) {
    case .name: return wantedName(last)
    case .reference, .error: return wantedValue(last)
    default: return wantedAfter(last)
    }
  }

  private func wantedName(_ index: Int) -> Cursor.Wanted {
    switch kind(index - 1) {
    case .qualifiedName where firstToken(path[index - 1]) < token:
      return .member(of: [.name(text(firstToken(path[index - 1])))])
    case .member:
      return .member(of: tree.children(of: path[index - 1]).first.flatMap(steps) ?? [])
    case .qualifiedName:
      let element = index - 2
      return owner(before: element).map { .item(of: $0, given: given(before: element)) }
        ?? .declaration
    case .element where text(firstToken(path[index - 1])) == ElementKind.each.rawValue:
      return .each(of: owner(before: index - 1) ?? "")
    case .type: return .type
    default: return .nothing
    }
  }

  /// Returns the parts of a name, or `nil` for another expression.
  private func steps(of node: Int) -> [Cursor.Step]? {
    let parts = tree.children(of: node)
    switch tree.nodes[node].kind {
    case .reference, .name: return [.name(text(firstToken(node)))]
    case .member:
      guard parts.count == 2, let base = steps(of: parts[0]) else { return nil }
      return base + [.name(text(firstToken(parts[1])))]
    case .index: return parts.first.flatMap(steps).map { $0 + [.item] }
    default: return nil
    }
  }

  /// Returns the properties that the body around an item sets before it.
  private func given(before index: Int) -> [String] {
    guard let body = path[..<index].last(where: { tree.nodes[$0].kind == .body }) else { return [] }
    return tree.children(of: body).filter { tree.nodes[$0].kind == .property }
      .map { text(firstToken($0)) }
  }

  /// Returns the expected syntax of a value.
  private func wantedValue(_ leaf: Int) -> Cursor.Wanted {
    var isOperand = false
    for index in path[..<leaf].indices.reversed() {
      let node = path[index]
      switch tree.nodes[node].kind {
      case .clause: return text(firstToken(node)) == "with" ? .easing : .expression
      case .unary: isOperand = true
      case .binary: isOperand = isOperand || isComputed(node)
      case .argument:
        switch kind(index - 1) {
        case .call: return .argument(argument(node, of: path[index - 1]))
        case .segment:
          let isFirst = token(before: token) == firstToken(path[index - 1])
          return isFirst ? .segment : .expression
        default: return .expression
        }
      case .property:
        return isOperand
          ? .expression : .value(property: text(firstToken(node)), of: host(before: index))
      case .key:
        guard tree.children(of: node).first != path[index + 1] else { return .nothing }
        guard !isOperand, let property = path[..<index].lastIndex(where: isProperty) else {
          return .expression
        }
        return .value(
          property: text(firstToken(path[property])), of: host(before: property))
      case .target: return .element
      case .expectation:
        return isOperand || index + 1 < leaf
          ? .expression
          : .item(of: ElementKind.expect.rawValue, given: given(before: index))
      case .interpolation, .paren, .pair, .record, .index, .initializer, .bound, .keyFor, .forItem,
        .ifItem, .segment:
        return .expression
      case .comprehension where !isInValue(index): return .expression
      default: continue
      }
    }
    return .nothing
  }

  private func isProperty(_ node: Int) -> Bool { tree.nodes[node].kind == .property }

  /// Returns whether the placeholder is in the value of a comprehension, not in its list or
  /// condition.
  private func isInValue(_ comprehension: Int) -> Bool {
    guard kind(comprehension) == .comprehension else { return false }
    return tree.children(of: path[comprehension]).last == path[comprehension + 1]
      && text(token(before: firstToken(path[comprehension + 1])) ?? 0) == ":"
  }

  /// Returns whether a binary operator computes a value, unlike `and`, `or` and `!=`, between which
  /// words are expected.
  private func isComputed(_ binary: Int) -> Bool {
    guard let right = tree.children(of: binary).last,
      let operation = token(before: firstToken(right))
    else { return false }
    let kind = tree.tokens[operation].kind
    return kind.isArithmetic || [.less, .greater, .equalEqual].contains(kind)
  }

  /// Returns the expected syntax after a complete item: a clause of its motion, or another item.
  private func wantedAfter(_ index: Int) -> Cursor.Wanted {
    let last = tree.children(of: path[index]).last { firstToken($0) < token }
    let before = token(before: token).map { tree.tokens[$0].kind }
    switch kind(index) {
    case .keyframes:
      guard let last, tree.nodes[last].kind == .key, before != .newline, before != .semicolon,
        !lacksBranch(last)
      else { return .nothing }
      return clauses(of: last).isEmpty ? .item(of: "->", given: ["over", "after"]) : .nothing
    case .file, .body:
      let isNew = before == nil || before == .newline || before == .semicolon
      if isNew || before == .leftBrace || last.map(isBlock) == true {
        return owner(before: index + 1).map { .item(of: $0, given: given(before: index + 1)) }
          ?? .declaration
      }
      guard let last, isBalanced(last), !lacksBranch(last), precedesDirectly(last) else {
        return .nothing
      }
      return wantedClause(of: last)
    default: return .nothing
    }
  }

  /// Returns whether another item may follow a node on the same line.
  private func isBlock(_ node: Int) -> Bool {
    let kind = tree.nodes[node].kind
    guard Site.owners[kind] != nil || kind == .forItem || kind == .ifItem else { return false }
    return token(before: token).map { tree.tokens[$0].kind } == .rightBrace
  }

  /// Returns whether only white space separates a node from the placeholder.
  private func precedesDirectly(_ node: Int) -> Bool {
    token(before: token) == Int(tree.nodes[node].endToken) - 1
  }

  /// Returns whether all brackets between the start of a node and the placeholder are closed.
  private func isBalanced(_ node: Int) -> Bool {
    tree.tokens[firstToken(node)..<token].reduce(0) { depth, token in
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace: depth + 1
      case .rightParen, .rightBracket, .rightBrace: depth - 1
      default: depth
      }
    } == 0
  }

  /// Returns whether a node ends with a condition without its second branch.
  private func lacksBranch(_ node: Int) -> Bool {
    let children = tree.children(of: node)
    if tree.nodes[node].kind == .conditional, children.count < 3 { return true }
    return children.last.map(lacksBranch) ?? false
  }

  /// Returns the expected syntax after an item: a clause that its motion or effect does not have
  /// yet.
  private func wantedClause(of item: Int) -> Cursor.Wanted {
    guard var value = tree.children(of: item).last else { return .nothing }
    if tree.nodes[value].kind == .initializer { value = tree.children(of: value).last ?? value }
    let isEffect =
      tree.nodes[item].kind == .property
      && ["enter", "exit", "transition"].contains(text(firstToken(item)))
    switch tree.nodes[value].kind {
    case .tween:
      let leg = tree.children(of: value).last ?? value
      return .item(of: "->", given: clauses(of: leg))
    case _ where isEffect: return .item(of: "->", given: clauses(of: value))
    default: return .nothing
    }
  }

  private func clauses(of node: Int) -> [String] {
    tree.children(of: node).filter { tree.nodes[$0].kind == .clause }.map { text(firstToken($0)) }
  }

  private func argument(_ node: Int, of call: Int) -> Cursor.Argument {
    let before = tree.children(of: call).filter {
      tree.nodes[$0].kind == .argument && firstToken($0) < firstToken(node)
    }
    let named = before.compactMap(tree.name(ofArgument:))
    let own = tree.name(ofArgument: node)
    return Cursor.Argument(
      function: tree.callee(of: call), index: before.count, unnamed: before.count - named.count,
      given: named + (own.map { [$0] } ?? []) + later, name: own,
      isBegun: firstToken(node) != token)
  }

  /// The expected syntax in a string in place of the placeholder: a file path if an element,
  /// function or import reads one, or the id of an SVG part.
  var wantedInString: Cursor.Wanted {
    let before = token(before: token).map(text)
    if before == "import" { return .file(of: "import") }
    for index in path.indices.reversed() {
      let node = path[index]
      let reader: String
      switch tree.nodes[node].kind {
      case .index: return .part
      case .call: reader = tree.callee(of: node)
      case .property: reader = text(firstToken(node))
      case .element where kind(index + 1) == .name: reader = text(firstToken(node))
      case .body, .file, .keyframes: return .nothing
      default: continue
      }
      if reader == ElementKind.part.rawValue { return .part }
      return Site.readers.contains(reader) ? .file(of: reader) : .nothing
    }
    return .nothing
  }

  /// The elements, functions and properties that read files.
  private static let readers: Set<String> = [
    "image", "svg", "video", "audio", "captions", "brush", "data", "lut", "pattern",
    "source", "font",
  ]

  /// The expected unit of a number in place of the placeholder.
  var wantedUnit: Cursor.Wanted {
    if let word = token(before: token).map(text), ["over", "after"].contains(word) {
      return .unit(property: Property.for.name, of: "")
    }
    guard case .value(let property, let kind) = wanted else { return .unit(property: nil, of: "") }
    return .unit(property: property, of: kind)
  }

  // MARK: Calls

  /// Returns the argument that contains an offset, including offsets after or inside its value;
  /// `nil` outside calls.
  static func argument(_ facts: FileFacts, at offset: Int) -> Cursor.Argument? {
    guard facts.isInCode(offset) else { return nil }
    let site = Site(facts, at: offset, writing: "")
    let tree = site.tree
    let calls = tree.nodes.indices.filter { tree.nodes[$0].kind == .call }
    // The call that begins last is the innermost one.
    let open = calls.filter { site.isOpen($0, upTo: offset) }
    guard let call = open.max(by: { site.opening(of: $0) < site.opening(of: $1) }) else {
      return nil
    }
    let arguments = tree.children(of: call).filter { tree.nodes[$0].kind == .argument }
    let opening = site.opening(of: call)
    let commas = site.commas(after: opening, before: offset)
    let before = arguments.prefix(commas)
    let own = arguments.dropFirst(commas).first
    let named = before.compactMap(tree.name(ofArgument:))
    let name = own.flatMap(tree.name(ofArgument:))
    return Cursor.Argument(
      function: tree.callee(of: call), index: commas, unnamed: commas - named.count,
      given: named + (name.map { [$0] } ?? []) + site.later, name: name, isBegun: own != nil)
  }

  /// Returns the keyword of the path segment that contains an offset, and the number of preceding
  /// points; `nil` outside path segments.
  static func step(_ facts: FileFacts, at offset: Int) -> (word: String, index: Int)? {
    guard facts.isInCode(offset) else { return nil }
    let site = Site(facts, at: offset, writing: "")
    let tree = site.tree
    guard let last = site.token(before: tree.token(at: offset)),
      let segment = tree.nodes.indices.last(where: {
        tree.nodes[$0].kind == .segment && Int(tree.nodes[$0].firstToken) <= last
          && last < Int(tree.nodes[$0].endToken)
      }), tree.range(ofToken: site.firstToken(segment)).upperBound < offset
    else { return nil }
    return (
      site.text(site.firstToken(segment)),
      site.commas(after: site.firstToken(segment), before: offset)
    )
  }

  /// Returns the token of a call's opening parenthesis.
  private func opening(of call: Int) -> Int {
    let callee = tree.children(of: call).first ?? call
    return Int(tree.nodes[callee].endToken)
  }

  /// Returns whether an offset is inside the parentheses of a call.
  private func isOpen(_ call: Int, upTo offset: Int) -> Bool {
    let opening = opening(of: call)
    guard tree.range(ofToken: opening).upperBound <= offset else { return false }
    var depth = 0
    for token in tree.tokens[opening...] where Int(token.start) < offset {
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace, .interpolationStart: depth += 1
      case .rightParen, .rightBracket, .rightBrace, .interpolationEnd: depth -= 1
      default: break
      }
      if depth == 0 { return false }
    }
    return true
  }

  /// Returns the number of commas between a token and an offset that are not in inner brackets.
  private func commas(after first: Int, before offset: Int) -> Int {
    var (depth, count) = (0, 0)
    for token in tree.tokens[(first + 1)...] where Int(token.start) < offset {
      switch token.kind {
      case .leftParen, .leftBracket, .leftBrace, .interpolationStart: depth += 1
      case .rightParen, .rightBracket, .rightBrace, .interpolationEnd: depth -= 1
      case .comma where depth == 0: count += 1
      default: break
      }
    }
    return count
  }
}

extension FileFacts {
  /// Returns whether an offset is neither in a comment nor in the text of a string.
  fileprivate func isInCode(_ offset: Int) -> Bool {
    guard offset > 0, !tree.tokens.isEmpty else { return false }
    switch tree.tokens[tree.token(at: offset - 1)].kind {
    case .stringStart, .stringText, .lineComment, .docComment, .blockComment: return false
    default: return true
    }
  }
}

extension SyntaxTree {
  /// Returns the last name of a call's callee.
  fileprivate func callee(of call: Int) -> String {
    children(of: call).first.map { text(ofToken: Int(nodes[$0].endToken) - 1) } ?? ""
  }

  func name(ofArgument argument: Int) -> String? {
    guard let name = children(of: argument).first, nodes[name].kind == .name else { return nil }
    return text(ofToken: Int(nodes[name].firstToken))
  }

  /// Returns the names of a call's arguments that begin after an offset.
  fileprivate func names(ofArguments call: Int, after offset: Int) -> [String] {
    children(of: call).filter { nodes[$0].kind == .argument && span(of: $0).start > offset }
      .compactMap(name)
  }
}
