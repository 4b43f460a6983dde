// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneLanguage
import SceneMath
package import SceneModel
import SceneSyntax
package import SceneText
package import SceneTypes

/// A completion item.
package struct CompletionItem: Hashable, Sendable {
  /// The kind of an item, which determines its icon in editors.
  package enum Kind: Hashable, Sendable {
    case property, element, component, function, variable, word, color, unit, keyword, file, type
    case member, easing, code
  }

  package let label: String
  package let kind: Kind
  /// A short description that follows the label.
  package let detail: String
  /// The text to insert, if it differs from the label.
  package var insert: String?
  /// The text to insert with placeholders (LSP 3.17, "Snippet Syntax").
  package var snippet: String?
  /// The sort group. 0 is the first.
  package var group = 1
  /// The documentation as plain text.
  package var documentation = ""
  /// The identifier of the documentation page (`Workspace.documentation(ofPage:)`).
  package var page: String?
  /// The path of the file to import, as in the source text.
  package var importing: String?

  init(
    _ label: String, _ kind: Kind, detail: String = "", insert: String? = nil,
    snippet: String? = nil, group: Int = 1, page: String? = nil
  ) {
    self.label = label
    self.kind = kind
    self.detail = detail
    self.insert = insert
    self.snippet = snippet
    self.group = group
    self.page = page
  }

  /// Returns the item in another sort group.
  func grouped(_ group: Int) -> CompletionItem {
    var it = self
    it.group = min(9, group)
    return it
  }

  /// The sort key: by group, then by frequency in the library and the manual.
  fileprivate var rank: Int { (group + 1) * 10_000 - min(9999, Frequency.counts[label] ?? 0) }
}

extension Workspace {
  /// Returns the completion items at an offset, and the range that they replace. `list` returns the
  /// files below the folder, `families` the installed fonts, and `vectors` the SVG files of the
  /// scene. `allowable` are the codes of warnings in the line. `computed` returns the type of the
  /// values that the last check computed for a name.
  package func completions(
    at offset: Int, in file: String, files list: () -> [String] = { [] },
    families: () -> [String] = { [] }, vectors: () -> [String: VectorDrawing] = { [:] },
    allowable: Set<String> = [], computed: @escaping (SourceSpan) -> Type? = { _ in nil }
  ) -> (range: Range<Int>, items: [CompletionItem]) {
    guard let facts = files[file] else { return (offset..<offset, []) }
    let cursor = Cursor(facts, at: offset)
    let types = NameTypes(self, of: file, computed: computed)
    var items: [CompletionItem]
    let start = cursor.word.lowerBound
    switch cursor.wanted {
    case .nothing: items = []
    case .declaration:
      let mayBeProject = file.split(separator: "/").last == ProjectFile.name[...]
      items = Workspace.declarations.filter { $0.label != "project" || mayBeProject }
    case .item(let kind, let given):
      items =
        kind == "->"
        ? Workspace.clauses.filter { !given.contains($0.label) }
        : self.items(of: kind, own: given + facts.given(at: start), at: start, in: file)
    case .value(let name, let kind):
      items = values(of: name, kind: kind, at: offset, in: file, types)
      if name == Property.font.name {
        items += families().map { CompletionItem("\"\($0)\"", .word, group: 2) }
      }
    case .expression: items = expressions(offset, file)
    case .easing:
      items =
        Workspace.easings + functions(giving: .easing).map { $0.grouped(0) }
        + named([.constant, .param, .parameter], at: offset, in: file).map { $0.grouped(2) }
    case .member(let owner): items = members(of: owner, at: offset, in: file, types)
    case .argument(let argument): items = arguments(of: argument, at: offset, in: file, types)
    case .unit(let property, let kind): items = Workspace.units(of: property, kind)
    // `change of` has the form of an element with the name `of`.
    case .element: items = named([.element], at: offset, in: file).filter { $0.label != "of" }
    case .type:
      items = ValueType.declarable.map {
        CompletionItem($0.rawValue, .type, page: "type/\($0.rawValue)")
      }
    case .segment:
      items = ["by"].map { CompletionItem($0, .keyword, detail: "relative to the current point") }
    case .file(let kind):
      items = names(of: list(), for: kind)
      if kind == Property.font.name { items += families().map { CompletionItem($0, .word) } }
    case .part: items = Workspace.vectorIDs(at: offset, in: facts, vectors())
    case .each(let host):
      let kind = ElementKind(rawValue: host).flatMap { $0.mayHold(.each) ? $0 : nil }
      items = (kind.map(Snippet.units) ?? []).map { CompletionItem($0, .word) }
    case .command: items = Workspace.commands
    case .code: items = Workspace.codes.map { allowable.contains($0.label) ? $0.grouped(0) : $0 }
    }
    items = items.map { facts.naming($0) }
    // A declaration cannot refer to itself.
    let own = facts.declared(around: offset)
    var seen: Set<String> = own.map { [$0] } ?? []
    items = fitted(
      items.filter { seen.insert($0.label).inserted }, to: cursor, facts: facts, in: file)
    let ranks = items.map(\.rank)
    let order = items.indices.sorted {
      (ranks[$0], items[$0].label) < (ranks[$1], items[$1].label)
    }
    return (cursor.word, order.map { items[$0] })
  }

  // MARK: Tables

