// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

// Items for values.
extension Workspace {
  func values(
    of name: String, kind: String, at offset: Int, in file: String, _ types: NameTypes
  ) -> [CompletionItem] {
    if kind == ElementKind.change.rawValue,
      let component = changedComponent(at: offset, in: file),
      parameters(of: component).contains(where: { $0.name == name })
    {
      return parameterValues(of: name, in: component, at: offset, in: file, types)
    }
    // A parameter may have the name of a property.
    if files[file]?.builtInKind(kind) == nil, let component = component(kind, at: offset, in: file),
      parameters(of: component).contains(where: { $0.name == name })
    {
      return parameterValues(of: name, in: component, at: offset, in: file, types)
    }
    let element = ElementKind(rawValue: kind) ?? .group
    guard let property = Property.named(name),
      let type = property.declaration.use(in: element)?.type
        ?? property.declaration.uses.first?.type
    else {
      return component(kind, at: offset, in: file).map {
        parameterValues(of: name, in: $0, at: offset, in: file, types)
      } ?? expressions(offset, file)
    }
    // Only texts and formulas have a baseline.
    let hasBaseline = element == .text || element == .math
    var words = hasBaseline ? type.words : type.words.filter { !$0.hasPrefix("baseline") }
    if property == .align, element.isLayout { words = element.alignments.map(\.rawValue) }
    if property == .alignSelf, let parent = files[file]?.parentKind(at: offset), parent.isLayout {
      words = words.filter { word in parent.alignments.contains { $0.rawValue == word } }
    }
    var items = words.map {
      CompletionItem(
        $0, type == .easing ? .easing : .word, group: 0,
        page: type == .easing ? "easing/\($0)" : "word/\($0)")
    }
    switch type {
    case .word: return items
    case .color, .paint:
      items += paints(hasGradients: type == .paint, at: offset, in: file, types)
    case .bool:
      items += ["true", "false"].map { CompletionItem($0, .keyword, group: 0, page: "word/\($0)") }
    case .effects:
      return items + named([.effect], at: offset, in: file).map { $0.grouped(0) }
    // `at` and `transition` of a clip usually cannot be combined.
    case .transition where files[file]?.given(at: offset).contains(Property.at.name) == true:
      return items
    case .transition:
      return items + named([.transition], at: offset, in: file).map { $0.grouped(0) }
    case .filters: return items + functions(giving: .filter).map { $0.grouped(0) }
    case .shadow: return items + functions(giving: .shadow).map { $0.grouped(0) }
    case .text where property == .style:
      return named([.style], at: offset, in: file).map { $0.grouped(0) }
    case .fonts, .pixelSize, .frameRate: return items
    case .easing: items += functions(giving: .easing).map { $0.grouped(0) }
    default: break
    }
    // Names of another type may still have a member that fits.
    return items + Workspace.keyframes
      + expressions(offset, file, fitting: type).map {
        $0.grouped(types.fit($0, .property(type)) == false ? 5 : $0.group + 1)
      }
  }

  /// Returns values for a component's parameter, according to its declared type.
  private func parameterValues(
    of name: String, in component: NameLinks.Target, at offset: Int, in file: String,
    _ types: NameTypes
  ) -> [CompletionItem] {
    guard let parameter = parameters(of: component).first(where: { $0.name == name }) else {
      return expressions(offset, file)
    }
    if parameter.type == "record" {
      return records(like: component, name: name, at: offset, in: file, types)
    }
    return values(ofType: parameter.type, at: offset, in: file, types)
  }

  /// Returns the records with the fields of a parameter's default, or else with those that the
  /// component reads.
  private func records(
    like component: NameLinks.Target, name: String, at offset: Int, in file: String,
    _ types: NameTypes
  ) -> [CompletionItem] {
    let index = files[component.file]?.index
    let parameter = index?.members(of: component.symbol).first {
      index?.symbols[$0].name.text == name
    }
    let target = parameter.map { NameLinks.Target(file: component.file, symbol: $0) }
    let fields =
      target.flatMap(types.defaultFields)
      ?? parameter.flatMap { files[component.file]?.fieldsRead(of: $0) }
    return named([.constant, .param, .parameter], at: offset, in: file).filter { item in
      guard case .record(let it)? = types.type(of: item) else { return false }
      return fields.map { Set(it.fields.map(\.name)).isSuperset(of: $0) } ?? true
    }
  }

