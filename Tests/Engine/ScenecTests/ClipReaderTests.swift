// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Scenec
import Testing

/// Frames and samples that the library reads from clips.
@Suite("Clip reader", .cpuBudget(seconds: 1)) struct ClipReaderTests {
  private let folder: Folder

  init() throws {
    Programs.find
    folder = try Folder()
  }

  /// Returns a clip of ten frames whose red channel encodes the frame number.
  private func clip(_ name: String = "a.mkv", _ codec: VideoCodec = .ffv1) throws -> ClipReader {
    let path = folder.path + "/" + name
    let film = try FilmWriter(
      size: PixelSize(64, 64), rate: 10, to: path, FilmSettings(codec: codec))
    for number in 0..<10 {
      try film.append { $0.fill(.color(Color(red: Double(number * 20) / 255, green: 0, blue: 0))) }
    }
    try film.finish()
    return try ClipReader(path)
  }

  private func number(_ picture: Image) throws -> Int {
    try picture.withPixels { Int($0[2]) / 20 }
  }

  @Test func timesNamePictures() throws {
    let clip = try clip()
    #expect(clip.count == 10 && clip.duration == 1 && clip.rate == 10 && clip.sound == nil)
    let rows: [(Double, Bool, Int)] = [
      (0, false, 0), (0.0999, false, 0), (0.1, false, 1), (0.55, false, 5), (-3, false, 0),
      (7, false, 9), (1, true, 0), (1.1, true, 1), (-0.05, true, 9), (12.34, true, 3),
      (.nan, true, 0), (.infinity, false, 0),
    ]
    for (seconds, isLooped, wanted) in rows {
      #expect(clip.number(at: seconds, isLooped: isLooped) == wanted, "\(seconds)")
      #expect(try number(clip.frame(at: seconds, isLooped: isLooped)) == wanted)
    }
  }

  @Test func picturesComeInAnyOrder() async throws {
    let clip = try clip()
    for wanted in [9, 0, 5, 4, 3, 7] { #expect(try number(clip.frame(wanted)) == wanted) }
    var found: [Int] = []
    for try await picture in clip.frames() { found.append(try number(picture)) }
    #expect(found == Array(0..<10))
    found = []
    for try await picture in clip.frames(isLooped: true) {
      found.append(try number(picture))
      if found.count == 25 { break }
    }
    #expect(found == (0..<25).map { $0 % 10 })
  }

  /// A clip frame that fills the output frame is passed to the encoder as decoded.
  @Test func picturesPassThroughUnchanged() throws {
    let clip = try clip("a.mp4", .h264)
    let path = folder.path + "/b.mkv"
    let film = try FilmWriter(
      size: clip.size, rate: 10, to: path, FilmSettings(codec: .ffv1, pixelFormat: .yuv420p))
    for number in 0..<10 {
      let picture = try clip.frame(number)
      try film.append { $0.draw(picture, in: $0.frame) }
    }
    try film.finish()
    func planes(_ file: String) throws -> String {
      try Program.run(["/usr/bin/ffmpeg", "-v", "error", "-i", file, "-f", "framemd5", "-"]).output
        .split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }.joined(separator: "\n")
    }
    #expect(try planes(path) == planes(clip.path))
  }

  /// Images created in memory are drawn like image files, and released afterward.
  @Test func picturesFromMemoryAreDrawn() throws {
    let path = folder.path + "/a.mkv"
    let film = try FilmWriter(
      size: PixelSize(16, 16), rate: 10, to: path, FilmSettings(codec: .ffv1))
    for shade in 0..<20 {
      let pixels = [UInt8](repeating: UInt8(shade * 10 | 1), count: 4 * 4 * 4)
      let picture = Image(PixelSize(4, 4), pixels.span)
      try film.append { drawing in
        drawing.fill(.color(.white))
        drawing.draw(picture, in: Rect(x: 4, y: 4, width: 8, height: 8))
      }
    }
    try film.finish()
    let clip = try ClipReader(path)
    for shade in 0..<20 {
      let middle = try clip.frame(shade).withPixels { Int($0[(8 * 16 + 8) * 4]) }
      let alpha = Double(shade * 10 | 1)
      #expect(abs(Double(middle) - (255 - alpha + alpha)) <= 1)
    }
  }

  @Test(arguments: [
    ("missing.mp4", FilmError.Kind.file), ("text.mp4", .picture), ("empty.mp4", .picture),
    (".", .file),
  ])
  func whatIsNoClipIsRefused(_ name: String, _ kind: FilmError.Kind) throws {
    try folder.write("text.mp4", "no clip")
    try folder.write("empty.mp4", "")
    let path = folder.path + "/" + name
    let failure = #expect(throws: FilmError.self) { try ClipReader(path) }
    #expect(failure?.kind == kind && failure?.message.contains(path) == true)
  }
}
