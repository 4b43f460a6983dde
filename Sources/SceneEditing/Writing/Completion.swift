// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

/// Something that can be written at a place.
package struct CompletionItem: Hashable, Sendable {
  /// What it is, which editors show as a picture.
  package enum Kind: Hashable, Sendable {
    case property, element, component, function, variable, word, color, unit, keyword, file, type
    case member, easing, code
  }

  package let label: String
  package let kind: Kind
  /// A few words beside it.
  package let detail: String
  /// What is inserted, if it is not the label.
  package var insert: String?
  /// Where it stands in the list: 0 is first.
  package var group = 1

  init(_ label: String, _ kind: Kind, _ detail: String = "", insert: String? = nil, group: Int = 1)
  {
    self.label = label
    self.kind = kind
    self.detail = detail
    self.insert = insert
    self.group = group
  }
}

extension Workspace {
  /// What can be written at a byte of a file, and the bytes that it takes the place of. `list` tells
  /// the names of the files below a folder.
  package func completions(at offset: Int, in file: String, files list: () -> [String] = { [] })
    -> (range: Range<Int>, items: [CompletionItem])
  {
    guard let facts = files[file] else { return (offset..<offset, []) }
    let cursor = Cursor(facts, at: offset)
    var items: [CompletionItem]
    switch cursor.wanted {
    case .nothing: items = []
    case .declaration: items = Workspace.declarations
    case .item(let kind, let given):
      items = kind == "->" ? Workspace.clauses : self.items(of: kind, given, offset, file)
    case .value(let name, let kind): items = values(of: name, kind, offset, file)
    case .expression: items = expressions(offset, file)
    case .easing: items = Workspace.easings + functions(giving: .easing)
    case .member(let owner): items = members(of: owner, offset, file)
    case .argument(let function, let index, let given):
      items = arguments(of: function, index, given, offset, file)
    case .unit: items = Workspace.units
    case .type: items = ValueType.declarable.map { CompletionItem($0.rawValue, .type) }
    case .segment: items = ["to", "by"].map { CompletionItem($0, .keyword) }
    case .file(let kind): items = names(of: list(), for: kind)
    case .code: items = Workspace.codes
    }
    var seen: Set<String> = []
    items = items.filter { seen.insert($0.label).inserted }
    return (cursor.word, items.sorted { ($0.group, $0.label) < ($1.group, $1.label) })
  }

  // MARK: Tables

  private static let declarations: [CompletionItem] = [
    ("scene", "what becomes a video"), ("component", "an element that you make"),
    ("param", "a value that is given from outside"), ("let", "a name for a value"),
    ("fn", "a function"), ("import", "names of another file"), ("style", "properties with a name"),
    ("effect", "how elements appear and disappear"),
    ("transition", "how one clip gives way to the next"),
  ].map { CompletionItem($0.0, .keyword, $0.1) }

  private static let clauses = [
    ("over", "how long it takes"), ("after", "how long it waits"), ("with", "its easing"),
  ].map { CompletionItem($0.0, .keyword, $0.1) }

  private static let easings = NamedValues.easings.map { CompletionItem($0, .easing) }

  private static let units = [
    ("s", "seconds"), ("ms", "milliseconds"), ("f", "frames"), ("min", "minutes"),
    ("beat", "beats of 'tempo'"), ("px", "pixels"), ("%", "a share"), ("deg", "degrees"),
    ("rad", "radians"), ("turn", "turns"), ("dB", "decibels"), ("Hz", "frequency"),
    ("kHz", "frequency"), ("kbps", "bit rate"), ("Mbps", "bit rate"),
  ].map { CompletionItem($0.0, .unit, $0.1) }

  private static let codes = Code.allCases.filter { $0.severity == .warning }
    .map { CompletionItem($0.rawValue, .code, Explanation.of($0).title) }

  // MARK: Items of a body

