// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// The sets of golden frames of a project: one for each scene file, scene and layout.
@Suite("Sets of golden frames", .cpuBudget(seconds: 4)) struct GoldenSetTests {
  private let folder: Folder
  private static let scene = "scene { size: 64x36;  for: 2s;  rect { }  expect { golden: 1s } }"

  init() throws { folder = try Folder() }

  private func test(_ words: String..., ci: Bool = false) throws -> Run {
    try Program.run(
      ["/usr/bin/env", ci ? "CI=1" : "CI=", Program.scenec, "test"] + words, in: folder.path)
  }

  private func names(_ path: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/\(path)")
    return (names ?? []).sorted()
  }

  /// Accepts the golden frames of `film.scene` and `clips/intro.scene`, then renames both.
  private func rename() throws {
    try folder.write("film.scene", Self.scene)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/clips", withIntermediateDirectories: false)
    try folder.write("clips/intro.scene", Self.scene)
    #expect(try test("--accept").status == 0)
    for (old, new) in [("film", "movie"), ("clips/intro", "clips/title")] {
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/\(old).scene", toPath: "\(folder.path)/\(new).scene")
    }
  }

  @Test func framesOfMissingFilesAreReported() throws {
    try rename()
    let run = try test()
    #expect(
      run.errors.contains("the scene file 'film.scene' of 1 golden frame does not exist")
        && run.errors.contains("the scene file 'clips/intro.scene' of 1 golden frame")
        && run.errors.contains("rename the folder 'clips/goldens/intro', too"), "\(run.errors)")
    #expect(run.output.contains("2 expectations: 0 passed, 2 failed"), "\(run.output)")
    // The folders have the new names of the files.
    for (old, new) in [
      ("goldens/film", "goldens/movie"), ("clips/goldens/intro", "clips/goldens/title"),
    ] {
      let files = FileManager.default
      try files.removeItem(atPath: "\(folder.path)/\(new)")
      try files.moveItem(atPath: "\(folder.path)/\(old)", toPath: "\(folder.path)/\(new)")
    }
    let renamed = try test(ci: true)
    #expect(renamed.status == 0 && !renamed.errors.contains("does not exist"), "\(renamed.errors)")
  }

  @Test func theyAreFailuresInContinuousIntegration() throws {
    try rename()
    let json = try test("--format", "json", ci: true)
    #expect(json.status == 4 && json.output.contains("\"failed\" : 4"), "\(json.output)")
    #expect(json.output.contains("the scene file 'film.scene'"), "\(json.output)")
    // A named file or a filter does not search other files.
    for words in [["movie.scene"], ["--filter", "line 1"]] {
      let run = try Program.run(
        ["/usr/bin/env", "CI=1", Program.scenec, "test"] + words, in: folder.path)
      #expect(!run.errors.contains("does not exist"), "\(run.errors)")
    }
    // No scene is left.
    for name in ["movie", "clips/title"] {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(name).scene")
    }
    #expect(try test(ci: true).status == 4)
    #expect(try test().status == 0)
  }

  @Test func acceptingDeletesOnlyFilesOfTheIndex() throws {
    try rename()
    try folder.write("goldens/film/scene/notes.txt", "mine")
    try folder.write("goldens/film/scene/other.png", "mine")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/goldens/foreign/set", withIntermediateDirectories: true)
    try folder.write("goldens/foreign/set/goldens.json", "{\"tests\": []}")
    try folder.write("goldens/foreign/set/1s.png", "mine")
    try folder.write("goldens/readme.txt", "mine")
    let run = try test("--accept")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains("deleted 1 golden frame of the missing file 'film.scene'"),
      "\(run.errors)"
    )
    #expect(names("goldens/film/scene") == ["notes.txt", "other.png"])
    #expect(names("goldens/foreign/set") == ["1s.png", "goldens.json"])
    #expect(names("goldens") == ["film", "foreign", "movie", "readme.txt"])
    #expect(names("clips/goldens") == ["title"])
    #expect(try test(ci: true).status == 0)
  }

  @Test func linksAreNotFollowed() throws {
    try rename()
    let files = FileManager.default
    try files.moveItem(atPath: folder.path + "/goldens/film", toPath: folder.path + "/elsewhere")
    try files.createSymbolicLink(
      atPath: folder.path + "/goldens/film", withDestinationPath: "../elsewhere")
    _ = try test("--accept")
    #expect(names("elsewhere/scene") == ["1s.png", "goldens.json"])
  }

  /// A scene that exists but cannot be read keeps its images.
  @Test(arguments: ["film.scene", "film"])
  func unreachableScenesKeepTheirFrames(_ name: String) throws {
    try rename()
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/\(name)", withDestinationPath: "unmounted/film.scene")
    let run = try test("--accept")
    #expect(!run.errors.contains("'film.scene'"), "\(run.errors)")
    #expect(run.errors.contains("the missing file 'clips/intro.scene'"), "\(run.errors)")
    #expect(names("goldens/film/scene") == ["1s.png", "goldens.json"])
  }

  @Test func interruptedTestsKeepTheFrames() throws {
    try rename()
    try folder.write(
      "long.scene",
      "scene { size: 1280x720;  for: 3600s;  circle { radius: 200 * wave(1s) };  expect { flashes() == 0 } }"
    )
    let process = try Program.start(
      ["/usr/bin/env", "CI=", Program.scenec, "test", "--accept"], in: folder.path)
    #expect(process.awaitHandlers() && process.awaitWork(seconds: 0.25))
    process.kill(SIGINT)
    #expect(process.wait().exitStatus == 130)
    #expect(names("goldens/film/scene") == ["1s.png", "goldens.json"])
  }

  /// Outputs that differ in their captions share the frames of the scene; a layout or a frame rate of
  /// its own has its own frames.
  @Test func layoutsHaveTheirOwnFrames() throws {
    try folder.write("c.srt", "1\n00:00:00,500 --> 00:00:01,500\nHello\n")
    try folder.write(
      "a.scene",
      """
      scene {
          size: 320x180;  fps: 10;  for: 2s
          captions "c.srt" { language: "en" }
          expect { golden: 1s }
          output a { captions: burned }
          output b { captions: track }
          output c { size: 180x320;  layout: own }
          output d { fps: 5 }
      }
      """)
    #expect(try test("--accept").status == 0)
    #expect(names("goldens/a") == ["scene", "scene-180x320", "scene-5-fps"])
    #expect(try test(ci: true).status == 0)
  }
}
