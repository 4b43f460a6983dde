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
