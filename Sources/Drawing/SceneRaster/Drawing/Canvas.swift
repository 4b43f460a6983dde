// SPDX-License-Identifier: MIT
package import SceneCairo
package import SceneClips
package import SceneFlash
package import SceneGraphics
package import SceneIR
import SceneModel
package import ScenePixels

/// The fonts and decoded images that all canvases of a scene share.
package struct DrawingResources: Sendable {
  package let fonts: FontLibrary
  package let images: ImageStore

  package init(fonts: FontLibrary, images: ImageStore) {
    self.fonts = fonts
    self.images = images
  }
}

/// An error from the environment that prevents rendering a frame.
package enum DrawingError: Error, Hashable, Sendable {
  /// The error state of Cairo.
  case cairo(String)
  /// An image that disappeared after the scene was checked.
  case imageGone(String)
  /// A video frame that cannot be decoded.
  case clip(String, ClipError)
  /// Rendering was aborted.
  case givenUp
}

/// Renders frame programs to its own pixels. Each worker has its own canvas.
///
/// The canvas caches the pixels after the ops that consecutive frames share, so only the following
/// ops are drawn again. The cache never affects the result: it holds the exact state of the canvas
/// at that op.
package final class Canvas {
  private let size: PixelSize
  private let isOpaque: Bool
  private let resources: DrawingResources
  private let engine: LayoutEngine
  private let surface: Surface
  private let context: DrawingContext
  private var images: [ImageKey: (surface: Surface, lastFrame: Int)] = [:]
  private var frame = 0
  private let clips: ClipFrames
  private var failure: DrawingError?
  private let layers = LayerCache()
  private let pool = PixelPool()
  private var last: FrameProgram?
  private var kept: Kept?
  /// Returns `true` once the frame is no longer needed.
  private var isUnwanted: () -> Bool = { false }
  private var isGivenUp = false

  private struct ImageKey: Hashable {
    let image: ImageReference
    let level: Int
  }

  /// The pixels after the first `count` ops, and the rows changed since then.
  private struct Kept {
    var count: Int
    var background: Paint?
    var ops: ArraySlice<DrawOp>
    let pixels: PixelMemory
    var dirty: Range<Int>
  }

  /// Opaque canvases store 32-bit RGB, others premultiplied ARGB.
  package init(_ size: PixelSize, isOpaque: Bool, resources: DrawingResources) throws(DrawingError)
  {
    self.size = size
    self.isOpaque = isOpaque
    self.resources = resources
    engine = LayoutEngine(resources.fonts)
    clips = ClipFrames(resources.images.clips)
    surface = Surface(size, isOpaque: isOpaque)
    context = DrawingContext(surface)
    if let failure = context.failure { throw .cairo(failure) }
  }

  // MARK: Frames

  /// Renders a frame over the previous content. `isUnwanted` is polled before each op. After an
  /// aborted frame the canvas must not be used any more, since its cache may be incomplete.
  package func draw(_ program: FrameProgram, isUnwanted: @escaping () -> Bool = { false })
    throws(DrawingError)
  {
    self.isUnwanted = isUnwanted
    layers.beginFrame()
    pool.beginFrame()
    clips.beginFrame()
    // Surfaces are cheap to create, and their pixel buffers should be released.
    images = images.filter { $0.value.lastFrame == frame }
    frame += 1
    let common = last.map { commonPrefix($0, program) } ?? 0
    let start = restore(program, common: common)
    var dirty = Rect.empty
    let painter = self.painter
    for (index, op) in program.ops.enumerated().dropFirst(start) {
      if index == common, index > start, worthKeeping(program, common) { keep(program, common) }
      painter.draw(op)
      if index >= (kept?.count ?? 0) { dirty = dirty.union(painter.bounds(of: op, .identity)) }
    }
    if common == program.ops.count, common > start, worthKeeping(program, common) {
      keep(program, common)
      dirty = .empty
    }
    kept?.dirty = rows(dirty)
    last = program
    if isGivenUp { throw .givenUp }
    if let failure = context.failure { throw .cairo(failure) }
    if let failure { throw failure }
  }

  /// Draws `body` on a solid background instead of a frame program.
  package func draw(on background: Color, by body: (DrawingContext) throws -> Void) throws {
    (last, kept) = (nil, nil)
    context.compose(.source)
    context.setSource(background)
    context.paint()
    context.compose(.over)
    try context.saved { try body(context) }
    context.newPath()
    if let failure = context.failure { throw DrawingError.cairo(failure) }
  }

  /// Replaces the pixels with those that `body` writes.
  package func write<T>(_ body: (borrowing PixelRows) throws -> T) rethrows -> T? {
    (last, kept) = (nil, nil)
    return try surface.withPixels(body)
  }

  private var painter: Painter {
    Painter(
      context: context, engine: engine, layers: layers, pool: pool, pixels: surface, isRaster: true,
      isOver: { [self] in isOver }, picture: { [self] in picture($0, $1) })
  }

  private var isOver: Bool {
    if !isGivenUp { isGivenUp = isUnwanted() }
    return isGivenUp
  }

  private func commonPrefix(_ a: FrameProgram, _ b: FrameProgram) -> Int {
    guard a.background == b.background, a.size == b.size else { return 0 }
    var count = 0
    while count < a.ops.count, count < b.ops.count, a.ops[count] == b.ops[count] { count += 1 }
    return count
  }

  /// Returns whether drawing the first `count` ops costs more than copying the frame.
  private func worthKeeping(_ program: FrameProgram, _ count: Int) -> Bool {
    if let kept, kept.count == count, kept.background == program.background,
      kept.ops == program.ops[..<count]
    {
      return false
    }
    if case .color = program.background { return count > 0 }
    return program.background != nil || count > 0
  }

  /// Restores the cached pixels or draws the background. Returns the number of ops that are already
  /// drawn.
  private func restore(_ program: FrameProgram, common: Int) -> Int {
    if let kept, kept.count <= program.ops.count, kept.background == program.background,
      kept.ops == program.ops[..<kept.count]
    {
      copyRows(kept.dirty, from: kept)
      return kept.count
    }
    kept = nil
    context.compose(.source)
    if let background = program.background {
      painter.setSource(background, within: .everything)
    } else {
      context.clearSource()
    }
    context.paint()
    context.compose(.over)
    // An expensive background is worth caching on its own if the last frame had the same one.
    if case .color? = program.background { return 0 }
    if program.background != nil, common == 0, last?.background == program.background {
      keep(program, 0)
    }
    return 0
  }

  private func keep(_ program: FrameProgram, _ count: Int) {
    let pixels = kept?.pixels ?? PixelMemory(count: size.width * size.height * 4)
    surface.withPixels { own in
      pixels.withRows(size) { $0.copy(from: own) }
    }
    kept = Kept(
      count: count, background: program.background, ops: program.ops[..<count], pixels: pixels,
      dirty: 0..<0)
  }

  private func copyRows(_ rows: Range<Int>, from kept: Kept) {
    guard !rows.isEmpty else { return }
    surface.withPixels { own in
      kept.pixels.withRows(size) { own.copy(rows, from: $0) }
    }
  }

  private func rows(_ r: Rect) -> Range<Int> {
    if r.isEmpty { return 0..<0 }
    func row(_ y: Double) -> Int { Int(max(0, min(Double(size.height), y))) }
    return row(
      r.y.rounded(.down) - 1)..<max(row(r.y.rounded(.down) - 1), row(r.maxY.rounded(.up) + 1))
  }

  /// Returns a copy of an image for a scale. Returns `nil` and sets `failure` if the image cannot
  /// be read.
  private func picture(_ image: ImageReference, _ scale: Double) -> ScaledPicture? {
    if let clip = image.clip {
      do throws(ClipError) { return try clips.picture(image, of: clip, scale: scale) } catch {
        failure = .clip(image.path, error)
        return nil
      }
    }
    guard let (buffer, level) = resources.images.level(of: image, scale: scale) else {
      failure = .imageGone(image.path)
      return nil
    }
    let key = ImageKey(image: image, level: level)
    // Opaque images need no blending.
    let made = images[key]?.surface ?? Surface(buffer, isOpaque: buffer.isOpaque)
    images[key] = (made, frame)
    return ScaledPicture(
      made, level: level, isSmooth: ScaledPicture.isSmooth(image, at: scale, level: level))
  }

  // MARK: Pixels

  /// Converts the frame to planar YUV in BT.709 limited range.
  ///
  /// Rows have `strides` bytes. If `isSubsampled`, the format is 4:2:0, and width and height must
  /// be even; otherwise it is 4:4:4.
  package func writeYUV(
    y: inout MutableSpan<UInt8>, u: inout MutableSpan<UInt8>, v: inout MutableSpan<UInt8>,
    strides: PlaneStrides, isSubsampled: Bool
  ) {
    surface.withPixels {
      $0.writeYUV(y: &y, u: &u, v: &v, strides: strides, isSubsampled: isSubsampled)
    }
  }

  /// Returns the cells of the frame that are judged for flashes.
  package func flashGrid(_ reducer: FlashReducer) -> FlashGrid? {
    surface.withPixels { $0.reduced(by: reducer) }
  }

  /// Returns the rows as RGBA with straight alpha, without padding.
  package func rgba() -> [UInt8] {
    surface.withPixels { $0.rgba(isOpaque: isOpaque) } ?? []
  }

  /// Encodes the frame as a PNG file. `isCompressed` reduces the size by a third, but takes several
  /// times as long. Set `leavesAlphaOut` if the frame is known to be opaque.
  package func png(isCompressed: Bool = false, leavesAlphaOut: Bool = false) throws(DrawingError)
    -> [UInt8]
  {
    try file {
      $0.png(isOpaque: isOpaque || leavesAlphaOut, level: isCompressed ? 9 : 2)
    }
  }

  /// Encodes the frame as a JPEG file. `quality` is in `1...100`.
  package func jpeg(quality: Int) throws(DrawingError) -> [UInt8] {
    try file { $0.jpeg(quality: quality) }
  }

  private func file(_ write: (borrowing PixelRows) -> [UInt8]?) throws(DrawingError) -> [UInt8] {
    guard let file = surface.withPixels(write) ?? nil else {
      throw .cairo("out of memory for the image file")
    }
    return file
  }
}

extension DrawingError {
  package var message: String {
    switch self {
    case .cairo(let reason): "the frame cannot be drawn: \(reason)"
    case .imageGone(let path): "the image '\(path)' was removed or changed during rendering"
    case .clip(_, let failure): failure.description
    case .givenUp: "rendering the frame took too long and was aborted"
    }
  }
}
