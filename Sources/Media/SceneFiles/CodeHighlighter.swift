// SPDX-License-Identifier: MIT
import CHighlight
import SceneModel
import SceneSystem

/// Divides source code into highlighted pieces with GNU Source-highlight. No other file uses this
/// library.
enum CodeHighlighter {
  /// The maximum length of a highlighted line. The time grows quadratically with the length.
  private static let longestLine: Int32 = 250

  /// The folder of the language definitions: beside this program, as in the archive, or that of
  /// Debian.
  private static let folder: String = {
    let own = OwnProcess.neighbour("source-highlight")
    return own.flatMap(Files.resolved) ?? "/usr/share/source-highlight"
  }()

  /// Returns the pieces, whose concatenation is the text.
  static func pieces(of text: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece] {
    prepare(language)
    let kinds = Dictionary(uniqueKeysWithValues: CodeKind.allCases.map { (number($0), $0) })
    let bytes = Array(text.utf8)
    // C strings end at a zero byte.
    guard !bytes.contains(0) else { return [CodePiece(text, .plain)] }
    switch Int(scene_code_run(text, longestLine)) {
    case Int(SCENE_CODE_DONE): break
    case Int(SCENE_CODE_NO_DEFINITION): throw .notFound
    default: throw .undecodable("highlighting takes too long")
    }
    var pieces: [CodePiece] = []
    var (first, end) = (0, 0)
    for index in 0..<scene_code_count() {
      var last = min(bytes.count, max(first, end + Int(scene_code_length(index))))
      end += Int(scene_code_length(index))
      // The library counts bytes, but a character must not be split.
      while last < bytes.count, bytes[last] & 0xC0 == 0x80 { last += 1 }
      if last == first { continue }
      let kind = kinds[scene_code_kind(index)] ?? .plain
      pieces.append(
        CodePiece(String(decoding: bytes[first..<last], as: UTF8.self), kind))
      first = last
    }
    return pieces
  }

  private static func prepare(_ language: CodeLanguage) {
    scene_code_begin(folder, language.file)
    for rule in language.rules {
      switch rule {
      case .words(let kind, let words): scene_code_words(number(kind), words)
      case .pattern(let kind, let pattern): scene_code_pattern(number(kind), pattern)
      case .block(let kind, let start, let end, let hasEscapes, let isNested):
        scene_code_block(number(kind), start, end, hasEscapes ? 1 : 0, isNested ? 1 : 0)
      }
    }
  }

  private static func number(_ kind: CodeKind) -> Int32 {
    let number =
      switch kind {
      case .plain: SCENE_CODE_PLAIN
      case .keyword: SCENE_CODE_KEYWORD
      case .type: SCENE_CODE_TYPE
      case .function: SCENE_CODE_FUNCTION
      case .string: SCENE_CODE_STRING
      case .number: SCENE_CODE_NUMBER
      case .comment: SCENE_CODE_COMMENT
      case .symbol: SCENE_CODE_SYMBOL
      case .variable: SCENE_CODE_VARIABLE
      case .meta: SCENE_CODE_META
      }
    return Int32(number)
  }
}
