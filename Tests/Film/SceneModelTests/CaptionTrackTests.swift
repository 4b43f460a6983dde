// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// Caption tracks, and the files that contain them.
@Suite("Caption tracks", .cpuBudget(seconds: 1)) struct CaptionTrackTests {
  private static let span = SourceSpan(file: FileID(0), start: 0, end: 1)

  private static func cue(_ start: Double, _ end: Double, _ text: String) -> CaptionTrack.Cue {
    CaptionTrack.Cue(
      start: Ticks(Int64(start * Double(Ticks.perSecond))),
      end: Ticks(Int64(end * Double(Ticks.perSecond))), lines: [text])
  }

  private static func track(_ cues: CaptionTrack.Cue..., language: String = "en") -> CaptionTrack {
    CaptionTrack(language: language, span: span, cues: cues)
  }

  private func shown(_ texts: [TimedText]) -> [String] {
    texts.map { "\($0.start)-\($0.end) \($0.lines.joined(separator: "/"))" }
  }

  @Test func equalTracksMergeInTheOrderOfTheirStarts() {
    let tracks = CaptionTrack.merged([
      Self.track(Self.cue(2, 3, "c")), Self.track(Self.cue(1, 2, "x"), language: "de"),
      Self.track(Self.cue(0, 1, "a"), Self.cue(2, 4, "b")),
    ])
    #expect(tracks.map(\.language) == ["en", "de"])
    #expect(shown(tracks[0].timedTexts) == ["0-1000 a", "2000-4000 b", "2000-3000 c"])
  }

  @Test(arguments: [([true, false], true), ([false, true], true), ([false, false], false)])
  func aTrackWithADrawnCaptionIsDrawn(_ parts: [Bool], _ isDrawn: Bool) {
    let tracks = CaptionTrack.merged(
      parts.map { CaptionTrack(span: Self.span, isDrawn: $0, cues: [Self.cue(0, 1, "a")]) })
    #expect(tracks.map(\.isDrawn) == [isDrawn])
  }

  @Test func aPartIsCutAndShifted() {
    let track = Self.track(Self.cue(0, 1, "a"), Self.cue(1, 3, "b"), Self.cue(3, 4, "c"))
    let part = track.part(
      from: Ticks(2 * Ticks.perSecond), to: Ticks(3 * Ticks.perSecond))
    #expect(shown(part.timedTexts) == ["0-1000 b"])
  }

  /// Rounding to milliseconds neither creates overlaps nor keeps captions without a duration.
  @Test func roundingKeepsTheOrder() {
    let track = Self.track(
      Self.cue(0.0001, 1.00049, "a"), Self.cue(1.00049, 1.0016, "b"), Self.cue(2, 2.0004, "c"))
    #expect(shown(track.timedTexts) == ["0-1000 a", "1000-1002 b"])
  }

  @Test func overlapsAreSplit() {
    let track = Self.track(
      Self.cue(0, 4, "a"), Self.cue(2, 3, "b"), Self.cue(3, 5, "c"), Self.cue(6, 7, "d"))
    #expect(
      shown(track.separateTexts) == [
        "0-2000 a", "2000-3000 a/b", "3000-4000 a/c", "4000-5000 c", "6000-7000 d",
      ])
  }

  /// The work for thousands of simultaneous captions is bounded.
  @Test func manyOverlapsAreBounded() {
    let cues = (0..<2000).map { Self.cue(Double($0) / 1000, 100, "\($0)") }
    let track = CaptionTrack(span: Self.span, cues: cues)
    let lines = track.separateTexts.reduce(0) { $0 + $1.lines.count }
    #expect(lines < 300_000)
  }

  // MARK: Files

  private static let words = [
    "plain", "a < b && c > d", "<i>no tag</i>", "--> arrow", "&amp; escaped", "Grüße ☃ 漢字",
    "\u{202B}שלום", "line one\nline two",
  ]

  @Test(arguments: words) func textsSurviveWebVTT(_ text: String) throws {
    let lines = text.split(separator: "\n").map(String.init)
    let track = CaptionTrack(
      span: Self.span,
      cues: [
        CaptionTrack.Cue(
          start: .zero, end: Ticks(3_723 * Ticks.perSecond), lines: lines, alignment: .left,
          isAtTop: true)
      ])
    let file = CaptionFile.webVTT(track)
    let read = try CaptionFile.track(Array(file.utf8), isWebVTT: true)
    let caption = try #require(read.captions.first)
    #expect(caption.text == text && read.captions.count == 1 && read.ignored.isEmpty, "\(file)")
    #expect(caption.end == 3723 && caption.placement.alignment == .left)
    #expect(caption.placement.isAtTop)
  }

  /// Line breaks within a line would end the caption.
  @Test func lineBreaksCannotEndACaption() {
    let cue = CaptionTrack.Cue(
      start: .zero, end: Ticks(1), lines: ["a\r\n\r\nb", "", "c\u{2028}d"])
    #expect(cue.lines == ["a", "b", "c", "d"])
  }

  @Test func subRipHasNumbersAndNoOverlaps() throws {
    let track = Self.track(Self.cue(0, 2, "a"), Self.cue(1, 3, "b"))
    #expect(
      CaptionFile.subRip(track) == """
        1
        00:00:00,000 --> 00:00:01,000
        a

        2
        00:00:01,000 --> 00:00:02,000
        a
        b

        3
        00:00:02,000 --> 00:00:03,000
        b

        """)
    let read = try CaptionFile.track(Array(CaptionFile.subRip(track).utf8), isWebVTT: false)
    #expect(read.captions.map(\.text) == ["a", "a\nb", "b"])
  }

  @Test func transcriptsHaveParagraphsAndHeadings() {
    let track = Self.track(
      Self.cue(1, 2, "One"), Self.cue(2.5, 4, "two."), Self.cue(6, 7, "Three."),
      Self.cue(9.5, 10, "Four."))
    let chapters = [
      Chapter(start: .zero, title: "Start"),
      Chapter(start: Ticks(9 * Ticks.perSecond), title: "End"),
    ]
    #expect(
      CaptionFile.transcript(track, chapters: chapters) == """
        # Start

        One two.

        Three.

        # End

        Four.

        """)
  }
}
