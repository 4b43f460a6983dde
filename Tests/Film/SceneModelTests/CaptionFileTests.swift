// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
import SceneTestSupport
import SceneText
import Testing

/// Settings, regions and tags of caption files.
@Suite("Caption settings and tags", .cpuBudget(seconds: 1)) struct CaptionFileTests {
  private static func track(_ text: String, isWebVTT: Bool = true) throws -> ParsedCaptions {
    try CaptionFile.track(Array(text.utf8), isWebVTT: isWebVTT)
  }

  private static func cue(_ settings: String, _ text: String = "x") throws -> (
    placement: CaptionPlacement, runs: [CaptionRun], ignored: [String]
  ) {
    let track = try track("WEBVTT\n\n00:00.000 --> 00:01.000 \(settings)\n\(text)\n")
    let caption = try #require(track.captions.first)
    return (caption.placement, caption.runs, track.ignored.map(\.name))
  }

  private static func placement(_ change: (inout CaptionPlacement) -> Void) -> CaptionPlacement {
    var placement = CaptionPlacement()
    change(&placement)
    return placement
  }

  @Test(arguments: [
    ("line:-1", placement { $0.line = -1 }),
    (
      "line:50%,center",
      placement { ($0.line, $0.snapsToLines, $0.lineAlignment) = (50, false, .center) }
    ),
    ("position:0%,line-left", placement { ($0.position, $0.positionAlignment) = (0, .lineLeft) }),
    ("size:33.5%", placement { $0.size = 33.5 }), ("align:end", placement { $0.alignment = .end }),
    ("vertical:lr", placement { $0.direction = .growingRight }),
    // The last of several settings wins. They may be separated by tabs and multiple spaces.
    ("align:left\t  align:right", placement { $0.alignment = .right }),
  ])
  func settings(_ settings: String, _ wanted: CaptionPlacement) throws {
    let found = try Self.cue(settings)
    #expect(found.placement == wanted)
    #expect(found.ignored.isEmpty)
  }

  /// Invalid settings are ignored and recorded.
  @Test(arguments: [
    "line:x", "line:1x", "line:-", "line:.5", "line:5.", "line:1.2.3", "line:--1", "line:101%",
    "line:1,middle", "line:1,", "position:50", "position:-1%", "position:50%,left",
    "position:%", "position:1e1%", "size:100.1%", "size:", ":50%", "size", "align:middle",
    "align:Left", "vertical:tb", "region:unknown", "colour:red", "line:\u{0661}",
  ])
  func invalidSettings(_ setting: String) throws {
    let found = try Self.cue(setting)
    #expect(found.placement.isAutomatic)
    #expect(found.ignored == ["'\(setting)'"])
  }

  @Test func regions() throws {
    let track = try Self.track(
      """
      WEBVTT

      REGION
      id:a width:40% lines:2
      regionanchor:10%,20%
      viewportanchor:30%,40.5% scroll:up

      REGION
      id:b lines:two width:400% regionanchor:1% scroll:down

      00:00.000 --> 00:01.000 region:a
      x

      REGION
      id:late

      00:00.000 --> 00:01.000 region:b
      y

      00:00.000 --> 00:01.000 region:late
      z
      """)
    var region = CaptionRegion()
    (region.id, region.width, region.lines, region.scrolls) = ("a", 40, 2, true)
    (region.anchor, region.viewportAnchor) = (.init(x: 10, y: 20), .init(x: 30, y: 40.5))
    #expect(track.captions[0].placement.region == region)
    var plain = CaptionRegion()
    plain.id = "b"
    #expect(track.captions[1].placement.region == plain)
    #expect(track.captions[2].placement.region == nil)
    #expect(
      track.ignored == [
        IgnoredPart(name: "'lines:two'", line: 9), IgnoredPart(name: "'width:400%'", line: 9),
        IgnoredPart(name: "'regionanchor:1%'", line: 9),
        IgnoredPart(name: "'scroll:down'", line: 9),
        IgnoredPart(name: "'region:late'", line: 20),
      ])
  }

  /// Returns a compact form: the letters `i`, `b`, `u` for the attributes, then the color, then the
  /// text.
  private static func spelled(_ runs: [CaptionRun]) -> String {
    runs.map { run in
      let style = run.style
      let color = style.color.map {
        Color.named.first { Color(hex: $0.value) == style.color }?.key ?? "\($0)"
      }
      return (style.isItalic ? "i" : "") + (style.isBold ? "b" : "")
        + (style.isUnderlined ? "u" : "") + (color.map { "(\($0))" } ?? "")
        + (style.language.isEmpty ? "" : "[\(style.language)]") + "'\(run.text)'"
    }.joined()
  }

  @Test(arguments: [
    ("a <i>b</i> c", "'a 'i'b'' c'"), ("<b><i>a</i>b</b>", "ib'a'b'b'"),
    ("<u>a", "u'a'"), ("<c.red>a</c>b", "(red)'a''b'"), ("<b.lime>a</b>", "b(lime)'a'"),
    // The order in the style sheet decides, not the order of the classes.
    ("<c.blue.red>a</c>", "(blue)'a'"), ("<c.red><c.foo>a</c></c>", "(red)'a'"),
    ("<c.red>a<c.blue>b</c>c</c>", "(red)'a'(blue)'b'(red)'c'"),
    ("<v Ann>a</v>b", "'ab'"), ("<v.red Ann>a</v>", "(red)'a'"),
    ("<lang de-AT>a</lang>b", "[de-AT]'a''b'"), ("<lang ->a</lang>", "'a'"),
    ("<lang a b>a</lang>", "'a'"),
    // An end tag closes only its own tag.
    ("<i><b>a</i>b</b>c</i>d", "ib'ab'i'c''d'"), ("a</i>b", "'ab'"), ("<i>a</ i>b", "i'ab'"),
    ("<i></i>a", "'a'"), (" <i> a</i> ", "i'a'"), ("<i\n>a\nb</i>", "i'a\nb'"),
    ("&lt;i&gt;<i>&amp;</i>", "'<i>'i'&'"), ("<>a</>b<.red>c", "'abc'"),
    // A combining mark, a joiner or a modifier after a tag belongs to the text.
    ("a<i>\u{301}b</i>", "'a'i'\u{301}b'"), ("a<b></b>\u{200D}b", "'a\u{200D}b'"),
    ("\u{1F44D}</i>\u{1F3FD}", "'\u{1F44D}\u{1F3FD}'"), ("a&lt;\u{338}b", "'a<\u{338}b'"),
    ("a<00:00.500>\u{E48}b", "'a\u{E48}b'"), ("a<b\nc>d", "'a'b'd'"), ("a<b <i>c", "'a'b'c'"),
  ])
  func tags(_ written: String, _ read: String) throws {
    #expect(Self.spelled(try Self.cue("", written).runs) == read)
  }

  @Test(arguments: [
    ("<ruby>a<rt>b</ruby>c", "'abc'", ["ruby layout"]),
    ("<i><ruby>a<rt>b</rt></ruby></i>c", "i'ab''c'", ["ruby layout"]),
    ("a<00:00.500>b", "'ab'", []), ("a<9x>b", "'ab'", ["'<9x>'"]),
    ("<c.bg_red>a</c>", "'a'", ["background colors"]),
    ("<font color=red>a</font>", "'a'", ["'<font>'"]), ("<rt>a</rt>", "'a'", []),
  ])
  func ignoredTags(_ written: String, _ read: String, _ ignored: [String]) throws {
    let found = try Self.cue("", written)
    #expect(Self.spelled(found.runs) == read)
    #expect(found.ignored == ignored)
  }

  /// Each kind is recorded once, with the line of its first occurrence.
  @Test func ignoredParts() throws {
    let track = try Self.track(
      """
      WEBVTT

      STYLE
      ::cue { color: red }

      STYLE
      ::cue(b) { color: lime }

      NOTE a note

      1
      00:00.000 --> 00:01.000 align:middle
      a
      <c.bg_red>b</c>

      00:02.000 --> 00:xx.000
      lost

      00:03.000 --> 00:04.000 align:middle
      <ruby>c<rt>d</ruby>
      """)
    #expect(track.captions.map(\.text) == ["a\nb", "cd"])
    #expect(
      track.ignored == [
        IgnoredPart(name: "STYLE blocks", line: 3), IgnoredPart(name: "'align:middle'", line: 12),
        IgnoredPart(name: "background colors", line: 14),
        IgnoredPart(name: "a caption with invalid times", line: 16),
        IgnoredPart(name: "ruby layout", line: 20),
      ])
  }

  /// No player shows a caption that ends before it begins, or at the same time.
  @Test(arguments: [true, false])
  func captionsWithoutADurationAreReported(_ isWebVTT: Bool) throws {
    let head = isWebVTT ? "WEBVTT\n\n" : ""
    let mark = isWebVTT ? "." : ","
    let times = [("03", "02"), ("04", "05"), ("06", "06")]
    let cues = times.map { "00:00:\($0.0)\(mark)000 --> 00:00:\($0.1)\(mark)000\nx\n\n" }
    let track = try Self.track(head + cues.joined(), isWebVTT: isWebVTT)
    let line = isWebVTT ? 3 : 1
    #expect(track.ignored == [IgnoredPart(name: "a caption without a duration", line: line)])
  }

  private static func subRip(_ text: String) throws -> (
    runs: String, placement: CaptionPlacement, ignored: [String]
  ) {
    let track = try track("1\n00:00:00,000 --> 00:00:01,000\n\(text)\n", isWebVTT: false)
    let caption = try #require(track.captions.first)
    return (spelled(caption.runs), caption.placement, track.ignored.map(\.name))
  }

  @Test(arguments: [
    ("<i>a</i>b", "i'a''b'"), ("<I>a</I> <B>b</B>", "i'a'' 'b'b'"),
    ("<b><i>a</b>b</i>c", "ib'a'i'b''c'"), ("</i>a<i>b", "'a'i'b'"),
    ("<font color=\"#00ff00\">a</font>b", "(lime)'a''b'"),
    ("<font color=#ff0000>a</font>", "(red)'a'"), ("<font color='Red'>a</font>", "(red)'a'"),
    ("<font color=\"ff0000\">a</font>", "(red)'a'"),
    ("<font color=\"red\">a<font color=\"blue\">b</font>c</font>", "(red)'a'(blue)'b'(red)'c'"),
    ("<font color = \"red\" >a", "(red)'a'"), ("<font>a</font>", "'a'"),
    ("{\\i1}a{\\i0}b", "i'a''b'"), ("{\\b1\\u1}a", "bu'a'"), ("{a}", "'{a}'"), ("a <3", "'a <3'"),
    ("<i>a</i>\u{301}b", "i'a''\u{301}b'"), ("<b>\u{200D}a", "b'\u{200D}a'"),
    // A tag contains no other tag.
    ("</i a <b>b</b>", "'</i a 'b'b'"), ("a <i", "'a <i'"), ("a <b\nc", "'a <b\nc'"),
  ])
  func tagsOfSubRip(_ written: String, _ read: String) throws {
    let found = try Self.subRip(written)
    #expect(found.runs == read)
    #expect(found.ignored.isEmpty, "\(found.ignored)")
  }

  @Test(arguments: [
    ("<s>a</s>", ["strikethrough"]),
    ("<font face=\"Arial\" size=\"3\">a</font>", ["font names", "font sizes"]),
    ("<font color=\"redd\">a</font>", ["'redd'"]), ("{\\pos(10,20)}a", ["'{\\pos}'"]),
    ("{\\c&H00FF00&}a", ["'{\\c}'"]), ("{\\an10}a", ["'{\\an}'"]),
  ])
  func ignoredTagsOfSubRip(_ written: String, _ ignored: [String]) throws {
    let found = try Self.subRip(written)
    #expect(found.runs == "'a'")
    #expect(found.ignored == ignored)
  }

  /// The first override wins. The older format numbers the positions differently.
  @Test(arguments: [
    ("{\\an2}a", placement { _ in }), ("{\\an8}{\\an1}a", placement { $0.line = 0 }),
    ("a{\\an9}", placement { ($0.line, $0.alignment) = (0, .right) }),
    ("{\\a6}a", placement { $0.line = 0 }), ("{\\a1}a", placement { $0.alignment = .left }),
    (
      "{\\a10}a",
      placement { ($0.line, $0.snapsToLines, $0.lineAlignment) = (50, false, .center) }
    ),
  ])
  func placesOfSubRip(_ written: String, _ wanted: CaptionPlacement) throws {
    #expect(try Self.subRip(written).placement == wanted)
  }

  @Test func settingsOfSubRip() throws {
    let track = try Self.track(
      "1\n00:00:00,000 --> 00:00:01,000 X1:0 X2:9\na\n", isWebVTT: false)
    #expect(track.ignored == [IgnoredPart(name: "settings after times", line: 2)])
  }

  /// Many tags and many invalid settings require bounded time and memory.
  @Test func manyTags() throws {
    let tags = String(repeating: "<i> <b> ", count: 10_000)
    #expect(try Self.cue("", tags).runs.isEmpty)
    #expect(try Self.subRip(tags + "a").runs == "ib'a'")
    let settings = (0..<5000).map { "x\($0):y" }.joined(separator: " ")
    #expect(try Self.cue(settings).ignored.count == 1000)
    let long = try Self.cue("x:" + String(repeating: "y", count: 100)).ignored
    #expect(long == ["'x:" + String(repeating: "y", count: 38) + "…'"])
  }

  /// Players show a line of a no-break space as an empty line.
  @Test func emptyLinesOfNoBreakSpacesStay() throws {
    let space = "\u{A0}"
    let text = "1\n00:00:01,000 --> 00:00:02,000\nOne\n\(space)\nTwo\n \n\t\n"
    let caption = try #require(try Self.track(text, isWebVTT: false).captions.first)
    let lines = caption.lines.map { $0.map(\.text).joined() }
    #expect(lines == ["One", space, "Two"])
    let track = CaptionTrack(
      span: SourceSpan(file: FileID(0), start: 0, end: 0),
      cues: [
        CaptionTrack.Cue(start: .zero, end: Ticks(Ticks.perSecond), lines: lines)
      ])
    #expect(CaptionFile.subRip(track).contains("One\n\(space)\nTwo\n"))
    #expect(CaptionFile.webVTT(track).contains("One\n\(space)\nTwo\n"))
  }
}
