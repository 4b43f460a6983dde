// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A caption: its text, and its times in seconds from the start of the file.
package struct Caption: Hashable, Sendable {
  package var start: Double
  package var end: Double
  /// The text as runs of one style each, including line breaks; character references are resolved.
  package var runs: [CaptionRun]
  /// The source text of the file, including tags.
  package var source: String
  package var placement = CaptionPlacement()
  /// The words between white space with the times at which they are spoken; empty if the file has
  /// no word timestamps.
  package var words: [SpokenWord] = []

  package var text: String { runs.map(\.text).joined() }

  package var isShown: Bool { end > start && !text.isEmpty }

  /// The lines that are not empty.
  package var lines: [[CaptionRun]] {
    var lines: [[CaptionRun]] = [[]]
    for run in runs {
      let parts = run.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0, !lines[lines.count - 1].isEmpty { lines.append([]) }
        if !part.isEmpty { lines[lines.count - 1].append(CaptionRun(String(part), run.style)) }
      }
    }
    return lines.filter { !$0.isEmpty }
  }
}

/// A run of a caption's text with one style.
package struct CaptionRun: Hashable, Sendable {
  package var text: String
  package var style: CaptionStyle

  package init(_ text: String, _ style: CaptionStyle = CaptionStyle()) {
    (self.text, self.style) = (text, style)
  }
}

/// The style that the tags around a run specify.
package struct CaptionStyle: Hashable, Sendable {
  package var isBold = false
  package var isItalic = false
  package var isUnderlined = false
  package var color: Color?
  /// A BCP 47 language tag, or empty.
  package var language = ""

  package init() {}
}

/// The captions of a caption file, and the parts of the file that have no effect.
package struct ParsedCaptions: Hashable, Sendable {
  /// The captions in "text track cue order": by start, then longer ones first, then in file order.
  package var captions: [Caption]
  package var ignored: [IgnoredPart]
  /// The words whose times are estimated, since the file lacks them.
  package var estimatedWords: [String] = []

  mutating func sort() {
    let order = captions.indices.sorted {
      (captions[$0].start, -captions[$0].end, $0) < (captions[$1].start, -captions[$1].end, $1)
    }
    captions = order.map { captions[$0] }
  }
}

/// A part of a caption file that has no effect, with the line of its first occurrence.
package struct IgnoredPart: Hashable, Sendable {
  package let name: String
  package let line: Int

  static let captionWithoutDuration = "a caption without a duration"
  static let captionWithInvalidTimes = "a caption with invalid times"

  package init(name: String, line: Int) {
    (self.name, self.line) = (name, line)
  }

  /// Whether the part is a caption that is not shown at all.
  package var isCaption: Bool {
    [IgnoredPart.captionWithoutDuration, IgnoredPart.captionWithInvalidTimes].contains(name)
  }
}

/// Collects the ignored parts of one file, each kind once.
struct IgnoredParts {
  /// The maximum length of the list, since a hostile file may have a different invalid setting in
  /// each line.
  private static let greatestCount = 1000
  private static let longestName = 40

  private(set) var parts: [IgnoredPart] = []
  private var names: Set<String> = []

  mutating func note(_ name: String, line: Int) {
    guard parts.count < Self.greatestCount, !names.contains(name) else { return }
    names.insert(name)
    parts.append(IgnoredPart(name: name, line: line))
  }

  /// Records an invalid part of the file, in quotes.
  mutating func note(written text: some StringProtocol, line: Int) {
    let start = text.prefix(Self.longestName)
    note("'\(start)\(start.endIndex < text.endIndex ? "…" : "")'", line: line)
  }
}
