// SPDX-License-Identifier: MIT
import Foundation
import FoundationXML
import SceneGraphics
import SceneIR
import SceneRaster
import SceneTestSupport
import Testing

/// Small SVGs translated to scenes, against the pictures of resvg.
@Suite("SVG render conformance") struct SVGRenderTests {
  @Test func drawnAsResvgDoes() throws {
    let folder = "Tests/Conformance/svg-render/"
    var counts = (compared: 0, left: 0)
    for row in try ConformanceTable("svg-render/agreement.tsv").rows where row["agree"] == "1" {
      guard let file = row["file"], let data = try? Repository.bytes(folder + file) else {
        continue
      }
      let translator = SVGTranslator(Data(data))
      guard let source = translator.scene else {
        counts.left += 1
        continue
      }
      let name = file.replacing(".svg", with: ".png")
      let wanted = try ImageDecoder(try Repository.bytes(folder + name)).decode()
      // The suite's pictures are as wide as they are; ours are scaled to them.
      let drawing = try Drawing(source)
      let program = drawing.program().scaled(toWidth: wanted.size.width)
      let canvas = try Canvas(program.size, isOpaque: false, resources: drawing.resources)
      try canvas.draw(program)
      let own = canvas.rgba()
      guard program.size == wanted.size else {
        counts.left += 1
        continue
      }
      var (sum, far) = (0.0, 0)
      for y in 0..<wanted.size.height {
        for x in 0..<wanted.size.width {
          let (b, g, r, a) = wanted.pixel(x, y)
          let at = (y * wanted.size.width + x) * 4
          var worst = 0.0
          for (channel, value) in [r, g, b].enumerated() {
            // Both over white.
            let ours =
              Double(own[at + channel]) * Double(own[at + 3]) / 255 + 255 - Double(own[at + 3])
            let theirs = Double(value) + 255 - Double(a)
            sum += abs(ours - theirs)
            worst = max(worst, abs(ours - theirs))
          }
          if worst > 32 { far += 1 }
        }
      }
      let pixels = Double(wanted.size.width * wanted.size.height)
      #expect(sum / pixels / 3 <= 0.5, "\(file): mean \(sum / pixels / 3)\n\(source)")
      #expect(Double(far) / pixels <= 0.005, "\(file): \(far) pixels")
      counts.compared += 1
    }
    #expect(counts.compared >= 80, "\(counts)")
  }
}

/// The part of SVG that scenes can say; `scene` is `nil` for anything else.
private final class SVGTranslator: NSObject, XMLParserDelegate {
  private var lines: [String] = []
  private var isSayable = true
  private var depth = 0
  private var size = ""
  private var gradients: [String: String] = [:]
  /// The gradient that is being read: its name, its ends and its stops so far.
  private var open: (id: String, isRadial: Bool, ends: String, stops: [String])?

  init(_ data: Data) {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    if !parser.parse() { isSayable = false }
  }

  var scene: String? {
    guard isSayable, !size.isEmpty, !lines.isEmpty else { return nil }
    return "scene { size: \(size);  for: 1s;  background: none;  mixing: srgb\n"
      + lines.joined(separator: "\n") + "\n}"
  }

