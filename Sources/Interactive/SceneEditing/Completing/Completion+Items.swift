// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

// Items for the body of an element or a declaration.
extension Workspace {
  func items(of kind: String, own: [String], at offset: Int, in file: String)
    -> [CompletionItem]
  {
    let given = own + givenElsewhere(kind, at: offset, in: file)
    // Styles, effects and transitions accept different items than the element that they resemble.
    switch kind {
    case "effect":
      let places = ["crop": "(0% .. 100%, 0% .. 100%)", "shift": "(0, 1 - progress)"]
      return NamedValues.effectProperties.filter { !given.contains($0) }.map { name in
        Property.named(name).map { Workspace.item($0, of: nil) }
          ?? CompletionItem(
            name, .property,
            snippet: "\(name): "
              + Snippet.place(1, places[name] ?? "progress"),
            page: "property/\(name)")
      }
    case "style":
      // The subject precedes the body, so a style cannot set it.
      let subjects = ElementKind.written.compactMap(\.subjectProperty)
      return Property.allCases
        .filter { !given.contains($0.name) && $0.isOfDrawn && !subjects.contains($0) }
        .map { Workspace.item($0, of: nil) }
    case "transition":
      if given.contains("color") { return [] }
      return Workspace.transitionItems(given)
        + body(of: .group, given: given, at: offset, in: file).filter { $0.kind != .property }
    case "filter", "paint":
      let color = kind == "filter" ? "sample(source, xy)" : "mix(navy, gold, uv.x)"
      let parts =
        [("color", "the color of each pixel", color)]
        + (kind == "filter"
          ? [("reach", "how far it draws outside its element, in pixels", "10")] : [])
      return parts.filter { !given.contains($0.0) }.map {
        CompletionItem(
          $0.0, .property, detail: $0.1, snippet: "\($0.0): \(Snippet.place(1, $0.2))",
          page: "word/\(kind)")
      }
    case Cursor.eachPart:
      // The SVG determines the content of each part.
      let names = given + [Property.content.name]
      let order = body(of: .each, given: names, at: offset, in: file).filter {
        $0.label == Property.order.name
      }
      return body(of: .part, given: names, at: offset, in: file) + order
    default: break
    }
    if kind == ElementKind.change.rawValue { return changeItems(given, at: offset, in: file) }
    let isComponent = kind == "component"
    if let element = isComponent ? .group : files[file]?.builtInKind(kind) {
      let slot =
        isComponent && files[file]?.isInLoop(at: offset) != true
        ? [CompletionItem("slot", .element, group: 2, page: "element/slot")] : []
      return body(of: element, given: given, at: offset, in: file) + slot
    }
    guard let component = component(kind, at: offset, in: file) else { return [] }
    return parameterItems(of: component).filter { !given.contains($0.label) }
      + body(of: .group, given: given, at: offset, in: file).filter {
        $0.kind == .property || hasSlot(component)
      }
      .map { $0.grouped($0.group + 1) }
  }

  /// Returns the clips that a transition does not show yet, or else a color.
  private static func transitionItems(_ given: [String]) -> [CompletionItem] {
    let clips = PixelWord.clips.filter { !given.contains($0) }
    let color = Snippet.place(1, "mix(sample(from, xy), sample(to, xy), progress)")
    return clips.map {
      CompletionItem(
        $0, .element, detail: "the \($0 == "from" ? "outgoing" : "incoming") clip",
        snippet: "\($0) {\n\t$0\n}", page: "element/\($0)")
    }
      + (clips.count < 2
        ? []
        : [
          CompletionItem(
            "color", .property, detail: "the color of each pixel", snippet: "color: \(color)",
            page: "word/transition")
        ])
  }

  /// Returns the properties that are set elsewhere: for the declaration of a component, those at
  /// its uses; for a use, those in its declaration.
  private func givenElsewhere(_ kind: String, at offset: Int, in file: String) -> [String] {
    if kind != "component" {
      guard files[file]?.builtInKind(kind) == nil,
        let target = component(kind, at: offset, in: file),
        let facts = files[target.file], let node = facts.declaration(of: target.symbol)
      else { return [] }
      return facts.given(in: node)
    }
    guard let facts = files[file], let name = facts.component(around: offset) else { return [] }
    return facts.tree.nodes.indices
      .filter {
        facts.tree.nodes[$0].kind == .element && facts.words(atHeadOf: $0).first?.text == name
      }
      .flatMap { facts.given(in: $0) }
  }

