// SPDX-License-Identifier: MIT
import Foundation
import FoundationXML
import SceneGraphics

/// A translator for the subset of SVG that scenes can express, with resolved inheritance.
/// Deliberate errors in the suite's files, which SVG ignores, are not supported.
struct SVGTranslator {
  /// An error for features that scenes cannot express.
  struct Unsayable: Error { let what: String }

  fileprivate struct Context {
    var style: [String: String] = [:]
    /// The view box, which percentages refer to.
    var size = (width: 0.0, height: 0.0)
  }

  /// The gradients by id. Each is a function of the overall opacity.
  private var gradients: [String: (Double, (Double, Double)?) -> String?] = [:]
  fileprivate static let inherited: Set<String> = [
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-dasharray", "stroke-dashoffset", "fill-opacity", "stroke-opacity", "color",
    "visibility", "fill-rule",
  ]
  private static let own: Set<String> = [
    "id", "opacity", "display", "transform", "stop-color", "shape-rendering",
  ]
  private static let geometry: [String: Set<String>] = [
    "rect": ["x", "y", "width", "height", "rx", "ry"], "circle": ["cx", "cy", "r"],
    "ellipse": ["cx", "cy", "rx", "ry"], "line": ["x1", "y1", "x2", "y2"],
    "polyline": ["points"], "polygon": ["points"], "path": ["d"],
  ]

  /// Returns the scene for an SVG file.
  static func scene(_ data: Data) throws -> String {
    let document = try XMLDocument(data: data, options: [])
    guard let root = document.rootElement(), root.name == "svg" else {
      throw Unsayable(what: "no svg")
    }
    var translator = SVGTranslator()
    return try translator.translate(root)
  }

