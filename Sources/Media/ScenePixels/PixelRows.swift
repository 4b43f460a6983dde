// SPDX-License-Identifier: MIT
import CStills
import CPixels
package import SceneGraphics
import SceneIR
import SceneModel

/// A borrowed view of rows of 32-bit pixels, stored as premultiplied BGRA. Operations on all pixels
/// are implemented here with loops in C.
///
/// The view cannot be copied, and owners pass it only to closures, so it cannot outlive the memory.
@safe package struct PixelRows: ~Copyable {
  private let start: UnsafeMutablePointer<UInt8>
  package let width: Int
  package let height: Int
  /// The distance between rows in bytes.
  package let stride: Int

  /// `start` points to `height` rows, which must outlive the view.
  package init(_ start: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    unsafe self.start = start
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// Provides the bytes of all rows, including padding.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    var bytes = unsafe UnsafeMutableBufferPointer(start: start, count: stride * height).mutableSpan
    return try body(&bytes)
  }

  /// The stride and the size as C functions expect them.
  private struct Extent {
    let stride: Int32
    let width: Int32
    let height: Int32
  }

  private var size: Extent {
    Extent(stride: Int32(stride), width: Int32(width), height: Int32(height))
  }

  // MARK: Copies

  /// Copies a range of rows from pixels with the same layout.
  package func copy(_ rows: Range<Int>, from other: borrowing PixelRows) {
    precondition(stride == other.stride && rows.upperBound <= min(height, other.height))
    let offset = rows.lowerBound * stride
    unsafe (start + offset).update(from: other.start + offset, count: rows.count * stride)
  }

  /// Copies all rows from pixels with the same layout.
  package func copy(from other: borrowing PixelRows) { copy(0..<height, from: other) }

  /// Replaces the pixels at `x`, `y`. `other` must lie within this view.
  package func put(_ other: borrowing PixelRows, x: Int, y: Int) {
    precondition(contains(other, atX: x, y: y))
    for row in 0..<other.height {
      unsafe (start + (y + row) * stride + x * 4)
        .update(from: other.start + row * other.stride, count: other.width * 4)
    }
  }

  /// Composites pixels at an opacity of `0...1`. Pixels outside this view are ignored.
  package func putOver(_ other: borrowing PixelRows, x: Int, y: Int, opacity: Double = 1) {
    let from = (x: max(0, -x), y: max(0, -y))
    let columns = min(other.width, width - x) - from.x
    let rows = min(other.height, height - y) - from.y
    guard columns > 0, rows > 0 else { return }
    unsafe scene_over_bgra(
      start + (y + from.y) * stride + (x + from.x) * 4, Int32(stride),
      other.start + from.y * other.stride + from.x * 4, Int32(other.stride), Int32(columns),
      Int32(rows), Int32((opacity * 255).rounded()))
  }

  private func contains(_ other: borrowing PixelRows, atX x: Int, y: Int) -> Bool {
    x >= 0 && y >= 0 && x + other.width <= width && y + other.height <= height
  }

  /// Writes the image at half size to rows without padding.
  package func halve(into half: borrowing PixelRows) {
    precondition(half.width >= width / 2 && half.height >= height / 2)
    unsafe scene_halve_bgra(start, Int32(stride), Int32(width), Int32(height), half.start)
  }

  /// Copies rows of pixels with a stride of `other` bytes.
  package func take(_ pixels: Span<UInt8>, stride other: Int) {
    unsafe take(pixels.bytes, stride: other)
  }

  /// Copies rows of pixels with a stride of `other` bytes.
  func take(_ pixels: RawSpan, stride other: Int) {
    precondition(pixels.byteCount >= (height - 1) * other + width * 4)
    unsafe pixels.withUnsafeBytes {
      unsafe scene_turn_bgra(
        $0.baseAddress, Int32(other), size.width, size.height, start, Int32(stride), 0, 0)
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
      unsafe scene_decoded_to_bgra(&picture, start, Int32(stride))
    }
  }

  /// Writes the upright image to a view of the corresponding size.
  func turn(into other: borrowing PixelRows, _ orientation: ClipOrientation) {
    precondition(width * height == other.width * other.height)
    unsafe scene_turn_bgra(
      start, size.stride, size.width, size.height, other.start, Int32(other.stride),
      Int32(orientation.quarterTurns), orientation.isMirrored ? 1 : 0)
  }

  // MARK: Filters

  /// Applies a Gaussian blur with standard deviations in pixels.
  package func blur(_ x: Double, _ y: Double) {
    _ = unsafe scene_blur_bgra(start, size.stride, size.width, size.height, x, y)
  }

  /// Repeats the edge pixels of a box outside it. `map` maps the box to the pixels.
  package func extend(_ box: Rect, _ map: Affine) {
    guard let back = map.inverted else { return }
    // Samples only pixels that the box covers completely.
    let isUpright = map.b == 0 && map.c == 0
    let inset = isUpright ? 0.999 : 1.5
    let x = min(inset / max(1e-9, Math.hypot(map.a, map.b)), box.width / 2)
    let y = min(inset / max(1e-9, Math.hypot(map.c, map.d)), box.height / 2)
    let limits = [box.x + x, box.y + y, box.maxX - x, box.maxY - y]
    unsafe scene_extend_bgra(
      start, size.stride, size.width, size.height, scene_map(map), scene_map(back), limits)
  }

  /// Applies a matrix of four rows (red, green, blue, alpha) with five factors each to straight
  /// colors.
  package func apply(matrix: [Float]) {
    precondition(matrix.count == 20)
    unsafe scene_color_matrix_bgra(start, size.stride, size.width, size.height, matrix)
  }

  /// Applies a table of `side³` RGB entries in `0...1`, with red varying fastest.
  package func apply(table: [Float], side: Int) {
    precondition(table.count >= side * side * side * 3)
    unsafe scene_lut_bgra(start, size.stride, size.width, size.height, table, Int32(side))
  }

  /// Makes colors near `c` transparent; see `scene_chroma_key_bgra` for the distances.
  package func removeColor(_ c: Color, tolerance: Double, softness: Double) {
    unsafe scene_chroma_key_bgra(
      start, size.stride, size.width, size.height, Float(c.red), Float(c.green), Float(c.blue),
      Float(tolerance), Float(softness))
  }

  /// Sets every pixel to one color, multiplied by the pixel's alpha.
  package func tint(_ c: Color) {
    unsafe scene_tint_bgra(
      start, size.stride, size.width, size.height, Float(c.red), Float(c.green), Float(c.blue),
      Float(c.alpha))
  }

  /// Multiplies the pixels by the alpha or the luminance of pixels with the same layout.
  package func mask(by mask: borrowing PixelRows, luminance: Bool, isInverted: Bool) {
    precondition(stride == mask.stride && height <= mask.height)
    unsafe scene_mask_bgra(
      start, mask.start, size.stride, size.width, size.height, luminance ? 1 : 0, isInverted ? 1 : 0
    )
  }

  /// Converts straight to premultiplied alpha.
  package func premultiply() {
    for row in 0..<height { unsafe scene_premultiply_bgra(start + row * stride, Int64(width)) }
  }

  /// Clamps colors to alpha, as required for premultiplied pixels.
  func clampToAlpha() {
    unsafe scene_clamp_to_alpha_bgra(start, size.stride, size.width, size.height)
  }

  func makeOpaque() { unsafe scene_make_opaque_bgra(start, size.stride, size.width, size.height) }

  // MARK: Averages

  /// Adds the pixels to sums in linear light, with four values per pixel.
  package func add(to sums: inout [Float]) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_accumulate_linear(start, size.stride, size.width, size.height, &sums)
  }

  /// Sets the pixels to the mean of `count` added images.
  package func resolve(_ sums: [Float], count: Int) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_resolve_linear(sums, Int32(count), start, size.stride, size.width, size.height)
  }

  // MARK: Drawing

  /// Fills the view with a gradient. `x`, `y` is the device position of the first pixel.
  package func fill(_ gradient: GradientTable, x: Int, y: Int) {
    unsafe scene_gradient_bgra(
      start, size.stride, Int32(x), Int32(y), size.width, size.height, gradient.kind.number,
      gradient.inverse, gradient.colors, Int32(gradient.entries))
  }

  /// Fills a small path with exact coverage. `map` maps the path to the pixels. Returns `false` and
  /// draws nothing if the path is too large.
  package func fill(_ path: FlatPath, color c: Color, under map: Affine, scratch: FillScratch)
    -> Bool
  {
    return unsafe scene_fill_small(
      start, size.stride, size.width, size.height, path.verbs, Int32(path.verbs.count), path.points,
      Int32(path.points.count / 2), scene_map(map), Float(c.red), Float(c.green), Float(c.blue),
      Float(c.alpha), scratch.memory) != 0
  }

  // MARK: Output

  /// Writes planar YUV in BT.709 limited range with strides in bytes; see `Canvas.writeYUV`.
  package func writeYUV(
    y: inout MutableSpan<UInt8>, u: inout MutableSpan<UInt8>, v: inout MutableSpan<UInt8>,
    strides: PlaneStrides, isSubsampled: Bool
  ) {
    let chromaRows = isSubsampled ? height / 2 : height
    precondition(y.count >= strides.y * height, "the luma plane is too small")
    precondition(u.count >= strides.u * chromaRows, "the U plane is too small")
    precondition(v.count >= strides.v * chromaRows, "the V plane is too small")
    let convert = unsafe isSubsampled ? scene_bgra_to_yuv420_bt709 : scene_bgra_to_yuv444_bt709
    unsafe y.withUnsafeMutableBufferPointer { y in
      unsafe u.withUnsafeMutableBufferPointer { u in
        unsafe v.withUnsafeMutableBufferPointer { v in
          unsafe convert(
            start, Int32(stride), y.baseAddress, Int32(strides.y), u.baseAddress,
            Int32(strides.u), v.baseAddress, Int32(strides.v), Int32(width), 0, Int32(height))
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
      unsafe scene_unpremultiply_rgba(start, &bytes, Int64(width * height))
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
    unsafe still { (file: inout scene_still) in
      unsafe isOpaque
        ? scene_png_write(start, stride, UInt32(width), UInt32(height), 1, level, &file)
        : scene_png_write(
          rgba(isOpaque: false), width * 4, UInt32(width), UInt32(height), 0, level, &file)
    }
  }

  /// Returns a JPEG file of opaque pixels, or `nil` if out of memory. `quality` is `1...100` on the
  /// IJG scale.
  package func jpeg(quality: Int) -> [UInt8]? {
    unsafe still { (file: inout scene_still) in
      unsafe scene_jpeg_write(
        start, stride, UInt32(width), UInt32(height), Int32(quality), &file)
    }
  }

  private func still(_ write: (inout scene_still) -> Int32) -> [UInt8]? {
    var file = unsafe scene_still()
    let isWritten = unsafe write(&file)
    // Safe: C allocates the memory, which is copied and freed here.
    defer { unsafe free(file.bytes) }
    guard isWritten != 0 else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}

extension scene_map {
  fileprivate init(_ map: Affine) {
    self.init(a: map.a, b: map.b, c: map.c, d: map.d, e: map.e, f: map.f)
  }
}

/// A gradient in the form that the pixel loop reads.
package struct GradientTable {
  /// The geometry of a gradient.
  package enum Kind {
    case linear, radial, conic

    fileprivate var number: Int32 {
      switch self {
      case .linear: Int32(SCENE_LINEAR)
      case .radial: Int32(SCENE_RADIAL)
      case .conic: Int32(SCENE_CONIC)
      }
    }
  }

  fileprivate let kind: Kind
  fileprivate let inverse: [Double]
  fileprivate let colors: [Float]
  fileprivate let entries: Int

  /// `inverse` maps device space to gradient space. `colors` contains `entries` premultiplied BGRA
  /// colors, followed by the colors before the first and after the last.
  package init(_ kind: Kind, inverse: Affine, colors: [Float], entries: Int) {
    precondition(colors.count == (entries + 2) * 4)
    self.kind = kind
    self.inverse = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.e, inverse.f]
    self.colors = colors
    self.entries = entries
  }
}

/// Working memory for small fills.
@safe package final class FillScratch {
  fileprivate let memory = UnsafeMutableRawPointer.allocate(
    byteCount: Int(SCENE_FILL_SCRATCH), alignment: 16)

  package init() {}

  deinit { unsafe memory.deallocate() }
}