  func body(of element: ElementKind, given: [String], at offset: Int, in file: String)
    -> [CompletionItem]
  {
    // Every round would set the property again.
    let isInLoop = files[file]?.isInLoop(at: offset) == true
    let isClip = element == .sequence || files[file]?.parentKind(at: offset) == .sequence
    var items = Property.all(of: element)
      .filter { property in
        !given.contains(property.name) && (property != .transition || isClip) && !isInLoop
          && !property.excluded.contains { given.contains($0.name) }
      }
      .map { Workspace.item($0, of: element) }
    if element == .expect { items += expressions(offset, file, inExpectation: true) }
    if element == .path {
      items += Snippet.segments.map {
        CompletionItem(
          $0.word, .keyword, detail: $0.summary, snippet: $0.text, group: 0, page: "word/\($0.word)"
        )
      }
    }
    // Elements that are allowed once cannot be in a loop.
    var excluded: Set<ElementKind> = []
    if isInLoop || given.contains(FileFacts.cutting) { excluded = [.clip, .mask] }
    if isInLoop || given.contains(ElementKind.each.rawValue) { excluded.insert(.each) }
    // The tokens of source code have colors instead of spans.
    if given.contains(Property.syntax.name) { excluded.insert(.span) }
    for inner in ElementKind.written
    where element.mayHold(inner) && inner != .soundTrack
      && !excluded.contains(inner)
    {
      items.append(
        CompletionItem(
          inner.rawValue, .element, snippet: Snippet.element(inner, in: element), group: 2,
          page: "element/\(inner.rawValue)"))
    }
    if element.mayHold(.rect) {
      items += named([.component, .scene], at: offset, in: file).map { $0.grouped(2) }
      items += importable([.component], at: offset, in: file)
    }
    return items
      + [
        ("let", "let ${1:name} = ${2:1}"), ("for", "for ${1:i} in ${2:0..5} {\n\t$0\n}"),
        ("if", "if ${1:true} {\n\t$0\n}"),
      ].map { CompletionItem($0.0, .keyword, snippet: $0.1, group: 3, page: "word/\($0.0)") }
  }

  static func item(_ property: Property, of element: ElementKind?) -> CompletionItem {
    let use = element.flatMap(property.declaration.use) ?? property.declaration.uses.first
    let value = use.map { Snippet.value(of: $0, property, in: element) } ?? ""
    return CompletionItem(
      property.name, .property, detail: property.summary, insert: property.name + ": ",
      snippet: "\(property.name): \(value)", page: "property/\(property.name)")
  }