  private static let declarations: [CompletionItem] = [
    ("scene", "a scene to render as video", "scene ${1:name} {\n\tfor: ${2:3s}\n\t$0\n}"),
    (
      "project", "settings of all scenes in a folder: the file project.scene",
      "project {\n\t${0:root: \".\"}\n}"
    ),
    (
      "component", "a reusable element with parameters",
      "component ${1:Name}(${2:size: length = 100}) {\n\t$0\n}"
    ),
    ("param", "a value that the caller sets", "param ${1:name}: ${2:text} = ${3:\"\"}"),
    ("let", "a named constant", "let ${1:name} = ${2:1}"),
    ("fn", "a function", "fn ${1:name}(${2:x: number}) -> ${3:number} = ${4:x}"),
    ("import", "names from another file", "import \"${1:std/titles.scene}\""),
    ("style", "a named set of properties", "style ${1:name} {\n\t${2:opacity: 1}\n}"),
    (
      "effect", "an effect for 'enter' and 'exit'",
      "effect ${1:name} {\n\t${2:opacity: progress}\n}"
    ),
    (
      "transition", "a transition between two clips",
      "transition ${1:name} {\n\tfrom { opacity: 1 - progress }\n\tto { opacity: progress }\n}"
    ),
    (
      "filter", "a filter that computes the color of each pixel",
      "filter ${1:name}(${2:amount: number = 1}) {\n\tcolor: ${3:sample(source, xy)}\n}"
    ),
    (
      "paint", "a paint that computes the color of each pixel",
      "paint ${1:name}(${2:scale: number = 1}) {\n\tcolor: ${3:mix(navy, gold, uv.x)}\n}"
    ),
  ].map { CompletionItem($0.0, .keyword, detail: $0.1, snippet: $0.2, page: "word/\($0.0)") }

  private static let clauses = [
    ("over", "the duration of the motion", "over ${1:1s}"),
    ("after", "the delay of the motion", "after ${1:0.5s}"),
    ("with", "the easing of the motion", "with ${1:ease-out}"),
  ].map { CompletionItem($0.0, .keyword, detail: $0.1, snippet: $0.2, page: "word/\($0.0)") }

  private static let easings = NamedValues.easings.map {
    CompletionItem($0, .easing, group: 0, page: "easing/\($0)")
  }

  /// Returns the units that a property accepts, or all units if it is unknown, by frequency.
  private static func units(of property: String?, _ kind: String) -> [CompletionItem] {
    let known = property.flatMap(Property.named)
    let use = known.flatMap { it in
      ElementKind(rawValue: kind).flatMap(it.declaration.use) ?? it.declaration.uses.first
    }
    let fitting: Set<String>
    switch use?.type {
    case .time, .times: fitting = ["s", "ms", "f", "min", "beat"]
    case .angle, .angles: fitting = ["deg", "rad", "turn"]
    case .lengthX, .lengthY, .length, .lengthPair, .lengths, .fontLength, .fontLengthPair,
      .size:
      fitting = ["px", "%"]
    case .share, .pan: fitting = ["%"]
    case .gain: fitting = ["dB", "%"]
    case .bitrate: fitting = ["kbps", "Mbps"]
    default: return units
    }
    return units.filter { fitting.contains($0.label) }
  }

  private static let units = [
    ("s", "seconds"), ("ms", "milliseconds"), ("f", "frames"), ("min", "minutes"),
    ("beat", "beats of 'tempo'"), ("px", "pixels"), ("%", "percent"), ("deg", "degrees"),
    ("rad", "radians"), ("turn", "turns"), ("dB", "decibels"), ("Hz", "frequency"),
    ("kHz", "frequency"), ("kbps", "bit rate"), ("Mbps", "bit rate"),
  ].enumerated().map { CompletionItem($1.0, .unit, detail: $1.1, group: min(9, $0)) }

  private static let commands = Formula.commands.map { name in
    CompletionItem("\\" + name, .word, detail: Formula.sign(of: name), page: "element/math")
  }

  private static let codes = Code.allCases.filter { $0.severity == .warning }
    .map { CompletionItem($0.rawValue, .code, detail: Explanation.of($0).title) }

  // MARK: Files

  private func names(of list: [String], for kind: String) -> [CompletionItem] {
    let endings: [String: [String]] = [
      "import": ["scene"], "image": ["png", "jpg", "jpeg", "webp", "gif", "svg", "apng"],
      "svg": ["svg"],
      "video": ["mp4", "mov", "webm", "mkv", "avi", "gif", "m4v", "ts", "mpg"],
      "audio": ["wav", "flac", "mp3", "m4a", "ogg", "opus", "aiff", "mp4", "mov", "webm", "mkv"],
      "pattern": ["png", "jpg", "jpeg", "webp", "gif", "svg"],
      "brush": ["png", "svg", "webp", "jpg", "jpeg", "gif"],
      "source": [
        "png", "jpg", "jpeg", "webp", "gif", "svg", "mp4", "mov", "webm", "mkv", "mp3", "wav",
        "opus", "m4a", "ogg", "flac", "aiff",
      ],
      "font": ["ttf", "otf", "ttc", "woff", "woff2"],
      "captions": ["srt", "vtt", "json"], "data": ["csv", "json"], "lut": ["cube"],
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

extension FileFacts {
  /// Makes the new name in an item's snippet unique in the file.
  fileprivate func naming(_ item: CompletionItem) -> CompletionItem {
    guard let snippet = item.snippet,
      let name = ["name", "Name"].first(where: { snippet.contains("${1:\($0)}") }),
      index.symbols.contains(where: { $0.name.text == name })
    else { return item }
    let names = Set(index.symbols.map(\.name.text))
    let free = (2...).lazy.map { "\(name)\($0)" }.first { !names.contains($0) } ?? name
    var it = item
    it.snippet = snippet.replacing("${1:\(name)}", with: "${1:\(free)}", maxReplacements: 1)
    return it
  }
}
