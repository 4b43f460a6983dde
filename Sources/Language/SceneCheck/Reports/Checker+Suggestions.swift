// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Suggestions for unknown names that are familiar from CSS, SVG and other programs.
extension Checker {
  /// Foreign properties, with the property that takes the same value.
  static let sameProperty: [String: String] = [
    "color": "fill", "colour": "fill", "background": "fill", "background-color": "background",
    "duration": "for", "with": "easing", "length": "for", "start": "at", "begin": "at",
    "delay": "at",
    "pos": "position", "center": "position", "angle": "rotate", "rotation": "rotate",
    "origin": "pivot", "transform-origin": "pivot", "alpha": "opacity", "z-index": "z",
    "r": "radius", "radius": "corner-radius", "border-radius": "corner-radius",
    "rx": "corner-radius", "ry": "corner-radius", "rounded": "corner-radius",
    "rounding": "corner-radius", "roundness": "corner-radius",
    "border-color": "stroke", "stroke-color": "stroke", "border-width": "stroke-width",
    "line-width": "stroke-width", "thickness": "stroke-width", "fill-color": "fill",
    "stroke-linecap": "cap", "stroke-cap": "cap", "stroke-linejoin": "join", "stroke-join": "join",
    "stroke-dasharray": "dash",
    "stroke-dashoffset": "dash-offset", "stroke-miterlimit": "miter-limit",
    "font-family": "font", "text-align": "align", "weight": "font-weight",
    "tracking": "letter-spacing", "leading": "line-height", "flex-grow": "grow", "flex": "grow",
    "framerate": "fps", "frame-rate": "fps", "drop-shadow": "shadow", "box-shadow": "shadow",
    "text-shadow": "shadow", "object-fit": "fit", "object-position": "focus",
    "target": "look-at", "justify-content": "justify", "align-items": "align", "flex-wrap": "wrap",
    "path": "along",
    "mix-blend-mode": "blend", "clip-path": "clip", "src": "source", "href": "source",
    "file": "source", "url": "source", "d": "data", "string": "content", "value": "content",
    "label": "content", "outer-radius": "radius",
    "start-time": "at", "opaque": "opacity", "stroke-dash": "dash", "font-color": "fill",
    "text-color": "fill", "columns-count": "columns", "src-url": "source",
    "easing-function": "easing", "playback-rate": "speed", "playbackrate": "speed",
    "current-time": "time", "currenttime": "time", "gain": "volume", "balance": "pan",
    "text-wrap": "wrap", "text-wrap-style": "wrap", "vertical-align": "baseline-shift",
    "fadein": "fade-in", "fadeout": "fade-out",
  ]

