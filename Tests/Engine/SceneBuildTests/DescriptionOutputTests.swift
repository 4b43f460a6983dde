// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Descriptions as audio tracks and as files, read back by ffmpeg.
@Suite("Descriptions of outputs", .cpuBudget(seconds: 25)) struct DescriptionOutputTests {
  private let folder: Folder

  private static func scene(_ output: String, _ body: String = "") -> String {
    """
    scene {
      size: 64x64;  fps: 10;  for: 12s
      audio "noise.wav"
      circle { radius: 10 -> 20 over 3s;  fill: teal;  alt: "A growing dot" }
      description "A red boat & a <ship>" { at: 2s;  source: "still.wav" }
      description "The crowd stands up" { at: 7s;  source: "still.wav" }
      \(body)
      \(output)
    }
    """
  }

  init() throws {
    folder = try Folder()
    try folder.copy("noise.wav", "still.wav", from: DescriptionOutputTests.sounds.get())
  }

  /// The sounds of all scenes: noise, because AAC takes several times as long to encode a tone.
  private static let sounds = Result {
    let folder = try Folder()
    let noise = "anoisesrc=d=12:r=48000:a=0.1:seed=3"
    try ffmpeg(["-f", "lavfi", "-i", noise, "-ac", "2", "noise.wav"], in: folder)
    let silence = "anullsrc=r=48000:cl=mono"
    try ffmpeg(["-f", "lavfi", "-i", silence, "-t", "1", "still.wav"], in: folder)
    return folder
  }

  private static func ffmpeg(_ words: [String], in folder: Folder) throws {
    let run = try Program.run(["/usr/bin/ffmpeg", "-v", "error", "-y"] + words, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func build(_ scene: String, _ words: String...) throws -> Run {
    try folder.write("a.scene", scene)
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "--no-cache"] + words, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func tracks(_ file: String) throws -> [String] {
    try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-select_streams", "a", "-show_entries",
        "stream=codec_name:stream_disposition=default,visual_impaired:stream_tags", "-of",
        "compact=p=0:nk=0", file,
      ], in: folder.path
    ).output.split(separator: "\n").map(String.init)
  }

  /// Returns the levels of an audio track in dB, each of half a second from a time in seconds.
  private func levels(_ file: String, track: Int, at times: [Double]) throws -> [Double] {
    try Self.ffmpeg(
      ["-i", file, "-map", "0:a:\(track)", "-f", "f32le", "-ac", "2", "-ar", "48000", "a.raw"],
      in: folder)
    let data = try #require(folder.data("a.raw"))
    let samples = unsafe data.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return try times.map { time in
      let first = Int(time * 48_000) * 2
      try #require(first + 48_000 <= samples.count, "'\(file)' ends before \(time + 0.5) s")
      let sum = samples[first..<first + 48_000].reduce(0.0) { $0 + Double($1) * Double($1) }
      return 10 * log10(max(1e-12, sum / 48_000))
    }
  }

  private func text(_ name: String) -> String? {
    folder.data(name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("mp4", "tag:handler_name=Audio description", true),
    ("mov", "tag:handler_name=Audio description", false),
    ("mkv", "tag:title=Audio description", true), ("webm", "tag:title=Audio description", false),
  ])
  func secondTrackIsLoweredAndNamed(_ file: String, _ title: String, _ isFlagged: Bool) throws {
    _ = try build(Self.scene("output { described: track }"), "-o", "a.\(file)")
    let tracks = try tracks("a.\(file)")
    try #require(tracks.count == 2)
    #expect(tracks[0].contains("default=1") && !tracks[0].contains("Audio description"))
    #expect(tracks[1].contains("default=0") && tracks[1].contains(title), "\(tracks[1])")
    #expect(tracks[1].contains("visual_impaired=\(isFlagged ? 1 : 0)"), "\(tracks[1])")
    let times = [0.5, 2.2, 5, 7.2, 10]
    let described = try levels("a.\(file)", track: 1, at: times)
    let plain = try levels("a.\(file)", track: 0, at: times)
    for (index, wanted) in [0.0, -12, 0, -12, 0].enumerated() {
      let change = described[index] - plain[index]
      #expect(abs(change - wanted) < 0.5, "\(change) dB at \(times[index])")
    }
  }

  /// The mix is the second track of the other file, in video and audio files.
  @Test func mixReplacesTheTrack() throws {
    let both = try build(Self.scene("output { described: both }"), "-o", "a.mp4")
    #expect(both.output == "a.mp4\na.described.mp4\n")
    #expect(try tracks("a.mp4").count == 2 && tracks("a.described.mp4").count == 1)
    _ = try build(Self.scene("output { described: mix }"), "-o", "m.mp4")
    #expect(folder.data("m.mp4") == folder.data("a.described.mp4"))
    for file in ["m.m4a", "m.wav", "m.opus"] {
      _ = try build(Self.scene("output { described: mix }"), "-o", file)
      #expect(try tracks(file).count == 1)
      let found = try levels(file, track: 0, at: [0.5, 2.2])
      #expect(abs(found[0] - found[1] - 12) < 0.5)
    }
  }

  /// A silent scene has a silent first track.
  @Test func descriptionsAreHeardInSilentScenes() throws {
    let text = Self.scene("output { described: track }").replacing("audio \"noise.wav\"", with: "")
      .replacing("still.wav", with: "noise.wav").replacing("at: 2s", with: "for: 1s")
    _ = try build(text, "-o", "a.mp4")
    #expect(try tracks("a.mp4").count == 2)
    let (first, second) = (
      try levels("a.mp4", track: 0, at: [0.2]), try levels("a.mp4", track: 1, at: [0.2])
    )
    #expect(first[0] < -80 && second[0] > -40)
  }

  /// Descriptions do not change other files, and neither the cache nor sharding changes the files
  /// with descriptions.
  @Test func filesDoNotDependOnTheCache() throws {
    _ = try build(Self.scene("output { }"), "-o", "a.mp4")
    let plain = try #require(folder.data("a.mp4"))
    let lines = Self.scene("output { }").split(separator: "\n").filter {
      !$0.contains("description")
    }
    _ = try build(lines.joined(separator: "\n"), "-o", "a.mp4")
    #expect(folder.data("a.mp4") == plain)

    _ = try build(Self.scene("output { described: both }"), "-o", "a.mp4")
    let cold = try #require(folder.data("a.mp4"))
    let mix = try #require(folder.data("a.described.mp4"))
    func run(_ words: String...) throws -> Run {
      let run = try Program.run(
        [Program.scenec, "build", "a.scene", "-o", "a.mp4", "--cache", "c"] + words,
        in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      return run
    }
    for shard in ["1/2", "2/2"] { _ = try run("--shard", shard) }
    for _ in 0..<2 {
      _ = try run()
      #expect(folder.data("a.mp4") == cold && folder.data("a.described.mp4") == mix)
    }
  }

  // MARK: Texts

  private static let texts = """
    WEBVTT

    00:00:02.000 --> 00:00:03.000
    A red boat &amp; a &lt;ship&gt;

    00:00:07.000 --> 00:00:08.000
    The crowd stands up

    """

  @Test func namesOfFilesSelectDescriptions() throws {
    try folder.write("en.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
    let scene = Self.scene("output { described: both }", "captions \"en.vtt\" { language: \"en\" }")
    let run = try build(scene, "-o", "x/film.descriptions.vtt", "-o", "film.vtt")
    #expect(run.output == "x/film.descriptions.vtt\nfilm.vtt\n")
    #expect(text("x/film.descriptions.vtt") == Self.texts)
    #expect(text("film.vtt")?.contains("Hello") == true)
    _ = try build(scene, "-o", "film.descriptions.srt", "--from", "2.6s", "--to", "4s")
    #expect(
      text("film.descriptions.srt") == "1\n00:00:00,000 --> 00:00:00,400\nA red boat & a <ship>\n")
    let videos = try build(scene, "-o", "b.mp4", "--sidecar", "--to", "3s")
    #expect(videos.output == "b.mp4\nb.described.mp4\nb.vtt\nb.descriptions.vtt\n")
  }

  /// Only `descriptions` between dots selects the descriptions.
  @Test func otherNamesSelectCaptions() throws {
    try folder.write("en.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
    let captions = "captions \"en.vtt\" { language: \"en\" }"
    let scene = Self.scene("output { }", captions)
    _ = try build(scene, "-o", "descriptions.vtt")
    #expect(text("descriptions.vtt")?.contains("Hello") == true)
    for name in ["descriptions", "a.descriptions"] {
      let run = try build(scene, "-o", "\(name).mp4", "--sidecar", "--to", "3s")
      #expect(run.output == "\(name).mp4\n\(name).vtt\n\(name).descriptions.vtt\n")
      #expect(text("\(name).vtt")?.contains("Hello") == true)
      #expect(text("\(name).descriptions.vtt")?.contains("A red boat") == true)
    }
    let plain = scene.split(separator: "\n").filter { !$0.contains("description") }
    let run = try build(
      plain.joined(separator: "\n"), "-o", "descriptions.mp4", "--sidecar", "--to", "1s")
    #expect(run.output == "descriptions.mp4\ndescriptions.vtt\n")
  }

  /// Files beside a video replace neither other outputs nor inputs of the scene.
  @Test func derivedFilesReplaceNoOtherFiles() throws {
    try folder.write("a.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
    try folder.write(
      "a.scene", Self.scene("output { described: both }", "captions \"a.vtt\" { language: \"en\" }")
    )
    func errors(_ words: String...) throws -> String {
      let run = try Program.run([Program.scenec, "build", "a.scene"] + words, in: folder.path)
      #expect(run.status != 0)
      return run.errors
    }
    let described = try errors("-o", "a.mp4", "-o", "a.described.mp4")
    #expect(
      described.contains("-o names it, and 'described: both' derives it from 'a.mp4'")
        && described.contains("rename one of them"), "\(described)")
    let input = try errors("--sidecar")
    #expect(
      input.contains("'a.vtt' is an input of the scene and cannot be overwritten")
        && input.contains("'--sidecar' derives this name from 'a.mp4'"), "\(input)")
    #expect(folder.names.sorted() == ["a.scene", "a.vtt", "noise.wav", "still.wav"])
  }

  /// The error about a derived name says where the name comes from.
  @Test(arguments: ["a.descriptions.vtt", "a.described.mp4"])
  func derivedNamesAreExplained(_ name: String) throws {
    let isVideo = name.hasSuffix(".mp4")
    let origin = isVideo ? "described: both" : "--sidecar"
    let help =
      "'\(origin)' derives this name from 'a.mp4'; choose another name for the video with -o"
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
    try folder.write("a.scene", Self.scene(isVideo ? "output { described: both }" : ""))
    let words = ["build", "a.scene", "-o", "a.mp4"] + (isVideo ? [] : ["--sidecar"])
    let run = try Program.run([Program.scenec] + words, in: folder.path)
    #expect(run.status != 0 && run.errors.contains("'\(name)' is a folder"), "\(run.errors)")
    #expect(run.errors.contains(help) && !run.errors.contains("add a file"), "\(run.errors)")
  }

  /// A video beside another one does not replace a clip of the scene.
  @Test func describedVideosReplaceNoInputs() throws {
    try folder.write("clip.scene", "scene { for: 0.2s;  size: 32x32;  rect { } }")
    let clip = try Program.run(
      [Program.scenec, "build", "clip.scene", "-o", "a.described.mp4"], in: folder.path)
    #expect(clip.status == 0, "\(clip.errors)")
    try folder.write(
      "a.scene", Self.scene("output { described: both };  video \"a.described.mp4\""))
    let run = try Program.run([Program.scenec, "build", "a.scene", "-o", "a.mp4"], in: folder.path)
    #expect(
      run.status != 0 && run.errors.contains("'a.described.mp4' is an input of the scene")
        && run.errors.contains("'described: both' derives this name from 'a.mp4'"),
      "\(run.errors)")
  }

  @Test func sidecarsNeedCaptionsOrDescriptions() throws {
    try folder.write("a.scene", "scene { for: 1s;  rect { } }")
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "--sidecar"], in: folder.path)
    #expect(run.status != 0 && run.errors.contains("the scene has no captions or descriptions"))
  }

  @Test func scenesWithoutDescriptionsAreBuiltWithoutThem() throws {
    let plain =
      "scene { size: 64x64;  for: 1s;  audio \"noise.wav\" { for: 1s };  output { described: both } }"
    let run = try build(plain, "-o", "a.mp4")
    #expect(run.output == "a.mp4\n" && run.errors.contains("'a.mp4' has no audio description"))
    #expect(try tracks("a.mp4").count == 1)
  }

  @Test(arguments: [
    ("track", "a.gif", "a .gif file cannot contain descriptions"),
    ("mix", "a.webp", "a .webp file cannot contain descriptions"),
    ("both", "f-%d.png", "a %04d.png file cannot contain descriptions"),
    ("mix", "-", "raw video cannot contain descriptions"),
    ("track", "a.mp3", "a .mp3 file has a single audio track"),
    ("both", "a.m4a", "a .m4a file has a single audio track"),
    ("track;  audio: none", "a.mp4", "an output with 'audio: none' cannot contain descriptions"),
    ("none", "{language}.descriptions.vtt", "the descriptions of a scene are one file"),
  ])
  func errorsAreFoundBeforeTheFirstFrame(_ use: String, _ file: String, _ message: String) throws {
    try folder.write("a.scene", Self.scene("output { described: \(use) }"))
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "-o", file], in: folder.path)
    #expect(run.status != 0 && run.errors.contains(message), "\(run.errors)")
    #expect(folder.names.allSatisfy { ["a.scene", "noise.wav", "still.wav"].contains($0) })
  }

  @Test func descriptionsNeedSounds() throws {
    try folder.write(
      "a.scene", Self.scene("output { described: track }", "description \"Rain\" { at: 7s }"))
    for command in ["check", "build"] {
      let run = try Program.run([Program.scenec, command, "a.scene"], in: folder.path)
      #expect(
        run.status == 1 && run.errors.contains("'described' requires the sound of each description")
          && run.errors.contains("1 description without 'source'"), "\(run.errors)")
    }
    _ = try build(
      Self.scene("output { described: track }", "description \"Rain\" { at: 9s }"), "-o",
      "a.descriptions.vtt")
    #expect(text("a.descriptions.vtt")?.contains("Rain") == true)
    try folder.write("a.scene", "scene { for: 1s;  rect { } }")
    let run = try Program.run(
      [Program.scenec, "build", "a.scene", "-o", "a.descriptions.vtt"], in: folder.path)
    #expect(run.status != 0 && run.errors.contains("the scene has no 'description'"))
  }
}
