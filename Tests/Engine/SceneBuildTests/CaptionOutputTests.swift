// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Captions as text tracks and as files, read back by ffmpeg.
@Suite("Captions of outputs", .cpuBudget(seconds: 11)) struct CaptionOutputTests {
  private let folder: Folder

  private static let english = """
    WEBVTT

    00:00.200 --> 00:01.000 line:0 align:left
    Fish & <i>chips</i> &lt;to go&gt;

    00:00.700 --> 00:01.500
    Two lines,
    at once

    00:02.000 --> 00:02.500
    Grüße ☃ 漢字
    """
  private static let german = """
    1
    00:00:00,250 --> 00:00:02,250
    Fisch
    """
  private static func scene(_ output: String, _ head: String = "for: 3s") -> String {
    """
    scene {
      size: 64x64;  fps: 25;  \(head)
      captions "en.vtt" { language: "en";  label: "English" }
      captions "de.srt" { language: "de-AT";  kind: subtitles;  visible: false }
      circle { radius: 10 -> 20 over 3s;  fill: teal }
      marker one { at: 1.8s;  title: "Later" }
      \(output)
    }
    """
  }

  init() throws {
    folder = try Folder()
    try folder.write("en.vtt", Self.english)
    try folder.write("de.srt", Self.german)
  }

  private func run(_ words: String...) throws -> Run {
    try Program.run([Program.scenec] + words, in: folder.path)
  }

  private func build(_ scene: String, _ words: String...) throws -> Run {
    try folder.write("a.scene", scene)
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "--no-cache"] + words, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// Returns the cues of a text track as ffprobe reads its packets.
  private func cues(_ file: String, track: Int) throws -> [String] {
    let probe = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-i", file, "-map", "0:s:\(track)", "-f", "webvtt", "-",
      ], in: folder.path)
    #expect(probe.status == 0 && probe.errors.isEmpty, "\(probe.errors)")
    return probe.output.split(separator: "\n").dropFirst().map(String.init)
  }

  private func streams(_ file: String) throws -> String {
    try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-select_streams", "s", "-show_entries",
        "stream=codec_name:stream_disposition=default,captions,hearing_impaired:stream_tags", "-of",
        "compact=p=0:nk=0", file,
      ], in: folder.path
    ).output
  }

  // MARK: Text tracks

  @Test(arguments: ["mp4", "mov"]) func timedTextIsSplitAtOverlaps(_ file: String) throws {
    _ = try build(Self.scene("output { captions: track }"), "-o", "a.\(file)")
    #expect(
      try cues("a.\(file)", track: 0) == [
        "00:00.200 --> 00:00.700", "Fish & chips <to go>",
        "00:00.700 --> 00:01.000", "Fish & chips <to go>", "Two lines,", "at once",
        "00:01.000 --> 00:01.500", "Two lines,", "at once",
        "00:02.000 --> 00:02.500", "Grüße ☃ 漢字",
      ])
    #expect(
      try cues("a.\(file)", track: 1) == ["00:00.250 --> 00:02.250", "Fisch"])
  }

  /// Matroska tools do not read the WebVTT tracks of WebM.
  @Test func matroskaTracksAreThoseOfSubRipFiles() throws {
    _ = try build(Self.scene("output { captions: track }"), "-o", "a.mkv", "-o", "a.en.srt")
    #expect(try streams("a.mkv").contains("codec_name=subrip"))
    let copy = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-i", "a.mkv", "-map", "0:s:0", "-c:s", "copy", "b.srt"],
      in: folder.path)
    #expect(copy.status == 0 && copy.errors.isEmpty, "\(copy)")
    let texts = try ["b.srt", "a.en.srt"].map { file in
      String(decoding: try #require(folder.data(file)), as: UTF8.self).split(separator: "\n")
    }
    #expect(texts[0] == texts[1] && texts[0].contains("Fish & chips <to go>"), "\(texts)")
  }

  @Test func webVTTKeepsOverlapsAndSettings() throws {
    _ = try build(Self.scene("output { captions: track }"), "-o", "a.webm")
    let copy = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-i", "a.webm", "-map", "0:s:0", "-c:s", "copy", "-f",
        "webvtt",
        "-",
      ],
      in: folder.path)
    #expect(
      copy.output == """
        WEBVTT

        00:00.200 --> 00:01.000 line:0 align:left
        Fish &amp; chips &lt;to go&gt;

        00:00.700 --> 00:01.500
        Two lines,
        at once

        00:02.000 --> 00:02.500
        Grüße ☃ 漢字

        """, "\(copy)")
  }

  @Test func tracksHaveLanguagesLabelsAndPurposes() throws {
    let scene = Self.scene("output { captions: both }")
    _ = try build(scene, "-o", "a.mp4")
    _ = try build(scene, "-o", "a.mkv")
    let mp4 = try streams("a.mp4").split(separator: "\n")
    try #require(mp4.count == 2)
    for part in [
      "codec_name=mov_text", "disposition:default=1", "disposition:captions=1",
      "tag:language=eng", "tag:handler_name=English",
    ] { #expect(mp4[0].contains(part), "\(part) in \(mp4)") }
    for part in ["disposition:default=0", "disposition:captions=0", "tag:language=deu"] {
      #expect(mp4[1].contains(part), "\(part) in \(mp4)")
    }
    let mkv = try streams("a.mkv").split(separator: "\n")
    try #require(mkv.count == 2)
    for part in [
      "codec_name=subrip", "disposition:default=1", "disposition:hearing_impaired=1",
      "tag:language=eng", "tag:title=English",
    ] { #expect(mkv[0].contains(part), "\(part) in \(mkv)") }
    #expect(mkv[1].contains("tag:language=ger"), "\(mkv)")
  }

  /// The captions of an excerpt are relative to its start.
  @Test func excerptsShiftTheirCaptions() throws {
    _ = try build(
      Self.scene("output { captions: track }"), "-o", "a.mkv", "--from", "0.8s", "--to", "2.2s")
    #expect(
      try cues("a.mkv", track: 1) == ["00:00.000 --> 00:01.400", "Fisch"])
  }

  /// A caption file has the times of the video beside it, regardless of the order of the files.
  @Test func captionFilesShareTheOnlyBlock() throws {
    let scene = Self.scene("output { captions: track;  from: 0.8s;  to: 2.2s }")
    for files in [["a.de-AT.vtt", "a.mkv"], ["a.mkv", "a.de-AT.vtt"]] {
      _ = try build(scene, "-o", files[0], "-o", files[1])
      #expect(try cues("a.mkv", track: 1) == ["00:00.000 --> 00:01.400", "Fisch"])
      let text = String(decoding: try #require(folder.data("a.de-AT.vtt")), as: UTF8.self)
      #expect(text.contains("00:00:00.000 --> 00:00:01.400"))
    }
  }

  /// Two drawings: one with captions, one without.
  @Test func burnedAndOtherFilesAreBuiltTogether() throws {
    func frame(_ file: String) throws -> Data {
      _ = try Program.run(
        [
          "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", file, "-ss", "1.2", "-frames:v", "1",
          "f.png",
        ], in: folder.path)
      return try #require(folder.data("f.png"))
    }
    let blocks = "output a { }\n output b { captions: track }\n output c { captions: none }"
    _ = try build(Self.scene(blocks))
    #expect(folder.names.filter { $0.hasSuffix("mp4") } == ["a-a.mp4", "a-b.mp4", "a-c.mp4"])
    #expect(try frame("a-a.mp4") != frame("a-b.mp4"))
    #expect(try frame("a-b.mp4") == frame("a-c.mp4"))
    #expect(try streams("a-a.mp4").isEmpty && streams("a-c.mp4").isEmpty)
    // The default is the same file as without the property and without other captions.
    let whole = folder.data("a-a.mp4")
    _ = try build(Self.scene("output a { captions: burned }"))
    #expect(folder.data("a-a.mp4") == whole)
  }

  /// Cached, sharded and cold builds give the same file.
  @Test func filesDoNotDependOnTheCache() throws {
    let scene = Self.scene("output { captions: track }\n output b { captions: burned }")
    _ = try build(scene, "-o", "a.mp4")
    let cold = try #require(folder.data("a.mp4"))
    for shard in ["1/2", "2/2"] {
      let run = try run(
        "build", "a.scene", "-o", "a.mp4", "--cache", "c", "--shard", shard)
      #expect(run.status == 0, "\(run.errors)")
    }
    for _ in 0..<2 {
      let joined = try run("build", "a.scene", "-o", "a.mp4", "--cache", "c")
      #expect(joined.status == 0 && folder.data("a.mp4") == cold, "\(joined.errors)")
    }
  }

  @Test func browsersNeedATrackElement() throws {
    let scene = Self.scene("output { captions: track }")
    let hint = try build(scene, "-o", "a.mp4").errors
    #expect(
      hint.contains(
        "<track kind=\"captions\" src=\"a.vtt\" srclang=\"en\" label=\"English\" default>"),
      "\(hint)")
    let run = try build(scene, "-o", "a.mp4", "-o", "a.mkv", "--sidecar")
    #expect(run.output == "a.mp4\na.mkv\na.en.vtt\na.de-AT.vtt\n")
    #expect(!run.errors.contains("<track"))
  }

  /// A player that shows the file beside a video would show drawn captions twice.
  @Test func drawnCaptionsBesideTheirFileAreNoted() throws {
    let note = "the captions in 'a.en.vtt' are also drawn in the frames of 'a.mp4'"
    for (output, isNoted) in [("", true), ("both", true), ("track", false), ("none", false)] {
      let block = output.isEmpty ? "" : "output { captions: \(output) }"
      let run = try build(Self.scene(block), "-o", "a.mp4", "--sidecar")
      #expect(run.output == "a.mp4\na.en.vtt\na.de-AT.vtt\n")
      #expect(run.errors.contains(note) == isNoted, "\(output): \(run.errors)")
    }
    // Hidden captions are only in the file.
    let hidden = Self.scene("").replacing("label: \"English\"", with: "visible: false")
    #expect(!(try build(hidden, "-o", "a.mp4", "--sidecar").errors.contains("also drawn")))
    #expect(
      !(try build(Self.scene(""), "-o", "a.mp4", "-o", "a.en.vtt").errors.contains("also drawn")))
    // The first file has the hidden captions.
    let second = """
      scene {
        size: 64x64;  fps: 25;  for: 3s
        captions "de.srt" { language: "de";  visible: false }
        captions "en.vtt" { language: "en" }
      }
      """
    let run = try build(second, "-o", "a.mp4", "--sidecar")
    #expect(run.output == "a.mp4\na.de.vtt\na.en.vtt\n" && run.errors.contains(note), "\(run)")
  }

  // MARK: Caption files

  @Test func languagesNameTheFiles() throws {
    let run = try build(Self.scene(""), "-o", "talk.{language}.vtt", "-o", "x/talk.de-at.srt")
    #expect(run.output == "talk.en.vtt\ntalk.de-AT.vtt\nx/talk.de-at.srt\n")
    #expect(
      folder.data("x/talk.de-at.srt").map { String(decoding: $0, as: UTF8.self) }
        == "1\n00:00:00,250 --> 00:00:02,250\nFisch\n")
    _ = try build(Self.scene(""), "-o", "talk.en.txt")
    #expect(
      folder.data("talk.en.txt").map { String(decoding: $0, as: UTF8.self) } == """
        Fish & chips <to go> Two lines, at once

        # Later

        Grüße ☃ 漢字

        """)
  }

  @Test(arguments: [
    (["-o", "talk.vtt"], "the scene has 2 caption tracks (en, de-AT): name the language"),
    (["-o", "talk.en.vtt", "--from", "2.6s"], "there are no captions between 2.6s and 3s"),
    (["-o", "no/such/talk.en.vtt"], "folder 'no' not found"),
    (["-o", "talk"], "'talk' has an unknown file extension"),
    (["-o", "en.vtt"], "'en.vtt' is an input of the scene"),
    (["-o", "a.gif", "-o", "a.en.srt"], "a .gif file cannot contain caption tracks"),
    (["-o", "-"], "raw video cannot contain caption tracks"),
    (["-o", "f-%d.png"], "a %04d.png file cannot contain caption tracks"),
  ])
  func errorsAreFoundBeforeTheFirstFrame(_ words: [String], _ message: String) throws {
    try folder.write("a.scene", Self.scene("output { captions: track }"))
    let run = try Program.run([Program.scenec, "build", "a.scene"] + words, in: folder.path)
    #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
    #expect(
      folder.names.allSatisfy { $0.hasPrefix("a.scene") || ["en.vtt", "de.srt"].contains($0) })
  }

  @Test func aColumnNamedLanguageTakesPrecedence() throws {
    try folder.write("rows.csv", "language\nfr\n")
    let one = """
      param language: text = "en"
      scene { for: 3s;  captions "en.vtt" { language: language } }
      """
    try folder.write("a.scene", one)
    let run = try run("build", "a.scene", "--data", "rows.csv", "-o", "talk.{language}.vtt")
    #expect(run.status == 0 && folder.names.contains("talk.fr.vtt"), "\(run.errors)")
    try folder.write(
      "a.scene",
      one.replacingOccurrences(
        of: "scene {", with: "scene { captions \"de.srt\" { language: \"de\" } "))
    let both = try self.run("build", "a.scene", "--data", "rows.csv", "-o", "talk.{language}.vtt")
    #expect(both.status != 0 && both.errors.contains("is a column of the table"), "\(both.errors)")
  }

  // MARK: Times of words

  private static let spoken = [
    // whisper and its variants: words with their spaces, with those of the segment, and alone.
    """
    {"segments": [{"start": 0.5, "end": 2, "text": " Hello, world.", "words": [
      {"word": " Hello,", "start": 0.5, "end": 1, "probability": 1},
      {"word": " world.", "start": 1.2, "end": 2}]}], "language": "en"}
    """,
    """
    {"segments": [{"start": 0.5, "end": 2, "text": "Hello, world.", "words": [
      {"word": "Hello,", "start": 0.5, "end": 1}, {"word": "world."}]}], "word_segments": []}
    """,
    "{\"segments\": [{\"start\": 0.5, \"end\": 2, \"text\": \" Hello, world.\"}]}",
    """
    {"transcription": [{"offsets": {"from": 500, "to": 2000}, "text": " Hello, world.", "tokens": [
      {"text": "[_BEG_]", "offsets": {"from": 0, "to": 0}},
      {"text": " Hel", "offsets": {"from": 500, "to": 700}},
      {"text": "lo,", "offsets": {"from": 700, "to": 1000}},
      {"text": " world", "offsets": {"from": 1200, "to": 1900}},
      {"text": ".", "offsets": {"from": 1900, "to": 2000}}]}]}
    """,
    """
    {"transcript": "Hello, world.", "words": [
      {"word": "Hello", "case": "success", "start": 0.5, "end": 1, "startOffset": 0, "endOffset": 5},
      {"word": "world", "start": 1.2, "end": 2, "startOffset": 7, "endOffset": 12}]}
    """,
    "{\"fragments\": [{\"begin\": \"0.500\", \"end\": \"2.000\", \"lines\": [\"Hello, world.\"]}]}",
    "[{\"word\": \"Hello,\", \"start\": 0.5, \"end\": 1}, {\"word\": \"world.\", \"start\": 1.2, \"end\": 2}]",
  ]

  @Test(arguments: spoken) func speechIsRecognizedByItsStructure(_ json: String) throws {
    try folder.write("talk.json", json)
    let run = try build("scene { for: 3s;  captions \"talk.json\" }", "-o", "talk.srt")
    #expect(
      folder.data("talk.srt").map { String(decoding: $0, as: UTF8.self) }
        == "1\n00:00:00,500 --> 00:00:02,000\nHello, world.\n")
    #expect(
      run.errors.contains("the times of 1 word in 'talk.json' are estimated, such as 'world.'")
        == json.contains("{\"word\": \"world.\"}"), "\(run.errors)")
  }

  @Test func wordsAreGroupedToCaptions() throws {
    let words = (0..<40).map { index in
      let start = Double(index) * 0.3 + (index >= 5 ? 1 : 0)
      return
        "{\"text\": \"word\(index)\(index == 2 ? "!" : "")\", \"start\": \(start), \"end\": \(start + 0.25)}"
    }
    try folder.write("talk.json", "{\"words\": [\(words.joined(separator: ","))]}")
    _ = try build("scene { for: 20s;  captions \"talk.json\" }", "-o", "talk.srt")
    let lines = try #require(folder.data("talk.srt").map { String(decoding: $0, as: UTF8.self) })
      .split(separator: "\n").map(String.init).filter { $0.hasPrefix("word") }
    #expect(lines.prefix(2) == ["word0 word1 word2!", "word3 word4"])
    #expect(lines.allSatisfy { $0.count <= 84 } && lines.joined(separator: " ").contains("word39"))
  }

  @Test(arguments: [
    ("{\"talk\": 1}", "'talk.json' has no captions of a known structure"),
    ("{\"segments\": [", "E0503"), ("[]", "no captions of a known structure"),
    ("{\"segments\": [{\"start\": 2, \"end\": 1, \"text\": \"x\"}]}", "has no valid captions"),
    (
      "{\"segments\": [{\"start\": 1e300, \"end\": 2e300, \"text\": \"x\"}]}",
      "has no valid captions"
    ),
    ("{\"segments\": [{\"start\": NaN, \"end\": 2, \"text\": \"x\"}]}", "E0503"),
    ("{\"segments\": [{\"start\": -5, \"end\": -1, \"text\": \"x\"}]}", "has no valid captions"),
    (String(repeating: "[", count: 100_000), "E0503"),
  ])
  func invalidSpeechIsReported(_ json: String, _ message: String) throws {
    try folder.write("talk.json", json)
    try folder.write("a.scene", "scene { for: 3s;  captions \"talk.json\" }")
    let run = try run("check", "a.scene")
    #expect(run.status == 1 && run.errors.contains(message), "\(run)")
  }

  /// Rows of a table cannot replace each other's sidecars.
  @Test func rowsHaveTheirOwnSidecars() throws {
    try folder.write(
      "a.scene",
      """
      param file: text = "en.vtt"
      scene { size: 64x64;  fps: 25;  for: 3s;  captions "{file}" { language: "en" } }
      """)
    func build(_ rows: String) throws -> Run {
      try folder.write("rows.csv", rows)
      return try run(
        "build", "a.scene", "--no-cache", "--data", "rows.csv", "-o", "{name}.{ending}",
        "--sidecar")
    }
    // Equal captions are one file.
    let equal = try build("name,ending,file\na,mp4,en.vtt\na,mkv,en.vtt\n")
    #expect(equal.status == 0, "\(equal.errors)")
    #expect(folder.data("a.vtt") != nil && folder.data("a.mkv") != nil)
    let different = try build("name,ending,file\nb,mp4,en.vtt\nb,mkv,de.srt\n")
    #expect(
      different.status == 2
        && different.errors.contains(
          "row 1 and row 2 have the same output 'b.vtt': '--sidecar' derives it from 'b.mkv'"),
      "\(different.errors)")
    // No video is rendered, not even that of the first row.
    #expect(folder.data("b.mp4") == nil && folder.data("b.mkv") == nil)
    #expect(folder.data("b.vtt") == nil)
    // The name of a video is that of the sidecar of another.
    let video = try build("name,ending,file\nc,mp4,en.vtt\nc,vtt,de.srt\n")
    #expect(
      video.status == 2 && video.errors.contains("'--sidecar' derives it from 'c.mp4'"),
      "\(video.errors)")
    #expect(folder.data("c.mp4") == nil && folder.data("c.vtt") == nil)
    // A row with an error does not stop the others.
    let wrong = try build("name,ending,file\nd,mp4,none.vtt\ne,mp4,en.vtt\n")
    #expect(
      wrong.status == 1 && wrong.errors.contains("1 of 2 videos was not built"), "\(wrong.errors)")
    #expect(folder.data("d.mp4") == nil && folder.data("e.mp4") != nil)
  }
}
