// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// `copy: true`, which copies packets of clips to the output.
@Suite("Copied packets", .cpuBudget(seconds: 12)) struct CopyTests {
  /// The clip of all scenes, in two containers.
  private static let clips = Result {
    let folder = try Folder()
    let words = """
      -f lavfi -i testsrc2=s=320x180:r=25:d=6 -vf format=yuv420p -c:v libx264 -g 50 -keyint_min 50
      -sc_threshold 0 -bf 3 -color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709
      -chroma_sample_location left clip.mp4
      """
    try ffmpeg(words.split(whereSeparator: \.isWhitespace).map(String.init), in: folder)
    try ffmpeg(["-i", "clip.mp4", "-c", "copy", "clip.mkv"], in: folder)
    return folder
  }

  /// The digests of the frames of the clip, and its packets.
  private static let facts = Result {
    let folder = try clips.get()
    return Facts(
      pictures: try pictures("clip.mp4", in: folder), packets: try packets("clip.mp4", in: folder))
  }

  private struct Facts: Sendable {
    let pictures: [String]
    let packets: [String]
  }

  private func folder(_ scene: String) throws -> Folder {
    let folder = try Folder()
    try folder.write("a.scene", scene)
    try folder.copy("clip.mp4", "clip.mkv", from: CopyTests.clips.get())
    return folder
  }

  private static func ffmpeg(_ arguments: [String], in folder: Folder) throws {
    let run = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-y"] + arguments, in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
  }

  private func build(_ file: String, in folder: Folder) throws -> Run {
    let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  /// Returns a digest of each decoded frame.
  private static func pictures(_ file: String, in folder: Folder) throws -> [String] {
    try ffmpeg(["-i", file, "-an", "-f", "framemd5", "a.txt"], in: folder)
    let text = String(decoding: try #require(folder.data("a.txt")), as: UTF8.self)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { String($0.split(separator: " ").last ?? "") }
  }

  private static func packets(_ file: String, in folder: Folder) throws -> [String] {
    let run = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "packet=pts_time,dts_time,size", "-of", "csv=p=0", file,
      ], in: folder.path)
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    ("a.mp4", "clip.mp4"), ("a.mov", "clip.mp4"), ("a.mkv", "clip.mp4"), ("a.mp4", "clip.mkv"),
    ("a.mkv", "clip.mkv"),
  ]) func aWholeClipIsTheClip(_ file: String, _ clip: String) throws {
    let folder = try folder(
      """
      scene { size: 320x180;  fps: 25
          video "\(clip)"
          output { copy: true }
      }
      """)
    let run = try build(file, in: folder)
    #expect(run.errors.contains("copied 150 of 150 frames"), "\(run.errors)")
    let facts = try CopyTests.facts.get()
    #expect(try CopyTests.pictures(file, in: folder) == facts.pictures)
    let sizes = { (list: [String]) in list.compactMap { $0.split(separator: ",").last } }
    // The first packet of the clip also contains the name of its encoder.
    #expect(
      try sizes(CopyTests.packets(file, in: folder)).dropFirst()
        == sizes(facts.packets).dropFirst())
  }

  @Test func whatIsDrawnGoesBetween() throws {
    let folder = try folder(
      """
      scene { size: 320x180;  fps: 25;  for: 8s
          video "clip.mp4" { at: 1s }
          text "here" { at: 4s;  for: 0.5s;  font-size: 20;  fill: white }
          output { copy: true }
      }
      """)
    let run = try build("a.mp4", in: folder)
    // The groups of 2 s start at 1, 3 and 5 s, and the text is in the second one.
    #expect(run.errors.contains("copied 100 of 200 frames"), "\(run.errors)")
    let made = try CopyTests.pictures("a.mp4", in: folder)
    let clip = try CopyTests.facts.get().pictures
    #expect(made.count == 200)
    #expect(Array(made[25..<75]) == Array(clip[..<50]))
    #expect(Array(made[125..<175]) == Array(clip[100...]))
    #expect(Set(made[..<25]).count == 1)
    let times = try CopyTests.packets("a.mp4", in: folder).map {
      $0.split(separator: ",").prefix(2).compactMap { Double($0) }
    }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0[1] < $1[1] })
    #expect(times.allSatisfy { $0[1] <= $0[0] })
    let timeline = try Program.scenec("timeline", "a.scene", in: folder.path)
    #expect(timeline.output.contains("= copied 50 %"), "\(timeline.output)")
    // The result depends only on the scene.
    let bytes = folder.data("a.mp4")
    let again = try Program.scenec(
      "build", "a.scene", "-o", "a.mp4", "--jobs", "1", in: folder.path)
    #expect(again.status == 0 && folder.data("a.mp4") == bytes)
  }

  @Test func clipsThatAreNotCopiedAreNamed() throws {
    let folder = try folder(
      """
      scene { size: 320x180;  fps: 50
          video "clip.mp4"
          output { copy: true }
      }
      """)
    let run = try build("a.mp4", in: folder)
    #expect(run.errors.contains("W0509") && run.errors.contains("25 fps"))
    #expect(run.errors.contains("no frames copied"), "\(run.errors)")
  }

  /// A clip with an obviously damaged packet is decoded, with a warning.
  ///
  /// With `damaged: error`, this also applies to damage that only a decoder finds. Segments with
  /// substituted frames have no cached verdict about flashes, so each build repeats the warning.
  @Test(arguments: [("header", ""), ("header", "damaged: error"), ("body", "damaged: error")])
  func damageIsNotCopied(_ place: String, _ setting: String) throws {
    let folder = try folder(
      """
      scene { size: 320x180;  fps: 25
          video "damaged.mp4" { \(setting) }
          output { copy: true }
      }
      """)
    var bytes = Array(try #require(folder.data("clip.mp4")))
    let run = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
        "packet=pos,size", "-of", "csv=p=0", "clip.mp4",
      ], in: folder.path)
    let packet = run.output.split(separator: "\n")[60].split(separator: ",").compactMap { Int($0) }
    let (size, start) = (packet[0], packet[1])
    if place == "header" {
      for at in start..<start + 4 { bytes[at] = 0x7F }
    } else {
      for at in start + 20..<start + size { bytes[at] = UInt8(truncatingIfNeeded: at &* 37) }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/damaged.mp4"))
    let build = try Program.scenec("build", "a.scene", "-o", "a.mp4", in: folder.path)
    if setting.isEmpty {
      try folder.write(
        "b.scene", "scene { size: 320x180;  fps: 50;  video \"clip.mp4\" { scale: 0.9 } }")
      for (scene, hasVerdict) in [("b.scene", true), ("a.scene", false), ("a.scene", false)] {
        let cache = "cache-of-" + scene
        let run = try Program.scenec(
          "build", scene, "--cache", cache, "-o", "c.mp4", in: folder.path)
        #expect(run.status == 0 && run.errors.contains("W0506") != hasVerdict, "\(run.errors)")
        let packets = folder.path + "/" + cache + "/packets"
        let isKept = try FileManager.default.contentsOfDirectory(atPath: packets).contains {
          let content = FileManager.default.contents(atPath: packets + "/" + $0)
          return content?.firstRange(of: Data("no flashes".utf8)) != nil
        }
        #expect(isKept == hasVerdict, "\(scene)")
      }
      #expect(build.status == 0 && build.errors.contains("W0506"), "\(build.errors)")
      #expect(build.errors.contains("no frames copied"), "\(build.errors)")
      #expect(try CopyTests.pictures("a.mp4", in: folder).count == 150)
    } else {
      #expect(build.status != 0 && build.errors.contains("damaged"), "\(build.errors)")
    }
  }

  @Test func whatCannotBeMetIsAnError() throws {
    for (output, file, why) in [
      ("codec: h265", "a.mp4", "H.265 in a .mp4"), ("", "a.webm", "VP9 in a .webm"),
      ("bitrate: 1Mbps", "a.mp4", "'quality' instead of 'bitrate'"),
      ("profile: main", "a.mp4", "'profile'"),
      ("frame-rate: variable", "a.mp4", "'frame-rate'"), ("size: 160x90", "a.mp4", "160x90"),
      ("pixel-format: yuv444p", "a.mp4", "yuv420p"),
    ] {
      let folder = try Folder()
      try folder.write(
        "a.scene",
        "scene { size: 320x180;  for: 1s;  circle { };  output { copy: true;  \(output) } }")
      let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
      #expect(run.status == 1 && run.errors.contains(why), "\(output): \(run.errors)")
      #expect(run.errors.contains("copy") && folder.names == ["a.scene"])
    }
  }
}
