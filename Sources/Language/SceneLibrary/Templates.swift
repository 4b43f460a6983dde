// SPDX-License-Identifier: MIT
import CResources
import SceneResources

/// The templates of `scenec new --from`, from the folder `templates`.
package enum Templates {
  /// A template scene, with the files that it reads.
  package struct Template: Sendable {
    package let name: String
    /// The aliases of the template.
    package let otherNames: [String]
    /// The bytes of the scene.
    package let scene: [UInt8]
    /// The files that the scene reads, by their names relative to it.
    package let files: [(name: String, bytes: [UInt8])]

    /// The description at the top of the scene.
    package var about: String {
      let lines = String(decoding: scene, as: UTF8.self).split(separator: "\n")
      return lines.prefix { $0.hasPrefix("/// ") }.map { $0.dropFirst(4) }.joined(separator: " ")
    }

    /// The first sentence of the description.
    package var sentence: String {
      var sentence = ""
      for word in about.split(separator: " ") {
        sentence += sentence.isEmpty ? String(word) : " " + word
        if word.hasSuffix(".") { break }
      }
      return sentence
    }
  }

  /// Returns the template with a name or alias, ignoring case; `nil` if there is none.
  package static func named(_ name: String) -> Template? {
    let name = name.lowercased()
    return all.first { $0.name == name } ?? all.first { $0.otherNames.contains(name) }
  }

  /// All templates; the first one is the default of `scenec new`.
  package static let all: [Template] = {
    let images = ["coast.svg", "hills.svg", "dunes.svg"]
    return [
      Template("hello", "first", "empty"),
      Template("title", "intro", "opener", "opening"),
      Template("lower-third", "name", "bauchbinde", "overlay"),
      Template("slideshow", "photos", "slides", "gallery", files: images + ["slides.csv"]),
      Template("chart", "bars", "data", "graph", files: ["sales.csv"]),
      Template("kinetic", "typography", "text", "kinetic-text"),
      Template("logo", "logo-reveal", "sting"),
      Template("podcast", "audiogram", "waveform", files: ["voice.opus", "voice.srt"]),
      Template(
        "captions", "subtitles", "karaoke", files: ["coast.svg", "voice.opus", "voice.json"]),
      Template("story", "social", "reel", "vertical", "shorts", files: ["hills.svg"]),
      Template("quote", "card", "square", "post"),
      Template("countdown", "timer"),
      Template("terminal", "shell", "console", "typing"),
      Template("code", "program", "source"),
      Template("explainer", "diagram", "process"),
      Template(
        "launch", "product", "features",
        files: ["features.csv", "screen-1.svg", "screen-2.svg", "screen-3.svg"]),
      Template("hook", "claim", "teaser", files: ["hook.json", "beat.opus"]),
      Template("release", "version", "changelog", files: ["release.json"]),
      Template("data-story", "report", "numbers", files: ["night-trains.csv"]),
      Template(
        "speaker", "speakers", "conference", "talk",
        files: ["speakers.csv", "portrait-1.svg", "portrait-2.svg", "portrait-3.svg"]),
      Template("sketch", "whiteboard", "hand-drawn", "paper"),
    ]
  }()
}

extension Templates.Template {
  fileprivate init(_ name: String, _ otherNames: String..., files: [String] = []) {
    self.init(
      name: name, otherNames: otherNames, scene: scene_templates[name + ".scene"] ?? [],
      files: files.map { (name: $0, bytes: scene_templates[$0] ?? []) })
  }
}
