// SPDX-License-Identifier: MIT

/// The scenes that `scenec new --from` begins with, as they lie in the folder `templates`.
package enum Templates {
  /// A scene to begin with, and the files that it reads.
  package struct Template: Sendable {
    package let name: String
    /// What people call it elsewhere.
    package let otherNames: [String]
    /// The bytes of the scene.
    package let scene: [UInt8]
    /// The files that the scene reads, by their names beside it.
    package let files: [(name: String, bytes: [UInt8])]

    /// The sentences at the top of the scene.
    package var about: String {
      let lines = String(decoding: scene, as: UTF8.self).split(separator: "\n")
      return lines.prefix { $0.hasPrefix("/// ") }.map { $0.dropFirst(4) }.joined(separator: " ")
    }

    /// The first of these sentences.
    package var sentence: String {
      var sentence = ""
      for word in about.split(separator: " ") {
        sentence += sentence.isEmpty ? String(word) : " " + word
        if word.hasSuffix(".") { break }
      }
      return sentence
    }
  }

  /// A template by its name or by what others call it, in any case.
  package static func named(_ name: String) -> Template? {
    let name = name.lowercased()
    return all.first { $0.name == name } ?? all.first { $0.otherNames.contains(name) }
  }

  /// All templates; the first is what `scenec new` writes by itself.
  package static let all: [Template] = {
    let coast = ("coast.svg", PackageResources.coast_svg)
    let hills = ("hills.svg", PackageResources.hills_svg)
    let dunes = ("dunes.svg", PackageResources.dunes_svg)
    let voice = ("voice.opus", PackageResources.voice_opus)
    let words = ("voice.srt", PackageResources.voice_srt)
    return [
      Template("hello", PackageResources.hello_scene, "first", "empty"),
      Template("title", PackageResources.title_scene, "intro", "opener", "opening"),
      Template("lower-third", PackageResources.lower_third_scene, "name", "bauchbinde", "overlay"),
      Template(
        "slideshow", PackageResources.slideshow_scene, "photos", "slides", "gallery",
        files: [coast, hills, dunes, ("slides.csv", PackageResources.slides_csv)]),
      Template(
        "chart", PackageResources.chart_scene, "bars", "data", "graph",
        files: [("sales.csv", PackageResources.sales_csv)]),
      Template("kinetic", PackageResources.kinetic_scene, "typography", "text", "kinetic-text"),
      Template("logo", PackageResources.logo_scene, "logo-reveal", "sting"),
      Template(
        "podcast", PackageResources.podcast_scene, "audiogram", "waveform", files: [voice, words]),
      Template(
        "captions", PackageResources.captions_scene, "subtitles", files: [coast, voice, words]),
      Template(
        "story", PackageResources.story_scene, "social", "reel", "vertical", "shorts",
        files: [hills]),
      Template("quote", PackageResources.quote_scene, "card", "square", "post"),
      Template("countdown", PackageResources.countdown_scene, "timer"),
      Template("terminal", PackageResources.terminal_scene, "shell", "console", "typing"),
      Template("code", PackageResources.code_scene, "program", "source"),
      Template("explainer", PackageResources.explainer_scene, "diagram", "process"),
    ]
  }()
}

extension Templates.Template {
  fileprivate init(
    _ name: String, _ scene: [UInt8], _ otherNames: String..., files: [(String, [UInt8])] = []
  ) {
    self.init(
      name: name, otherNames: otherNames, scene: scene,
      files: files.map { (name: $0.0, bytes: $0.1) })
  }
}
