// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText

/// The expected syntax at an offset.
///
/// The word at the cursor is replaced with a placeholder, and the text after the cursor is ignored,
/// because it may be incomplete. The nodes around the placeholder determine the expected syntax.
package struct Cursor: Sendable {
  /// The expected kind of syntax.
  package enum Wanted: Hashable, Sendable {
    /// A declaration at the top level of a file.
    case declaration
    /// An item of a body, with its owner and the properties that are already set.
    case item(of: String, given: [String])
    /// The value of a property, with the owner of the body.
    case value(property: String, of: String)
    /// Any expression.
    case expression
    case easing
    /// A member, after `.`, with the expression before it.
    case member(of: [Step])
    case argument(Argument)
    /// A unit after digits, with the property and the owner of the body if known.
    case unit(property: String?, of: String)
    case type
    /// A file path in quotes, with the element, function or keyword that reads it.
    case file(of: String)
    /// A path segment.
    case segment
    /// An element after `change of`.
    case element
    /// A code in a comment that allows warnings.
    case code
    /// A TeX command in a formula.
    case command
    /// The id of an SVG part in quotes.
    case part
    /// A unit after `each`, with the enclosing element.
    case each(of: String)
    case nothing
  }

  /// A part of a name such as `rows[2].card`.
  package enum Step: Hashable, Sendable {
    case name(String)
    /// The item of a list.
    case item
  }

  /// An argument of a call.
  package struct Argument: Hashable, Sendable {
    let function: String
    /// The number of preceding arguments, and of positional ones among them.
    var index = 0
    var unnamed = 0
    /// The names of all arguments, including its own.
    var given: [String] = []
    /// The name of the argument, if present.
    var name: String?
    /// Whether its value has begun, so that a name can no longer precede it.
    var isBegun = false
  }

  package let wanted: Wanted
  /// The byte range of the word at the cursor.
  package let word: Range<Int>

  package init(_ facts: FileFacts, at offset: Int) {
    let tree = facts.tree
    guard !tree.tokens.isEmpty else {
      (wanted, word) = (.declaration, offset..<offset)
      return
    }
    let token = offset == 0 ? 0 : tree.token(at: offset - 1)
    let kind = tree.tokens[token].kind
    let range = tree.range(ofToken: token)
    switch kind {
    case .lineComment, .docComment, .blockComment:
      (wanted, word) = Cursor.inComment(facts, token: token, at: offset)
    case .stringText where offset > range.lowerBound,
      .stringStart where offset >= range.upperBound,
      .interpolationEnd where offset >= range.upperBound:
      if let command = facts.command(at: offset) {
        (wanted, word) = (.command, command)
      } else {
        let opening = tree.tokens[...token].lastIndex { $0.kind == .stringStart } ?? token
        wanted = Site(facts, before: Int(tree.tokens[opening].start)).wantedInString
        word = kind == .stringText ? range : offset..<offset
      }
    case .number where offset > range.lowerBound:
      // `2s` is a single token: the unit follows the digits.
      let digits = facts.source.bytes[range].prefix {
        (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
      }
      let start = range.lowerBound + digits.count
      let isUnit = offset >= start
      wanted = isUnit ? Site(facts, before: range.lowerBound).wantedUnit : .nothing
      word = isUnit ? start..<max(start, range.upperBound) : offset..<offset
    case .color where offset > range.lowerBound: (wanted, word) = (.nothing, range)
    default:
      word = facts.word(at: offset)
      wanted = Site(facts, before: word.lowerBound).wanted
    }
  }

  /// Returns the expected syntax in a comment: a code if the comment allows warnings.
  private static func inComment(_ facts: FileFacts, token: Int, at offset: Int) -> (
    Wanted, Range<Int>
  ) {
    let range = facts.tree.range(ofToken: token)
    guard facts.tree.tokens[token].kind == .lineComment,
      facts.tree.text(ofToken: token).hasPrefix("// scenec: allow")
    else { return (.nothing, offset..<offset) }
    let written = Array(facts.source.bytes[range.lowerBound..<offset])
    let start = written.lastIndex(of: 32).map { range.lowerBound + $0 + 1 } ?? offset
    // If a preceding word is not a code, the reason has begun.
    let before = String(decoding: written.prefix(start - range.lowerBound), as: UTF8.self)
    let count = before.split { $0 == " " || $0 == "," }.count
    if count > 3 + AllowComment.codes(in: before).count { return (.nothing, offset..<offset) }
    return (.code, start..<max(start, min(range.upperBound, offset)))
  }

  /// The owner of the body of `each part` in an SVG, which accepts the properties of a part.
  static let eachPart = "each part"
}

extension FileFacts {
  /// Returns the range of the word that contains or ends at an offset, or of the one directly after
  /// it, which an inserted text would join.
  fileprivate func word(at offset: Int) -> Range<Int> {
    for place in [max(0, offset - 1), offset] {
      let token = tree.token(at: place)
      let range = tree.range(ofToken: token)
      let kind = tree.tokens[token].kind
      guard range.lowerBound <= offset, offset <= range.upperBound else { continue }
      if kind == .identifier || kind.isReservedWord && range.lowerBound < offset { return range }
    }
    return offset..<offset
  }

  /// Returns the range of the TeX command at an offset in a formula: the backslash and all letters
  /// after it. Returns `nil` outside formulas and commands.
  func command(at offset: Int) -> Range<Int>? {
    guard offset > 0, offset <= source.bytes.count, !tree.tokens.isEmpty else { return nil }
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
    let token = tree.token(at: offset - 1)
    let opening = tree.tokens[token].kind == .stringStart ? token : token - 1
    guard opening >= 0, tree.tokens[opening].kind == .stringStart,
      tree.text(ofToken: opening).hasPrefix("$"),
      let start = source.bytes[..<offset].lastIndex(where: { !isLetter($0) }),
      source.bytes[start] == UInt8(ascii: "\\")
    else { return nil }
    return start..<(source.bytes[offset...].firstIndex { !isLetter($0) } ?? source.bytes.count)
  }

  /// Returns whether completion starts automatically after a space: after `:`, `->`, `with` and
  /// `over`.
  package func wantsWords(afterBlankAt offset: Int) -> Bool {
    guard offset > 0 else { return false }
    var token = tree.token(at: offset - 1)
    while token > 0, tree.tokens[token].kind == .whitespace { token -= 1 }
    switch tree.tokens[token].kind {
    case .colon, .arrow: return true
    case .identifier: return ["with", "over"].contains(tree.text(ofToken: token))
    default: return false
    }
  }
}