  /// Foreign properties that require a different value here, with advice.
  static let otherProperty: [String: String] = [
    "x1": ends, "y1": ends, "x2": ends, "y2": ends,
    "x": "use 'position: (x, y)'", "y": "use 'position: (x, y)'",
    "cx": "use 'position: (x, y)'", "cy": "use 'position: (x, y)'",
    "left": "use 'position: (x, y)'", "top": "use 'position: (x, y)'",
    "hidden": "use 'visible: false'", "visibility": "use 'visible: false'",
    "overflow": "use 'clip: true'", "fov": "use 'zoom'", "field-of-view": "use 'zoom'",
    "width": "use 'size: 300x200'", "height": "use 'size: 300x200'", "w": "use 'size: 300x200'",
    "h": "use 'size: 300x200'", "bold": "use 'font-weight: bold'",
    "font-style": "use 'italic: true'", "text-decoration": "use 'underline: true'",
    "border": "use 'stroke: red' and 'stroke-width: 2'",
    "transform": "use 'translate', 'rotate', 'scale' and 'skew'",
    "animation": "animate any property directly: opacity: 0 -> 1 over 1s",
    "animate": "animate any property directly: opacity: 0 -> 1 over 1s",
    "fill-opacity": "use a semitransparent color: fill: alpha(red, 50%)",
    "stroke-opacity": "use a semitransparent color: stroke: alpha(red, 50%)",
    "fill-rule": winding, "clip-rule": winding, "even-odd": winding, "evenodd": winding,
    "nonzero": winding, "non-zero": winding, "winding": winding, "winding-rule": winding,
    "vector-effect": "set 'stroke-scale: none' to keep the stroke width constant",
    "blur": "use 'filter: blur(4)'", "brightness": "use 'filter: brightness(1.2)'",
    "margin": "use 'position', or 'gap' and 'padding' on a row, column or grid",
    "mask": "add a mask block to the element: mask { circle { } }",
    "right": "use 'position: (100% - 40, y)'", "bottom": "use 'position: (x, 100% - 40)'",
    "inset": "use 'position: (x, y)' and 'size'",
    "display": "use 'row', 'column' or 'grid' for layout, and 'visible: false' to hide",
    "flex-direction": layout, "flex-wrap": layout,
    "justify-content": layout, "align-content": layout, "align-self": layout, "float": layout,
    "grid-template-columns": layout, "grid-template-rows": layout, "row-gap": layout,
    "column-gap": layout,
    "text-transform": "use 'upper' or 'lower' in the text: \"{upper(name)}\"",
    "white-space": "set 'width' to wrap a text, and write \\n for a line break",
    "word-wrap": "set 'width' to wrap a text, and write \\n for a line break",
    "text-overflow": "set 'width' on the text, or a smaller 'font-size'",
    "line-clamp": "set 'width' on the text, or a smaller 'font-size'",
    "background-image": "use an image as the background: image \"a.jpg\" { size: 100% }",
    "background-size": "use 'fit: cover' or 'fit: contain' on an image",
    "background-position": "use 'focus: (50%, 20%)' on an image",
    "aspect-ratio": "set both sides: size: 320x180",
    "filter-blur": "use 'filter: blur(4)'", "backdrop": "use 'backdrop-filter: blur(12)'",
    "autoplay": "remove it; a clip plays automatically",
    "controls": "remove it; a video has no controls",
    "poster": "show a single frame of it: time: 2s", "in": part, "out": part, "clip-start": part,
    "start-at": part, "end": part, "muted": silent, "mute": silent, "sound": silent,
    "fade": "use 'fade-in: 1s' and 'fade-out: 1s' on a sound",
    "crossfade": "use 'transition: dissolve over 1s' in a sequence to cross-fade sounds",
    "duck": "use it as a volume: volume: duck(by: -12dB, under: voice)",
    "cursor": "remove it; a video has no pointer",
    "pointer-events": "remove it; a video has no pointer",
    "user-select": "remove it; a video has no pointer",
    "onclick": "remove it; a video has no pointer",
    "transition": "animate any property directly: opacity: 0 -> 1 over 1s",
    "keyframes": "write keyframes as the value of a property: opacity: keyframes { 0s: 0; 1s: 1 }",
  ]

  private static let winding =
    "cut holes with a path function: data: exclude(a, b); shapes always use the nonzero rule"
  private static let ends = "use 'from: (x, y)' and 'to: (x, y)'"
  private static let part = "select the part to play: trim: 2s .. 6s"
  private static let silent = "use 'volume: 0' to mute it"
  private static let layout = "use 'row', 'column' or 'grid' with 'gap', 'align' and 'padding'"

