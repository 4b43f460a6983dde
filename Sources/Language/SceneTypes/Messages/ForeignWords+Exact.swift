// SPDX-License-Identifier: MIT
package import SceneLanguage
import SceneSyntax

// Names with an exact equivalent in the scene language, and names with an unsupported meaning.
extension ForeignWords {
  /// Names of `sameProperty` with the same meaning and the same values, so that a fix is safe.
  package static let exactProperties: Set<String> = [
    "color", "colour", "background", "background-color", "rotation", "angle", "alpha", "opaque",
    "z-index", "r", "border-radius", "stroke-color", "line-width", "fill-color", "stroke-linecap",
    "stroke-cap", "stroke-linejoin", "stroke-join", "stroke-dasharray", "stroke-dashoffset",
    "stroke-miterlimit", "stroke-dash", "font-family", "text-align", "font-color", "text-color",
    "framerate", "frame-rate", "mix-blend-mode", "blend-mode", "src", "href", "file", "url",
    "src-url", "gain",
    "playback-rate", "playbackrate", "object-fit", "duration", "pos", "fadein", "fadeout",
    "justify-content", "flex-grow", "d",
  ]

  /// Names of `sameElement` with the same meaning.
  package static let exactElements: Set<String> = [
    "rectangle", "oval", "img", "picture", "photo", "movie", "sound", "tspan", "hstack", "vstack",
    "subtitles", "subtitle",
  ]

  /// Names of `sameDefinition` with the same meaning.
  package static let exactDefinitions: Set<String> = [
    "fade-in", "fade-out", "typewriter", "crossfade", "cross-fade", "cross-dissolve",
  ]

  /// Words of `sameWord` with the same meaning in every enumeration.
  package static let exactWords: Set<String> = Set(sameWord.keys).subtracting([
    "start", "end", "heavy", "point", "smooth", "bilinear",
  ])

  /// Foreign properties without an equivalent. Similar spelling does not imply a similar meaning:
  /// `shader` is not `shadow`, and `flip` is not `clip`.
  package static let foreignProperties: Set<String> = [
    "accelerate", "accent-color", "aspect", "axis", "backface-visibility", "bend", "bevel",
    "bounce", "box-decoration-break", "box-sizing", "break-inside", "bulge", "caret-color", "clear",
    "collapse", "content-visibility", "contain", "counter-reset", "curl", "curve", "damping",
    "decoration", "depth", "direction", "displacement", "dissolve", "distort", "draggable", "echo",
    "emboss", "extrude", "extrusion", "falloff", "feather", "fill-mode", "filter-mode", "fisheye",
    "float", "flow", "font-kerning", "font-stretch", "font-variant", "force", "friction", "frost",
    "glitch", "gradient", "grain", "grid", "grid-area", "grid-column", "grid-row", "hue", "hyphens",
    "image-rendering", "intensity", "isolation", "key", "layer", "layers", "lens", "line",
    "list-style", "mass", "material", "matte", "mesh", "mode", "morph", "noise", "normal", "offset",
    "order", "orphans", "parallax", "particles", "pixelate", "preserve-3d", "puppet", "quotes",
    "ramp", "reflect", "reflection", "resize", "ripple", "roughness", "saturation", "scroll",
    "seed", "shape", "sharpen", "shear", "shine", "sides", "softness", "sparkle",
    "spread", "stiffness", "stretch", "strike", "swirl", "tab-size", "taper", "tension", "text-fit",
    "text-indent", "texture", "tile", "tilt", "time-remap", "tint", "tolerance", "touch-action",
    "turbulence", "twirl", "twist", "unicode-bidi", "velocity", "vignette", "wave", "wiggle",
    "will-change", "word-break", "writing-mode",
  ]

  /// Advice for the property `loop` on shapes and texts.
  package static let loop =
    "repeat a motion with a function: rotate: loop(0deg -> 360deg over 1s)"

