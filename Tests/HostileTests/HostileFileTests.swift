// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// For any content of a file, `scenec frame` ends within seconds of CPU time and 512 MiB.
///
/// The result is an image or a message that names the file.
@Suite("Hostile files", .cpuBudget(seconds: 37)) struct HostileFileTests {
  private typealias File = HostileFiles.File

  /// Returns a GIF with equal frames.
  private static func frames(
    _ count: Int, of frame: (width: Int, height: Int), on canvas: (width: Int, height: Int)
  ) -> [UInt8] {
    let one = HostileFiles.gifPicture(frame.width, frame.height)
    return HostileFiles.gif(
      canvas.width, canvas.height, [[UInt8]](repeating: one, count: count))
  }

  private static let images: [HostileFiles.File] = {
    let path = "Tests/Conformance/image/libjpeg-turbo/testorig.jpg"
    let photo = (try? Repository.bytes(path)) ?? []
    let made: [(String, [UInt8])] = [
      ("wide.png", HostileFiles.png(40_000, 1, depth: 8, color: 0)),
      ("tall.png", HostileFiles.png(1, 40_000, color: 0)),
      ("million.png", HostileFiles.png(1_000_000, 63)),
      (
        "sixteen-thousand.png",
        HostileFiles.png(16_000, 16_000, data: HostileFiles.zeros(9_000_000))
      ),
      ("eight-thousand.png", HostileFiles.png(7999, 7999)),
      ("deep.png", HostileFiles.png(5700, 5700, depth: 16)),
      (
        "interlaced.png",
        HostileFiles.png(5000, 5000, interlace: 1, data: HostileFiles.zeros(100_020_000))
      ),
      ("two-billion.png", HostileFiles.png(Int(Int32.max), 1, data: HostileFiles.zeros(1000))),
      ("none.png", HostileFiles.png(0, 0, data: HostileFiles.zeros(1))),
      ("short.png", HostileFiles.png(640, 480, data: HostileFiles.zeros(5000))),
      ("long.png", HostileFiles.png(8, 8, data: HostileFiles.zeros(200_000_000))),
      (
        "claims.png",
        HostileFiles.pngMark + HostileFiles.header(8, 8)
          + HostileFiles.chunk("tEXt", [1, 2, 3, 4], length: 0x7FFF_FFF0)
      ),
      (
        "claims-profile.png",
        HostileFiles.pngMark + HostileFiles.header(8, 8)
          + HostileFiles.chunk("iCCP", [65, 0, 0], length: 0x4000_0000)
      ),
      (
        "profile.png",
        HostileFiles.png(
          8, 8,
          extra: HostileFiles.chunk("iCCP", [65, 0, 0] + HostileFiles.zeros(500_000_000)))
      ),
      (
        "text.png",
        HostileFiles.png(
          8, 8, extra: HostileFiles.chunk("zTXt", [65, 0, 0] + HostileFiles.zeros(1_000_000_000)))
      ),
      (
        "texts.png",
        HostileFiles.png(
          8, 8,
          extra: (0..<50_000).flatMap { HostileFiles.chunk("tEXt", Array("k\($0)\0v".utf8)) })
      ),
      ("no-palette.png", HostileFiles.png(64, 64, color: 3)),
      ("animated.png", HostileFiles.apng(2000, 2000, count: 100, part: (2000, 2000))),
      ("animated-points.png", HostileFiles.apng(6000, 6000, count: 3000, part: (1, 1))),
      ("animated-many.png", HostileFiles.apng(100, 100, count: 3000, part: (100, 100))),
      ("animated-outside.png", HostileFiles.apng(10, 10, count: 3, part: (20, 20))),
      (
        "animated-cut.png",
        HostileFiles.apng(20, 20, count: 5, part: (20, 20)).dropLast(20)
      ),
      (
        "inside.svg",
        Array(
          "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image width='9' height='9' href='data:image/png;base64,\(Data(HostileFiles.png(16_000, 16_000, data: HostileFiles.zeros(9))).base64EncodedString())'/></svg>"
            .utf8)
      ),
      ("canvas.gif", HostileFiles.gif(65_535, 65_535, [HostileFiles.gifPicture(10, 10)])),
      ("large.gif", HostileFiles.gif(7999, 7999, [HostileFiles.gifPicture(7999, 7999)])),
      ("pictures.gif", frames(30, of: (8000, 8000), on: (10, 10))),
      ("pictures-large.gif", frames(40, of: (8000, 7000), on: (8000, 7000))),
      ("points.gif", frames(1000, of: (1, 1), on: (7999, 7999))),
      ("many.gif", frames(20_000, of: (40, 40), on: (40, 40))),
      ("outside.gif", HostileFiles.gif(10, 10, [HostileFiles.gifPicture(9, 9, x: 60_000, y: 9)])),
      ("none.gif", HostileFiles.gif(10, 10, [])),
      ("flat.gif", HostileFiles.gif(10, 10, [HostileFiles.gifPicture(0, 9)])),
      (
        "flat-first.gif",
        HostileFiles.gif(10, 10, [HostileFiles.gifPicture(0, 9), HostileFiles.gifPicture(9, 9)])
      ),
      ("endless.gif", HostileFiles.gif(10, 10, [HostileFiles.gifPicture(9, 9)], end: [])),
      ("wide.gif", HostileFiles.gif(65_535, 1, [HostileFiles.gifPicture(65_535, 1)])),
      ("scans.jpg", HostileFiles.progressive(8000, 7900, scans: 300)),
      ("many-scans.jpg", HostileFiles.progressive(4000, 4000, scans: 20_000)),
      ("wide.jpg", HostileFiles.progressive(40_000, 4, scans: 1)),
      ("largest.jpg", HostileFiles.progressive(65_500, 65_500, scans: 0)),
      ("cut.jpg", Array(photo.prefix(photo.count / 2))),
      ("header.jpg", Array(photo.prefix(400))),
      ("tail.jpg", photo + photo),
      ("mark.jpg", [0xFF, 0xD8]), ("mark.png", HostileFiles.pngMark),
      ("mark.gif", Array("GIF89a".utf8)),
      ("mark.webp", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)), ("empty.png", []),
      (
        "claims.webp",
        Array("RIFF".utf8) + [255, 255, 255, 127] + Array("WEBPVP8L".utf8) + [
          255, 255, 255, 127, 0x2F, 255, 255, 255, 255,
        ]
      ),
    ]
    var files = made.map { File(name: $0.0, bytes: $0.1) }
    files += HostileFiles.vectors.map { File(name: $0.name + ".svg", bytes: Array($0.text.utf8)) }
    // Photographs with a few changed bytes.
    for seed in 1...8 { files.append(File(name: "other-\(seed).jpg", bytes: changed(photo, seed))) }
    return files
  }()

  private static func changed(_ bytes: [UInt8], _ seed: Int) -> [UInt8] {
    var (bytes, state) = (bytes, UInt32(seed))
    for _ in 0..<(seed * 5) {
      state = state &* 1_664_525 &+ 1_013_904_223
      bytes[Int(state >> 8) % bytes.count] = UInt8(truncatingIfNeeded: state)
    }
    return bytes
  }

  private static let fonts: [HostileFiles.File] = {
    let font = (try? Repository.bytes("Tests/Conformance/font/Ahem.ttf")) ?? []
    var files = (1...12).map { File(name: "other-\($0).ttf", bytes: changed(font, $0 * 7)) }
    for part in [0, 4, 12, 100, 5000, font.count - 10] {
      files.append(File(name: "cut-\(part).ttf", bytes: Array(font.prefix(part))))
    }
    files.append(File(name: "picture.ttf", bytes: HostileFiles.png(8, 8)))
    return files
  }()

  /// Runs `frame` on a scene that shows a file, and checks its result, time and memory.
  private func measure(_ file: HostileFiles.File, _ body: String, in folder: Folder) throws
    -> MeasuredRun
  {
    try Data(file.bytes).write(to: URL(fileURLWithPath: folder.path + "/" + file.name))
    let name = file.name + ".scene"
    try folder.write(name, "scene { size: 64x64; fps: 2; for: 1s; background: teal\n\(body) }")
    let measured = try Program.measure(
      [Program.scenec, "frame", name, "-o", file.name + ".out.png"], in: folder.path)
    let run = measured.run
    #expect(
      run.status == 0 || (run.status == 1 && run.errors.contains("'\(file.name)'")),
      "\(file): \(run.status) \(run.errors)")
    // Five seconds for the decoder, and the rest for scenec itself.
    #expect(measured.cpuSeconds < 6, "\(file): \(measured.cpuSeconds) s")
    #expect(measured.peakMebibytes <= 512, "\(file): \(measured.peakMebibytes) MiB")
    return measured
  }

  @Test func thereAreEnough() { #expect(Self.imageShare.count >= 95 && Self.fonts.count >= 19) }

  /// Files that are shown without a message.
  private static let shown = [
    "eight-thousand.png", "deep.png", "interlaced.png", "many.gif", "endless.gif",
    "flat-first.gif",
  ]

  /// The images that take half a second or more.
  private static let large: Set = [
    "octaves.svg", "many-scans.jpg", "scans.jpg", "uses.svg", "some-octaves.svg",
    "pictures-large.gif", "large.gif", "eight-thousand.png", "deep.png", "merge.svg", "large.svg",
    "filters.svg", "many-rectangles.svg", "rectangles.svg", "pictures.gif", "many.gif",
    "attributes.svg", "animated-many.png", "stops.svg",
  ]

  /// All images but two thirds of the large ones, or all in a soak.
  private static let imageShare =
    images.filter { !large.contains($0.name) }
    + images.filter { large.contains($0.name) }.share(every: 3)

  @Test(arguments: imageShare) func imagesEnd(_ file: HostileFiles.File) throws {
    let measured = try measure(file, "image \"\(file.name)\" { size: 32x32 }", in: Folder())
    let said = measured.run.errors
    for (name, words) in Self.answers where name == file.name {
      #expect(said.contains(words), "\(name): \(said)")
    }
    if Self.shown.contains(file.name) { #expect(!said.contains("error"), "\(said)") }
  }

  /// The expected messages for some files: the reason, and the limit if there is one.
  private static let answers = [
    ("wide.png", "a side of 40000x1 exceeds the limit of 32767 pixels"),
    ("tall.png", "a side of 1x40000 exceeds the limit of 32767 pixels"),
    ("wide.jpg", "a side of 40000x4 exceeds the limit of 32767 pixels"),
    ("wide.gif", "a side of 65535x1 exceeds the limit of 32767 pixels"),
    ("narrow.svg", "the limit of 32767 pixels"),
    ("sixteen-thousand.png", "16000x16000 exceeds the limit of 64000000 pixels"),
    ("pictures.gif", "its frames exceed the limit of 256000000 pixels in total"),
    ("animated.png", "100 frames of 2000x2000 exceed the limit of 128000000 pixels"),
    ("many-scans.jpg", "the decoder exceeds the limit of 5 s of CPU time"),
    ("octaves.svg", "the SVG renderer exceeds the limit of 5 s of CPU time"),
    ("many-rectangles.svg", "the SVG renderer exceeds the limit of 480 MiB of memory"),
    ("language.svg", "the SVG renderer crashed"),
    ("convolve.svg", "the SVG renderer crashed"),
    ("none.gif", "the GIF contains no frame"),
    ("inside.svg", "an embedded image: 16000x16000 exceeds the limit of 64000000 pixels"),
    ("animated-cut.png", "the PNG animation is truncated after frame 4"),
    ("image-beside.svg", "the linked file 'photo.png' is not loaded"),
    ("use-outside.svg", "the linked file 'other.svg#a' is not loaded"),
    ("image-bmp.svg", "an unsupported format (image/bmp)"),
    ("image-cut.svg", "an embedded image is not drawn"),
    ("cut.jpg", "part of the JPEG is missing"),
    ("endless.gif", "part of the GIF is missing"),
  ]

  @Test(arguments: fonts) func fontsEnd(_ file: HostileFiles.File) throws {
    let body = "text \"Abc 12\" { font: \"\(file.name)\"; font-size: 12 }"
    _ = try measure(file, body, in: Folder())
  }

  /// Tables, captions and color tables are text, and have the limits of text.
  @Test func textIsLimited() throws {
    let folder = try Folder()
    for (name, body) in [
      ("a.csv", "text \"{len(data(\"a.csv\"))}\""), ("a.json", "text \"{len(data(\"a.json\"))}\""),
      ("a.srt", "captions \"a.srt\""), ("a.vtt", "captions \"a.vtt\""),
      ("a.cube", "rect { size: 100%; filter: lut(\"a.cube\") }"),
    ] {
      let path = folder.path + "/" + name
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      unsafe truncate(path, 500 << 20)
      try folder.write("s.scene", "scene { size: 64x64; fps: 2; for: 1s\n\(body) }")
      let measured = try Program.measure(
        [Program.scenec, "check", "s.scene"], in: folder.path)
      let said = measured.run.errors
      #expect(measured.run.status == 1 && said.contains("'\(name)' is too large"), "\(said)")
      #expect(said.contains("exceed the limit 'source'"), "\(said)")
      #expect(measured.cpuSeconds < 1 && measured.peakMebibytes < 200, "\(name)")
    }
  }

  /// Eight images of 62 MB of pixels each take only the memory of one at a time.
  @Test func theDecoderIsReplaced() throws {
    let folder = try Folder()
    try folder.write("bad.svg", HostileFiles.vectors[0].text)
    try Data(HostileFiles.png(4000, 4000)).write(
      to: URL(fileURLWithPath: folder.path + "/good.png"))
    let rows = (0..<8).map { _ in "image \"bad.svg\"\nimage \"good.png\" { size: 9x9 }" }
    try folder.write(
      "s.scene", "scene { size: 64x64; for: 1s\n\(rows.joined(separator: "\n")) }")
    let measured = try Program.measure([Program.scenec, "check", "s.scene"], in: folder.path)
    #expect(measured.run.errors.contains("'bad.svg'"))
    #expect(!measured.run.errors.contains("good.png"), "\(measured.run.errors)")
  }
}