  private func paints(
    hasGradients: Bool, at offset: Int, in file: String, _ types: NameTypes
  ) -> [CompletionItem] {
    var items = NamedValues.colors.map { name in
      var item = CompletionItem(name, .color, group: Frequency.counts[name] == nil ? 5 : 1)
      item.documentation = Color(name: name)?.hexDescription ?? ""
      return item
    }
    items += functions(giving: .color).map { $0.grouped(2) }
    if hasGradients {
      items += functions(giving: .paint).map { $0.grouped(2) }
    }
    let wanted = Wanted.property(hasGradients ? .paint : .color)
    items += named([.constant, .param, .parameter, .round], at: offset, in: file).map {
      switch types.fit($0, wanted) {
      case true?: $0.grouped(0)
      case false?: $0.grouped(5)
      case nil: $0.grouped(3)
      }
    }
    return items + [
      CompletionItem("none", .keyword, page: "word/none"),
      CompletionItem(
        "ink", .variable, detail: "black or white, whichever contrasts more", page: "word/ink"),
    ]
  }

  /// Returns the target that the identifier of a documentation page refers to, or `nil`.
  static func target(ofPage page: String) -> NameLinks.Target? {
    let parts = page.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, parts[0] == "name", let symbol = Int(parts[1]) else { return nil }
    return NameLinks.Target(file: String(parts[2]), symbol: symbol)
  }

  static let keyframes = [
    CompletionItem(
      "keyframes", .keyword, detail: "values at given times",
      snippet: "keyframes { 0s: ${1:0}; ${2:1s}: ${3:1} }",
      group: 4, page: "word/keyframes")
  ]

  /// Returns all names and functions for a value. Those of a fitting type come first.
  func expressions(
    _ offset: Int, _ file: String, fitting type: PropertyType? = nil, inExpectation: Bool = false
  ) -> [CompletionItem] {
    var items = named(
      [.param, .constant, .parameter, .round, .element, .function], at: offset, in: file)
    let results = type.map(Workspace.results) ?? []
    let pixels = files[file]?.pixelFunction(around: offset)
    let isInPixels = pixels != nil
    let isExpected = inExpectation || files[file]?.isInExpectation(at: offset) == true
    items += BuiltIn.all.values.filter {
      (isInPixels || !$0.readsPixels) && (isExpected || !$0.readsVideo)
    }.map {
      Workspace.item($0).grouped(
        $0.readsVideo ? 1 : results.contains($0.result) ? 2 : 3)
    }
    items += ElementWord.allCases.map {
      CompletionItem($0.rawValue, .variable, group: 2, page: "word/\($0.rawValue)")
    }
    if isInPixels {
      items += PixelWord.allCases.map {
        CompletionItem($0.rawValue, .variable, group: 0, page: "word/\($0)")
      }
      if pixels == .transition {
        items += PixelWord.clips.map {
          CompletionItem($0, .variable, group: 0, page: "element/\($0)")
        }
      } else {
        items.append(
          CompletionItem(
            PixelWord.source, .variable, group: 0, page: "word/\(PixelWord.source)"))
      }
    }
    return items + importable([.constant, .function], at: offset, in: file)
  }

  /// Returns the result types of functions that fit the type of a property.
  private static func results(_ type: PropertyType) -> Set<ValueType> {
    switch type {
    case .number, .numbers, .factors, .share, .lengthX, .lengthY, .length, .fontLength, .lengthPair,
      .fontLengthPair, .lengths:
      [.number, .percent, .length, .value]
    case .angle, .angles: [.angle, .value]
    case .time: [.time, .value]
    case .text: [.text]
    case .point, .ownPoint, .points, .size: [.pair, .value]
    case .path: [.path]
    case .gain: [.gain, .number]
    case .bool: [.bool]
    default: []
    }
  }

  static func item(_ function: BuiltIn) -> CompletionItem {
    let needed = function.parameters.filter { !$0.isOptional }
      .flatMap { it in
        Array(repeating: (name: it.name, type: it.type.rawValue), count: it.isMany ? 2 : 1)
      }
    return CompletionItem(
      function.name, .function, detail: "-> \(function.result.rawValue)",
      insert: function.name + "(",
      snippet: "\(function.name)(\(Snippet.arguments(needed)))", group: 2,
      page: "function/\(function.name)")
  }

  func functions(giving type: ValueType) -> [CompletionItem] {
    BuiltIn.all.values.filter { $0.result == type && !$0.readsPixels && !$0.readsVideo }.map(
      Workspace.item)
  }

  // MARK: Members and arguments

  func members(
    of owner: [Cursor.Step], at offset: Int, in file: String, _ types: NameTypes
  ) -> [CompletionItem] {
    guard let index = files[file]?.index, case .name(let first)? = owner.first else { return [] }
    if owner == [.name("scene")] {
      return CanvasMember.allCases.map { CompletionItem($0.rawValue, .member) }
    }
    let visible = index.visible(at: offset)
    let symbol = visible.first { index.symbols[$0].name.text == first }
    if owner.count == 1, let symbol, index.symbols[symbol].kind == .file {
      return names(ofFile: symbol, importedBy: file)
    }
    // The children of an element, such as `card.title`, are visible by themselves.
    if case .name(let last)? = owner.last(where: { $0 != .item }),
      let element = visible.first(where: {
        index.symbols[$0].name.text == last && index.symbols[$0].kind == .element
      })
    {
      return members(ofElement: element, isIndexed: owner.last == .item, in: file)
    }
    guard let target = target(of: first, symbol, at: offset, in: file),
      var type = types.type(of: target)
    else { return [] }
    for step in owner.dropFirst() {
      guard let part = type.part(at: step) else { return [] }
      type = part
    }
    return type.members
  }

