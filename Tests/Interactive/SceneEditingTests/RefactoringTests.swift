// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Changes that preserve the meaning of a text, and edits while typing.
@Suite("Refactoring", .cpuBudget(seconds: 1)) struct RefactoringTests {
  private static func workspace(_ text: String) -> Workspace {
    Workspace(["a.scene": FileFacts(Array(text.utf8), name: "a.scene")])
  }

  /// Returns the text after extracting the selection between `[[` and `]]`; `nil` if that is not
  /// offered.
  private static func extracted(_ marked: String) -> String? {
    let parts = marked.replacing("[[", with: "¦").replacing("]]", with: "¦")
      .split(separator: "¦", omittingEmptySubsequences: false)
    let text = parts.joined()
    let start = parts[0].utf8.count
    let change = workspace(text).extraction(
      of: start..<start + parts[1].utf8.count, in: "a.scene")
    return change.map { String(decoding: $0.edits.applied(to: Array(text.utf8)), as: UTF8.self) }
  }

  private static func inlined(_ marked: String) -> String? {
    let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let text = parts.joined()
    let change = workspace(text).inlining(at: parts[0].utf8.count, in: "a.scene")
    return change.map { String(decoding: $0.edits.applied(to: Array(text.utf8)), as: UTF8.self) }
  }

  @Test func aValueGetsAName() {
    #expect(
      Self.extracted("scene {\n    rect {\n        size: [[3 * 40]]\n    }\n}")
        == "scene {\n    rect {\n        let value = 3 * 40\n        size: value\n    }\n}")
    #expect(
      Self.extracted("scene { rect { size: [[40]] } }")
        == "scene { rect { let value = 40;  size: value } }")
    #expect(
      Self.extracted("let value = 1\nlet b = [[(2 + 3)]] * value\nscene { }")
        == "let value = 1\nlet value2 = (2 + 3)\nlet b = value2 * value\nscene { }")
    #expect(
      Self.extracted("scene { rect { opacity: [[0 -> 1 over 2s]] } }")
        == "scene { rect { let value = 0 -> 1 over 2s;  opacity: value } }")
    #expect(
      Self.extracted("scene {\n  path {\n    move [[(1, 2)]]\n  }\n}")
        == "scene {\n  path {\n    let value = (1, 2)\n    move value\n  }\n}")
  }

  @Test func whatHasNoNameOfItsOwn() {
    for text in [
      "scene { rect { blend: [[multiply]] } }", "scene { rect { size: 3 [[* 40]] } }",
      "fn f(x: number) -> number = [[x * 2]]\nscene { }",
      "let l = [i for i in 0..3]\nscene { rect { size: sum([ [[i * 2]] for i in 0..3 ]) } }",
      "style s { opacity: [[0.5]] }\nscene { }", "scene { [[rect]] { } }",
      "scene { rect { size: [[3 ]]",
    ] {
      #expect(Self.extracted(text) == nil, "\(text)")
    }
  }

  @Test func aNameGivesWay() {
    #expect(
      Self.inlined("let |wide = 3 + 4\nscene { rect { size: wide * 2 } }")
        == "scene { rect { size: (3 + 4) * 2 } }")
    #expect(
      Self.inlined("/// Wide.\nlet wide = 3\nscene { rect { size: |wide } }")
        == "scene { rect { size: 3 } }")
    #expect(
      Self.inlined("scene {\n  rect {\n    let |a = t * 90deg / 1s\n    rotate: a\n  }\n}")
        == "scene {\n  rect {\n    rotate: (t * 90deg / 1s)\n  }\n}")
    // Inside another element, the value would use another clock.
    #expect(
      Self.inlined("scene {\n  let |a = t * 90deg / 1s\n  rect { rotate: a }\n}") == nil)
    #expect(Self.inlined("let |unused = 3\nscene { }") == nil)
    #expect(Self.inlined("scene { |rect r { }  circle { at: r.start } }") == nil)
  }

  @Test func importsOfUnknownNames() {
    let film = "// A film.\n\nscene { Emblem { } }"
    let workspace = Workspace([
      "home/lib/brand.scene": FileFacts(Array("component Emblem() { circle { } }".utf8), name: ""),
      "home/film.scene": FileFacts(Array(film.utf8), name: ""),
    ])
    let found = workspace.importing("Emblem", in: "home/film.scene")
    #expect(found.map(\.title) == ["import \"lib/brand.scene\""])
    let text = String(decoding: found[0].edits.applied(to: Array(film.utf8)), as: UTF8.self)
    #expect(text == "// A film.\n\nimport \"lib/brand.scene\"\nscene { Emblem { } }")
    #expect(
      workspace.importing("BarChart", in: "home/film.scene").map(\.title)
        == ["import \"std/charts.scene\""])
    #expect(workspace.importing("nothing-like-this", in: "home/film.scene").isEmpty)
    // After existing imports.
    let other = FileFacts(Array("import \"a.scene\"\nscene { }".utf8), name: "")
    #expect(
      String(
        decoding: [other.importEdit("b.scene")].applied(to: other.source.bytes), as: UTF8.self)
        == "import \"a.scene\"\nimport \"b.scene\"\nscene { }")
  }

  @Test func pathsFollowFiles() {
    let film =
      "import \"lib/brand.scene\"\nscene {\n  image \"pics/a.png\"\n  rect { fill: pattern(\"pics/b.png\") }\n  text \"pics/a.png\"\n}"
    let files = [
      "home/film.scene": FileFacts(Array(film.utf8), name: ""),
      "home/lib/brand.scene": FileFacts(Array("let logo = path(\"M0 0\")".utf8), name: ""),
    ]
    let workspace = Workspace(files)
    func after(_ moves: [(from: String, to: String)]) -> String {
      let edits = workspace.edits(moving: moves)["home/film.scene"] ?? []
      return String(decoding: edits.applied(to: Array(film.utf8)), as: UTF8.self)
    }
    #expect(
      after([("home/lib/brand.scene", "home/brand.scene")])
        == film.replacing("lib/brand", with: "brand"))
    #expect(
      after([("home/pics", "home/images")])
        == film
        .replacing("image \"pics/a", with: "image \"images/a").replacing("pics/b", with: "images/b")
    )
    #expect(
      after([("home/film.scene", "home/films/film.scene")])
        == film
        .replacing("\"lib/", with: "\"../lib/").replacing("image \"pics", with: "image \"../pics")
        .replacing("pics/b", with: "../pics/b"))
    #expect(after([("home/other", "home/another")]) == film)
  }

  @Test func warningsAreAllowed() {
    func allowed(_ line: String, _ codes: [Code]) -> [String] {
      let text = "scene { for: 1s\n\(line)\n}"
      let facts = FileFacts(Array(text.utf8), name: "")
      let start = "scene { for: 1s\n".utf8.count
      let found = codes.map {
        Diagnostic($0, "a", at: SourceSpan(file: FileID(0), start: start, end: start + 4))
      }
      return facts.changes(in: start..<start, for: found).map {
        let after = String(decoding: $0.edits.applied(to: Array(text.utf8)), as: UTF8.self)
        return String(after.split(separator: "\n")[1])
      }
    }
    #expect(allowed("rect { }", [.unusedName]) == ["rect { }  // scenec: allow W0201"])
    #expect(
      allowed("rect { }  // a note", [.unusedName])
        == ["rect { }  /* a note */  // scenec: allow W0201"])
    #expect(
      allowed("rect { }  // scenec: allow W0305", [.unusedName])
        == ["rect { }  // scenec: allow W0305 W0201"])
    #expect(
      allowed("rect { }  // scenec: allow W0305 it is pale", [.unusedName])
        == ["rect { }  // scenec: allow W0305 W0201 it is pale"])
    #expect(
      allowed("text \"http://x\"", [.unusedName]) == ["text \"http://x\"  // scenec: allow W0201"])
    #expect(
      allowed("rect { }", [.unusedName, .uselessAllow]).last?.hasSuffix(" W0201") == true
        || allowed("rect { }", [.unusedName, .uselessAllow]).last?.contains("W0201 ") == true)
  }

  @Test func whileItIsTyped() {
    func typed(_ marked: String, _ character: String) -> String {
      let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.joined()
      let facts = FileFacts(Array(text.utf8), name: "")
      let edits = facts.edits(afterTyping: character, at: parts[0].utf8.count)
      return String(decoding: edits.applied(to: Array(text.utf8)), as: UTF8.self)
    }
    #expect(typed("scene {\n    rect {\n        }|", "}") == "scene {\n    rect {\n    }")
    #expect(typed("scene {\n    }|", "}") == "scene {\n}")
    #expect(typed("scene { }|", "}") == "scene { }")
    #expect(typed("}|", "}") == "}")
    #expect(typed("    /// What it is.\n|", "\n") == "    /// What it is.\n    /// ")
    #expect(typed("///\n|", "\n") == "///\n")
    #expect(typed("// note\n|", "\n") == "// note\n")
    #expect(typed("/// a\n|scene { }", "\n") == "/// a\nscene { }")
  }

  @Test func allFixes() {
    let text = "scene {\n  for: 1s\n  rect { opacty: 1;  fil: red }\n}"
    let (bytes, count) = allFixed(Array(text.utf8)) { bytes in
      HoverTests.session(String(decoding: bytes, as: UTF8.self)).checked.diagnostics
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "scene {\n  for: 1s\n  rect { opacity: 1;  fill: red }\n}")
    #expect(count == 2)
    // `nil` stops the process.
    #expect(allFixed(Array(text.utf8)) { _ in nil }.count == 0)
  }

  @Test func hintsBesideTheText() {
    let text = """
      let wide = 40 * 2
      scene {
        for: 6s
        rect card { at: 0.5s;  for: 4s;  fill: mix(#ff0000, #0000ff, 0.5) }
        circle { at: card.end;  opacity: 0 -> 1 }
      }
      """
    let session = HoverTests.session(text)
    let workspace = Self.workspace(text)
    let findings = CheckFindings(record: session.checked.record, session: session)
    func hints(_ kinds: Set<InlayHint.Kind>) -> [String] {
      workspace.hints(in: "a.scene", findings, kinds).map(\.text)
    }
    #expect(hints([.types]) == [": number"])
    #expect(hints([.parameters]) == ["a:", "b:", "share:"])
    #expect(hints([.lives]) == ["4.5s–6s"])
    #expect(hints([.lengths]) == ["over 1.5s"])
    #expect(hints([]) == [])
    #expect(workspace.hints(in: "a.scene", nil, [.lives, .types]).isEmpty)
  }
}
