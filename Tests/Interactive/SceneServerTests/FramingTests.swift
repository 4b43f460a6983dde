// SPDX-License-Identifier: MIT
import SceneServer
import SceneTestSupport
import Testing

/// Parsing of messages from bytes, whole and in pieces.
@Suite("Frames", .cpuBudget(seconds: 1)) struct FramingTests {
  private func frames(_ text: String, pieces: Int = .max) -> [FrameReader.Frame] {
    var reader = FrameReader()
    var found: [FrameReader.Frame] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      reader.add(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
      while let frame = reader.next() { found.append(frame) }
    }
    return found
  }

  private func message(_ text: String) -> FrameReader.Frame { .message(Array(text.utf8)) }

  @Test func whatComes() {
    let rows: [(String, [FrameReader.Frame])] = [
      ("Content-Length: 2\r\n\r\n{}", [message("{}")]),
      ("content-length:2\r\n\r\n{}", [message("{}")]),
      ("Content-Length: 2\n\n{}", [message("{}")]),
      ("Content-Type: application/vim-jsonrpc\r\nContent-Length: 2\r\n\r\n{}", [message("{}")]),
      (
        "Content-Length: 2\r\nX: y\r\n\r\n{}Content-Length: 3\r\n\r\n[1]",
        [message("{}"), message("[1]")]
      ),
      ("Content-Length: 0\r\n\r\n", [message("")]),
      ("nonsense\r\n\r\nContent-Length: 2\r\n\r\n{}", [.unreadable, message("{}")]),
      ("Content-Length: -4\r\n\r\nContent-Length: 2\r\n\r\n{}", [.unreadable, message("{}")]),
      (
        "Content-Length: 99999999999999999999\r\n\r\nabcContent-Length: 2\r\n\r\n{}",
        [.unreadable, message("{}")]
      ),
      (
        String(repeating: "x", count: 9000) + "Content-Length: 2\r\n\r\n{}",
        [.unreadable, message("{}")]
      ),
    ]
    for (text, expected) in rows {
      #expect(frames(text) == expected, "\(text.prefix(60))")
      for pieces in [1, 3, 7] {
        #expect(frames(text, pieces: pieces) == expected, "\(text.prefix(60))")
      }
    }
  }

  @Test func aBodyThatIsTooLongIsSkipped() {
    var reader = FrameReader()
    let count = FrameReader.largestBody + 1
    reader.add(Array("Content-Length: \(count)\r\n\r\n".utf8))
    #expect(reader.next() == .unreadable)
    reader.add([UInt8](repeating: 32, count: count))
    reader.add(FrameReader.frame(Array("{}".utf8)))
    #expect(reader.next() == message("{}"))
  }

  @Test func whatIsWrittenIsRead() {
    #expect(
      frames(String(decoding: FrameReader.frame(Array("{\"a\":1}".utf8)), as: UTF8.self)) == [
        message("{\"a\":1}")
      ])
  }
}
