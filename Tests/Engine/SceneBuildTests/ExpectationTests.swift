// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// `scenec test`.
@Suite("Tests of scenes", .cpuBudget(seconds: 11)) struct ExpectationTests {
  private static let good = """
    scene good {
        size: 320x180;  fps: 10;  for: 2s
        rect box { size: 40;  position: (20%, 50%) -> (80%, 50%) over 1s }
        expect "inside" { inside(box, scene) }
    }

    """
  private static let bad = """
    scene {
        size: 320x180;  fps: 10;  for: 2s
        rect box { size: 40;  position: (20%, 50%) -> (110%, 50%) over 1s with linear }
        expect "inside" { inside(box, scene) }
        expect "short" { scene.duration <= 2s }
    }

    """

  private func test(_ words: String..., in folder: Folder) throws -> Run {
    try Program.run([Program.scenec, "test"] + words, in: folder.path)
  }

  @Test func oneLineForEachExpectation() throws {
    let folder = try Folder()
    try folder.write("good.scene", Self.good)
    try folder.write("bad.scene", Self.bad)
    let run = try test("good.scene", "bad.scene", in: folder)
    #expect(run.status == 4)
    #expect(
      run.output == """
        ok    good.scene:4  inside
        FAIL  bad.scene:4  inside
        ok    bad.scene:5  short
        3 expectations: 2 passed, 1 failed

        """)
    #expect(run.errors.contains("\"inside\" does not hold at 0.9s (frame 9)"), "\(run.errors)")
    #expect(run.errors.contains("it holds in 9 of 20 frames"), "\(run.errors)")
    #expect(try test("good.scene", in: folder).status == 0)
    #expect(try test("bad.scene", "--filter", "short", in: folder).status == 0)
  }

  @Test func theStatusNamesTheWorstProblem() throws {
    let folder = try Folder()
    try folder.write("bad.scene", Self.bad)
    try folder.write("wrong.scene", "scene { for: 1s;  circle { radus: 3 }  expect { true } }")
    #expect(try test("bad.scene", "wrong.scene", in: folder).status == 1)
    #expect(try test("bad.scene", "wrong.scene", "none.scene", in: folder).status == 3)
    #expect(try test("bad.scene", "--format", "sarif", in: folder).status == 2)
  }

  @Test func findsScenesBelowAFolder() throws {
    let folder = try Folder()
    #expect(try test(in: folder).status == 2)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/films/.hidden", withIntermediateDirectories: true)
    try folder.write("films/good.scene", Self.good)
    try folder.write("films/.hidden/bad.scene", Self.bad)
    try folder.write("plain.scene", "scene { for: 1s;  circle { } }")
    let run = try test(in: folder)
    #expect(run.status == 0)
    #expect(run.output.contains("1 expectation: 1 passed"), "\(run.output)")
  }

  @Test func layoutsAndRows() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      """
      param wide: number = 100
      scene {
          size: 320x180;  for: 1s
          rect box { size: (wide, 20) }
          expect "fits" { inside(box, scene) }
          output tall { size: 90x160;  layout: own }
          output slow { size: 90x160;  fps: 5 }
          expect "often" { at: 0.05s;  for: 0.1s;  inside(box, scene) }
      }

      """)
    let run = try test("a.scene", in: folder)
    #expect(run.status == 4)
    #expect(run.output.contains("ok    a.scene:5  fits\n"), "\(run.output)")
    #expect(run.output.contains("FAIL  a.scene:5  fits (90x160)"), "\(run.output)")
    #expect(run.output.contains("ok    a.scene:5  fits (5 fps)"), "\(run.output)")
    // None of the frames at 5 fps is in this interval.
    #expect(run.output.contains("ok    a.scene:8  often\n"), "\(run.output)")
    #expect(run.output.contains("FAIL  a.scene:8  often (5 fps)"), "\(run.output)")
    try folder.write("rows.csv", "wide\n50\n400\n")
    let rows = try test("a.scene", "--data", "rows.csv", in: folder)
    #expect(rows.output.contains("ok    a.scene:5  fits (row 1)"), "\(rows.output)")
    #expect(rows.output.contains("FAIL  a.scene:5  fits (row 2)"), "\(rows.output)")
    #expect(try test("a.scene", "--set", "wide=80", "--filter", "fits", in: folder).status == 0)
  }

  @Test func soundAndFlashes() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      """
      scene {
          size: 160x90;  for: 2s
          rect { size: 100%;  fill: wave(0.2s) > 0 ? white : black }
          expect "flashes" { flashes() == 0 }
          expect "loud" { loudness() > -20 }
      }

      """)
    let run = try test("a.scene", in: folder)
    #expect(run.status == 4)
    #expect(run.output.contains("FAIL  a.scene:4  flashes"), "\(run.output)")
    #expect(run.output.contains("????  a.scene:5  loud"), "\(run.output)")
    #expect(run.errors.contains("flashes() is 1"), "\(run.errors)")
    #expect(run.errors.contains("the scene has no sound"), "\(run.errors)")
  }

  @Test func reports() throws {
    let folder = try Folder()
    try folder.write("bad <1>.scene", Self.bad)
    let junit = try test("bad <1>.scene", "--format", "junit", in: folder)
    #expect(junit.output.contains("failures=\"1\""), "\(junit.output)")
    #expect(junit.output.contains("bad &lt;1&gt;.scene"), "\(junit.output)")
    let json = try test("bad <1>.scene", "--format", "json", "--report", "out", in: folder)
    #expect(json.output.contains("\"schema\" : \"scenec/test/1\""), "\(json.output)")
    let page = String(decoding: try #require(folder.data("out/index.html")), as: UTF8.self)
    #expect(page.contains("it holds in 9 of 20 frames"), "\(page)")
  }

  @Test func goldenFrames() throws {
    let folder = try Folder()
    func scene(_ color: String, _ more: String = "") throws {
      try folder.write(
        "a.scene",
        """
        scene {
            size: 64x36;  for: 2s
            rect box { size: 20;  fill: \(color);  for: 1s }
            expect "looks" { golden: [0.5s, box.end]\(more) }
        }

        """)
    }
    try scene("#ff0000")
    let first = try test("a.scene", in: folder)
    #expect(first.status == 4)
    #expect(first.errors.contains("'0.5s' has no stored image"), "\(first.errors)")
    #expect(folder.data("goldens/a/scene/box.end.new.png") != nil)
    #expect(
      try Program.run(
        ["/usr/bin/env", "CI=1", Program.scenec, "test", "a.scene", "--accept"], in: folder.path
      ).status == 2)
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    #expect(folder.data("goldens/a/scene/box.end.new.png") == nil)
    #expect(try test("a.scene", in: folder).status == 0)
    // A different scene, with and without a tolerance.
    try scene("#fa0000")
    let second = try test("a.scene", "--report", "out", in: folder)
    #expect(second.status == 4)
    #expect(second.errors.contains("the scene changed"), "\(second.errors)")
    #expect(second.errors.contains("pixels differ by at most 5 of 255, within"), "\(second.errors)")
    #expect(folder.data("goldens/a/scene/0.5s.new.png") != nil)
    #expect(folder.data("out/0-before.png") != nil)
    try scene("#fa0000", ";  tolerance: 8")
    #expect(try test("a.scene", in: folder).status == 0)
    #expect(folder.data("goldens/a/scene/0.5s.new.png") == nil)
    // Another size, and a damaged image.
    let size = try test("a.scene", "--size", "128x72", in: folder)
    #expect(size.errors.contains("the stored image has 64x36 pixels"), "\(size.errors)")
    try folder.write("goldens/a/scene/0.5s.png", "no image")
    let damaged = try test("a.scene", in: folder)
    #expect(damaged.errors.contains("the stored image of '0.5s' was changed"), "\(damaged.errors)")
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    // An image that no expectation names.
    try folder.write(
      "a.scene", "scene { size: 64x36;  for: 2s;  rect { }  expect { golden: 1s } }")
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    #expect(folder.data("goldens/a/scene/0.5s.png") == nil)
    #expect(folder.data("goldens/a/scene/1s.png") != nil)
    try folder.write("goldens/a/scene/goldens.json", "no index")
    #expect(try test("a.scene", in: folder).status == 3)
  }

  /// Golden frames and expectations see the frames of the video: captions only if an output draws
  /// them.
  @Test(arguments: ["track", "none", "burned", "both"])
  func framesHaveTheCaptionsOfTheVideo(_ captions: String) throws {
    let folder = try Folder()
    try folder.write("c.srt", "1\n00:00:00,500 --> 00:00:01,500\nHello\n")
    func scene(_ outputs: String) throws {
      try folder.write(
        "a.scene",
        """
        scene {
            size: 320x180;  for: 2s;  fps: 10
            \(outputs)
            group { captions subs "c.srt" { language: "en";  at: 0s } }
            expect { golden: 1s }
            expect { covered(dot) == false }
            rect dot { size: 4;  fill: red }
        }

        """)
    }
    func frame(_ name: String) throws -> Data {
      let run = try Program.run(
        [Program.scenec, "frame", "a.scene", "--at", "1s", "-o", name], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      return try #require(folder.data(name))
    }
    try scene("output { captions: none }")
    let bare = try frame("bare.png")
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    try scene("output { captions: \(captions) }")
    let isDrawn = ["burned", "both"].contains(captions)
    #expect(try (frame("one.png") != bare) == isDrawn)
    #expect(try (test("a.scene", in: folder).status == 4) == isDrawn)
    let text = try Program.run(
      [Program.scenec, "ir", "a.scene", "--at", "1s"], in: folder.path
    ).output
    #expect(text.contains("Hello") == isDrawn, "\(text)")
    // One output that draws them is enough.
    try scene("output small { captions: \(captions) }  output { }")
    #expect(try frame("two.png") != bare)
    #expect(try test("a.scene", in: folder).status == 4)
  }

  @Test func aLibraryAloneSaysSo() throws {
    let folder = try Folder()
    try folder.write(
      "cards.scene", "component Card() { rect box { size: 9 }  expect { inside(box, scene) } }")
    let run = try test("cards.scene", in: folder)
    #expect(run.status == 0)
    #expect(run.errors.contains("proven where a scene uses it"), "\(run.errors)")
    try folder.write("a.scene", "import \"cards.scene\"\nscene { for: 1s;  Card { } }")
    #expect(try test("a.scene", in: folder).output.contains("1 expectation: 1 passed"))
  }

  @Test func goldenFramesAreNoLinks() throws {
    let folder = try Folder()
    let text = "scene { size: 64x36;  for: 2s;  rect { }  expect { golden: 1s } }"
    try folder.write("a.scene", text)
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    try folder.write("other.png", "other")
    let files = FileManager.default
    for name in ["1s.png", "1s.new.png", "goldens.json"] {
      let path = "\(folder.path)/goldens/a/scene/\(name)"
      let kept = folder.data("goldens/a/scene/\(name)")
      try? files.removeItem(atPath: path)
      try files.createSymbolicLink(atPath: path, withDestinationPath: "../../../other.png")
      for words in [["a.scene"], ["a.scene", "--accept"]] {
        let run = try Program.run([Program.scenec, "test"] + words, in: folder.path)
        #expect(run.status == 3)
        #expect(run.errors.contains("'goldens/a/scene/\(name)' is a link"), "\(run.errors)")
      }
      #expect(folder.data("other.png") == Data("other".utf8))
      try files.removeItem(atPath: path)
      try kept?.write(to: URL(fileURLWithPath: path))
    }
    try files.moveItem(atPath: folder.path + "/goldens", toPath: folder.path + "/elsewhere")
    try files.createSymbolicLink(
      atPath: folder.path + "/goldens", withDestinationPath: "elsewhere")
    try folder.write("elsewhere/a/scene/foreign.png", "foreign")
    let run = try test("a.scene", "--accept", in: folder)
    #expect(run.status == 3)
    #expect(run.errors.contains("'goldens' is a link"), "\(run.errors)")
    #expect(folder.data("elsewhere/a/scene/foreign.png") != nil)
  }

  @Test(arguments: ["../../../victim", ".hidden", "a/b", ""])
  func namesInTheIndexAreNoPaths(_ name: String) throws {
    let folder = try Folder()
    try folder.write(
      "a.scene", "scene { size: 64x36;  for: 2s;  rect { }  expect { golden: 1s } }")
    #expect(try test("a.scene", "--accept", in: folder).status == 0)
    let index = String(
      decoding: try #require(folder.data("goldens/a/scene/goldens.json")), as: UTF8.self)
    try folder.write(
      "goldens/a/scene/goldens.json", index.replacingOccurrences(of: "\"1s\"", with: "\"\(name)\""))
    try folder.write("victim.png", "victim")
    let run = try test("a.scene", "--accept", in: folder)
    #expect(run.status == 3)
    #expect(run.errors.contains("is not an index of golden frames"), "\(run.errors)")
    #expect(folder.data("victim.png") != nil)
  }

  @Test func aFilterLeavesTheIndexRight() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      """
      scene {
          size: 64x36;  for: 2s
          rect { size: 20;  fill: wave(2s) > 0 ? red : blue }
          expect "first" { golden: 0.5s }
          expect "second" { golden: 1.5s }
      }

      """)
    #expect(try test("a.scene", "--accept", "--filter", "first", in: folder).status == 0)
    #expect(try test("a.scene", "--filter", "first", in: folder).status == 0)
    #expect(try test("a.scene", "--accept", "--filter", "second", in: folder).status == 0)
    #expect(try test("a.scene", in: folder).status == 0)
    let run = try test("a.scene", "--filter", "third", in: folder)
    #expect(run.status == 2)
    #expect(run.errors.contains("contains 'third'"), "\(run.errors)")
  }

  @Test func framesAtDifferentTimesHaveDifferentFiles() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      """
      scene {
          size: 64x36;  for: 3s
          rect { size: 20;  fill: red }
          for i in 1..3 { expect { golden: [1s * i] } }
          expect { golden: 1s }
          group { at: 1s;  expect { golden: 1s } }
          expect { golden: 1s }
          for j in 1..2 { circle dots { radius: 2;  at: 0.5s;  for: 1.5s } }
          expect { golden: [dots[0].start + 1s, dots[0].end - 1.25s, (0.5s + dots[0].end) / 4] }
      }

      """)
    let run = try test("a.scene", "--accept", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try test("a.scene", in: folder).status == 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path + "/goldens/a/scene")
    #expect(
      names.sorted() == [
        "0.5s+dots.0.end_4.png", "1s.png", "1s_i.png", "1s_i~2.png", "1s~2.png",
        "dots.0.end-1.25s.png", "dots.0.start+1s.png", "goldens.json",
      ])
  }

  @Test(arguments: [
    "scnee { expect { true } }", "", "component A() { rect { siz: 1 } }",
  ])
  func aFileWithErrorsFails(_ text: String) throws {
    let folder = try Folder()
    try folder.write("a.scene", text)
    let run = try test("a.scene", in: folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("error["), "\(run.errors)")
  }

  @Test func manyLayersBehindAText() throws {
    let folder = try Folder()
    func scene(_ more: String) throws -> Run {
      try folder.write(
        "a.scene",
        """
        scene {
            size: 320x180;  for: 0.1s
            for i in 1..60 {
                rect { size: 60x60;  position: (45%, 50%);  fill: #ff000040 }
            }
            \(more)
            text word "Hello" { font-size: 30 }
            expect { contrast-of(word) > 3 }
        }

        """)
      return try test("a.scene", in: folder)
    }
    let run = try scene("")
    #expect(run.status == 4)
    #expect(run.errors.contains("is unknown"), "\(run.errors)")
    #expect(try scene("rect { size: 300x170;  fill: #000000 }").status == 0)
  }

  /// A video with an alpha channel can be transparent anywhere, so it covers nothing.
  @Test(arguments: [
    ("clear.mov", "", false), ("clear.mov", "alpha: none", true), ("opaque.mp4", "", true),
    ("opaque.mp4", "filter: chroma-key(black)", false),
  ])
  func opaqueVideosCover(name: String, more: String, covers: Bool) throws {
    let folder = try Folder()
    let ground = name == "clear.mov" ? "none" : "black"
    try folder.write(
      "clip.scene", "scene { size: 64x36;  fps: 5;  for: 1s;  background: \(ground) }")
    let codec = name == "clear.mov" ? ["--codec", "qtrle"] : []
    let build = try Program.run(
      [Program.scenec, "build", "clip.scene", "--no-cache", "-o", name] + codec,
      in: folder.path)
    #expect(build.status == 0, "\(build.errors)")
    try folder.write(
      "a.scene",
      """
      scene {
          size: 64x36;  fps: 5;  for: 1s
          rect under { size: 30x20;  fill: red }
          video "\(name)" { size: 64x36;  \(more) }
          expect { covered(under) }
      }

      """)
    let run = try test("a.scene", in: folder)
    #expect(run.status == (covers ? 0 : 4), "\(run.output) \(run.errors)")
  }

  @Test func clipsOfNestedTransitions() throws {
    let folder = try Folder()
    func run(depth: Int, _ name: String) throws -> Run {
      var inner = "circle deep { for: 1s }"
      for _ in 0..<depth {
        inner =
          "sequence { transition: dissolve over 0.1s\nrect { for: 1s }\n\(inner)\nrect { for: 1s } }"
      }
      try folder.write(
        "a.scene",
        "scene { size: 64x36;  fps: 5\nrect box { size: 9 }\n\(inner)\nexpect { opacity-of(\(name)) >= 0 } }"
      )
      return try test("a.scene", in: folder)
    }
    #expect(try run(depth: 14, "box").status == 0)
  }
}
