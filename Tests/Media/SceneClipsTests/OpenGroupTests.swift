// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneModel
import SceneTestSupport
import Testing

/// Streams with open groups of pictures, decoded from each of their frames.
@Suite("Open groups of pictures", .cpuBudget(seconds: 3)) struct OpenGroupTests {
  /// The number of streams: each encoder in each container, or 200 in `make soak`.
  private static let count = Soak.isRunning ? 200 : 15

  /// Returns a stream of some length, with random options of its encoder.
  private static func kind(_ number: Int) -> ClipKind {
    var generator = Generator(seed: UInt64(number))
    let container = ["mp4", "mkv", "ts"][number % 3]
    let frames = Int.random(in: 7...60, using: &generator)
    let group = Int.random(in: 3...15, using: &generator)
    let between = Int.random(in: 0...4, using: &generator)
    let pyramid = ["none", "strict", "normal"].randomElement(using: &generator) ?? "none"
    let references = Int.random(in: 1...5, using: &generator)
    let encoder =
      switch number / 3 % 5 {
      case 0, 1:
        "libx264 -preset veryfast -x264-params keyint=\(group):min-keyint=1:scenecut=0:open-gop=1:"
          + "bframes=\(between):b-adapt=0:b-pyramid=\(pyramid):ref=\(references)"
      case 2:
        "libx265 -preset ultrafast -x265-params log-level=none:pools=none:keyint=\(group):"
          + "min-keyint=1:scenecut=0:open-gop=1:bframes=\(between):b-adapt=0"
      case 3: "mpeg2video -q:v 2 -g \(group) -bf \(min(between, 2))"
      default:
        "libx264 -preset veryfast -x264-params keyint=\(group + 8):intra-refresh=1:"
          + "bframes=\(between):ref=1"
      }
    return ClipKind(
      "open-\(number).\(container)", "-c:v \(encoder) -pix_fmt yuv420p -frames:v \(frames)",
      count: frames)
  }

  /// A regression: `frame` always failed for the last frame, and `build` in a third of all runs.
  private static let short = ClipKind(
    "open-short.mp4",
    "-c:v libx264 -bf 3 -x264-params keyint=5:min-keyint=5:scenecut=0:open-gop=1:b-adapt=0"
      + " -pix_fmt yuv420p -frames:v 18", rate: "10", count: 18)

  @Test(arguments: [short] + (0..<count).map(kind)) func anyPictureComesFirst(_ kind: ClipKind)
    throws
  {
    let path = try ClipFiles.shared.path(kind)
    let store = Clips.store(workers: 1)
    let info = try Clips.open(path, store)
    let pictures = try #require(info.pictures)
    #expect(pictures.times.count == kind.count)
    let right = try (0..<pictures.times.count).map { number in
      let picture = try store.picture(info.digest, number)
      #expect(Clips.number(in: picture.draw()) == number)
      return Clips.digest(picture)
    }
    var generator = Generator(seed: 1)
    let last = (0..<4).map { right.count - 1 - $0 }
    let others = (0..<4).map { _ in Int.random(in: right.indices, using: &generator) }
    for number in last + others {
      // A process that has not decoded anything yet.
      let store = Clips.store(workers: 1)
      let digest = try Clips.open(path, store).digest
      #expect(Clips.digest(try store.picture(digest, number)) == right[number], "\(number)")
    }
  }
}
