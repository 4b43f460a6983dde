// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneEditing
import SceneGraphics
import SceneJSON
import SceneText

// Requests for information shown in and beside the text.
extension LanguageServer {
  // MARK: Diagnostics

  func json(_ diagnostic: Diagnostic, in scene: CheckedScene) -> JSON {
    let file = Int(diagnostic.span.file.rawValue)
    guard scene.sources.indices.contains(file) else { return .null }
    let source = scene.sources[file]
    var text = diagnostic.message
    if !diagnostic.label.isEmpty { text += "\n" + diagnostic.label }
    var related: [JSON] = []
    for note in diagnostic.notes {
      let head = note.isHelp ? "\nhelp: " : "\n"
      guard let span = note.span, scene.sources.indices.contains(Int(span.file.rawValue)) else {
        text += head + note.message
        continue
      }
      let other = scene.sources[Int(span.file.rawValue)]
      guard client.takesRelated, !other.name.hasPrefix("std/") else {
        text += "\(head)\(note.message) (line \(other.position(at: span.start).line))"
        continue
      }
      related.append(self.related(note.message, at: span, in: scene))
    }
    // As on a terminal, fixes are part of the message, since an editor may not show them with it.
    for fix in diagnostic.fixIts { text += "\nhelp: \(fix.message)" }
    text = Settings.inPlaceOfOptions(text)
    var range = diagnostic.span.start..<diagnostic.span.end
    if range.isEmpty { range = source.word(at: range.lowerBound) }
    var it: [String: JSON] = [
      "range": source.json(range, documents.encoding),
      "severity": .int(diagnostic.severity == .error ? 1 : 2),
      "code": .string(diagnostic.code.rawValue), "source": "scenec", "message": .string(text),
    ]
    if !related.isEmpty { it["relatedInformation"] = .array(related) }
    if client.takesLinks, let page = world.page(of: diagnostic.code) {
      it["codeDescription"] = ["href": .string(FileURI.uri(page))]
    }
    if client.takesTags, diagnostic.code == .unusedName { it["tags"] = [1] }
    return .object(it)
  }

  // MARK: Outline

  func documentSymbols(_ question: Question) throws(RequestError) -> JSON {
    func json(_ entry: OutlineEntry) -> JSON {
      var it: [String: JSON] = [
        "name": .string(entry.name), "kind": .int(entry.kind.number),
        "range": question.range(entry.whole), "selectionRange": question.range(entry.head),
      ]
      if !entry.detail.isEmpty { it["detail"] = .string(entry.detail) }
      if !entry.children.isEmpty { it["children"] = .array(entry.children.map(json)) }
      return .object(it)
    }
    guard !client.takesNestedSymbols else { return .array(question.facts.outline.map(json)) }
    var flat: [JSON] = []
    func visit(_ entry: OutlineEntry, _ container: String?) {
      var it: [String: JSON] = [
        "name": .string(entry.name), "kind": .int(entry.kind.number),
        "location": ["uri": .string(question.uri), "range": question.range(entry.whole)],
      ]
      if let container { it["containerName"] = .string(container) }
      flat.append(.object(it))
      for child in entry.children { visit(child, entry.name) }
    }
    for entry in question.facts.outline { visit(entry, nil) }
    return .array(flat)
  }

  func folding(_ question: Question) throws(RequestError) -> JSON {
    .array(
      question.facts.folds.map { lines, kind in
        var it: [String: JSON] = [
          "startLine": .int(lines.lowerBound), "endLine": .int(lines.upperBound),
        ]
        if kind != .body { it["kind"] = .string("\(kind)") }
        return .object(it)
      })
  }

  func selections(_ question: Question) throws(RequestError) -> JSON {
    .array(
      question.parameters["positions"].array.map { json in
        let offset = Position(json).map { question.source.offset(of: $0, question.encoding) } ?? 0
        var it = JSON.null
        for range in question.facts.selections(at: offset).reversed() {
          it =
            it.isNull
            ? ["range": question.range(range)] : ["range": question.range(range), "parent": it]
        }
        return it
      })
  }

  // MARK: Semantic tokens

  private func data(_ question: Question, in range: Range<Int>? = nil) -> [Int] {
    var data: [Int] = []
    var last = Position(0, 0)
    for token in workspace.tokens(of: question.key)
    where range.map({ $0.overlaps(token.range) }) ?? true {
      let start = question.source.position(of: token.range.lowerBound, question.encoding)
      let end = question.source.position(of: token.range.upperBound, question.encoding)
      guard start.line == end.line else { continue }
      let modifiers =
        (token.isDeclaration ? 1 : 0) + (token.isConstant ? 2 : 0) + (token.isBuiltIn ? 4 : 0)
      data += [
        start.line - last.line,
        start.line == last.line ? start.character - last.character : start.character,
        end.character - start.character, token.kind.rawValue, modifiers,
      ]
      last = start
    }
    return data
  }

