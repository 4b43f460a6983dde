// SPDX-License-Identifier: MIT
import Foundation
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneTestSupport
import Testing

/// Caching and reloading when a scene is loaded repeatedly.
@Suite("Sessions", .cpuBudget(seconds: 1)) struct SessionTests {
  private let folder: Folder
  private let scene: String
  private let session = Session(LoadOptions())

  init() throws {
    folder = try Folder()
    scene = try folder.write(
      "a.scene",
      """
      import "size.scene"
      scene { size: 100x100; for: wait; image "a.svg" { position: center } }
      """)
    try folder.write("size.scene", "let wait = 1s")
    try picture(10)
  }

  /// Writes an image of the given width in place, with the modification date of another day.
  private func picture(_ width: Int, day: Double = 1) throws {
    let path = folder.path + "/a.svg"
    if folder.data("a.svg") == nil { try folder.write("a.svg", "") }
    try "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='10'/>"
      .write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: day * 86_400)], ofItemAtPath: path)
  }

  private func load() throws -> LoadedScene {
    let loaded = try session.load(scene)
    #expect(loaded.diagnostics.map(\.message) == [])
    return loaded
  }

  private func width(_ loaded: LoadedScene) throws -> Int {
    let images = try #require(loaded.model).elements.compactMap { element -> ImageReference? in
      if case .image(let images, _, _, _) = element.drawing { images[0] } else { nil }
    }
    return try #require(images.first).size.width
  }

  @Test func aFileIsReadAgainWhenItChanged() throws {
    #expect(try width(load()) == 10)
    // Path, size and date are unchanged, so the file is not opened.
    try picture(20)
    #expect(try width(load()) == 10)
    try picture(30, day: 2)
    #expect(try width(load()) == 30)
  }

  @Test func importsAreFollowed() throws {
    #expect(try load().model?.frameCount == 30)
    try folder.write("size.scene", "let wait = 2s")
    #expect(try load().model?.frameCount == 60)
  }

  @Test func whatWasMissingIsFound() throws {
    try FileManager.default.removeItem(atPath: folder.path + "/a.svg")
    #expect(try session.load(scene).model == nil)
    try picture(40)
    #expect(try width(load()) == 40)
  }

  /// Each load has its own inputs: files that are no longer shown are not watched.
  @Test func inputsAreThoseOfTheLoad() throws {
    #expect(try load().inputs.paths.contains { $0.hasSuffix("/a.svg") })
    try folder.write("a.scene", "scene { size: 10x10; for: 1s; circle { radius: 3 } }")
    let loaded = try load()
    #expect(!loaded.inputs.paths.contains { $0.hasSuffix("/a.svg") })
    #expect(!loaded.inputs.haveChanged)
    try folder.write("a.scene", "scene { size: 10x10; for: 2s; circle { radius: 3 } }")
    #expect(loaded.inputs.haveChanged)
  }

  /// All parts of a canceled build report that the scene is outdated, even if the file has been
  /// restored.
  @Test func whatIsOutdatedRemainsSo() throws {
    let clock = ManualClock()
    let watcher = Watcher(clock: clock)
    watcher.watch(try load().inputs)
    #expect(!watcher.isOutdated)
    let text = try #require(folder.data("size.scene"))
    let aside = folder.path + "/aside"
    try FileManager.default.moveItem(atPath: folder.path + "/size.scene", toPath: aside)
    #expect(!watcher.isOutdated, "files are compared every five milliseconds")
    clock.advance(by: .milliseconds(6))
    #expect(watcher.isOutdated)
    try FileManager.default.moveItem(atPath: aside, toPath: folder.path + "/size.scene")
    clock.advance(by: .milliseconds(6))
    #expect(watcher.isOutdated && !watcher.hasChanged)
    watcher.renew()
    #expect(!watcher.isOutdated)
    try folder.write("size.scene", String(decoding: text, as: UTF8.self) + " ")
    clock.advance(by: .milliseconds(6))
    #expect(watcher.isOutdated && watcher.hasChanged)
  }

  /// A save during other work is complete, so there is no further wait.
  @Test func aSaveBeforeTheWaitIsTakenAtOnce() throws {
    let watcher = Watcher()
    watcher.watch(try load().inputs)
    try folder.write("size.scene", "let wait = 2s")
    var polls = 0
    let isSeen = watcher.wait {
      polls += 1
      return polls > 100
    }
    #expect(isSeen && polls <= 3, "\(polls)")
    watcher.renew()
    #expect(!watcher.wait(until: { true }))
  }

  /// A load that fails must not cause another one.
  @Test func renewedInputsHaveNotChanged() throws {
    var inputs = InputFiles([scene])
    inputs.addMissing([folder.path + "/project.scene"])
    try folder.write("a.scene", "scene { for: 1s }")
    #expect(inputs.haveChanged && !inputs.renewed.haveChanged)
    inputs = inputs.renewed
    try folder.write("project.scene", "project { }")
    #expect(inputs.haveChanged && !inputs.renewed.haveChanged)
  }

  @Test func textThatIsNotSavedStandsInForTheFile() throws {
    let loaded = try session.load(
      scene, bytes: Array("scene { size: 8x8; for: 1s; circle { radius: 1 } }".utf8))
    #expect(loaded.model?.size == PixelSize(8, 8))
    #expect(try load().model?.size == PixelSize(100, 100))
  }

  /// The old pixels of a changed image are released.
  @Test func replacedPicturesAreForgotten() throws {
    for day in 1...20 {
      try picture(10 + day, day: Double(day))
      let loaded = try load()
      #expect(try width(loaded) == 10 + day)
      let model = try #require(loaded.model)
      var lowerer = Lowerer(model, metrics: loaded.metrics)
      let canvas = try Canvas(model.size, isOpaque: true, resources: loaded.resources)
      try canvas.draw(lowerer.lower(frame: 0))
      #expect(loaded.resources.images.byteCount > 0)
      #expect(loaded.resources.images.byteCount <= 4 * 32 * 10)
    }
  }
}
