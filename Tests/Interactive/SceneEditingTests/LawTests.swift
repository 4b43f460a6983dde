// SPDX-License-Identifier: MIT
import SceneEditing
import SceneGraphics
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Invariants that hold for every text, including broken ones.
@Suite("Laws of an editor", .cpuBudget(seconds: 7)) struct LawTests {
  private static let files =
    Repository.files(in: "Examples", ending: ".scene")
    + Repository.files(in: "Sources/Language/SceneLibrary", ending: ".scene")

  private func ask(_ workspace: Workspace, _ file: String, at offset: Int) {
    guard let facts = workspace.files[file] else { return }
    let (range, items) = workspace.completions(at: offset, in: file)
    #expect(range.lowerBound <= offset && range.upperBound <= facts.source.bytes.count)
    #expect(items.count < 1000)
    _ = workspace.hover(at: offset, in: file, nil)
    _ = workspace.definition(at: offset, in: file)
    _ = workspace.call(at: offset, in: file)
    let ranges = facts.selections(at: offset)
    for (inner, outer) in zip(ranges, ranges.dropFirst()) {
      #expect(outer.lowerBound <= inner.lowerBound && inner.upperBound <= outer.upperBound)
    }
  }

  @Test func everyPlaceHasAnAnswer() throws {
    var generator = Generator(seed: 4)
    for path in Self.files {
      let bytes = try Repository.bytes(path)
      let workspace = Workspace(["a.scene": FileFacts(bytes, name: "a.scene")])
      for _ in 0..<(Soak.isRunning ? 20 : 5) {
        ask(workspace, "a.scene", at: Int.random(in: 0...bytes.count, using: &generator))
      }
    }
  }

  /// Texts truncated at arbitrary positions, as while typing.
  @Test func everyBeginningHasAnAnswer() throws {
    var generator = Generator(seed: 9)
    for path in Self.files.prefix(30) {
      let bytes = try Repository.bytes(path)
      let tokens = parse(SourceFile(id: FileID(0), name: path, bytes: bytes)).tree.tokens
      for _ in 0..<10 {
        let end = Int(tokens.randomElement(using: &generator)?.start ?? 0)
        let workspace = Workspace(["a.scene": FileFacts(Array(bytes[..<end]), name: "a.scene")])
        ask(workspace, "a.scene", at: end)
        _ = workspace.tokens(of: "a.scene")
        _ = workspace.files["a.scene"]?.outline
        _ = workspace.files["a.scene"]?.folds
      }
    }
  }

  @Test func editsOfTheFormIsTheForm() throws {
    for path in Self.files.share(every: 2) {
      // Text with sloppy spacing.
      let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
        .replacing("    ", with: " ").replacing(": ", with: ":")
      let facts = FileFacts(Array(text.utf8), name: path)
      guard let edits = facts.formatting else { continue }
      let formatted = try #require(format(facts.parsed))
      #expect(edits.applied(to: facts.source.bytes) == Array(formatted.utf8), "\(path)")
    }
  }

  @Test func namesDoNotOverlap() throws {
    for path in Self.files {
      let bytes = try Repository.bytes(path)
      let tokens = Workspace(["a.scene": FileFacts(bytes, name: "a.scene")]).tokens(of: "a.scene")
      for (a, b) in zip(tokens, tokens.dropFirst()) {
        #expect(a.range.upperBound <= b.range.lowerBound)
      }
      #expect(tokens.allSatisfy { $0.range.upperBound <= bytes.count })
    }
  }

  /// All notations of a color denote the same color; the source notation comes first.
  @Test func coloursReadBack() throws {
    // The files have few different colors.
    var seen: Set<String> = []
    for path in Self.files {
      let facts = FileFacts(try Repository.bytes(path), name: path)
      for place in facts.colors {
        for form in facts.forms(of: place.color, at: place.range) {
          guard seen.insert("\(form) \(place.color.hexDescription)").inserted else { continue }
          let text = "scene { rect { fill: \(form) } }"
          let again = try #require(
            FileFacts(Array(text.utf8), name: "").colors.first?.color, "\(form)")
          #expect(
            again.hexDescription == place.color.hexDescription, "\(form) in \(path)")
        }
      }
    }
  }

  @Test func outlinesNest() throws {
    func check(_ entry: OutlineEntry) {
      #expect(
        entry.whole.lowerBound <= entry.head.lowerBound
          && entry.head.upperBound <= entry.whole.upperBound)
      for child in entry.children {
        #expect(
          entry.whole.lowerBound <= child.whole.lowerBound
            && child.whole.upperBound <= entry.whole.upperBound)
        check(child)
      }
    }
    for path in Self.files {
      FileFacts(try Repository.bytes(path), name: path).outline.forEach(check)
    }
  }
}
