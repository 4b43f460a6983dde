// SPDX-License-Identifier: MIT
import CStills
import CPixels
package import SceneFlash
package import SceneGraphics
import SceneIR
import SceneModel

/// A borrowed view of rows of 32-bit pixels, stored as premultiplied BGRA. Operations on all pixels
/// are implemented here with loops in C.
///
/// The view cannot be copied, and owners pass it only to closures, so it cannot outlive the memory.
@safe package struct PixelRows: ~Copyable {
  let pixels: scene_pixels

  package var width: Int { Int(pixels.width) }
  package var height: Int { Int(pixels.height) }
  /// The distance between rows in bytes.
  package var stride: Int { Int(pixels.stride) }

  /// `start` points to `height` rows, which must outlive the view.
  package init(_ start: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    pixels = unsafe scene_pixels(
      bytes: start, stride: Int32(stride), width: Int32(width), height: Int32(height))
  }

  /// Provides the bytes of all rows, including padding.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    var bytes = unsafe UnsafeMutableBufferPointer(start: pixels.bytes, count: stride * height)
      .mutableSpan
    return try body(&bytes)
  }

  private init(_ pixels: scene_pixels) { self.pixels = pixels }

  /// Provides a part of the pixels, which must lie within this view.
  package func withPart<T>(
    at corner: PixelPosition, size: PixelSize, _ body: (borrowing PixelRows) throws -> T
  ) rethrows -> T {
    try body(
      PixelRows(part(x: corner.x, y: corner.y, width: size.width, height: size.height)))
  }

  /// Returns a part of the pixels.
  func part(x: Int, y: Int, width: Int, height: Int) -> scene_pixels {
    precondition(
      x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height && width >= 0
        && height >= 0)
    return unsafe scene_pixels(
      bytes: pixels.bytes + y * stride + x * 4, stride: pixels.stride, width: Int32(width),
      height: Int32(height))
  }

  // MARK: Copies

  /// Copies a range of rows from pixels with the same layout.
  package func copy(_ rows: Range<Int>, from other: borrowing PixelRows) {
    precondition(stride == other.stride && rows.upperBound <= min(height, other.height))
    let offset = rows.lowerBound * stride
    unsafe (pixels.bytes + offset)
      .update(from: other.pixels.bytes + offset, count: rows.count * stride)
  }

  /// Copies all rows from pixels with the same layout.
  package func copy(from other: borrowing PixelRows) { copy(0..<height, from: other) }

  /// Replaces the pixels at `x`, `y`. `other` must lie within this view.
  package func put(_ other: borrowing PixelRows, x: Int, y: Int) {
    let target = part(x: x, y: y, width: other.width, height: other.height)
    for row in 0..<other.height {
      unsafe (target.bytes + row * stride)
        .update(from: other.pixels.bytes + row * other.stride, count: other.width * 4)
    }
  }

  /// Composites pixels at an opacity of `0...1`. Pixels outside this view are ignored.
  ///
  /// - Parameter dither: The device position of the first pixel of `other` if the result is to be
  ///   dithered.
  package func putOver(
    _ other: borrowing PixelRows, x: Int, y: Int, opacity: Double = 1,
    dither: PixelPosition? = nil
  ) {
    guard let (from, size) = overlap(PixelSize(other.width, other.height), x: x, y: y) else {
      return
    }
    let target = part(x: x + from.x, y: y + from.y, width: size.width, height: size.height)
    let source = other.part(x: from.x, y: from.y, width: size.width, height: size.height)
    let share = Int32((opacity * 255).rounded())
    if let dither {
      scene_over_dithered_bgra(
        target, source, share, Int32(dither.x + from.x), Int32(dither.y + from.y))
    } else {
      scene_over_bgra(target, source, share)
    }
  }

  /// Returns the part of an image at `x`, `y` that lies within this view; `nil` if none does.
  func overlap(_ size: PixelSize, x: Int, y: Int) -> (PixelPosition, PixelSize)? {
    let from = PixelPosition(max(0, -x), max(0, -y))
    let part = PixelSize(
      min(size.width, width - x) - from.x, min(size.height, height - y) - from.y)
    return part.width > 0 && part.height > 0 ? (from, part) : nil
  }

  /// Writes the image at twice its size, with each pixel repeated.
  package func double(into double: borrowing PixelRows) {
    precondition(double.width == 2 * width && double.height == 2 * height)
    scene_double_bgra(pixels, double.pixels)
  }

  /// Writes the image at half size.
  package func halve(into half: borrowing PixelRows) {
    precondition(half.width >= width / 2 && half.height >= height / 2)
    scene_halve_bgra(pixels, half.pixels)
  }

  /// Copies rows of pixels with a stride of `other` bytes.
  package func take(_ bytes: Span<UInt8>, stride other: Int) {
    unsafe take(bytes.bytes, stride: other)
  }

  /// Copies rows of pixels with a stride of `other` bytes.
  func take(_ bytes: RawSpan, stride other: Int) {
    precondition(bytes.byteCount >= (height - 1) * other + width * 4)
    unsafe bytes.withUnsafeBytes {
      // Safe: the function only reads this argument.
      let source = unsafe UnsafeMutableRawPointer(mutating: $0.baseAddress!)
      unsafe scene_turn_bgra(
        scene_pixels(
          bytes: source.assumingMemoryBound(to: UInt8.self), stride: Int32(other),
          width: pixels.width, height: pixels.height), pixels, 0, 0)
    }
  }

  /// Converts a decoded frame of the same size.
  func convert(
    _ samples: RawSpan, format: PictureFormat, layout: PictureLayout,
    alpha: ClipReading.Alpha
  ) {
    var picture = scene_decoded(format, PixelSize(width, height))
    picture.is_premultiplied = alpha == .premultiplied ? 1 : 0
    unsafe samples.withUnsafeBytes { samples in
      let planes = unsafe layout.planes.map {
        unsafe samples.baseAddress?.advanced(by: $0.offset).assumingMemoryBound(to: UInt8.self)
      }
      let strides = layout.planes.map { Int32($0.stride) }
      unsafe picture.planes = (planes[0], planes[1], planes[2], format.hasAlpha ? planes[3] : nil)
      picture.strides = (strides[0], strides[1], strides[2], strides.last ?? 0)
      unsafe scene_decoded_to_bgra(&picture, pixels)
    }
  }

  /// Writes the upright image to a view of the corresponding size.
  func turn(into other: borrowing PixelRows, _ orientation: ClipOrientation) {
    precondition(width * height == other.width * other.height)
    scene_turn_bgra(
      pixels, other.pixels, Int32(orientation.quarterTurns), orientation.isMirrored ? 1 : 0)
  }

  // MARK: Filters

  /// Repeats the edge pixels of a box outside it. `map` maps the box to the pixels.
  package func extend(_ box: Rect, _ map: Affine) {
    guard let back = map.inverted else { return }
    // Samples only pixels that the box covers completely.
    let isUpright = map.b == 0 && map.c == 0
    let inset = isUpright ? 0.999 : 1.5
    let x = min(inset / max(1e-9, Math.hypot(map.a, map.b)), box.width / 2)
    let y = min(inset / max(1e-9, Math.hypot(map.c, map.d)), box.height / 2)
    let limits = scene_box(x0: box.x + x, y0: box.y + y, x1: box.maxX - x, y1: box.maxY - y)
    scene_extend_bgra(pixels, scene_map(map), scene_map(back), limits)
  }

  /// Applies a matrix of four rows (red, green, blue, alpha) with five factors each to straight
  /// colors.
  package func apply(matrix: [Float]) {
    precondition(matrix.count == 20)
    unsafe scene_color_matrix_bgra(pixels, matrix)
  }

  /// Applies a table of `side³` RGB entries in `0...1`, with red varying fastest.
  package func apply(table: [Float], side: Int) {
    precondition(table.count >= side * side * side * 3)
    unsafe scene_lut_bgra(pixels, table, Int32(side))
  }

  /// Makes colors near `key` transparent; see `scene_chroma_key_bgra` for the distances.
  package func removeColor(_ key: Color, tolerance: Double, softness: Double) {
    scene_chroma_key_bgra(pixels, scene_color(key), Float(tolerance), Float(softness))
  }

  /// Sets every pixel to one color, multiplied by the pixel's alpha.
  package func tint(_ color: Color) { scene_tint_bgra(pixels, scene_color(color)) }

  /// Multiplies the pixels by the alpha or the luminance of pixels with the same layout.
  package func mask(by mask: borrowing PixelRows, luminance: Bool, isInverted: Bool) {
    precondition(stride == mask.stride && height <= mask.height)
    scene_mask_bgra(pixels, mask.pixels, luminance ? 1 : 0, isInverted ? 1 : 0)
  }

  /// Converts straight to premultiplied alpha.
  package func premultiply() { scene_premultiply_bgra(pixels) }

  /// Clamps colors to alpha, as required for premultiplied pixels.
  func clampToAlpha() { scene_clamp_to_alpha_bgra(pixels) }

  func makeOpaque() { scene_make_opaque_bgra(pixels) }

  // MARK: Averages

  /// Adds the pixels to sums in linear light, with four values per pixel.
  package func add(to sums: inout [Float]) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_accumulate_linear(pixels, &sums)
  }

  /// Sets the pixels to the mean of `count` added images.
  package func resolve(_ sums: [Float], count: Int) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_resolve_linear(sums, Int32(count), pixels)
  }

  // MARK: Drawing

  /// Fills the view with a gradient. `at` is the device position of the first pixel.
  package func fill(_ gradient: GradientTable, at: PixelPosition) {
    unsafe scene_gradient_bgra(
      pixels, scene_pixels(), Int32(at.x), Int32(at.y), gradient.shape, gradient.colors)
  }

  /// Fills the view with a gradient on top of the pixels at `from` of another view, which must
  /// contain an area of this size there. `at` is the device position of the first pixel.
  package func fill(
    _ gradient: GradientTable, over below: borrowing PixelRows, from: PixelPosition,
    at: PixelPosition
  ) {
    let under = below.part(x: from.x, y: from.y, width: width, height: height)
    unsafe scene_gradient_bgra(
      pixels, under, Int32(at.x), Int32(at.y), gradient.shape, gradient.colors)
  }

  /// Fills the view with an image under a projection. `inverse` maps the device to the pixels of
  /// the image, and `at` is the device position of the first pixel of this view. Returns `false` if
  /// out of memory.
  package func warp(_ image: borrowing PixelRows, inverse: Projection, at: PixelPosition) -> Bool {
    scene_warp_bgra(
      pixels, Int32(at.x), Int32(at.y), image.pixels, scene_projection(inverse)) != 0
  }

  /// Adds these pixels as the next layer of a pixel function. Their memory must remain valid until
  /// the function has run.
  package func add(to code: inout PixelCode, _ layer: PixelLayer) { code.add(pixels, layer) }

  /// Adds a transparent layer to a pixel function.
  package static func addNothing(to code: inout PixelCode) {
    code.add(scene_pixels(), PixelLayer(map: Projection(.identity), extends: false))
  }

  /// Fills the view with a pixel function, whose source, if it has one, has the same layout. `at`
  /// is the device position of the first pixel. With `part`, only the pixels in a rectangle of the
  /// device are filled. Returns `false` if out of memory.
  package func fill(_ code: PixelCode, within part: Rect? = nil, at: PixelPosition) -> Bool {
    var all = scene_part(x0: 0, y0: 0, x1: Int32(width), y1: Int32(height))
    if let part {
      func limited(_ coordinate: Double, from start: Int, count: Int) -> Int32 {
        Int32(max(0, min(Double(count), coordinate - Double(start))))
      }
      all.x0 = limited(part.x.rounded(.down), from: at.x, count: width)
      all.y0 = limited(part.y.rounded(.down), from: at.y, count: height)
      all.x1 = limited(part.maxX.rounded(.up), from: at.x, count: width)
      all.y1 = limited(part.maxY.rounded(.up), from: at.y, count: height)
    }
    return code.run(on: pixels, over: scene_pixels(), at: at, within: all)
  }

  /// Fills the view with a pixel function on top of the pixels at `from` of another view, which
  /// must contain an area of this size there. Returns `false` if out of memory.
  package func fill(
    _ code: PixelCode, over below: borrowing PixelRows, from: PixelPosition, at: PixelPosition
  ) -> Bool {
    let under = below.part(x: from.x, y: from.y, width: width, height: height)
    let all = scene_part(x0: 0, y0: 0, x1: Int32(width), y1: Int32(height))
    return code.run(on: pixels, over: under, at: at, within: all)
  }

  /// Fills a small path with exact coverage. `map` maps the path to the pixels. Returns `false` and
  /// draws nothing if the path is too large.
  package func fill(_ path: FlatPath, color: Color, under map: Affine, scratch: FillScratch)
    -> Bool
  {
    let fill = scene_fill(
      verb_count: Int32(path.verbs.count), point_count: Int32(path.points.count / 2),
      map: scene_map(map), color: scene_color(color))
    return unsafe scene_fill_small(pixels, path.verbs, path.points, fill, scratch.memory) != 0
  }

  /// Adds these pixels as an image of a particle; see `ParticleSprite`.
  package func add(to sprites: inout [ParticleSprite], scale: Double, origin: Point) {
    sprites.append(ParticleSprite(pixels, scale: scale, origin: origin))
  }

  /// Composites particles. `map` maps the field to the device, and `at` is the device position of
  /// the first pixel.
  package func draw(
    _ particles: ParticlePixels, _ sprites: [ParticleSprite], under map: Affine, at: PixelPosition
  ) {
    particles.withCode(sprites, under: map, at: at) {
      unsafe scene_draw_particles(pixels, &$0)
    }
  }

  /// Reduces a frame to the cells that are judged for flashes.
  package func reduced(by reducer: FlashReducer) -> FlashGrid { reducer.reduce(pixels) }

  // MARK: Output

  /// Writes planar YUV in BT.709 limited range with strides in bytes; see `Canvas.writeYUV`.
  package func writeYUV(
    y: inout MutableSpan<UInt8>, u: inout MutableSpan<UInt8>, v: inout MutableSpan<UInt8>,
    strides: PlaneStrides, isSubsampled: Bool
  ) {
    let chromaRows = isSubsampled ? height / 2 : height
    precondition(y.count >= strides.y * height, "the Y plane is too small")
    precondition(u.count >= strides.u * chromaRows, "the U plane is too small")
    precondition(v.count >= strides.v * chromaRows, "the V plane is too small")
    let convert = isSubsampled ? scene_bgra_to_yuv420_bt709 : scene_bgra_to_yuv444_bt709
    unsafe y.withUnsafeMutableBufferPointer { y in
      unsafe u.withUnsafeMutableBufferPointer { u in
        unsafe v.withUnsafeMutableBufferPointer { v in
          unsafe convert(
            pixels, scene_plane(bytes: y.baseAddress, stride: Int32(strides.y)),
            scene_plane(bytes: u.baseAddress, stride: Int32(strides.u)),
            scene_plane(bytes: v.baseAddress, stride: Int32(strides.v)))
        }
      }
    }
  }

  /// Returns straight RGBA without row padding. For opaque pixels, the fourth byte is ignored and
  /// set to 255.
  package func rgba(isOpaque: Bool) -> [UInt8] {
    precondition(stride == width * 4)
    var bytes = [UInt8](repeating: 0, count: stride * height)
    guard isOpaque else {
      unsafe scene_unpremultiply_rgba(pixels.bytes, &bytes, Int64(width * height))
      return bytes
    }
    withBytes { own in
      for at in Swift.stride(from: 0, to: bytes.count, by: 4) {
        bytes[at] = own[at + 2]
        bytes[at + 1] = own[at + 1]
        bytes[at + 2] = own[at]
        bytes[at + 3] = 255
      }
    }
    return bytes
  }

  /// Returns a PNG file, or `nil` if out of memory. `level` is the zlib compression level.
  package func png(isOpaque: Bool, level: Int32) -> [UInt8]? {
    if isOpaque { return PixelRows.content(scene_png_write(image, 1, level)) }
    return unsafe rgba(isOpaque: false).withUnsafeBufferPointer { rgba in
      var straight = image
      unsafe straight.bytes = rgba.baseAddress
      straight.stride = width * 4
      return PixelRows.content(scene_png_write(straight, 0, level))
    }
  }

  /// Returns a JPEG file of opaque pixels, or `nil` if out of memory. `quality` is `1...100` on the
  /// IJG scale.
  package func jpeg(quality: Int) -> [UInt8]? {
    PixelRows.content(scene_jpeg_write(image, Int32(quality)))
  }

  /// The pixels in the form in which they are written to files.
  private var image: scene_image {
    unsafe scene_image(
      bytes: pixels.bytes, stride: stride, width: UInt32(width), height: UInt32(height))
  }

  /// Copies a file and frees it; returns `nil` if it was not written.
  private static func content(_ file: scene_still) -> [UInt8]? {
    // Safe: C allocates the memory, which is copied and freed here.
    defer { unsafe free(file.bytes) }
    guard file.count > 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

extension scene_color {
  fileprivate init(_ color: Color) {
    self.init(
      red: Float(color.red), green: Float(color.green), blue: Float(color.blue),
      alpha: Float(color.alpha))
  }
}

extension scene_map {
  init(_ map: Affine) {
    self.init(a: map.a, b: map.b, c: map.c, d: map.d, e: map.e, f: map.f)
  }
}

extension scene_projection {
  init(_ p: Projection) {
    self.init(a: p.a, b: p.b, c: p.c, d: p.d, e: p.e, f: p.f, g: p.g, h: p.h, i: p.i)
  }
}

/// Working memory for small fills.
@safe package final class FillScratch {
  fileprivate let memory = UnsafeMutableRawPointer.allocate(
    byteCount: Int(SCENE_FILL_SCRATCH), alignment: 16)

  package init() {}

  deinit { unsafe memory.deallocate() }
}
