// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneLanguage
import SceneLibrary
import SceneModel
import SceneSyntax
import SceneTestSupport
import Testing

/// Templates, recipes, the tutorial, and the pages for users of other programs.
@Suite("The book", .cpuBudget(seconds: 8)) struct BookTests {
  /// Checks that a scene has no warnings, is formatted, and renders different images at the given
  /// fractions of its duration.
  private func holds(_ path: String, at shares: [Double]) throws {
    let scene = try ExampleScene.shared(path)
    #expect(scene.isFormatted, "\(path) is not formatted")
    let count = scene.model.frameCount
    let frames = shares.map { min(count - 1, Int($0 * Double(count))) }
    let pictures = try scene.pictures(frames)
    #expect(pictures.contains { $0.count > 300 }, "\(path) is empty")
    #expect(Set(pictures).count == shares.count, "\(path) does not move")
  }

  // MARK: Templates

  @Test(arguments: Templates.all.map(\.name))
  func templatesAreSoundAndDraw(_ name: String) throws {
    let folder = try Folder()
    let run = try Program.scenec("new", "mine", "--from", name, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    let template = try #require(Templates.named(name))
    // The command writes only the files that the scene reads.
    let files = template.files.map(\.name)
    #expect(Set(folder.names) == Set(files + ["mine.scene"]))
    let text = String(decoding: template.scene, as: UTF8.self)
    for file in files {
      let reader = files.first { other in
        template.files.contains {
          $0.name == other && String(decoding: $0.bytes, as: UTF8.self).contains(file)
        }
      }
      #expect(text.contains(file) || reader != nil, "\(name) does not read \(file)")
    }
    #expect(template.sentence.hasSuffix(".") && template.sentence.count < 120)
    try holds(folder.path + "/mine.scene", at: [0.2, 0.6])
  }

  @Test func templatesAreListedAndFound() throws {
    #expect(Templates.all.count >= 10)
    let folder = try Folder()
    let list = try Program.scenec("new", in: folder.path)
    #expect(list.status == 0)
    for template in Templates.all {
      #expect(list.output.contains("  \(template.name) "), "\(template.name)")
      #expect(list.output.contains(template.sentence), "\(template.name)")
    }
    // Everyday names are found, ignoring case. For other names, the error lists the templates.
    #expect(try Program.scenec("new", "a", "--from", "Audiogram", in: folder.path).status == 0)
    #expect(folder.names == ["a.scene", "voice.opus", "voice.srt"])
    for (words, message) in [
      (["b", "--from", "lower-thirds"], "did you mean 'lower-third'?"),
      (["b", "--from", "zzzzzz"], "the templates are hello, title"),
      (["--from", "title"], "scenec new my-title --from title"),
      (["b", "c"], "expected a single name"),
      (["a", "--from", "podcast"], "'a.scene' already exists"),
    ] {
      let run = try Program.run([Program.scenec, "new"] + words, in: folder.path)
      #expect(run.status != 0 && run.errors.contains(message), "\(words): \(run.errors)")
    }
    // A second scene shares the files. A different file with the same name is never overwritten.
    #expect(try Program.scenec("new", "b", "--from", "captions", in: folder.path).status == 0)
    try folder.write("sales.csv", "mine")
    let refused = try Program.scenec("new", "c", "--from", "chart", in: folder.path)
    #expect(refused.status == 3 && refused.errors.contains("'sales.csv' already exists"))
    #expect(folder.data("sales.csv") == Data("mine".utf8) && folder.data("c.scene") == nil)
  }

  // MARK: Recipes

  private static let recipes = Repository.files(in: "Examples/cookbook", ending: ".scene").map {
    String($0.dropFirst("Examples/cookbook/".count))
  }

  @Test(arguments: recipes)
  func recipesAreSoundAndDraw(_ file: String) throws {
    let text = try Repository.text("Examples/cookbook/" + file)
    let line = text.split(separator: "\n").first { $0.hasPrefix("/// Still at ") }
    let seconds = try #require(line?.dropFirst(13).dropLast(2))
    let instant = try #require(Double(seconds))
    let scene = try ExampleScene.shared(Repository.path + "/Examples/cookbook/" + file)
    #expect(scene.isFormatted)
    let pictures = try scene.pictures([scene.frame(at: instant)])
    #expect(pictures[0].count > 300)
  }

  @Test func theCookbookIsWhole() throws {
    #expect(BookTests.recipes.count >= 40)
    let run = try Program.run([Repository.path + "/.build/release/scenec-dev", "cookbook", "check"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let files = Repository.files(in: "Examples/cookbook")
    let sizes = try files.map { try Repository.bytes($0).count }
    #expect(sizes.reduce(0, +) < 2_600_000, "\(sizes.reduce(0, +)) bytes")
  }

  /// Every word of the language is used in the cookbook, the tutorial or a project.
  @Test func wordsOccurInRecipes() throws {
    let files =
      Repository.files(in: "Examples/cookbook", ending: ".scene")
      + Repository.files(in: "Examples/tutorial", ending: ".scene")
      + Repository.files(in: "Examples", ending: "/project.scene")
    let projects = try Repository.text("Grammar/README.md").components(separatedBy: "```project\n")
      .dropFirst().compactMap { $0.components(separatedBy: "```").first }
    var used: Set<String> = []
    for text in try files.map(Repository.text) + projects {
      for line in text.split(separator: "\n") where !line.hasPrefix("///") {
        used.formUnion(
          line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
      }
    }
    var words = Set(ElementKind.written.map(\.rawValue)).union(Property.allCases.map(\.name))
    words.formUnion(BuiltIn.all.values.map(\.name))
    words.formUnion(Easing.named.keys)
    let missing = words.subtracting(used).sorted()
    #expect(missing.isEmpty, "\(missing)")
  }

  // MARK: The tutorial

  @Test(arguments: 1...8)
  func stepsOfTheTutorialAreSoundAndDraw(_ step: Int) throws {
    try holds(
      "\(Repository.path)/Examples/tutorial/step-\(step).scene", at: step <= 2 ? [0.5] : [0.1, 0.6])
    let text = try Repository.text("Examples/tutorial/README.md")
    #expect(text.contains("](step-\(step).png)"))
    #expect(try Repository.bytes("Examples/tutorial/step-\(step).png").count > 1000)
  }

  /// Each code block of the tutorial is part of the scene of its step, or a complete scene that
  /// renders.
  @Test func theTutorialShowsWhatItsStepsHave() throws {
    let text = try Repository.text("Examples/tutorial/README.md")
    // The scenes read files from the folder of the tutorial.
    let path = Repository.path + "/Examples/tutorial/s.scene"
    let session = ExampleScene.session()
    let parts = text.components(separatedBy: "\n## ").dropFirst()
    for (number, part) in parts.prefix(8).enumerated() {
      let blocks = part.components(separatedBy: "```scene\n").dropFirst()
      #expect(!blocks.isEmpty, "step \(number + 1) shows no scene")
      for block in blocks {
        let source = try #require(block.components(separatedBy: "\n```").first)
        let isWhole = source.contains("scene {")
        let text = isWhole ? source : "scene {\nfor: 6s\n\(source)\n}"
        let scene = try ExampleScene(path, bytes: Array(text.utf8), isStrict: false, in: session)
        _ = try scene.pictures([scene.frame(at: 1)])
      }
    }
  }

  // MARK: Words

  /// Common search words lead to a page, even if the page describes a missing feature.
  @Test func wordsPeopleLookForHavePages() {
    let known = Set(Manual.pages.flatMap { [$0.word] + $0.searchWords })
    for word in [
      "tutorial", "getting started", "examples", "boxed captions", "pencil", "motion canvas",
      "lottie", "3d", "perspective", "shader", "integral", "derivative", "matrix",
      "parametric curve", "polar", "riemann", "area under curve", "value tracker", "indicate",
      "circumscribe", "transform matching", "package", "lock", "concat", "append", "version",
      "python", "html", "makefile", "ci", "test", "pixel", "whisper", "word timestamps",
      "banding", "excerpt", "halftone", "scribble", "boil", "frame blending", "optical flow",
      "beat grid", "border", "baseline", "flip card", "corner pin", "liquid", "metaball", "surface",
      "sphere", "box", "bounding box", "zoomed scene", "magnifier", "fade transform", "seam",
    ] {
      #expect(known.contains(word) || EverydayWords.page(of: word) != nil, "\(word)")
    }
  }

  @Test func everydayWordsLeadToPages() {
    let words = Set(Manual.pages.filter { $0.chapter != "recipe" }.map(\.word))
    let astray = EverydayWords.pages.filter { !words.contains($0.value) }
    #expect(astray.isEmpty)
  }

  /// Every scenec name on the pages for users of other programs exists.
  @Test func everyWordOfOursExists() throws {
    let text = try Repository.text("Grammar/manual/coming-from.md")
    let headings = text.components(separatedBy: "\n## `").dropFirst()
    let programs = headings.map { heading in String(heading.prefix { $0 != "`" }) }
    let expected = [
      "css", "after effects", "manim", "remotion", "editly", "motion canvas", "moviepy",
      "lottie", "typst", "glsl",
    ]
    #expect(programs == expected)
    var known = Set(ElementKind.written.map(\.rawValue))
    known.formUnion(Property.allCases.map(\.name))
    known.formUnion(BuiltIn.all.values.map(\.name))
    known.formUnion(Manual.pages.map(\.word))
    known.formUnion(Library.paths.flatMap { ["std", String($0.prefix { $0 != "." }), "scene"] })
    for path in Library.paths {
      let source = String(decoding: Library.file(path) ?? [], as: UTF8.self)
      for line in source.split(separator: "\n") {
        let words = line.split { $0 == " " || $0 == "(" || $0 == "{" }
        if words.count > 1,
          ["effect", "transition", "component", "filter", "paint"].contains(words[0])
        {
          known.insert(String(words[1]))
        }
      }
    }
    let help = try Program.scenec("help", "build").output
    for page in [
      "scenec", "build", "watch", "frame", "set", "data", "size", "scale", "shard", "cache",
    ] {
      let isOption = page == "scenec" || help.contains("--\(page)")
      let isKnown = try isOption || Program.scenec("help", page).status == 0
      #expect(isKnown, "\(page)")
      known.insert(page)
    }
    // Values, named points, and the file and element names of the examples.
    known.formUnion([
      "glyph", "word", "line", "left", "right", "top", "bottom", "center", "top-left", "mirror",
      "offset", "blur", "cover", "contain", "hold", "red", "blue", "card", "title", "label", "way",
      "people",
      "ball", "accent", "sub", "super", "Card", "lib", "rows", "out", "a", "b", "d", "ff", "png",
      "mp",
      "name", "k", "r", "g", "green", "c", "p", "y", "e", "map", "atan",
      "csv", "balance", "box", "width", "bounce", "docs", "x", "o", "s", "f", "ms", "deg", "Hz",
    ])
    for row in text.split(separator: "\n") where row.hasPrefix("| ") && !row.hasPrefix("| ---") {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 2, "\(row)")
      let spans = cells[1].split(separator: "`", omittingEmptySubsequences: false)
      for (index, span) in spans.enumerated() where index % 2 == 1 {
        let words = span.split { !($0.isLetter || $0 == "-" || $0 == "_") }
        for word in words.map({ $0.drop { $0 == "-" } }) where !word.isEmpty {
          let isKnown = known.contains(String(word))
          #expect(isKnown, "\(word) in \(row)")
        }
      }
    }
  }
}
