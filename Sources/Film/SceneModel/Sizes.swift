// SPDX-License-Identifier: MIT
import SceneGraphics

// Text and path sizes, for cost estimates.

extension TextExpression {
  /// An upper bound of the length of the longest word; East Asian characters separate words like
  /// spaces.
  package var longestWord: Int {
    switch self {
    case .literal(let text):
      var (longest, length) = (0, 0)
      for scalar in text.unicodeScalars {
        length = scalar.properties.isWhitespace || scalar.value >= 0x2E80 ? 0 : length + 1
        longest = max(longest, length)
      }
      return longest
    case .number: return 1
    case .join(let parts): return parts.reduce(0) { $0 + $1.longestWord }
    case .choose(_, let a, let b), .typed(let a, let b, _): return max(a.longestWord, b.longestWord)
    }
  }

  /// Whether the text or one of its alternatives has a line break.
  package var hasLineBreak: Bool {
    switch self {
    case .literal(let text): text.contains(where: \.isNewline)
    case .number: false
    case .join(let parts): parts.contains(where: \.hasLineBreak)
    case .choose(_, let a, let b), .typed(let a, let b, _): a.hasLineBreak || b.hasLineBreak
    }
  }

  /// The maximum length of the text.
  package var greatestLength: Int {
    switch self {
    case .literal(let text): text.count
    case .number: 1
    case .join(let parts): parts.reduce(0) { $0 + $1.greatestLength }
    case .choose(_, let a, let b), .typed(let a, let b, _):
      max(a.greatestLength, b.greatestLength)
    }
  }

  /// The maximum number of visible characters.
  package var greatestGlyphCount: Int {
    switch self {
    case .literal(let text): text.count { !$0.isWhitespace }
    case .number: 1
    case .join(let parts): parts.reduce(0) { $0 + $1.greatestGlyphCount }
    case .choose(_, let a, let b), .typed(let a, let b, _):
      max(a.greatestGlyphCount, b.greatestGlyphCount)
    }
  }

  /// Returns the number of bytes and parts of all alternatives together. Counting stops above
  /// `limit`, since many texts may share the same parts.
  package func size(atMost limit: Int) -> Int {
    var size = 1
    func add(_ text: TextExpression) {
      size += 1
      if size > limit { return }
      switch text {
      case .literal(let text): size += text.utf8.count
      case .number: break
      case .join(let parts): for part in parts where size <= limit { add(part) }
      case .choose(_, let a, let b), .typed(let a, let b, _):
        add(a)
        add(b)
      }
    }
    add(self)
    return size
  }
}

extension TextModel {
  /// An estimate of the number of characters.
  package var letterCount: Int { runs.reduce(0) { $0 + $1.text.greatestLength } }

  /// An estimate of the number of points of the glyph outlines.
  fileprivate var pointCount: Int { letterCount * 20 }
}

extension PathModel {
  /// An estimate of the number of lines that approximate a curve.
  private static let linesOfCurve = 16

  /// The nesting depth of derived paths.
  package var depth: Int {
    segments.reduce(0) { depth, segment in
      switch segment {
      case .mapped(_, let inner), .projected(_, let inner), .outline(.path(let inner)):
        max(depth, inner.depth)
      case .letters(let it): max(depth, it.path.depth)
      case .morph(let a, let b, _), .choice(_, let a, let b): max(depth, a.depth, b.depth)
      case .derived(let it): it.paths.reduce(depth) { max($0, $1.depth + 1) }
      default: depth
      }
    }
  }

  /// The number of points that the path stores, without those of nested paths.
  package var ownPoints: Int {
    segments.reduce(0) { $0 + $1.ownPoints }
  }

  /// Returns the number of points that the path stores, including those of nested paths. Counting
  /// stops above `limit`.
  package func storedPoints(atMost limit: Int) -> Int {
    var count = 0
    func add(_ path: PathModel) {
      for segment in path.segments where count <= limit {
        count += segment.ownPoints
        switch segment {
        case .mapped(_, let inner), .projected(_, let inner), .outline(.path(let inner)): add(inner)
        case .morph(let a, let b, _), .choice(_, let a, let b):
          add(a)
          add(b)
        case .derived(let it): for path in it.paths { add(path) }
        default: break
        }
      }
    }
    add(self)
    return count
  }

  /// Returns the number of segments, including those of nested paths. Counting stops above `limit`.
  package func size(atMost limit: Int) -> Int {
    var size = 0
    func addPoints(of path: Path, _ each: Int) {
      size += path.elements.reduce(0) { if case .cubic = $1 { $0 + each } else { $0 + 1 } }
    }
    func add(_ path: PathModel, _ each: Int) {
      for segment in path.segments where size <= limit {
        size += each
        switch segment {
        case .fixed(let part), .mixed(let part, _, _): addPoints(of: part, each)
        case .glyphs(let glyphs): for glyph in glyphs { addPoints(of: glyph.outline, each) }
        case .through(let points): size += points.count * each
        case .mapped(_, let inner), .projected(_, let inner): add(inner, each)
        case .morph(let a, let b, _), .choice(_, let a, let b):
          add(a, each)
          add(b, each)
        case .outline(.path(let inner)): add(inner, each)
        case .outline(.star(_, let points, _, _)): size += 2 * points * each
        case .text(let text): size += text.pointCount * each
        case .letters(let it):
          size += it.text.pointCount * each
          add(it.path, each)
        case .link(let link):
          for case .outline(let path, _) in [link.from, link.to] { add(path, each) }
        case .derived(let it):
          for path in it.paths { add(path, it.isOfLines ? PathModel.linesOfCurve : each) }
        default: break
        }
      }
    }
    add(self, 1)
    return size
  }
}

extension PathModel.Segment {
  /// The number of points that the segment stores, without those of nested paths.
  fileprivate var ownPoints: Int {
    switch self {
    case .fixed(let path): path.elements.count
    case .mixed(let a, let b, _): a.elements.count + b.elements.count
    case .through(let points): points.count
    default: 1
    }
  }
}
