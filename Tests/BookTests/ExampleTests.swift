// SPDX-License-Identifier: MIT
import Foundation
import SceneModel
import SceneTestSupport
import Testing

/// The examples of the repository and of the manual, including the images of the manual.
@Suite("Examples", .cpuBudget(seconds: 12)) struct ExampleTests {
  @Test(arguments: Repository.files(in: "Examples", ending: "/scene.scene"))
  func examplesAreSoundAndDraw(_ file: String) throws {
    let scene = try ExampleScene.shared(Repository.path + "/" + file)
    let count = scene.model.frameCount
    _ = try scene.pictures([0, count / 2, count - 1])
  }

  /// Re-rendered images of the manual match the stored ones within 1/255.
  @Test func golden() throws {
    let run = try Program.run([Repository.path + "/.build/release/scenec-dev", "gallery", "check"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  /// The projects of the manual are valid.
  @Test func everyProjectOfTheManualIsSound() throws {
    let folder = try Folder()
    for name in ["fonts/a.otf", "logo/Logo.ttf", "videos/a.png"] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name.prefix { $0 != "/" }, withIntermediateDirectories: true)
      let font = try Repository.bytes("Tests/Conformance/font/Ahem.ttf")
      try Data(font).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    var count = 0
    for page in Repository.files(in: "Grammar", ending: ".md") {
      let blocks = try Repository.text(page).components(separatedBy: "```project\n").dropFirst()
      for block in blocks {
        let source = try #require(block.components(separatedBy: "\n```").first)
        try folder.write("project.scene", source + "\n")
        let run = try Program.scenec("check", "project.scene", "--strict", in: folder.path)
        #expect(run.status == 0, "\(page): \(run.errors)")
        count += 1
      }
    }
    #expect(count >= 6)
  }

  private static let pages = (Repository.files(in: "Grammar", ending: ".md") + ["README.md"])
    .filter { (try? Repository.text($0))?.contains("```scene\n") == true }

  @Test func pagesHaveExamples() { #expect(ExampleTests.pages.count >= 5) }

  /// The pages of the manual whose sections begin with an example that `golden` renders.
  private static let gallery = ["elements", "properties", "functions", "words"].map {
    "Grammar/manual/\($0).md"
  }

  /// Each other code block of a page renders as a scene in the asset folder of the manual.
  @Test(arguments: pages)
  func everyExampleOfTheManualDraws(_ page: String) throws {
    let path = Repository.path + "/Grammar/pictures/assets/example.scene"
    let session = ExampleScene.session()
    var blocks: [String] = []
    for (number, part) in try Repository.text(page).components(separatedBy: "\n## `").enumerated() {
      let isDrawn = number > 0 && Self.gallery.contains(page)
      blocks += part.components(separatedBy: "```scene\n").dropFirst(isDrawn ? 2 : 1)
    }
    for block in blocks {
      let source = try #require(block.components(separatedBy: "\n```").first)
      // Fragments are wrapped in a scene of two seconds.
      let isWhole = source.contains("scene {") || source.contains("scene intro")
      let text = isWhole ? source : "scene {\nfor: 2s\n\(source)\n}"
      let scene = try ExampleScene(path, bytes: Array(text.utf8), isStrict: false, in: session)
      _ = try scene.pictures([scene.frame(at: 1)])
    }
  }
}