  /// Foreign elements, with the equivalent element.
  private static let sameElement: [String: String] = [
    "rectangle": "rect", "square": "rect", "box": "rect", "oval": "ellipse", "dot": "circle",
    "img": "image", "picture": "image", "photo": "image", "gif": "image",
    "png": "image", "jpg": "image", "sprite": "image", "icon": "image",
    "label": "text", "title": "text", "p": "text", "h1": "text", "h2": "text", "h3": "text",
    "h4": "text", "h5": "text", "h6": "text", "paragraph": "text", "heading": "text",
    "tspan": "span",
    "g": "group", "div": "group", "section": "group", "container": "group", "layer": "group",
    "view": "group", "stack": "group", "zstack": "group", "frame": "group", "precomp": "group",
    "hstack": "row", "flex": "row", "vstack": "column", "ul": "column", "ol": "column",
    "list": "column", "table": "grid", "bezier": "path", "curve": "path", "spline": "path",
    "series": "sequence", "timeline": "sequence", "subtitles": "captions", "subtitle": "captions",
    "sound": "audio", "music": "audio", "voice": "audio", "movie": "video", "triangle": "polygon",
    "hexagon": "polygon", "chapter": "marker", "clippath": "clip",
  ]

  /// Foreign effects, with the equivalent expression for `enter`.
  private static let sameEffect: [String: String] = [
    "typewriter": "type", "typing": "type", "type-on": "type", "fade-in": "fade",
    "fade-out": "fade", "appear": "fade", "disappear": "fade", "dissolve": "fade",
    "slide-in": "slide", "fly-in": "slide", "slide-up": "slide(from: bottom)",
    "slide-down": "slide(from: top)", "slide-left": "slide(from: right)",
    "slide-right": "slide(from: left)", "slide-in-left": "slide(from: left)",
    "slide-in-right": "slide(from: right)", "fade-up": "rise", "fade-in-up": "rise",
    "float-up": "rise", "bounce": "drop", "bounce-in": "drop", "fall": "drop", "zoom": "grow",
    "zoom-in": "grow", "scale": "grow", "scale-in": "grow", "scale-up": "grow", "pop-in": "pop",
    "pop-up": "pop", "elastic": "pop", "reveal": "wipe", "wipe-right": "wipe(from: left)",
    "wipe-left": "wipe(from: right)", "wipe-in": "wipe", "write": "draw", "draw-in": "draw",
    "stroke": "draw", "trace": "draw", "rotate": "spin", "rotate-in": "spin", "spin-in": "spin",
    "blur": "blur-in", "focus": "blur-in", "iris": "open",
  ]

  /// Foreign transitions, with the equivalent expression.
  private static let sameTransition: [String: String] = [
    "fade": "dissolve", "crossfade": "dissolve", "cross-fade": "dissolve", "mix": "dissolve",
    "cross-dissolve": "dissolve", "fade-to-black": "fade-through", "dip": "fade-through",
    "dip-to-black": "fade-through", "fade-black": "fade-through",
    "fade-white": "fade-through(color: white)", "slide-left": "slide(from: right)",
    "slide-right": "slide(from: left)", "slide-up": "slide(from: bottom)",
    "slide-down": "slide(from: top)", "push-left": "push(from: right)",
    "push-right": "push(from: left)", "push-up": "push(from: bottom)",
    "push-down": "push(from: top)", "wipe-left": "wipe(from: right)",
    "wipe-right": "wipe(from: left)", "circle": "iris", "circle-open": "iris", "zoom-in": "zoom",
    "cross-zoom": "zoom", "clock-wipe": "clock", "radial": "clock", "none": "cut",
  ]

  /// Returns the replacement for an unknown effect or transition, or `nil`. On exit, an element
  /// leaves toward the side from which it would enter.
  func meantDefinition(_ kind: DefinitionSyntax.Kind, _ name: String, isExit: Bool) -> String? {
    let word = dashed(name)
    guard kind == .effect else { return Checker.sameTransition[word] }
    let mirrored = ["slide-up": "top", "slide-down": "bottom", "slide-left": "left"]
    if isExit, let side = mirrored[word] { return "slide(from: \(side))" }
    if isExit, word == "slide-right" { return "slide(from: right)" }
    return Checker.sameEffect[word]
  }

