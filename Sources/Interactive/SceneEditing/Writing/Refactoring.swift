// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

// Refactorings that preserve the meaning of a scene: extracting and inlining values.
extension Workspace {
  /// Returns the edits that extract the selected expression to a `let`; `nil` if that would change
  /// its meaning.
  package func extraction(of selected: Range<Int>, in file: String) -> OfferedChange? {
    guard let facts = files[file], facts.parsed.diagnostics.isEmpty, !selected.isEmpty,
      let node = facts.expression(at: selected), let item = facts.item(around: node)
    else { return nil }
    let span = facts.tree.span(of: node)
    let uses = facts.index.uses.filter { span.start <= $0.span.start && $0.span.end <= span.end }
    // An enumeration word is only valid in its original position.
    guard !uses.contains(where: { $0.meaning == .builtIn && !Workspace.isOfElement($0.name) }),
      !facts.isWord(node)
    else { return nil }
    let name = freeName(in: facts, at: span.start)
    let start = facts.tree.span(of: item).start
    let value = facts.source.text(span)
    let gap = facts.gap(before: start)
    let edits = [
      TextEdit(start..<start, "let \(name) = \(value)\(gap)"),
      TextEdit(span.start..<span.end, name),
    ]
    let change = OfferedChange(
      title: "extract into a 'let'", edits: edits, diagnostic: nil, isPreferred: false,
      kind: .extract)
    // The names in the expression must have the same meaning before the item.
    let shift = edits[0].text.utf8.count
    guard let after = edited(change, file), after.files[file]?.parsed.diagnostics.isEmpty == true
    else { return nil }
    let first = start + "let \(name) = ".utf8.count
    for use in uses {
      let place = first + use.span.start - span.start
      guard
        let moved = after.files[file]?.index.uses.first(where: { $0.span.start == place }),
        target(of: use, in: file, movedBy: 0, before: start)
          == after.target(of: moved, in: file, movedBy: shift, before: start)
      else { return nil }
    }
    return change
  }

  /// Returns the edits that replace all uses of the `let` at an offset with its value, and remove
  /// the declaration. Returns `nil` if this could change the meaning.
  package func inlining(at offset: Int, in file: String) -> OfferedChange? {
    guard let found = symbol(at: offset, in: file), found.target.file == file,
      let facts = files[file], facts.parsed.diagnostics.isEmpty,
      let symbol = declared(found.target), symbol.kind == .constant
    else { return nil }
    let whole = facts.index.whole(of: found.target.symbol)
    let places = references(of: found.target, withDeclaration: false)
    guard !places.isEmpty, places.allSatisfy({ $0.file == file }),
      let declaration = facts.tree.path(at: whole.start).last(where: {
        facts.tree.nodes[$0].kind == .letDecl && facts.tree.span(of: $0) == whole
      }),
      let initializer = facts.tree.children(of: declaration).last,
      let value = facts.tree.nodes[initializer].kind == .initializer
        ? facts.tree.children(of: initializer).first : initializer
    else { return nil }
    // The clock and names of the enclosing element may differ between the uses.
    let home = facts.element(around: whole.start)
    let isFixed = facts.isFixed(value)
    guard
      isFixed
        || (home != nil && places.allSatisfy { facts.element(around: $0.range.lowerBound) == home })
    else { return nil }
    let span = facts.tree.span(of: value)
    let text = facts.source.text(span)
    let plain: Set<SyntaxKind> = [
      .number, .color, .string, .reference, .call, .paren, .pair, .list, .bool, .noneLiteral,
      .member,
      .index, .pairLiteral,
    ]
    let written = plain.contains(facts.tree.nodes[value].kind) ? text : "(\(text))"
    var line = facts.wholeLine(around: whole.start..<whole.end)
    // The doc comment is removed with the declaration.
    let said = facts.index.documentation(of: found.target.symbol).split(
      separator: "\n", omittingEmptySubsequences: false
    ).count
    if !facts.index.documentation(of: found.target.symbol).isEmpty {
      let first = max(0, facts.source.lineIndex(at: line.lowerBound) - said)
      line = facts.source.lineStarts[first]..<line.upperBound
    }
    let change = OfferedChange(
      title: "inline '\(symbol.name.text)'",
      edits: [TextEdit(line, "")] + places.map { TextEdit($0.range, written) }, diagnostic: nil,
      isPreferred: false, kind: .inline)
    guard let after = edited(change, file), after.files[file]?.parsed.diagnostics.isEmpty == true
    else { return nil }
    // The names in the value must have the same meaning at every new location.
    let names = facts.index.uses.filter { span.start <= $0.span.start && $0.span.end <= span.end }
    let fixed = names.map { target(of: $0, in: file, movedBy: 0, before: .max)?.name }
    let expected = facts.index.uses.count - places.count + names.count * (places.count - 1)
    guard let index = after.files[file]?.index, index.uses.count == expected else { return nil }
    for (use, name) in zip(names, fixed) {
      let again = index.uses.filter { $0.name == use.name }
      guard
        again.allSatisfy({ after.target(of: $0, in: file, movedBy: 0, before: .max)?.name == name })
      else { return nil }
    }
    return change
  }

