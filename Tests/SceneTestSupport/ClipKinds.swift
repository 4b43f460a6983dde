// SPDX-License-Identifier: MIT
import Foundation
package import SceneModel
import SceneSystem

/// A kind of clip with the expected results.
package struct ClipKind: CustomStringConvertible, Sendable {
  package let name: String
  /// The options for the encoder and the container.
  package let options: String
  /// The frame rate in ffmpeg's notation; `nil` if no constant rate is expected.
  package var rate: String?
  package var filter: String
  /// The command that changes the file afterwards, if any.
  package var then: String?
  /// The number encoded in the first frame, and the number of frames.
  package var first: Int
  package var count: Int
  /// Whether indexing requires decoding.
  package var isCounted: Bool
  package var description: String { name }

  package init(
    _ name: String, _ options: String, rate: String? = "30", filter: String = "null",
    then: String? = nil, first: Int = 0, count: Int = 90, isCounted: Bool = false
  ) {
    self.name = name
    self.options = options
    self.rate = rate
    self.filter = filter
    self.then = then
    self.first = first
    self.count = count
    self.isCounted = isCounted
  }

  package var frameRate: FrameRate? {
    guard let parts = rate?.split(separator: "/").compactMap({ Int64($0) }) else { return nil }
    return FrameRate(parts[0], parts.count > 1 ? parts[1] : 1)
  }

  private static let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p"
  private static let x265 =
    "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -x265-params log-level=none:pools=none:bframes=3"

  /// Variants of codecs, containers, groups of pictures and timestamps.
  package static let all: [ClipKind] = [
    ClipKind("h264.mp4", "\(x264) -g 24"),
    ClipKind("h264-open.mp4", "\(x264) -x264-params keyint=24:open-gop=1:bframes=3"),
    ClipKind("h264-refresh.mp4", "\(x264) -x264-params intra-refresh=1:keyint=30"),
    ClipKind("h264-fragments.mp4", "\(x264) -g 24 -movflags +frag_keyframe+empty_moov"),
    ClipKind("h264-edit.mp4", "\(x264) -g 60", then: "-ss 0.5 -i IN -c copy", first: 15, count: 75),
    ClipKind("h264-late.mp4", "\(x264) -g 24 -output_ts_offset 5"),
    ClipKind(
      "h264-early.mp4", "\(x264) -g 24 -output_ts_offset -1 -avoid_negative_ts disabled",
      first: 30, count: 60),
    ClipKind("h264-444.mp4", "\(x264) -pix_fmt yuv444p -g 24"),
    ClipKind("h264-422.mov", "\(x264) -pix_fmt yuv422p -g 24"),
    ClipKind("h264-10.mp4", "\(x264) -pix_fmt yuv420p10le -g 24"),
    ClipKind("h264-odd.mp4", "\(x264) -pix_fmt yuv444p -g 24", filter: "pad=161:97"),
    ClipKind("h264.mkv", "\(x264) -g 250"),
    ClipKind("h264-live.mkv", "\(x264) -g 24 -live 1"),
    ClipKind("h264.ts", "\(x264) -g 24"),
    ClipKind("h264.avi", "\(x264) -g 24", isCounted: true),
    ClipKind("h264.264", "\(x264) -g 24", isCounted: true),
    ClipKind("h264-2997.mp4", "\(x264) -g 24", rate: "30000/1001"),
    ClipKind("h264-23976.mkv", "\(x264) -g 24", rate: "24000/1001"),
    ClipKind(
      "h264-jitter.mkv", "\(x264) -g 24 -vsync passthrough -enc_time_base 1/1000",
      filter: "settb=1/1000,setpts=PTS+mod(N*7\\,16)"),
    ClipKind(
      "h264-screen.mp4", "\(x264) -g 24 -vsync passthrough -enc_time_base 1/90000", rate: nil,
      filter: "settb=1/90000,setpts=N*N*300"),
    ClipKind(
      "h264-turned.mp4", "\(x264) -g 24",
      then: "-i IN -c copy -metadata:s:v:0 rotate=270"),
    ClipKind("h264-anamorphic.mp4", "\(x264) -g 24", filter: "setsar=16/11"),
    ClipKind(
      "h264-fields.mp4", "\(x264) -g 24 -flags +ildct+ilme -x264-params tff=1",
      filter: "setfield=tff"),
    ClipKind(
      "hevc-hlg.mp4",
      "\(x265.replacing("yuv420p ", with: "yuv420p10le ")):keyint=24 -color_trc arib-std-b67"
        + " -colorspace bt2020nc -color_primaries bt2020"),
    ClipKind("hevc-open.mp4", "\(x265):keyint=24:open-gop=1"),
    ClipKind("hevc-closed.mkv", "\(x265):keyint=24:open-gop=0"),
    ClipKind("hevc.ts", "\(x265):keyint=24:open-gop=1"),
    ClipKind("vp8.webm", "-c:v libvpx -g 24 -b:v 1M -auto-alt-ref 1 -lag-in-frames 16"),
    ClipKind("vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -b:v 1M"),
    ClipKind(
      "vp9-2997.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 24 -b:v 1M",
      rate: "30000/1001"),
    ClipKind(
      "vp9-alpha.webm",
      "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -auto-alt-ref 0 -g 24 -b:v 1M"
        + " -pix_fmt yuva420p"),
    ClipKind("av1.mp4", "-c:v libsvtav1 -preset 12 -g 24 -svtav1-params lp=1"),
    ClipKind("mpeg4.mp4", "-c:v mpeg4 -bf 2 -g 24 -q:v 3"),
    ClipKind("mpeg4.avi", "-c:v mpeg4 -bf 2 -g 24 -q:v 3", isCounted: true),
    ClipKind("mpeg2.ts", "-c:v mpeg2video -bf 2 -g 12 -q:v 2"),
    ClipKind("mpeg2.mpg", "-c:v mpeg2video -bf 2 -g 12 -q:v 2", rate: "25"),
    ClipKind("mpeg1.mpg", "-c:v mpeg1video -bf 2 -g 12 -q:v 2", rate: "25"),
    ClipKind("mjpeg.avi", "-c:v mjpeg -q:v 3 -pix_fmt yuvj420p"),
    ClipKind("prores.mov", "-c:v prores_ks -profile:v 1", rate: "24"),
    ClipKind("prores-alpha.mov", "-c:v prores_ks -profile:v 4 -pix_fmt yuva444p10le"),
    ClipKind("ffv1.mkv", "-c:v ffv1 -level 3 -pix_fmt yuv420p"),
    ClipKind("qtrle.mov", "-c:v qtrle -pix_fmt argb"),
    ClipKind("raw.y4m", "-pix_fmt yuv420p"),
    ClipKind("pictures.gif", "", rate: "25"),
    ClipKind("pictures.apng", "-pix_fmt rgba", rate: "25"),
  ]
}

