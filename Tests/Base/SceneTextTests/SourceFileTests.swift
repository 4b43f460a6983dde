// SPDX-License-Identifier: MIT
import SceneTestSupport
import SceneText
import Testing

@Suite("Source files", .cpuBudget(seconds: 1)) struct SourceFileTests {
  @Test func wellFormedUTF8() throws {
    let table = try ConformanceTable("text/utf8.tsv")
    #expect(table.rows.count > 100)
    for row in table.rows {
      let hex = Array((row["bytes_hex"] ?? "").utf8)
      let bytes = stride(from: 0, to: hex.count - 1, by: 2).compactMap {
        UInt8(String(decoding: hex[$0..<($0 + 2)], as: UTF8.self), radix: 16)
      }
      let file = SourceFile(id: FileID(0), name: "x", bytes: bytes)
      #expect((file.firstInvalidUTF8() == nil) == (row["outcome"] == "valid"), "\(row)")
    }
  }

  @Test func positionsCountCharacters() {
    let file = SourceFile(name: "x", text: "ab\nçd\r\n\ne")
    #expect(file.position(at: 0) == (1, 1))
    #expect(file.position(at: 5) == (2, 2))
    #expect(file.lineRange(1) == 3..<6)
    #expect(file.position(at: 9).line == 4)
  }

  /// The three line endings of the Language Server Protocol, including mixed and trailing ones.
  @Test(arguments: [
    ("a\rb\r", [0, 2, 4], ["a", "b", ""]), ("a\r\nb", [0, 3], ["a", "b"]),
    ("\r\r\n\n", [0, 1, 3, 4], ["", "", "", ""]), ("a\n\rb", [0, 2, 3], ["a", "", "b"]),
    ("\r", [0, 1], ["", ""]), ("", [0], [""]),
  ])
  func lines(_ row: (text: String, starts: [Int], lines: [String])) {
    let file = SourceFile(name: "x", text: row.text)
    #expect(file.lineStarts == row.starts)
    let lines = row.starts.indices.map { line in
      let range = file.lineRange(line)
      return file.text(file.span(range.lowerBound, range.upperBound))
    }
    #expect(lines == row.lines)
  }

  @Test(arguments: [
    ("widht", "width"), ("colour", "color"), ("opacty", "opacity"), ("recta", "rect"),
  ])
  func nearestName(_ pair: (String, String)) {
    #expect(nearest(pair.0, in: ["width", "color", "opacity", "rect"]) == pair.1)
  }

  @Test func nothingIsNear() {
    #expect(nearest("zebra", in: ["width", "color"]) == nil)
    #expect(editDistance("abcd", "acbd") == 1)
    #expect(editDistance("", "abc") == 3)
  }
}
