// SPDX-License-Identifier: MIT

/// The bytes of a source file, in which the types of declarations are searched.
package struct SourceScan {
  private let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package func line(of place: Int) -> Int { bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1 }

  /// The offsets of the opening parentheses of all functions, initializers and subscripts.
  package var parameterLists: [Int] {
    lines.compactMap { line in
      let text = bytes[line]
      let words = text.split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      guard let first = words.first, !first.hasPrefix("//"), !first.hasPrefix("\""),
        words.contains(where: { word in
          word == "func" || word.hasPrefix("init") || word.hasPrefix("subscript")
        })
      else { return nil }
      let starts = ["func ", "init(", "init?(", "init<", "subscript(", "subscript<"].compactMap {
        offset(of: $0, in: line)
      }
      return starts.min().flatMap { start in
        bytes[start..<line.upperBound].firstIndex(of: UInt8(ascii: "("))
      }
    }
  }

  /// The offsets of the opening parentheses of all tuple types, without the parameters of closures
  /// and the types of local destructuring.
  package var tupleTypes: [Int] {
    let before = Set(":>[(,<=".utf8)
    return lines.flatMap { line -> [Int] in
      let text = String(decoding: bytes[line], as: UTF8.self).drop { $0 == " " }
      if ["//", "\"", "let (", "var (", "case "].contains(where: { text.hasPrefix($0) }) {
        return []
      }
      let isAlias = text.contains("typealias ")
      return line.filter { at in
        guard bytes[at] == UInt8(ascii: "("),
          let previous = bytes[..<at].last(where: { !SourceScan.isSpace($0) }),
          before.contains(previous), previous != UInt8(ascii: "=") || isAlias
        else { return false }
        let fields = fields(of: at)
        guard fields.count > 1, fields.allSatisfy(isType), let end = fields.last?.upperBound else {
          return false
        }
        let rest = String(decoding: bytes[min(end + 1, bytes.count)...].prefix(20), as: UTF8.self)
          .drop { $0 == " " || $0 == "\n" }
        return !["->", "throws", "async", "rethrows"].contains { rest.hasPrefix($0) }
      }
    }
  }

  /// The ranges of the lines.
  private var lines: [Range<Int>] {
    bytes.split(separator: UInt8(ascii: "\n")).map { $0.startIndex..<$0.endIndex }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
  }

  private func offset(of word: String, in line: Range<Int>) -> Int? {
    let word = Array(word.utf8)
    guard line.count >= word.count else { return nil }
    return (line.lowerBound...(line.upperBound - word.count)).first { start in
      bytes[start..<start + word.count].elementsEqual(word)
        && (start == line.lowerBound || SourceScan.isSpace(bytes[start - 1]))
    }
  }

  /// Returns the ranges between the commas of the parentheses that open at an offset.
  package func fields(of open: Int) -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var (depth, start) = (0, open + 1)
    for at in open..<bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">") where bytes[at - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"):
        depth -= 1
        if depth == 0 { return start < at ? fields + [start..<at] : fields }
      case UInt8(ascii: ",") where depth == 1:
        fields.append(start..<at)
        start = at + 1
      default: break
      }
    }
    return []
  }

  private func text(_ field: Range<Int>) -> Substring {
    String(decoding: bytes[field], as: UTF8.self).drop { $0 == " " || $0 == "\n" }
  }

  package func isUnlabeled(_ field: Range<Int>) -> Bool { text(field).hasPrefix("_ ") }

  /// Returns whether a field of a tuple is a type, with or without a label.
  private func isType(_ field: Range<Int>) -> Bool {
    var text = text(field)
    if let colon = text.firstIndex(of: ":"), text[..<colon].allSatisfy({ $0.isLetter || $0 == "_" })
    {
      text = text[text.index(after: colon)...].drop { $0 == " " }
    }
    for word in ["inout ", "any ", "some ", "@escaping ", "@Sendable "] where text.hasPrefix(word) {
      text = text.dropFirst(word.count)
    }
    text = text.drop { $0 == "(" || $0 == "[" }
    return text.first?.isUppercase == true && !text.contains { "\"{}+*/=".contains($0) }
  }
}