  /// Returns the component or scene that a name instantiates, or `nil`.
  func component(_ name: String, at offset: Int, in file: String) -> NameLinks.Target? {
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

  /// Returns whether a component has a slot for children.
  private func hasSlot(_ component: NameLinks.Target) -> Bool {
    guard let facts = files[component.file], let it = declared(component) else { return false }
    let whole = facts.index.whole(of: component.symbol)
    return it.kind == .component
      && facts.tree.nodes.indices.contains { node in
        facts.tree.nodes[node].kind == .element
          && whole.start < facts.tree.span(of: node).start
          && facts.tree.span(of: node).end <= whole.end
          && facts.words(atHeadOf: node).first?.text == ElementKind.slot.rawValue
      }
  }

  /// A parameter of a component, scene or function.
  struct DeclaredParameter {
    let name: String
    let type: String
    let isRequired: Bool
  }

  /// Returns the parameters of a declaration.
  func parameters(of target: NameLinks.Target) -> [DeclaredParameter] {
    guard let index = files[target.file]?.index else { return [] }
    return index.parameters(of: target.symbol).map {
      DeclaredParameter(
        name: index.symbols[$0].name.text, type: index.type(of: $0) ?? "",
        isRequired: !index.hasInitializer($0))
    }
  }

  // MARK: Names

  /// Returns the visible names of some kinds: those of the file, its imports and the prelude.
  func named(_ kinds: Set<NameIndex.Symbol.Kind>, at offset: Int, in file: String)
    -> [CompletionItem]
  {
    visible(kinds, at: offset, in: file).compactMap(item)
  }

  private func visible(_ kinds: Set<NameIndex.Symbol.Kind>, at offset: Int, in file: String)
    -> [NameLinks.Target]
  {
    guard let index = files[file]?.index else { return [] }
    var targets = index.visible(at: offset).filter { kinds.contains(index.symbols[$0].kind) }
      .map { NameLinks.Target(file: file, symbol: $0) }
    // Other files provide only top-level declarations.
    let declared = kinds.subtracting([.round, .parameter, .element])
    for path in imports(of: file) {
      guard let other = files[path]?.index else { continue }
      targets += other.members(of: nil).filter {
        declared.contains(other.symbols[$0].kind) && !other.symbols[$0].isPrivate
      }.map { NameLinks.Target(file: path, symbol: $0) }
    }
    return targets
  }

  /// Returns the completion item of a name, with a snippet for its use.
  private func item(_ target: NameLinks.Target) -> CompletionItem? {
    guard let symbol = declared(target), let facts = files[target.file] else { return nil }
    let page = "name/\(target.symbol)/\(target.file)"
    let name = symbol.name.text
    // A scene may contain thousands of elements, which have no type.
    let isElement = symbol.kind == .element
    let type = isElement ? "" : facts.index.type(of: target.symbol) ?? ""
    let required = parameters(of: target).filter(\.isRequired)
    switch symbol.kind {
    case .component, .scene:
      let lines = required.enumerated().map {
        "\n\t\($1.name): \(Snippet.place($0 + 1, Snippet.example(ofType: $1.type)))"
      }
      let body = lines.isEmpty ? "\n\t$0\n" : lines.joined() + "$0\n"
      return CompletionItem(name, .component, snippet: "\(name) {\(body)}", page: page)
    case .function:
      return CompletionItem(
        name, .function, detail: type, insert: name + "(",
        snippet: "\(name)(\(Snippet.arguments(required.map { ($0.name, $0.type) })))", page: page)
    case .effect, .transition:
      let isPlain = required.isEmpty
      return CompletionItem(
        name, .function, insert: isPlain ? nil : name + "(",
        snippet: isPlain
          ? nil : "\(name)(\(Snippet.arguments(required.map { ($0.name, $0.type) })))", page: page)
    default: return CompletionItem(name, .variable, detail: type, page: page)
    }
  }

  /// Returns the names of library files that are not imported yet.
  func importable(_ kinds: Set<NameIndex.Symbol.Kind>, at offset: Int, in file: String)
    -> [CompletionItem]
  {
    let known = Set(imports(of: file) + [file])
    let taken = Set(visible(kinds, at: offset, in: file).compactMap { declared($0)?.name.text })
    return Workspace.ofLibrary.filter {
      kinds.contains($0.kind) && !known.contains($0.path) && !taken.contains($0.item.label)
    }.map(\.item)
  }

  /// A name of the library, with its file to import.
  private struct LibraryName {
    let kind: NameIndex.Symbol.Kind
    let path: String
    var item: CompletionItem
  }

  private static let ofLibrary: [LibraryName] = {
    let workspace = Workspace([:])
    var names: [LibraryName] = []
    for (path, facts) in library.sorted(by: { $0.key < $1.key }) {
      for symbol in facts.index.members(of: nil) {
        let it = facts.index.symbols[symbol]
        guard !it.isPrivate,
          var item = workspace.item(NameLinks.Target(file: path, symbol: symbol))
        else { continue }
        item.group = 9
        item.importing = path
        names.append(LibraryName(kind: it.kind, path: path, item: item))
      }
    }
    return names
  }()

  /// Returns the files whose names are visible in a file without qualification.
  func imports(of file: String) -> [String] {
    let own =
      files[file]?.index.imports.filter { $0.symbol == nil }
      .map { links.path(of: $0.path, importedBy: file) } ?? []
    return own + StandardFiles.prelude
  }
}

extension FileFacts {
  /// A placeholder for a clip or a mask, of which an element can have only one.
  static let cutting = "clip or mask"

  /// Returns the nodes that contain the text from an offset and start before it.
  func around(_ start: Int) -> [Int] {
    tree.path(writingAt: start).filter { tree.span(of: $0).start < start }
  }

  /// The kinds of nodes with a body of items.
  static let bodies: Set<SyntaxKind> = [
    .element, .componentDecl, .styleDecl, .effectDecl, .transitionDecl, .filterDecl, .paintDecl,
  ]

