// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Every format that can be written: its description by libav, and the difference of its frames
/// from those that are drawn.
@Suite("Formats", .cpuBudget(seconds: 14)) struct FormatTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    var output = ""
    var isClear = false
    let codec: String
    let format: String
    /// The lowest signal-to-noise ratio of a frame in dB; infinite if the codec is lossless.
    ///
    /// If pixels share a chroma sample, edges between bright colors like these lose the most.
    var least = 30.5
    /// The decoder, if libav has several: its own VP9 decoder ignores alpha.
    var decoder: String?

    var testDescription: String { "\(file) \(output)\(isClear ? " clear" : "")" }
    /// The name of its output.
    var name: String { "o" + testDescription.filter { $0.isLetter || $0.isNumber } }
    /// The name of its file in `built`.
    var builtFile: String { name + file.dropFirst() }
    /// Whether one encoder makes the whole file. Files that are built together with it are also
    /// encoded as a whole, so these rows are built apart.
    var isEncodedWhole: Bool { ["gif", "apng"].contains(codec) }
  }

  static let rows = [
    Row(file: "a.mp4", codec: "h264", format: "yuv420p"),
    Row(
      file: "a.mp4", output: "pixel-format: yuv422p;  profile: high422", codec: "h264",
      format: "yuv422p", least: 34),
    Row(
      file: "a.mp4", output: "pixel-format: yuv444p10", codec: "h264", format: "yuv444p10le",
      least: 40),
    Row(file: "a.mp4", output: "codec: h265", codec: "hevc", format: "yuv420p"),
    Row(
      file: "a.mkv", output: "codec: h265;  pixel-format: yuv420p10", codec: "hevc",
      format: "yuv420p10le"),
    Row(file: "a.mp4", output: "codec: av1", codec: "av1", format: "yuv420p"),
    Row(
      file: "a.webm", output: "codec: av1;  pixel-format: yuv420p10", codec: "av1",
      format: "yuv420p10le"),
    Row(file: "a.webm", codec: "vp9", format: "yuv420p"),
    Row(
      file: "a.webm", isClear: true, codec: "vp9", format: "yuv420p", least: 30,
      decoder: "libvpx-vp9"),
    Row(file: "a.mkv", output: "codec: vp9;  quality: 10", codec: "vp9", format: "yuv420p"),
    Row(file: "a.mkv", output: "codec: ffv1", codec: "ffv1", format: "bgr0", least: .infinity),
    Row(
      file: "a.mkv", output: "codec: ffv1", isClear: true, codec: "ffv1", format: "bgra",
      least: .infinity),
    Row(file: "a.mov", codec: "h264", format: "yuv420p"),
    Row(
      file: "a.mov", output: "codec: prores", codec: "prores",
      format: "yuv422p10le", least: 34),
    Row(
      file: "a.mov", output: "codec: prores", isClear: true, codec: "prores",
      format: "yuva444p12le"),
    Row(
      file: "a.mov", output: "codec: prores;  profile: 4444", codec: "prores",
      format: "yuv444p12le", least: 36),
    Row(file: "a.mov", output: "codec: qtrle", codec: "qtrle", format: "rgb24", least: .infinity),
    Row(
      file: "a.mov", output: "codec: qtrle", isClear: true, codec: "qtrle", format: "argb",
      least: .infinity),
    Row(
      file: "a.mov", output: "codec: png", isClear: true, codec: "png", format: "rgba",
      least: .infinity),
    Row(file: "a.gif", codec: "gif", format: "bgra", least: 30),
    Row(file: "a.gif", isClear: true, codec: "gif", format: "bgra", least: 18),
    Row(file: "a.png", codec: "apng", format: "rgb24", least: .infinity),
    Row(file: "a.apng", isClear: true, codec: "apng", format: "rgba", least: .infinity),
  ]

  private static func source(_ row: Row) -> String {
    source(isClear: row.isClear, outputs: "output { \(row.output) }")
  }

  private static func source(isClear: Bool, outputs: String) -> String {
    """
    scene {
        size: 96x64;  fps: 10;  for: 1.2s
        background: \(isClear ? "none" : "#204060")
        \(outputs)
        circle { radius: 18;  fill: gold;  position: (25%, 50%) -> (75%, 50%) }
        rect { size: 30x20;  position: (50%, 80%);  fill: crimson;  opacity: 0.6 }
    }
    """
  }

  /// The files of all rows, and their frames as `NAME.rgba`.
  private static let built = Result {
    let folder = try Folder()
    for (isClear, isEncodedWhole) in [(false, false), (false, true), (true, false), (true, true)] {
      let group = rows.filter { $0.isClear == isClear && $0.isEncodedWhole == isEncodedWhole }
      let outputs = group.map { "output \($0.name) { \($0.output) }" }
      try folder.write(
        "a.scene", source(isClear: isClear, outputs: outputs.joined(separator: "\n")))
      let files = group.flatMap { ["-o", "\($0.name)=\($0.builtFile)"] }
      let build = try Program.run([Program.scenec, "build", "a.scene"] + files, in: folder.path)
      #expect(build.status == 0, "\(build.errors)")
    }
    let inputs = rows.flatMap { row -> [String] in
      (row.decoder.map { ["-c:v", $0] } ?? []) + ["-i", row.builtFile]
    }
    let outputs = rows.enumerated().flatMap { index, row -> [String] in
      [
        "-map", "\(index):v", "-fps_mode", "passthrough", "-sws_flags",
        "accurate_rnd+full_chroma_int", "-f", "rawvideo", "-pix_fmt", "rgba", "\(row.name).rgba",
      ]
    }
    let raw = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "warning"] + inputs + outputs, in: folder.path)
    #expect(raw.status == 0, "\(raw.errors)")
    return folder
  }

  /// The frames of an opaque and of a transparent scene as they are drawn, before any format.
  ///
  /// Each pixel is red, green, blue and alpha.
  private static let drawn: [Bool: Data] = {
    var frames: [Bool: Data] = [:]
    for isClear in [false, true] {
      guard let folder = try? Folder() else { continue }
      let row = Row(file: "", isClear: isClear, codec: "", format: "")
      _ = try? folder.write("a.scene", source(row))
      _ = try? Program.scenec("build", "a.scene", "-o", "%02d.png", in: folder.path)
      let words = "-v error -i %02d.png -f rawvideo -pix_fmt rgba all.rgba"
      _ = try? Program.run(
        ["/usr/bin/ffmpeg"] + words.split(separator: " ").map(String.init), in: folder.path)
      frames[isClear] = folder.data("all.rgba")
    }
    return frames
  }()

  /// Returns the signal-to-noise ratio of two images in dB, with their colors multiplied by alpha.
  private func ratio(_ a: Data, _ b: Data) -> Double {
    var sum = 0.0
    let (a, b) = ([UInt8](a), [UInt8](b))
    for at in stride(from: 0, to: a.count, by: 4) {
      let (own, other) = (Double(a[at + 3]) / 255, Double(b[at + 3]) / 255)
      for part in 0..<4 {
        let x = part == 3 ? Double(a[at + 3]) : Double(a[at + part]) * own
        let y = part == 3 ? Double(b[at + 3]) : Double(b[at + part]) * other
        sum += (x - y) * (x - y)
      }
    }
    // Multiplication and division by alpha round the colors.
    let mean = sum / Double(a.count)
    return mean < 0.3 ? .infinity : 10 * log10(255 * 255 / mean)
  }

  @Test(arguments: rows) func isWhatItShouldBe(_ row: Row) throws {
    let folder = try FormatTests.built.get()
    let probe = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-count_frames", "-show_entries",
        "stream=codec_name,pix_fmt,nb_read_frames,avg_frame_rate",
        "-of", "default=nk=0:nw=1", row.builtFile,
      ], in: folder.path)
    #expect(probe.output.contains("codec_name=\(row.codec)\n"), "\(probe)")
    #expect(probe.output.contains("pix_fmt=\(row.format)\n"), "\(probe)")
    #expect(probe.output.contains("nb_read_frames=12\n"), "\(probe)")
    #expect(probe.output.contains("avg_frame_rate=10/1\n"), "\(probe)")
    let all = try #require(folder.data("\(row.name).rgba"))
    let drawn = try #require(Self.drawn[row.isClear])
    let size = 96 * 64 * 4
    try #require(all.count == 12 * size && drawn.count == 12 * size)
    for frame in [0, 5, 11] {
      let range = frame * size..<(frame + 1) * size
      let found = ratio(all.subdata(in: range), drawn.subdata(in: range))
      #expect(found >= row.least, "frame \(frame): \(found) dB")
    }
  }

  @Test func anAnimatedWebPPlays() throws {
    let folder = try Folder()
    let row = Row(file: "a.webp", output: "loop: 3", isClear: true, codec: "webp", format: "bgra")
    try folder.write("a.scene", Self.source(row))
    #expect(try Program.scenec("build", "a.scene", "-o", "a.webp", in: folder.path).status == 0)
    let look = try Program.run(
      [
        "/usr/bin/python3", "-c",
        "from PIL import Image; i = Image.open('a.webp'); print(i.n_frames, i.size, i.info['loop'], i.convert('RGBA').getpixel((2, 2))[3])",
      ], in: folder.path)
    #expect(look.output == "12 (96, 64) 3 0\n", "\(look)")
  }

  /// A WebP used as a clip has the length of its scene and the same frames.
  ///
  /// At 30 fps no frame lasts a whole number of milliseconds.
  @Test func aWebPIsAClip() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      "scene { size: 64x48;  fps: 30;  for: 1s;  output { quality: 100 };  rect { size: 8;  fill: tomato;  rotate: 0deg -> 80deg } }"
    )
    #expect(try Program.scenec("build", "a.scene", "-o", "a.webp", in: folder.path).status == 0)
    try folder.write("b.scene", "scene { size: 64x48;  fps: 30;  video \"a.webp\" }")
    let checked = try Program.scenec("check", "b.scene", in: folder.path)
    #expect(
      (checked.output + checked.errors).contains("64x48, 30 fps, 1s, 30 frames"), "\(checked)")
    // Backward access works as well: the first frame is read again after the last one.
    for frame in [29, 3, 0, 17] {
      for (scene, file) in [("a", "a.png"), ("b", "b.png")] {
        let run = try Program.scenec(
          "frame", "\(scene).scene", "--frame", "\(frame)", "-o", file, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
      }
      let pixels = try ["a.png", "b.png"].map { file -> Data? in
        let run = try Program.run(
          [
            "/usr/bin/ffmpeg", "-v", "error", "-y", "-i", file, "-f", "rawvideo", "-pix_fmt",
            "rgb24", "a.rgb",
          ], in: folder.path)
        #expect(run.status == 0)
        return folder.data("a.rgb")
      }
      #expect(pixels[0] == pixels[1], "frame \(frame)")
    }
    try folder.write("still.scene", "scene { size: 64x48;  for: 1s;  circle { } }")
    _ = try Program.scenec("build", "still.scene", "-o", "still.webp", in: folder.path)
    try folder.write("c.scene", "scene { video \"still.webp\" }")
    let still = try Program.scenec("check", "c.scene", in: folder.path)
    #expect(still.errors.contains("help: use 'image'"), "\(still.errors)")
  }

  /// A GIF stores delays in hundredths of a second, whose rounding errors must not accumulate.
  @Test func timesOfAGIFDoNotDrift() throws {
    let folder = try Folder()
    try folder.write(
      "a.scene",
      "scene { size: 32x32;  fps: 30;  for: 2s;  output { loop: 2 }  rect { size: 8;  rotate: 0deg -> 300deg } }"
    )
    #expect(try Program.scenec("build", "a.scene", "-o", "a.gif", in: folder.path).status == 0)
    let look = try Program.run(
      [
        "/usr/bin/python3", "-c",
        """
        from PIL import Image
        i = Image.open('a.gif')
        d = []
        for n in range(i.n_frames):
            i.seek(n)
            d.append(i.info['duration'])
        print(len(d), sum(d), sorted(set(d)), i.info['loop'])
        """,
      ], in: folder.path)
    #expect(look.output == "60 2000 [30, 40] 1\n", "\(look)")
  }

  /// A scene with a circle that moves for a second, then 11 s without motion, then a rotating
  /// square.
  private static let pausing = """
    scene {
        size: 96x64;  fps: 30;  for: 14.5s
        background: #204060
        output { frame-rate: variable }
        circle { radius: 9;  fill: gold;  position: (20%, 50%) -> (50%, 50%) over 1s }
        rect { at: 12s;  for: 0.5s;  size: 30;  rotate: 0deg -> 300deg }
    }
    """

  /// Encoders of small frames stay within their memory; glibc reports any violation reliably here.
  @Test(arguments: [("h264", "mp4"), ("h265", "mkv"), ("vp9", "webm"), ("ffv1", "mkv")])
  func smallPicturesKeepToTheirMemory(_ codec: String, _ ending: String) throws {
    let folder = try Folder()
    for size in ["16x200", "26x18", "34x134", "54x16", "56x40"] {
      try folder.write(
        "a.scene",
        "scene { size: \(size);  fps: 10;  for: 1.2s;  circle { radius: 3 -> 15;  fill: red } }")
      let run = try Program.run(
        [
          "/usr/bin/env", "LD_PRELOAD=libc_malloc_debug.so.0", "MALLOC_CHECK_=3", Program.scenec,
          "build", "a.scene", "--no-cache", "--codec", codec, "-o", "a.\(ending)",
        ], in: folder.path)
      #expect(run.status == 0, "\(size): \(run.errors)")
    }
  }

  /// Frames that equal the previous one are omitted, a frame lasts at most five seconds, and the
  /// last frame ends the file.
  ///
  /// The same applies where segments that were encoded separately are joined.
  @Test(arguments: [
    ("a.mp4", ""), ("a.mov", ""), ("a.mkv", ""), ("a.webm", ""), ("a.mp4", "h265"),
    ("a.mp4", "av1"),
  ])
  func framesMayLast(_ file: String, _ codec: String) throws {
    let folder = try Folder()
    let setting = codec.isEmpty ? "" : "codec: \(codec);  "
    try folder.write(
      "a.scene",
      Self.pausing.replacingOccurrences(of: "frame-rate:", with: "\(setting)frame-rate:"))
    let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let probe = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-show_entries", "packet=pts_time,dts_time", "-of",
        "csv=p=0", file,
      ], in: folder.path)
    let times = probe.output.split(separator: "\n").map { line in
      line.split(separator: ",").map { Int(((Double($0) ?? -1) * 30).rounded()) }
    }
    #expect(probe.errors.isEmpty && times.allSatisfy { $0.count == 2 && $0[0] == $0[1] })
    let shown = times.map { $0[0] }
    let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }
    #expect(shown.prefix(31) == Array(0...30)[...] && shown.last == 434)
    #expect(steps.allSatisfy { (1...150).contains($0) } && shown.count < 70, "\(shown)")
    // Matroska gives only the length of the file.
    let hasTables = ["a.mp4", "a.mov"].contains(file)
    #expect(try lengths(of: file, folder) == (hasTables ? [435, 435] : [435]))
  }

  /// Returns the durations that a file declares for its stream and for the whole file, in frames.
  private func lengths(of file: String, _ folder: Folder) throws -> [Int] {
    let probe = try Program.run(
      [
        "/usr/bin/ffprobe", "-v", "warning", "-show_entries", "stream=duration:format=duration",
        "-of", "default=nk=1:nw=1", file,
      ], in: folder.path)
    return probe.output.split(separator: "\n").compactMap { Double($0) }.map {
      Int(($0 * 30).rounded())
    }
  }

  /// Animated images have only the frames that differ, and their delays cover the whole time.
  @Test(arguments: [("a.gif", 14_500), ("a.png", 14_500)])
  func animatedImagesWait(_ file: String, _ length: Int) throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.pausing)
    let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let look = try Program.run(
      [
        "/usr/bin/python3", "-c",
        """
        from PIL import Image
        i = Image.open('\(file)')
        d = []
        for n in range(i.n_frames):
            i.seek(n)
            i.load()
            d.append(i.info['duration'])
        print(i.n_frames < 60, round(sum(d)), round(max(d)))
        """,
      ], in: folder.path)
    #expect(look.output == "True \(length) 5000\n", "\(look)")
  }

  @Test(arguments: [
    ("a.gif", "quality: 20", "E0802", "GIF does not support 'quality'"),
    ("a.mp4", "quality: 60", "E0802", "is outside the range of H.264"),
    ("a.mov", "codec: prores;  bitrate: 2Mbps", "E0802", "ProRes does not support 'bitrate'"),
    ("a.mov", "codec: prores;  preset: slow", "E0802", "ProRes does not support 'preset'"),
    ("a.webm", "codec: vp9;  level: 4.1", "E0802", "VP9 does not support 'level'"),
    (
      "a.mp4", "codec: av1;  pixel-format: yuv444p", "E0802",
      "AV1 does not support the pixel format yuv444p"
    ),
    ("a.mp4", "codec: h265;  profile: main", "E0802", "H.265 does not support the profile 'main'"),
    (
      "a.mov", "codec: prores;  profile: hq;  pixel-format: yuva444p10", "E0802",
      "does not support yuva444p10"
    ),
    ("a.mp4", "profile: high422;  pixel-format: yuv444p", "E0802", "does not support 4:4:4"),
  ])
  func whatCannotBeIsRefused(_ file: String, _ output: String, _ code: String, _ text: String)
    throws
  {
    let folder = try Folder()
    try folder.write("a.scene", Self.source(Row(file: file, output: output, codec: "", format: "")))
    let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
    #expect(run.status == 1 && run.errors.contains(code) && run.errors.contains(text), "\(run)")
    #expect(folder.names == ["a.scene"])
  }

  @Test func transparencyNeedsAFormatThatHoldsIt() throws {
    let folder = try Folder()
    try folder.write("a.scene", Self.source(Row(file: "", isClear: true, codec: "", format: "")))
    for file in ["a.mp4", "a.mov", "a.y4m"] {
      let run = try Program.scenec("build", "a.scene", "-o", file, in: folder.path)
      #expect(run.status == 1 && run.errors.contains("E0803"), "\(run)")
    }
    try folder.write("b.scene", "scene { size: 16x16;  fps: 60;  for: 1s;  circle { } }")
    let gif = try Program.scenec("build", "b.scene", "-o", "b.gif", in: folder.path)
    #expect(gif.status == 1 && gif.errors.contains("cannot exceed 50 frames per second"), "\(gif)")
  }
}