  /// Converts `fadeIn` and `fade_in` to `fade-in`.
  func dashed(_ name: String) -> String {
    var word = ""
    for character in name {
      if character.isUppercase, !word.isEmpty { word += "-" }
      word += character == "_" ? "-" : character.lowercased()
    }
    return word
  }

  /// Reports an unknown element with a suggestion.
  func unknownElement(_ name: Name, _ scope: Scope, _ syntax: ElementSyntax, in parent: Instance) {
    guard reports.isNew(name.span), !isReported(name.identifier, scope) else { return }
    if isValue(name.text, scope) {
      report(
        Diagnostic(.unknownElement, "'\(name.text)' is a value, not an element", at: name.span)
          .advising("show it with text \"{\(name.text)}\""))
      return
    }
    let kinds = ElementKind.written.filter { ![.scene, .slot].contains($0) }.map(\.rawValue)
    let diagnostic = Diagnostic(
      .unknownElement, "unknown element '\(name.text)'", at: name.span)
    if let known = importing(name.text, .component, diagnostic) {
      report(known)
      return
    }
    let components = sequence(first: scope, next: \.parent).flatMap { scope in
      scope.bindings.compactMap { name, binding in
        switch binding {
        case .definition(let it, _): it.kind == .component ? name.text : nil
        case .scene(let it, _): isInside(it, parent) ? nil : name.text
        default: nil
        }
      }
    }
    let word = name.text.lowercased()
    if let meant = halfWritten(name.text, syntax, in: parent),
      !kinds.contains(where: { $0.hasPrefix(name.text) })
    {
      report(diagnostic.advising("did you mean the property '\(meant): …'?"))
    } else if let note = Checker.otherElements[word] {
      report(diagnostic.advising(note))
    } else if nearest(name.text, in: kinds + components) != nil {
      report(diagnostic.suggesting(nearestTo: name.text, in: kinds + components))
    } else if let meant = Checker.sameElement[word] {
      report(diagnostic.suggesting(meant, isSafe: Checker.exactElements.contains(word)))
    } else if Property.named(name.text) != nil {
      report(diagnostic.advising("write '\(name.text): …' for the property"))
    } else if let known = nearlyImporting(name.text, .component, diagnostic) {
      report(known)
    } else {
      report(diagnostic.noting("the elements are \(kinds.joined(separator: ", "))"))
    }
  }

  /// Binds the name of an invalid element, so that its uses are not reported as unknown.
  func keepName(of syntax: ElementSyntax, in scope: Scope) {
    guard let name = syntax.name, scope.bindings[name] == nil else { return }
    scope.bind(name, .value(poison(syntax.headSpan), name.span))
  }

  /// Returns whether an element is inside a scene.
  private func isInside(_ scene: ElementSyntax, _ instance: Instance) -> Bool {
    sequence(first: instance, next: \.parent).contains { $0.syntax === scene }
  }

  /// Returns the property name of which a lone word is probably an incomplete form, or `nil`.
  private func halfWritten(_ word: String, _ syntax: ElementSyntax, in parent: Instance) -> String?
  {
    guard syntax.span.end - syntax.span.start == word.utf8.count else { return nil }
    let known =
      Property.all(of: parent.kind).map(\.name)
      + (parent.definition?.parameters.map(\.name.text) ?? [])
    return known.contains(word) ? nil : nearest(word, in: known)
  }

  /// Returns whether the error of a name, such as a duplicate declaration, was already reported.
  func isReported(_ name: Identifier, _ scope: Scope) -> Bool {
    if case .value(let value, _)? = scope.lookup(name)?.0 { value.isPoison } else { false }
  }

