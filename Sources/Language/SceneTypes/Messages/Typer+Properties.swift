// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneSyntax
import SceneText

// Unknown properties, and properties of other elements.
extension Typer {
  func unknownProperty(_ name: Name, _ value: Expression, in place: Place, scope: Scope) {
    guard isReporting(at: name.span) else { return }
    // Without a known element to animate, its properties cannot be checked.
    guard let kind = place.kind else { return }
    // The kind in the source, which for a `change` differs from that of the changed element.
    let own = place.host == nil ? kind : .change
    var known = Property.all(of: own).map(\.name)
    if let host = place.host?.kind {
      known = (Property.all(of: host) + Typer.changeWords).map(\.name)
    }
    let component = place.component ?? place.host?.definition
    known += component?.syntax.parameters.map(\.name.text) ?? []
    let diagnostic = Diagnostic(
      .unknownProperty, "unknown property '\(name.text)' on '\(place.kindName)'", at: name.span)
    let word = foreignWord(name.text)
    let dashed = ForeignWords.dashed(name.text)
    if known.contains(dashed) {
      report(diagnostic.suggesting(dashed, isSafe: true))
    } else if component?.syntax.parameters.contains(where: { $0.name.text == name.text + "s" })
      == true
    {
      report(diagnostic.suggesting(name.text + "s"))
    } else if let drawn = partOfOutline(diagnostic, name, of: own, in: place) {
      report(drawn)
    } else if let end = endPoint(dashed, value, of: kind, in: scope) {
      report(diagnostic.suggesting(end))
    } else if let note = ForeignWords.note(on: name.text, of: own) {
      report(
        component.map { foreign(diagnostic, name, of: $0.syntax, in: place, advice: note) }
          ?? diagnostic.advising(note))
    } else if let near = sameProperty(as: word, in: known) {
      report(diagnostic.suggesting(near, isSafe: ForeignWords.isExact(word, on: own)))
    } else if let component, ForeignWords.placing.contains(word) {
      let error = foreign(
        diagnostic, name, of: component.syntax, in: place,
        advice: "to place the component, use 'position: (x, y)'")
      if error.notes.isEmpty { report(error) } else { reportOnce(error, "place", in: place) }
    } else if let note = ForeignWords.otherProperty[word], Typer.isApplicable(note, known) {
      reportOnce(diagnostic.advising(note), note, in: place)
    } else if component == nil, ForeignWords.foreignProperties.contains(word) {
      // The word has a known meaning elsewhere, so a similarly spelled name is misleading.
      report(diagnostic)
    } else if nearest(name.text, in: known) != nil {
      report(diagnostic.suggesting(nearestTo: name.text, in: known))
    } else if let kind = ElementKind(rawValue: name.text), place.kind?.mayHold(kind) != false {
      report(
        diagnostic.advising("write the element '\(name.text)' without ':': \(example(of: kind))"))
    } else if let component {
      report(diagnostic.noting(parameters(of: component.syntax, isUse: place.host == nil)))
    } else if case .list? = place.element?.target?.kind {
      report(
        diagnostic.advising(
          "only some of these elements have it; write a separate 'change of' for them"))
    } else {
      report(diagnostic)
    }
  }

  /// Returns the parameters of a component in messages at its use, or at a change of it.
  private func parameters(of component: DefinitionSyntax, isUse: Bool) -> String {
    let names = component.parameters.map(\.name.text).joined(separator: ", ")
    let name = isUse ? "it" : "'\(component.name.text)'"
    let owner = isUse ? "its parameters" : "the parameters of \(name)"
    return names.isEmpty ? "\(name) has no parameters" : "\(owner) are \(names)"
  }

  /// Returns the error about a foreign word such as `top` or `iterations` on a component, where it
  /// may mean a parameter. The advice is about the other meaning.
  private func foreign(
    _ diagnostic: Diagnostic, _ name: Name, of component: DefinitionSyntax, in place: Place,
    advice: String
  ) -> Diagnostic {
    if let parameter = nearParameter(name.text, of: component) {
      return diagnostic.suggesting(nearestTo: name.text, in: [parameter])
    }
    return diagnostic.noting(parameters(of: component, isUse: place.host == nil))
      .advising(advice)
  }

  /// Returns the parameter with one more or one less letter at the end, as `iteration` for
  /// `iterations`, or `nil`. Words such as `left` have meanings of their own, so that parameters
  /// such as `left-label` are not similar.
  private func nearParameter(_ name: String, of component: DefinitionSyntax) -> String? {
    component.parameters.map(\.name.text).first {
      name.utf8.count > 1 && editDistance(name, $0) == 1
        && ($0.hasPrefix(name) || name.hasPrefix($0))
    }
  }

