// SPDX-License-Identifier: MIT
import CStills
import CPixels
package import SceneGraphics
import SceneIR
import SceneModel

/// Rows of 32-bit pixels that their owner lends: B G R A in memory, alpha premultiplied. What is done
/// with all pixels of a picture is done here, by loops in C.
///
/// It cannot be copied, and owners lend it to a closure, so that it ends before the memory does.
@safe package struct PixelRows: ~Copyable {
  private let start: UnsafeMutablePointer<UInt8>
  package let width: Int
  package let height: Int
  /// Bytes from one row to the next.
  package let stride: Int

  /// `start` begins `height` rows, and stays there for as long as this does.
  package init(_ start: UnsafeMutablePointer<UInt8>, width: Int, height: Int, stride: Int) {
    unsafe self.start = start
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// Lends the bytes of all rows, with those between them.
  package func withBytes<T>(_ body: (inout MutableSpan<UInt8>) throws -> T) rethrows -> T {
    var bytes = unsafe UnsafeMutableBufferPointer(start: start, count: stride * height).mutableSpan
    return try body(&bytes)
  }

  private var size: (Int32, Int32, Int32) { (Int32(stride), Int32(width), Int32(height)) }

  // MARK: Copies

  /// Takes a range of rows of pixels that have the same form.
  package func copy(_ rows: Range<Int>, from other: borrowing PixelRows) {
    precondition(stride == other.stride && rows.upperBound <= min(height, other.height))
    let offset = rows.lowerBound * stride
    unsafe (start + offset).update(from: other.start + offset, count: rows.count * stride)
  }

  /// Takes all rows of pixels that have the same form.
  package func copy(from other: borrowing PixelRows) { copy(0..<height, from: other) }

  /// Takes the place of what is at `x`, `y`, where `other` lies wholly inside.
  package func put(_ other: borrowing PixelRows, x: Int, y: Int) {
    precondition(contains(other, x, y))
    for row in 0..<other.height {
      unsafe (start + (y + row) * stride + x * 4)
        .update(from: other.start + row * other.stride, count: other.width * 4)
    }
  }

  /// Puts pixels over what is there, at an opacity of `0...1`; what lies outside is left out.
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

  private func contains(_ other: borrowing PixelRows, _ x: Int, _ y: Int) -> Bool {
    x >= 0 && y >= 0 && x + other.width <= width && y + other.height <= height
  }

  /// The picture at half its size, into pixels of that size without padding.
  package func halve(into half: borrowing PixelRows) {
    precondition(half.width >= width / 2 && half.height >= height / 2)
    unsafe scene_halve_bgra(start, Int32(stride), Int32(width), Int32(height), half.start)
  }

  /// Takes rows of such pixels that are so many bytes apart.
  package func take(_ pixels: Span<UInt8>, stride other: Int) {
    unsafe take(pixels.bytes, stride: other)
  }

  /// Takes rows of such pixels that are so many bytes apart.
  func take(_ pixels: RawSpan, stride other: Int) {
    precondition(pixels.byteCount >= (height - 1) * other + width * 4)
    unsafe pixels.withUnsafeBytes {
      unsafe scene_turn_bgra(
        $0.baseAddress, Int32(other), size.1, size.2, start, Int32(stride), 0, 0)
    }
  }

  /// Takes a decoded picture of the same size.
  func convert(
    _ samples: RawSpan, _ format: PictureFormat, _ layout: PictureLayout,
    _ alpha: ClipReading.Alpha
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

  /// Becomes upright in pixels of the size for it.
  func turn(into other: borrowing PixelRows, _ orientation: ClipOrientation) {
    precondition(width * height == other.width * other.height)
    unsafe scene_turn_bgra(
      start, size.0, size.1, size.2, other.start, Int32(other.stride),
      Int32(orientation.quarterTurns), orientation.isMirrored ? 1 : 0)
  }

  // MARK: Filters

  /// A Gaussian blur with these standard deviations in pixels.
  package func blur(_ x: Double, _ y: Double) {
    _ = unsafe scene_blur_bgra(start, size.0, size.1, size.2, x, y)
  }

  /// Repeats the pixels at the edges of a box outside of it; `map` brings the box to the pixels.
  package func extend(_ box: Rect, _ map: Affine) {
    guard let back = map.inverted else { return }
    // Within pixels that the box covers wholly.
    let isUpright = map.b == 0 && map.c == 0
    let inset = isUpright ? 0.999 : 1.5
    let x = min(inset / max(1e-9, Math.hypot(map.a, map.b)), box.width / 2)
    let y = min(inset / max(1e-9, Math.hypot(map.c, map.d)), box.height / 2)
    let limits = [box.x + x, box.y + y, box.maxX - x, box.maxY - y]
    unsafe scene_extend_bgra(start, size.0, size.1, size.2, scene_map(map), scene_map(back), limits)
  }

  /// The rows for red, green, blue and alpha, each with five factors, on straight colors.
  package func apply(matrix: [Float]) {
    precondition(matrix.count == 20)
    unsafe scene_color_matrix_bgra(start, size.0, size.1, size.2, matrix)
  }

  /// `side³` entries of red, green, blue in `0...1`, red running fastest.
  package func apply(table: [Float], side: Int) {
    precondition(table.count >= side * side * side * 3)
    unsafe scene_lut_bgra(start, size.0, size.1, size.2, table, Int32(side))
  }

  /// Makes what is near a color clear; see `scene_chroma_key_bgra` for the distances.
  package func removeColor(_ c: Color, tolerance: Double, softness: Double) {
    unsafe scene_chroma_key_bgra(
      start, size.0, size.1, size.2, Float(c.red), Float(c.green), Float(c.blue),
      Float(tolerance), Float(softness))
  }

  /// Every pixel in one color, at the pixel's alpha.
  package func tint(_ c: Color) {
    unsafe scene_tint_bgra(
      start, size.0, size.1, size.2, Float(c.red), Float(c.green), Float(c.blue), Float(c.alpha))
  }

  /// Multiplies with the alpha or the luminance of pixels of the same form.
  package func mask(by mask: borrowing PixelRows, luminance: Bool, isInverted: Bool) {
    precondition(stride == mask.stride && height <= mask.height)
    unsafe scene_mask_bgra(
      start, mask.start, size.0, size.1, size.2, luminance ? 1 : 0, isInverted ? 1 : 0)
  }

  /// From straight alpha.
  package func premultiply() {
    for row in 0..<height { unsafe scene_premultiply_bgra(start + row * stride, Int64(width)) }
  }

  /// Lowers colors that are above alpha, as no premultiplied ones are.
  func clampToAlpha() { unsafe scene_clamp_to_alpha_bgra(start, size.0, size.1, size.2) }

  func makeOpaque() { unsafe scene_make_opaque_bgra(start, size.0, size.1, size.2) }

  // MARK: Means

  /// Adds the picture to sums of linear light, four numbers a pixel.
  package func add(to sums: inout [Float]) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_accumulate_linear(start, size.0, size.1, size.2, &sums)
  }

  /// Becomes the mean of `count` pictures that were added.
  package func resolve(_ sums: [Float], count: Int) {
    precondition(sums.count >= width * height * 4)
    unsafe scene_resolve_linear(sums, Int32(count), start, size.0, size.1, size.2)
  }

  // MARK: Drawing

  /// A gradient that covers everything; `x`, `y` is the device place of the first pixel.
  package func fill(_ gradient: GradientTable, x: Int, y: Int) {
    unsafe scene_gradient_bgra(
      start, size.0, Int32(x), Int32(y), size.1, size.2, gradient.kind.number,
      gradient.inverse, gradient.colors, Int32(gradient.entries))
  }

  /// Fills a small path, which `map` brings to the pixels, with exact coverage; `false`, and nothing
  /// is drawn, when it is too large.
  package func fill(_ path: FlatPath, _ c: Color, _ map: Affine, _ scratch: FillScratch) -> Bool {
    return unsafe scene_fill_small(
      start, size.0, size.1, size.2, path.verbs, Int32(path.verbs.count), path.points,
      Int32(path.points.count / 2), scene_map(map), Float(c.red), Float(c.green), Float(c.blue),
      Float(c.alpha), scratch.memory) != 0
  }

  // MARK: Output

  /// Planar YUV in BT.709 limited range, with rows of `strides` bytes; see `Canvas.writeYUV`.
  package func writeYUV(
    _ y: inout MutableSpan<UInt8>, _ u: inout MutableSpan<UInt8>, _ v: inout MutableSpan<UInt8>,
    strides: (Int, Int, Int), isSubsampled: Bool
  ) {
    let chromaRows = isSubsampled ? height / 2 : height
    precondition(y.count >= strides.0 * height, "the luma plane is too small")
    precondition(u.count >= strides.1 * chromaRows, "the U plane is too small")
    precondition(v.count >= strides.2 * chromaRows, "the V plane is too small")
    let convert = unsafe isSubsampled ? scene_bgra_to_yuv420_bt709 : scene_bgra_to_yuv444_bt709
    unsafe y.withUnsafeMutableBufferPointer { y in
      unsafe u.withUnsafeMutableBufferPointer { u in
        unsafe v.withUnsafeMutableBufferPointer { v in
          unsafe convert(
            start, Int32(stride), y.baseAddress, Int32(strides.0), u.baseAddress,
            Int32(strides.1), v.baseAddress, Int32(strides.2), Int32(width), 0, Int32(height))
        }
      }
    }
  }

  /// Straight red, green, blue, alpha, rows without padding; of opaque pixels the fourth byte means
  /// nothing, and becomes 255.
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

  /// A PNG file, or `nil` without memory; `level` is zlib's.
  package func png(isOpaque: Bool, level: Int32) -> [UInt8]? {
    unsafe still { (file: inout scene_still) in
      unsafe isOpaque
        ? scene_png_write(start, stride, UInt32(width), UInt32(height), 1, level, &file)
        : scene_png_write(
          rgba(isOpaque: false), width * 4, UInt32(width), UInt32(height), 0, level, &file)
    }
  }

  /// A JPEG file of opaque pixels, or `nil` without memory; `quality` is `1...100`, as IJG counts it.
  package func jpeg(quality: Int) -> [UInt8]? {
    unsafe still { (file: inout scene_still) in
      unsafe scene_jpeg_write(
        start, stride, UInt32(width), UInt32(height), Int32(quality), &file)
    }
  }

  private func still(_ write: (inout scene_still) -> Int32) -> [UInt8]? {
    var file = unsafe scene_still()
    let isWritten = unsafe write(&file)
    // Safe: C writes into memory of its own, which is copied and freed here.
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

/// A gradient as the numbers that the loop over its pixels reads.
package struct GradientTable {
  /// Along which line, circle or angle the colors run.
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

  /// `inverse` maps the device to the space of the gradient; `colors` are `entries` premultiplied
  /// ones (blue, green, red, alpha) and two more, before the first and after the last.
  package init(_ kind: Kind, inverse: Affine, colors: [Float], entries: Int) {
    precondition(colors.count == (entries + 2) * 4)
    self.kind = kind
    self.inverse = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.e, inverse.f]
    self.colors = colors
    self.entries = entries
  }
}

/// What small fills write to meanwhile.
@safe package final class FillScratch {
  fileprivate let memory = UnsafeMutableRawPointer.allocate(
    byteCount: Int(SCENE_FILL_SCRATCH), alignment: 16)

  package init() {}

  deinit { unsafe memory.deallocate() }
}
