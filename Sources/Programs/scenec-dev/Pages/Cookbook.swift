// SPDX-License-Identifier: MIT
import Foundation

/// The recipes of `Examples/cookbook`: their index with stills, and the copy of their text that is
/// embedded in the program for `scenec docs`.
struct Cookbook {
  struct Recipe {
    let name: String
    /// A sentence about the effect.
    let sentence: String
    /// Everyday search words, as written in the file.
    let words: String
    /// The time of the still, such as `1.5s`.
    let instant: String
    /// The scene without these header lines.
    let scene: String

    /// The heading of the page: the name in words.
    var title: String {
      let words = name.split(separator: "-").map { Recipe.acronyms[$0] ?? String($0) }
      let text = words.joined(separator: " ")
      return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static let acronyms: [Substring: String] = ["gif": "GIF"]
  }

  static let folder = "Examples/cookbook"
  private static let copy = "Grammar/manual/recipes.txt"

  /// The chapters of the index with their recipes in order.
  let chapters: [(title: String, recipes: [Recipe])]

  private static let order: [(String, [String])] = [
    (
      "Files and formats",
      [
        "wide-and-tall", "safe-area", "gif", "looped-sticker", "transparent-overlay", "data-rows",
        "several-files",
        "chapters", "podcast-sound", "file-settings", "lossless-cut", "tested",
      ]
    ),
    (
      "Pictures and clips",
      [
        "slides", "pan-and-zoom", "photo-wall", "before-after", "masked-text", "watermark",
        "sprite", "pixel-art",
        "picture-in-picture", "split-screen", "green-screen", "blurred-background", "slow-motion",
        "speed-ramp",
        "fast-forward", "film-look", "color-looks", "duotone", "halftone", "spotlight",
        "city-lights",
        "tiles",
        "glass",
        "logo-by-parts", "drawing-by-parts",
      ]
    ),
    (
      "Words",
      [
        "typewriter", "words-one-by-one", "karaoke", "words-that-live", "counter", "credits",
        "highlighter",
        "text-on-path", "bent-title", "breathing-type", "gradient-text", "glow", "gleam", "glitch",
        "name-tag",
        "ticker",
        "captions-from-a-file", "captions-in-boxes", "captions-as-tracks", "audio-description",
        "spoken-words",
        "captions-by-speaker",
        "mixed-text", "right-to-left", "sign-letters", "code", "changing-code",
        "colored-code",
        "terminal", "sign", "looks",
      ]
    ),
    (
      "Motion",
      [
        "easings", "all-easings", "own-effect", "backwards", "cards-one-by-one", "morph",
        "draw-a-line", "ink-strokes", "vine", "growing-tree", "follow-a-path", "bouncing-ball",
        "orbit", "camera-move", "fly-through", "focus-pull", "exploded-view", "card-flip",
        "carousel", "isometric-stack", "device-tilt", "tunnel",
        "wheel", "displacement", "sunburst", "mesh-background",
        "transitions", "ripple-cut", "parallax", "shake", "motion-blur", "spinner",
        "repeater",
        "progress-bar", "countdown", "confetti", "fireworks", "sparks", "dissolve-into-dust",
        "weather",
        "falling-leaves", "paper-planes", "marching-ants", "ribbon",
      ]
    ),
    (
      "Explaining",
      [
        "in-steps", "changing-gauge", "hand-drawn-explainer", "rough-sketch", "equation",
        "written-proof", "derivation",
        "bar-chart", "grouped-bars", "bar-chart-race",
        "line-chart",
        "temperatures",
        "donut-chart", "table", "grouped-rows", "map", "regions",
        "boxes-and-arrows",
        "callout", "fluid-cards", "tags",
        "arrowheads", "set-diagram", "unit-circle",
        "area-between-curves", "riemann-sum", "moving-tangent", "asymptotes", "polar-rose",
        "plane-transform",
        "vector-field",
        "triangle",
        "matrix-rows", "graph-layouts", "point-out", "growth", "numbers", "running-total",
        "colors",
        "clock-face",
        "quiz", "panel",
        "phone-frame", "browser-window",
      ]
    ),
    (
      "Sound",
      [
        "background-music", "narration", "audio-bars", "sound-bars", "on-the-beat", "to-a-tempo",
        "cuts-on-the-beat",
      ]
    ),
  ]