  private func items(of kind: String, _ given: [String], _ offset: Int, _ file: String)
    -> [CompletionItem]
  {
    var items: [CompletionItem] = []
    var element = ElementKind(rawValue: kind)
    if element == nil, let component = self.component(kind, offset, file) {
      element = .group
      for symbol in files[component.file]?.index.members(of: component.symbol) ?? [] {
        guard let it = files[component.file]?.index.symbols[symbol], it.kind == .parameter else {
          continue
        }
        let type = files[component.file]?.index.type(of: symbol) ?? ""
        items.append(
          CompletionItem(it.name.text, .property, type, insert: it.name.text + ": ", group: 0))
      }
    }
    guard let element else { return [] }
    for property in Property.all(of: element) where !given.contains(property.name) {
      items.append(
        CompletionItem(
          property.name, .property, property.declaration.summary, insert: property.name + ": "))
    }
    items.removeAll { given.contains($0.label) && $0.kind == .property }
    for inner in ElementKind.written where element.mayHold(inner) {
      items.append(CompletionItem(inner.rawValue, .element, group: 2))
    }
    if element.mayHold(.rect) {
      items += named([.component, .scene], offset, file).map {
        CompletionItem($0, .component, group: 2)
      }
    }
    items += ["let", "for", "if"].map { CompletionItem($0, .keyword, group: 3) }
    return items
  }

  private func component(_ name: String, _ offset: Int, _ file: String) -> NameLinks.Target? {
    guard let index = files[file]?.index else { return nil }
    let use = index.uses.first {
      $0.name == name
        && [.component, .scene].contains(links.target(of: $0, in: file).flatMap(declared)?.kind)
    }
    if let use { return links.target(of: use, in: file) }
    return index.symbols.indices.first {
      index.symbols[$0].name.text == name && index.symbols[$0].kind == .component
    }
    .map { NameLinks.Target(file: file, symbol: $0) }
  }

  // MARK: Values

  private func values(of name: String, _ kind: String, _ offset: Int, _ file: String)
    -> [CompletionItem]
  {
    let element = ElementKind(rawValue: kind) ?? .group
    guard let property = Property.named(name),
      let type = property.declaration.use(in: element)?.type
        ?? property.declaration.uses.first?.type
    else { return expressions(offset, file) }
    var items = type.words.map { CompletionItem($0, type == .easing ? .easing : .word, group: 0) }
    switch type {
    case .word: return items
    case .color, .paint:
      items += NamedValues.colors.map { CompletionItem($0, .color, group: 4) }
      items += functions(giving: .color).map { $0.first }
      if type == .paint { items += functions(giving: .paint).map { $0.first } }
      items += [
        CompletionItem("none", .keyword),
        CompletionItem("ink", .variable, "the colour that stands out"),
      ]
    case .bool: items += ["true", "false"].map { CompletionItem($0, .keyword, group: 0) }
    case .effects:
      items += named([.effect], offset, file).map { CompletionItem($0, .function, group: 0) }
    case .transition:
      items += named([.transition], offset, file).map { CompletionItem($0, .function, group: 0) }
    case .filters: items += functions(giving: .filter).map { $0.first }
    case .shadow: items += functions(giving: .shadow).map { $0.first }
    case .text where property == .style:
      return named([.style], offset, file).map { CompletionItem($0, .word) }
    default: break
    }
    return items
      + expressions(offset, file).map { item in
        var item = item
        item.group += 2
        return item
      }
  }

  /// All names and functions that a value can be made of.
  private func expressions(_ offset: Int, _ file: String) -> [CompletionItem] {
    var items = named([.param, .constant, .parameter, .round, .element, .function], offset, file)
      .map { CompletionItem($0, .variable) }
    items += BuiltIn.all.values.map {
      CompletionItem($0.name, .function, $0.summary, insert: $0.name + "(", group: 2)
    }
    items += ElementWord.allCases.map {
      CompletionItem($0.rawValue, .variable, group: 2)
    }
    return items
  }

