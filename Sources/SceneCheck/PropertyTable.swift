// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

/// How a picture takes its place in a box (CSS `object-fit`).
enum Fit: String, CaseIterable { case cover, contain, fill, none }

/// What a property expects.
package enum PropertyType: Hashable, Sendable {
  case effects, number, angle, time, bool, color, paint, text, easing, path, bitrate
  case filters, shadow, transition
  /// Whether by the own outline, or by what other element.
  case clipping
  /// Percent is of the width, the height or the smaller side of the parent's box.
  case lengthX, lengthY, length
  /// Percent is of the font size.
  case fontLength
  /// A point of the parent's box.
  case point
  /// A point of the own box, or one of its named points.
  case ownPoint
  case points
  case size
  /// One length, or a pair.
  case lengthPair
  /// One number or two.
  case factors
  case angles
  case lengths
  case share
  case trim
  case word([String])
  case weight
  case fonts
  case frameRate
  case pixelSize
}

package struct PropertySpec: Sendable {
  package let name: String
  package let type: PropertyType
  /// Kinds where it is of another type.
  let others: [ElementKind: PropertyType]
  package let kinds: Set<ElementKind>
  /// Whether it is understood so far.
  package let isBuilt: Bool

  package func type(for kind: ElementKind) -> PropertyType { others[kind] ?? type }
}

/// In which order the parts of a text begin.
enum TextOrder: String, CaseIterable { case start, end, center, random }

