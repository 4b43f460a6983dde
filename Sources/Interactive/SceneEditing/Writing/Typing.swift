// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText

// Edits while the user types, and when files are moved.
extension FileFacts {
  /// Returns the edits after a character was typed before an offset. A `}` gets the indentation of
  /// the line that it closes, and a new line after a doc comment continues it.
  package func edits(afterTyping text: String, at offset: Int) -> [TextEdit] {
    let line = source.lineIndex(at: offset)
    let range = source.lineRange(line)
    switch text {
    case "}":
      let brace = offset - 1
      guard brace >= range.lowerBound, source.bytes.indices.contains(brace),
        source.bytes[brace] == UInt8(ascii: "}"),
        isBlank(range.lowerBound..<brace), let open = opening(of: brace)
      else { return [] }
      let wanted = indentation(ofLine: source.lineIndex(at: open))
      let now = String(decoding: source.bytes[range.lowerBound..<brace], as: UTF8.self)
      return wanted == now ? [] : [TextEdit(range.lowerBound..<brace, wanted)]
    case "\n":
      guard line > 0, isBlank(range) else { return [] }
      let before = source.lineRange(line - 1)
      let start = before.lowerBound + indentation(ofLine: line - 1).utf8.count
      guard start < before.upperBound else { return [] }
      let token = tree.token(at: start)
      let comment = tree.range(ofToken: token)
      // An empty comment line ends the comment.
      guard tree.tokens[token].kind == .docComment, comment.lowerBound == start,
        !isBlank(start + 3..<comment.upperBound)
      else { return [] }
      return [TextEdit(range, indentation(ofLine: line - 1) + "/// ")]
    default: return []
    }
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    source.bytes[range].allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 }
  }

  private func indentation(ofLine line: Int) -> String {
    String(
      decoding: source.bytes[source.lineRange(line)].prefix { $0 == 32 || $0 == 9 }, as: UTF8.self)
  }

  /// Returns the offset of the brace that the brace at an offset closes.
  private func opening(of offset: Int) -> Int? {
    var depth = 0
    for token in tree.tokens.indices[...tree.token(at: offset)].reversed() {
      switch tree.tokens[token].kind {
      case .rightBrace: depth += 1
      case .leftBrace:
        depth -= 1
        if depth == 0 { return Int(tree.tokens[token].start) }
      default: continue
      }
    }
    return nil
  }
}

extension Workspace {
  /// Returns the edits that update paths when files or folders are moved. Paths are workspace keys
  /// or prefixes of them.
  package func edits(moving moves: [(from: String, to: String)]) -> [String: [TextEdit]] {
    func moved(_ path: String) -> String {
      for move in moves {
        if path == move.from { return move.to }
        if path.hasPrefix(move.from + "/") { return move.to + path.dropFirst(move.from.count) }
      }
      return path
    }
    var edits: [String: [TextEdit]] = [:]
    for (file, facts) in files where !file.hasPrefix("std/") {
      let home = moved(file)
      for link in facts.fileLinks where !link.path.hasPrefix("std/") && !link.path.hasPrefix("/") {
        let target = FilePaths.absolute(link.path, from: file)
        let now = FilePaths.relative(moved(target), from: home)
        let isSame = FilePaths.absolute(link.path, from: home) == moved(target)
        if !isSame { edits[file, default: []].append(TextEdit(link.range, now)) }
      }
    }
    return edits
  }
}
