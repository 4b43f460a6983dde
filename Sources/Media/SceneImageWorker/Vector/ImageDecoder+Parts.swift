// SPDX-License-Identifier: MIT
import CSVG
import SceneGraphics
import SceneIR
import SceneModel

// Decomposition of an SVG into shapes, as librsvg draws them with all styles, units and
// transformations applied.
extension ImageDecoder {
  func plan() throws(AssetError) -> VectorPlan {
    guard format == .svg else { throw .undecodable("not an SVG file") }
    return try VectorPlan(bytes)
  }

  func takeApart() throws(AssetError) -> VectorDrawing {
    let plan = try plan()
    let bytes = plan.bytes
    let (width, height) = (Double(stored.width), Double(stored.height))
    guard scene_svg_open(bytes, bytes.count, width, height) == 0 else {
      throw .undecodable("the SVG cannot be split into parts")
    }
    var drawing = VectorDrawing(hidden: plan.hidden, idle: plan.idle)
    for entry in plan.entries {
      var node = VectorDrawing.Node(
        id: entry.id, kind: String(entry.element.local), parent: entry.parent, end: entry.end,
        layer: entry.layer, opacity: entry.opacity)
      node.line = entry.element.line
      if entry.layer >= 0 {
        let id = plan.layerID(entry.layer)
        if !["text", "image"].contains(node.kind) { node.shapes = CairoShapes.traced(id) }
        if let shapes = node.shapes {
          for shape in shapes {
            node.box = node.box.union(shape.path.transformed(by: shape.map).bounds)
          }
        } else {
          var box = [0.0, 0, 0, 0]
          if scene_svg_ink(id, &box) == 0, box.allSatisfy(\.isFinite), box[2] > 0, box[3] > 0 {
            node.box = Rect(x: box[0], y: box[1], width: box[2], height: box[3])
          }
        }
      }
      drawing.nodes.append(node)
    }
    for index in drawing.nodes.indices.reversed() where drawing.nodes[index].parent >= 0 {
      let parent = drawing.nodes[index].parent
      drawing.nodes[parent].box = drawing.nodes[parent].box.union(drawing.nodes[index].box)
    }
    return drawing
  }
}

/// Parses fills and strokes from the SVG output of Cairo, which uses few constructs.
enum CairoShapes {
  private static let scale = 1 / Double(SCENE_SVG_SCALE)

  /// Returns the shapes of an element; `nil` if it contains anything but outlines with colors and
  /// gradients.
  static func traced(_ id: String) -> [VectorDrawing.Shape]? {
    guard scene_svg_trace(id) == 0, let tree = XMLTree(XMLTree.result()) else { return nil }
    var shapes: [VectorDrawing.Shape] = []
    return add(tree.root, to: &shapes) ? shapes : nil
  }

  private static let gradients: Set<String> = ["linearGradient", "radialGradient"]

  private static func add(_ element: XMLElement, to shapes: inout [VectorDrawing.Shape]) -> Bool {
    for child in element.elements {
      switch child.local {
      case "path":
        guard let shape = shape(child) else { return false }
        shapes.append(shape)
      case "g" where child.attributes.allSatisfy({ $0.name == "id" }):
        guard add(child, to: &shapes) else { return false }
      case "defs" where child.elements.allSatisfy({ gradients.contains(String($0.local)) }):
        continue
      default: return false
      }
    }
    return true
  }

