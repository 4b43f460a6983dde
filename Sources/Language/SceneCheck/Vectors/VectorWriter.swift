// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// Generates elements for the content of an SVG or a part: outlines for the shapes of a part if
/// possible, otherwise images of layers.
struct VectorWriter {
  let checker: Checker
  let owner: ElementNode
  let file: VectorFile
  /// The map from pixels of the file to the box of the SVG.
  let map: AffineModel
  let parts: [Int: ElementNode]
  let start: Ticks
  let end: Ticks

  private var models: [ElementModel] = []
  /// Adjacent layers that will form one image.
  private var run: Range<Int>?
  private lazy var paints = VectorPaints(self)
  private var isInvalid = false
  /// The number of outlines so far.
  private var outlineCount = 0

  init(
    checker: Checker, owner: ElementNode, file: VectorFile, map: AffineModel,
    parts: [Int: ElementNode],
    start: Ticks, end: Ticks
  ) {
    self.checker = checker
    self.owner = owner
    self.file = file
    self.map = map
    self.parts = parts
    self.start = start
    self.end = end
  }

  var nodes: [VectorDrawing.Node] { file.drawing.nodes }

  /// Returns the nodes below a node that the owner draws, without those of separate parts.
  func own(_ index: Int) -> [VectorDrawing.Node] {
    if let part = parts[index], part !== owner { return [] }
    return nodes[index].isGroup
      ? file.drawing.children(of: index).flatMap(own) : [nodes[index]]
  }

  /// Generates the node of the owner. The opacity of a part is applied elsewhere.
  mutating func write(_ root: Int) {
    if owner.kind == .svg, nodes[root].opacity < 1 {
      fading(nodes[root].opacity) { $0.writeContent(of: root) }
    } else {
      writeContent(of: root)
    }
  }

  private mutating func writeContent(of root: Int) {
    if nodes[root].isGroup {
      for child in file.drawing.children(of: root) { add(child) }
    } else {
      add(root, isRoot: true)
    }
  }

  var finished: [ElementModel] {
    mutating get {
      flush()
      return models
    }
  }

  private mutating func add(_ index: Int, isRoot: Bool = false) {
    let node = nodes[index]
    if !isRoot, let part = parts[index] {
      flush()
      if let model = checker.emitOne(part) { models.append(model) }
      return
    }
    if node.isGroup {
      guard node.opacity < 1 else {
        for child in file.drawing.children(of: index) { add(child) }
        return
      }
      fading(node.opacity) { writer in
        for child in writer.file.drawing.children(of: index) { writer.add(child) }
      }
    } else if !isRoot, node.opacity < 1 {
      fading(node.opacity) { $0.addLayer(node) }
    } else {
      addLayer(node)
    }
  }

  /// Combines the elements that `body` adds into one element with an opacity.
  private mutating func fading(_ opacity: Double, _ body: (inout VectorWriter) -> Void) {
    flush()
    let outer = models
    models = []
    body(&self)
    flush()
    let inner = models
    models = outer
    guard !inner.isEmpty else { return }
    models.append(element(.nothing, opacity: opacity, children: inner))
  }

  private mutating func addLayer(_ node: VectorDrawing.Node) {
    guard owner.kind == .part, let shapes = node.shapes, paints.cover(shapes) else {
      if owner.kind == .part, paints.isGiven { refuse(node) }
      if let run, run.upperBound == node.layer {
        self.run = run.lowerBound..<(node.layer + 1)
      } else {
        flush()
        run = node.layer..<(node.layer + 1)
      }
      return
    }
    flush()
    for shape in shapes {
      models.append(paints.element(shape, rank: outlineCount, self))
      outlineCount += 1
    }
  }

  /// Generates an image of the pending layers.
  private mutating func flush() {
    guard let run else { return }
    self.run = nil
    let size = file.image.size
    let whole = [
      Scalar.zero, .zero, .constant(Double(size.width)), .constant(Double(size.height)),
    ]
    models.append(
      element(
        .image(
          [file.image.showing(layers: run)], frame: .zero, source: whole, destination: whole),
        map: map))
  }

  func element(
    _ drawing: ElementModel.Drawing, map: AffineModel = .identity, opacity: Double = 1,
    children: [ElementModel] = []
  ) -> ElementModel {
    let model = ElementModel(
      kind: owner.kindName, name: owner.syntax.name?.text, span: owner.span, start: start, end: end,
      transform: map, opacity: .constant(opacity), drawing: drawing, children: children)
    checker.recording?.note(model, of: owner.id, at: checker.now)
    return model
  }