  /// Foreign words of enumerations.
  static let sameWord: [String: String] = [
    "middle": "center", "centre": "center", "start": "left", "end": "right", "heavy": "black",
    "bottom-center": "bottom", "top-center": "top", "center-left": "left",
    "center-right": "right", "center-top": "top", "center-bottom": "bottom", "left-top": "top-left",
    "left-center": "left", "right-center": "right", "right-top": "top-right",
    "left-bottom": "bottom-left", "right-bottom": "bottom-right", "center-center": "center",
    "middle-center": "center", "demibold": "semi-bold", "flat": "butt", "add": "plus-lighter",
    "additive": "plus-lighter",
  ]

  func unknownProperty(_ name: Name, _ instance: Instance) {
    guard reports.isNew(name.span) else { return instance.unknownProperties.append("") }
    defer { instance.unknownProperties.append(name.text) }
    var known = Property.all(of: instance.kind).map(\.name)
    if instance.kind == .change, let host = instance.host {
      known = (Property.all(of: host.kind) + Checker.changeWords).map(\.name)
    }
    known += instance.definition?.parameters.map(\.name.text) ?? []
    if isParameterOfHost(name, instance) { return }
    let diagnostic = Diagnostic(
      .unknownProperty, "unknown property '\(name.text)' on '\(instance.kindName)'", at: name.span)
    let word = foreignWord(name.text)
    if let note = note(on: name.text, instance.kind) {
      tellOnce(diagnostic.advising(note), note, instance)
    } else if let near = sameProperty(as: word, in: known) {
      report(diagnostic.suggesting(near, isSafe: isExact(word, instance)))
    } else if let note = Checker.otherProperty[word] {
      tellOnce(diagnostic.advising(note), note, instance)
    } else if instance.definition == nil, Checker.foreignProperties.contains(word) {
      // The word has a known meaning elsewhere, so a similarly spelled name is misleading.
      report(diagnostic)
    } else if nearest(name.text, in: known) != nil {
      report(diagnostic.suggesting(nearestTo: name.text, in: known))
    } else if let kind = ElementKind(rawValue: name.text) {
      report(
        diagnostic.advising("write the element '\(name.text)' without ':': \(example(of: kind))"))
    } else if instance.kind == .change, instance.host?.definition != nil {
      report(
        diagnostic.noting(
          "'change' animates properties such as 'opacity'; parameters are animated where they are set"
        ))
    } else if let definition = instance.definition {
      let names = definition.parameters.map(\.name.text).joined(separator: ", ")
      report(
        diagnostic.noting(names.isEmpty ? "it has no parameters" : "its parameters are \(names)"))
    } else {
      report(diagnostic)
    }
  }

  /// Reports a `change` of a component's parameter, with the place to animate it. Returns whether
  /// it applies.
  private func isParameterOfHost(_ name: Name, _ instance: Instance) -> Bool {
    guard instance.kind == .change, let host = instance.host, let definition = host.definition,
      definition.parameters.contains(where: { $0.name.identifier == name.identifier })
    else { return false }
    let head = [definition.name.text, host.syntax.name?.text].compactMap { $0 }.joined(
      separator: " ")
    let step = sequence(first: instance, next: \.parent).first { $0.kind == .step }
    let time = step?.syntax.name.map { "\($0.text).start" } ?? "1s"
    report(
      Diagnostic(
        .unknownProperty, "'\(name.text)' is a parameter of '\(definition.name.text)'",
        at: name.span,
        label: "'change' can only animate properties"
      ).advising(
        "animate a parameter where it is set: \(head) { \(name.text): keyframes { 0s: a; \(time): b } }"
      ))
    return true
  }

  /// Returns the known property equivalent to a foreign one, or `nil`. For example,
  /// `background-color` is the `background` of a scene and the `fill` of a shape.
  private func sameProperty(as word: String, in known: [String]) -> String? {
    var next = Checker.sameProperty[word]
    while let it = next, !known.contains(it) { next = Checker.sameProperty[it] }
    return next
  }