  /// Returns the declaration node of a symbol that is a component.
  func declaration(of symbol: Int) -> Int? {
    tree.path(at: index.symbols[symbol].name.span.start).last {
      tree.nodes[$0].kind == .componentDecl
    }
  }

  /// Returns the kind of the pixel function that contains an offset. A transition without elements
  /// may become one.
  func pixelFunction(around offset: Int) -> PixelSyntax.Kind? {
    for node in around(offset) {
      switch tree.nodes[node].kind {
      case .filterDecl: return .filter
      case .paintDecl: return .paint
      case .transitionDecl:
        let items = tree.children(of: node).filter { tree.nodes[$0].kind == .body }
          .flatMap { tree.children(of: $0) }
        let areLets = items.allSatisfy { [.letDecl, .property].contains(tree.nodes[$0].kind) }
        return areLets ? .transition : nil
      default: break
      }
    }
    return nil
  }

  /// Returns the name of the component that contains an offset, or `nil`.
  func component(around offset: Int) -> String? {
    around(offset).last { tree.nodes[$0].kind == .componentDecl }
      .flatMap { words(atHeadOf: $0).dropFirst().first?.text }
  }

  /// Returns the properties in the body that contains an offset, before and after it, including the
  /// subject.
  func given(at offset: Int) -> [String] {
    let path = around(offset)
    guard let element = path.last(where: { FileFacts.bodies.contains(tree.nodes[$0].kind) }) else {
      return []
    }
    return given(in: element)
  }

  /// Returns the properties of an element or a declaration.
  func given(in element: Int) -> [String] {
    let parts = tree.children(of: element)
    // Properties in loops and conditions apply to the element as well.
    var names: [String] = []
    var waiting = parts
    while let node = waiting.popLast() {
      switch tree.nodes[node].kind {
      case .property: words(atHeadOf: node).first.map { names.append($0.text) }
      case .body, .forItem, .ifItem: waiting += tree.children(of: node)
      case .element:
        switch words(atHeadOf: node).first?.text {
        case "clip", "mask": names.append(FileFacts.cutting)
        case let word? where ["from", "to", "each"].contains(word): names.append(word)
        default: break
        }
      default: continue
      }
    }
    if parts.contains(where: { tree.nodes[$0].kind == .string }),
      let kind = words(atHeadOf: element).first.flatMap({ ElementKind(rawValue: $0.text) }),
      let subject = kind.subjectProperty
    {
      names.append(subject.name)
    }
    return names
  }

  /// Returns the name of the `let`, parameter or loop whose declaration contains an offset, or
  /// `nil`.
  func declared(around offset: Int) -> String? {
    guard offset > 0 else { return nil }
    var token = tree.token(at: offset - 1)
    var words: [Int] = []
    while token > 0, ![.newline, .leftBrace, .semicolon].contains(tree.tokens[token].kind) {
      if !tree.tokens[token].kind.isTrivia { words.append(token) }
      token -= 1
    }
    if token == 0, !tree.tokens[0].kind.isTrivia { words.append(0) }
    guard words.count > 2, [.letWord, .forWord].contains(tree.tokens[words[words.count - 1]].kind),
      tree.tokens[words[words.count - 2]].kind == .identifier,
      [.equal, .inWord].contains(tree.tokens[words[words.count - 3]].kind)
    else { return nil }
    return tree.text(ofToken: words[words.count - 2])
  }

  /// Returns whether an offset is directly in the body of a loop.
  func isInLoop(at offset: Int) -> Bool {
    let around = around(offset).last {
      [.element, .forItem].contains(tree.nodes[$0].kind)
    }
    return around.map { tree.nodes[$0].kind } == .forItem
  }

  /// Returns whether an offset is in a condition of an `expect`.
  func isInExpectation(at offset: Int) -> Bool {
    around(offset).contains { tree.nodes[$0].kind == .expectation }
  }

  /// Returns the kind of the parent of the element that contains an offset; `nil` for a component.
  func parentKind(at offset: Int) -> ElementKind? {
    let around = around(offset).filter { tree.nodes[$0].kind == .element }.dropLast()
    return around.last.flatMap { words(atHeadOf: $0).first?.text }.flatMap(builtInKind)
  }
}

extension Property {
  /// Whether any drawn element supports the property.
  fileprivate var isOfDrawn: Bool {
    declaration.uses.contains { $0.kinds.contains(where: \.isDrawn) }
  }
}
