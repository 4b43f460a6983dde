// SPDX-License-Identifier: MIT
package import SceneIR
package import SceneText

/// The captions of one language, kind and label, in the time of the video.
package struct CaptionTrack: Hashable, Sendable {
  /// A caption at an interval of the video.
  package struct Cue: Hashable, Sendable {
    package var start: Ticks
    package var end: Ticks
    /// The lines of the text, without empty lines.
    package let lines: [String]
    package let alignment: CaptionPlacement.TextAlignment
    /// Whether the caption is in the upper half of the frame.
    package let isAtTop: Bool

    package init(
      start: Ticks, end: Ticks, lines: [String],
      alignment: CaptionPlacement.TextAlignment = .center, isAtTop: Bool = false
    ) {
      self.start = start
      self.end = end
      self.lines = lines.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
      self.alignment = alignment
      self.isAtTop = isAtTop
    }
  }

  package let kind: CaptionKind
  /// A BCP 47 language tag, or empty.
  package let language: String
  package let label: String
  /// The source location of the first element of the track.
  package let span: SourceSpan
  /// Whether the frames show captions of the track unless an output omits them.
  package private(set) var isDrawn: Bool
  /// The captions by start; longer ones first.
  package private(set) var cues: [Cue]

  package init(
    _ kind: CaptionKind = .captions, language: String = "", label: String = "", span: SourceSpan,
    isDrawn: Bool = false, cues: [Cue]
  ) {
    self.kind = kind
    self.language = language
    self.label = label
    self.span = span
    self.isDrawn = isDrawn
    self.cues = CaptionTrack.sorted(cues)
  }

  private static func sorted(_ cues: [Cue]) -> [Cue] {
    cues.indices.sorted {
      let (a, b) = (cues[$0], cues[$1])
      return (a.start.rawValue, -a.end.rawValue, $0) < (b.start.rawValue, -b.end.rawValue, $1)
    }.map { cues[$0] }
  }

  /// Merges tracks with equal language, kind and label, in the order of their first occurrence.
  package static func merged(_ tracks: [CaptionTrack]) -> [CaptionTrack] {
    struct Key: Hashable {
      let kind: CaptionKind
      let language: String
      let label: String
    }
    var places: [Key: Int] = [:]
    var merged: [CaptionTrack] = []
    for track in tracks {
      let key = Key(kind: track.kind, language: track.language, label: track.label)
      if let place = places[key] {
        merged[place].cues += track.cues
        merged[place].isDrawn = merged[place].isDrawn || track.isDrawn
      } else {
        places[key] = merged.count
        merged.append(track)
      }
    }
    for index in merged.indices { merged[index].cues = sorted(merged[index].cues) }
    return merged
  }

  /// Returns the part of the track in an interval, with times relative to its start.
  package func part(from start: Ticks, to end: Ticks) -> CaptionTrack {
    var part = self
    part.cues = CaptionTrack.sorted(
      cues.compactMap { cue in
        guard cue.start < end, cue.end > start else { return nil }
        var cue = cue
        cue.start = max(cue.start, start) - start
        cue.end = min(cue.end, end) - start
        return cue
      })
    return part
  }
}

extension ElementModel {
  /// Returns whether the element consists of captions and shows none of them in an interval in
  /// ticks. A file without drawn captions then has the same frames.
  package func isBetweenCaptions(in time: ClosedRange<Int64>) -> Bool {
    isCaptions && style == StyleModel()
      && !children.contains {
        $0.start.rawValue <= time.upperBound && $0.end.rawValue > time.lowerBound
      }
  }
}

extension SceneModel {
  /// Returns the caption tracks of a range of frames, including tracks without captions there.
  /// Times are relative to the first frame.
  package func captions(in frames: Range<Int>) -> [CaptionTrack] {
    captions.map { part(of: $0, in: frames) }
  }

  /// Returns the caption tracks of a range of frames, then the track of the descriptions.
  package func tracks(in frames: Range<Int>) -> [CaptionTrack] {
    captions(in: frames) + [descriptions?.track].compactMap { $0 }.map { part(of: $0, in: frames) }
  }

  private func part(of track: CaptionTrack, in frames: Range<Int>) -> CaptionTrack {
    track.part(
      from: frameRate.time(ofFrame: frames.lowerBound),
      to: frameRate.time(ofFrame: frames.upperBound))
  }

  /// Whether no output of the scene draws its captions: each stores them as a track or omits them.
  package var hidesCaptions: Bool {
    !outputs.isEmpty && !outputs.contains(where: \.captions.isDrawn)
      && elements.contains(where: \.hasCaptions)
  }

  /// The model of the frames that the videos of the scene show. It has captions if any of the
  /// outputs draws them.
  package var asBuilt: SceneModel { hidesCaptions ? withoutCaptions : self }

  /// The model without the drawings of captions. Only the elements that contain captions are
  /// copies.
  package var withoutCaptions: SceneModel {
    var model = self
    var changed: [ObjectIdentifier: ElementModel] = [:]
    func hide(_ element: ElementModel) -> ElementModel {
      guard element.hasCaptions else { return element }
      if element.isCaptions { return element.with(visible: .zero) }
      // An element that occurs in several places stays a single object.
      if let known = changed[ObjectIdentifier(element)] { return known }
      let copy = element.with(children: element.children.map(hide))
      changed[ObjectIdentifier(element)] = copy
      return copy
    }
    model.elements = elements.map(hide)
    return model
  }
}
