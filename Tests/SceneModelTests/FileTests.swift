// SPDX-License-Identifier: MIT
import Foundation
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Files of captions and of colours.
@Suite("Caption and colour files") struct FileTests {
  private struct Cues: Decodable {
    struct Cue: Decodable {
      let start: Double
      let end: Double
      let text: String
    }
    let status: String
    let cues: [Cue]
  }

  /// The cues that a browser reads from the WebVTT files of the web platform tests.
  @Test(arguments: Repository.files(in: "Tests/Conformance/vtt", ending: ".vtt"))
  func asBrowsersRead(_ file: String) throws {
    let wanted = try JSONDecoder().decode(
      Cues.self, from: Data(try Repository.bytes(file + ".cues.json")))
    let found = try? CaptionFile.captions(try Repository.bytes(file), isWebVTT: true)
    guard wanted.status == "ok" else {
      #expect(found == nil, "\(file)")
      return
    }
    let cues = try #require(found)
    #expect(cues.map(\.start) == wanted.cues.map(\.start))
    #expect(cues.map(\.end) == wanted.cues.map(\.end))
    #expect(cues.map(\.source) == wanted.cues.map(\.text))
  }

  @Test func subRip() throws {
    let text =
      "\u{FEFF}1\r\n00:00:01,500 --> 00:00:02,000 X1:0\r\n{\\an8}<i>a</i>\r\nb & c\r\n\r\n2\r\n"
    let captions = try CaptionFile.captions(Array(text.utf8), isWebVTT: false)
    #expect(captions.count == 1)
    #expect(captions[0].start == 1.5 && captions[0].end == 2)
    #expect(captions[0].text == "a\nb & c")
    #expect(throws: DataFault.self) {
      try CaptionFile.captions(Array("1\n00:00:01 --> 2\nx\n".utf8), isWebVTT: false)
    }
  }

  @Test func entitiesAndTags() throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>a &lt; b &amp; c</v> <00:01.500>d\n"
    let captions = try CaptionFile.captions(Array(text.utf8), isWebVTT: true)
    #expect(captions.map(\.text) == ["a < b & c d"])
  }

  @Test func cubes() throws {
    let corners = (0..<8).map { "\($0 & 1) \(($0 >> 1) & 1) \($0 >> 2)" }.joined(separator: "\n")
    let table = try CubeFile.table(
      Array("# made here\nTITLE \"x\"\nLUT_3D_SIZE 2\n\(corners)\n".utf8))
    #expect(table.size == 2 && table.values.count == 24)
    let curves = try CubeFile.table(Array("LUT_1D_SIZE 2\n0 0 0\n1 0.5 0\n".utf8))
    #expect(curves.size == 33)
    #expect(Array(curves.values.suffix(3)) == [1, 0.5, 0])
    for wrong in [
      "", "LUT_3D_SIZE 1e30\n", "LUT_3D_SIZE 2.5\n", "LUT_3D_SIZE nan\n", "LUT_3D_SIZE 2\n0 0 0\n",
      "LUT_3D_SIZE 1\n", "LUT_3D_SIZE 2\nhello\n",
    ] {
      #expect(throws: DataFault.self) { try CubeFile.table(Array(wrong.utf8)) }
    }
  }
}
