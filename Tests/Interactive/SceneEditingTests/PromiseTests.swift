// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Completions, renaming and refactorings never cause errors. Random positions of the corpus, the
/// examples and generated scenes are tested; `SCENEC_SOAK=1` tests 10,000 scenes, and any other number tests
/// that many.
@Suite("What an editor offers", .cpuBudget(seconds: 7)) struct PromiseTests {
  private static let soak = ProcessInfo.processInfo.environment["SCENEC_SOAK"].flatMap { Int($0) }
  /// The number of scenes to test.
  private static let count = soak.map { $0 > 1 ? $0 : 10_000 } ?? 80
  /// Scenes without errors.
  private static let right: [String] = {
    let cases = Corpus.cases.filter(\.isRight).map { Corpus.whole($0.source) }
    let generated = made(soak == nil ? 200 : count).filter { errors(in: $0).isEmpty }
    return (cases + Examples.small.map(\.text) + generated).filter { $0.utf8.count < 4000 }
  }()

  private static func errors(in text: String) -> [Diagnostic] {
    checked(text).diagnostics.filter { $0.severity == .error }
  }

  /// Generates scenes that use names in all possible ways.
  private static func made(_ count: Int) -> [String] {
    var generator = Generator(seed: 12)
    func pick(_ list: [String]) -> String { list.randomElement(using: &generator) ?? "" }
    return (0..<count).map { _ in
      let number = { pick(["1", "2.5", "wide", "wide / 2", "half(wide)", "half(x: 3)"]) }
      var body = ""
      for index in 0..<Int.random(in: 1...4, using: &generator) {
        let kind = pick([
          "rect", "circle", "text", "group", "Dot", "for", "let", "Frame", "row", "sequence",
        ])
        switch kind {
        case "text":
          body +=
            "  text t\(index) \"n {\(number())}\" { opacity: 0 -> 1 over \(pick(["1s", "pause"])) }\n"
        case "Dot":
          body +=
            "  Dot d\(index) { much: \(number());  tint: \(pick(["red", "shade", "#fff"])) }\n"
        case "for": body += "  for i in 0..3 { rect { size: 10 + i * \(number()) } }\n"
        case "let": body += "  let own\(index) = \(number())\n  circle { radius: own\(index) }\n"
        case "Frame":
          body +=
            "  Frame { kind: \(pick(["wide", "film", "wide == 40 ? wide : film"])); f: \(pick(["half", "fn(x) = x * wide"])) }\n"
        case "row":
          body +=
            "  row { align: top;  rect { size: 9;  enter: grow-in(by: wide) }  text \"a\" { style: loud } }\n"
        case "sequence":
          body +=
            "  sequence { transition: swap over 0.5s;  rect { for: 2s }  circle { for: 1s;  radius: keyframes { 0s: 1; pause: wide } } }\n"
        case "group":
          body +=
            "  group g\(index) { rect inner { size: \(number()) }  circle { position: inner.center } }\n"
        default:
          body +=
            "  \(kind) e\(index) { at: \(pick(["0s", "pause", "0.5s"]));  fill: \(pick(["shade", "red"])) }\n"
        }
      }
      return """
        let wide = 40
        let shade = #336699
        let pause = 0.25s
        fn half(x: number) -> number = x / 2
        component Dot(much: number, tint: color = shade) { circle { radius: much;  fill: tint } }
        component Frame(kind: wide | film = wide, f: fn(number) -> number) {
          rect { size: f(kind == film ? 2 : wide) }
        }
        effect grow-in(by: wide | film) { opacity: progress }
        transition swap { from { opacity: 1 - progress }
          to { opacity: progress } }
        style loud { font-weight: bold;  fill: shade }
        scene film {
          for: 3s
        \(body)}
        """
    }
  }

  // MARK: Completion

  /// Returns a snippet with the default values of its placeholders.
  static func plain(_ snippet: String) -> String {
    var text = snippet.replacing(#/\$\{\d+\|([^,|]*)[^}]*\}/#) { $0.output.1 }
    text = text.replacing(#/\$\{\d+:((?:[^}\\]|\\.)*)\}/#) { $0.output.1 }
    return text.replacing(#/\$\d+/#, with: "").replacing("\\}", with: "}")
      .replacing("\\$", with: "$").replacing("\\\\", with: "\\")
  }

  private static func isPromised(_ failure: Diagnostic) -> Bool {
    let code = failure.code.rawValue
    return code.hasPrefix("E01") || code == "E0304" || ("E0201"..."E0208").contains(code)
  }

  /// Returns variants of a text with an offset at which text may be inserted.
  private static func places(in text: String) -> [(text: String, offset: Int)] {
    let facts = FileFacts(Array(text.utf8), name: "a.scene")
    var found: [(String, Int)] = []
    for node in facts.tree.nodes.indices {
      let span = facts.tree.span(of: node)
      let bytes = facts.source.bytes
      switch facts.tree.nodes[node].kind {
      case .body:
        // A separate line after the brace.
        var changed = bytes
        changed.insert(contentsOf: "\n\n".utf8, at: span.start + 1)
        found.append((String(decoding: changed, as: UTF8.self), span.start + 2))
      case .property:
        guard let value = facts.tree.children(of: node).last,
          [.number, .reference, .color, .bool].contains(facts.tree.nodes[value].kind)
        else { continue }
        let place = facts.tree.span(of: value)
        var changed = bytes
        changed.removeSubrange(place.start..<place.end)
        found.append((String(decoding: changed, as: UTF8.self), place.start))
      default: continue
      }
    }
    return found
  }

  @Test func completionsMakeNothingWrong() {
    var generator = Generator(seed: 3)
    var count = 0
    let texts = Self.right.shuffled(using: &generator)
    for text in texts.prefix(Self.soak == nil ? Self.count / 2 : Self.count) {
      for place in Self.places(in: text).shuffled(using: &generator).prefix(2) {
        let facts = FileFacts(Array(place.text.utf8), name: "a.scene")
        let workspace = Workspace(["a.scene": facts])
        let (range, items) = workspace.completions(at: place.offset, in: "a.scene")
        for item in items.shuffled(using: &generator).prefix(3) {
          let new = item.snippet.map(Self.plain) ?? item.insert ?? item.label
          var edits = [TextEdit(range, new)]
          if let path = item.importing { edits.append(facts.importEdit(path)) }
          let after = String(
            decoding: edits.applied(to: facts.source.bytes), as: UTF8.self)
          count += 1
          // The properties of a style may not apply to all elements.
          let isOfStyle = place.text.contains("style ")
          let wrong = Self.errors(in: after).filter {
            // A value may exclude values of other properties, and a number of copies may be 0.
            Self.isPromised($0) && !(isOfStyle && $0.code == .propertyElsewhere)
              && !$0.message.contains("cannot be combined with")
              && !(place.text.contains("repeat ") && $0.code == .unknownMember)
          }
          #expect(
            wrong.isEmpty,
            "\(item.label): \(wrong.first.map { "\($0.code.rawValue) \($0.message)" } ?? "") in \(after)"
          )
        }
      }
    }
    #expect(count > 150)
  }

  // MARK: Names

  /// Returns the frame programs of a scene at several times, or `nil` if it has errors.
  private static func frames(_ text: String) -> [String]? {
    let checked = checked(text)
    guard let model = checked.model, !checked.diagnostics.hasErrors else { return nil }
    return programs(of: model, at: [0.1, 0.9, 1.7])?.map { "\($0)" }
  }

  /// Returns programs with the instructions of pixel functions in any order, without the numbers of
  /// registers. A value that becomes a `let` may be computed earlier.
  private static func unordered(_ frames: [String]) -> [[String]] {
    frames.map { frame in
      frame.replacing(#/\b[rv][0-9]+/#, with: "r").split(separator: #/[;\n]/#)
        .map { $0.trimmingCharacters(in: .whitespaces) }.sorted()
    }
  }

  @Test func newNamesChangeNothing() throws {
    var generator = Generator(seed: 5)
    var (count, refused) = (0, 0)
    for text in Self.right.shuffled(using: &generator).prefix(Self.count) {
      let facts = FileFacts(Array(text.utf8), name: "a.scene")
      let workspace = Workspace(["a.scene": facts])
      let old = Self.frames(text)
      for symbol in facts.index.symbols.shuffled(using: &generator).prefix(2) {
        let edits: [String: [TextEdit]]
        do throws(RenameError) {
          edits = try workspace.rename(at: symbol.name.span.start, in: "a.scene", to: "zz-other")
        } catch {
          refused += 1
          continue
        }
        guard let list = edits["a.scene"] else { continue }
        count += 1
        let bytes = list.applied(to: facts.source.bytes)
        let after = String(decoding: bytes, as: UTF8.self)
        #expect(old != nil && Self.frames(after) == old, "\(symbol.name.text) in \(text)")
        let renamed = Workspace(["a.scene": FileFacts(bytes, name: "a.scene")])
        let place = list.map(\.range.lowerBound).min() ?? 0
        let back = try renamed.rename(at: place, in: "a.scene", to: symbol.name.text)
        #expect(
          back["a.scene"]?.applied(to: bytes) == facts.source.bytes,
          "\(symbol.name.text) in \(text)")
      }
    }
    #expect(2 * count > Self.count && refused * 10 < count, "\(refused) of \(count)")
  }

  /// Extracting and inlining values preserves the frames.
  @Test func refactoringsChangeNothing() throws {
    var generator = Generator(seed: 8)
    var count = 0
    for text in Self.right.shuffled(using: &generator).prefix(Self.count) {
      let facts = FileFacts(Array(text.utf8), name: "a.scene")
      let workspace = Workspace(["a.scene": facts])
      var changes: [OfferedChange] = []
      for node in facts.tree.nodes.indices.shuffled(using: &generator).prefix(12) {
        let span = facts.tree.span(of: node)
        workspace.extraction(of: span.start..<span.end, in: "a.scene").map { changes.append($0) }
      }
      for symbol in facts.index.symbols {
        workspace.inlining(at: symbol.name.span.start, in: "a.scene").map { changes.append($0) }
      }
      let chosen = changes.shuffled(using: &generator).prefix(3)
      if chosen.isEmpty { continue }
      let old = try #require(Self.frames(text))
      for change in chosen {
        let after = String(decoding: change.edits.applied(to: facts.source.bytes), as: UTF8.self)
        // The server checks a change before offering it, so changes with errors are not offered.
        guard let new = Self.frames(after) else { continue }
        count += 1
        #expect(
          old == new || Self.unordered(old) == Self.unordered(new),
          "\(change.title) of \(text) makes \(after)")
      }
    }
    #expect(count > 30)
  }
}
