// SPDX-License-Identifier: MIT
import SceneCheck
import SceneIR
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// What a segment's pictures follow from: enough to know them by, and no more.
@Suite("Content of segments") struct SegmentContentTests {
  /// The content of each segment of a scene, with some of its frames.
  private func segments(_ source: String) throws -> [(bytes: [UInt8], programs: [FrameProgram])] {
    guard let model = checked(source).model, model.frameCount <= 1000 else { return [] }
    var content = SegmentContent(model, metrics: FixedMetrics(), size: model.size)
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return try SegmentPlanner(model).segments(of: 0..<model.frameCount).map { segment in
      let frames = segment.frames
      let places = [0, 1, frames.count / 3, frames.count / 2, frames.count - 1]
      return (
        try content.bytes(of: segment),
        places.filter { $0 < frames.count }.map { lowerer.lower(frame: frames.lowerBound + $0) }
      )
    }
  }

  /// The scene with each of its numbers in turn increased by one, at most eight times.
  private func neighbours(of source: String) -> [String] {
    let digits = source.indices.filter { ("0"..."8").contains(source[$0]) }
    return stride(from: 0, to: digits.count, by: max(1, digits.count / 8)).map { index in
      var other = source
      let digit = source[digits[index]].wholeNumberValue ?? 0
      other.replaceSubrange(digits[index]...digits[index], with: "\(digit + 1)")
      return other
    }
  }

  @Test(arguments: Corpus.cases) func equalBytesAreEqualPictures(_ row: Corpus.Case) throws {
    let source = Corpus.whole(row.source)
    var known: [[UInt8]: [FrameProgram]] = [:]
    for scene in [source] + neighbours(of: source) {
      for segment in try segments(scene) {
        let programs = known[segment.bytes] ?? segment.programs
        #expect(programs == segment.programs, "\(scene)")
        known[segment.bytes] = segment.programs
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

  /// Who adds a part to elements decides whether it is written.
  @Test func thePartsOfElementsAreKnown() throws {
    let model = try #require(checked("scene { for: 1s;  rect { } }").model)
    let parts = Mirror(reflecting: model.elements[0]).children.compactMap(\.label)
    let written: Set = [
      "start", "end", "transform", "content", "opacity", "visible", "z", "drawing", "style",
      "children", "isStatic", "drawingCount",
    ]
    #expect(Set(parts).subtracting(written) == ["kind", "name", "span"])
  }
}