  /// The meaning of a name: its file, name and declaration offset.
  private struct Meaning: Equatable {
    let file: String
    let name: String
    let place: Int
  }

  private func target(
    of use: NameIndex.Use, in file: String, movedBy shift: Int, before start: Int
  ) -> Meaning? {
    guard let target = links.target(of: use, in: file), let symbol = declared(target) else {
      return nil
    }
    let place = symbol.name.span.start
    return Meaning(
      file: target.file, name: symbol.name.text,
      place: start == .max ? 0 : target.file == file && place >= start ? place - shift : place)
  }

  /// Returns whether a word is defined by an element for its body, so that it means the same in a
  /// `let` of that body.
  private static func isOfElement(_ name: String) -> Bool {
    ["t", "start", "end", "duration", "progress", "scene-time", "origin"].contains(name)
      || BuiltIn.all[name] != nil
  }

  private func edited(_ change: OfferedChange, _ file: String) -> Workspace? {
    guard let facts = files[file] else { return nil }
    return replacing(
      file, FileFacts(change.edits.applied(to: facts.source.bytes), name: facts.source.name))
  }

  /// Returns an unused name.
  private func freeName(in facts: FileFacts, at offset: Int) -> String {
    let taken = Set(facts.index.symbols.map(\.name.text)).union(facts.index.uses.map(\.name))
    return (["value"] + (2...1000).map { "value\($0)" }).first { !taken.contains($0) } ?? "value"
  }

  // MARK: Imports

  /// Returns edits that import possible definitions of an unknown name, from the library and the
  /// workspace.
  package func importing(_ name: String, in file: String) -> [OfferedChange] {
    guard let facts = files[file] else { return [] }
    let known = Set(imports(of: file) + [file])
    return files.keys.sorted {
      ($0.hasPrefix("std/") ? 0 : 1, $0) < ($1.hasPrefix("std/") ? 0 : 1, $1)
    }
    .filter { path in
      !known.contains(path)
        && files[path]?.index.members(of: nil).contains {
          files[path]?.index.symbols[$0].name.text == name
            && files[path]?.index.symbols[$0].isPrivate == false
            && files[path]?.index.symbols[$0].kind != .file
        } == true
    }.prefix(5).map { path in
      let written = FilePaths.relative(path, from: file)
      return OfferedChange(
        title: "import \"\(written)\"", edits: [facts.importEdit(written)], diagnostic: nil,
        isPreferred: false)
    }
  }
}

/// Conversions between absolute and relative paths.
enum FilePaths {
  /// Returns the relative path from the folder of a file to another file; `std/…` is unchanged.
  static func relative(_ path: String, from file: String) -> String {
    if path.hasPrefix("std/") { return path }
    let to = path.split(separator: "/")
    let from = file.split(separator: "/").dropLast()
    let shared = zip(to.dropLast(), from).prefix { $0 == $1 }.count
    return
      (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared).map(String.init))
      .joined(separator: "/")
  }

  /// Returns the absolute path of a path in a file.
  static func absolute(_ path: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}

extension FileFacts {
  /// Returns the edit that adds an import after the existing ones.
  package func importEdit(_ path: String) -> TextEdit {
    let line = "import \"\(path)\"\n"
    let last = tree.nodes.indices.last { tree.nodes[$0].kind == .importDecl }
    if let last {
      let end = source.lineRange(source.lineIndex(at: tree.span(of: last).end)).upperBound
      let next = source.lineIndex(at: end) + 1
      guard next < source.lineStarts.count else {
        return TextEdit(end..<end, "\n" + line.dropLast())
      }
      return TextEdit(source.lineStarts[next]..<source.lineStarts[next], line)
    }
    // The first import follows the comments at the top of the file.
    var offset = 0
    for token in tree.tokens.indices {
      let kind = tree.tokens[token].kind
      guard [.lineComment, .newline, .whitespace].contains(kind) else { break }
      if kind == .newline { offset = tree.range(ofToken: token).upperBound }
    }
    return TextEdit(offset..<offset, line)
  }

