// SPDX-License-Identifier: MIT
import SceneModel
import SceneRaster

/// The content of a frame: drawing commands in paint order. `FilmWriter` renders them like a
/// scene's.
///
/// Lengths are in pixels. The origin is at the top left and y grows downward. A frame that equals
/// the previous one is neither rendered nor encoded again.
public struct Drawing {
  public let size: PixelSize
  private var background: Paint?
  /// The color of areas without drawing.
  private let ground: Color
  private var ops: [DrawOp] = []
  /// The images of the drawing, which are retained until it is rendered.
  private var images: [Image] = []

  init(_ size: PixelSize, on ground: Color) {
    self.size = size
    self.ground = ground
  }

  var program: FrameProgram {
    let cover = background ?? (ground.alpha > 0 ? .color(ground) : nil)
    return FrameProgram(size: size, background: cover, ops: ops)
  }

  /// The bounds of the frame, with the origin at the top left.
  public var frame: Rect {
    Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }

  // MARK: Shapes

  /// Fills the whole frame.
  public mutating func fill(_ paint: Paint) {
    guard ops.isEmpty, background == nil else { return fill(.rect(frame, radius: 0), paint) }
    background = paint
  }

  /// Fills a shape by the nonzero rule.
  public mutating func fill(_ shape: Outline, _ paint: Paint) { ops.append(.fill(shape, paint)) }

  /// Strokes the outline of a shape.
  public mutating func stroke(_ shape: Outline, style: StrokeStyle, paint: Paint) {
    ops.append(.stroke(shape, style, paint))
  }

  // MARK: Images

  /// Draws an image in a box: scaled to fit inside (`contain`), scaled to cover the box and cropped
  /// to it (`cover`), or stretched (`fill`).
  public mutating func draw(_ image: Image, in box: Rect, _ fit: FrameFit = .contain) {
    guard let reference = image.reference, !box.isEmpty, box.width > 0, box.height > 0 else {
      return
    }
    images.append(image)
    let (width, height) = (Double(image.size.width), Double(image.size.height))
    let (across, down) = (box.width / width, box.height / height)
    var (source, destination) = (Rect(x: 0, y: 0, width: width, height: height), box)
    switch fit {
    case .fill: break
    case .contain:
      let scale = min(across, down)
      destination = Drawing.middle(of: box, Size(width * scale, height * scale))
    case .cover:
      let scale = max(across, down)
      source = Drawing.middle(of: source, Size(box.width / scale, box.height / scale))
    }
    ops.append(.image(reference, source: source, destination: destination))
  }

  private static func middle(of box: Rect, _ size: Size) -> Rect {
    Rect(
      x: box.center.x - size.width / 2, y: box.center.y - size.height / 2, width: size.width,
      height: size.height)
  }

  // MARK: Text

  /// Draws text, laid out by Pango, with the top of its first line at `at`. Depending on `align`,
  /// `at` is the left end, the center or the right end of the lines. Lines wrap at `width`.
  public mutating func write(
    _ text: String, at place: Point, font: FontSpec, paint: Paint, align: TextAlign = .left,
    width: Double? = nil
  ) {
    let block = Drawing.block(text, font: font, align: align, width: width)
    let extent = Shared.metrics.measure(block)
    let share =
      switch align {
      case .left, .justify: 0.0
      case .center: 0.5
      case .right: 1.0
      }
    let left = Point(place.x - extent.width * share, place.y)
    ops.append(.text(block, paints: [TextPaint(fill: paint)], at: left))
  }

  /// Returns the size of a text as `write` lays it out.
  public static func size(
    of text: String, _ font: FontSpec, align: TextAlign = .left, width: Double? = nil
  ) -> Size {
    let extent = Shared.metrics.measure(block(text, font: font, align: align, width: width))
    return Size(extent.width, extent.height)
  }

  private static func block(
    _ text: String, font: FontSpec, align: TextAlign, width: Double?
  ) -> TextBlock {
    TextBlock(runs: [TextRun(text, font: font)], width: width, align: align)
  }

  // MARK: Groups

  /// Transforms everything that `body` draws.
  public mutating func transformed<E>(
    by map: Affine, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.transformed(map, body: inner))
  }

  /// Clips everything that `body` draws to a shape.
  public mutating func clipped<E>(
    to shape: Outline, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.clipped(shape, body: inner))
  }

  /// Renders everything that `body` draws to a separate layer, filters it, and composites it onto
  /// the frame.
  public mutating func layer<E>(
    _ style: LayerStyle, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.layer(style, body: inner))
  }

  private mutating func group<E>(_ body: (inout Drawing) throws(E) -> Void) throws(E) -> [DrawOp] {
    var inner = Drawing(size, on: .transparent)
    try body(&inner)
    images += inner.images
    let whole = inner.background.map { DrawOp.fill(.rect(frame, radius: 0), $0) }
    return (whole.map { [$0] } ?? []) + inner.ops
  }
}
