// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneText

// What someone who comes from CSS, SVG or another program means by a name that is not there.
extension Checker {
  /// Names of properties elsewhere, and the property here that takes the same value.
  private static let sameProperty: [String: String] = [
    "color": "fill", "colour": "fill", "background": "fill", "background-color": "background",
    "duration": "for", "length": "for", "start": "at", "begin": "at", "delay": "at",
    "pos": "position", "center": "position", "angle": "rotate", "rotation": "rotate",
    "origin": "pivot", "transform-origin": "pivot", "alpha": "opacity", "z-index": "z",
    "r": "radius", "border-radius": "corner-radius", "rx": "corner-radius",
    "border-color": "stroke", "stroke-color": "stroke", "border-width": "stroke-width",
    "line-width": "stroke-width", "thickness": "stroke-width", "fill-color": "fill",
    "stroke-linecap": "cap", "stroke-linejoin": "join", "stroke-dasharray": "dash",
    "stroke-dashoffset": "dash-offset", "stroke-miterlimit": "miter-limit",
    "font-family": "font", "text-align": "align", "weight": "font-weight",
    "tracking": "letter-spacing", "leading": "line-height", "max-width": "width",
    "framerate": "fps", "frame-rate": "fps", "drop-shadow": "shadow", "box-shadow": "shadow",
    "text-shadow": "shadow", "overflow": "clip", "object-fit": "fit", "object-position": "focus",
    "target": "look-at", "justify": "align", "align-items": "align", "path": "along",
    "mix-blend-mode": "blend", "clip-path": "clip", "src": "source", "href": "source",
    "file": "source", "url": "source", "d": "data", "string": "content", "value": "content",
    "label": "content", "hidden": "visible", "display": "visible",
  ]

  /// Names of properties elsewhere that are said with other values here, and how.
  private static let otherProperty: [String: String] = [
    "x": "use 'position: (x, y)'", "y": "use 'position: (x, y)'",
    "cx": "use 'position: (x, y)'", "cy": "use 'position: (x, y)'",
    "left": "use 'position: (x, y)'", "top": "use 'position: (x, y)'",
    "width": "use 'size: 300x200'", "height": "use 'size: 300x200'", "w": "use 'size: 300x200'",
    "h": "use 'size: 300x200'", "bold": "use 'font-weight: bold'",
    "font-style": "use 'italic: true'", "text-decoration": "use 'underline: true'",
    "border": "use 'stroke: red' and 'stroke-width: 2'",
    "transform": "use 'translate', 'rotate', 'scale' and 'skew'",
    "animation": "any value may move: opacity: 0 -> 1 over 1s",
    "animate": "any value may move: opacity: 0 -> 1 over 1s",
    "fill-opacity": "use a colour that is partly clear: fill: alpha(red, 50%)",
    "stroke-opacity": "use a colour that is partly clear: stroke: alpha(red, 50%)",
    "fill-rule": "areas are filled by the rule nonzero",
    "blur": "use 'filter: blur(4)'", "brightness": "use 'filter: brightness(1.2)'",
    "margin": "use 'position', or 'gap' and 'padding' of a row, column or grid",
    "mask": "a mask is a block in the element: mask { circle { } }",
  ]

  /// Words of enumerations elsewhere.
  static let sameWord: [String: String] = [
    "middle": "center", "centre": "center", "start": "left", "end": "right", "heavy": "black",
    "demibold": "semi-bold", "flat": "butt", "add": "plus-lighter", "additive": "plus-lighter",
  ]

  func unknownProperty(_ name: Name, _ instance: Instance) {
    guard isNew(name.span) else { return instance.unknownProperties.append("") }
    defer { instance.unknownProperties.append(name.text) }
    var known = PropertyTable.names(of: instance.kind)
    if instance.kind == .change, let host = instance.parent {
      known = PropertyTable.names(of: host.kind) + Checker.changeWords
    }
    known += instance.definition?.parameters.map(\.name.text) ?? []
    let fault = Diagnostic(
      .unknownProperty, "'\(instance.kindName)' has no property '\(name.text)'", at: name.span)
    let word = name.text.lowercased()
    if let near = Checker.sameProperty[word], known.contains(near) {
      report(fault.suggesting(near))
    } else if let note = Checker.otherProperty[word] {
      tellOnce(fault.noting(note), note, instance)
    } else if let near = nearest(name.text, in: known) {
      report(fault.suggesting(near))
    } else if let kind = ElementKind(rawValue: name.text) {
      report(fault.noting("'\(name.text)' is an element, with no ':': \(example(of: kind))"))
    } else if let definition = instance.definition {
      let names = definition.parameters.map(\.name.text).joined(separator: ", ")
      report(fault.noting("its parameters are \(names.isEmpty ? "none" : names)"))
    } else {
      report(fault)
    }
  }

  /// Two halves of one thing, such as `x` and `y` of an element, are one fault.
  private func tellOnce(_ fault: Diagnostic, _ note: String, _ instance: Instance) {
    let isTold = instance.unknownProperties.contains { Checker.otherProperty[$0] == note }
    if !isTold { report(fault) }
  }

  private func example(of kind: ElementKind) -> String {
    switch kind.subjectProperty {
    case "content": "\(kind.rawValue) \"Hello\""
    case nil: "\(kind.rawValue) { … }"
    default: "\(kind.rawValue) \"…\""
    }
  }

  func misplaced(_ spec: PropertySpec, _ name: Name, _ instance: Instance) {
    defer { instance.unknownProperties.append(name.text) }
    let kinds = spec.kinds.map(\.rawValue).sorted()
    let shown = kinds.count > 10 ? "most drawn elements" : kinds.joined(separator: ", ")
    let fault = Diagnostic(
      .propertyElsewhere, "'\(instance.kindName)' has no property '\(name.text)'", at: name.span)
    let swaps: [(ElementKind, String, String)] = [
      (.circle, "size", "give a circle its 'radius'"),
      (.circle, "width", "give a circle its 'radius'"),
      (.rect, "radius", "give a rect its 'corner-radius', or use 'circle'"),
      (.text, "size", "give a text its 'font-size' or 'width'"),
      (.scene, "fill", "give a scene its 'background'"),
      (.group, "fill", "a group paints nothing; put a 'rect' in it"),
    ]
    let known = PropertyTable.names(of: instance.kind)
    if let (_, _, mend) = swaps.first(where: {
      $0.0 == instance.kind && $0.1 == name.text
    }) {
      report(fault.noting(mend))
    } else if let near = Checker.sameProperty[name.text], known.contains(near) {
      report(fault.suggesting(near))
    } else if let note = Checker.otherProperty[name.text] {
      tellOnce(fault.noting(note), note, instance)
    } else {
      report(fault.noting("'\(name.text)' belongs to \(shown)"))
    }
  }

  /// Reports that an element lacks what it cannot be drawn without, unless a name that is written
  /// wrong was told of, which may be meant for it.
  func missing(_ message: String, _ label: String, _ i: Instance) {
    if !i.unknownProperties.isEmpty { return }
    report(
      Diagnostic(.missingProperty, "'\(i.displayName)' needs \(message)", at: i.span, label: label))
  }
}