  private static let expressions: Set<SyntaxKind> = [
    .tween, .conditional, .range, .binary, .unary, .call, .member, .index, .number, .pairLiteral,
    .color, .bool, .string, .paren, .pair, .list, .comprehension, .keyframes, .reference,
  ]

  /// Returns the expression that a selection covers exactly, ignoring surrounding white space.
  fileprivate func expression(at selected: Range<Int>) -> Int? {
    var range = selected.clamped(to: 0..<source.bytes.count)
    while let first = range.first, source.bytes[first] <= 32 {
      range = first + 1..<range.upperBound
    }
    while let last = range.last, source.bytes[last] <= 32 { range = range.lowerBound..<last }
    guard !range.isEmpty else { return nil }
    return tree.nodes.indices.first {
      FileFacts.expressions.contains(tree.nodes[$0].kind)
        && tree.span(of: $0).start == range.lowerBound && tree.span(of: $0).end == range.upperBound
    }
  }

  /// Returns the property, `let` or path segment whose value contains an expression, unless there
  /// is a scope with its own names between them.
  fileprivate func item(around node: Int) -> Int? {
    let path = tree.path(at: tree.span(of: node).start)
    guard let place = path.firstIndex(of: node) else { return nil }
    var inner = place
    while inner > 0 {
      inner -= 1
      switch tree.nodes[path[inner]].kind {
      case .property, .segment:
        // A style and effects do not allow `let`.
        let owner = path[..<inner].last {
          tree.nodes[$0].kind != .body && tree.nodes[$0].kind != .forItem
            && tree.nodes[$0].kind != .ifItem
        }
        return owner.map { tree.nodes[$0].kind } == .element ? path[inner] : nil
      case .letDecl: return path[inner]
      case .comprehension, .keyframes, .fnDecl, .paramDecl, .parameter, .element, .body, .styleDecl:
        return nil
      default: continue
      }
    }
    return nil
  }

  /// Returns whether an expression is a single word whose meaning depends on its position.
  fileprivate func isWord(_ node: Int) -> Bool {
    guard tree.nodes[node].kind == .reference else { return false }
    let span = tree.span(of: node)
    return index.uses.first { $0.span == span }.map {
      if case .symbol = $0.meaning { false } else { true }
    } ?? true
  }

  /// Returns the separator between an inserted line and the text at an offset.
  fileprivate func gap(before offset: Int) -> String {
    let line = source.lineRange(source.lineIndex(at: offset))
    let head = source.bytes[line.lowerBound..<offset]
    return head.allSatisfy { $0 == 32 || $0 == 9 }
      ? "\n" + String(decoding: head, as: UTF8.self) : ";  "
  }

  /// Returns the element whose body contains an offset.
  fileprivate func element(around offset: Int) -> Int? {
    tree.path(at: offset).last { tree.nodes[$0].kind == .element }
  }

  /// Returns whether a value is independent of scope and time.
  fileprivate func isFixed(_ node: Int) -> Bool {
    let span = tree.span(of: node)
    let kinds: Set<SyntaxKind> = [.tween, .timed, .keyframes, .member]
    let inner = (node - Int(tree.nodes[node].size) + 1)...node
    if inner.contains(where: { kinds.contains(tree.nodes[$0].kind) }) { return false }
    return index.uses.allSatisfy { use in
      guard span.start <= use.span.start, use.span.end <= span.end else { return true }
      if case .symbol = use.meaning { return false }
      return BuiltIn.all[use.name] != nil
        && !["wave", "wiggle", "noise", "random"].contains(use.name)
    }
  }

  /// Returns the lines of a declaration including the line end, or only the declaration if other
  /// items are on the same lines.
  fileprivate func wholeLine(around range: Range<Int>) -> Range<Int> {
    let first = source.lineRange(source.lineIndex(at: range.lowerBound))
    let lastIndex = source.lineIndex(at: range.upperBound)
    let last = source.lineRange(lastIndex)
    func isBlank(_ part: Range<Int>) -> Bool {
      source.bytes[part].allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 }
    }
    guard isBlank(first.lowerBound..<range.lowerBound) else {
      // Between other items, include the following `;`.
      var end = range.upperBound
      while end < last.upperBound, [32, 9, 59].contains(source.bytes[end]) { end += 1 }
      return range.lowerBound..<end
    }
    if isBlank(range.upperBound..<last.upperBound) {
      let end =
        lastIndex + 1 < source.lineStarts.count
        ? source.lineStarts[lastIndex + 1] : source.bytes.count
      return first.lowerBound..<end
    }
    var end = range.upperBound
    while end < last.upperBound, [32, 9, 59].contains(source.bytes[end]) { end += 1 }
    return range.lowerBound..<end
  }
}
