// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Whole runs of `scenec diff`.
@Suite("Differences", .cpuBudget(seconds: 7)) struct DiffTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let film = """
    import "brand.scene"
    scene {
        size: 320x180;  for: 6s;  background: black
        text title "Ready" { at: 1s;  for: 2s;  font-size: 20;  fill: white }
        rect panel { at: 4s;  for: 1s;  size: 100x50;  fill: accent }
    }
    """

  private func diff(_ words: String...) throws -> Run {
    try Program.run([Program.scenec, "diff"] + words, in: folder.path)
  }

  private func git(_ words: String...) throws {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    let run = try Program.run(["/usr/bin/git"] + identity + words, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func writeFilm(_ text: String = film, accent: String = "#1f2937") throws {
    try folder.write("film.scene", text)
    try folder.write("brand.scene", "let accent = \(accent)\n")
  }

  private func commit() throws {
    if !FileManager.default.fileExists(atPath: folder.path + "/.git") { try git("init", "-q") }
    try git("add", "-A")
    try git("commit", "-q", "-m", "a")
  }

  // MARK: Files

  @Test func equalFilesHaveNoDifferences() throws {
    try writeFilm()
    try folder.write("other.scene", "// Another comment.\n" + Self.film)
    let run = try diff("film.scene", "other.scene")
    #expect(run.status == 0 && run.output == "film.scene and other.scene are equal: 180 frames\n")
  }

  /// Each edit is attributed to its element and property.
  @Test(arguments: [
    ("\"Ready\"", "\"Ready to go\"", "title  content \"Ready\" → \"Ready to go\""),
    ("fill: white", "fill: red", "title  fill #ffffff → #ff0000"),
    ("size: 100x50", "size: 120x50", "panel  size (100, 50) → (120, 50)"),
    ("at: 4s;  for: 1s", "at: 4s;  for: 1.5s", "panel  for 1s → 1.5s"),
    ("background: black", "background: navy", "scene  background #000000 → #000080"),
    ("    rect panel", "    circle dot { radius: 4 }\n    rect panel", "dot  added"),
  ])
  func causesAreNamed(old: String, new: String, expected: String) throws {
    try writeFilm()
    try folder.write("other.scene", Self.film.replacing(old, with: new))
    let run = try diff("film.scene", "other.scene")
    #expect(run.status == 4)
    #expect(run.output.contains("    \(expected)  other.scene:"), "\(run.output)\(run.errors)")
  }

  @Test func framesThatMovedMatch() throws {
    try folder.write("a.scene", "scene { size: 64x64;  circle { for: 2s;  radius: 4 -> 30 } }")
    try folder.write(
      "b.scene",
      """
      scene { size: 64x64
          rect { for: 1s;  size: 9 -> 10 }
          circle { at: 1s;  for: 2s;  radius: 4 -> 30 }
      }
      """)
    let run = try diff("a.scene", "b.scene")
    #expect(run.output.contains("duration 2s → 3s"), "\(run.output)")
    #expect(run.output.contains("0s to 1s added"), "\(run.output)")
    #expect(run.output.contains("0s to 2s unchanged, 1s later"), "\(run.output)")
  }

  /// Only `--exact` draws the frames.
  @Test func coveredDifferencesAreInvisible() throws {
    func scene(_ color: String) -> String {
      """
      scene { size: 64x64;  for: 1s
          circle { radius: 4;  fill: \(color) }
          rect { size: 100%;  fill: navy }
      }
      """
    }
    try folder.write("a.scene", scene("red"))
    try folder.write("b.scene", scene("lime"))
    #expect(try diff("a.scene", "b.scene").status == 4)
    #expect(try diff("a.scene", "b.scene", "--exact").status == 0)
    let page = try diff("a.scene", "b.scene", "--format", "html")
    #expect(page.status == 4 && page.output.contains("No visible change found"))
  }

  /// Output settings change the files, but no frame.
  @Test func outputsAreCompared() throws {
    try writeFilm()
    func write(_ outputs: String) throws {
      try folder.write(
        "other.scene",
        Self.film.replacingOccurrences(
          of: "background: black", with: "background: black;  \(outputs)"))
    }
    try write("output { quality: 20;  audio { loudness: -16 } }  output small { from: 1s }")
    try FileManager.default.copyItem(
      atPath: folder.path + "/other.scene", toPath: folder.path + "/first.scene")
    try write(
      """
      output web { codec: vp9 }
      output { quality: 22;  audio { loudness: -23 } }
      output small { from: 1.5s }
      """
    )
    let run = try diff("first.scene", "other.scene")
    #expect(run.status == 4)
    for line in [
      "output quality 20 → 22", "output loudness -16 → -23", "output small from 1s → 1.5s",
      "output web none → present",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    #expect(!run.output.contains("output codec"))
  }

  /// Compares two scenes with a sound, whose bodies contain `value`.
  private func diffOfSounds<Value>(_ values: [Value], _ body: (Value) -> String) throws -> Run {
    try FileManager.default.copyItem(
      atPath: Repository.path + "/Examples/bench-film/theme.opus",
      toPath: folder.path + "/theme.opus")
    for (name, value) in zip(["a", "b"], values) {
      try folder.write("\(name).scene", "scene { size: 64x64;  for: 2s;  \(body(value)) }")
    }
    return try diff("a.scene", "b.scene")
  }

  @Test func soundsAndFilesAreCompared() throws {
    let run = try diffOfSounds([-20, -10]) {
      "audio \"theme.opus\" { for: 2s;  volume: \($0)dB }"
    }
    #expect(run.status == 4 && run.output.contains("sound, 0s to 2s"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("volume"), "\(run.output)")
  }

  @Test func soundsOfDescriptionsAreCompared() throws {
    let run = try diffOfSounds([-20, -10]) {
      """
      output { described: mix }
      description "A boat" { for: 1s;  source: "theme.opus";  volume: \($0)dB }
      """
    }
    #expect(run.status == 4, "\(run.output)\(run.errors)")
    #expect(
      run.output.contains("sound with descriptions theme.opus → theme.opus with other times"),
      "\(run.output)")
  }

  /// The volume of a group is heard in its children, even if nothing is seen.
  @Test func soundsOfGroupsAreCompared() throws {
    let run = try diffOfSounds(["50%", "1 -> 0.2"]) {
      "group { volume: \($0);  audio music \"theme.opus\" { for: 2s } }"
    }
    #expect(run.status == 4 && run.output.contains("volume"), "\(run.output)\(run.errors)")
  }

  // MARK: Captions

  private static let captions = """
    1
    00:00:00,500 --> 00:00:01,000
    Hello

    2
    00:00:01,500 --> 00:00:02,000
    You

    """

  /// Compares two scenes with caption files and outputs, and returns the lines below the first.
  private func diffOfCaptions(
    _ new: String, in file: String = "b.srt", at: [String] = ["0s", "0s"],
    _ outputs: [String] = ["", ""]
  ) throws -> [String] {
    try folder.write("a.srt", Self.captions)
    try folder.write("b.srt", new)
    for (index, file) in ["a.srt", file].enumerated() {
      try folder.write(
        "\(["a", "b"][index]).scene",
        """
        scene {
            size: 320x180;  fps: 10;  for: 4s;  \(outputs[index])
            captions subs "\(file)" { language: "en";  at: \(at[index]) }
        }
        """)
    }
    let run = try diff("a.scene", "b.scene")
    return run.output.split(separator: "\n").dropFirst().map(String.init)
  }

  /// The captions that changed are named by their words and times, with their file.
  @Test func captionsAreCauses() throws {
    #expect(try diffOfCaptions(Self.captions) == [])
    let file = "source \"a.srt\" → \"b.srt\"; "
    let words = try diffOfCaptions(Self.captions.replacing("You", with: "You there"))
    #expect(
      words.suffix(2) == [
        "  1.5s to 2s",
        "    subs  \(file)caption at 1.5s \"You\" → \"You there\"  b.scene:3",
      ], "\(words)")
    let time = try diffOfCaptions(
      Self.captions.replacing("00:00:01,500", with: "00:00:01,300"))
    #expect(
      time.suffix(2) == [
        "  1.3s to 1.5s", "    subs  \(file)caption \"You\" 1.5s to 2s → 1.3s to 2s  b.scene:3",
      ], "\(time)")
    let more = try diffOfCaptions(
      "1\n00:00:00,200 --> 00:00:00,400\nFirst\n\n" + Self.captions)
    #expect(
      more.suffix(2) == [
        "  0.2s to 0.4s", "    subs  \(file)caption at 0.2s \"First\" added  b.scene:3",
      ], "\(more)")
    let fewer = try diffOfCaptions("1\n00:00:00,500 --> 00:00:01,000\nHello\n")
    #expect(fewer.last?.contains("caption at 1.5s \"You\" removed") == true, "\(fewer)")
    // A move of all captions is one cause.
    let moved = try diffOfCaptions("", in: "a.srt", at: ["0s", "0.5s"])
    #expect(
      moved.filter { $0.contains("subs") }.allSatisfy { $0 == "    subs  at 0s → 0.5s  b.scene:3" }
        && moved.contains { $0.contains("subs") }, "\(moved)")
    let many = (1..<9).map { "\($0)\n00:00:00,\($0)00 --> 00:00:00,\($0 + 1)00\nNo. \($0)\n" }
    let list = try diffOfCaptions(many.joined(separator: "\n"))
    #expect(list.joined().contains("more captions differs"), "\(list)")
  }

  /// The captions of added frames are named in order of time, whatever their order in the file.
  @Test(arguments: [false, true])
  func captionsOfAddedFramesAreInOrder(isReversed: Bool) throws {
    func cue(_ second: Int) -> String {
      "00:00:0\(second),100 --> 00:00:0\(second),900\nLine \(second)\n"
    }
    func write(_ name: String, _ seconds: Range<Int>) throws {
      let cues = seconds.map(cue)
      try folder.write("\(name).srt", (isReversed ? cues.reversed() : cues).joined(separator: "\n"))
      try folder.write(
        "\(name).scene",
        """
        scene {
            size: 320x180;  fps: 10;  for: \(seconds.upperBound)s
            captions "\(name).srt"
            rect { size: 20 }
        }
        """)
    }
    try write("a", 0..<1)
    try write("b", 0..<6)
    let run = try diff("a.scene", "b.scene")
    let ends = run.output.split(separator: "caption at ").dropFirst()
    let times = ends.map { $0.prefix { $0 != " " } }
    #expect(times == ["1.1s", "2.1s", "3.1s", "4.1s", "5.1s"], "\(run.output)")
  }

  /// A change of the outputs that draw captions changes the frames with captions.
  @Test func outputsDrawCaptions() throws {
    let track = "output { captions: track }"
    let lines = try diffOfCaptions("", in: "a.srt", [track, "output { }"])
    #expect(
      lines == [
        "  output captions track → burned", "  0.5s to 1s",
        "    subs  captions track → burned  b.scene:3", "  1.5s to 2s",
        "    subs  captions track → burned  b.scene:3",
      ])
    #expect(try diffOfCaptions("", in: "a.srt", [track, track]) == [])
    let none = "output { captions: none }"
    #expect(
      try diffOfCaptions("", in: "a.srt", [track, none]) == ["  output captions track → none"])
    // No video shows the words of a track.
    let other = try diffOfCaptions(Self.captions.replacing("You", with: "Me"), [track, track])
    #expect(other.count == 1 && other[0].hasPrefix("  captions en captions: "), "\(other)")
  }

  // MARK: Alternative texts and files

  /// Alternative texts change no frame. They are listed once, and not as causes of other
  /// differences.
  @Test func alternativeTextsAreCompared() throws {
    func write(_ name: String, _ panel: String, _ title: String, _ color: String = "white") throws {
      try folder.write(
        name,
        """
        scene {
            size: 64x64;  for: 1s;  alt: "A film"
            rect panel { size: 20;  fill: \(color);  \(panel) }
            group { text title "Hi" { \(title) } }
            description "A panel" { for: 0.5s }
        }
        """)
    }
    try write("a.scene", "alt: \"A box\"", "decorative: true")
    try write("b.scene", "alt: \"A white box\"", "alt: \"Hi\"")
    let run = try diff("a.scene", "b.scene")
    #expect(run.status == 4)
    #expect(
      run.output == """
        a.scene → b.scene: no frame differs
          panel  alt "A box" → "A white box"  b.scene:3
          title  alt "Hi" added; decorative true → false  b.scene:4

        """, "\(run.output)\(run.errors)")
    let json = try diff("a.scene", "b.scene", "--format", "json").output
    #expect(json.contains("\"alternatives\" : [") && json.contains("\\\"A white box\\\""))
    let page = try diff("a.scene", "b.scene", "--format", "html").output
    #expect(page.contains("<li>panel  alt &quot;A box&quot; → &quot;A white box&quot;"))
    try write("c.scene", "alt: \"A white box\"", "alt: \"Hi\"", "red")
    let colors = try diff("b.scene", "c.scene").output
    #expect(colors.contains("panel  fill #ffffff → #ff0000  ") && !colors.contains("alt"))
    try folder.write(
      "d.scene", "scene { size: 64x64;  for: 1s;  description \"A\" { for: 0.5s };  rect { } }")
    try folder.write(
      "e.scene", "scene { size: 64x64;  for: 1s;  description \"B\" { for: 0.5s };  rect { } }")
    let texts = try diff("d.scene", "e.scene")
    #expect(texts.status == 4 && texts.output.contains("descriptions"), "\(texts.output)")
    #expect(!texts.output.contains("alt"))
  }

  /// Frames are equal if the content of their files is, and every range has its causes.
  @Test(arguments: ["image", "svg", "rect"]) func renamedFilesChangeNoFrame(_ kind: String) throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect fill="red" width="9" \
      height="9"/></svg>
      """
    for name in ["a", "b"] { try folder.write("\(name).svg", svg) }
    try folder.write("c.svg", svg.replacing("red", with: "blue"))
    func write(_ name: String, _ file: String, _ color: String = "lime") throws {
      let logo =
        kind == "rect"
        ? "rect logo { size: 32;  fill: pattern(\"\(file).svg\") }"
        : "\(kind) logo \"\(file).svg\" { size: 32 }"
      try folder.write(
        "\(name).scene",
        "scene { size: 64x64;  for: 1s;  \(logo);  rect dot { size: 4;  fill: \(color) } }")
    }
    try write("one", "a")
    try write("two", "b")
    let renamed = try diff("one.scene", "two.scene")
    #expect(renamed.status == 0, "\(renamed.output)\(renamed.errors)")
    try write("two", "b", "navy")
    let other = try diff("one.scene", "two.scene")
    #expect(other.output.contains("dot  fill") && !other.output.contains("logo"), "\(other.output)")
    try write("two", "c")
    #expect(try diff("one.scene", "two.scene").output.contains("logo  "))
  }

  /// Long lists of alternative texts are shortened.
  @Test func mostAlternativesAreListed() throws {
    for count in [8, 9, 300] {
      func write(_ name: String, _ text: String) throws {
        let boxes = "for n in 1..\(count + 1) { rect { size: 4;  alt: \"\(text)\" } }"
        try folder.write(name, "scene { size: 64x64;  for: 1f;  \(boxes) }")
      }
      try write("a.scene", "A box")
      try write("b.scene", "A tile")
      let lines = try diff("a.scene", "b.scene").output.split(separator: "\n").dropFirst()
      let rest = count == 8 ? nil : "  \(count - 8) more element\(count == 9 ? "" : "s")"
      #expect(
        lines.count == (rest == nil ? 8 : 9) && (rest == nil || lines.last.map(String.init) == rest)
      )
    }
  }

  @Test func everyRangeHasCauses() throws {
    func scene(_ color: String) -> String {
      """
      scene { size: 64x64;  fps: 30;  for: 61s
          for n in 0..300 { rect box { at: n * 0.2s;  for: 1f;  size: 10;  fill: \(color) } }
      }
      """
    }
    try folder.write("a.scene", scene("red"))
    try folder.write("b.scene", scene("blue"))
    let run = try diff("a.scene", "b.scene")
    let lines = run.output.split(separator: "\n").dropFirst()
    let titles = lines.count { !$0.hasPrefix("    ") }
    #expect(titles == 300, "\(run.output.prefix(600))")
    #expect(lines.count { $0.hasPrefix("    box  fill #ff0000 → #0000ff") } == 300)
  }

  @Test func reportsAreFiles() throws {
    try writeFilm()
    try folder.write("other.scene", Self.film.replacing("white", with: "red"))
    let json = try diff("film.scene", "other.scene", "-o", "out.json")
    #expect(json.status == 4)
    let text = try String(contentsOfFile: folder.path + "/out.json", encoding: .utf8)
    #expect(text.contains("\"scenec/diff/1\"") && text.contains("\"differingFrames\" : 60"))
    #expect(try diff("film.scene", "other.scene", "-o", "out.html").status == 4)
    let page = try String(contentsOfFile: folder.path + "/out.html", encoding: .utf8)
    #expect(page.components(separatedBy: "data:image/png;base64,").count > 6)
    #expect(try diff("film.scene", "other.scene", "-o", "out.png").status == 2)
    #expect(try diff("film.scene", "other.scene", "-o", "film.scene").status == 2)
  }

  // MARK: Revisions

  @Test func revisionsAreReadWithoutACheckout() throws {
    try writeFilm()
    try commit()
    #expect(try diff("film.scene").status == 0)
    try writeFilm(accent: "#334155")
    let working = try diff("film.scene")
    #expect(working.status == 4)
    #expect(working.output.hasPrefix("HEAD:film.scene → film.scene: 30 frames of 180 differ"))
    #expect(working.output.contains("panel  fill #1f2937 → #334155  film.scene:5"))
    try commit()
    #expect(try diff("HEAD~1..HEAD", "film.scene").output.contains("HEAD:film.scene:5"))
    try FileManager.default.removeItem(atPath: folder.path + "/brand.scene")
    #expect(try diff("HEAD~1..HEAD", "film.scene").status == 4)
    let broken = try diff("HEAD", "film.scene")
    #expect(broken.status == 1 && broken.errors.contains("brand.scene"))
  }

  /// A changed file is named even if the scene is the same.
  @Test func otherFilesAreCauses() throws {
    let scene = "scene { size: 64x64;  for: 1s;  image logo \"a.svg\" { size: 32 } }"
    func svg(_ color: String) -> String {
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect fill="\(color)" width="9" \
      height="9"/></svg>
      """
    }
    try folder.write("film.scene", scene)
    try folder.write("a.svg", svg("red"))
    try commit()
    try folder.write("a.svg", svg("blue"))
    let run = try diff("film.scene")
    #expect(run.output.contains("the content of a.svg differs"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("logo  image a.svg → a.svg (other content)"), "\(run.output)")
  }

  @Test func badRevisionsAreExplained() throws {
    try writeFilm()
    let none = try diff("film.scene")
    #expect(none.status == 3 && none.errors.contains("'film.scene' is not in a git repository"))
    try commit()
    let unknown = try diff("nowhere", "film.scene")
    #expect(unknown.status == 3 && unknown.errors.contains("has no revision 'nowhere'"))
    try folder.write("new.scene", "scene { for: 1s }")
    let missing = try diff("new.scene")
    #expect(missing.status == 3 && missing.errors.contains("'new.scene' does not exist in HEAD"))
    #expect(try diff("old.scene", "film.scene").status == 2)
    #expect(try diff("HEAD..", "film.scene").status == 2)
    #expect(try diff().status == 2)
    try folder.write("film.scene", "scene { oops }")
    try git("commit", "-q", "-a", "-m", "b")
    try writeFilm()
    let wrong = try diff("film.scene")
    #expect(wrong.status == 1 && wrong.errors.contains("HEAD:film.scene:1"), "\(wrong.errors)")
    try git("config", "remote.origin.promisor", "true")
    let partial = try diff("film.scene")
    #expect(partial.status == 3 && partial.errors.contains("partial clone"))
  }

  /// Fonts and sounds need not be in the folder of the scene, folders can be links, and hooks of
  /// git set variables.
  @Test func filesElsewhereAreCompared() throws {
    let text = "scene { size: 64x64;  for: 1s;  image logo \"../linked/a.svg\" { size: 32 } }"
    func svg(_ color: String) -> String {
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect fill="\(color)" width="9" \
      height="9"/></svg>
      """
    }
    for name in ["film", "shared"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
    }
    try folder.write("film/film.scene", text)
    try folder.write("shared/a.svg", svg("red"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/linked", withDestinationPath: "shared")
    try commit()
    try folder.write("shared/a.svg", svg("blue"))
    let run = try Program.run(
      [
        "/usr/bin/env", "GIT_DIR=.git", Program.scenec, "diff", "film/film.scene", "--root", ".",
      ], in: folder.path)
    #expect(run.status == 4 && run.output.contains("(other content)"), "\(run.output)\(run.errors)")
  }

  @Test func pointersOfGitLFSAreRefused() throws {
    try folder.write("film.scene", "scene { for: 1s;  image \"a.png\" }")
    try folder.write(
      "a.png", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    try commit()
    let run = try diff("film.scene")
    #expect(run.status == 3 && run.errors.contains("'a.png' in HEAD is stored with Git LFS"))
  }

  /// Nothing remains in the folder for temporary files.
  @Test func temporaryFilesAreRemoved() throws {
    try writeFilm()
    try commit()
    let place = folder.path + "/tmp"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let run = try Program.run(
      ["/usr/bin/env", "TMPDIR=\(place)", Program.scenec, "diff", "film.scene"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
  }
}