/// An error for a clip that could not be created.
package struct ClipKindError: Error, CustomStringConvertible { package let description: String }

/// The clips of all kinds, each created on first use.
package final class ClipFiles: Sendable {
  package static let shared = ClipFiles()
  private let folder = try? Folder()
  private let lock = NSLock()

  /// 90 frames of 160x96 in planar YUV 4:4:4. Each contains its number as sixteen squares of 10x12
  /// at the bottom, white for set bits, below a moving gradient.
  private static let source: Data = {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(90 * 160 * 96 * 3)
    for number in 0..<90 {
      for y in 0..<96 {
        for x in 0..<160 {
          let bit: UInt8 = number >> (x / 10) & 1 == 1 ? 235 : 16
          bytes.append(y >= 84 ? bit : UInt8(16 + (x + y + number * 3) % 200))
        }
      }
      for (a, b) in [(1, 2), (2, 1)] {
        for y in 0..<96 {
          for x in 0..<160 { bytes.append(y >= 84 ? 128 : UInt8(64 + (x * a + y * b) % 128)) }
        }
      }
    }
    return Data(bytes)
  }()

  package func path(_ kind: ClipKind) throws -> String {
    guard let folder else { throw ClipKindError(description: "no folder") }
    let path = folder.path + "/" + kind.name
    if FileManager.default.fileExists(atPath: path) { return path }
    // Other tests may request the clip concurrently. It is renamed when complete and never changes.
    let own = UUID().uuidString
    let source = folder.path + "/source-" + own
    let made = own + "-" + kind.name
    try Self.source.write(to: URL(fileURLWithPath: source))
    defer { try? FileManager.default.removeItem(atPath: source) }
    let first = kind.then == nil ? made : "first-" + made
    try run(
      "timeout 60 ffmpeg -v error -y -f rawvideo -pix_fmt yuv444p -s 160x96 -r \(kind.rate ?? "30") -i '\(source)'"
        + " -vf '\(kind.filter)' -threads 1 \(kind.options) '\(first)'", kind.name)
    if let then = kind.then {
      try run(
        "timeout 60 ffmpeg -v error -y \(then.replacing("IN", with: first)) '\(made)'", kind.name)
    }
    lock.withLock {
      if !Files.exists(path) { Files.rename(folder.path + "/" + made, path) }
    }
    return path
  }

  /// Runs a command in the folder of the clips.
  package func run(_ command: String, _ name: String) throws {
    guard let folder else { return }
    let run = try Program.run(["/bin/sh", "-c", command], in: folder.path)
    guard run.status == 0 else { throw ClipKindError(description: "\(name): \(run.errors)") }
  }

  package func path(_ name: String) -> String { (folder?.path ?? "") + "/" + name }
}
