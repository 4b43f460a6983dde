// SPDX-License-Identifier: MIT

/// The element kinds of the language.
package enum ElementKind: String, Hashable, Sendable, CaseIterable {
  case scene, project
  case rect, circle, ellipse, line, arrow, polyline, polygon, star, arc, path
  case image, svg, video, audio, captions
  /// An audio description: a text that describes the images, for viewers who cannot see them.
  case description
  case text, span, math, part, each
  case group, `repeat`, sequence, steps, step, row, column, grid, camera, particles
  case change, clip, mask, marker, output, slot
  /// Conditions on the finished video, which draw nothing.
  case expect
  /// The outgoing and incoming clips of a transition.
  case from, to
  /// `audio { … }` in an output: the encoding of the audio track.
  case soundTrack = "output's audio"

  /// The kinds with their own keyword.
  package static let written = allCases.filter { $0 != .soundTrack }

  /// Whether a component with the name of this kind replaces the kind in the file that declares it.
  ///
  /// The other kinds have a syntax or a role of their own in the element around them.
  package var mayBeReplaced: Bool {
    switch self {
    case .scene, .path, .span, .part, .each, .repeat, .sequence, .steps, .step, .change, .clip,
      .mask, .marker, .output, .slot, .expect, .from, .to, .soundTrack:
      false
    default: true
    }
  }

  /// Whether the element paints something or contains elements that do.
  package var isDrawn: Bool {
    switch self {
    case .scene, .project, .span, .each, .change, .clip, .mask, .marker, .output, .slot, .expect,
      .audio, .description, .soundTrack:
      false
    default: true
    }
  }

  /// Whether the element has a lifetime: drawn elements, audio and descriptions.
  package var hasLife: Bool { isDrawn || isInvisible }

  /// Whether the element has a lifetime but draws nothing.
  package var isInvisible: Bool { self == .audio || self == .description }

  /// Whether the points of the element are positioned by its coordinates unless `position` is set.
  package var standsByCoordinates: Bool {
    switch self {
    case .line, .arrow, .polyline, .polygon, .path, .part, .particles: true
    default: false
    }
  }

  /// Whether the element is stroked with `ink` when neither fill nor stroke is set.
  package var isOpenLine: Bool {
    switch self {
    case .line, .arrow, .polyline, .path: true
    default: false
    }
  }

  /// Returns whether an element of a kind may be a direct child of this kind, as far as the kinds
  /// decide: `from`, `to` and `slot` depend on the surrounding definition.
  package func mayHold(_ kind: ElementKind) -> Bool {
    switch kind {
    case .scene, .project, .soundTrack, .from, .to, .slot: false
    case .span: self == .text || self == .span
    case .each: [.text, .captions, .math, .svg].contains(self)
    case .part: self == .math || self == .svg
    case .clip, .mask: isDrawn
    case .marker: self == .scene
    case .output: self == .scene || self == .project
    case .audio where self == .output: true
    case .step: self == .steps
    case .change:
      switch self {
      case .scene, .project, .change, .marker, .output, .slot, .expect, .soundTrack: false
      default: true
      }
    case .expect:
      switch self {
      case .scene, .sequence, .steps, .step, .camera: true
      default: isGroup || isLayout
      }
    default:
      switch self {
      case .project, .span, .marker, .output, .change, .audio, .captions, .description,
        .soundTrack, .steps, .expect:
        false
      default: true
      }
    }
  }

  /// Whether the element arranges its children in rows or columns.
  package var isLayout: Bool {
    switch self {
    case .row, .column, .grid: true
    default: false
    }
  }

  /// Whether the element draws a file.
  package var isMedia: Bool { [.image, .svg, .video].contains(self) }

  /// Whether the element is a plain container in the box of its parent.
  package var isGroup: Bool { [.group, .repeat, .steps, .step].contains(self) }

  package var isShape: Bool {
    switch self {
    case .rect, .circle, .ellipse, .line, .arrow, .polyline, .polygon, .star, .arc, .path: true
    default: false
    }
  }

  /// The property that the subject text sets; `nil` if there is none.
  package var subjectProperty: Property? {
    switch self {
    case .text, .span, .math, .part, .description: .content
    case .image, .svg, .video, .audio, .captions: .source
    case .path: .data
    case .expect: .title
    default: nil
    }
  }
}
