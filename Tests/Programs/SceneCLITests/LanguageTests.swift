// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Files that import each other, data, and the commands that work on source text.
@Suite("Files and data", .cpuBudget(seconds: 5)) struct LanguageTests {
  private func ir(_ folder: Folder) throws -> String {
    let run = try Program.scenec("ir", "main.scene", "--frame", "0", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func brokenJSONHasAPlace() throws {
    let folder = try Folder()
    try folder.write(
      "main.scene", "let rows = data(\"a.json\")\nscene { for: 1s;  text \"{rows[0].a}\" }")
    for (json, place) in [
      ("[{\"a\": 1},\n  {\"a\": x}]", "line 2, column 9: expected a value, found 'x'"),
      ("[{\"ä\": 1 \"b\": 2}]", "line 1, column 10: expected ',' or '}', found '\"'"),
      ("[1, 2", "line 1, column 6: expected ',' or ']', found the end of the file"),
      ("[\"a\n\"]", "line 1, column 4: a string contains a control character"),
      ("[1] 2", "line 1, column 5: expected the end of the file, found '2'"),
      (
        "[{\"w\": 50%}]",
        "line 1, column 10: a number with a unit must be in double quotes: \"50%\""
      ),
      ("[-3px, 1]", "line 1, column 4: a number with a unit must be in double quotes: \"-3px\""),
      ("[1.]", "line 1, column 4: expected a digit, found ']'"),
      ("[1,\n 1e999]", "line 2, column 2: the number 1e999 is too large"),
      ("[\"\\x\"]", "line 1, column 3: unknown escape"),
    ] {
      try folder.write("a.json", json)
      let run = try Program.scenec("check", "main.scene", in: folder.path)
      #expect(run.status == 1 && run.errors.contains(place), "\(json)\n\(run.errors)")
    }
  }

  @Test func quietIsQuiet() throws {
    let folder = try Folder()
    try folder.write("warns.scene", "scene { for: 1s;  size: 64x64;  let a = 1;  circle { } }")
    try folder.write("wrong.scene", "scene { for: 1s;  circle { radus: 3 } let a = 1 }")
    for words in [["check", "warns.scene"], ["frame", "warns.scene", "--at", "0s"]] {
      let run = try Program.run([Program.scenec] + words + ["--quiet"], in: folder.path)
      #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(words) \(run)")
    }
    let wrong = try Program.scenec("check", "wrong.scene", "--quiet", in: folder.path)
    #expect(wrong.errors.contains("E0201") && !wrong.errors.contains("W0201"), "\(wrong)")
    let strict = try Program.scenec("check", "warns.scene", "--quiet", "--strict", in: folder.path)
    #expect(strict.status == 1 && strict.errors.contains("W0201"), "\(strict)")
    let build = try Program.scenec("build", "warns.scene", "--quiet", "--strict", in: folder.path)
    #expect(build.status == 1 && build.errors.contains("W0201"), "\(build)")
    #expect(!folder.names.contains("warns.mp4"))
    try folder.write("rows.csv", "n\n1\n2\n3\n")
    try folder.write(
      "row.scene", "param n: number = 1\nscene { for: 1s;  let a = 1;  circle { radius: n } }")
    let rows = try Program.scenec("check", "row.scene", "--data", "rows.csv", in: folder.path)
    #expect(rows.errors.components(separatedBy: "W0201").count == 2, "\(rows)")
  }

  @Test func warningsOfAnImportedScenePointAtItsUse() throws {
    let folder = try Folder()
    try folder.write(
      "teaser.scene",
      """
      scene teaser {
        size: 640x360
        sequence { transition: dissolve over 0.4s
          group { for: 1s;  text "edge" { position: (1, 50%) } }
          group { for: 1s;  text "dim" { fill: #111 } }
        }
      }
      """)
    try folder.write(
      "main.scene",
      "import \"teaser.scene\"\nscene { size: 640x360;  for: 1.6s\n  teaser { size: 100% }\n}")
    let errors = try Program.scenec("check", "main.scene", in: folder.path).errors
    let places = errors.split(separator: "\n").filter { $0.contains("--> main.scene") }
    #expect(!places.isEmpty && places.allSatisfy { $0.hasSuffix("main.scene:3:3") }, "\(errors)")
  }

  @Test func importsBringPublicNames() throws {
    let folder = try Folder()
    try folder.write(
      "lib/brand.scene",
      """
      import "base.scene"
      let accent = #ff8a3d
      let _radius = 10
      fn twice(x: number) -> number = x * base-factor
      style card { fill: accent }
      component Dot(x: number = _radius) { circle { radius: twice(x);  style: card } }
      scene inner { size: 200x100;  for: 1s;  background: navy }
      """)
    try folder.write("lib/base.scene", "let base-factor = 2")
    try folder.write(
      "main.scene",
      """
      import "lib/brand.scene" as brand
      scene { for: 1s
        brand.Dot { position: (100, 100) }
        rect { fill: brand.accent;  size: brand.twice(30);  position: (300, 100);  style: brand.card }
        brand.inner { position: (600, 100) }
      }
      """)
    let text = try ir(folder)
    for line in ["ellipse (960, 540) 20 20 #ff8a3d", "rect [270 70 60 60] #ff8a3d", "#000080"] {
      #expect(text.contains(line), "\(line)\n\(text)")
    }
    try folder.write("main.scene", "import \"lib/brand.scene\"\nscene { for: 1s;  Dot {} }")
    #expect(try ir(folder).contains("20 20 #ff8a3d"))
  }

  /// Imports of other files do not matter for the names of a file.
  @Test func namesOfTwoImportsConflictInOneFile() throws {
    let folder = try Folder()
    try folder.write("a.scene", "let side = 1")
    try folder.write("b.scene", "let side = 2")
    try folder.write("c.scene", "import \"b.scene\"\nlet other = side")
    func check(_ last: String) throws -> Run {
      try folder.write(
        "main.scene",
        "import \"a.scene\"\nimport \"c.scene\" as c\nimport \"\(last).scene\"\n"
          + "scene { for: 1s;  circle { radius: side + c.other } }")
      return try Program.scenec("check", "main.scene", in: folder.path)
    }
    #expect(try check("a").status == 0)
    let twice = try check("b")
    #expect(twice.status == 1)
    #expect(twice.errors.contains("'side' is imported from two files"), "\(twice.errors)")
    #expect(twice.errors.contains("also declared in 'a.scene'"), "\(twice.errors)")
  }

  @Test func errorsStandInTheirOwnFile() throws {
    let folder = try Folder()
    try folder.write("a.scene", "let a = 1 +\nlet b = 2")
    try folder.write("main.scene", "import \"a.scene\"\nscene { for: 1s;  circle { radius: b } }")
    let run = try Program.scenec("check", "main.scene", in: folder.path)
    #expect(run.status == 1 && run.errors.contains("a.scene:1:11"), "\(run.errors)")
    try folder.write("a.scene", "import \"b.scene\"")
    try folder.write("b.scene", "import \"main.scene\"")
    let ring = try Program.scenec("check", "main.scene", in: folder.path)
    #expect(ring.errors.contains("E0209") && ring.errors.contains("'b.scene' is imported here"))
    #expect(ring.errors.components(separatedBy: "error[").count == 2, "\(ring.errors)")
    try folder.write("main.scene", "import \"../secret.scene\"\nscene { for: 1s;  circle {} }")
    let outside = try Program.scenec("check", "main.scene", in: folder.path)
    #expect(outside.status == 1 && outside.errors.contains("E050"))
  }

  @Test func dataBecomeWhatIsExpected() throws {
    let folder = try Folder()
    try folder.write(
      "rows.csv",
      "name,size,tint,note\r\n\"Ann, A.\",12,#ff8800,\"say \"\"hi\"\"\"\nBob,7.5,teal,\n")
    try folder.write("x.json", #"{"list": [1, 2.5], "on": true, "none": null, "deep": {"k": "v"}}"#)
    try folder.write(
      "main.scene",
      """
      let rows = data("rows.csv")
      let j = data("x.json")
      scene { for: 1s
        for row, i in sort(rows, by: "size") {
          circle { radius: row.size;  fill: row.tint;  position: (100 * i, 0) }
        }
        text "{rows[0].name}|{rows[0]["note"]}|{rows[1].note}|{j.list[1] + 1}|{j.deep.k}"
      }
      """)
    let text = try ir(folder)
    #expect(text.contains("(0, 0) 7.5 7.5 #008080") && text.contains("(100, 0) 12 12 #ff8800"))
    #expect(text.contains(#"run "Ann, A.|say \"hi\"||3.5|v""#), "\(text)")
    for (csv, wanted) in [
      ("a,b\n1,2,3\n", "rows.csv:2:5: the row has 3 cells"),
      ("a,a\n1,2\n", "rows.csv:1:3: duplicate column 'a'"),
      ("a\n\"open\n", "rows.csv:2:1: unterminated quoted cell"),
    ] {
      try folder.write("rows.csv", csv)
      let run = try Program.scenec("check", "main.scene", in: folder.path)
      #expect(run.errors.contains(wanted), "\(run.errors)")
    }
  }

  @Test func oneVideoForEachRow() throws {
    let folder = try Folder()
    try folder.write("rows.csv", "name,score\nann,3\nbob,99\n../eve,4\ncyd,few\n,5\n")
    try folder.write(
      "main.scene",
      """
      param name: text
      param score: number in 0..10
      scene { size: 64x64;  for: 0.2s;  text "{name} {score}" { font-size: 20 } }
      """)
    let run = try Program.scenec(
      "build", "main.scene", "--data", "rows.csv", "-o", "{name}.y4m", in: folder.path)
    #expect(run.status == 1)
    #expect(run.output == "ann.y4m\n_eve.y4m\n", "\(run.output)")
    for wanted in [
      "rows.csv:3:1: 'bob.y4m' was not built", "E0305", "rows.csv:3:5: 'score' is 99",
      "rows.csv:5:5: 'few' is not a valid value for the param 'score'",
      "rows.csv:6:1: row 5 has no value for its file name", "3 of 5 videos were not built",
    ] {
      #expect(run.errors.contains(wanted), "\(run.errors)")
    }
    let made = try Program.scenec(
      "build", "main.scene", "--data", "rows.csv", "-o", "out/{name}.y4m", in: folder.path)
    #expect(made.status == 1 && made.output == "out/ann.y4m\nout/_eve.y4m\n", "\(made)")
    for (pattern, wanted) in [
      ("x.y4m", "each row requires its own file"), ("{nam}.y4m", "did you mean {name}?"),
    ] {
      let wrong = try Program.scenec(
        "build", "main.scene", "--data", "rows.csv", "-o", pattern, in: folder.path)
      #expect(wrong.status == 2 && wrong.errors.contains(wanted), "\(wrong.errors)")
    }
    // A single row needs only one name.
    let one = try Program.scenec(
      "build", "main.scene", "--data", "rows.csv", "--row", "1", "-o", "one.y4m", in: folder.path)
    #expect(one.status == 0 && one.output == "one.y4m\n", "\(one)")
    // Errors of the scene itself are reported first, before columns without a param.
    try folder.write("broken.scene", "params name\n")
    let broken = try Program.scenec(
      "build", "broken.scene", "--data", "rows.csv", "-o", "{name}.y4m", in: folder.path)
    #expect(broken.status == 1 && broken.errors.contains("broken.scene:1:1"), "\(broken.errors)")
  }

  /// A row without a value never takes that of another row; only an empty text is allowed.
  @Test func emptyCellsAreErrors() throws {
    let folder = try Folder()
    try folder.write("rows.csv", "name;score;note\r\nann;3;\r\nbob;;hello\r\n")
    try folder.write("rows.json", "[{\"name\": \"cyd\"}, {\"name\": \"dan\", \"score\": null}]")
    try folder.write(
      "main.scene",
      """
      param name: text
      param score: number = 80
      param note: text = ""
      scene { size: 64x64;  for: 0.2s;  text "{name} {score} {note}" { font-size: 20 } }
      """)
    let run = try Program.scenec(
      "build", "main.scene", "--data", "rows.csv", "-o", "{name}.y4m", in: folder.path)
    #expect(run.status == 1 && run.output == "ann.y4m\n", "\(run)")
    #expect(
      run.errors.contains("rows.csv:3:5: the cell of the param 'score' is empty"), "\(run.errors)")
    let json = try Program.scenec(
      "build", "main.scene", "--data", "rows.json", "-o", "{name}.y4m", in: folder.path)
    #expect(json.status == 1 && json.output == "cyd.y4m\n", "\(json)")
    #expect(json.errors.contains("rows.json, row 2: the cell of the param 'score' is empty"))
    try folder.write("bad.json", "[{\"name\": \"a\"},\n{\"score\" 1}]")
    let bad = try Program.scenec(
      "build", "main.scene", "--data", "bad.json", "-o", "{name}.y4m", in: folder.path)
    #expect(bad.errors.contains("bad.json: line 2, column 10: expected ':', found '1'"), "\(bad)")
    try folder.write(
      "noted.scene",
      "param note: text = \"none\"\nscene { size: 64x64;  for: 0.2s;  text note { font-size: 20 } }"
    )
    let noted = try Program.scenec(
      "build", "noted.scene", "--data", "rows.csv", "-o", "{name}.y4m", in: folder.path)
    #expect(noted.errors.contains("param note: text = \"\""), "\(noted.errors)")
  }

  /// Segments that rows have in common are encoded once, and each file equals that of its row
  /// alone.
  @Test func rowsShareSegments() throws {
    let folder = try Folder()
    try folder.write("rows.csv", "name\nann\nbob\ncyd\n")
    try folder.write(
      "main.scene",
      """
      param name: text = "nobody"
      scene { size: 128x128;  for: 8s;  fps: 10
        circle { for: 4s;  radius: 5 -> 50 }
        text "{name}" { at: 4s;  font-size: 30;  rotate: 0deg -> 90deg } }
      """)
    let run = try Program.scenec(
      "build", "main.scene", "--data", "rows.csv", "-o", "{name}.mp4", in: folder.path)
    #expect(
      run.status == 0 && run.errors.contains("rendered 4 of 6 segments"),
      "\(run.errors)")
    for name in ["ann", "bob", "cyd"] {
      let alone = try Program.scenec(
        "build", "main.scene", "--set", "name=\(name)", "-o", "alone.mp4", in: folder.path)
      #expect(alone.status == 0)
      #expect(folder.data("alone.mp4") == folder.data("\(name).mp4"), "\(name)")
    }
  }

  @Test func formatFixAndDocs() throws {
    let folder = try Folder()
    try folder.write("main.scene", "scene{for:2\ncircl{fill:steelblu}}")
    let unformatted = try Program.scenec("fmt", "--check", "main.scene", in: folder.path)
    #expect(unformatted.status == 1 && unformatted.output == "main.scene\n")
    let fixed = try Program.scenec("check", "--fix", "main.scene", in: folder.path)
    #expect(fixed.status == 0 && fixed.errors.contains("applied 3 fixes"), "\(fixed.errors)")
    let formatted = try Program.scenec("fmt", "main.scene", in: folder.path)
    #expect(formatted.status == 0)
    let text = String(decoding: try #require(folder.data("main.scene")), as: UTF8.self)
    #expect(text == "scene {\n    for: 2s\n    circle { fill: steelblue }\n}\n", "\(text)")
    let page = try Program.scenec("docs", "corner-radius", in: folder.path)
    #expect(
      page.output.hasPrefix(
        "corner-radius (property)\nof column, grid, image, path, polygon, polyline, rect, row, star, svg, video; 0\nby default; at least 0\n"
      ),
      "\(page.output)")
    let unknown = try Program.scenec("docs", "opacty", in: folder.path)
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'opacity'?"))
  }

  @Test func warningsCanBeAllowedAndMadeStrict() throws {
    let folder = try Folder()
    try folder.write("main.scene", "scene { for: 1s\n  rect { opacity: 3 }\n}")
    #expect(try Program.scenec("check", "main.scene", in: folder.path).status == 0)
    #expect(try Program.scenec("check", "--strict", "main.scene", in: folder.path).status == 1)
    try folder.write(
      "main.scene", "scene { for: 1s\n  rect { opacity: 3 }  // scenec: allow W0307\n}")
    let run = try Program.scenec("check", "--strict", "main.scene", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
  }
}