  /// Foreign properties that no element supports, with the closest alternative.
  package static let missingProperty: [String: String] = {
    var notes: [String: String] = [
      "shader":
        "use 'filter' to change pixels: filter: [blur(4), contrast(1.2)]; shaders are unsupported",
      "glow": "use a shadow without an offset for a glow: shadow: shadow(blur: 24, color: orange)",
      "flip": "use a negative scale: scale: (-1, 1)",
      "mirror": "use a negative scale: scale: (-1, 1)",
      "flip-x": "use a negative scale: scale: (-1, 1)",
      "flip-y": "use a negative scale: scale: (1, -1)",
      "warp": "use 'skew' to slant an element; warping is unsupported",
      "outline": "use 'stroke: red' and 'stroke-width: 2'",
      "tip": "use 'head' for the tip of an arrow",
      "scale-x": "write both factors: scale: (2, 1)",
      "scale-y": "write both factors: scale: (1, 2)",
      "translate-x": "write both directions: translate: (20, 0)",
      "translate-y": "write both directions: translate: (0, 20)",
      "skew-x": "write both angles: skew: (10deg, 0deg)",
      "skew-y": "write both angles: skew: (0deg, 10deg)",
      "rotate-z": "use 'rotate'",
      "scale-z": "use 'translate-z' to move an element toward the viewer",
      "transform-style": "the contents of a group are in the same space as the group",
      "depth-of-field": "use 'filter: blur(8)' for elements that are out of focus",
      "repeat":
        "repeat a motion with loop(0 -> 1 over 1s), and an element with repeat { copies: 3  … }",
    ]
    for word in repetitionCounts where word != "repeat" { notes[word] = loop }
    for word in RepetitionWords.mirrored + ["animation-direction"] {
      notes[word] = "go back and forth with a function: scale: loop(1 -> 1.2 over 1s, mirror: true)"
    }
    for word in ["rotate-3d", "rotate3d", "translate-3d", "orientation", "corner-pin"] {
      notes[word] = "use 'rotate-x', 'rotate-y' and 'translate-z' to place an element in space"
    }
    return notes
  }()

  /// Foreign elements without an equivalent, with the closest alternative.
  package static let otherElements: [String: String] = {
    let formula = "use the element 'math' for a formula: math $x^2$"
    let adjustment = "set 'filter' on a group that contains the elements"
    let plot = "import \"std/plot.scene\" for plots, then use Axes and Curve"
    let solid =
      "build it from planes with 'rotate-x', 'rotate-y' and 'translate-z'; solids are unsupported"
    var notes: [String: String] = [
      "null":
        "move elements together in a 'group', or refer to another element: position: card.top",
      "solid": "use a rect: rect { size: 100%;  fill: red }",
      "adjustment": adjustment, "adjustment-layer": adjustment, "adjustmentlayer": adjustment,
    ]
    for word in ["latex", "tex", "mathtex", "katex", "mathjax", "equation", "formula"] {
      notes[word] = formula
    }
    for word in ["plot", "graph", "axes", "number-plane", "numberplane", "function-graph"] {
      notes[word] = plot
    }
    for word in ["chart", "barchart", "piechart", "linechart"] {
      notes[word] = "import \"std/charts.scene\" for charts, then use BarChart"
    }
    for word in [
      "sphere", "cube", "box3d", "mesh", "cone", "cylinder", "torus", "surface", "scene3d",
    ] {
      notes[word] = solid
    }
    return notes
  }()

  /// Foreign times of keyframes, with the equivalent time.
  package static let keyTimes = ["from": "0s", "to": "end"]

  private static let backing =
    "use 'background' for a box behind the lines, as in background: black"
  private static let row =
    "put the formula in a row with a fill: row { fill: black;  padding: 12;  math $x^2$ }"
  private static let excerpt =
    "select a part of the scene with 'from' and 'to': output { from: 1s;  to: 2s }"
  private static let entrance =
    "write the duration of an entrance with its effect: enter: fade over 1s"
  private static let part = "select the part to play: trim: 2s .. 6s"
  private static let trim =
    "play a part of the file with trim: 2s .. 6s; 'at' is a time of the scene"

  /// Returns advice for a property that this kind of element does not support, or `nil`.
  package static func note(on name: String, of kind: ElementKind) -> String? {
    let word = dashed(name)
    if let note = noteOnSize(word, of: kind) { return note }
    switch kind {
    case .video, .audio:
      if isStart(word) { return trim }
      if isPart(word) { return part }
      if repetitionCounts.contains(word) {
        return "set 'loop: true', or the number of plays, such as 'loop: 3'"
      }
    case .scene: if isPart(word) { return "set the duration with 'for': for: 10s" }
    case .text, .captions:
      if ["backdrop", "box", "highlight"].contains(word) { return backing }
    case .span, .each:
      if isBacking(word) {
        return "set '\(word == "background-color" ? "background" : word)' on the text"
      }
    case .math, .part: if isBacking(word) { return row }
    case .repeat where ["count", "number", "amount", "times", "n"].contains(word):
      return "use 'copies', the number of copies"
    case .particles where ["count", "number", "amount"].contains(word):
      return "use 'burst' for that many at once, or 'rate: 100Hz' for a steady flow"
    case .output:
      if ["start", "end", "at", "for", "range", "duration", "trim"].contains(word) {
        return excerpt
      }
    default: break
    }
    if word == "span" { return entrance }
    return missingProperty[word]
  }

