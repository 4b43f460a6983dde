// SPDX-License-Identifier: MIT
import SceneJSON
import SceneTestSupport
import Testing

/// Parsing and serialization of JSON.
@Suite("JSON", .cpuBudget(seconds: 1)) struct JSONTests {
  private func read(_ text: String) -> JSON? { JSON(bytes: Array(text.utf8)) }

  @Test func values() {
    #expect(read("null") == .null)
    #expect(read(" [1, -2, 3.5, true, \"a\\n\\u00e9\"] ") == [1, -2, .double(3.5), true, "a\né"])
    #expect(read("{\"a\": {\"b\": []}}")?["a"]["b"] == [])
    #expect(read("{\"a\": 1, \"a\": 2}") == ["a": 2])
    #expect(read("\"\\ud83d\\ude00\"") == "😀")
    #expect(read("12") == 12)
  }

  @Test func whatIsBroken() {
    for text in ["", "{", "[1,", "{\"a\"}", "nul", "\"a", "{} x", "[1 2]"] {
      #expect(read(text) == nil, "\(text)")
    }
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(read(deep) == nil)
    let less = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
    #expect(read(less) != nil)
  }

  /// An unpaired surrogate or invalid UTF-8 affects only a character, not the whole message.
  @Test func whatIsNoText() {
    #expect(read("[\"a\\ud83db\", 2]")?[1] == 2)
    #expect(read("[\"a\\ud83db\", 2]")?[0].string?.contains("\u{FFFD}") == true)
    let bytes = Array("[\"a".utf8) + [0xFF] + Array("b\", 2]".utf8)
    #expect(JSON(bytes: bytes)?[0] == "a\u{FFFD}b")
    #expect(JSON(bytes: bytes)?[1] == 2)
    #expect(read("[\"a\\u0000b\"]")?[0] == "a\u{0}b")
  }

  @Test func written() {
    let value: JSON = ["b": [1, .double(0.5), .null], "a": "x/\"\n😀\u{0}", "c": false]
    let text = String(decoding: value.bytes, as: UTF8.self)
    #expect(text == "{\"a\":\"x/\\\"\\n😀\\u0000\",\"b\":[1,0.5,null],\"c\":false}", "\(text)")
    #expect(JSON(bytes: value.bytes) == value)
    #expect(JSON.double(.nan).bytes == Array("null".utf8))
  }
}