  /// Returns the property for an end point of a line, which is `start` or `end` in Manim, or `nil`.
  private func endPoint(
    _ word: String, _ value: Expression, of kind: ElementKind, in scope: Scope
  ) -> String? {
    guard [.line, .arrow].contains(kind), let property = ["start": "from", "end": "to"][word],
      case .pair = silently({ type(value, in: scope) })
    else { return nil }
    return property
  }

  /// Returns the error with the equivalent `trim` for a foreign property that draws a part of an
  /// outline, such as `trim-end`, or `nil`. The value of `end` is either a share or a time.
  private func partOfOutline(
    _ diagnostic: Diagnostic, _ name: Name, of kind: ElementKind, in place: Place
  ) -> Diagnostic? {
    let word = ForeignWords.dashed(name.text)
    let isStart = ForeignWords.outlineStarts.contains(word)
    guard ![.video, .audio, .scene].contains(kind), Property.all(of: kind).contains(.trim),
      isStart || word == "end" || ForeignWords.outlineEnds.contains(word)
    else { return nil }
    let items: [PropertySyntax] = (place.element?.items ?? []).compactMap {
      if case .property(let it) = $0 { it } else { nil }
    }
    let span = items.first { $0.name.span == name.span }?.value.span
    let value = span.map(text) ?? ""
    let first = value.prefix { !$0.isWhitespace }
    let isShare = Double(first.hasSuffix("%") ? first.dropLast() : first) != nil
    guard isShare || word != "end" else { return nil }
    let others = items.filter { it in
      let other = ForeignWords.dashed(it.name.text)
      return it.name.span != name.span
        && (other == "trim" || ForeignWords.outlineStarts.contains(other)
          || ForeignWords.outlineEnds.contains(other))
    }
    guard let span, isShare, others.isEmpty, !value.contains(where: \.isNewline) else {
      return diagnostic.advising("draw a part of the outline with trim: 20% .. 80%")
    }
    let unit = first.hasSuffix("%") ? "%" : ""
    let range =
      isStart
      ? Mismatch.range(from: value, to: unit.isEmpty ? "1" : "100%")
      : Mismatch.range(from: "0\(unit)", to: value)
    return diagnostic.fixing(
      "write trim: \(range)", replacing: name.span.union(span), with: "trim: \(range)",
      isSafe: false)
  }

  /// Reports a property of a style that no element has.
  func unknownProperty(ofStyle name: Name) {
    let diagnostic = Diagnostic(
      .unknownProperty, "no element has a property '\(name.text)'", at: name.span)
    let word = name.text.lowercased()
    if let meant = ForeignWords.sameProperty[word] {
      report(
        diagnostic.suggesting(meant, isSafe: ForeignWords.exactProperties.contains(word)))
    } else if let note = ForeignWords.otherProperty[word] {
      report(diagnostic.advising(note))
    } else if ForeignWords.foreignProperties.contains(word) {
      report(diagnostic)
    } else {
      report(diagnostic.suggesting(nearestTo: name.text, in: Property.allCases.map(\.name)))
    }
  }

  /// Returns the known property equivalent to a foreign one, or `nil`. For example,
  /// `background-color` is the `background` of a scene and the `fill` of a shape.
  ///
  /// Components of the library name the duration of their entrance `span`.
  private func sameProperty(as word: String, in known: [String]) -> String? {
    if ["duration", "over"].contains(word), known.contains("span") { return "span" }
    var next = ForeignWords.sameProperty[word]
    while let it = next, !known.contains(it) { next = ForeignWords.sameProperty[it] }
    return next
  }

  /// Returns the foreign name in its dictionary spelling, including for `fillRule` and `fill_rule`.
  private func foreignWord(_ name: String) -> String {
    let isKnown = { (word: String) in
      ForeignWords.sameProperty[word] != nil || ForeignWords.otherProperty[word] != nil
        || ForeignWords.foreignProperties.contains(word)
    }
    let word = name.lowercased()
    let dashed = ForeignWords.dashed(name)
    return isKnown(word) || !isKnown(dashed) ? word : dashed
  }

  /// Reports an error unless an unknown property of the same element with the same advice was
  /// reported, such as `y` after `x`.
  private func reportOnce(_ diagnostic: Diagnostic, _ note: String, in place: Place) {
    let owner = place.element.map(ObjectIdentifier.init)
    if advice[owner, default: []].insert(note).inserted {
      report(diagnostic)
    } else {
      markInvalid(diagnostic.span)
    }
  }

