// SPDX-License-Identifier: MIT
import SceneLibrary

/// The frequencies of words, which determine the order of completion items.
enum Frequency {
  /// The number of occurrences in the library and in the examples of the manual.
  static let counts: [String: Int] = {
    var counts: [String: Int] = [:]
    func read(_ text: some Sequence<UInt8>) {
      var word: [UInt8] = []
      func end() {
        if word.count > 1 { counts[String(decoding: word, as: UTF8.self), default: 0] += 1 }
        word = []
      }
      for byte in text {
        let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
        if isLetter || (!word.isEmpty && (byte == 0x2D || (byte >= 0x30 && byte <= 0x39))) {
          word.append(byte)
        } else {
          end()
        }
      }
      end()
    }
    for path in Library.paths { read(Library.file(path) ?? []) }
    // Every second part is inside code fences.
    for page in Manual.pages {
      for (index, part) in page.text.split(separator: "```", omittingEmptySubsequences: false)
        .enumerated() where index % 2 == 1
      {
        read(part.utf8)
      }
    }
    return counts
  }()
}
