// SPDX-License-Identifier: MIT
import SceneCheck
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// The content of a segment identifies its frames without depending on anything else.
@Suite("Content of segments", .cpuBudget(seconds: 6)) struct SegmentContentTests {
  /// Returns the content of each segment of a scene, with some of its frames.
  private func segments(_ source: String, _ machine: Machine = Machine()) throws
    -> [(bytes: [UInt8], programs: [FrameProgram])]
  {
    guard let model = checked(source, .brief).model, model.frameCount <= 1000 else { return [] }
    var content = SegmentContent(model, metrics: FixedMetrics(), size: model.size, machine)
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return try SegmentPlanner(model).segments(of: 0..<model.frameCount).map { segment in
      let frames = segment.frames
      let places = [0, 1, frames.count / 3, frames.count / 2, frames.count - 1]
      let all = try content.content(of: segment)
      return (
        all.scene + all.surroundings,
        places.filter { $0 < frames.count }.map { lowerer.lower(frame: frames.lowerBound + $0) }
      )
    }
  }

  /// A font face for each family and character, and a decoder for each kind of image.
  private struct Machine: Surroundings {
    var version = 1
    /// The characters whose font has this version; for other characters the version is 1.
    var changed: Set<Character> = []

    func faces(of block: TextBlock, wholeFamilies: Bool) -> [String] {
      block.runs.flatMap { run in
        Set(run.text).map { "\(run.font.families) \($0) \(changed.contains($0) ? version : 1)" }
      } + (wholeFamilies ? ["all of them \(version)"] : [])
    }

    func decoder(of image: ImageReference) -> [String] { ["\(image.kind) \(version)"] }
  }

  /// Returns variants of the scene with one number increased by one. The first number is often the
  /// duration and is increased only in a soak.
  private func neighbors(of source: String) -> [String] {
    let digits = source.indices.filter { ("0"..."8").contains(source[$0]) }
    let all = Array(stride(from: 0, to: digits.count, by: max(1, digits.count / 8)))
    return (Soak.isRunning ? all : all.dropFirst().share(every: 6)).map { index in
      var other = source
      let digit = source[digits[index]].wholeNumberValue ?? 0
      other.replaceSubrange(digits[index]...digits[index], with: "\(digit + 1)")
      return other
    }
  }

  @Test(arguments: Corpus.cases) func equalBytesAreEqualPictures(_ row: Corpus.Case) throws {
    let source = Corpus.whole(row.source)
    // A scene with errors seldom becomes valid by a change of one number.
    let others = row.isRight || Soak.isRunning ? neighbors(of: source) : []
    var known: [[UInt8]: [FrameProgram]] = [:]
    for scene in [source] + others {
      for segment in try segments(scene) {
        let programs = known[segment.bytes] ?? segment.programs
        #expect(programs == segment.programs, "\(scene)")
        known[segment.bytes] = segment.programs
      }
    }
  }

  /// The content of a segment does not depend on the segments before it.
  @Test(arguments: Corpus.cases.filter(\.isRight).share(every: 4))
  func orderDoesNotMatter(_ row: Corpus.Case) throws {
    guard let model = checked(Corpus.whole(row.source), .brief).model, model.frameCount <= 1000
    else { return }
    let segments = SegmentPlanner(model).segments(of: 0..<model.frameCount)
    let new = { SegmentContent(model, metrics: FixedMetrics(), size: model.size, Machine()) }
    var (ascending, descending) = (new(), new())
    let backward = try segments.reversed().map { try descending.content(of: $0) }
    for (segment, other) in zip(segments, backward.reversed()) {
      var alone = new()
      let content = try alone.content(of: segment)
      for it in [try ascending.content(of: segment), other] {
        #expect(it.scene == content.scene)
        #expect(it.surroundings == content.surroundings)
      }
    }
  }

  private func bytes(_ body: String) throws -> [[UInt8]] {
    try segments("scene { for: 12s;  fps: 10;  background: white\n\(body)\n}").map(\.bytes)
  }

  @Test func whatIsOnlyMovedStays() throws {
    let shown = "for: 3s;  size: 9 -> 40 over 1s after 0.5s;  opacity: t / 3s"
    let early = try bytes("rect { at: 4s;  \(shown) }")
    let late = try bytes("rect { at: 7s;  \(shown) }")
    #expect(Set(early).intersection(late).count == 1, "what moves")
  }

  @Test func whatHappenedBeforeDoesNotMatter() throws {
    let slow = try bytes("rect { size: 9 -> 40 over 3s };  circle { at: 8s;  radius: 3 -> 30 }")
    let fast = try bytes("rect { size: 1 -> 40 over 2s };  circle { at: 8s;  radius: 3 -> 30 }")
    #expect(slow.first != fast.first)
    #expect(slow.last == fast.last)
  }

  /// A change of a font affects only the segments that show a glyph of it.
  @Test func fontsAreTakenInWhereTheyAreShown() throws {
    let source = """
      scene { for: 12s;  fps: 10;  background: white
        text "ab" { for: 4s;  opacity: t / 4s }
        text "cd" { at: 4s;  for: 4s;  opacity: t / 8s }
        text "{round(10 * t / 1s)}" { at: 8s;  opacity: t / 12s } }
      """
    func changes(_ characters: String) throws -> [Bool] {
      let machine = Machine(version: 2, changed: Set(characters))
      return zip(try segments(source), try segments(source, machine)).map { $0.bytes != $1.bytes }
    }
    #expect(try changes("").dropLast() == [false, false])
    #expect(try changes("c").dropLast() == [false, true])
    #expect(try changes("a").dropLast() == [true, false])
    #expect(try changes("7").last == true, "a digit that may come")
  }

  @Test func whatDecodesImagesIsTakenIn() throws {
    let source = """
      scene { for: 12s;  fps: 10;  background: white
        image "photo.png" { for: 4s;  opacity: t / 4s }
        image "logo.svg" { at: 4s;  for: 4s;  opacity: t / 8s }
        rect { at: 8s;  opacity: t / 12s } }
      """
    let other = try segments(source, Machine(version: 2))
    #expect(zip(try segments(source), other).map { $0.bytes != $1.bytes } == [true, true, false])
  }

  @Test func theTimeOfTheFilmIsTakenIn() throws {
    let early = try bytes("rect { at: 4s;  for: 3s;  translate: (0, 9 * noise(t / 1s)) }")
    let late = try bytes("rect { at: 7s;  for: 3s;  translate: (0, 9 * noise((t + 3s) / 1s)) }")
    #expect(Set(early).intersection(late).isEmpty)
  }

  @Test func namesAndPlacesDoNotMatter() throws {
    let plain = try bytes("rect { size: 9 -> 40 over 3s }")
    #expect(try bytes("// A comment.\n  rect card { size: 9 -> 40 over 3s }") == plain)
    #expect(try bytes("rect { size: 9 -> 41 over 3s }") != plain)
  }

  /// A new property of elements requires a decision whether it is part of the content.
  @Test func thePartsOfElementsAreKnown() throws {
    let model = try #require(checked("scene { for: 1s;  rect { blend: multiply } }").model)
    let parts = storedProperties(of: model.elements[0])
    let written: Set = [
      "start", "end", "transform", "content", "opacity", "visible", "z", "drawing", "style",
      "children", "isStatic", "drawingCount", "depth", "perspective",
      "rough", "lineBoxes",
    ]
    // Strokes are encoded with their drawings.
    #expect(
      parts.subtracting(written) == [
        "kind", "name", "span", "hasSteadyStroke", "hasDepth", "dependsOnEye", "isCaptions",
        "hasCaptions", "isPlain",
      ])
  }
}
