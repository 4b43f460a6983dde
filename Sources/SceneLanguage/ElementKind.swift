// SPDX-License-Identifier: MIT

/// The kinds of elements that the language knows.
package enum ElementKind: String, Hashable, Sendable, CaseIterable {
  case scene
  case rect, circle, ellipse, line, arrow, polyline, polygon, star, arc, path
  case image, svg, video, audio, captions
  case text, span, math, part, each
  case group, `repeat`, sequence, steps, step, row, column, grid, camera
  case change, clip, mask, marker, output, slot
  /// The clips that a transition shows.
  case from, to
  /// `audio { … }` in an output: how sound is encoded.
  case soundTrack = "output's audio"

  /// The kinds that a scene can write, each by its own word.
  package static let written = allCases.filter { $0 != .soundTrack }

  /// Whether a component of the same name replaces it in the file that declares the component.
  ///
  /// The other kinds have a syntax or a role of their own in the element around them.
  package var mayBeReplaced: Bool {
    switch self {
    case .scene, .path, .span, .part, .each, .repeat, .sequence, .steps, .step, .change, .clip,
      .mask,
      .marker, .output, .slot, .from, .to, .soundTrack:
      false
    default: true
    }
  }

  /// Whether it paints something or holds what does.
  package var isDrawn: Bool {
    switch self {
    case .scene, .span, .each, .change, .clip, .mask, .marker, .output, .slot, .audio, .soundTrack:
      false
    default: true
    }
  }

  /// Whether it begins and ends: what is drawn, and what sounds.
  package var hasLife: Bool { isDrawn || self == .audio }

  /// Whether its points stand where its coordinates say, unless `position` moves it.
  package var standsByCoordinates: Bool {
    switch self {
    case .line, .arrow, .polyline, .polygon, .path, .part: true
    default: false
    }
  }

  /// Whether it strokes with `ink` when neither fill nor stroke is given.
  package var isOpenLine: Bool {
    switch self {
    case .line, .arrow, .polyline, .path: true
    default: false
    }
  }

  /// Whether an element of a kind may be written directly in this one, where only that decides:
  /// `from`, `to` and `slot` depend on what is defined around them.
  package func mayHold(_ kind: ElementKind) -> Bool {
    switch kind {
    case .scene, .soundTrack, .from, .to, .slot: false
    case .span: self == .text || self == .span
    case .each: self == .text || self == .math || self == .svg
    case .part: self == .math || self == .svg
    case .clip, .mask: isDrawn
    case .marker, .output: self == .scene
    case .audio where self == .output: true
    case .step: self == .steps
    case .change:
      switch self {
      case .scene, .change, .marker, .output, .slot, .soundTrack: false
      default: true
      }
    default:
      switch self {
      case .span, .marker, .output, .change, .audio, .soundTrack, .steps: false
      default: true
      }
    }
  }

  /// Whether it places its children in rows or columns.
  package var isLayout: Bool {
    switch self {
    case .row, .column, .grid: true
    default: false
    }
  }

  /// Whether it is no more than what it holds, in the box of its parent.
  package var isGroup: Bool { [.group, .repeat, .steps, .step].contains(self) }

  package var isShape: Bool {
    switch self {
    case .rect, .circle, .ellipse, .line, .arrow, .polyline, .polygon, .star, .arc, .path: true
    default: false
    }
  }

  /// The property that the text after the name stands for.
  package var subjectProperty: Property? {
    switch self {
    case .text, .span, .math, .part: .content
    case .image, .svg, .video, .audio, .captions: .source
    case .path: .data
    default: nil
    }
  }
}
