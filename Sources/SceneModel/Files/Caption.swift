// SPDX-License-Identifier: MIT
package import SceneGraphics

/// One caption: its text, and its times in seconds from the start of the file.
package struct Caption: Hashable, Sendable {
  package var start: Double
  package var end: Double
  /// The text in pieces of one style each, with its line breaks; references are resolved.
  package var runs: [CaptionRun]
  /// The text as the file has it, with tags.
  package var source: String
  package var placement = CaptionPlacement()

  package var text: String { runs.map(\.text).joined() }
}

/// A piece of a caption's text with one style.
package struct CaptionRun: Hashable, Sendable {
  package var text: String
  package var style: CaptionStyle

  package init(_ text: String, _ style: CaptionStyle = CaptionStyle()) {
    (self.text, self.style) = (text, style)
  }
}

/// What the tags around a piece of text say.
package struct CaptionStyle: Hashable, Sendable {
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var color: Color?
  /// BCP 47, or empty.
  package var language = ""

  package init() {}
}

/// The captions of a file, and what in the file has no effect on them.
package struct CaptionTrack: Hashable, Sendable {
  /// "Text track cue order": by start, the longer first, then as in the file.
  package var captions: [Caption]
  package var ignored: [IgnoredPart]
}

/// A part of a caption file that has no effect, with the line of its first occurrence.
package struct IgnoredPart: Hashable, Sendable {
  package let name: String
  package let line: Int

  package init(name: String, line: Int) {
    (self.name, self.line) = (name, line)
  }
}

/// Collects the ignored parts of one file, each kind once.
struct IgnoredParts {
  /// A hostile file may have a different invalid setting in each line.
  private static let greatestCount = 1000
  private static let longestName = 40

  private(set) var parts: [IgnoredPart] = []
  private var names: Set<String> = []

  mutating func note(_ name: String, line: Int) {
    guard parts.count < Self.greatestCount, !names.contains(name) else { return }
    names.insert(name)
    parts.append(IgnoredPart(name: name, line: line))
  }

  /// A piece of the file that is invalid, in quotes.
  mutating func note(written text: some StringProtocol, line: Int) {
    let start = text.prefix(Self.longestName)
    note("'\(start)\(start.endIndex < text.endIndex ? "…" : "")'", line: line)
  }
}
