// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneModel
import SceneCairo
import SceneClips
import SceneFiles
import ScenePixels
import SceneRaster
import SceneStore
import SceneTestSupport
import Testing

/// Tests that a scene can read only files below its root, regardless of links.
@Suite("Files under a root", .cpuBudget(seconds: 1)) struct AssetFolderTests {
  private let folder: Folder
  private let fonts = FontLibrary()
  private let assets: AssetFolder

  init() throws {
    folder = try Folder()
    let root = folder.path + "/root"
    try folder.write("root/in/w-2.txt", "two")
    try folder.write("root/in/w-10.txt", "ten")
    try folder.write("outside/w-1.txt", "secret")
    for (link, target) in [
      ("inside", "in"), ("absolute", root + "/in"), ("outside", "../outside"), ("loop", "loop"),
      ("secret.txt", "../outside/w-1.txt"), ("own.txt", "in/w-2.txt"), ("zero.txt", "/dev/zero"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: root + "/" + link, withDestinationPath: target)
    }
    try #require(unsafe mkfifo(root + "/pipe.txt", 0o600) == 0)
    assets = try #require(AssetFolder(root: root, folder: root, fonts: fonts))
  }

  @Test func linksInsideAreFollowed() throws {
    for name in ["in/w-2.txt", "own.txt", "inside/w-2.txt", "absolute/w-2.txt", "in/../in/w-2.txt"]
    {
      #expect(String(decoding: try assets.source(name), as: UTF8.self) == "two", "\(name)")
    }
    #expect(assets.files(matching: "in/w-*.txt") == ["in/w-2.txt", "in/w-10.txt"])
    #expect(assets.files(matching: "inside/w-*.txt").count == 2)
  }

  @Test func nothingOutsideIsListedOrRead() {
    for name in ["secret.txt", "outside/w-1.txt", "zero.txt", "../outside/w-1.txt", "/etc/passwd"] {
      #expect(throws: AssetError.outsideRoot, "\(name)") { try assets.source(name) }
    }
    for pattern in ["outside/w-*.txt", "../outside/w-*.txt", "/etc/pass*", "loop/*", "none/*"] {
      #expect(assets.files(matching: pattern) == [], "\(pattern)")
    }
  }

  /// Image properties are cached between runs and then available without a decoder. A change of the
  /// file invalidates them.
  @Test func imagesAreKnownFromRunToRun() throws {
    let root = folder.path + "/root"
    // A new file is not cached, since it could change again within the resolution of its
    // modification time.
    let day = 86_400
    let store = StoreFolder(folder.path + "/cache")
    func assets(_ decoder: Decoder, rest: Int = -day) throws -> AssetFolder {
      let cache = ImageCache(store, rest: rest)
      return
        try #require(
          AssetFolder(root: root, folder: root, fonts: fonts, decoder: decoder, known: cache))
    }
    let none = Decoder(program: "/nowhere/scenec-decode")
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='30' height='20'/>"
    try folder.write("root/a.svg", drawing)
    let new = try assets(Decoder(), rest: day).frames("a.svg")
    #expect(new[0].image.size == PixelSize(30, 20) && new[0].image.kind == .vector)
    #expect(throws: AssetError.self) { try assets(none).frames("a.svg") }
    #expect(try assets(Decoder()).frames("a.svg") == new)
    #expect(try assets(none).frames("a.svg") == new)
    try folder.write("root/a.svg", drawing.replacingOccurrences(of: "30", with: "40"))
    #expect(throws: AssetError.self) { try assets(none).frames("a.svg") }
    #expect(try assets(Decoder()).frames("a.svg")[0].image.size == PixelSize(40, 20))
  }

  /// Returns a WAV file with `count` 8-bit samples.
  private static func wave(_ count: UInt8) -> Data {
    let format: [UInt8] = [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
    var bytes = Data("RIFF".utf8)
    bytes += [36 + count, 0, 0, 0]
    bytes += Data("WAVEfmt ".utf8)
    bytes += format
    bytes += Data("data".utf8)
    bytes += [count, 0, 0, 0]
    bytes += Data(repeating: 128, count: Int(count))
    return bytes
  }

  /// Clips that are indexed in advance equal those indexed on demand, and each is cached once.
  @Test func clipsAreReadSideBySide() throws {
    let root = folder.path + "/root"
    let names = (0..<8).map { "\($0).wav" }
    for (number, name) in names.enumerated() {
      try AssetFolderTests.wave(UInt8(40 + 2 * number))
        .write(to: URL(fileURLWithPath: root + "/" + name))
    }
    let program = Repository.path + "/.build/release/scenec-clip"
    for isPrepared in [true, false] {
      let clips = ClipStore(program: program, cache: nil, workers: 2)
      let assets = try #require(AssetFolder(root: root, folder: root, fonts: fonts, clips: clips))
      if isPrepared {
        assets.prepare(clips: names + ["missing.wav", "../outside/w-1.txt", "own.txt"] + names)
      }
      let lengths = try names.reversed().map { try assets.clip($0).sound?.sampleCount }
      #expect(lengths == [54, 52, 50, 48, 46, 44, 42, 40])
      #expect(throws: AssetError.self) { try assets.clip("missing.wav") }
      #expect(throws: AssetError.outsideRoot) { try assets.clip("../outside/w-1.txt") }
      #expect(throws: AssetError.self) { try assets.clip("own.txt") }
    }
  }

  /// Opening a pipe for reading would unblock its writer.
  @Test func pipesAndFoldersAreNotOpened() {
    let path = folder.path + "/root/pipe.txt"
    for name in ["pipe.txt", "in", "inside"] {
      #expect(throws: AssetError.notRegular, "\(name)") { try assets.source(name) }
    }
    // The pipe has no reader, so opening it for writing without blocking fails.
    #expect(unsafe open(path, O_WRONLY | O_NONBLOCK) == -1 && errno == ENXIO)
  }

  /// All files that were read or missing are watched, so that `watch` rebuilds after a change.
  @Test(arguments: [
    "a.csv", "a.svg", "a.ttf", "none.txt", "w-*.txt", "in/deep.txt", "inside/w-2.txt",
  ])
  func allThatIsReadIsWatched(_ name: String) throws {
    let root = folder.path + "/root/"
    try folder.write("root/a.csv", "a")
    try folder.write(
      "root/a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    try Data(try Repository.bytes("Tests/Conformance/font/Ahem.ttf"))
      .write(to: URL(fileURLWithPath: root + "a.ttf"))
    if name.contains("*") {
      _ = assets.files(matching: name)
    } else if name.hasSuffix("svg") {
      _ = try assets.image(name)
    } else if name.hasSuffix("ttf") {
      _ = try assets.font(name)
    } else {
      _ = try? assets.source(name)
    }
    #expect(!assets.inputs.haveChanged)
    try folder.write("root/" + name.replacing("*", with: "1"), "changed, and longer")
    #expect(assets.inputs.haveChanged)
  }

  @Test func textIsLimited() throws {
    let root = folder.path + "/root"
    let small = try #require(
      AssetFolder(root: root, folder: root, fonts: fonts, largestText: 2))
    #expect(throws: AssetError.tooLarge("3 bytes exceed the limit 'source' of 2")) {
      try small.source("in/w-2.txt")
    }
  }

  /// A font file provides its own face, even if its family is installed, and independent of its
  /// name.
  @Test func aFontFileIsTheFaceThatItHolds() throws {
    let installed = "/usr/share/fonts/opentype/ebgaramond/"
    guard let bold = FileManager.default.contents(atPath: installed + "EBGaramond12-Bold.otf"),
      let regular = FileManager.default.contents(atPath: installed + "EBGaramond12-Regular.otf")
    else { return }
    let root = folder.path + "/root/"
    for (name, data) in [("b,1.otf", bold), ("in/r.otf", regular)] {
      try data.write(to: URL(fileURLWithPath: root + name))
    }
    let metrics = PangoMetrics(fonts)
    func width(_ family: String, _ weight: Int = 400) -> Double {
      metrics.measure(
        TextBlock(
          runs: [
            TextRun("Hamburgefonstiv", font: FontSpec(families: [family], size: 90, weight: weight))
          ])
      ).width
    }
    let (b, r) = (try assets.font("b,1.otf"), try assets.font(root + "in/r.otf"))
    #expect(b != r && !b.contains(","))
    #expect(width(r) == width("EB Garamond 12"))
    #expect(width(b) != width(r))
    #expect(try assets.font("b,1.otf") == b)
    // The validated content stays in use after the file was removed or replaced.
    try regular.write(to: URL(fileURLWithPath: root + "b,1.otf"))
    #expect(width(b, 401) == width(b))
    assets.beginReading()
    #expect(try assets.font("b,1.otf") == r)
    #expect(!fonts.families.contains(b))
  }

  /// The optical size 08 of EB Garamond has empty glyphs for Greek letters; size 12 does not.
  @Test func aFaceThatDrawsNothingGivesWay() {
    let metrics = PangoMetrics(fonts)
    guard metrics.hasFamily("EB Garamond 08"), metrics.hasFamily("EB Garamond 12") else { return }
    for text in ["π", "θ", "Σ", "a π b"] {
      func outline(_ families: [String]) -> Int {
        metrics.outline(
          of: TextBlock(
            runs: [TextRun(text, font: FontSpec(families: families, size: 60, italic: true))])
        ).elements.count
      }
      #expect(outline(["EB Garamond"]) == outline(["EB Garamond 12"]), "\(text)")
      #expect(outline(["EB Garamond"]) > 5)
    }
    // An alternative name of a family is not a fallback.
    let block = TextBlock(
      runs: [TextRun("a", font: FontSpec(families: ["EB Garamond 12"], size: 60))])
    #expect(metrics.fallbackFamilies(of: block) == [])
  }
}