  /// Returns whether an element has the first property that an advice such as `use 'size: 300x200'`
  /// proposes. `known` contains the properties of the element.
  private static func isApplicable(_ advice: String, _ known: [String]) -> Bool {
    guard advice.hasPrefix("use '") else { return true }
    let name = String(advice.dropFirst(5).prefix { $0.isLetter || $0 == "-" })
    return Property.named(name) == nil || known.contains(name)
  }

  private func example(of kind: ElementKind) -> String {
    switch kind.subjectProperty {
    case .content: "\(kind.rawValue) \"Hello\""
    case nil: "\(kind.rawValue) { … }"
    default: "\(kind.rawValue) \"…\""
    }
  }

  /// Returns the property to use instead of one that a kind of element does not have; `nil` if
  /// there is none.
  private static func advice(for property: Property, on kind: ElementKind) -> String? {
    switch (kind, property) {
    case (.text, .size): "use 'font-size' or 'width' on a text"
    case (.scene, .fill): "use 'background' on a scene"
    case (.audio, .from), (.audio, .to): "use 'trim: 2s .. 6s' to play part of the sound"
    case (.group, .fill): "add a 'rect' to the group; a group has no paint of its own"
    case (.each, .at):
      "set 'stagger: 1s' to start each part 1s after the one before, or write enter: fade over 1s after index * 1s"
    case (.text, .paddingLeft), (.text, .paddingRight), (.captions, .paddingLeft),
      (.captions, .paddingRight):
      "set 'padding: (20, 8)': the first length is the left and right padding"
    case (.text, .paddingTop), (.text, .paddingBottom), (.captions, .paddingTop),
      (.captions, .paddingBottom):
      "set 'padding: (20, 8)': the second length is the top and bottom padding"
    case (.scene, .loop):
      "remove it; a GIF repeats endlessly, unless output { loop: 3 } limits the number of plays"
    case (_, .loop) where kind.isShape || kind == .text || kind == .math: ForeignWords.loop
    case (.change, .speed): "animate 'speed' on the element: speed: 1 -> 2 over 1s"
    default: nil
    }
  }

  /// Reports a property that other elements have.
  func misplaced(
    _ property: Property, _ name: Name, value: Expression, in place: Place, scope: Scope
  ) {
    guard isReporting(at: name.span) else { return }
    let kinds = property.declaration.kinds.map(\.rawValue).sorted()
    let shown = kinds.count > 11 ? "most drawn elements" : kinds.joined(separator: ", ")
    let named = place.host?.isNamed == true ? place.host : nil
    guard let kind = place.host == nil ? place.kind : named == nil ? .change : named?.kind else {
      return
    }
    let diagnostic = Diagnostic(
      .propertyElsewhere,
      "'\(name.text)' is not a property of '\(named?.name ?? place.kindName)'", at: name.span)
    let known = Property.all(of: kind).map(\.name)
    let component = place.component ?? place.host?.definition
    let parameter = component.flatMap { nearParameter(name.text, of: $0.syntax) }
    let isLine = kind.isShape && known.contains("points") || kind.isOpenLine
    if let host = place.host, !host.isNamed, host.kind == .step,
      let target = place.element?.name, isElement(target, in: scope)
    {
      report(
        diagnostic.advising(
          "to change the element '\(target.text)', write change of \(target.text) { … }"))
    } else if let end = endPoint(name.text, value, of: kind, in: scope) {
      report(diagnostic.suggesting(end))
    } else if property == .width, isLine {
      report(
        diagnostic.advising("use 'stroke-width' for the width of a line")
          .suggesting("stroke-width", isSafe: true))
    } else if let parameter {
      report(diagnostic.suggesting(parameter))
    } else if let advice = Typer.advice(for: property, on: kind) {
      report(diagnostic.advising(advice))
    } else if let note = ForeignWords.note(on: name.text, of: kind) {
      report(diagnostic.advising(note))
    } else if let near = sameProperty(as: name.text, in: known) {
      report(
        diagnostic.suggesting(near, isSafe: ForeignWords.isExact(name.text, on: kind)))
    } else if let note = ForeignWords.otherProperty[name.text], Typer.isApplicable(note, known) {
      reportOnce(diagnostic.advising(note), note, in: place)
    } else {
      report(diagnostic.noting("'\(name.text)' is a property of \(shown)"))
    }
  }

  /// Returns whether a name is that of an element, apart from changes with the same name.
  private func isElement(_ name: Name, in scope: Scope) -> Bool {
    sequence(first: scope, next: \.parent).contains {
      guard case .element(let it)? = $0.names[name.identifier] else { return false }
      return it.kind != .change
    }
  }
}