  /// Returns advice for a property that determines the size or the corners of a shape, or `nil`.
  private static func noteOnSize(_ word: String, of kind: ElementKind) -> String? {
    let isSide = ["size", "width", "height", "w", "h"].contains(word)
    switch kind {
    case .text, .captions:
      if word == "w" { return "use 'width'" }
      if word == "height" || word == "h" {
        return "use 'font-size'; the height of a text follows from its lines"
      }
    case .math:
      if isSide { return "use 'font-size'; the size of a formula follows from its content" }
    case .circle, .star, .arc:
      if isSide { return "use 'radius' on \(kind == .arc ? "an" : "a") \(kind.rawValue)" }
      if word == "diameter" { return "use 'radius', half the diameter" }
      if kind == .star, ["spikes", "arms", "tips", "corners"].contains(word) {
        return "use 'points', the number of points"
      }
      if kind == .arc, ["from", "to", "start-angle", "end-angle"].contains(word) {
        return "use 'start' and 'sweep': start: 0deg;  sweep: 90deg"
      }
    case .ellipse:
      if isSide || word == "diameter" { return "use half the width and height: radius: (150, 100)" }
      if ["rx", "ry", "radius-x", "radius-y"].contains(word) {
        return "use a pair of radii: radius: (150, 100)"
      }
    case .polygon where ["sides", "diameter"].contains(word):
      return
        "list its corners: points: [for k in 0..6: (960 + 200 * cos(60deg * k), 540 + 200 * sin(60deg * k))]"
    case .polygon, .polyline, .path, .line, .arrow:
      if ["size", "height", "h"].contains(word) {
        return "set 'scale' to change its size, which follows from its coordinates"
      }
    default: break
    }
    return nil
  }

  private static func isBacking(_ word: String) -> Bool {
    ["background", "background-color", "padding", "corner-radius"].contains(word)
  }

  private static func isStart(_ word: String) -> Bool {
    ["start", "begin", "start-time", "start-from", "from", "offset", "seek"].contains(word)
  }

  private static let repetitionCounts = [
    "repeat", "repeats", "repeat-count", "iterations", "iteration-count",
    "animation-iteration-count",
  ]

  private static func isPart(_ word: String) -> Bool {
    ["in", "out", "clip-start", "start-at", "end", "end-at", "end-time"].contains(word)
  }

  /// Foreign properties for the end of the drawn part of an outline, which is a share of its
  /// length.
  package static let outlineEnds: Set<String> = [
    "trim-end", "stroke-end", "path-end", "draw", "drawn", "draw-progress", "stroke-progress",
    "trim-path", "trim-paths", "write-on",
  ]

  /// Foreign properties for the start of the drawn part of an outline.
  package static let outlineStarts: Set<String> = ["trim-start", "stroke-start", "path-start"]

  /// Returns whether a foreign property has the same meaning and values as its replacement on
  /// elements of a kind, so that it can be replaced automatically.
  package static func isExact(_ word: String, on kind: ElementKind) -> Bool {
    guard exactProperties.contains(word) else { return false }
    // On groups and formulas, `color` applies to the content and `background` to the area behind
    // it.
    return !word.hasPrefix("background") || kind.isShape || kind.isLayout
      || [.text, .captions].contains(kind)
  }

  /// Converts `fadeIn` and `fade_in` to `fade-in`.
  package static func dashed(_ name: String) -> String {
    var word = ""
    for character in name {
      if character.isUppercase, !word.isEmpty { word += "-" }
      word += character == "_" ? "-" : character.lowercased()
    }
    return word
  }

  /// Returns the replacement for an unknown effect or transition, or `nil`. On exit, an element
  /// leaves toward the side from which it would enter.
  package static func definition(
    _ name: String, isEffect: Bool, isExit: Bool
  ) -> String? {
    let word = dashed(name)
    guard isEffect else { return sameTransition[word] }
    let mirrored = ["slide-up": "top", "slide-down": "bottom", "slide-left": "left"]
    if isExit, let side = mirrored[word] { return "slide(from: \(side))" }
    if isExit, word == "slide-right" { return "slide(from: right)" }
    return sameEffect[word]
  }
}
