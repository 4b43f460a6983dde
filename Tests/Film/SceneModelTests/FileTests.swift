// SPDX-License-Identifier: MIT
import Foundation
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Caption files and color lookup tables.
@Suite("Caption and color files", .cpuBudget(seconds: 1)) struct FileTests {
  private struct Cues: Decodable {
    struct Cue: Decodable {
      let start: Double
      let end: Double
      let text: String
    }
    let status: String
    let cues: [Cue]
  }

  private func captions(_ bytes: [UInt8], isWebVTT: Bool) throws -> [Caption] {
    try CaptionFile.track(bytes, isWebVTT: isWebVTT).captions
  }

  /// The parsed cues of the WebVTT files of the web platform tests equal those of a browser.
  @Test(arguments: Repository.files(in: "Tests/Conformance/vtt", ending: ".vtt"))
  func asBrowsersRead(_ file: String) throws {
    let wanted = try JSONDecoder().decode(
      Cues.self, from: Data(try Repository.bytes(file + ".cues.json")))
    let found = try? captions(Repository.bytes(file), isWebVTT: true)
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
    let captions = try self.captions(Array(text.utf8), isWebVTT: false)
    #expect(captions.count == 1)
    #expect(captions[0].start == 1.5 && captions[0].end == 2)
    #expect(captions[0].text == "a\nb & c")
    #expect(throws: DataError.self) {
      try self.captions(Array("1\n00:00:01 --> 2\nx\n".utf8), isWebVTT: false)
    }
  }

  /// Malformed SubRip files, whose spoken text must be shown completely.
  @Test(arguments: [
    (
      "1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n",
      "Hello|World"
    ),
    (
      "1\n00:00:01,000 - > 00:00:02,000\nHello\n\n2\n00:00:03,000 -- > 00:00:04,000\nWorld\n",
      "Hello|World"
    ),
    ("1\n00:00:01,000 –> 00:00:02,000\nHello\n", "Hello"),
    ("00:00:01,000 --> 00:00:02,000\n42\n\n00:00:03,000 --> 00:00:04,000\n43\n", "42|43"),
    ("1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n\n2\n00:00:03,000 --> 00:00:04,000\nc\n", "a\nb|c"),
    ("1\n0:00:01,000 --> 0:00:02,000\nI <3 you and 5 > 2\n", "I <3 you and 5 > 2"),
    ("1\n00:00:01,000 --> 00:00:02,000\n<font color=\"red\">a</font> <B>b</B> <c\n", "a b <c"),
    ("1\n00:00:01.000 --> 00:00:02.000\nNo, it -> is\n", "No, it -> is"),
    ("no captions at all\n", ""),
  ])
  func subRipAsItIsWritten(_ source: String, _ texts: String) throws {
    let captions = try self.captions(Array(source.utf8), isWebVTT: false)
    #expect(captions.map(\.text).joined(separator: "|") == texts)
  }

  @Test func encodings() throws {
    let source = "1\n00:00:01,000 --> 00:00:02,000\ncafé – “x”\n"
    for isLittle in [true, false] {
      let units = Array("\u{FEFF}\(source)".utf16)
      let bytes = units.flatMap { unit -> [UInt8] in
        let pair = [UInt8(unit & 255), UInt8(unit >> 8)]
        return isLittle ? pair : pair.reversed()
      }
      let captions = try self.captions(bytes, isWebVTT: false)
      #expect(captions.map(\.text) == ["café – “x”"])
    }
    let windows =
      Array("1\n00:00:01,000 --> 00:00:02,000\ncaf".utf8) + [0xE9, 0x20, 0x96, 0x20, 0x93, 10]
    #expect(
      try captions(windows, isWebVTT: false).map(\.text) == ["café – “"])
  }

  /// Times with one digit for the hours, and HTML character references with and without semicolons.
  @Test(arguments: [
    ("Don&#39;t &copy; &hellip; &#x2019;", "Don't © … ’"), ("&copy 2026 &ampx", "© 2026 &x"),
    ("&notit; &notin;", "¬it; ∉"), ("&#150;&#x80;", "–€"), ("&#0;&#xD800;", "\u{FFFD}\u{FFFD}"),
    ("a & b &c; &#; &#x;", "a & b &c; &#; &#x;"), ("&NotEqualTilde;", "≂̸"), ("&amp;lt;", "&lt;"),
  ])
  func characterReferences(_ written: String, _ shown: String) throws {
    let source = "WEBVTT\n\n0:00:01.000 --> 0:00:02.000\n\(written)\n"
    let captions = try self.captions(Array(source.utf8), isWebVTT: true)
    #expect(captions.map(\.text) == [shown])
    #expect(captions.map(\.start) == [1])
  }

  /// The separators of Excel are accepted. A table that is too large is rejected before memory is
  /// allocated.
  @Test func tables() throws {
    let semicolons = try CSVTable(Array("name;score\r\n\"a;b\";3\r\nc;4\r\n".utf8))
    #expect(semicolons.columns == ["name", "score"])
    #expect(semicolons.rows.map { $0.map(\.text) } == [["a;b", "3"], ["c", "4"]])
    #expect(try CSVTable(Array("a\tb\n1\t2\n".utf8)).columns == ["a", "b"])
    #expect(try CSVTable(Array("a,b;c\n1,2\n".utf8)).columns == ["a", "b;c"])
    let wide = (0..<2000).map { "c\($0)" }.joined(separator: ",")
    let table = Array((wide + "\n" + String(repeating: "1\n", count: 2000)).utf8)
    #expect(throws: DataError.self) { try CSVTable(table) }
    #expect(try CSVTable(table, limit: 4_000_000).rows.count == 2000)
  }

  /// Numbers may have the minus sign of published tables, which texts keep.
  @Test func minusSigns() throws {
    let table = try CSVTable(Array("a,b,c\n−3,−4.5,−x\n-1,,2\n".utf8))
    guard case .list(let rows) = table.values(file: "a.csv"), case .record(let row)? = rows.first
    else {
      Issue.record("no rows")
      return
    }
    #expect(row.prefix(2).map(\.value) == [.number(-3), .number(-4.5)])
    #expect(row.last?.value == .text("−x", DataPlace(file: "a.csv", line: 2, column: 9)))
  }

  @Test func entitiesAndTags() throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>a &lt; b &amp; c</v> <00:01.500>d\n"
    let captions = try self.captions(Array(text.utf8), isWebVTT: true)
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
      #expect(throws: DataError.self) { try CubeFile.table(Array(wrong.utf8)) }
    }
  }
}
