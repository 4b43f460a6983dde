// SPDX-License-Identifier: MIT
import SceneModel
import SceneRaster

/// What a frame shows, in the order in which it is painted: drawn by the writer of the film, as scenec
/// draws scenes.
///
/// Lengths are pixels, y grows downwards from the top left. Frames that were drawn alike are not drawn or
/// encoded again.
public struct Drawing {
  public let size: PixelSize
  private var background: Paint?
  /// What is where nothing is drawn.
  private let ground: Color
  private var ops: [DrawOp] = []
  /// Held until they are drawn.
  private var pictures: [Picture] = []

  init(_ size: PixelSize, on ground: Color) {
    self.size = size
    self.ground = ground
  }

  var program: FrameProgram {
    let cover = background ?? (ground.alpha > 0 ? .color(ground) : nil)
    return FrameProgram(size: size, background: cover, ops: ops)
  }

  /// All of the frame, from its top left.
  public var frame: Rect { Rect(0, 0, Double(size.width), Double(size.height)) }

  // MARK: Shapes

  /// Covers everything.
  public mutating func fill(_ paint: Paint) {
    guard ops.isEmpty, background == nil else { return fill(.rect(frame, radius: 0), paint) }
    background = paint
  }

  /// Fills a shape, by the nonzero rule.
  public mutating func fill(_ shape: Outline, _ paint: Paint) { ops.append(.fill(shape, paint)) }

  /// Draws a line along the edge of a shape.
  public mutating func stroke(_ shape: Outline, _ style: StrokeStyle, _ paint: Paint) {
    ops.append(.stroke(shape, style, paint))
  }

  // MARK: Pictures

  /// Draws a picture in a box: all of it inside (`contain`), as large as covers the box and cut there
  /// (`cover`), or stretched (`fill`).
  public mutating func draw(_ picture: Picture, in box: Rect, _ fit: FrameFit = .contain) {
    guard let image = picture.reference, !box.isEmpty, box.width > 0, box.height > 0 else { return }
    pictures.append(picture)
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    let (across, down) = (box.width / width, box.height / height)
    var (source, destination) = (Rect(0, 0, width, height), box)
    switch fit {
    case .fill: break
    case .contain:
      let scale = min(across, down)
      destination = Drawing.middle(of: box, Size(width * scale, height * scale))
    case .cover:
      let scale = max(across, down)
      source = Drawing.middle(of: source, Size(box.width / scale, box.height / scale))
    }
    ops.append(.image(image, source: source, destination: destination))
  }

  private static func middle(of box: Rect, _ size: Size) -> Rect {
    Rect(
      box.center.x - size.width / 2, box.center.y - size.height / 2, size.width, size.height)
  }

  // MARK: Text

  /// Writes a text from the top of its first line down, laid out by Pango. `at` is its left end, its middle
  /// or its right end, as lines are aligned; with a `width`, lines end there.
  public mutating func write(
    _ text: String, at place: Point, _ font: FontSpec, _ paint: Paint, align: TextAlign = .left,
    width: Double? = nil
  ) {
    let block = Drawing.block(text, font, align, width)
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

  /// The size of a text as `write` lays it out.
  public static func size(
    of text: String, _ font: FontSpec, align: TextAlign = .left, width: Double? = nil
  ) -> Size {
    let extent = Shared.metrics.measure(block(text, font, align, width))
    return Size(extent.width, extent.height)
  }

  private static func block(
    _ text: String, _ font: FontSpec, _ align: TextAlign, _ width: Double?
  ) -> TextBlock {
    TextBlock(runs: [TextRun(text, font: font)], width: width, align: align)
  }

  // MARK: Groups

  /// What `body` draws is moved, turned or stretched.
  public mutating func transformed<E>(
    by map: Affine, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.transformed(map, body: inner))
  }

  /// Of what `body` draws only that inside a shape is seen.
  public mutating func clipped<E>(
    to shape: Outline, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.clipped(shape, body: inner))
  }

  /// What `body` draws is drawn apart, filtered, and then put on what is there.
  public mutating func layer<E>(
    _ style: LayerStyle, _ body: (inout Drawing) throws(E) -> Void
  ) throws(E) {
    let inner = try group(body)
    ops.append(.layer(style, body: inner))
  }

  private mutating func group<E>(_ body: (inout Drawing) throws(E) -> Void) throws(E) -> [DrawOp] {
    var inner = Drawing(size, on: .transparent)
    try body(&inner)
    pictures += inner.pictures
    let whole = inner.background.map { DrawOp.fill(.rect(frame, radius: 0), $0) }
    return (whole.map { [$0] } ?? []) + inner.ops
  }
}
