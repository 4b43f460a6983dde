// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Completions after any token of a text, with and without the rest of the text, cause neither
/// syntax errors nor unknown names. Random positions are tested; `SCENEC_LAWS=1` tests all of them,
/// and any other number tests that many.
@Suite("Completions at every token", .cpuBudget(seconds: 3)) struct PrefixTests {
  private static let asked = ProcessInfo.processInfo.environment["SCENEC_LAWS"].flatMap { Int($0) }
  /// The number of positions, and of items at each position.
  private static let count = asked.map { $0 > 1 ? $0 : Int.max } ?? 30
  private static let greatestOffer = asked == nil ? 6 : 12

  private static let texts: [String] =
    Corpus.sources
    + (Repository.files(in: "Examples", ending: ".scene")
    + Repository.files(in: "Sources/Language/SceneLibrary", ending: ".scene"))
    .compactMap { try? Repository.text($0) }.filter { $0.utf8.count < 6000 }

  private static func errors(_ bytes: [UInt8]) -> [Diagnostic] {
    var options = CheckOptions.brief
    options.purpose = .edit
    return check(
      parse(SourceFile(id: FileID(0), name: "a.scene", bytes: bytes)), options: options,
      metrics: FixedMetrics(), assets: OneImage()
    ).diagnostics.filter { $0.severity == .error && $0.span.file == FileID(0) }
  }

  /// Returns the errors after a change that the inserted text causes.
  private static func made(
    by new: Range<Int>, instead old: Range<Int>, _ before: [Diagnostic], _ after: [Diagnostic]
  ) -> [Diagnostic] {
    func isForm(_ it: Diagnostic) -> Bool { it.code.rawValue.hasPrefix("E01") }
    let codes = "E0201"..."E0208"
    // Other errors at the end of a text are found only once there is a value.
    let end = "found the end of the file"
    let isHalf = before.contains { isForm($0) && $0.message.contains(end) }
    func isMissing(_ it: Diagnostic) -> Bool {
      isHalf
        && (it.message.contains(end) || it.message.contains(" points, found ")
          || it.code.rawValue == "E0110" && it.span.end <= new.lowerBound)
    }
    func count(_ list: [Diagnostic]) -> Int { list.count { isForm($0) && !isMissing($0) } }
    let isWorse = count(after) > count(before)
    return after.filter { failure in
      let code = failure.code.rawValue
      if isForm(failure) {
        return isWorse && !isMissing(failure)
          && !before.contains { $0.message == failure.message && $0.code == failure.code }
      }
      guard codes.contains(code) || ["E0210", "E0213", "E0304"].contains(code),
        failure.span.start < new.upperBound, new.lowerBound < failure.span.end
      else { return false }
      return !before.contains {
        $0.code == failure.code && $0.message == failure.message
          && $0.span.start <= old.upperBound && old.lowerBound <= $0.span.end
      }
    }
  }

  /// Inserts some of the completions within or at the end of a text.
  private static func ask(
    _ bytes: [UInt8], at offset: Int, _ generator: inout Generator, _ report: (String) -> Void
  ) -> Int {
    let facts = FileFacts(bytes, name: "a.scene")
    let workspace = Workspace(["a.scene": facts])
    let (range, items) = workspace.completions(
      at: offset, in: "a.scene", files: { ["photo.png", "logo.svg", "film.mp4", "names.csv"] })
    // No other element accepts the conditions of an expectation or the segments of a path.
    guard !["expect", "path"].contains(String(decoding: bytes[range], as: UTF8.self)) else {
      return 0
    }
    let before = errors(bytes)
    for item in items.shuffled(using: &generator).prefix(greatestOffer) {
      // An expectation in place of an element accepts none of its children.
      if item.label == "expect", !range.isEmpty { continue }
      let new = item.snippet.map(PromiseTests.plain) ?? item.insert ?? item.label
      var edits = [TextEdit(range, new)]
      if let path = item.importing { edits.append(facts.importEdit(path)) }
      let shift = edits.dropFirst().reduce(0) { $0 + $1.text.utf8.count - $1.range.count }
      let place = range.lowerBound + shift
      let after = edits.applied(to: bytes)
      let wrong = made(
        by: place..<place + new.utf8.count, instead: range, before, errors(after))
      // Another property may not accept the clauses of the existing value, and another component
      // may not accept the existing arguments.
      let isProperty = bytes[range.upperBound...].first == UInt8(ascii: ":")
      let isComponent = item.kind == .component && !range.isEmpty
      // The elements that use a style may lack a property that others have.
      let isStyle = facts.tree.path(at: offset).contains {
        facts.tree.nodes[$0].kind == .styleDecl
      }
      guard
        let first = wrong.first(where: {
          !(isProperty && $0.message.contains("must follow a motion"))
            // The rest of a truncated text is always missing.
            && !$0.message.contains("found the end of the file")
            && !($0.message.contains("expected '}'") && offset >= bytes.count)
            // A formula may not accept the backslashes of an existing text.
            && !(item.label == "math" && $0.code.rawValue == "E0104")
            // A component in place of an element with a body may set the same properties.
            && !(isComponent && ["E0204", "E0304"].contains($0.code.rawValue))
            && !(isStyle && $0.code.rawValue == "E0206")
        })
      else { continue }
      report(
        "\(item.label) at \(offset): \(first.code.rawValue) \(first.message) in "
          + String(decoding: after.prefix(place), as: UTF8.self).suffix(300) + "‹\(new)›"
          + String(decoding: after.dropFirst(place + new.utf8.count), as: UTF8.self).prefix(150))
    }
    return min(items.count, greatestOffer)
  }

  @Test func whatIsOfferedMakesNothingWorse() {
    var generator = Generator(seed: 21)
    var places: [(text: [UInt8], end: Int)] = []
    for text in Self.texts {
      let bytes = Array(text.utf8)
      let tree = parse(SourceFile(id: FileID(0), name: "a.scene", bytes: bytes)).tree
      for token in tree.tokens.indices where !tree.tokens[token].kind.isTrivia {
        places.append((bytes, tree.range(ofToken: token).upperBound))
      }
    }
    var count = 0
    for place in places.shuffled(using: &generator).prefix(Self.count) {
      let cut = Array(place.text[..<place.end])
      // Completion still offers values where a record needs the name of its next field.
      if String(decoding: cut.suffix(60), as: UTF8.self).contains(#/\(\w+: [^()]*,$/#) { continue }
      var texts = [(cut, place.end), (cut + [32], place.end + 1)]
      // Completion also offers values before a value on the next line.
      let isBeforeValue = [58, 61].contains(cut.last) && place.text[place.end...].first == 10
      if !isBeforeValue { texts.append((place.text, place.end)) }
      for (bytes, offset) in texts {
        count += Self.ask(bytes, at: offset, &generator) { Issue.record("\($0)") }
      }
    }
    #expect(count > 200)
  }
}
