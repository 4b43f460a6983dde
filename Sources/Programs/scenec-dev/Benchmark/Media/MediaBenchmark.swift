// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneModel
import SceneSystem

/// Compares the cost of clips with ffmpeg in the same run: indexing, decoding, conversion, and an
/// edit of six clips.
struct MediaBenchmark {
  let board: Scoreboard
  let folder = FileManager.default.currentDirectoryPath + "/build/bench/media"
  let bin = Child.folder
  let ffmpeg = ["/usr/bin/ffmpeg", "-v", "error", "-y"]

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    print("\nclips beside ffmpeg, CPU")
    try makeClips()
    try index()
    try decode()
    try convert()
    try edit()
    try outputs()
  }

  /// Creates 1080p footage at 26 Mbit/s with audio. It contains moving noise, since synthetic
  /// frames are too cheap to decode.
  private func makeClips() throws {
    let noise = "testsrc2=s=1920x1080:r=30,noise=alls=12:allf=t,format=yuv420p"
    let tags = [
      "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
      "bt709", "-chroma_sample_location", "left",
    ]
    func make(_ name: String, seconds: Int, tone: Int, options: [String]) throws {
      if FileManager.default.fileExists(atPath: "\(folder)/\(name)") { return }
      _ = try Child.run(
        ffmpeg + [
          "-f", "lavfi", "-i", "\(noise)", "-f", "lavfi", "-i", "sine=f=\(tone):r=48000", "-t",
          "\(seconds)", "-c:v", "libx264", "-preset", "veryfast", "-b:v", "26M", "-maxrate", "30M",
          "-bufsize", "30M",
        ] + tags + options + ["-c:a", "aac", name], in: folder)
    }
    for number in 0..<6 {
      try make("clip\(number).mp4", seconds: 3, tone: 300 + 50 * number, options: ["-g", "60"])
    }
    try make("long.mp4", seconds: 20, tone: 440, options: ["-g", "250", "-sc_threshold", "0"])
  }

  func show(
    _ row: String, own: Double, other: Double, unit: String, atMost limit: Double
  ) {
    let ratio = other > 0 ? own / other : 0
    let text = String(
      format: "  %-44@ %8.2f %@, ffmpeg %8.2f, ratio %.2f", row, own, unit, other, ratio)
    print(text, board.judge(row, ratio, atMost: limit))
  }

  /// Compares indexing a large cached file with ffmpeg reading its packets. Both parse every
  /// packet; an eighth of the time of scenec goes to the hash of the content, a tenth to starting
  /// two programs.
  private func index() throws {
    let big = "\(folder)/big.mkv"
    if !FileManager.default.fileExists(atPath: big) {
      _ = try Child.run(
        ffmpeg + ["-stream_loop", "4", "-i", "long.mp4", "-c", "copy", "big.mkv"], in: folder)
    }
    try "scene { size: 640x360;  video \"big.mkv\" }".write(
      toFile: "\(folder)/big.scene", atomically: true, encoding: .utf8)
    func best(_ command: [String]) throws -> Double {
      try (0..<3).map { _ in try Child.run(command, in: folder, isSampled: false).cpuSeconds }
        .min() ?? 0
    }
    let own = try best(["\(bin)/scenec", "check", "--quiet", "big.scene"])
    let other = try best(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-i", "big.mkv", "-map", "0", "-c", "copy", "-f", "null",
        "-",
      ])
    show(
      "check of a clip of 300 MB, not seen before", own: own * 1000, other: other * 1000,
      unit: "ms", atMost: 1)
  }

  private func decode() throws {
    let pictures = 600.0
    let path = "\(folder)/long.mp4"
    let before = scene_child_cpu_seconds()
    var kernel = 0.0
    do {
      let store = ClipStore(program: "\(bin)/scenec-clip", cache: nil, workers: 1)
      let file = Files.open(path, O_RDONLY)
      defer { close(file) }
      let info = try store.index(file, path: path)
      let own = OwnProcess.cpuSeconds
      for number in 0..<Int(pictures) { _ = try store.picture(info.digest, number) }
      kernel = OwnProcess.cpuSeconds - own
    }
    let own = (scene_child_cpu_seconds() - before + kernel) * 1000 / pictures
    let bare = try Child.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-threads", "1", "-i", path, "-an", "-f", "null", "-"],
      isSampled: false)
    show(
      "decoding in order, a 1080p picture", own: own, other: bare.cpuSeconds * 1000 / pictures,
      unit: "ms",
      atMost: 1.05)
  }

  /// Compares converting 4:2:0 to BGRA with swscale at the same accuracy.
  private func convert() throws {
    let store = ClipStore(program: "\(bin)/scenec-clip", cache: nil, workers: 1)
    let file = Files.open("\(folder)/clip0.mp4", O_RDONLY)
    defer { close(file) }
    let info = try store.index(file, path: "clip0.mp4")
    let picture = try store.picture(info.digest, 5)
    _ = picture.draw()
    let before = OwnProcess.cpuSeconds
    for _ in 0..<100 { _ = picture.draw() }
    let own = (OwnProcess.cpuSeconds - before) * 10
    let raw = ["-f", "lavfi", "-i", "color=s=1920x1080:r=30:d=10,format=yuv420p"]
    func cost(_ filter: String) throws -> Double {
      try Child.run(
        ["/usr/bin/ffmpeg", "-v", "error", "-filter_threads", "1"] + raw + [
          "-vf", filter, "-f", "null", "-",
        ], isSampled: false
      ).cpuSeconds
    }
    let exact = "scale=flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp,format=bgra"
    let other = (try cost(exact) - cost("null")) * 1000 / 300
    show("4:2:0 to BGRA, a 1080p picture", own: own, other: other, unit: "ms", atMost: 0.3)
  }

  // MARK: Edit

  /// Returns a scene with some clips and dissolves of half a second between them.
  private func scene(_ count: Int) throws -> String {
    let clips = (0..<count).map { "    video \"clip\($0 % 6).mp4\"" }.joined(separator: "\n")
    let name = "edit\(count)"
    try """
    scene { size: 1920x1080;  fps: 30
      sequence {
        transition: dissolve over 0.5s
    \(clips)
      }
    }
    """.write(toFile: "\(folder)/\(name).scene", atomically: true, encoding: .utf8)
    return name
  }

  private func build(_ count: Int) throws -> Cost {
    let name = try scene(count)
    return try Child.run(
      [
        "\(bin)/scenec-render", "build", "\(name).scene", "--quiet", "--quality", "18", "-o",
        "\(name).mp4",
      ], in: folder)
  }

  /// Compares an edit with dissolves, and measures its memory.
  ///
  /// On two cores, most of it belongs to the two encoders: x264 holds 23 frames of 1080p with its
  /// lookahead of 15 frames, 205 MB each. The four decoders in use have 28 MB each, the canvases,
  /// layers and converted frames 70 MB, and the packets of finished segments 26 MB.
  private func edit() throws {
    var graph = ""
    var (video, sound) = ("0:v", "0:a")
    for number in 1..<6 {
      graph +=
        "[\(video)][\(number):v]xfade=duration=0.5:offset=\(2.5 * Double(number))[v\(number)];"
        + "[\(sound)][\(number):a]acrossfade=d=0.5[a\(number)];"
      (video, sound) = ("v\(number)", "a\(number)")
    }
    let other = try Child.run(
      ffmpeg + (0..<6).flatMap { ["-i", "clip\($0).mp4"] } + [
        "-filter_complex", String(graph.dropLast()), "-map", "[v5]", "-map", "[a5]", "-c:v",
        "libx264", "-preset", "faster", "-crf", "18", "-pix_fmt", "yuv420p", "-c:a", "aac",
        "-b:a", "192k", "peer.mp4",
      ], in: folder)
    let own = try build(6)
    show(
      "six clips, five dissolves, 465 frames", own: own.cpuSeconds, other: other.cpuSeconds,
      unit: "s", atMost: 1)
    let many = try build(40)
    print(
      String(
        format: "  memory: %.0f MB, ffmpeg %.0f MB, with 40 clips %.0f MB", own.peakMegabytes,
        other.peakMegabytes, many.peakMegabytes),
      board.judge("memory of six clips in MB", own.peakMegabytes, atMost: 600),
      board.judge(
        "memory of 40 clips to six", many.peakMegabytes / own.peakMegabytes, atMost: 1.05))
    let count = try Tool.run(
      [
        "/usr/bin/ffprobe", "-v", "error", "-count_packets", "-select_streams", "v",
        "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", "edit6.mp4",
      ], in: folder
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    guard count == "465" else {
      throw Failure(description: "the edit has \(count) frames, not 465")
    }
  }
}
