// SPDX-License-Identifier: MIT
import SceneEditing
import SceneTestSupport
import SceneText
import Testing

/// Declarations, references and renaming across two files.
@Suite("Names in an editor", .cpuBudget(seconds: 1)) struct NameTests {
  private static let brand = """
    /// The colour of the house.
    let accent = #ff8a3d
    component Logo(size: length = 40px) {
        circle { radius: size;  fill: accent }
    }
    """
  private static let film = """
    import "brand.scene"
    fn half(x: number) -> number = x / 2
    scene film {
        let wide = 3
        rect card { opacity: half(wide);  fill: accent }
        circle { at: card.start }
        Logo { size: 3px }
        text "{half(1)}"
    }
    """

  private static func workspace(_ film: String = film) -> Workspace {
    Workspace([
      "brand.scene": FileFacts(Array(brand.utf8), name: "brand.scene"),
      "film.scene": FileFacts(Array(film.utf8), name: "film.scene"),
    ])
  }

  /// Returns the offset of the n-th occurrence of a word.
  private static func place(_ word: String, _ round: Int = 0, in text: String = film) -> Int {
    var index = text.startIndex
    var found = index
    for _ in 0...round {
      guard let range = text[index...].firstRange(of: word) else { return -1 }
      (found, index) = (range.lowerBound, range.upperBound)
    }
    return text.utf8.distance(from: text.startIndex, to: found)
  }

  @Test func declarations() {
    let rows: [(word: String, round: Int, file: String, at: Int)] = [
      ("accent", 0, "brand.scene", Self.place("accent", in: Self.brand)),
      ("half", 1, "film.scene", Self.place("half")), ("half", 2, "film.scene", Self.place("half")),
      ("wide", 1, "film.scene", Self.place("wide")), ("card", 1, "film.scene", Self.place("card")),
      ("Logo", 0, "brand.scene", Self.place("Logo", in: Self.brand)),
      ("size", 0, "brand.scene", Self.place("size", in: Self.brand)),
      ("x / 2", 0, "film.scene", Self.place("x: number")),
    ]
    for row in rows {
      let found = Self.workspace().definition(at: Self.place(row.word, row.round), in: "film.scene")
      #expect(found?.file == row.file && found?.range.lowerBound == row.at, "\(row.word)")
    }
    for word in ["rect", "opacity", "scene", "number", "start"] {
      #expect(
        Self.workspace().definition(at: Self.place(word) + 1, in: "film.scene") == nil, "\(word)")
    }
  }

  /// An enumeration word of a parameter is not a name, in any file and argument syntax.
  @Test func wordsOfParametersAreNoNames() throws {
    let frames = """
      fn side(of: reel | story, x: number) -> number = x
      effect spin(to: reel | left) { rotate: 0deg -> 90deg }
      component Frame(kind: reel | story = reel) { rect { size: 4 } }
      """
    func film(_ declared: String) -> String {
      """
      \(declared)
      scene reel {
          for: 1s
          Frame { kind: reel }
          Frame { kind: 1 < 2 ? reel : story }
          rect { size: side(reel, 3);  opacity: side(x: 1, of: reel);  enter: spin(to: reel) }
          text "{side(x: reel.duration / 1s, of: story)}"
      }
      """
    }
    for (files, uses) in [
      (["frames.scene": frames, "film.scene": film("import \"frames.scene\"")], 1),
      (["film.scene": film(frames)], 1),
    ] {
      let workspace = Workspace(
        files.reduce(into: [:]) { $0[$1.key] = FileFacts(Array($1.value.utf8), name: $1.key) })
      let text = try #require(files["film.scene"])
      let scene = Self.place("scene reel", in: text) + 6
      let edits = try workspace.rename(at: scene, in: "film.scene", to: "short")
      #expect(edits.keys.sorted() == ["film.scene"] && edits["film.scene"]?.count == 1 + uses)
      let value = Self.place("kind: reel }", in: text) + 6
      #expect(workspace.definition(at: value, in: "film.scene") == nil)
    }
  }

  @Test func aNewNameAndBack() throws {
    for (word, round) in [
      ("accent", 0), ("half", 0), ("wide", 1), ("card", 0), ("Logo", 0), ("size", 0),
    ] {
      let workspace = Self.workspace()
      let edits = try workspace.rename(
        at: Self.place(word, round), in: "film.scene", to: "other-name")
      var files = workspace.files
      for (path, list) in edits {
        let old = try #require(files[path])
        files[path] = FileFacts(list.applied(to: old.source.bytes), name: path)
      }
      let after = Workspace(files)
      let place = try #require(edits["film.scene"]?.first?.range.lowerBound)
      let back = try after.rename(at: place, in: "film.scene", to: word)
      for (path, list) in back {
        let bytes = list.applied(to: try #require(after.files[path]).source.bytes)
        #expect(bytes == workspace.files[path]?.source.bytes, "\(word) in \(path)")
      }
    }
  }

  @Test func namesThatCannotBeChanged() {
    func reason(_ word: String, _ name: String, _ film: String = Self.film) -> String {
      do throws(RenameError) {
        _ = try Self.workspace(film).rename(
          at: Self.place(word, in: film), in: "film.scene", to: name)
        return ""
      } catch {
        return error.reason
      }
    }
    #expect(reason("rect", "box").hasPrefix("keywords and built-in names"))
    #expect(reason("wide", "2x").hasPrefix("'2x' is not a valid name"))
    #expect(reason("wide", "for").hasPrefix("'for' is not a valid name"))
    #expect(reason("wide", "a b").hasPrefix("'a b' is not a valid name"))
    // The new name would shadow an existing name.
    #expect(reason("wide", "accent").contains("different declaration"))
    #expect(
      reason("y", "x", "let y = 2\nfn half(x: number) -> number = x / 2 + y\nscene { }").contains(
        "different declaration"))
    #expect(reason("wide", "tall", Self.film + "scene {").contains("syntax errors"))
  }
}
