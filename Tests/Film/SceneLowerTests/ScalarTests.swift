// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// `forEachScalar` visits all scalars of the model. A missing scalar would be computed too late and
/// considered constant.
@Suite("Scalars of the model", .cpuBudget(seconds: 1)) struct ScalarTests {
  /// A source of distinct scalars.
  private struct Source {
    private var count: Int32 = 0

    mutating func next() -> Scalar {
      count += 1
      return .node(count)
    }

    mutating func list(_ count: Int) -> [Scalar] { (0..<count).map { _ in next() } }
    mutating func point() -> PointModel { PointModel(next(), next()) }
    mutating func map() -> AffineModel {
      AffineModel(a: next(), b: next(), c: next(), d: next(), e: next(), f: next())
    }
    mutating func color() -> ColorModel {
      ColorModel(red: next(), green: next(), blue: next(), alpha: next())
    }
    mutating func stops() -> [StopModel] { [StopModel(color(), at: next())] }
    mutating func fill() -> PaintModel { .color(color()) }

    mutating func paints() -> [PaintModel] {
      let image = ImageReference(path: "a.png", digest: 1, size: PixelSize(1, 1))
      return [
        fill(), .linear(from: point(), to: point(), stops: stops(), space: .oklab),
        .radial(center: point(), radius: next(), stops: stops(), space: .oklab),
        .conic(center: point(), angle: next(), stops: stops(), space: .oklab),
        .pattern(image, x: next(), y: next(), width: next(), height: next()), .pixels(pixels()),
      ]
    }

    mutating func pixels() -> PixelModel {
      let program = PixelProgram(
        [], rowCount: 0, registerCount: 0, constants: [0], variableCount: 2, tables: [],
        images: [], color: [.number(0), .number(1), .number(2), .number(0)])
      return PixelModel(program, variables: list(2), box: list(4), reach: next())
    }

    mutating func stroke() -> StrokeModel {
      var stroke = StrokeModel(
        paint: fill(), width: next(), cap: .butt, join: .miter, miterLimit: next(), dash: list(2),
        dashOffset: next())
      stroke.profile = StrokeProfileModel(taper: point(), factors: list(2))
      stroke.brush = BrushModel(
        [], spacing: next(), isTurned: next(), angle: next(), jitter: next(), seed: next())
      return stroke
    }

    mutating func number() -> TextExpression {
      var format = NumberFormat()
      format.minus = "-"
      format.decimals = 1
      return .number(next(), format)
    }

    mutating func text() -> TextModel {
      let expressions: [TextExpression] = [
        .literal("a"), number(), .choose(next(), number(), number()),
        .typed(from: number(), to: number(), next()),
      ]
      var run = TextModel.Run(
        text: .join(expressions), families: ["Inter"], size: next(), weight: next(),
        italic: next(), letterSpacing: next(), features: "", underline: next(), language: "")
      run.rise = next()
      var text = TextModel(runs: [run], width: next(), align: .left, lineHeight: next())
      text.fitWidth = next()
      text.maxLines = 1
      return text
    }

    mutating func path() -> PathModel {
      PathModel([
        .move(point()), .line(point()), .cubic(point(), point(), point()),
        .quad(point(), point()),
        .arc(radii: point(), rotation: next(), large: next(), sweep: next(), to: point()),
        .through([point()]), .close, .fixed(Path()), .text(text()),
      ])
    }

    mutating func paths() -> PathModel {
      let link = LinkModel(
        from: .point(point()), to: .outline(path(), center: point()), gap: next(), route: .straight)
      let forms = outlines().map { PathModel.Segment.outline($0) }
      return PathModel(
        forms + [
          .mapped(map(), path()), .projected(quad(), path()), .morph(path(), path(), next()),
          .mixed(Path(), Path(), next()),
          .choice(next(), path(), path()),
          .link(link), .derived(DerivedPath(.combine(.union), [path(), path()])),
          .derived(DerivedPath(.offset(by: next(), .round), [path()])),
          .derived(DerivedPath(.round(radius: next()), [path()])),
        ])
    }

    mutating func outlines() -> [OutlineModel] {
      [
        .rect(x: next(), y: next(), width: next(), height: next(), radius: next()),
        .smoothRect(
          x: next(), y: next(), width: next(), height: next(), radius: next(), smoothing: next()),
        .ellipse(center: point(), rx: next(), ry: next()),
        .star(center: point(), points: 5, outer: next(), inner: next()),
        .arc(
          center: point(), radius: next(), inner: next(), start: next(), sweep: next(),
          closed: next()), .path(path()),
      ]
    }

    mutating func depth() -> DepthModel {
      var depth = DepthModel(pivot: point())
      (depth.rotateX, depth.rotateY, depth.translateZ) = (next(), next(), next())
      return depth
    }

    mutating func units() -> TextUnitsModel {
      var unit = TextUnitsModel.Unit(opacity: next(), map: map(), fill: fill())
      unit.stroke = fill()
      unit.blur = next()
      unit.shift = point()
      unit.writing = writing()
      unit.depth = depth()
      var units = TextUnitsModel()
      units.units = [unit]
      units.shown = next()
      var part = TextUnitsModel.Unit(opacity: next(), map: map(), fill: fill())
      part.stroke = fill()
      part.blur = next()
      part.shift = point()
      part.writing = writing()
      part.depth = depth()
      units.spans = [TextUnitsModel.Span(runs: 0..<1, unit: part)]
      units.along = path()
      units.alongStart = next()
      units.writing = writing()
      return units
    }

    mutating func writing() -> WritingModel {
      var writing = WritingModel(drawn: next(), written: next())
      writing.lineWidth = next()
      return writing
    }

    mutating func style() -> StyleModel {
      var style = StyleModel()
      style.filters = [
        .blur(next()), .color(.sepia, next()),
        .table(ColorTable(digest: 1, size: 2, values: [])),
        .chromaKey(color(), tolerance: next(), softness: next()), .pixels(pixels()),
      ]
      style.backdrop = BackdropModel([.blur(next())], outline: .path(path()))
      style.extended = .path(path())
      style.clips = outlines()
      style.mask = MaskModel([], style: MaskStyle())
      style.crossing = pixels()
      style.shadow = ShadowModel(offset: point(), blur: next(), color: color())
      return style
    }

    mutating func trim() -> TrimModel { TrimModel(from: next(), to: next()) }

    mutating func drawings() -> [ElementModel.Drawing] {
      let image = ImageReference(path: "a.png", digest: 1, size: PixelSize(1, 1))
      let paints = paints().map { TextPaintModel(fill: $0, stroke: stroke()) }
      return [
        .nothing,
        .outline(
          .path(paths()), fill: fill(), stroke: stroke(), trim: trim(), writing: writing()),
        .arrow(path(), stroke(), ArrowModel(head: .none, tail: .none), trim: trim()),
        .text(text(), paints: paints, origin: point(), units: units()),
        .image([image], frame: next(), source: list(4), destination: list(4)),
      ]
    }

    private mutating func quad() -> QuadModel {
      QuadModel(
        x: next(), y: next(), width: next(), height: next(), corners: (0..<4).map { _ in point() })
    }

    private mutating func perspective() -> PerspectiveModel {
      var camera = CameraModel(target: point())
      (camera.dolly, camera.yaw, camera.pitch) = (next(), next(), next())
      camera.focus = FocusModel(distance: next(), aperture: next(), zoom: next())
      var perspective = PerspectiveModel(distance: next(), origin: point())
      perspective.camera = camera
      return perspective
    }

    mutating func element(_ drawing: ElementModel.Drawing) -> ElementModel {
      ElementModel(
        kind: "rect", name: "a", span: SourceSpan(file: FileID(0), start: 0, end: 0), start: .zero,
        end: .zero,
        transform: map(), content: map(), depth: depth(),
        perspective: perspective(), opacity: next(),
        visible: next(), z: next(),
        drawing: drawing, rough: RoughModel(amount: next(), seed: next(), fontSize: next()),
        lineBoxes: boxes(), style: style())
    }

    private mutating func boxes() -> LineBoxesModel {
      LineBoxesModel(
        text(), paint: fill(), paddingX: length(), paddingY: length(), radius: length(),
        isColumn: false)
    }

    private mutating func length() -> LineBoxesModel.Length {
      LineBoxesModel.Length(pixels: next(), share: next())
    }
  }

  /// Returns all scalars stored anywhere in a value, except in nested elements.
  private func stored(in value: Any, _ path: String) -> [Scalar] {
    if let scalar = value as? Scalar { return [scalar] }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional, mirror.children.isEmpty {
      Issue.record("\(path) is empty: fill it here")
    }
    return mirror.children.flatMap { child -> [Scalar] in
      let label = child.label ?? ""
      return ["children", "elements"].contains(label)
        ? [] : stored(in: child.value, "\(path).\(label)")
    }
  }

  @Test func noneIsForgotten() {
    var source = Source()
    for drawing in source.drawings() {
      let element = source.element(drawing)
      var visited: [Scalar] = []
      element.forEachScalar { visited.append($0) }
      let stored = stored(in: element, element.kind)
      #expect(visited.count == stored.count)
      #expect(Set(visited) == Set(stored))
    }
  }
}