  private func functions(giving type: ValueType) -> [CompletionItem] {
    BuiltIn.all.values.filter { $0.result == type }.map {
      CompletionItem($0.name, .function, $0.summary, insert: $0.name + "(", group: 2)
    }
  }

  /// The names of some kinds that are visible: those of the file, of what it imports, and of the
  /// prelude.
  private func named(_ kinds: Set<NameIndex.Symbol.Kind>, _ offset: Int, _ file: String) -> [String]
  {
    guard let index = files[file]?.index else { return [] }
    var names = index.visible(at: offset).filter { kinds.contains(index.symbols[$0].kind) }
      .map { index.symbols[$0].name.text }
    for path in imports(of: file) {
      guard let other = files[path]?.index else { continue }
      names += other.members(of: nil).map { other.symbols[$0] }
        .filter { kinds.contains($0.kind) && !$0.isPrivate }.map(\.name.text)
    }
    return names
  }

  /// The files whose names are known in a file without a word before them.
  private func imports(of file: String) -> [String] {
    let own =
      files[file]?.index.imports.filter { $0.symbol == nil }
      .map { links.path(of: $0.path, importedBy: file) } ?? []
    return own + StandardFiles.prelude
  }

  // MARK: Members and arguments

  private func members(of owner: String, _ offset: Int, _ file: String) -> [CompletionItem] {
    guard let index = files[file]?.index else { return [] }
    if owner == "scene" {
      return CanvasMember.allCases.map { CompletionItem($0.rawValue, .member) }
    }
    guard
      let symbol = index.visible(at: offset).first(where: { index.symbols[$0].name.text == owner })
    else { return [] }
    switch index.symbols[symbol].kind {
    case .file:
      guard let path = index.imports.first(where: { $0.symbol == symbol })?.path,
        let other = files[links.path(of: path, importedBy: file)]?.index
      else { return [] }
      return other.members(of: nil).map { other.symbols[$0] }.filter { !$0.isPrivate }
        .map { CompletionItem($0.name.text, $0.kind == .component ? .component : .variable) }
    case .element:
      let inner = index.members(of: symbol).map { index.symbols[$0] }.filter { $0.kind == .element }
        .map { CompletionItem($0.name.text, .variable, "in it") }
      return inner + ElementKind.commonMembers.map { CompletionItem($0, .member, group: 2) }
    default: return []
    }
  }

  private func arguments(
    of function: String, _ index: Int, _ given: [String], _ offset: Int, _ file: String
  ) -> [CompletionItem] {
    var items: [CompletionItem] = []
    for parameter in signature(of: function, offset, file)?.parameters ?? []
    where !given.contains(parameter.name) {
      items.append(
        CompletionItem(
          parameter.name, .property, parameter.type, insert: parameter.name + ": ", group: 0))
    }
    return items + expressions(offset, file)
  }

  // MARK: Files

  private func names(of list: [String], for kind: String) -> [CompletionItem] {
    let endings: [String: [String]] = [
      "import": ["scene"], "image": ["png", "jpg", "jpeg", "webp", "gif", "svg", "apng"],
      "video": ["mp4", "mov", "webm", "mkv", "avi", "gif", "m4v", "ts", "mpg"],
      "audio": ["wav", "flac", "mp3", "m4a", "ogg", "opus", "aiff", "mp4", "mov", "webm", "mkv"],
      "captions": ["srt", "vtt"], "data": ["csv", "json"], "lut": ["cube"],
    ]
    let wanted = Set(endings[kind] ?? [])
    var items = list.filter { name in
      let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
      return wanted.contains(ending)
    }.map { CompletionItem($0, .file, group: 0) }
    if kind == "import" {
      items += StandardFiles.all.map { path, _ in
        CompletionItem("std/" + path, .file)
      }
    }
    return items
  }
}

extension CompletionItem {
  /// The same, as one of the first.
  fileprivate var first: CompletionItem {
    var it = self
    it.group = 0
    return it
  }
}