  /// Reports a node to which the properties of the scene cannot apply, once per part.
  private mutating func refuse(_ node: VectorDrawing.Node) {
    guard !isInvalid, let (property, span) = paints.firstGiven else { return }
    isInvalid = true
    let name = node.id.map { " '\($0)'" } ?? ""
    let missing = paints.missing(in: node.shapes ?? [])
    if !missing.isEmpty {
      let words = missing.map { "'\($0.name): …'" }.joined(separator: " and ")
      _ = checker.report(
        .noOutline,
        "<\(node.kind)>\(name) has a gradient as its \(missing.map(\.name).joined(separator: " and its "))",
        at: span, label: "set \(words) on the part as well to redraw it")
      return
    }
    _ = checker.report(
      .noOutline, "'\(property)' requires an outline, and <\(node.kind)>\(name) has none",
      at: span, label: "drawn as an image; position, opacity and 'filter' can be set")
  }
}

/// The paints of a part's outlines: those of the scene, otherwise those of the file.
struct VectorPaints {
  private let checker: Checker
  private let part: ElementNode
  /// The number of outlines of the part, which are written one after another.
  private let outlineCount: Int
  /// The properties in the scene that require an outline.
  private let given: [(name: String, span: SourceSpan)]
  private let hasFill: Bool
  private let hasStroke: Bool
  /// Whether the part contains fills, or strokes, in the file.
  private let isFilled: Bool
  private let isStroked: Bool

  private static let strokeProperties: [Property] = [
    .stroke, .strokeWidth, .cap, .join, .miterLimit, .dash, .dashOffset,
  ]

  init(_ writer: VectorWriter) {
    checker = writer.checker
    part = writer.owner
    let (checker, part) = (checker, part)
    var given: [(String, SourceSpan)] = []
    for property in [.fill, .trim] + VectorPaints.strokeProperties {
      if let source = part.properties[property] { given.append((property.name, source.nameSpan)) }
    }
    if given.isEmpty {
      let drawing = checker.effects(of: part).first { $0.sets([.trim, .drawn, .written]) }
      given = drawing.map { [($0.definition.name.text, $0.span)] } ?? []
    }
    self.given = given
    hasFill = part.properties[.fill] != nil
    hasStroke = VectorPaints.strokeProperties.contains { part.properties[$0] != nil }
    let index = checker.vectorPlace(of: part)?.node ?? 0
    let shapes = writer.own(index).flatMap { $0.shapes ?? [] }
    outlineCount = shapes.count
    isFilled = shapes.contains { $0.fill != nil || $0.hasOtherFill }
    isStroked = shapes.contains { $0.stroke != nil || $0.hasOtherStroke }
  }

  /// Returns whether all paints of outlines are supported, or replaced by the scene.
  func cover(_ shapes: [VectorDrawing.Shape]) -> Bool { missing(in: shapes).isEmpty }

  /// Returns the paints that are neither supported nor replaced.
  func missing(in shapes: [VectorDrawing.Shape]) -> [Property] {
    var missing: [Property] = []
    if shapes.contains(where: \.hasOtherFill), !replaces(.fill) { missing.append(.fill) }
    if shapes.contains(where: \.hasOtherStroke), !replaces(.stroke) { missing.append(.stroke) }
    return missing
  }

  /// Returns whether the scene sets a paint independently of that in the file.
  func replaces(_ property: Property) -> Bool {
    part.properties[property].map { $0.made == nil } ?? false
  }

  var isGiven: Bool { !given.isEmpty }
  var firstGiven: (String, SourceSpan)? { given.first }

