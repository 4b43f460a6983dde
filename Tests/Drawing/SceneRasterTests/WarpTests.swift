// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import ScenePixels
import SceneTestSupport
import Testing

/// Images in perspective, compared with 64 samples per pixel.
@Suite("Warped images", .cpuBudget(seconds: 2)) struct WarpTests {
  private static let size = PixelSize(480, 320)

  /// Returns a smooth image like a photo, or a chart of lines and checks.
  private static func image(isChart: Bool) -> PixelBuffer {
    let buffer = PixelBuffer(size, isOpaque: true)
    buffer.withRows { rows in
      rows.withBytes { bytes in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let at = (y * size.width + x) * 4
            let (u, v) = (Double(x), Double(y))
            for channel in 0..<3 {
              let k = 0.03 + 0.015 * Double(channel)
              let wave = 0.5 + 0.25 * Math.sin(u * k) + 0.25 * Math.cos(v * k * 1.3 + u * 0.01)
              let check = (x / 14 + y / 14) % 2 == 0 || x % 40 < 2 ? 1.0 : 0
              bytes[at + channel] = UInt8((255 * (isChart ? check : wave)).rounded())
            }
            bytes[at + 3] = 255
          }
        }
      }
    }
    return buffer
  }

  /// Returns the projection of the image, rotated about the vertical axis through its center.
  private static func projection(_ degrees: Double) -> Projection {
    let center = Point(Double(size.width) / 2, Double(size.height) / 2)
    return SpaceMap.perspective(800, from: center)
      .concat(.translation(center)).concat(.rotationY(degrees))
      .concat(.translation(Point(-center.x, -center.y))).projection
  }

  private static func warped(_ image: PixelBuffer, _ inverse: Projection) -> [UInt8] {
    let target = PixelBuffer(size)
    return target.withRows { own in
      #expect(image.withRows { own.warp($0, inverse: inverse, at: PixelPosition(0, 0)) })
      return own.withBytes { bytes in Pixels.array(bytes) }
    }
  }

  @Test func anUnturnedImageIsUnchanged() {
    for isChart in [false, true] {
      let image = Self.image(isChart: isChart)
      let original = image.withRows { $0.withBytes { bytes in Pixels.array(bytes) } }
      #expect(Self.warped(image, Projection(.identity)) == original)
    }
  }

  @Test(arguments: [(false, 55.0), (true, 30.0)])
  func turnedImagesAreCloseToSupersampledOnes(_ isChart: Bool, _ least: Double) throws {
    let image = Self.image(isChart: isChart)
    let original = image.withRows { $0.withBytes { bytes in Pixels.array(bytes) } }
    let (width, height) = (Self.size.width, Self.size.height)
    let wanted = Supersampler(original, width: width)
    for degrees in [15.0, 35, 55, 70, 80] {
      let projection = Self.projection(degrees)
      let inverse = try #require(projection.inverted)
      let pixels = Self.warped(image, inverse)
      let box = projection.apply(
        Rect(x: 0, y: 0, width: Double(width), height: Double(height)))
      let square = wanted.meanSquare(
        of: pixels, inverse: inverse,
        columns: max(0, Int(box.x) + 3)..<min(width, Int(box.maxX) - 3),
        rows: stride(from: 60, to: 260, by: 3))
      let ratio = 10 * Math.log(255 * 255 / square) / Math.log(10)
      #expect(ratio >= least, "\(degrees)°: \(ratio) dB")
    }
  }

  /// Elements in space without a rotation look like flat ones.
  @Test func depthZeroChangesNoPixel() throws {
    let body = """
      rect { size: 120x80;  fill: tomato;  corner-radius: 12;  stroke: navy;  stroke-width: 5  EXTRA }
      image "image/exif/F-exif-early.png" { size: 60x60;  position: (30%, 40%)  EXTRA }
      text "Depth" { font-size: 40;  fill: white  EXTRA }
      """
    func pixels(_ extra: String) throws -> [UInt8] {
      try Drawing(
        "scene { size: 300x200;  for: 1s;  background: #203040\n"
          + body.replacing("EXTRA", with: extra) + "\n}"
      ).pixels()
    }
    #expect(try pixels("") == pixels(";  translate-z: 0;  rotate-y: 0deg"))
  }
}
