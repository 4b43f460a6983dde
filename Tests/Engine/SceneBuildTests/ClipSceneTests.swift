// SPDX-License-Identifier: MIT
import Foundation
import SceneModel
import SceneTestSupport
import Testing

/// Twelve ways to play a clip in a scene.
///
/// The expected frame is computed here independently, from the rule alone: the last frame of the
/// clip that starts at a time or before it. In reverse playback, the last frame before the time.
struct ClipScene: Sendable {
  /// A time in the clip in ticks, and the direction of playback; `nil` if nothing is shown.
  typealias Moment = (time: Double, isBackwards: Bool)

  let fps: String
  let rate: (Int64, Int64)
  let seconds: Double
  /// The elements of the scene, where CLIP stands for the file.
  let body: String
  let moment: @Sendable (Double) -> Moment?

  private init(
    _ fps: String, _ seconds: Double, _ body: String, rate: (Int64, Int64)? = nil,
    moment: @escaping @Sendable (Double) -> Moment?
  ) {
    (self.fps, self.seconds, self.body, self.moment) = (fps, seconds, body, moment)
    self.rate = rate ?? (Int64(fps) ?? 30, 1)
  }

  var frameCount: Int {
    Int((seconds * Double(rate.0) / Double(rate.1) - 1e-9).rounded(.up))
  }

  /// Returns the seconds of the clip that have been played at a time, at a speed that falls from 2
  /// to 0.5 within a second.
  private static func ramped(_ time: Double) -> Double {
    time < 1 ? 2 * time - 0.75 * time * time : 1.25 + 0.5 * (time - 1)
  }