  private static func shape(_ element: XMLElement) -> VectorDrawing.Shape? {
    var properties = Dictionary(
      element.attributes.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for (name, value) in VectorStyleRules.declarations(element["style"] ?? "") {
      properties[name] = value
    }
    guard let data = properties["d"], let path = try? SVGPathData.parse(data),
      let map = map(properties["transform"]),
      let fill = paint(properties["fill"], properties["fill-opacity"]),
      let stroke = paint(properties["stroke"] ?? "none", properties["stroke-opacity"])
    else { return nil }
    func number(_ name: String, _ initial: Double) -> Double {
      properties[name].flatMap(Double.init) ?? initial
    }
    var style = StrokeStyle(
      width: number("stroke-width", 1),
      cap: properties["stroke-linecap"].flatMap(StrokeStyle.Cap.init) ?? .butt,
      join: properties["stroke-linejoin"].flatMap(StrokeStyle.Join.init) ?? .miter,
      miterLimit: number("stroke-miterlimit", 4), dashOffset: number("stroke-dashoffset", 0))
    if let dash = properties["stroke-dasharray"], dash != "none" {
      let numbers = dash.split { $0 == "," || $0 == " " }.map { Double($0) }
      guard numbers.allSatisfy({ $0 != nil }) else { return nil }
      style.dash = numbers.compactMap { $0 }
    }
    var outline = trimmed(path)
    if properties["fill-rule"] == "evenodd", fill.color != nil || fill.isOther {
      guard let wound = outline.woundForNonzero else { return nil }
      outline = wound
    }
    var shape = VectorDrawing.Shape(
      path: outline, map: map, fill: fill.color, stroke: stroke.color, style: style)
    (shape.hasOtherFill, shape.hasOtherStroke) = (fill.isOther, stroke.isOther)
    return settled(shape)
  }

  /// Returns the shape in view pixels if the transformation keeps the pen round; otherwise the
  /// shape retains the transformation of the pen.
  private static func settled(_ shape: VectorDrawing.Shape) -> VectorDrawing.Shape {
    var shape = shape
    let map = Affine.scale(scale, scale).concat(shape.map)
    let size = abs(map.determinant).squareRoot()
    let isEven =
      abs(map.a * map.c + map.b * map.d) < 1e-6 * size * size
      && abs(Math.hypot(map.a, map.b) - Math.hypot(map.c, map.d)) < 1e-4 * size
    guard shape.stroke == nil && !shape.hasOtherStroke || isEven else {
      shape.map = map
      return shape
    }
    shape.path = shape.path.transformed(by: map)
    shape.map = .identity
    shape.style.width *= size
    shape.style.dash = shape.style.dash.map { $0 * size }
    shape.style.dashOffset *= size
    return shape
  }

  /// Returns the path without trailing moves, which Cairo adds after each closed part.
  private static func trimmed(_ path: Path) -> Path {
    var result = Path()
    for element in path.elements {
      if case .move = element, case .move = result.elements.last { result.elements.removeLast() }
      result.elements.append(element)
    }
    if case .move = result.elements.last { result.elements.removeLast() }
    return result
  }

  private static func map(_ text: String?) -> Affine? {
    guard let text else { return .identity }
    guard text.hasPrefix("matrix("), text.hasSuffix(")") else { return nil }
    let n = text.dropFirst(7).dropLast().split { $0 == "," || $0 == " " }.compactMap { Double($0) }
    return n.count == 6 ? Affine(a: n[0], b: n[1], c: n[2], d: n[3], e: n[4], f: n[5]) : nil
  }

  /// Returns the color of a paint, or whether it is a gradient; `nil` for other paints.
  private static func paint(_ text: String?, _ opacity: String?) -> (color: Color?, isOther: Bool)?
  {
    guard let text else { return nil }
    if text == "none" { return (nil, false) }
    // All definitions are gradients.
    if text.hasPrefix("url(#") { return (nil, true) }
    guard text.hasPrefix("rgb("), text.hasSuffix(")") else { return nil }
    let parts = text.dropFirst(4).dropLast().split(separator: ",").compactMap { part in
      part.hasSuffix("%")
        ? Double(part.dropLast()).map { $0 / 100 } : Double(part).map { $0 / 255 }
    }
    guard parts.count == 3 else { return nil }
    return (
      Color(
        red: parts[0], green: parts[1], blue: parts[2], alpha: opacity.flatMap(Double.init) ?? 1),
      false
    )
  }
}
