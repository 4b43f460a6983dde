// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Scenec
import Testing

/// The example programs in `Examples/library`.
@Suite("Examples of the library", .cpuBudget(seconds: 9)) struct ExampleTests {
  private let folder: Folder
  private let photos = (1...3).map { Repository.path + "/Examples/slideshow/photo-\($0).jpg" }

  init() throws {
    Programs.find
    folder = try Folder()
  }

  private func program(_ name: String) -> String {
    Repository.path + "/.build/release/example-\(name)"
  }

  /// Runs an example, and returns a reader of its output, which must be the only file in the
  /// folder.
  private func run(_ name: String, _ arguments: String..., output: String) throws -> ClipReader {
    let run = try Program.run([program(name)] + arguments, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(folder.names == [output])
    return try ClipReader(folder.path + "/" + output)
  }

  @Test func bezier() throws {
    let clip = try run("bezier", output: "bezier.mp4")
    #expect(clip.count == 120 && clip.duration == 4 && clip.size == PixelSize(640, 360))
  }

  @Test func inset() throws {
    let clip = try run("inset", photos[0], photos[1], "A day at the sea", output: "inset.mp4")
    #expect(clip.count == 90 && clip.duration == 3)
  }

  @Test func slideshow() throws {
    let clip = try run("slideshow", "a.mp4", photos[0], photos[1], photos[2], output: "a.mp4")
    #expect(clip.count == 180 && clip.duration == 6)
  }

  @Test func twoRates() throws {
    let clip = try run("two-rates", output: "two-rates.m4v")
    let starts = (0..<clip.count).map { Int((clip.time(of: $0) * 30).rounded()) }
    #expect(starts == Array(0..<60) + stride(from: 60, to: 120, by: 2) + [119])
    #expect(abs(clip.duration - 4) < 0.001)
    let probe = try Program.run([
      "/usr/bin/ffprobe", "-v", "error", "-show_entries", "stream=profile,level,has_b_frames",
      "-of",
      "default=nk=1:nw=1", clip.path,
    ])
    #expect(probe.output.split(separator: "\n") == ["Constrained Baseline", "0", "31"])
    let bytes = try #require(folder.data("two-rates.m4v")).count
    #expect(Double(bytes) * 8 / 4 < 1_200_000 * 1.1)
  }

  /// The memory of a long GIF does not depend on its number of frames.
  @Test func longGIF() throws {
    let run = try Program.measure([program("long-gif")], in: folder.path)
    #expect(run.run.status == 0 && run.peakMebibytes <= 150, "\(run)")
    let clip = try ClipReader(folder.path + "/long.gif")
    #expect(clip.count == 1500 && clip.duration == 60)
  }

  @Test func reverse() throws {
    let other = try Folder()
    let source = other.path + "/clip.mp4"
    let made = try Program.run([
      "/usr/bin/ffmpeg", "-v", "error", "-i", Repository.path + "/Examples/clips/bay.mp4", "-t",
      "2", "-vf", "scale=160:90", "-g", "12", source,
    ])
    #expect(made.status == 0, "\(made.errors)")
    let clip = try run("reverse", source, "a.mp4", output: "a.mp4")
    let original = try ClipReader(source)
    #expect(clip.count == original.count && clip.size == original.size)
  }
}