  private mutating func translate(_ root: XMLElement) throws -> String {
    var a = SVGTranslator.attributes(root)
    let box = (a["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
    guard box.count == 4, box[0] == 0, box[1] == 0, a["preserveAspectRatio"] == nil else {
      throw Unsayable(what: "viewBox")
    }
    for key in ["viewBox", "version", "width", "height"] { a[key] = nil }
    var context = Context()
    context.size = (box[2], box[3])
    guard a.keys.allSatisfy({ Self.inherited.contains($0) || ["id", "opacity"].contains($0) })
    else { throw Unsayable(what: "\(a.keys)") }
    try collectGradients(root, context.adding(a))
    var lines = try children(root, context.adding(a))
    if let opacity = a["opacity"] {
      lines = ["group { opacity: \(try share(opacity))"] + lines + ["}"]
    }
    guard !lines.isEmpty else { throw Unsayable(what: "nothing") }
    return
      "scene { size: \(Int(box[2]))x\(Int(box[3]));  for: 1s;  background: none;  mixing: srgb\n"
      + lines.joined(separator: "\n") + "\n}"
  }

  private static func attributes(_ element: XMLElement) -> [String: String] {
    var all: [String: String] = [:]
    for node in element.attributes ?? [] {
      if let name = node.name, let value = node.stringValue { all[name] = value }
    }
    for declaration in (all.removeValue(forKey: "style") ?? "").split(separator: ";") {
      let parts = declaration.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 { all[parts[0]] = parts[1] }
    }
    return all
  }

  // MARK: Elements

  private func children(_ parent: XMLElement, _ context: Context) throws -> [String] {
    try (parent.children ?? []).compactMap { $0 as? XMLElement }.flatMap {
      try element($0, context)
    }
  }

  private func element(_ element: XMLElement, _ outer: Context) throws -> [String] {
    let name = element.name ?? ""
    let a = SVGTranslator.attributes(element)
    let context = outer.adding(a)
    switch name {
    case "title", "desc", "defs", "linearGradient", "radialGradient": return []
    case "g":
      try allow(a, [])
      if a["display"] == "none" { return [] }
      let inner = try children(element, context)
      if inner.isEmpty { return [] }
      return ["group { \(try layer(a, context, isGroup: true).joined(separator: ";  "))"] + inner
        + ["}"]
    default:
      guard let geometry = SVGTranslator.geometry[name] else { throw Unsayable(what: name) }
      try allow(a, geometry)
      if let rendering = a["shape-rendering"], rendering != "geometricPrecision" {
        throw Unsayable(what: rendering)
      }
      let visibility = context.style["visibility"] ?? "visible"
      guard ["visible", "hidden", "collapse"].contains(visibility) else {
        throw Unsayable(what: "visibility")
      }
      if a["display"] == "none" || visibility != "visible" { return [] }
      let (head, place) = try outline(name, a, context)
      // A path may be a straight line, for which SVG paints no gradient.
      let hasArea = !["line", "path"].contains(name)
      let corner = name == "rect" ? (try length(a["x"], of: 1), try length(a["y"], of: 1)) : nil
      let paints = try paint(context, hasArea: hasArea, corner: corner)
      let all = place + paints + (try layer(a, context, isGroup: false))
      return ["\(head) { \(all.joined(separator: ";  ")) }"]
    }
  }

  private func allow(_ a: [String: String], _ geometry: Set<String>) throws {
    for key in a.keys
    where !geometry.contains(key) && !Self.inherited.contains(key) && !Self.own.contains(key) {
      throw Unsayable(what: key)
    }
  }

  private func layer(_ a: [String: String], _ context: Context, isGroup: Bool) throws -> [String] {
    var parts: [String] = []
    if let text = a["opacity"] { parts.append("opacity: \(try share(text))") }
    if let text = a["transform"] {
      guard let range = text.range(of: "translate("), text.hasSuffix(")"),
        range.lowerBound == text.startIndex, isGroup
      else { throw Unsayable(what: "transform \(text)") }
      let values = text[range.upperBound...].dropLast().split { " ,".contains($0) }
      guard let x = values.first.flatMap({ Double($0) }) else { throw Unsayable(what: text) }
      let y = values.count > 1 ? Double(values[1]) ?? 0 : 0
      parts.append("translate: (\(x), \(y))")
    }
    return parts
  }

  /// Returns the element's kind with its subject, and the properties for its position.
  private func outline(_ name: String, _ a: [String: String], _ context: Context)
    throws -> (String, [String])
  {
    func x(_ key: String) throws -> Double { try length(a[key], of: context.size.width) }
    func y(_ key: String) throws -> Double { try length(a[key], of: context.size.height) }
    let diagonal =
      ((context.size.width * context.size.width
      + context.size.height * context.size.height) / 2).squareRoot()
    switch name {
    case "rect":
      // Negative lengths are errors in scenes. In SVG, they draw nothing, as does 0.
      let (w, h) = (max(0, try x("width")), max(0, try y("height")))
      // A missing or negative radius equals the other, and both are limited to half of the side.
      func given(_ value: Double) -> Double? { value < 0 ? nil : value }
      let rx = a["rx"] == nil ? nil : given(try x("rx"))
      let ry = a["ry"] == nil ? nil : given(try y("ry"))
      let radii = (max(0, min(rx ?? ry ?? 0, w / 2)), max(0, min(ry ?? rx ?? 0, h / 2)))
      let radius = min(radii.0, radii.1)
      guard radius == 0 || radii.0 == radii.1 else { throw Unsayable(what: "corners") }
      return (
        "rect",
        [
          "anchor: top-left", "position: (\(try x("x")), \(try y("y")))", "size: (\(w), \(h))",
          "corner-radius: \(radius)",
        ]
      )
    case "circle":
      let radius = max(0, try length(a["r"], of: diagonal))
      return ("circle", ["position: (\(try x("cx")), \(try y("cy")))", "radius: \(radius)"])
    case "ellipse":
      func given(_ text: String?) -> String? { text?.hasPrefix("-") == true ? nil : text }
      let (first, second) = (given(a["rx"]), given(a["ry"]))
      let rx = try length(first ?? second, of: context.size.width)
      let ry = try length(second ?? first, of: context.size.height)
      return ("ellipse", ["position: (\(try x("cx")), \(try y("cy")))", "radius: (\(rx), \(ry))"])
    case "line":
      return (
        "line", ["from: (\(try x("x1")), \(try y("y1")))", "to: (\(try x("x2")), \(try y("y2")))"]
      )
    case "polyline", "polygon":
      let values = (a["points"] ?? "").split { " ,\n\t".contains($0) }.map(String.init)
      guard values.count >= 4, values.count % 2 == 0, values.allSatisfy({ Double($0) != nil })
      else { throw Unsayable(what: "points") }
      let points = stride(from: 0, to: values.count, by: 2).map {
        "(\(values[$0]), \(values[$0 + 1]))"
      }
      return (name, ["points: [\(points.joined(separator: ", "))]"])
    default:
      // Invalid path data is an error here, whereas SVG draws the part before the error.
      guard let data = a["d"], !data.contains("\""), (try? SVGPathData.parse(data)) != nil else {
        throw Unsayable(what: "data")
      }
      let line = data.replacing("\n", with: " ").replacing("\t", with: " ")
      return ("path \"\(line)\"", [])
    }
  }

  // MARK: Values

  private func number(_ text: String) throws -> Double {
    guard let value = Double(text.trimmingCharacters(in: .whitespaces)) else {
      throw Unsayable(what: text)
    }
    return value
  }

  /// Returns a length in pixels. Percentages refer to `whole`, and units are those of CSS.
  private func length(_ text: String?, of whole: Double) throws -> Double {
    guard let text else { return 0 }
    let units: [(String, Double)] = [
      ("%", whole / 100), ("px", 1), ("in", 96), ("mm", 96 / 25.4), ("cm", 96 / 2.54),
      ("pt", 96 / 72), ("pc", 16),
    ]
    for (unit, factor) in units where text.hasSuffix(unit) {
      return try number(String(text.dropLast(unit.count))) * factor
    }
    return try number(text)
  }

  /// Returns a number or percentage, clamped to 0 to 1.
  private func share(_ text: String) throws -> Double {
    min(1, max(0, try length(text, of: 1)))
  }

  /// Returns a color in the syntax of the language.
  private func color(_ text: String, _ context: Context) throws -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    if text == "currentColor" {
      guard let current = context.style["color"] else { return "black" }
      return try color(current, Context())
    }
    if text.hasPrefix("rgb"), let open = text.firstIndex(of: "("), text.hasSuffix(")") {
      let values = text[text.index(after: open)...].dropLast().split { ", ".contains($0) }
      guard [3, 4].contains(values.count), values.allSatisfy({ Double($0) != nil }) else {
        throw Unsayable(what: text)
      }
      let solid = "rgb(\(values.prefix(3).joined(separator: ", ")))"
      return values.count == 4 ? "alpha(\(solid), \(values[3]))" : solid
    }
    if text.first == "#" {
      guard [4, 5, 7, 9].contains(text.count), text.dropFirst().allSatisfy(\.isHexDigit) else {
        throw Unsayable(what: text)
      }
      return text
    }
    guard Color(name: text.lowercased()) != nil else { throw Unsayable(what: text) }
    return text.lowercased()
  }

  // MARK: Paint

  /// `corner` is the top left of the bounding box, if known.
  private func paint(_ context: Context, hasArea: Bool, corner: (Double, Double)?) throws
    -> [String]
  {
    let style = context.style
    var parts: [String] = []
    if let rule = style["fill-rule"], rule != "nonzero" { throw Unsayable(what: rule) }
    for (key, fallback) in [("fill", "black"), ("stroke", "none")] {
      var value = style[key] ?? fallback
      // "url(#a) green" means green if there is no element #a.
      if value.hasPrefix("url("), let end = value.firstIndex(of: ")"), !value.hasSuffix(")") {
        let name = String(value[...end])
        let rest = value[value.index(after: end)...].split(separator: " ").first.map(String.init)
        value = gradients[name] != nil ? name : rest ?? "none"
      }
      let opacity = try share(style["\(key)-opacity"] ?? "1")
      if value == "none" {
        parts.append("\(key): none")
      } else if let gradient = gradients[value] {
        if !hasArea { throw Unsayable(what: "gradient here") }
        guard let text = gradient(opacity, corner) else { throw Unsayable(what: value) }
        parts.append("\(key): \(text)")
      } else {
        let paint = try color(value, context)
        parts.append("\(key): \(opacity == 1 ? paint : "alpha(\(paint), \(opacity))")")
      }
    }
    let diagonal =
      ((context.size.width * context.size.width
      + context.size.height * context.size.height) / 2).squareRoot()
    let width = try length(style["stroke-width"] ?? "1", of: diagonal)
    let limit = try number(style["stroke-miterlimit"] ?? "4")
    guard width >= 0, limit >= 1 else { throw Unsayable(what: "stroke") }
    parts += ["stroke-width: \(width)", "miter-limit: \(limit)"]
    let words = [
      ("stroke-linecap", "cap", ["butt", "round", "square"]),
      ("stroke-linejoin", "join", ["miter", "round", "bevel"]),
    ]
    for (svg, own, known) in words {
      guard let word = style[svg] else { continue }
      // An unknown cap falls back to the default.
      if svg == "stroke-linecap", !known.contains(word) { continue }
      guard known.contains(word) else { throw Unsayable(what: word) }
      parts.append("\(own): \(word)")
    }
    if let text = style["stroke-dasharray"], text != "none" {
      let values = try text.split { " ,\n".contains($0) }.map {
        try length(String($0), of: diagonal)
      }
      guard values.allSatisfy({ $0 >= 0 }), values.contains(where: { $0 > 0 }) else {
        throw Unsayable(what: text)
      }
      parts.append("dash: [\(values.map { "\($0)" }.joined(separator: ", "))]")
      if let offset = style["stroke-dashoffset"] {
        parts.append("dash-offset: \(try length(offset, of: diagonal))")
      }
    }
    return parts
  }

  // MARK: Gradients

  private mutating func collectGradients(_ parent: XMLElement, _ context: Context) throws {
    for child in (parent.children ?? []).compactMap({ $0 as? XMLElement }) {
      let inner = context.adding(SVGTranslator.attributes(child))
      if child.name?.hasSuffix("Gradient") == true {
        try gradient(child, inner)
      } else {
        try collectGradients(child, inner)
      }
    }
  }

  /// Translates a gradient in the bounding box of the shape. All shapes with radial gradients in
  /// the suite are square.
  private mutating func gradient(_ element: XMLElement, _ context: Context) throws {
    let a = SVGTranslator.attributes(element)
    let isRadial = element.name == "radialGradient"
    let known: Set<String> = [
      "id", "x1", "y1", "x2", "y2", "cx", "cy", "r", "gradientUnits", "spreadMethod", "color",
      "stop-color", "display", "gradientTransform",
    ]
    guard a.keys.allSatisfy({ known.contains($0) }), let id = a["id"],
      a["gradientTransform"] == nil || isRadial, isRadial || a["gradientUnits"] != "userSpaceOnUse",
      a["spreadMethod"] ?? "pad" == "pad"
    else { return }
    func percent(_ key: String, _ fallback: String) throws -> String {
      "\(try length(a[key] ?? fallback, of: 1) * 100)%"
    }
    var stops: [(color: String, opacity: Double, offset: Double)] = []
    var opacities: Set<Double> = []
    for stop in (element.children ?? []).compactMap({ $0 as? XMLElement }) {
      let own = SVGTranslator.attributes(stop)
      guard stop.name == "stop",
        own.keys.allSatisfy({
          ["id", "offset", "stop-color", "stop-opacity", "opacity"].contains($0)
        })
      else { return }
      var text = own["stop-color"] ?? "black"
      if text == "inherit" { text = a["stop-color"] ?? "black" }
      let offset = try length(own["offset"] ?? "0", of: 1)
      guard (0...1).contains(offset), let paint = try? color(text, context) else { return }
      let opacity = try share(own["stop-opacity"] ?? "1")
      opacities.insert(opacity)
      stops.append((paint, opacity, offset))
    }
    // Colors are interpolated with premultiplied alpha, as in CSS but unlike in SVG. Both are equal
    // for a single color.
    guard !stops.isEmpty, opacities.count == 1 || Set(stops.map(\.color)).count == 1 else { return }
    let isInScene = a["gradientUnits"] == "userSpaceOnUse"
    var center = Point(try length(a["cx"] ?? "50%", of: 1), try length(a["cy"] ?? "50%", of: 1))
    if let turn = a["gradientTransform"] {
      guard turn.hasPrefix("rotate("), let angle = Double(turn.dropFirst(7).dropLast()) else {
        return
      }
      let (c, s) = (Math.cosDegrees(angle), Math.sinDegrees(angle))
      center = Affine(a: c, b: s, c: -s, d: c, e: 0, f: 0).apply(center)
    }
    if isInScene, a["cx"] ?? a["cy"] ?? a["r"] != nil { return }
    let (whole, middle) = (context.size, center)
    let ends =
      isRadial
      ? "center: (\(center.x * 100)%, \(center.y * 100)%), radius: \(try percent("r", "50%"))"
      : "from: (\(try percent("x1", "0")), \(try percent("y1", "0"))), to: (\(try percent("x2", "1")), \(try percent("y2", "0")))"
    if isRadial, try length(a["r"] ?? "50%", of: 1) <= 0 { return }
    gradients["url(#\(id))"] = { opacity, corner in
      let list = stops.map { "stop(alpha(\($0.color), \($0.opacity * opacity)), \($0.offset))" }
      var ends = ends
      if isInScene {
        // Half of the scene size, relative to the corner of the shape.
        guard let corner else { return nil }
        let at = (middle.x * whole.width - corner.0, middle.y * whole.height - corner.1)
        ends = "center: (\(at.0), \(at.1)), radius: \(whole.width / 2)"
      }
      return "\(isRadial ? "radial" : "linear")-gradient(\(list.joined(separator: ", ")), \(ends))"
    }
  }
}

extension SVGTranslator.Context {
  /// Returns a copy with the attributes of an element; `inherit` keeps the parent's value.
  fileprivate func adding(_ attributes: [String: String]) -> Self {
    var result = self
    for (key, value) in attributes where value != "inherit" {
      if SVGTranslator.inherited.contains(key) {
        result.style[key] = value.trimmingCharacters(in: .whitespaces)
      }
    }
    return result
  }
}