  init() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Cookbook.folder)
    let names = files.filter { $0.hasSuffix(".scene") }.map { String($0.dropLast(6)) }
    let listed = Cookbook.order.flatMap(\.1)
    guard Set(names) == Set(listed), listed.count == Set(listed).count else {
      let odd = Set(names).symmetricDifference(listed).sorted().joined(separator: ", ")
      throw Failure(description: "the chapters of the cookbook and its files differ in \(odd)")
    }
    chapters = try Cookbook.order.map { title, names in
      (title: title, recipes: try names.map(Cookbook.recipe))
    }
  }

  private static func recipe(_ name: String) throws -> Recipe {
    let text = try String(contentsOfFile: "\(folder)/\(name).scene", encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix { $0.hasPrefix("/// ") }.map { String($0.dropFirst(4)) }
    let rest = lines.dropFirst(head.count).joined(separator: "\n")
    guard head.count == 3, head[1].hasPrefix("Search words: "), head[2].hasPrefix("Still at ")
    else {
      throw Failure(
        description:
          "\(name).scene needs three lines at its top: a sentence, 'Search words:', 'Still at'"
      )
    }
    return Recipe(
      name: name, sentence: head[0], words: String(head[1].dropFirst(14)),
      instant: String(head[2].dropFirst(9).dropLast()), scene: rest)
  }

  // MARK: Output

  /// Writes the copy and the index, and renders all stills.
  func write() throws {
    try FileManager.default.createDirectory(
      atPath: "\(Cookbook.folder)/stills", withIntermediateDirectories: true)
    for recipe in chapters.flatMap(\.recipes) {
      _ = try Child.run([
        Child.scenec, "frame", "\(Cookbook.folder)/\(recipe.name).scene", "--at",
        recipe.instant, "--width", "240", "--compress", "-o",
        "\(Cookbook.folder)/stills/\(recipe.name).png", "--quiet",
      ])
    }
    for (path, text) in texts { try text.write(toFile: path, atomically: true, encoding: .utf8) }
  }

  /// Returns the files that differ from the output of `write`, and missing stills.
  func differences() throws -> [String] {
    var found: [String] = []
    for (path, text) in texts
    where (try? String(contentsOfFile: path, encoding: .utf8)) != text {
      found.append("\(path) is not what 'scenec-dev cookbook' writes now")
    }
    for recipe in chapters.flatMap(\.recipes) {
      let still = "\(Cookbook.folder)/stills/\(recipe.name).png"
      if !FileManager.default.fileExists(atPath: still) { found.append("\(still) is missing") }
    }
    return found
  }

  private var texts: [(path: String, text: String)] {
    [(Cookbook.copy, copy), ("\(Cookbook.folder)/README.md", index)]
  }

  private var copy: String {
    var text = "# Recipes\n\nScenes for common tasks, from `\(Cookbook.folder)`. "
    text += "Generated by `scenec-dev cookbook`.\n"
    for recipe in chapters.flatMap(\.recipes) {
      text += "\n## `\(recipe.name)`\n\n\(recipe.sentence)\n\nSearch words: \(recipe.words)\n\n"
      text += "```scene\n\(recipe.scene.trimmingCharacters(in: .newlines))\n```\n"
    }
    return text
  }

  private var index: String {
    var text = """
      # Cookbook

      Short scenes, each for one thing that people make. `scenec docs glow` prints a recipe, `scenec docs "blur bars"`
      finds one by everyday words, `scenec watch glow.scene` shows it. The clips come from the
      [clips](../clips), [phone](../phone), [green screen](../green-screen) and [character](../character) examples, the
      sounds from [narration](../narration).

      """
    for (title, recipes) in chapters {
      text += "\n## \(title)\n\n| | | |\n| --- | --- | --- |\n"
      for start in stride(from: 0, to: recipes.count, by: 3) {
        let row = recipes[start..<min(start + 3, recipes.count)].map { recipe in
          "[![\(recipe.name)](stills/\(recipe.name).png)](\(recipe.name).scene)<br>"
            + "[\(recipe.name)](\(recipe.name).scene): \(recipe.sentence)"
        }
        text += "| " + row.joined(separator: " | ") + String(repeating: " |", count: 4 - row.count)
        text += "\n"
      }
    }
    return text
  }
}
