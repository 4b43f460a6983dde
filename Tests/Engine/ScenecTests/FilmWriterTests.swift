// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Scenec
import Testing

/// Videos that programs write frame by frame, read back for comparison.
@Suite("Film writer", .cpuBudget(seconds: 1)) struct FilmWriterTests {
  private let folder: Folder
  private let size = PixelSize(64, 48)

  init() throws {
    Programs.find
    folder = try Folder()
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func film(_ name: String, rate: Double = 25, _ settings: FilmSettings = FilmSettings())
    throws -> FilmWriter
  {
    try FilmWriter(size: size, rate: rate, to: path(name), settings)
  }

  private let lossless = FilmSettings(codec: .ffv1)

  /// Returns the red, green and blue channels of a pixel.
  private func color(_ picture: Image, _ x: Int, _ y: Int) throws -> [Int] {
    try picture.withPixels { pixels in
      [2, 1, 0].map { Int(pixels[(y * picture.pixelSize.width + x) * 4 + $0]) }
    }
  }

  @Test func everyPictureIsThere() throws {
    let film = try film("a.mkv", lossless)
    for frame in 0..<40 {
      switch frame % 4 {
      case 0:
        try film.append { $0.fill(.color(Color(red: Double(frame) / 255, green: 0, blue: 0))) }
      case 1:
        try film.appendCairo { context in
          context.setSource(Color(red: Double(frame) / 255, green: 0, blue: 0))
          context.paint()
        }
      case 2:
        try film.appendPixels { pixels in
          for at in pixels.indices {
            pixels[at] = at % 4 == 2 ? UInt8(frame) : at % 4 == 3 ? 255 : 0
          }
        }
      default:
        // The rows are padded: the stride exceeds the width of the frame.
        var pixels = [UInt8](repeating: 200, count: 300 * 48)
        for y in 0..<48 {
          for x in 0..<64 {
            let at = y * 300 + x * 4
            (pixels[at], pixels[at + 1], pixels[at + 2]) = (0, 0, UInt8(frame))
          }
        }
        try film.append(pixels: pixels.span, bytesPerRow: 300)
      }
    }
    #expect(film.frameCount == 40)
    #expect(folder.names == [])
    try film.finish()
    #expect(folder.names == ["a.mkv"] && film.encodedFrameCount == 40)
    let clip = try ClipReader(path("a.mkv"))
    #expect(clip.count == 40 && clip.rate == 25 && clip.size == size && clip.codec == "ffv1")
    for number in 0..<40 {
      #expect(try color(clip.frame(number), 63, 47) == [number, 0, 0])
    }
  }

  /// Invalid settings fail with the compiler's message before the first frame, and no file is
  /// written.
  @Test(arguments: [
    ("a.mp3", FilmSettings(), "a .mp3 file cannot contain audio"),
    ("a.xyz", FilmSettings(), "'PATH' has an unknown file extension"),
    ("a.png.jpg", FilmSettings(), "the file name of stills must contain a number"),
    ("a.webm", FilmSettings(codec: .h264), "H.264 is not supported in a .webm file"),
    ("a.mp4", FilmSettings(isTransparent: true), "the scene has a transparent background"),
    ("a.mp4", FilmSettings(quality: 70), "the quality 70 is outside the range of H.264"),
    (
      "a.mp4", FilmSettings(quality: 20, bitrate: 1e6), "'quality' and 'bitrate' cannot be combined"
    ),
    ("a.mp4", FilmSettings(preset: "quick"), "unknown preset 'quick'"),
    ("a.mp4", FilmSettings(profile: "best"), "H.264 does not support the profile 'best'"),
    (
      "a.mp4", FilmSettings(profile: "baseline", pixelFormat: .yuv444p),
      "the profile baseline does not support 4:4:4"
    ),
    ("a.mp4", FilmSettings(level: "0.5"), "unknown H.264 level 0.5"),
    ("a.gif", FilmSettings(bitrate: 1e6), "GIF does not support 'bitrate'"),
    (
      "a.gif", FilmSettings(sound: FilmSettings.SoundTrack()), "a .gif file cannot contain audio"
    ),
    (
      "a.mp4", FilmSettings(sound: FilmSettings.SoundTrack(codec: .pcm)),
      "PCM audio is not supported in a .mp4 file"
    ),
  ])
  func whatCannotBeMetIsRefused(_ name: String, _ settings: FilmSettings, _ message: String) throws
  {
    let failure = #expect(throws: FilmError.self) { try film(name, settings) }
    let expected = name == "a.mp3" ? "no audio for a .mp3 file" : message
    #expect(
      failure?.message.hasPrefix(expected.replacing("PATH", with: path(name))) == true,
      "\(String(describing: failure))")
    #expect(failure?.kind == .settings && folder.names == [])
  }

  @Test(arguments: [
    (PixelSize(63, 48), 25.0, "63x48 is not supported with 4:2:0: both sides must be even"),
    (PixelSize(0, 48), 25.0, "the frame size must be from 1x1 to 16384x16384, found 0x48"),
    (PixelSize(8, 8), 25.0, "H.264 requires at least 16x16 pixels, found 8x8"),
    (PixelSize(64, 48), 0, "the frame rate must be from 0.01 to 1000, found 0.0"),
    (PixelSize(64, 48), .nan, "the frame rate must be from 0.01 to 1000, found nan"),
  ])
  func formsThatCannotBeAreRefused(_ size: PixelSize, _ rate: Double, _ message: String) throws {
    let failure = #expect(throws: FilmError.self) {
      try FilmWriter(size: size, rate: rate, to: path("a.mp4"))
    }
    #expect(failure?.message == message)
  }

  @Test func ofAnUnfinishedFilmNothingStays() throws {
    try folder.write("a.mp4", "old")
    do {
      let film = try film("a.mp4")
      for _ in 0..<30 { try film.append { $0.fill(.color(.white)) } }
    }
    let film = try film("a.mp4")
    try film.append { $0.fill(.color(.white)) }
    film.cancel()
    let over = #expect(throws: FilmError.self) { try film.append { $0.fill(.color(.black)) } }
    #expect(over?.kind == .over)
    #expect(throws: FilmError.self) { try film.finish() }
    #expect(folder.names == ["a.mp4"] && folder.data("a.mp4") == Data("old".utf8))
  }

  @Test func aCancelledTaskEndsTheFilm() async throws {
    let target = path("a.mp4")
    let task = Task {
      let film = try FilmWriter(size: PixelSize(64, 48), rate: 25, to: target)
      while true { try film.append { $0.fill(.color(.white)) } }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(folder.names == [])
  }

  /// At most a few frames wait for the encoder, however fast they are appended.
  @Test func fewPicturesWait() throws {
    let film = try film("a.mkv", FilmSettings(codec: .h264, preset: "veryslow"))
    for frame in 0..<200 {
      try film.appendPixels { pixels in
        for at in pixels.indices { pixels[at] = UInt8(truncatingIfNeeded: at &* 31 &* frame >> 5) }
      }
      #expect(film.frameCount - film.encodedFrameCount <= 4)
    }
    try film.finish()
  }

  @Test func picturesLastAsLongAsIsSaid() throws {
    let film = try film("a.mp4", rate: 30, FilmSettings(isVariable: true))
    for frame in 0..<10 {
      try film.append { $0.fill(.color(Color(red: Double(frame % 2), green: 0, blue: 0))) }
    }
    for frame in 0..<5 {
      try film.append(frames: 3) {
        $0.fill(.color(Color(red: 0, green: Double(frame % 2), blue: 0)))
      }
    }
    try film.finish()
    let clip = try ClipReader(path("a.mp4"))
    // The last frame is stored twice, because the file does not contain the duration of its last
    // packet.
    #expect(clip.count == 16)
    let starts = (0..<16).map { Int((clip.time(of: $0) * 30).rounded()) }
    #expect(starts == Array(0..<10) + [10, 13, 16, 19, 22, 24])
    #expect(abs(clip.duration - 25.0 / 30) < 0.001)
  }

  @Test func soundIsThereInAnyOrder() throws {
    var wave: [Float] = []
    for sample in 0..<48_000 { wave += [Float(sample % 100) / 200, -Float(sample % 77) / 100] }
    func samples(_ name: String, _ write: (FilmWriter) throws -> Void) throws -> [Float] {
      let film = try film(name, FilmSettings(codec: .ffv1, sound: .init(codec: .flac)))
      try write(film)
      try film.finish()
      let clip = try ClipReader(path(name))
      #expect(clip.sound?.sampleCount == 48_000)
      return try clip.samples(from: 0, count: 48_000)
    }
    func pictures(_ film: FilmWriter, _ count: Int) throws {
      for frame in 0..<count {
        try film.append { $0.fill(.color(Color(red: Double(frame) / 25, green: 0, blue: 0))) }
      }
    }
    let first = try samples("first.mkv") { film in
      try film.append(sound: wave)
      try film.append(sound: wave)
      try pictures(film, 25)
    }
    let last = try samples("last.mkv") { film in
      try pictures(film, 25)
      try film.append(sound: Array(wave.prefix(48_000)))
    }
    func distance(_ a: [Float], _ b: [Float]) -> Float {
      zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
    #expect(distance(first, wave) < 2.0 / 32_768)
    #expect(distance(last, Array(wave.prefix(48_000))) < 2.0 / 32_768)
    #expect(last.suffix(48_000).allSatisfy { $0 == 0 })
  }

  @Test func aSilentFilmTakesNoSound() throws {
    let film = try film("a.mp4")
    #expect(throws: FilmError.self) { try film.append(sound: [0, 0]) }
  }

  /// Each interval between cuts has its own palette.
  @Test func picturesOfAGIFHaveTheirColors() throws {
    let film = try film("a.gif")
    for hue in [0.0, 120, 240] {
      for frame in 0..<30 {
        try film.append { drawing in
          for x in 0..<64 {
            let shade = Double((x + frame) % 64) / 64
            let color = Color(hue: hue, saturation: 1, lightness: 0.2 + 0.6 * shade)
            drawing.fill(
              .rect(Rect(x: Double(x), y: 0, width: 1, height: 48), radius: 0), .color(color))
          }
        }
      }
    }
    try film.finish()
    let clip = try ClipReader(path("a.gif"))
    #expect(clip.count == 90 && abs(clip.duration - 3.6) < 0.001)
    let number = clip.number(at: 2.5)
    let shade = Double((20 + number % 30) % 64) / 64
    let wanted = Color(hue: 240, saturation: 1, lightness: 0.2 + 0.6 * shade)
    let found = try color(clip.frame(number), 20, 10)
    for (part, other) in zip(found, [wanted.red, wanted.green, wanted.blue]) {
      #expect(abs(Double(part) - other * 255) <= 3)
    }
  }

  @Test func whatIsNotDrawnOnIsBlackOrClear() throws {
    for (name, isTransparent, alpha) in [("o-%d.png", false, 255), ("c-%d.png", true, 0)] {
      let film = try film(name, FilmSettings(isTransparent: isTransparent))
      try film.append { _ in }
      try film.appendCairo { _ in }
      try film.finish()
      for number in 0..<2 {
        let picture = try Image(path(name.replacing("%d", with: "\(number)")))
        #expect(try picture.withPixels { [$0[0], $0[3]] } == [0, UInt8(alpha)])
      }
    }
  }

  /// A video is byte-identical to the one that `scenec build` writes for an equivalent scene.
  @Test func itIsWhatScenecWouldMake() throws {
    try folder.write(
      "a.scene",
      """
      scene {
          size: 64x48;  fps: 25;  for: 1s;  background: white
          output { codec: h264;  bitrate: 500kbps }
          circle { radius: 10;  position: (32, 24);  fill: red }
      }
      """)
    let run = try Program.scenec("build", "a.scene", "-o", "scene.mp4", in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let film = try film("film.mp4", FilmSettings(bitrate: 500_000))
    for _ in 0..<25 {
      try film.append { drawing in
        drawing.fill(.color(.white))
        drawing.fill(
          .ellipse(center: Point(32, 24), rx: 10, ry: 10), .color(Color(red: 1, green: 0, blue: 0)))
      }
    }
    try film.finish()
    let made = try #require(folder.data("film.mp4"))
    #expect(made == folder.data("scene.mp4"))
  }
}

/// The location of the helper programs that decode clips and images.
enum Programs {
  /// Adds the build folder to `PATH`, once per process.
  static let find: Void = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    _ = unsafe setenv("PATH", Repository.path + "/.build/release:" + path, 1)
  }()
}