  /// Returns the tokens of the whole text, regardless of its size; clients can request ranges.
  func semanticTokens(_ question: Question) throws(RequestError) -> JSON {
    let data = data(question)
    lastTokens += 1
    sentTokens[question.uri] = ("\(lastTokens)", data)
    return ["resultId": .string("\(lastTokens)"), "data": .array(data.map(JSON.int))]
  }

  func semanticTokensInRange(_ question: Question) throws(RequestError) -> JSON {
    guard
      let range = Document.range(
        question.parameters["range"], in: question.source, encoding: question.encoding)
    else { throw RequestError(code: .invalidParameters, text: "'range' is missing") }
    return ["data": .array(data(question, in: range).map(JSON.int))]
  }

  func semanticTokensDelta(_ question: Question) throws(RequestError) -> JSON {
    guard let old = sentTokens[question.uri],
      old.id == question.parameters["previousResultId"].string
    else { return try semanticTokens(question) }
    let data = data(question)
    lastTokens += 1
    sentTokens[question.uri] = ("\(lastTokens)", data)
    var first = 0
    while first < min(old.data.count, data.count), old.data[first] == data[first] { first += 1 }
    var end = 0
    while end < min(old.data.count, data.count) - first,
      old.data[old.data.count - 1 - end] == data[data.count - 1 - end]
    {
      end += 1
    }
    let isSame = first == data.count && first == old.data.count
    let edit: JSON = [
      "start": .int(first), "deleteCount": .int(old.data.count - first - end),
      "data": .array(data[first..<(data.count - end)].map(JSON.int)),
    ]
    return ["resultId": .string("\(lastTokens)"), "edits": isSame ? [] : [edit]]
  }

  // MARK: Colors, links, hints

  func colors(_ question: Question) throws(RequestError) -> JSON {
    .array(
      question.facts.colors.map { place in
        [
          "range": question.range(place.range),
          "color": [
            "red": .double(place.color.red), "green": .double(place.color.green),
            "blue": .double(place.color.blue), "alpha": .double(place.color.alpha),
          ],
        ]
      })
  }

  func colorForms(_ question: Question) throws(RequestError) -> JSON {
    let it = question.parameters["color"]
    func part(_ name: String) -> Double {
      switch it[name] {
      case .double(let value): value
      case .int(let value): Double(value)
      default: 1
      }
    }
    guard
      let range = Document.range(
        question.parameters["range"], in: question.source, encoding: question.encoding)
    else {
      throw RequestError(code: .invalidParameters, text: "'range' is missing")
    }
    let color = Color(
      red: part("red"), green: part("green"), blue: part("blue"), alpha: part("alpha"))
    return .array(question.facts.forms(of: color, at: range).map { ["label": .string($0)] })
  }

  /// Returns the URI of a file that a text refers to.
  func target(of link: FileLink, _ question: Question) -> String? {
    if link.path.hasPrefix("std/") {
      guard let facts = workspace.files[link.path],
        let path = world.libraryFile(String(link.path.dropFirst(4)), facts.source.bytes)
      else { return nil }
      return FileURI.uri(path)
    }
    guard !link.path.contains("*"), let own = FileURI.path(question.uri) else { return nil }
    return FileURI.uri(FileURI.path(link.path, besides: own))
  }

  func links(_ question: Question) throws(RequestError) -> JSON {
    .array(
      question.facts.fileLinks.compactMap { link in
        target(of: link, question).map {
          ["range": question.range(link.range), "target": .string($0)]
        }
      })
  }

  func hints(_ question: Question) throws(RequestError) -> JSON {
    settle(question.uri)
    let wanted = Document.range(
      question.parameters["range"], in: question.source, encoding: question.encoding)
    let hints: [InlayHint]
    if findings(of: question.uri) == nil, let old = sentHints[question.uri],
      let moved = old.moved(to: question.source)
    {
      // Unchanged lines keep their hints until new ones are available.
      hints = moved
    } else {
      hints = workspace.hints(in: question.key, findings(of: question.uri), settings.hints)
      sentHints[question.uri] = KeptHints(source: question.source, hints: hints)
    }
    let first = wanted?.lowerBound ?? 0
    let last = wanted?.upperBound ?? .max
    return .array(
      hints.filter { first <= $0.offset && $0.offset <= last }.map {
        var it: [String: JSON] = [
          "position": question.source.position(of: $0.offset, question.encoding).json,
          "label": .string($0.text),
        ]
        it[$0.kind == .parameters ? "paddingRight" : "paddingLeft"] = .bool($0.kind != .types)
        if $0.kind == .types { it["kind"] = 1 }
        if $0.kind == .parameters { it["kind"] = 2 }
        return .object(it)
      })
  }

