// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneTestSupport
import Testing

/// Every frame of clips of random kinds that ffmpeg makes, compared to ffmpeg.
@Suite("Generated clips beside ffmpeg", .cpuBudget(seconds: 7)) struct GeneratedReferenceTests {
  /// The seeds of the clips, with each codec at least once; `make soak` makes many more.
  private static let seeds =
    Soak.isRunning
    ? Array(0..<200) : [0, 1, 2, 5, 6, 8, 9, 10, 12, 13, 15, 16, 17]

  struct Kind: Sendable, CustomTestStringConvertible {
    let seed: Int
    let container: String
    /// The options after the input.
    let options: String
    /// The options of a second run of `ffmpeg` that copies the streams, for example a cut that
    /// creates an edit list.
    let copy: String?
    let source: String

    var testDescription: String { "\(seed).\(container) \(options) \(copy ?? "")" }

    init(seed: Int) {
      var random = Generator(seed: UInt64(seed) &* 7919 &+ 3)
      func pick<T>(_ list: [T]) -> T { list.randomElement(using: &random)! }
      let codec = pick([
        "libx264", "libx264", "libx264", "libx265", "libx265", "mpeg4", "mpeg2video", "libvpx",
        "libvpx-vp9", "libaom-av1", "ffv1", "mjpeg", "prores_ks",
      ])
      let containers: [String: [String]] = [
        "libx264": ["mp4", "mov", "mkv", "ts", "avi"], "libx265": ["mp4", "mov", "mkv", "ts"],
        "mpeg4": ["mp4", "avi", "mkv"], "mpeg2video": ["ts", "mpg", "mkv"],
        "libvpx": ["webm", "mkv"], "libvpx-vp9": ["webm", "mp4"], "libaom-av1": ["mp4", "mkv"],
        "ffv1": ["mkv", "avi"], "mjpeg": ["avi", "mov"], "prores_ks": ["mov"],
      ]
      let formats: [String: [String]] = [
        "libx264": ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuvj420p"],
        "libx265": ["yuv420p", "yuv444p", "yuv420p10le"], "libvpx-vp9": ["yuv420p", "yuv444p"],
        "ffv1": ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le"],
        "mjpeg": ["yuvj420p", "yuvj422p"],
        "prores_ks": ["yuv422p10le"],
      ]
      let rate = pick(["25", "30", "24000/1001", "10", "50"])
      let size = pick(["96x64", "130x98", "64x96", "176x144"])
      let group = Int.random(in: 1...20, using: &random)
      var options = "-c:v \(codec) -pix_fmt \(pick(formats[codec] ?? ["yuv420p"])) -g \(group)"
      switch codec {
      case "libx264":
        options += " -preset \(pick(["ultrafast", "veryfast", "medium"]))"
        options += " -bf \(Int.random(in: 0...3, using: &random))"
        options += pick(["", " -x264-params open-gop=1", " -x264-params intra-refresh=1"])
      case "libx265":
        options +=
          " -preset ultrafast -x265-params log-level=none:open-gop=\(pick([0, 1]))"
          + ":bframes=\(Int.random(in: 0...3, using: &random))"
      case "mpeg4", "mpeg2video": options += " -bf \(Int.random(in: 0...2, using: &random))"
      case "libaom-av1": options += " -cpu-used 8 -row-mt 0 -strict -2"
      case "libvpx", "libvpx-vp9":
        options += " -deadline realtime -cpu-used 8 -auto-alt-ref \(pick([0, 1])) -b:v 200k"
      default: break
      }
      container = pick(containers[codec] ?? ["mp4"])
      if ["mp4", "mov"].contains(container) {
        options += pick(["", "", " -movflags +faststart", " -movflags frag_keyframe+empty_moov"])
        if codec == "libx265" { options += " -tag:v hvc1" }
      }
      if pick([true, false, false]) { options += " -vf setsar=\(pick(["4/3", "16/11", "8/9"]))" }
      self.options = options
      self.seed = seed
      source = "testsrc2=s=\(size):r=\(rate):d=\(pick(["0.4", "1.3", "2"]))"
      let cut = "-ss \(pick(["0.21", "0.5", "0.93"])) -c copy"
      let isCut = ["mp4", "mov", "mkv"].contains(container) && pick([true, false, false])
      copy = isCut ? cut : nil
    }
  }

  @Test(arguments: seeds.map { Kind(seed: $0) }) func frames(_ kind: Kind) throws {
    let folder = try Folder()
    func run(_ input: [String], _ options: String, _ name: String) throws {
      let run = try Program.run(
        ["/usr/bin/ffmpeg", "-nostdin", "-v", "error"] + input
          + options.split(separator: " ").map { String($0) } + [name], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    var name = "a." + kind.container
    try run(["-f", "lavfi", "-i", kind.source], kind.options, name)
    if let copy = kind.copy {
      let cut = "b." + kind.container
      try run(["-i", name], copy, cut)
      name = cut
    }
    let path = folder.path + "/" + name
    // A cut may leave no keyframe.
    guard try kind.copy == nil || Reference.decodes(path) else { return }
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let frames = try #require(try Reference.compareFrames(path, info, store))
    #expect(frames.count > 0)
    for difference in frames.differences.prefix(3) { Issue.record("\(difference)") }
  }
}
