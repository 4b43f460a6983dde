// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// Copies of `waves.mp4`, a clip of 640x360 at 25 fps with keyframes at 0, 4 and 8 s.
@Suite("Copies", .cpuBudget(seconds: 1)) struct CopyPlanTests {
  /// Returns the frames and clip frames of each copied interval.
  private func copies(_ body: String, _ head: String = "fps: 25") throws -> [String] {
    let model = try #require(checked("scene { size: 640x360;  \(head)\n\(body)\n}").model)
    let plan = CopyPlan(model, metrics: FixedMetrics(), frames: 0..<model.frameCount)
    let segments = plan.segments(SegmentPlanner(model))
    #expect(segments.compactMap(\.copied) == plan.stretches)
    #expect(segments.first?.frames.lowerBound == 0)
    #expect(segments.last?.frames.upperBound == model.frameCount)
    #expect(
      zip(segments, segments.dropFirst()).allSatisfy {
        $0.frames.upperBound == $1.frames.lowerBound
      })
    return plan.stretches.map { "\($0.frames) #\($0.pictures)" }
  }

  @Test func wholeGroupsAreCopied() throws {
    #expect(
      try copies("video \"waves.mp4\"") == ["0..<200 #0..<200", "200..<250 #200..<250"])
    #expect(
      try copies("video \"waves.mp4\" { trim: 1s .. 9s }") == ["75..<175 #100..<200"])
    #expect(try copies("video \"waves.mp4\" { trim: 1s .. 7s }") == [])
    #expect(
      try copies("for: 10s;  video \"waves.mp4\" { at: 1s;  trim: 4s .. 10s }")
        == ["25..<175 #100..<250"])
  }

  @Test func nothingElseIsInTheFrame() throws {
    #expect(
      try copies("for: 10s;  video \"waves.mp4\";  circle { at: 5s;  for: 1s;  radius: 10 }")
        == ["0..<100 #0..<100", "200..<250 #200..<250"])
    #expect(try copies("video \"waves.mp4\" { opacity: 0.9 }") == [])
    #expect(try copies("video \"waves.mp4\" { size: 50% }") == [])
    #expect(
      try copies(
        "sequence { transition: dissolve over 1s\n video \"waves.mp4\"\n video \"waves.mp4\" }")
        == ["0..<200 #0..<200", "325..<475 #100..<250"])
  }

  /// Copying does not detect damage, so clips that must be intact are decoded.
  @Test func whatMustBeWholeIsDecoded() throws {
    #expect(try copies("video \"waves.mp4\" { damaged: error }") == [])
    #expect(
      try copies(
        "sequence { video \"waves.mp4\" { damaged: error }\n video \"waves.mp4\" { damaged: hold } }"
      ) == ["250..<450 #0..<200", "450..<500 #200..<250"])
  }

  @Test func otherRatesAndSpeedsAreDrawn() throws {
    #expect(try copies("video \"waves.mp4\"", "fps: 50") == [])
    #expect(try copies("video \"waves.mp4\" { speed: 2 }") == [])
    #expect(try copies("video \"waves.mp4\" { speed: -1 }") == [])
  }

  @Test func anEncoderGetsTwoFramesAtLeast() throws {
    #expect(
      try copies("video \"waves.mp4\" { trim: 3.96s .. 10s }") == ["101..<151 #200..<250"])
    #expect(
      try copies("for: 10.04s;  video \"waves.mp4\"") == ["0..<200 #0..<200"])
  }

  @Test func parameterSetsAreKnownByTheirNumbers() {
    // Parameter sets as x264 writes them, with ids 0 and 1.
    let zero = ParameterSet([0x67, 0x64, 0, 0x1E, 0xAC, 0xD9])
    let one = ParameterSet([0x67, 0x64, 0, 0x1E, 0x5B, 0xD9])
    let picture = ParameterSet([0x68, 0xEB, 0xE3])
    #expect(zero?.id == 0 && one?.id == 1 && picture?.id == 0)
    #expect(zero?.profile == 100 && picture?.isOfSequence == false)
    let other = ParameterSet([0x67, 0x64, 0, 0x1E, 0xAC, 0xDA])
    #expect(other.flatMap { zero?.clashes(with: $0) } == true)
    #expect(one.flatMap { zero?.clashes(with: $0) } == false)
    #expect(picture.flatMap { zero?.clashes(with: $0) } == false)
    #expect(ParameterSet([0x65, 0x88]) == nil && ParameterSet([]) == nil)
    #expect(ParameterSet([0x68, 0, 0, 0]) == nil)
  }
}