  /// Returns the commands for each scene of a file, and a summary of the built scene.
  func lenses(_ question: Question) throws(RequestError) -> JSON {
    let uri = question.uri
    settle(uri)
    let scenes = question.facts.outline.filter { $0.kind == .scene }
    let findings = findings(of: uri)
    var list: [JSON] = []
    for entry in scenes {
      let range = question.range(entry.head)
      func add(_ title: String, _ command: String) {
        list.append([
          "range": range,
          "command": [
            "title": .string(title), "command": .string(command),
            "arguments": [["uri": .string(uri)]],
          ],
        ])
      }
      // The last scene of a file is the one that is built.
      guard entry == scenes.last else { continue }
      add("Preview", "scenec.openPreview")
      add("Build", "scenec.build")
      if let facts = findings?.summary { add(facts, "") }
    }
    return .array(list)
  }
}

/// The inlay hints of a checked text.
struct KeptHints {
  let source: SourceFile
  let hints: [InlayHint]

  /// Returns the hints shifted to a newer text, without those on changed lines.
  func moved(to new: SourceFile) -> [InlayHint]? {
    let (old, bytes) = (source.bytes, new.bytes)
    let first = zip(old, bytes).prefix { $0 == $1 }.count
    let last = zip(old[first...].reversed(), bytes[first...].reversed()).prefix { $0 == $1 }.count
    let (from, to) = (source.lineIndex(at: first), source.lineIndex(at: old.count - last))
    return hints.compactMap { hint in
      let line = source.lineIndex(at: hint.offset)
      if line < from { return hint }
      if line <= to { return nil }
      return InlayHint(
        offset: hint.offset + bytes.count - old.count, text: hint.text, kind: hint.kind)
    }
  }
}

// MARK: Conversions

extension SourceFile {
  /// Returns a nonempty range to underline at an offset: the word that begins there or, at the end
  /// of a line, the last word before it.
  fileprivate func word(at offset: Int) -> Range<Int> {
    func isPart(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    // An offset from another version may be beyond the end.
    let offset = min(max(0, offset), bytes.count)
    let line = lineRange(lineIndex(at: offset))
    var (start, end) = (offset, offset)
    guard offset >= line.upperBound || isBlank(bytes[offset]) else {
      while end < line.upperBound, isPart(bytes[end]) { end += 1 }
      return offset..<max(end, offset + 1)
    }
    while start > line.lowerBound, isBlank(bytes[start - 1]) { start -= 1 }
    let last = start
    while start > line.lowerBound, isPart(bytes[start - 1]) { start -= 1 }
    if start == last, start > line.lowerBound { start -= 1 }
    // On a line without words, use the end of the line.
    if start == line.lowerBound, start == last { return offset..<min(offset + 1, bytes.count) }
    return start..<offset
  }

  func json(_ range: Range<Int>, _ encoding: PositionEncoding) -> JSON {
    [
      "start": position(of: range.lowerBound, encoding).json,
      "end": position(of: range.upperBound, encoding).json,
    ]
  }

  func json(_ edit: TextEdit, _ encoding: PositionEncoding) -> JSON {
    ["range": json(edit.range, encoding), "newText": .string(edit.text)]
  }
}

extension OutlineEntry.Kind {
  /// The value of the protocol's `SymbolKind`.
  var number: Int {
    switch self {
    case .file: 2
    case .scene, .component: 5
    case .style: 23
    case .effect, .transition, .function: 12
    case .constant: 14
    case .param: 13
    case .element: 19
    }
  }
}

extension CompletionItem.Kind {
  /// The value of the protocol's `CompletionItemKind`.
  var number: Int {
    switch self {
    case .property: 10
    case .element, .component: 7
    case .function: 3
    case .variable: 6
    case .word, .code: 20
    case .color: 16
    case .unit: 11
    case .keyword: 14
    case .file: 17
    case .type: 25
    case .member: 5
    case .easing: 21
    }
  }
}

extension String {
  /// Returns whether the string contains the letters of a query in order.
  func holds(_ query: String) -> Bool {
    var rest = lowercased()[...]
    for letter in query.lowercased() {
      guard let place = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: place)...]
    }
    return true
  }
}