  private static let plain: Set<String> = [
    "id", "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin",
    "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity", "fill-opacity",
    "stroke-opacity",
  ]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes a: [String: String]
  ) {
    depth += 1
    switch name {
    case "svg":
      let box = (a["viewBox"] ?? "").split(separator: " ").compactMap { Double($0) }
      guard depth == 1, box.count == 4, box[0] == 0, box[1] == 0 else { return reject() }
      if a.keys.contains(where: { Self.plain.contains($0) && $0 != "id" }) { return reject() }
      size = "\(Int(box[2]))x\(Int(box[3]))"
    case "title", "desc", "defs": break
    case "linearGradient": beginGradient(a)
    case "radialGradient": beginRadial(a)
    case "stop": addStop(a)
    case "rect", "circle", "ellipse", "line", "polyline", "polygon", "path":
      guard depth == 2 else { return reject() }
      shape(name, a)
    default: reject()
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    depth -= 1
    guard name.hasSuffix("Gradient"), let it = open else { return }
    if it.stops.isEmpty { return reject() }
    gradients["url(#\(it.id))"] =
      "\(it.isRadial ? "radial" : "linear")-gradient(\(it.stops.joined(separator: ", ")), \(it.ends))"
    open = nil
  }

  /// In the box of the shape, from left to right unless it says otherwise.
  private func beginGradient(_ a: [String: String]) {
    let known: Set<String> = ["id", "x1", "y1", "x2", "y2", "gradientUnits"]
    guard a.keys.allSatisfy({ known.contains($0) }), let id = a["id"],
      a["gradientUnits"] ?? "objectBoundingBox" == "objectBoundingBox"
    else { return reject() }
    func percent(_ key: String, _ fallback: Double) -> String {
      guard let text = a[key] else { return "\(fallback * 100)%" }
      return text.hasSuffix("%") ? text : "\(number(text) * 100)%"
    }
    open = (
      id, false,
      "from: (\(percent("x1", 0)), \(percent("y1", 0))), to: (\(percent("x2", 1)), \(percent("y2", 0)))",
      []
    )
  }

  /// In the box of the shape; the suite's shapes with one are square.
  private func beginRadial(_ a: [String: String]) {
    guard a.keys.allSatisfy({ ["id", "cx", "cy", "r"].contains($0) }), let id = a["id"] else {
      return reject()
    }
    func percent(_ key: String) -> String {
      guard let text = a[key] else { return "50%" }
      return text.hasSuffix("%") ? text : "\(number(text) * 100)%"
    }
    guard !percent("r").hasPrefix("-"), percent("r") != "0.0%" else { return reject() }
    let ends = "center: (\(percent("cx")), \(percent("cy"))), radius: \(percent("r"))"
    open = (id, true, ends, [])
  }

  private func addStop(_ a: [String: String]) {
    let known: Set<String> = ["id", "offset", "stop-color", "stop-opacity"]
    guard open != nil, a.keys.allSatisfy({ known.contains($0) }) else { return reject() }
    let offset = a["offset"] ?? "0"
    let share = offset.hasSuffix("%") ? number(String(offset.dropLast())) / 100 : number(offset)
    let color = a["stop-color"] ?? "black"
    guard isPlainColor(color), (0...1).contains(share) else { return reject() }
    open?.stops.append("stop(alpha(\(color), \(number(a["stop-opacity"], or: 1))), \(share))")
  }

  private func isPlainColor(_ text: String) -> Bool {
    if text.first == "#" {
      return [4, 7].contains(text.count) && text.dropFirst().allSatisfy(\.isHexDigit)
    }
    return text != "transparent" && Color(name: text) != nil
  }

  private func reject() { isSayable = false }

  /// A plain number, or `nil` and rejected.
  private func number(_ text: String?, or fallback: Double = 0) -> Double {
    guard let text else { return fallback }
    guard let value = Double(text) else {
      reject()
      return 0
    }
    return value
  }

  private func shape(_ name: String, _ a: [String: String]) {
    let geometry: [String: Set<String>] = [
      "rect": ["x", "y", "width", "height", "rx"], "circle": ["cx", "cy", "r"],
      "ellipse": ["cx", "cy", "rx", "ry"], "line": ["x1", "y1", "x2", "y2"],
      "polyline": ["points"], "polygon": ["points"], "path": ["d"],
    ]
    guard a.keys.allSatisfy({ Self.plain.contains($0) || geometry[name]?.contains($0) == true })
    else { return reject() }
    var parts: [String] = []
    var kind = name
    var subject = ""
    switch name {
    case "rect":
      let (w, h) = (number(a["width"]), number(a["height"]))
      guard w > 0, h > 0, number(a["rx"]) >= 0 else { return reject() }
      parts = [
        "anchor: top-left", "position: (\(number(a["x"])), \(number(a["y"])))",
        "size: (\(w), \(h))", "corner-radius: \(number(a["rx"]))",
      ]
    case "circle":
      guard number(a["r"]) > 0 else { return reject() }
      parts = ["position: (\(number(a["cx"])), \(number(a["cy"])))", "radius: \(number(a["r"]))"]
    case "ellipse":
      guard number(a["rx"]) > 0, number(a["ry"]) > 0 else { return reject() }
      parts = [
        "position: (\(number(a["cx"])), \(number(a["cy"])))",
        "radius: (\(number(a["rx"])), \(number(a["ry"])))",
      ]
    case "line":
      parts = [
        "from: (\(number(a["x1"])), \(number(a["y1"])))",
        "to: (\(number(a["x2"])), \(number(a["y2"])))",
      ]
    case "polyline", "polygon":
      let values = (a["points"] ?? "").split { " ,\n\t".contains($0) }.map(String.init)
      guard values.count >= 4, values.count % 2 == 0, values.allSatisfy({ Double($0) != nil })
      else { return reject() }
      let points = stride(from: 0, to: values.count, by: 2).map {
        "(\(values[$0]), \(values[$0 + 1]))"
      }
      parts = ["points: [\(points.joined(separator: ", "))]"]
    default:
      // Wrong data are an error here, where SVG draws the part before the fault.
      guard let data = a["d"], !data.contains("\""), (try? SVGPathData.parse(data)) != nil else {
        return reject()
      }
      kind = "path"
      subject = " \"" + data.replacing("\n", with: " ").replacing("\t", with: " ") + "\""
    }
    parts += paint(a)
    lines.append("\(kind)\(subject) { \(parts.joined(separator: ";  ")) }")
  }

  private func paint(_ a: [String: String]) -> [String] {
    var parts: [String] = []
    for (key, fallback) in [("fill", "black"), ("stroke", "none")] {
      var value = a[key] ?? fallback
      if let gradient = gradients[value] {
        if a["\(key)-opacity"] != nil { reject() }
        parts.append("\(key): \(gradient)")
        continue
      }
      guard value.first?.isLetter == true || value.first == "#",
        !value.contains("("), value != "inherit", value != "currentColor"
      else {
        reject()
        return []
      }
      value = value.first == "#" ? value : value.lowercased()
      if value.first == "#",
        ![4, 7].contains(value.count) || !value.dropFirst().allSatisfy(\.isHexDigit)
      {
        reject()
        return []
      }
      if value.first != "#", value != "none", Color(name: value) == nil {
        reject()
        return []
      }
      let opacity = number(a["\(key)-opacity"], or: 1)
      if value != "none", opacity != 1 { value = "alpha(\(value), \(opacity))" }
      parts.append("\(key): \(value)")
    }
    let names = [
      ("stroke-width", "stroke-width"), ("stroke-miterlimit", "miter-limit"),
      ("stroke-dashoffset", "dash-offset"), ("opacity", "opacity"),
    ]
    for (svg, own) in names {
      guard let text = a[svg] else { continue }
      let value = number(text)
      guard value >= 0 || svg == "stroke-dashoffset" else {
        reject()
        return []
      }
      parts.append("\(own): \(value)")
    }
    if a["stroke-width"] == nil { parts.append("stroke-width: 1") }
    if let cap = a["stroke-linecap"] {
      guard ["butt", "round", "square"].contains(cap) else {
        reject()
        return []
      }
      parts.append("cap: \(cap)")
    }
    if let join = a["stroke-linejoin"] {
      guard ["miter", "round", "bevel"].contains(join) else {
        reject()
        return []
      }
      parts.append("join: \(join)")
    }
    if let text = a["stroke-dasharray"], text != "none" {
      let values = text.split { " ,".contains($0) }.map(String.init)
      guard values.allSatisfy({ Double($0).map { $0 >= 0 } == true }) else {
        reject()
        return []
      }
      parts.append("dash: [\(values.joined(separator: ", "))]")
    }
    return parts
  }
}
