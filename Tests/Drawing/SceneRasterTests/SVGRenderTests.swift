// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import ScenePixels
import SceneCairo
import SceneFiles
import SceneRaster
import SceneTestSupport
import Testing

/// Compares small SVGs, translated to scenes, with the reference images of resvg.
@Suite("SVG render conformance", .cpuBudget(seconds: 2)) struct SVGRenderTests {
  @Test func drawnAsResvgDoes() throws {
    let folder = "Tests/Conformance/svg-render/"
    let decoder = Decoder()
    var compared = 0
    var left: [String] = []
    for row in try ConformanceTable("svg-render/agreement.tsv").rows where row["agree"] == "1" {
      guard let file = row["file"], let data = try? Repository.bytes(folder + file) else {
        continue
      }
      let source: String
      do {
        source = try SVGTranslator.scene(Data(data))
      } catch {
        left.append("\(file): \(error)")
        continue
      }
      let name = file.replacing(".svg", with: ".png")
      let wanted = try decoder.picture(of: try Repository.bytes(folder + name))
      // Our frames are scaled to the size of the reference images.
      let drawing = try Drawing(source)
      let natural = drawing.program()
      let height = Double(natural.size.height * wanted.size.width) / Double(natural.size.width)
      let program = natural.scaled(to: PixelSize(wanted.size.width, Int(height.rounded())))
      let canvas = try Canvas(program.size, isOpaque: false, resources: drawing.resources)
      try canvas.draw(program)
      let own = canvas.rgba()
      guard program.size == wanted.size else {
        left.append("\(file): \(program.size)")
        continue
      }
      let reference = wanted.withRows { $0.withBytes { bytes in Pixels.array(bytes) } }
      let difference = Pixels.differenceOverWhite(own, premultiplied: reference, limit: 32)
      #expect(difference.mean <= 0.5, "\(file): mean \(difference.mean)\n\(source)")
      #expect(
        Double(difference.far) / Double(own.count / 4) <= 0.005,
        "\(file): \(difference.far) pixels")
      compared += 1
    }
    // The remaining files contain errors that SVG ignores, or features that scenes lack: gradients
    // with repetition, a focal point or interpolation of straight alpha, and the even-odd rule.
    #expect(compared >= 171, "\(compared); left: \(left.joined(separator: "\n"))")
  }
}
