// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneCairo
import SceneFiles
import SceneRaster
import SceneTestSupport
import Testing

@Suite("Images", .cpuBudget(seconds: 4)) struct ImageTests {
  private let decoder = Decoder()

  private static func numbers(_ text: String?) -> [Double] {
    (text ?? "").split(separator: ",").compactMap { Double($0) }
  }

  /// The supported formats. Other formats are reported as errors.
  private static let formats = [".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg"]

  @Test func decodedAsChromiumDoes() throws {
    var counts = (same: 0, refused: 0)
    for row in try ConformanceTable("decode.tsv").rows {
      guard let file = row["file"], Self.formats.contains(where: { file.hasSuffix($0) }),
        let bytes = try? Repository.bytes("Tests/Conformance/" + file)
      else { continue }
      let buffer: PixelBuffer
      do {
        buffer = try decoder.picture(of: bytes)
      } catch {
        // Images that Chromium displays but scenec rejects must have an error message.
        #expect(!"\(error)".isEmpty)
        counts.refused += 1
        if row["chromium"] == "shown", file.hasPrefix("png/pngsuite/"), !file.contains("/x") {
          Issue.record("\(file) is refused: \(error)")
        }
        continue
      }
      guard row["chromium"] == "shown" else {
        // Chromium rejects files that are truncated or invalid at the end, which libpng accepts.
        #expect(!file.contains("pngsuite/x"), "\(file) is shown")
        continue
      }
      #expect(
        "\(buffer.size.width)" == row["width"] && "\(buffer.size.height)" == row["height"],
        "\(file)")
      if file.hasPrefix("malformed/") { continue }
      let hasGamma = bytes.prefix(200).indices.contains {
        bytes[$0...].starts(with: Array("gAMA".utf8))
      }
      let isGamma =
        hasGamma || file.contains("pngsuite/g") || file.contains("pngsuite/ccwn")
        || file.contains("pngsuite/cs")
      // Chromium reduces 16 bits to 8 before gamma correction, which loses dark values.
      let tolerance =
        isGamma ? file.contains("16.png") ? 14.0 : 3.0 : file.hasSuffix(".png") ? 2.0 : 8.0
      let corners = [
        ("top_left", 0, 0), ("top_right", buffer.size.width - 1, 0),
        ("bottom_left", 0, buffer.size.height - 1),
        ("bottom_right", buffer.size.width - 1, buffer.size.height - 1),
      ]
      var isSame = true
      for (column, x, y) in corners {
        let wanted = Self.numbers(row[column])
        guard wanted.count == 4 else { continue }
        let pixel = buffer.pixel(x, y)
        let own = [pixel.red, pixel.green, pixel.blue, pixel.alpha].map(Double.init)
        for channel in 0..<4 {
          // Our pixels are premultiplied, those of the table are straight.
          let expected = channel == 3 ? wanted[3] : wanted[channel] * wanted[3] / 255
          if abs(own[channel] - expected) > tolerance { isSame = false }
        }
      }
      #expect(isSame, "\(file) \(corners.map { buffer.pixel($0.1, $0.2) })")
      if isSame { counts.same += 1 }
    }
    #expect(counts.same > 100)
  }

  /// The frames of PyGIF's test suite are decoded exactly.
  @Test func gifsAreWhatTheirSuiteSays() throws {
    let files = Repository.files(in: "Tests/Conformance/image/pygif", ending: ".conf")
    #expect(files.count > 60)
    for file in files {
      let folder = (file as NSString).deletingLastPathComponent
      let wanted = try Repository.text(file).split(separator: "\n")
        .filter { $0.hasPrefix("pixels = ") }
        .map { try Repository.bytes(folder + "/" + $0.dropFirst("pixels = ".count)) }
      var found: [[UInt8]] = []
      _ = try decoder.pictures(of: try Repository.bytes(file.replacing(".conf", with: ".gif"))) {
        guard let pixels = $0.pixels else { return }
        let size = $0.size
        found.append(
          (0..<(size.width * size.height)).flatMap { at in
            let pixel = pixels.pixel(at % size.width, at / size.width)
            return [pixel.red, pixel.green, pixel.blue, pixel.alpha]
          })
      }
      // The suite merges frames without a delay; browsers show each for some time.
      let isMore = found.count > wanted.count
      #expect(isMore ? found.last == wanted.last : found == wanted, "\(file)")
    }
  }

  /// Every frame of an animation is complete and has its own duration.
  @Test func animationsPlay() throws {
    let fonts = FontLibrary()
    let path = Repository.path + "/Tests/Conformance/image"
    let assets = try #require(AssetFolder(root: path, folder: path, fonts: fonts))
    for (file, count, seconds) in [
      ("wpt/red-green-animated.gif", 2, 0.1), ("wpt/webp-animated.webp", 2, 0.1),
      ("image-rs/gif__anim__mixed-disposal.gif", 3, 0.0), ("wpt/four-colors.png", 1, 0),
    ] {
      let frames = try assets.frames(file)
      #expect(frames.count >= count, "\(file): \(frames.count)")
      #expect(frames.allSatisfy { $0.seconds >= seconds || count == 1 }, "\(file)")
    }
    let drawing = try Drawing(
      "scene { size: 32x32;  for: 10s;  image \"image/wpt/red-green-animated.gif\" { size: 32x32 } }"
    )
    var colors: Set<[UInt8]> = []
    for frame in stride(from: 0, to: 300, by: 10) {
      colors.insert(Array(try drawing.pixels(frame)[2112..<2115]))
    }
    #expect(colors.count == 2, "\(colors)")
  }

  /// 16-bit linear light, which FFmpeg outputs unchanged, is converted with the sRGB curve,
  /// including dark values.
  @Test(arguments: [
    ("basn0g16", "gray16le", 1), ("basi0g16", "gray16le", 1), ("basn2c16", "rgb48le", 3),
    ("basi2c16", "rgb48le", 3),
  ])
  func linearLightBecomesSRGB(_ row: (name: String, format: String, channels: Int)) throws {
    let folder = try Folder()
    let file = "Tests/Conformance/png/pngsuite/\(row.name).png"
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-i", "\(Repository.path)/\(file)", "-pix_fmt", row.format, "-f",
        "rawvideo", "light.raw",
      ], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    let samples = try Array(#require(folder.data("light.raw")))
    try #require(samples.count == 32 * 32 * 2 * row.channels)
    let buffer = try decoder.picture(of: try Repository.bytes(file))
    for place in 0..<32 * 32 {
      let pixel = buffer.pixel(place % 32, place / 32)
      for (channel, value) in [pixel.red, pixel.green, pixel.blue].enumerated() {
        let at = 2 * (place * row.channels + channel % row.channels)
        let light = Double(Int(samples[at + 1]) << 8 | Int(samples[at])) / 65535
        let wanted = light <= 0.0031308 ? 12.92 * light : 1.055 * Math.pow(light, 1 / 2.4) - 0.055
        #expect(abs(Double(value) - 255 * wanted) <= 0.51, "\(place) \(channel)")
      }
    }
  }

  /// The frames of an animated PNG equal those decoded by FFmpeg, for all disposal and blend
  /// operations.
  @Test(arguments: [
    "color=gray:size=64x48:rate=20,noise=alls=90", "color=red@0.0:size=64x48:rate=20",
  ])
  func animatedPNG(_ source: String) throws {
    let folder = try Folder()
    func ffmpeg(_ arguments: String, _ output: String) throws {
      let words = arguments.split(separator: " ").map(String.init)
      let run = try Program.run(["/usr/bin/ffmpeg"] + words + [output], in: folder.path)
      try #require(run.status == 0, "\(run.errors)")
    }
    // Two moving boxes make FFmpeg use all disposal and blend operations.
    let graph =
      "\(source),format=rgba[a];color=blue@0.6:size=9x12:rate=20,format=rgba,split[b][c];"
      + "[a][b]overlay=x='mod(n*7,40)':y=5:format=auto[d];"
      + "[d][c]overlay=x='50-mod(n*9,40)':y=33:format=auto,format=rgba"
    try ffmpeg("-f lavfi -i \(graph) -frames:v 9 -f apng", "a.png")
    try ffmpeg("-f apng -i a.png -f rawvideo -pix_fmt rgba", "a.raw")
    let expected = [UInt8](try #require(folder.data("a.raw")))
    let size = PixelSize(64, 48)
    #expect(expected.count == 9 * 64 * 48 * 4)

    let (assets, fonts) = try opened(folder)
    let frames = try assets.frames("a.png")
    #expect(frames.map(\.seconds) == [Double](repeating: 0.05, count: 9))
    let canvas = try Canvas(
      size, isOpaque: false,
      resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    let whole = Rect(x: 0, y: 0, width: 64, height: 48)
    for (index, frame) in frames.enumerated() {
      try canvas.draw(
        FrameProgram(
          size: size, background: nil,
          ops: [.image(frame.image, source: whole, destination: whole)]))
      let drawn = canvas.rgba()
      // Compared as premultiplied values, since transparent pixels may have any color.
      func channel(_ pixels: [UInt8], _ at: Int) -> Int {
        at % 4 == 3 ? Int(pixels[at]) : Int(pixels[at]) * Int(pixels[at | 3]) / 255
      }
      let wanted = Array(expected[(index * drawn.count)..<((index + 1) * drawn.count)])
      let greatest = drawn.indices.map { abs(channel(drawn, $0) - channel(wanted, $0)) }.max() ?? 9
      #expect(greatest <= 2, "\(index): \(greatest)")
    }
  }

  private func opened(_ folder: Folder) throws -> (AssetFolder, FontLibrary) {
    let fonts = FontLibrary()
    return (
      try #require(AssetFolder(root: folder.path, folder: folder.path, fonts: fonts)), fonts
    )
  }

  /// An SVG is rendered sharply at any size, regardless of the file extension.
  @Test(arguments: ["a.svg", "a.png"]) func vectorImagesAreSharp(_ name: String) throws {
    let folder = try Folder()
    let svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect x='2' y='2' width='6' height='6' fill='#f00'/></svg>"
    try folder.write(name, svg)
    let (assets, fonts) = try opened(folder)
    let image = try assets.image(name)
    #expect(image.size == PixelSize(10, 10))
    let canvas = try Canvas(
      PixelSize(160, 160), isOpaque: true,
      resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    let op = DrawOp.image(
      image, source: Rect(x: 0, y: 0, width: 10, height: 10),
      destination: Rect(x: 0, y: 0, width: 160, height: 160))
    try canvas.draw(
      FrameProgram(size: PixelSize(160, 160), background: .color(.white), ops: [op]))
    let pixels = canvas.rgba()
    func red(_ x: Int) -> [Int] { (0..<3).map { Int(pixels[(80 * 160 + x) * 4 + $0]) } }
    #expect(red(30)[1] == 255 && red(33)[1] == 0)
  }

  /// Of a 24-megapixel image displayed at 1080p, only the copy of half the size stays in memory.
  @Test func largeImagesAreLetGo() throws {
    let folder = try Folder()
    let svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='6000' height='4000'><rect width='6000' height='4000' fill='#f00'/></svg>"
    try folder.write("a.svg", svg)
    let (assets, fonts) = try opened(folder)
    let image = try assets.image("a.svg")
    let store = ImageStore(assets)
    let size = PixelSize(1920, 1080)
    let canvas = try Canvas(
      size, isOpaque: true, resources: DrawingResources(fonts: fonts, images: store))
    let op = DrawOp.image(
      image, source: Rect(x: 0, y: 0, width: 6000, height: 3375),
      destination: Rect(x: 0, y: 0, width: 1920, height: 1080))
    try canvas.draw(FrameProgram(size: size, background: .color(.black), ops: [op]))
    #expect(store.byteCount == 3000 * 2000 * 4)
    #expect(canvas.rgba()[0] == 255)
  }

  /// A pixelated and a smooth image of the same file share their pixels.
  @Test func imagesAreDecodedOnce() throws {
    let folder = try Folder()
    try folder.write(
      "a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='40'></svg>")
    let (assets, fonts) = try opened(folder)
    let vector = try assets.image("a.svg")
    let image = ImageReference(path: vector.path, digest: vector.digest, size: vector.size)
    let store = ImageStore(assets)
    let size = PixelSize(60, 40)
    let canvas = try Canvas(
      size, isOpaque: true, resources: DrawingResources(fonts: fonts, images: store))
    let whole = Rect(x: 0, y: 0, width: 60, height: 40)
    let ops = [image.rendered(.pixelated), image].map {
      DrawOp.image($0, source: whole, destination: whole)
    }
    try canvas.draw(FrameProgram(size: size, background: .color(.black), ops: ops))
    #expect(store.byteCount == 60 * 40 * 4)
  }

  /// Every malformed file results in an image or an error, but not in a timeout or a memory limit.
  @Test func everyMalformedFileEnds() throws {
    let files = Repository.files(in: "Tests/Conformance/malformed")
    #expect(files.count > 200)
    for file in files {
      do {
        let buffer = try decoder.picture(of: try Repository.bytes(file))
        #expect(buffer.size.width > 0)
      } catch {
        #expect(!"\(error)".isEmpty && !"\(error)".contains("more than"), "\(file): \(error)")
      }
    }
  }

  /// 16-bit images without a color space are interpreted as sRGB, as in other programs.
  @Test(arguments: ["gray16be", "rgb48be", "rgba64be", "ya16be"])
  func sixteenBits(_ format: String) throws {
    let folder = try Folder()
    for (name, kind) in [("a.png", "image2"), ("b.png", "apng")] {
      let words =
        "/usr/bin/ffmpeg -f lavfi -i color=0x808080:s=16x16 -frames:v 1 -pix_fmt \(format) -f \(kind)"
      let run = try Program.run(
        words.split(separator: " ").map(String.init) + [name], in: folder.path)
      guard run.status == 0 else {
        #expect(kind == "apng", "\(run.errors)")
        continue
      }
      let bytes = [UInt8](try #require(folder.data(name)))
      let pixel = try decoder.picture(of: bytes).pixel(5, 5)
      for value in [pixel.blue, pixel.green, pixel.red] {
        #expect(abs(Int(value) - 128) <= 2, "\(format) \(name): \(pixel)")
      }
      #expect(pixel.alpha == 255)
    }
  }

  /// Pixels are sent only up to the requested size, but all frames are reported.
  @Test(arguments: [(Int.max, 10), (0, 0), (1600, 1), (1599, 0), (4 * 1600 + 5, 4)])
  func noMorePixelsComeThanAreWanted(_ most: Int, _ count: Int) throws {
    let point: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    let head: [UInt8] = Array("GIF89a".utf8) + [20, 0, 20, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let file = head + [[UInt8]](repeating: point, count: 10).joined() + [0x3B]
    var found: [DecodedPicture] = []
    _ = try decoder.pictures(of: file, most: most) { found.append($0) }
    #expect(found.map(\.size) == [PixelSize](repeating: PixelSize(20, 20), count: 10))
    #expect(found.prefix { $0.pixels != nil }.count == count)
    #expect(found.count { $0.pixels != nil } == count)
  }

  /// Damaged images that every browser displays are displayed, with a remark about missing pixels.
  @Test func damagedPhotographsAreShown() throws {
    let photo = try Repository.bytes("Tests/Conformance/image/libjpeg-turbo/testorig.jpg")
    func remarks(_ bytes: [UInt8]) throws -> [String] {
      var count = 0
      let remarks = try decoder.pictures(of: bytes) { picture in
        count += picture.size == PixelSize(227, 149) ? 1 : 0
      }
      #expect(count == 1)
      return remarks
    }
    let scan = try #require((0..<photo.count).first { photo[$0...].starts(with: [0xFF, 0xDA]) })
    #expect(photo[6..<9].elementsEqual("JFI".utf8))
    var revised = photo
    revised[11] = 255
    let stray = photo[..<scan] + [0, 1, 2, 3, 4, 5, 6, 7] + photo[scan...]
    for whole in [photo, revised, Array(stray)] { #expect(try remarks(whole) == []) }
    for cut in [Array(photo.dropLast(2)), Array(photo.prefix(photo.count * 2 / 3))] {
      #expect(try remarks(cut).first?.contains("missing") == true)
    }
  }

  @Test func aMissingDecoderIsNamed() throws {
    let decoder = Decoder(program: "/nowhere/scenec-decode")
    do {
      _ = try decoder.picture(of: [0x89, 0x50])
      Issue.record("decoded by nobody")
    } catch {
      #expect("\(error)".contains("cannot be started: No such file"), "\(error)")
    }
  }

  /// A decoder that crashes on one file is restarted for the next.
  @Test func aDeadDecoderIsReplaced() throws {
    let bad = Array("<svg><style>:lang(x-cn) { }</style><g xml:lang='en'/></svg>".utf8)
    let good = Array("<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>".utf8)
    for _ in 0..<3 {
      #expect(throws: AssetError.undecodable("the SVG renderer crashed")) {
        try decoder.picture(of: bad)
      }
      #expect(try decoder.picture(of: good).size == PixelSize(7, 5))
    }
  }

  @Test func orientations() throws {
    let files = Repository.files(in: "Tests/Conformance/image/exif", ending: "-pre-rotated.jpg")
    #expect(files.count >= 1)
    for wanted in files {
      let name = wanted.replacing("-pre-rotated.jpg", with: ".jpg")
      guard let bytes = try? Repository.bytes(name) else { continue }
      let own = try decoder.picture(of: bytes)
      let other = try decoder.picture(of: try Repository.bytes(wanted))
      #expect(own.size == other.size, "\(name)")
      guard own.size == other.size else { continue }
      for (x, y) in [(3, 3), (own.size.width - 4, 3), (3, own.size.height - 4)] {
        let a = own.pixel(x, y)
        let b = other.pixel(x, y)
        let difference: Int =
          abs(Int(a.blue) - Int(b.blue)) + abs(Int(a.green) - Int(b.green))
          + abs(Int(a.red) - Int(b.red))
        #expect(difference < 60, "\(name)")
      }
    }
  }
}