  /// Returns the foreign name in its dictionary spelling, also for `fillRule` and `fill_rule`.
  private func foreignWord(_ name: String) -> String {
    let isKnown = { (word: String) in
      Checker.sameProperty[word] != nil || Checker.otherProperty[word] != nil
        || Checker.foreignProperties.contains(word)
    }
    let word = name.lowercased()
    return isKnown(word) || !isKnown(dashed(name)) ? word : dashed(name)
  }

  /// Reports an error unless an unknown property with the same advice was reported, such as `y`
  /// after `x`.
  private func tellOnce(_ diagnostic: Diagnostic, _ note: String, _ instance: Instance) {
    let isTold = instance.unknownProperties.contains { Checker.otherProperty[$0] == note }
    if !isTold { report(diagnostic) }
  }

  private func example(of kind: ElementKind) -> String {
    switch kind.subjectProperty {
    case .content: "\(kind.rawValue) \"Hello\""
    case nil: "\(kind.rawValue) { … }"
    default: "\(kind.rawValue) \"…\""
    }
  }

  func misplaced(_ property: Property, _ name: Name, _ instance: Instance) {
    defer { instance.unknownProperties.append(name.text) }
    let kinds = property.declaration.kinds.map(\.rawValue).sorted()
    let shown = kinds.count > 11 ? "most drawn elements" : kinds.joined(separator: ", ")
    if isParameterOfHost(name, instance) { return }
    let host = instance.syntax.target == nil ? nil : instance.host
    let kind = host?.kind ?? instance.kind
    let diagnostic = Diagnostic(
      .propertyElsewhere,
      "'\(name.text)' is not a property of '\(host?.displayName ?? instance.kindName)'",
      at: name.span)
    let swaps: [(ElementKind, Property, String)] = [
      (.circle, .size, "use 'radius' on a circle"),
      (.circle, .width, "use 'radius' on a circle"),
      (.text, .size, "use 'font-size' or 'width' on a text"),
      (.scene, .fill, "use 'background' on a scene"),
      (.audio, .from, "use 'trim: 2s .. 6s' to play a part of it"),
      (.audio, .to, "use 'trim: 2s .. 6s' to play a part of it"),
      (.group, .fill, "add a 'rect' to the group; a group has no paint of its own"),
    ]
    let known = Property.all(of: kind).map(\.name)
    let isLine = kind.isShape && known.contains("points") || kind.isOpenLine
    if property == .width, isLine {
      report(
        diagnostic.advising("use 'stroke-width' for the width of a line")
          .suggesting("stroke-width", isSafe: true))
      return
    }
    if let (_, _, mend) = swaps.first(where: {
      $0.0 == kind && $0.1 == property
    }) {
      report(diagnostic.advising(mend))
    } else if let note = note(on: name.text, kind) {
      tellOnce(diagnostic.advising(note), note, instance)
    } else if let near = sameProperty(as: name.text, in: known) {
      report(diagnostic.suggesting(near, isSafe: isExact(name.text, instance)))
    } else if let note = Checker.otherProperty[name.text] {
      tellOnce(diagnostic.advising(note), note, instance)
    } else {
      report(diagnostic.noting("'\(name.text)' is a property of \(shown)"))
    }
  }

  /// Reports a missing required property, unless an unknown property was reported, which may be a
  /// misspelling of it.
  func missing(_ message: String, _ label: String, _ i: Instance) {
    if !i.unknownProperties.isEmpty { return }
    let diagnostic = Diagnostic(
      .missingProperty, "'\(i.displayName)' requires \(message)", at: i.span)
    let subject = givenAsName(i)
    report(
      diagnostic.labelled(
        subject.map { "the word after '\(i.syntax.kindText)' is its name; write \($0)" }
          ?? label))
  }

  /// Returns `image "{photo}"` for `image photo` if `photo` is a value, or `nil`.
  private func givenAsName(_ i: Instance) -> String? {
    guard let name = i.syntax.name?.text, i.kind.subjectProperty != nil, i.syntax.subject == nil
    else { return nil }
    return isValue(name, i.scope) ? "\(i.syntax.kindText) \"{\(name)}\"" : nil
  }

