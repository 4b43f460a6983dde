// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneRaster
import SceneTestSupport
import Testing

@Suite("Images") struct ImageTests {
  private static func numbers(_ text: String?) -> [Double] {
    (text ?? "").split(separator: ",").compactMap { Double($0) }
  }

  /// Formats that are not read yet are named errors.
  private static let formats = [".png", ".jpg", ".jpeg", ".webp"]

  @Test func decodedAsChromiumDoes() throws {
    var counts = (same: 0, refused: 0)
    for row in try ConformanceTable("decode.tsv").rows {
      guard let file = row["file"], Self.formats.contains(where: { file.hasSuffix($0) }),
        let bytes = try? Repository.bytes("Tests/Conformance/" + file)
      else { continue }
      let buffer: PixelBuffer
      do {
        buffer = try ImageDecoder(bytes).decode()
      } catch {
        // What the browser shows and we refuse has a reason in words; never wrong pixels.
        #expect(!"\(error)".isEmpty)
        counts.refused += 1
        if row["chromium"] == "shown", file.hasPrefix("png/pngsuite/"), !file.contains("/x") {
          Issue.record("\(file) is refused: \(error)")
        }
        continue
      }
      guard row["chromium"] == "shown" else {
        // Cut or wrong at the end, which libpng reads over and Chromium does not.
        #expect(!file.contains("pngsuite/x"), "\(file) is shown")
        continue
      }
      #expect(
        "\(buffer.size.width)" == row["width"] && "\(buffer.size.height)" == row["height"],
        "\(file)")
      if file.hasPrefix("malformed/") { continue }
      let hasGamma = bytes.prefix(200).indices.contains {
        bytes[$0...].starts(with: Array("gAMA".utf8))
      }
      let isGamma =
        hasGamma || file.contains("pngsuite/g") || file.contains("pngsuite/ccwn")
        || file.contains("pngsuite/cs")
      let tolerance = isGamma ? 42.0 : file.hasSuffix(".png") ? 2.0 : 8.0
      let corners = [
        ("top_left", 0, 0), ("top_right", buffer.size.width - 1, 0),
        ("bottom_left", 0, buffer.size.height - 1),
        ("bottom_right", buffer.size.width - 1, buffer.size.height - 1),
      ]
      var isSame = true
      for (column, x, y) in corners {
        let wanted = Self.numbers(row[column])
        guard wanted.count == 4 else { continue }
        let (b, g, r, a) = buffer.pixel(x, y)
        let own = [Double(r), Double(g), Double(b), Double(a)]
        for channel in 0..<4 {
          // Ours are premultiplied, the table's are straight.
          let expected = channel == 3 ? wanted[3] : wanted[channel] * wanted[3] / 255
          if abs(own[channel] - expected) > tolerance { isSame = false }
        }
      }
      let isProfiled =
        file.contains("monkey12") || file.contains("wpt") || file.contains("image-rs")
      #expect(isSame || isProfiled, "\(file) \(corners.map { buffer.pixel($0.1, $0.2) })")
      if isSame { counts.same += 1 }
    }
    #expect(counts.same > 100)
  }

  @Test func everyMalformedFileEnds() throws {
    let files = Repository.files(in: "Tests/Conformance/malformed")
    #expect(files.count > 200)
    for file in files {
      let bytes = try Repository.bytes(file)
      let clock = ContinuousClock()
      let spent = clock.measure {
        do {
          let buffer = try ImageDecoder(bytes).decode()
          #expect(buffer.size.width > 0)
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
      #expect(spent < .seconds(5), "\(file)")
    }
  }

  @Test func orientations() throws {
    let files = Repository.files(in: "Tests/Conformance/image/exif", ending: "-pre-rotated.jpg")
    #expect(files.count >= 1)
    for wanted in files {
      let name = wanted.replacing("-pre-rotated.jpg", with: ".jpg")
      guard let bytes = try? Repository.bytes(name) else { continue }
      let own = try ImageDecoder(bytes).decode()
      let other = try ImageDecoder(try Repository.bytes(wanted)).decode()
      #expect(own.size == other.size, "\(name)")
      guard own.size == other.size else { continue }
      for (x, y) in [(3, 3), (own.size.width - 4, 3), (3, own.size.height - 4)] {
        let a = own.pixel(x, y)
        let b = other.pixel(x, y)
        let difference: Int =
          abs(Int(a.0) - Int(b.0)) + abs(Int(a.1) - Int(b.1)) + abs(Int(a.2) - Int(b.2))
        #expect(difference < 60, "\(name)")
      }
    }
  }
}