/// Every property of the language: its type and where it may stand.
package enum PropertyTable {
  package static let all: [String: PropertySpec] = {
    var table: [String: PropertySpec] = [:]
    for (kinds, entries) in rows {
      for (name, type) in entries {
        let known = table[name]
        var others = known?.others ?? [:]
        if let known, known.type != type { for kind in kinds { others[kind] = type } }
        table[name] = PropertySpec(
          name: name, type: known?.type ?? type, others: others,
          kinds: (known?.kinds ?? []).union(kinds), isBuilt: !notBuilt.contains(name))
      }
    }
    return table
  }()

  /// The properties that an element of a kind may have.
  package static func names(of kind: ElementKind) -> [String] {
    all.values.filter { $0.kinds.contains(kind) }.map(\.name).sorted()
  }

  /// The words of each property that takes words.
  static let enumerations: [[String]] = all.values.flatMap { spec in
    ([spec.type] + spec.others.values).compactMap {
      if case .word(let words) = $0 { words } else { nil }
    }
  }

  package static let inherited: Set<String> = [
    "font", "font-size", "font-weight", "italic", "features", "tabular", "language", "easing",
    "mixing", "letter-spacing", "direction",
  ]

  private static let notBuilt: Set<String> = [
    "frame-rate"
  ]

  private static let drawn = Set(ElementKind.allCases.filter(\.isDrawn))
  private static let shapes = Set(ElementKind.allCases.filter(\.isShape))
  private static let texts: Set<ElementKind> = [.text, .span, .captions]
  private static let layouts: Set<ElementKind> = [.row, .column, .grid]

  /// Where the children of a row, column or grid stand.
  static let alignments = ["left", "center", "right", "top", "bottom"]

  private static let points = Array(namedPoints.keys) + Array(baselinePoints.keys)

  private static let rows: [(Set<ElementKind>, [(String, PropertyType)])] = [
    (
      drawn,
      [
        ("at", .time), ("for", .time), ("position", .point), ("anchor", .ownPoint),
        ("translate", .point), ("rotate", .angle), ("scale", .factors), ("skew", .angles),
        ("pivot", .ownPoint), ("opacity", .share),
        ("blend", .word(BlendMode.allCases.map(\.rawValue))),
        ("visible", .bool), ("z", .number), ("filter", .filters), ("shadow", .shadow),
        ("enter", .effects), ("exit", .effects), ("time-step", .time), ("style", .text),
        ("clip", .clipping),
        ("transition", .transition),
      ]
    ),
    (drawn.subtracting([.sequence]), [("stagger", .time)]),
    (
      drawn.union([.scene, .span]),
      [
        ("font", .fonts), ("font-size", .length), ("font-weight", .weight), ("italic", .bool),
        ("features", .text), ("tabular", .bool), ("language", .text), ("easing", .easing),
        ("mixing", .word(ColorSpace.allCases.map(\.rawValue))), ("letter-spacing", .fontLength),
        ("direction", .word(TextDirection.allCases.map(\.rawValue))),
      ]
    ),
    (
      shapes.union(texts).union(layouts),
      [
        ("fill", .paint), ("stroke", .paint), ("stroke-width", .length),
        ("cap", .word(StrokeStyle.Cap.allCases.map(\.rawValue))),
        ("join", .word(StrokeStyle.Join.allCases.map(\.rawValue))), ("miter-limit", .number),
        ("dash", .lengths), ("dash-offset", .length), ("paint-order", .word(["fill", "stroke"])),
      ]
    ),
    (
      [.each],
      [
        ("stagger", .time), ("order", .word(TextOrder.allCases.map(\.rawValue))),
        ("enter", .effects), ("exit", .effects), ("opacity", .share), ("translate", .point),
        ("rotate", .angle), ("scale", .factors), ("skew", .angles), ("fill", .paint),
        ("stroke", .paint), ("blur", .length), ("easing", .easing),
        ("mixing", .word(ColorSpace.allCases.map(\.rawValue))),
      ]
    ),
    (shapes.union([.text]), [("trim", .trim)]),
    ([.rect, .image, .video, .group, .sequence, .row, .column, .grid, .camera], [("size", .size)]),
    ([.rect, .image, .video, .row, .column, .grid], [("corner-radius", .length)]),
    (
      layouts,
      [("gap", .lengthPair), ("padding", .lengthPair), ("align", .word(alignments))]
    ),
    ([.grid], [("columns", .number)]),
    ([.camera], [("look-at", .point), ("zoom", .number)]),
    ([.mask], [("luminance", .bool), ("invert", .bool)]),
    ([.circle, .star, .arc], [("radius", .length)]),
    ([.ellipse], [("radius", .lengthPair)]),
    ([.star, .arc], [("inner-radius", .length)]),
    ([.star], [("points", .number)]),
    ([.arc], [("start", .angle), ("sweep", .angle), ("closed", .bool)]),
    (
      [.line, .arrow],
      [
        ("from", .point), ("to", .point), ("gap", .length),
        ("route", .word(Link.Route.allCases.map(\.rawValue))),
      ]
    ),
    (
      [.arrow],
      [
        ("head", .word(Link.Head.allCases.map(\.rawValue))),
        ("tail", .word(Link.Head.allCases.map(\.rawValue))),
      ]
    ),
    ([.polyline, .polygon], [("points", .points)]),
    ([.path], [("data", .path)]),
    ([.image, .video, .audio, .captions], [("source", .text)]),
    ([.image], [("fps", .frameRate), ("loop", .word(["forever", "once"]))]),
    ([.video], [("trim", .trim), ("speed", .number), ("time", .time)]),
    (
      [.image, .video],
      [("fit", .word(Fit.allCases.map(\.rawValue))), ("focus", .ownPoint)]
    ),
    ([.text, .span], [("content", .text)]),
    ([.text, .span, .captions], [("underline", .bool)]),
    (
      [.text, .captions],
      [
        ("align", .word(TextAlign.allCases.map(\.rawValue))), ("width", .lengthX),
        ("line-height", .fontLength), ("max-lines", .number),
      ]
    ),
    ([.text], [("fit-width", .lengthX), ("along", .path), ("start-offset", .share)]),
    (
      [.scene],
      [
        ("size", .pixelSize), ("fps", .frameRate), ("for", .time), ("background", .paint),
        ("tempo", .number), ("seed", .number), ("motion-blur", .angle), ("samples", .number),
        ("title", .text), ("author", .text), ("comment", .text),
      ]
    ),
    ([.marker], [("at", .time), ("title", .text)]),
    (
      [.output],
      [
        ("codec", .word(["h264"])), ("quality", .number), ("bitrate", .bitrate),
        ("profile", .word(["baseline", "main", "high", "high10", "high422", "high444"])),
        ("level", .number), ("preset", .word(presets)),
        ("pixel-format", .word(["yuv420p", "yuv444p"])),
        ("frame-rate", .word(["constant", "variable"])),
        ("loop", .word(["forever", "once"])), ("size", .pixelSize),
      ]
    ),
  ]

  /// The types that a declaration may name.
  package static let types = [
    "number", "percent", "length", "time", "angle", "gain", "rate", "pair", "color", "text",
    "bool", "path", "image", "paint", "easing", "effect", "transition", "list", "range", "record",
  ]

  /// x264's presets, fastest first.
  package static let presets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
    "veryslow", "placebo",
  ]
}