  static let all: [ClipScene] = [
    ClipScene("30", 1.9, #"video "CLIP""#) { ($0, false) },
    ClipScene("24", 1.5, #"video "CLIP" { trim: 0.3s .. 1.9s }"#) { ($0 + 0.3, false) },
    ClipScene("25", 1.4, #"video "CLIP" { at: 0.2s }"#) {
      $0 < 0.2 - 1e-9 ? nil : ($0 - 0.2, false)
    },
    ClipScene("60", 1.5, #"video "CLIP" { trim: 0.5s .. 1.3s;  speed: 0.5 }"#) {
      ($0 / 2 + 0.5, false)
    },
    ClipScene(
      "29.97", 0.85, #"video "CLIP" { trim: 0.1s .. 1.9s;  speed: 2 }"#, rate: (30_000, 1001)
    ) { ($0 * 2 + 0.1, false) },
    ClipScene("30", 1.4, #"video "CLIP" { trim: 0.4s .. 1.8s;  speed: -1 }"#) { (1.8 - $0, true) },
    ClipScene("50", 1.5, #"video "CLIP" { trim: 0.5s .. 0.9s;  loop: true }"#) {
      (0.5 + $0 - 0.4 * (($0 + 1e-9) / 0.4).rounded(.down), false)
    },
    ClipScene("30", 1.1, #"video "CLIP" { time: 0.2s -> 1.7s over 1s with linear }"#) {
      (0.2 + 1.5 * min($0, 1), false)
    },
    ClipScene("60", 1, #"video "CLIP" { time: 1.7s -> 0.2s over 1s with linear }"#) {
      (1.7 - 1.5 * $0, true)
    },
    ClipScene(
      "30", 1.3,
      #"sequence { video "CLIP" { trim: 1s .. 1.5s };  video "CLIP" { trim: 0.2s .. 0.7s;  speed: -1 };"#
        + #"  video "CLIP" { time: 1.2s;  for: 0.3s } }"#
    ) {
      $0 < 0.5 - 1e-9
        ? (1 + $0, false) : $0 < 1 - 1e-9 ? (0.7 - ($0 - 0.5), true) : (1.2, false)
    },
    ClipScene("50", 1.6, #"video "CLIP" { trim: 0.2s .. 1.9s;  speed: 2 -> 0.5 over 1s }"#) {
      (0.2 + ramped($0), false)
    },
    ClipScene(
      "24", 1.4, #"video "CLIP" { at: 0.1s;  speed: keyframes { 0s: 0;  0.5s: 0;  0.5s: 1 } }"#
    ) {
      $0 < 0.1 - 1e-9 ? nil : (max(0, $0 - 0.6), false)
    },
  ]
}

/// Each kind is in one scene; `make soak` builds all scenes with several numbers of workers.
@Suite("Clips in scenes", .cpuBudget(seconds: 7)) struct ClipSceneTests {
  private func size(_ kind: ClipKind) -> (Int, Int) {
    switch kind.name {
    case "h264-turned.mp4": (96, 160)
    case "h264-anamorphic.mp4": (233, 96)
    case "h264-odd.mp4": (161, 97)
    default: (160, 96)
    }
  }

  /// Returns the start of a frame of a clip in ticks.
  private func start(_ picture: Int, _ kind: ClipKind) -> Double {
    let second = Double(Ticks.perSecond)
    if let rate = kind.rate?.split(separator: "/").compactMap({ Double($0) }) {
      return Double(picture) * second * (rate.count > 1 ? rate[1] : 1) / rate[0]
    }
    // The screen recording starts each frame half a time unit before its timestamp.
    return picture == 0 ? 0 : Double(picture * picture) / 300 * second - second / 180_000
  }

  private func picture(at moment: ClipScene.Moment, _ kind: ClipKind) -> Int {
    let time = moment.time * Double(Ticks.perSecond)
    return (0..<kind.count).last {
      moment.isBackwards ? start($0, kind) < time - 2.5 : start($0, kind) <= time + 2.5
    } ?? 0
  }

  /// Returns the numbers that are drawn in the frames of a raw video.
  private func numbers(_ data: Data, _ size: (Int, Int), hasFullChroma: Bool) throws -> [Int] {
    let bytes = [UInt8](data)
    let (width, height) = size
    let chroma = hasFullChroma ? width * height : (width / 2) * (height / 2)
    let length = 6 + width * height + 2 * chroma
    let first = try #require(bytes.firstIndex(of: 10)) + 1
    return stride(from: first, to: bytes.count, by: length).map { at in
      (0..<16).reduce(0) { number, bit in
        // In a frame that is turned clockwise, the lowest rows are on the left.
        let (x, y) =
          height > width
          ? (5, bit * 10 + 5) : ((bit * 10 + 5) * (width == 233 ? 233 : 160) / 160, 90)
        return number | (bytes[at + 6 + y * width + x] > 128 ? 1 << bit : 0)
      }
    }
  }

  /// The indices of kinds whose scenes are in the same file, because programs take time to start.
  private static let groups = stride(from: 0, to: ClipKind.all.count, by: 5).map {
    $0..<min($0 + 5, ClipKind.all.count)
  }

  /// Whether the output of a scene has full chroma. The others have the format of most clips, whose
  /// frames can pass through without drawing.
  private func hasFullChroma(_ number: Int, _ kind: ClipKind) -> Bool {
    let size = size(kind)
    return number % 2 == 1 || size.0 % 2 == 1 || size.1 % 2 == 1
  }

  private func source(_ number: Int, of index: Int) -> String {
    let (scene, kind) = (ClipScene.all[number], ClipKind.all[index])
    let size = size(kind)
    return """
      scene k\(index) {
        size: \(size.0)x\(size.1);  fps: \(scene.fps);  for: \(scene.seconds)s;  background: black
        \(hasFullChroma(number, kind) ? "output { pixel-format: yuv444p }" : "")
        \(scene.body.replacingOccurrences(of: "CLIP", with: kind.name))
      }
      """
  }

  @Test(arguments: groups) func everyFrameShowsThePictureOfTheRule(_ group: Range<Int>) throws {
    let folder = try Folder()
    for kind in ClipKind.all[group] {
      try FileManager.default.copyItem(
        atPath: ClipFiles.shared.path(kind), toPath: folder.path + "/" + kind.name)
    }
    let workers = Soak.isRunning ? [1, 2, 8] : [[1, 2, 8][group.lowerBound / 5 % 3]]
    for shift in Soak.isRunning ? Array(ClipScene.all.indices) : [0] {
      func number(_ index: Int) -> Int { (index + shift) % ClipScene.all.count }
      let scenes = group.map { source(number($0), of: $0) }
      try folder.write("a.scene", scenes.joined(separator: "\n"))
      for jobs in workers {
        let run = try Program.scenec(
          "build", "a.scene", "-o", "{scene}-\(jobs).y4m", "--jobs", "\(jobs)", in: folder.path)
        #expect(run.status == 0, "\(scenes): \(run.errors)")
      }
      for index in group {
        let kind = ClipKind.all[index]
        let made = try #require(folder.data("k\(index)-\(workers[0]).y4m"))
        for jobs in workers.dropFirst() {
          let other = folder.data("k\(index)-\(jobs).y4m")
          #expect(other == made, "\(kind), scene \(number(index)), \(jobs) workers")
        }
        try check(made, kind: kind, number: number(index))
      }
    }
  }

  /// Checks the frames of the scene with a number.
  private func check(_ made: Data, kind: ClipKind, number: Int) throws {
    let scene = ClipScene.all[number]
    let shown = try numbers(made, size(kind), hasFullChroma: hasFullChroma(number, kind))
    let meant = (0..<scene.frameCount).map { frame in
      let time = Double(frame) * Double(scene.rate.1) / Double(scene.rate.0)
      return scene.moment(time).map { picture(at: $0, kind) + kind.first } ?? 0
    }
    #expect(shown == meant, "\(kind), scene \(number)")
  }
}
