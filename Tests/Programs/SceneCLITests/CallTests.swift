// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Invocations of the program: exit codes, messages and diagnostics.
@Suite("Calls", .cpuBudget(seconds: 3)) struct CallTests {
  private static let good = "scene { size: 128x128;  for: 1s;  circle { radius: t / 1s * 30 } }"

  private func expectOnly(_ folder: Folder, _ names: String...) {
    #expect(folder.names == names.sorted(), "\(folder.names)")
  }

  @Test func allDefectsOfAFileAreShown() throws {
    let folder = try Folder()
    try folder.write(
      "it's.vtt",
      """
      WEBVTT

      00:01.000 --> 00:0x.000
      one

      00:00.000 --> 00:01.000 region:nope
      two

      """)
    try folder.write("a.scene", "scene { size: 64x64;  for: 2s;  captions \"it's.vtt\" }")
    let run = try Program.run([Program.scenec, "check", "a.scene"], in: folder.path)
    #expect(run.errors.contains("a caption with invalid times (line 3)"), "\(run.errors)")
    #expect(run.errors.contains("ignored: 'region:nope' (line 6)"), "\(run.errors)")
  }

  @Test func exitCodesAndMessages() throws {
    let folder = try Folder()
    try folder.write("good.scene", Self.good)
    try folder.write("bad.scene", "scene { for: 1s;  circl { } }")
    try folder.write(
      "marked.scene",
      "scene { for: 1s;  marker intro { at: 0s }  marker _middle { at: 0.5s }  circle { } }")
    try folder.write("one.scene", "scene { for: 1s;  marker soon { at: 0s }  circle { } }")
    let rows: [([String], Int32, String)] = [
      (["check", "good.scene"], 0, "good.scene: 128x128, 30 fps, 1s, 30 frames"),
      (["check", "bad.scene"], 1, "help: change to 'circle'"),
      (["check", "none.scene"], 3, "cannot read 'none.scene': No such file or directory"),
      (["check", "good"], 3, "did you mean 'good.scene'?"),
      (["chekc", "good.scene"], 2, "did you mean 'check'?"),
      (["good.scene"], 2, "did you mean 'scenec build good.scene'?"),
      (["build", "good.scene", "--qualty", "3"], 2, "did you mean '--quality'?"),
      (["build"], 2, "expected a file"),
      (["frame", "good.scene", "--at", "9s"], 2, "after the end"),
      (["frame", "good.scene", "--at", "outro"], 2, "no marker 'outro'; it has no markers"),
      (["frame", "marked.scene", "--at", "outro"], 2, "its markers are _middle, intro"),
      (["frame", "marked.scene", "--at", "itnro"], 2, "did you mean 'intro'?"),
      (["frame", "one.scene", "--at", "outro"], 2, "its only marker is 'soon'"),
      (["ir", "marked.scene", "--at", "_middle"], 0, ""),
      (["sheet", "marked.scene", "--from", "_middle", "--to", "outro"], 2, "no marker 'outro'"),
      (["sheet", "marked.scene", "--from", "_middle", "--to", "intro"], 2, "no frames between"),
      (["sheet", "marked.scene", "--from", "intro", "--to", "_middle", "-o", "-"], 0, ""),
      (["frame", "good.scene", "--frame", "x"], 2, "whole number"),
      (["check", "good.scene", "--limit", "elments=3"], 2, "did you mean 'elements'?"),
      (["check", "good.scene", "--scene", "other"], 1, "unknown scene 'other'"),
      (["check", "good.scene", "--color", "blue"], 2, "one of auto|always|never"),
      (["explain", "E0201"], 0, ""), (["explain", "E9999"], 2, "unknown code"),
      (["explain"], 0, ""), (["explain", "201"], 0, ""),
      (["explain", "E0201", "E0202"], 2, "single code"),
      (["--version"], 0, ""), (["help", "build"], 0, ""), (["codecs"], 0, ""),
      (["fonts", "dejavu"], 0, ""), ([], 2, "Usage"),
    ]
    for (arguments, status, text) in rows {
      let run = try Program.run([Program.scenec] + arguments, in: folder.path)
      #expect(run.status == status, "\(arguments): \(run)")
      #expect(text.isEmpty || run.errors.contains(text), "\(arguments): \(run.errors)")
    }
  }

  /// The captions of another language are not a misspelling, unlike those of another file.
  @Test(arguments: [("talk.de.srt", false), ("tolk.en.srt", true)])
  func captionsOfAnotherLanguage(_ name: String, isSimilar: Bool) throws {
    let folder = try Folder()
    try folder.write("talk.en.srt", "1\n00:00:00,000 --> 00:00:01,000\nHi\n")
    try folder.write("a.scene", "scene { for: 1s;  captions \"\(name)\" }")
    let run = try Program.scenec("check", "a.scene", in: folder.path)
    #expect(run.errors.contains("file '\(name)' not found"), "\(run.errors)")
    #expect(run.errors.contains("talk.en.srt") == isSimilar, "\(run.errors)")
  }

  /// An import that is not found suggests a similar file, but not the importing file.
  @Test(arguments: [("globes-of-glas.scene", true), ("mair.scene", false)])
  func importsThatAreNotFound(_ name: String, isSimilar: Bool) throws {
    let folder = try Folder()
    try folder.write("globes-of-glass.scene", "let size = 3")
    try folder.write("main.scene", "import \"\(name)\"\nscene { for: 1s;  circle { } }")
    let run = try Program.scenec("check", "main.scene", in: folder.path)
    #expect(run.errors.contains("file '\(name)' not found"), "\(run.errors)")
    #expect(run.errors.contains("change to") == isSimilar, "\(run.errors)")
  }

  /// The fonts of the project that applies to the working folder are listed, too.
  @Test func fontsOfTheProjectAreListed() throws {
    let folder = try Folder()
    try folder.write("videos/project.scene", "project { fonts: [\"*.ttf\"] }")
    let font = try Repository.bytes("Examples/cookbook/breathing.ttf")
    try Data(font).write(to: URL(fileURLWithPath: folder.path + "/videos/Breath.ttf"))
    let inside = try Program.scenec("fonts", "breath", in: folder.path + "/videos")
    #expect(inside.output.hasPrefix("Breath.ttf: "), "\(inside)")
    #expect(inside.output.contains("default"), "\(inside)")
    #expect(try Program.scenec("fonts", "breath", in: folder.path).output.isEmpty)
  }

  /// A file with a layout of its own is checked twice.
  @Test func standardInputIsReadOnce() throws {
    let folder = try Folder()
    try folder.write(
      "two.scene",
      "scene { for: 1s;  output a { }  output b { size: 640x640;  layout: own }  circle { } }")
    let command = "'\(Program.scenec)' check - < two.scene"
    let run = try Program.run(["/bin/sh", "-c", command], in: folder.path)
    #expect(run.status == 0, "\(run)")
  }

  @Test func diagnosticsAsJSON() throws {
    let folder = try Folder()
    try folder.write(
      "bad.scene", "scene {\n  for: 1s\n  circle { rädius: 3 }\n  text \"é\" { fill: steelblu }\n}")
    let run = try Program.scenec("check", "--format", "json", "bad.scene", in: folder.path)
    #expect(run.status == 1)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "scenec/check/1")
    let list = try #require(document["diagnostics"] as? [[String: Any]])
    #expect(list.count == 2)
    #expect(list[1]["code"] as? String == "E0203")
    let range = list[1]["range"] as? [String: [String: Int]]
    #expect(range?["start"] == ["line": 4, "column": 20])
    #expect(range?["end"] == ["line": 4, "column": 28])
    #expect(
      ((list[1]["fixes"] as? [[String: Any]])?.first?["replacement"] as? String) == "steelblue")
  }

  /// The diagnostics of a file that several scenes import are reported once.
  @Test func diagnosticsOfSharedImports() throws {
    let folder = try Folder()
    try folder.write("dots.scene", "component Dot() { circle { radus: 3 } }")
    let scene = "import \"dots.scene\"\nscene { for: 1s;  size: 64x64;  Dot { } }"
    try folder.write("a.scene", scene)
    try folder.write("b.scene", scene)
    try folder.write("c.scene", scene + "\nlet _other = 1 + true")
    let run = try Program.scenec("check", "a.scene", "b.scene", "c.scene", in: folder.path)
    #expect(run.status == 1, "\(run)")
    #expect(run.errors.components(separatedBy: "E0201").count == 2, "\(run)")
    #expect(run.errors.contains("b.scene: 1 error, shown above"), "\(run)")
    #expect(run.errors.components(separatedBy: "E0302").count == 2, "\(run)")
    #expect(!run.errors.contains("2 errors"), "\(run)")
    let json = try Program.scenec(
      "check", "a.scene", "b.scene", "--format", "json", in: folder.path)
    #expect(json.output.components(separatedBy: "E0201").count == 2, "\(json)")
    // Another path of the same file.
    try folder.write("sub/d.scene", scene.replacing("dots.scene", with: "../dots.scene"))
    let other = try Program.scenec(
      "check", "a.scene", "--root", ".", "sub/d.scene", in: folder.path)
    #expect(other.errors.components(separatedBy: "E0201").count == 2, "\(other)")
  }

  @Test func diagnosticsAsSARIF() throws {
    let folder = try Folder()
    try folder.write(
      "a b.scene", "scene {\n  for: 1s\n  circle { }\n  text \"é\" { fill: steelblu }\n}")
    let run = try Program.scenec("check", "--format", "sarif", "a b.scene", in: folder.path)
    #expect(run.status == 1)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let record = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = (record["tool"] as? [String: [String: Any]])?["driver"]
    let rules = try #require(driver?["rules"] as? [[String: Any]])
    let results = try #require(record["results"] as? [[String: Any]])
    #expect(results.map { $0["ruleId"] as? String } == ["E0203"])
    #expect(rules[try #require(results[0]["ruleIndex"] as? Int)]["id"] as? String == "E0203")
    let place = (results[0]["locations"] as? [[String: [String: [String: Any]]]])?.first
    let location = try #require(place?["physicalLocation"])
    #expect(location["artifactLocation"]?["uri"] as? String == "a%20b.scene")
    #expect(
      location["region"] as? [String: Int]
        == ["startLine": 4, "startColumn": 20, "endLine": 4, "endColumn": 28])
    let run2 = try Program.scenec("plan", "a b.scene", "--format", "sarif", in: folder.path)
    #expect(run2.status == 2)
    #expect(run2.errors.contains("'plan' supports text and json, not sarif"))
    // A file that cannot be read does not hide the diagnostics of the others.
    let partial = try Program.scenec(
      "check", "--format", "sarif", "a b.scene", "none.scene", in: folder.path)
    #expect(partial.status == 3 && partial.output == run.output)
    #expect(partial.errors.contains("cannot read 'none.scene'"))
  }

  /// Every schema names the documents that it describes.
  @Test func schemasArePrinted() throws {
    for name in ["check", "diff", "plan", "test", "timeline"] {
      let run = try Program.scenec("docs", "--schema", name, in: "/")
      let schema = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let members = schema["properties"] as? [String: [String: Any]]
      #expect(members?["schema"]?["const"] as? String == "scenec/\(name)/1")
    }
    let run = try Program.scenec("docs", "--schema", "build", in: "/")
    #expect(
      run.status == 2
        && run.errors.contains("the schemas are check, diff, plan, test, timeline"))
  }

  @Test func oddCalls() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.good)
    try folder.write("\u{1B}[31m.scene", "scene { for: 1s;  circl { } }")
    let rows: [(String, Int32, String)] = [
      ("build a.scene -o=b.mp4", 0, ""), ("new /", 2, "is not a valid name"),
      ("new x/", 2, "is not a valid name"), ("check \"$(printf '\\377')\"", 2, "not valid UTF-8"),
      ("build a.scene --fps 1000000/1", 1, "the frame rate is 1000000"),
      ("build a.scene --fps 1e18", 2, "from 0.01 to 1000"),
      ("build a.scene --fps 1/1000000", 2, "at least 0.01"),
      ("build a.scene --fps 0/1", 2, "a number or a ratio"),
      ("build a.scene --scale 0", 2, "a factor from 0.01 to 16"),
      ("build a.scene --scale 0.5 --width 9", 2, "cannot be combined"),
      ("frame a.scene --at 0s --frame 3", 2, "cannot be combined"),
      ("sheet a.scene --every 1s --count 3", 2, "cannot be combined"),
      ("check a.scene --row 2", 2, "'--row' requires a table"),
      ("build a.scene -o '{scene'", 2, "unknown file extension"),
    ]
    for (call, status, text) in rows {
      let run = try Program.run(
        ["/bin/sh", "-c", "'\(Program.scenec)' \(call)"], in: folder.path)
      #expect(run.status == status, "\(call): \(run)")
      #expect(text.isEmpty || run.errors.contains(text), "\(call): \(run)")
    }
    let escape = try Program.scenec("check", "\u{1B}[31m.scene", in: folder.path)
    #expect(!escape.errors.contains("\u{1B}") && escape.errors.contains("E0202"))
    // Errors in the command line and in the scene are reported in the same run.
    try folder.write("bad.scene", "scene { for: 1s;  circl { } }")
    let both = try Program.scenec(
      "build", "bad.scene", "--jobs", "zero", "--quality", "199", in: folder.path)
    #expect(both.status == 2)
    for text in ["--jobs", "--quality", "E0202"] { #expect(both.errors.contains(text)) }
    expectOnly(folder, "a.scene", "b.mp4", "bad.scene", "\u{1B}[31m.scene")
  }
}
