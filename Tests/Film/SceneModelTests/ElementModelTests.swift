// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// The handwritten equality of the class must include every property.
@Suite("Elements of the model", .cpuBudget(seconds: 1)) struct ElementModelTests {
  private static func element(
    kind: String = "rect", name: String? = nil, span: Int = 0, start: Int64 = 0, end: Int64 = 9,
    transform: AffineModel = .identity, content: AffineModel = .identity,
    depth: DepthModel? = nil, perspective: PerspectiveModel? = nil, opacity: Scalar = .one,
    visible: Scalar = .one, z: Scalar = .zero, drawing: ElementModel.Drawing = .nothing,
    rough: RoughModel? = nil, lineBoxes: LineBoxesModel? = nil, style: StyleModel = StyleModel(),
    children: [ElementModel] = [], isCaptions: Bool = false
  ) -> ElementModel {
    ElementModel(
      kind: kind, name: name, span: SourceSpan(file: FileID(0), start: span, end: 1),
      start: Ticks(start), end: Ticks(end), transform: transform, content: content,
      depth: depth, perspective: perspective, opacity: opacity, visible: visible, z: z,
      drawing: drawing, rough: rough, lineBoxes: lineBoxes, style: style, children: children,
      isCaptions: isCaptions)
  }

  private static var isolated: StyleModel {
    var style = StyleModel()
    style.isIsolated = true
    return style
  }

  private static var boxes: LineBoxesModel {
    let length = LineBoxesModel.Length(pixels: .one, share: .zero)
    return LineBoxesModel(
      TextModel(runs: [], width: nil, align: .left, lineHeight: .one),
      paint: .color(ColorModel(.black)),
      paddingX: length, paddingY: length, radius: length, isColumn: false)
  }

  private static let moved = AffineModel.translation(PointModel(.one, .one))

  /// Elements that differ from the plain one in a single property.
  private static let others: [(property: String, element: ElementModel)] = [
    ("kind", element(kind: "circle")), ("name", element(name: "a")), ("span", element(span: 1)),
    ("start", element(start: 1)), ("end", element(end: 8)),
    ("transform", element(transform: moved)),
    ("content", element(content: moved)), ("opacity", element(opacity: .zero)),
    ("visible", element(visible: .zero)), ("z", element(z: .one)),
    (
      "drawing",
      element(
        drawing: .outline(
          .rect(x: .zero, y: .zero, width: .one, height: .one, radius: .zero), fill: nil,
          stroke: nil, trim: nil))
    ),
    ("depth", element(depth: DepthModel(pivot: .zero))),
    ("perspective", element(perspective: PerspectiveModel(distance: nil, origin: .zero))),
    ("rough", element(rough: RoughModel(amount: .one, seed: .zero))),
    ("lineBoxes", element(lineBoxes: boxes)), ("style", element(style: isolated)),
    ("children", element(children: [element()])),
    ("isCaptions", element(isCaptions: true)),
  ]

  @Test func equalityCountsEveryProperty() {
    let plain = Self.element()
    #expect(plain == Self.element() && plain.hashValue == Self.element().hashValue)
    for other in Self.others { #expect(plain != other.element, "\(other.property)") }
    // Computed properties need not be compared.
    let computed: Set<String> = [
      "isPlain", "isStatic", "drawingCount", "hasSteadyStroke", "hasDepth", "dependsOnEye",
      "hasCaptions",
    ]
    let all = storedProperties(of: Self.element(rough: RoughModel(amount: .one, seed: .zero)))
      .subtracting(computed)
    #expect(all == Set(Self.others.map(\.property)))
  }

  @Test func aCopyKeepsTheRest() {
    for other in Self.others {
      #expect(other.element.with() == other.element, "\(other.property)")
    }
    let later = Self.element(name: "a").with(start: Ticks(3))
    #expect(later.start == Ticks(3) && later.end == Ticks(9) && later.name == "a")
  }
}
