// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Several output files of one build.
@Suite("Several files", .cpuBudget(seconds: 10)) struct SeveralFilesTests {
  private static let source = """
    scene {
        size: 160x96;  fps: 10;  for: 6s
        background: #204060
        output { codec: h264 }
        output web { codec: vp9;  size: 80x48 }
        output tall { codec: ffv1;  pixel-format: bgr0;  size: 96x160 }
        output own { codec: ffv1;  pixel-format: bgr0;  size: 96x160;  layout: own }
        rect { size: 100%;  fill: linear-gradient(crimson, gold);  opacity: 0.5 -> 1 over 5s }
        circle { position: (100%, 50%);  radius: 20;  fill: white;  translate: (0, 0) -> (40, 0) }
    }
    """

  private func pixels(_ file: String, frame: Int, _ folder: Folder) throws -> [UInt8] {
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", file, "-vf", "select=eq(n\\,\(frame))",
        "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "one.rgb",
      ], in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    return [UInt8](try #require(folder.data("one.rgb")))
  }

  private func facts(_ file: String, _ folder: Folder) throws -> String {
    try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-count_frames", "-show_entries",
        "stream=codec_name,width,height,nb_read_frames", "-of", "csv=p=0", file,
      ], in: folder.path
    ).output
  }

  /// Writes the scene with another lossless output, which has the size of `tall`.
  private func writeScene(
    withOutput name: String, _ properties: String, to folder: Folder
  ) throws {
    try folder.write(
      "a.scene",
      Self.source.replacingOccurrences(
        of: "output tall {",
        with: """
          output \(name) { codec: ffv1;  pixel-format: bgr0;  size: 96x160;  \(properties) }
              output tall {
          """))
  }

  /// The frames at half of the frame rate are every second frame of the scene; `--fps` applies to all
  /// files.
  @Test func anOutputHasItsOwnFrameRate() throws {
    let folder = try Folder()
    try writeScene(withOutput: "half", "fps: 5;  from: 1s", to: folder)
    let files = ["-o", "tall=tall.mkv", "-o", "half=half.mkv"]
    let run = try Program.run(
      [Program.scenec, "build", "a.scene"] + files, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try facts("tall.mkv", folder) == "ffv1,96,160,60\n")
    #expect(try facts("half.mkv", folder) == "ffv1,96,160,25\n")
    for frame in [0, 7, 24] {
      #expect(
        try pixels("half.mkv", frame: frame, folder)
          == pixels("tall.mkv", frame: 10 + 2 * frame, folder))
    }
    let all = try Program.run(
      [Program.scenec, "build", "a.scene", "--fps", "2"] + files, in: folder.path)
    #expect(all.status == 0, "\(all.errors)")
    #expect(try facts("tall.mkv", folder) == "ffv1,96,160,12\n")
    #expect(try facts("half.mkv", folder) == "ffv1,96,160,10\n")
  }

  /// An output contains its interval of the scene, unless the command line selects another.
  @Test func anOutputCanBeAnExcerpt() throws {
    let folder = try Folder()
    try writeScene(withOutput: "part", "from: 2s;  to: 3.05s", to: folder)
    let run = try Program.scenec(
      "build", "a.scene", "-o", "tall=tall.mkv", "-o", "part=part.mkv", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try facts("tall.mkv", folder) == "ffv1,96,160,60\n")
    #expect(try facts("part.mkv", folder) == "ffv1,96,160,11\n")
    for frame in [0, 10] {
      #expect(
        try pixels("part.mkv", frame: frame, folder)
          == pixels("tall.mkv", frame: 20 + frame, folder))
    }
    let other = try Program.scenec(
      "build", "a.scene", "-o", "part=part.mkv", "--to", "1s", in: folder.path)
    #expect(other.status == 0, "\(other.errors)")
    #expect(try facts("part.mkv", folder) == "ffv1,96,160,10\n")
    #expect(
      try pixels("part.mkv", frame: 9, folder) == pixels("tall.mkv", frame: 9, folder))
  }

  @Test func eachBlockMakesAFile() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source)
    let run = try Program.scenec("build", "a.scene", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "a.mp4\na-web.webm\na-tall.mkv\na-own.mkv\n")
    #expect(try facts("a.mp4", folder) == "h264,160,96,60\n")
    #expect(try facts("a-web.webm", folder) == "vp9,80,48,60\n")
    #expect(try facts("a-tall.mkv", folder) == "ffv1,96,160,60\n")
    // The background continues above and below the scene, and elements that leave the scene are
    // clipped.
    let tall = try pixels("a-tall.mkv", frame: 40, folder)
    func color(_ pixels: [UInt8], _ x: Int, _ y: Int) -> [UInt8] {
      Array(pixels[(y * 96 + x) * 3..<(y * 96 + x) * 3 + 3])
    }
    #expect(
      color(tall, 48, 50) == [0x20, 0x40, 0x60] && color(tall, 48, 110) == [0x20, 0x40, 0x60])
    #expect(
      color(tall, 48, 51) != [0x20, 0x40, 0x60] && color(tall, 48, 107) != [0x20, 0x40, 0x60])
    // With a layout of its own, the scene fills the frame.
    let own = try pixels("a-own.mkv", frame: 40, folder)
    #expect(color(own, 48, 2) != [0x20, 0x40, 0x60] && color(own, 48, 158) != [0x20, 0x40, 0x60])
  }

  /// Files that are built together equal files that are built alone, with any number of workers.
  @Test func togetherAsAlone() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source.replacing(#/ +output [^\n]*\n/#, with: ""))
    let names = ["a.mp4", "a.webm", "a.mkv"]
    for name in names {
      #expect(try Program.scenec("build", "a.scene", "-o", name, in: folder.path).status == 0)
    }
    for jobs in ["1", "3"] {
      let run = try Program.scenec(
        "build", "a.scene", "--jobs", jobs, "-o", "b.mp4", "-o", "b.webm", "-o", "b.mkv",
        in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
      for name in names {
        #expect(folder.data(name) == folder.data("b" + name.dropFirst()), "\(name)")
      }
    }
  }

  /// If one file needs its frames in order, all files get them in order.
  @Test func oneThatNeedsOrder() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source.replacing(#/ +output [^\n]*\n/#, with: ""))
    for jobs in ["1", "3"] {
      let run = try Program.scenec(
        "build", "a.scene", "--jobs", jobs, "-o", "\(jobs).mp4", "-o", "\(jobs).gif", "-o",
        "\(jobs)-%02d.png", "-o", "\(jobs)-%02d.jpg", "-o", "\(jobs).y4m", in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    for name in [".mp4", ".gif", "-07.png", "-59.jpg", ".y4m"] {
      #expect(folder.data("1" + name) == folder.data("3" + name), "\(name)")
    }
    #expect(try facts("1.mp4", folder) == "h264,160,96,60\n")
    let still = try Program.scenec(
      "frame", "a.scene", "--frame", "7", "-o", "own.png", in: folder.path)
    #expect(still.status == 0 && folder.data("own.png") == folder.data("1-07.png"))
    let (video, drawn) = (
      try pixels("1.mp4", frame: 7, folder), try pixels("own.png", frame: 0, folder)
    )
    let jpeg = try pixels("1-07.jpg", frame: 0, folder)
    #expect(difference(video, drawn) < 4 && difference(jpeg, drawn) < 2)
  }

  /// Returns the mean difference of two images, on a scale of 255.
  private func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a.count == b.count else { return 255 }
    return Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
  }

  /// If one file cannot be built, all old files stay.
  @Test func allOrNone() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source)
    try folder.write("b.mp4", "old")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/b.gif", withIntermediateDirectories: true)
    let run = try Program.scenec("build", "a.scene", "-o", "b.mp4", "-o", "b.gif", in: folder.path)
    #expect(run.status == 3 && run.errors.contains("'b.gif' is a folder"), "\(run)")
    #expect(folder.data("b.mp4") == Data("old".utf8))
    let own = try Program.scenec("build", "a.scene", "-o", "c.mp4", "-o", "c.mp4", in: folder.path)
    #expect(own.status == 2 && folder.names == ["a.scene", "b.gif", "b.mp4"], "\(own)")
  }

  @Test func checkReportsEachBlock() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      """
      scene {
          size: 64x64;  for: 1s
          output { codec: h265;  profile: main }
          output b { codec: gif;  bitrate: 2Mbps }
          output c { codec: h265;  size: 31x32 }
          circle { }
      }
      """)
    let run = try Program.scenec("check", "a.scene", in: folder.path)
    #expect(run.status == 1 && run.errors.contains("3 errors"), "\(run.errors)")
    for text in [
      "H.265 does not support the profile 'main'", "GIF does not support 'bitrate'",
      "31x32 is not supported",
    ] {
      #expect(run.errors.contains(text), "\(text)")
    }
  }

  /// A scene that only shows a clip has exactly the samples of the clip.
  @Test func picturesPassThrough() throws {
    let folder = try Folder()
    let clip = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=160x96:rate=10:duration=5",
        "-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-c:v",
        "libx264",
        "-colorspace", "bt709", "-color_range", "tv", "clip.mp4",
      ], in: folder.path)
    #expect(clip.status == 0, "\(clip.errors)")
    try folder.write(
      "a.scene",
      """
      scene {
          size: 160x96;  fps: 10;  for: 5s
          output { codec: ffv1;  pixel-format: yuv420p }
          video "clip.mp4" { }
          rect { at: 4s;  size: 20 }
      }
      """)
    let run = try Program.scenec("build", "a.scene", "-o", "b.mkv", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    func planes(_ file: String) throws -> Data {
      let raw = try Program.run(
        [
          "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", file, "-f", "rawvideo", "-pix_fmt",
          "yuv420p", "all.yuv",
        ], in: folder.path)
      #expect(raw.status == 0, "\(raw.errors)")
      return try #require(folder.data("all.yuv"))
    }
    let (own, other) = (try planes("b.mkv"), try planes("clip.mp4"))
    let size = 160 * 96 * 3 / 2
    #expect(own.count == 50 * size && own.prefix(40 * size) == other.prefix(40 * size))
    #expect(own.suffix(10 * size) != other.suffix(10 * size))
  }
}