  /// Returns the element of an outline.
  ///
  /// `rank` is the position among the outlines of the part.
  func element(_ shape: VectorDrawing.Shape, rank: Int, _ writer: VectorWriter) -> ElementModel {
    let fixed = AffineModel(shape.map)
    let path = PathModel([.fixed(shape.path)])
    var fill = shape.fill.map { PaintModel.color(ColorModel($0)) }
    // Other kinds of paint are replaced below.
    let pen = shape.hasOtherStroke ? Color.black : shape.stroke
    var stroke = pen.map { color in
      StrokeModel(
        paint: .color(ColorModel(color)), width: .constant(shape.style.width), cap: shape.style.cap,
        join: shape.style.join, miterLimit: .constant(shape.style.miterLimit),
        dash: shape.style.dash.map { .constant($0) }, dashOffset: .constant(shape.style.dashOffset))
    }
    let whole = checker.builder.concat(writer.map, fixed)
    guard hasFill || hasStroke else {
      let (trim, writing) = drawn(
        shape, rank: rank, isLine: fill == nil, scale: writer.map.a)
      return writer.element(
        .outline(.path(path), fill: fill, stroke: stroke, trim: trim, writing: writing),
        map: whole)
    }
    // In the coordinates of the box, since paints of the scene refer to it and strokes have uniform
    // width.
    if hasFill, shape.fill != nil || shape.hasOtherFill || !isFilled {
      fill = paint(.fill, shape.fill)
    }
    let scale = checker.builder.scaled(writer.map.a, abs(shape.map.determinant).squareRoot())
    if var own = stroke {
      own.width = checker.builder.multiply(scale, own.width)
      own.dash = own.dash.map { checker.builder.multiply(scale, $0) }
      own.dashOffset = checker.builder.multiply(scale, own.dashOffset)
      stroke = own
    }
    if hasStroke, pen != nil || !isStroked && part.properties[.stroke] != nil {
      stroke = changed(stroke, shape.stroke)
    }
    let (trim, writing) = drawn(shape, rank: rank, isLine: fill == nil, scale: nil)
    return writer.element(
      .outline(
        .path(PathModel([.mapped(whole, path)])), fill: fill, stroke: stroke, trim: trim,
        strokeIsFirst: checker.strokeIsFirst(part), writing: writing))
  }

  /// Returns the visible part of an outline and its progress.
  ///
  /// `scale` is the scale of its coordinates if they are those of the file.
  private func drawn(_ shape: VectorDrawing.Shape, rank: Int, isLine: Bool, scale: Scalar?)
    -> (TrimModel?, WritingModel?)
  {
    var writing = checker.writing(of: part, isLine: isLine)
    writing?.count = outlineCount
    writing?.glyphs = [
      WritingModel.Glyph(elementCount: shape.path.elements.count, rank: rank)
    ]
    if let width = writing?.lineWidth, let scale {
      let whole = checker.builder.scaled(scale, abs(shape.map.determinant).squareRoot())
      writing?.lineWidth = checker.builder.divide(width, whole)
    }
    return (checker.trim(of: part, isLine: isLine), writing)
  }

  /// Returns the paint that the scene sets; `nil` if it sets none. A `change` starts with the paint
  /// of the file.
  private func paint(_ property: Property, _ color: Color?) -> PaintModel? {
    guard let source = part.properties[property] else { return nil }
    let now = checker.now
    func box() -> BoxModel? { checker.box(of: part, now: now) }
    if source.made != nil {
      let begin = color.map { Value.color(ColorModel($0)) } ?? Value.none()
      let value = checker.changed(begin, property, of: part, now: now, words: [])
      return checker.paint(value, at: source.value.span, in: box(), of: part, now: now)
    }
    return checker.value(property, of: part, now: now).flatMap { value, span in
      checker.paint(value, at: span, in: box(), of: part, now: now)
    }
  }

  /// Returns the stroke of the file with the properties that the scene sets; `nil` without a
  /// stroke.
  private func changed(_ own: StrokeModel?, _ color: Color?) -> StrokeModel? {
    func box() -> BoxModel? { checker.box(of: part, now: checker.now) }
    var stroke = checker.stroke(of: part, now: checker.now, box: box(), fallback: own?.paint)
    if part.properties[.stroke]?.made != nil, let paint = paint(.stroke, color) {
      stroke?.paint = paint
    }
    guard let own else { return stroke }
    func isGiven(_ property: Property) -> Bool { part.properties[property] != nil }
    if !isGiven(.strokeWidth) { stroke?.width = own.width }
    if !isGiven(.cap) { stroke?.cap = own.cap }
    if !isGiven(.join) { stroke?.join = own.join }
    if !isGiven(.miterLimit) { stroke?.miterLimit = own.miterLimit }
    if !isGiven(.dash) { stroke?.dash = own.dash }
    if !isGiven(.dashOffset) { stroke?.dashOffset = own.dashOffset }
    return stroke
  }
}

extension AffineModel {
  fileprivate init(_ map: Affine) {
    self.init(
      a: .constant(map.a), b: .constant(map.b), c: .constant(map.c), d: .constant(map.d),
      e: .constant(map.e), f: .constant(map.f))
  }
}