  /// Returns whether a name denotes a value in an enclosing scope.
  private func isValue(_ name: String, _ scope: Scope) -> Bool {
    sequence(first: scope, next: \.parent).contains { scope in
      switch scope.bindings[name] {
      case .expression: true
      case .value(let value, _): !value.isPoison
      default: false
      }
    }
  }

  /// Reports `text title`, which names the text, where the value of `title` was probably meant as
  /// content.
  func isValueAsName(_ i: Instance) -> Bool {
    let syntax = i.syntax
    guard i.kind == .text, let name = syntax.name, syntax.subject == nil,
      isValue(name.text, i.scope),
      !syntax.items.contains(where: { item in
        switch item {
        case .property(let it): it.name.text == Property.content.name
        case .element(let it): it.kindText == ElementKind.span.rawValue
        case .forItem, .ifItem: true
        default: false
        }
      })
    else { return false }
    let value = "\"{\(name.text)}\""
    report(
      Diagnostic(
        .missingProperty, "'\(name.text)' is the name of this text, which is empty",
        at: name.span
      ).fixing("write \(value) to show the value", name.span, value))
    return true
  }

  /// Foreign functions, with the equivalent function.
  static let sameFunction: [String: String] = [
    "unite": "union", "merge": "union", "join": "union", "difference": "subtract",
    "minus": "subtract", "xor": "exclude", "intersection": "intersect", "inset": "offset",
    "outset": "offset", "expand": "offset", "grow": "offset",
  ]

  private static let unique =
    "use a list comprehension: [for x, i in list if not any([for j in 0..i: list[j] == x]): x]"

  /// Foreign functions without an equivalent, with advice.
  static let otherFunction: [String: String] = [
    "drop-shadow":
      "set a shadow as a property: shadow: shadow(offset: (0, 8), blur: 24, color: black)",
    "range": "write a range as 0..5", "calc": "write the calculation itself: 50% - 10",
    "url": "write the file name in quotes", "var": "write the name itself",
    "map": "use a list comprehension: [for x in list: x * 2]",
    "filter": "use a list comprehension: [for x in list if x > 2: x]",
    "count": "write len(list)", "size": "write len(list)",
    "length": "write len(x), for the characters of a text or the items of a list",
    "reduce": "write fold(list, 0, fn(sum, x) = sum + x)",
    "reverse": "write reverse-list(list)",
    "concat": "use a list comprehension: [for part in lists for x in part: x]",
    "flatten": "use a list comprehension: [for part in lists for x in part: x]",
    "append": "use a list comprehension: [for part in [list, [x]] for y in part: y]",
    "unique": unique, "distinct": unique, "uniq": unique,
    "includes": "write any([for y in list: y == x]), or contains(text, part)",
    "find": "write first([for x in list if x > 2: x])",
    "index-of": "write first([for x, i in list if x == 3: i])",
    "enumerate": "use a list comprehension with an index: [for x, i in list: x * i]",
    "take": "write list[0..3]",
    "group-by": "use a list comprehension: [for x in list if x.kind == kind: x]",
    "sort-by": "write sort(list, by: fn(x) = -x)", "average": "write mean(list)",
    "str": "write it in a text: \"{x}\"", "to-text": "write it in a text: \"{x}\"",
    "to-fixed": "write format(x, decimals: 2)",
    "shuffle": "write sort(list, by: fn(x) = random(x)), for a list of numbers",
    "substring": "write text[1..3]", "substr": "write text[1..3]", "slice": "write list[1..3]",
    "char-at": "write text[0]", "charAt": "write text[0]",
    "translate": "use the property 'translate'", "rotate": "use the property 'rotate'",
    "scale": "use the property 'scale'", "translateX": "use the property 'translate'",
    "translateY": "use the property 'translate'",
  ]
}