  /// Returns the target of a visible name, including unqualified names from imports.
  private func target(of name: String, _ symbol: Int?, at offset: Int, in file: String)
    -> NameLinks.Target?
  {
    if let symbol { return NameLinks.Target(file: file, symbol: symbol) }
    return named([.constant, .param], at: offset, in: file).first { $0.label == name }?.page
      .flatMap(Workspace.target(ofPage:))
  }

  private func names(ofFile symbol: Int, importedBy file: String) -> [CompletionItem] {
    guard let index = files[file]?.index,
      let path = index.imports.first(where: { $0.symbol == symbol })?.path,
      case let target = links.path(of: path, importedBy: file), let other = files[target]?.index
    else { return [] }
    return other.members(of: nil).filter { !other.symbols[$0].isPrivate }.map {
      CompletionItem(
        other.symbols[$0].name.text,
        other.symbols[$0].kind == .component ? .component : .variable,
        page: "name/\($0)/\(target)")
    }
  }

  private func members(
    ofElement symbol: Int, isIndexed: Bool, in file: String
  ) -> [CompletionItem] {
    guard let facts = files[file] else { return [] }
    // An index of a drawing or a formula names a part of it.
    if isIndexed, let kind = facts.kind(of: symbol), [.svg, .math].contains(kind) {
      return ElementKind.commonMembers.map { CompletionItem($0, .member) }
    }
    let index = facts.index
    let inner = index.members(of: symbol).filter { index.symbols[$0].kind == .element }
      .map { CompletionItem(index.symbols[$0].name.text, .variable, detail: "member", group: 0) }
    let common = ElementKind.commonMembers.map { CompletionItem($0, .member) }
    let kind = facts.kind(of: symbol) ?? .group
    // Properties without a default can be read only where they are set.
    let properties = Property.all(of: kind).filter {
      $0.declaration.use(in: kind)?.initial != nil && ![.at, .for].contains($0)
    }.map {
      CompletionItem(
        $0.name, .member, detail: $0.summary, group: 3, page: "property/\($0.name)")
    }
    return inner + common + properties
  }

  func arguments(
    of it: Cursor.Argument, at offset: Int, in file: String, _ types: NameTypes
  ) -> [CompletionItem] {
    var items: [CompletionItem] = []
    let signature = signature(of: it.function, offset, file)
    for (place, parameter) in (signature?.parameters ?? []).enumerated() where !it.isBegun {
      // The first parameters have positional arguments.
      if place < it.unnamed { continue }
      if it.given.contains(parameter.word) || parameter.isMany { continue }
      items.append(
        CompletionItem(
          parameter.word, .property, detail: parameter.type, insert: parameter.word + ": ",
          snippet: "\(parameter.word): "
            + Snippet.place(1, Snippet.example(ofType: parameter.type)), group: 1))
    }
    return items
      + values(
        ofType: signature?.parameter(of: it)?.type, at: offset, in: file, types)
  }

  /// Returns values for a parameter's declared type, if it is known.
  private func values(
    ofType type: String?, at offset: Int, in file: String, _ types: NameTypes
  ) -> [CompletionItem] {
    let declared = type.flatMap(ValueType.init(declared:))
    let all = {
      self.expressions(offset, file).map { item in
        declared.map { types.fit(item, $0) == false } == true ? item.grouped(5) : item
      }
    }
    switch type {
    case "word": return []
    case "color", "paint":
      return paints(hasGradients: type == "paint", at: offset, in: file, types)
        + all().map { $0.grouped(3) }
    case "bool":
      return ["true", "false"].map { CompletionItem($0, .keyword, group: 0) } + all()
    case "easing":
      return NamedValues.easings.map {
        CompletionItem($0, .easing, group: 0, page: "easing/\($0)")
      } + all()
    case let type? where type.hasPrefix("fn("):
      return functions(ofType: type, at: offset, in: file)
    case let type? where type.contains("|"):
      let words = type.split(separator: "|").map { String($0).trimmingBlanks }
      // Only names with enumeration types can supply the value instead of a word.
      return words.map { CompletionItem($0, .word, group: 0) }
        + named([.param, .constant, .parameter], at: offset, in: file).filter {
          $0.detail.contains("|")
        }
    default: return all()
    }
  }
}

extension FileFacts {
  /// Returns the kind of the element that a symbol names; `nil` for other symbols.
  fileprivate func kind(of symbol: Int) -> ElementKind? {
    let start = index.whole(of: symbol).start
    let token = tree.token(at: start)
    return ElementKind(rawValue: tree.text(ofToken: token))
  }
}
