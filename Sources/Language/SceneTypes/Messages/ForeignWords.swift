// SPDX-License-Identifier: MIT
import SceneSyntax

/// Names from CSS, SVG, After Effects, Manim and Remotion, with their equivalents in the scene
/// language.
package enum ForeignWords {
  /// Foreign properties, with the property that takes the same value.
  package static let sameProperty: [String: String] = [
    "color": "fill", "colour": "fill", "background": "fill", "background-color": "background",
    "duration": "for", "over": "for", "with": "easing", "length": "for", "start": "at",
    "begin": "at",
    "delay": "at",
    "pos": "position", "center": "position", "angle": "rotate", "rotation": "rotate",
    "rotation-x": "rotate-x", "rotation-y": "rotate-y", "backface-visibility": "backface",
    "origin": "pivot", "transform-origin": "pivot", "alpha": "opacity", "z-index": "z",
    "r": "radius", "radius": "corner-radius", "border-radius": "corner-radius",
    "rx": "corner-radius", "ry": "corner-radius", "rounded": "corner-radius",
    "rounding": "corner-radius", "roundness": "corner-radius",
    "border-color": "stroke", "stroke-color": "stroke", "border-width": "stroke-width",
    "line-width": "stroke-width", "thickness": "stroke-width", "fill-color": "fill",
    "stroke-linecap": "cap", "stroke-cap": "cap", "stroke-linejoin": "join", "stroke-join": "join",
    "stroke-dasharray": "dash",
    "stroke-dashoffset": "dash-offset", "stroke-miterlimit": "miter-limit",
    "font-family": "font", "text-align": "align", "weight": "font-weight",
    "tracking": "letter-spacing", "leading": "line-height", "flex-grow": "grow", "flex": "grow",
    "spacing": "gap", "gutter": "gap",
    "framerate": "fps", "frame-rate": "fps", "drop-shadow": "shadow", "box-shadow": "shadow",
    "text-shadow": "shadow", "object-fit": "fit", "object-position": "focus",
    "target": "look-at", "justify-content": "justify", "align-items": "align", "flex-wrap": "wrap",
    "path": "along",
    "mix-blend-mode": "blend", "clip-path": "clip", "src": "source", "href": "source",
    "file": "source", "url": "source", "d": "data", "string": "content", "value": "content",
    "label": "content", "outer-radius": "radius",
    "start-time": "at", "opaque": "opacity", "stroke-dash": "dash", "font-color": "fill",
    "text-color": "fill", "columns-count": "columns", "src-url": "source",
    "easing-function": "easing", "playback-rate": "speed", "playbackrate": "speed",
    "current-time": "time", "currenttime": "time", "gain": "volume", "balance": "pan",
    "text-wrap": "wrap", "text-wrap-style": "wrap", "vertical-align": "baseline-shift",
    "fadein": "fade-in", "fadeout": "fade-out", "lifetime": "life", "lifespan": "life",
    "velocity": "speed", "emission-rate": "rate", "f-stop": "aperture",
    "depth-of-field": "aperture", "blend-mode": "blend", "blending-mode": "blend", "ease": "easing",
    "timing-function": "easing", "animation-timing-function": "easing",
    "transition-timing-function": "easing", "resolution": "size", "dimensions": "size",
    "bg": "background", "follow": "look-at", "track": "look-at", "focus-on": "look-at",
  ]

  private static let crisp = "use 'image-rendering: pixelated' for hard edges between pixels"

  /// Foreign properties that require a different value here, with advice.
  package static let otherProperty: [String: String] = [
    "pixelated": crisp, "smoothing": crisp, "antialias": crisp, "interpolation": crisp,
    "texture-filter": crisp, "filtering": crisp,
    "x1": ends, "y1": ends, "x2": ends, "y2": ends,
    "x": "use 'position: (x, y)'", "y": "use 'position: (x, y)'",
    "cx": "use 'position: (x, y)'", "cy": "use 'position: (x, y)'",
    "left": "use 'position: (x, y)'", "top": "use 'position: (x, y)'",
    "hidden": "use 'visible: false'", "visibility": "use 'visible: false'",
    "overflow": "use 'clip: true'", "fov": "use 'zoom'", "field-of-view": "use 'zoom'",
    "width": "use 'size: 300x200'", "height": "use 'size: 300x200'", "w": "use 'size: 300x200'",
    "h": "use 'size: 300x200'", "bold": "use 'font-weight: bold'",
    "font-style": "use 'italic: true'", "text-decoration": "use 'underline: true'",
    "border": "use 'stroke: red' and 'stroke-width: 2'",
    "transform": "use 'translate', 'rotate', 'scale' and 'skew'",
    "animation": "animate any property directly: opacity: 0 -> 1 over 1s",
    "animate": "animate any property directly: opacity: 0 -> 1 over 1s",
    "fill-opacity": "use a semitransparent color: fill: alpha(red, 50%)",
    "stroke-opacity": "use a semitransparent color: stroke: alpha(red, 50%)",
    "fill-rule": winding, "clip-rule": winding, "even-odd": winding, "evenodd": winding,
    "nonzero": winding, "non-zero": winding, "winding": winding, "winding-rule": winding,
    "vector-effect": "set 'stroke-scale: none' to keep the stroke width constant",
    "blur": "use 'filter: blur(4)'", "brightness": "use 'filter: brightness(1.2)'",
    "margin": margin, "margin-left": margin, "margin-right": margin, "margin-top": margin,
    "margin-bottom": margin, "margin-inline": margin, "margin-block": margin,
    "margin-x": margin, "margin-y": margin,
    "mask": "add a mask block to the element: mask { circle { } }",
    "right": "use 'position: (100% - 40, y)'", "bottom": "use 'position: (x, 100% - 40)'",
    "inset": "use 'position: (x, y)' and 'size'",
    "display": "use 'row', 'column' or 'grid' for layout, and 'visible: false' to hide",
    "flex-direction": layout, "flex-wrap": layout,
    "justify-content": layout, "align-content": layout, "align-self": layout, "float": layout,
    "grid-template-columns": layout, "grid-template-rows": layout, "row-gap": layout,
    "column-gap": layout,
    "text-transform": "use 'upper' or 'lower' in the text: \"{upper(name)}\"",
    "white-space": "set 'width' to wrap a text, and write \\n for a line break",
    "word-wrap": "set 'width' to wrap a text, and write \\n for a line break",
    "text-overflow": "set 'width' on the text, or a smaller 'font-size'",
    "line-clamp": "set 'width' on the text, or a smaller 'font-size'",
    "background-image": "use an image as the background: image \"a.jpg\" { size: 100% }",
    "background-size": "use 'fit: cover' or 'fit: contain' on an image",
    "background-position": "use 'focus: (50%, 20%)' on an image",
    "aspect-ratio": "set both sides: size: 320x180",
    "filter-blur": "use 'filter: blur(4)'", "backdrop": "use 'backdrop-filter: blur(12)'",
    "autoplay": "remove it; a clip plays automatically",
    "controls": "remove it; a video has no controls",
    "poster": "show a single frame of it: time: 2s", "in": lifetime, "out": lifetime,
    "clip-start": lifetime, "start-at": lifetime, "end": lifetime, "end-at": lifetime,
    "end-time": lifetime, "muted": silent, "mute": silent, "sound": silent,
    "fade": "use 'fade-in: 1s' and 'fade-out: 1s' on a sound",
    "crossfade": "use 'transition: dissolve over 1s' in a sequence to cross-fade sounds",
    "duck": "use it as a volume: volume: duck(by: -12dB, under: voice)",
    "parent":
      "put the element into a group, or refer to another element: position: card.top",
    "anchor-point":
      "use 'anchor' for the point at the position, 'pivot' for the center of rotation",
    "after": "set the start with 'at': at: 1s, or at: card.end + 1s",
    "cursor": "remove it; a video has no pointer",
    "pointer-events": "remove it; a video has no pointer",
    "user-select": "remove it; a video has no pointer",
    "onclick": "remove it; a video has no pointer",
    "transition": "animate any property directly: opacity: 0 -> 1 over 1s",
    "keyframes": "write keyframes as the value of a property: opacity: keyframes { 0s: 0; 1s: 1 }",
  ]

  private static let margin = "use 'position', or 'gap' and 'padding' on a row, column or grid"
  private static let winding =
    "cut holes with a path function: data: exclude(a, b); shapes always use the nonzero rule"

  /// Foreign properties that place an element. Components often have parameters with these
  /// meanings.
  package static let placing: Set<String> = [
    "x", "y", "cx", "cy", "left", "top", "right", "bottom", "inset",
  ]

  private static let ends = "use 'from: (x, y)' and 'to: (x, y)'"
  private static let lifetime =
    "set the start with 'at' and the duration with 'for': at: 1s;  for: 2s"
  private static let silent = "use 'volume: 0' to mute it"
  private static let layout = "use 'row', 'column' or 'grid' with 'gap', 'align' and 'padding'"

  /// Foreign elements, with the equivalent element.
  package static let sameElement: [String: String] = [
    "rectangle": "rect", "square": "rect", "box": "rect", "oval": "ellipse", "dot": "circle",
    "img": "image", "picture": "image", "photo": "image", "gif": "image",
    "png": "image", "jpg": "image", "sprite": "image", "icon": "image",
    "label": "text", "title": "text", "p": "text", "h1": "text", "h2": "text", "h3": "text",
    "h4": "text", "h5": "text", "h6": "text", "paragraph": "text", "heading": "text",
    "tspan": "span",
    "g": "group", "div": "group", "section": "group", "container": "group", "layer": "group",
    "view": "group", "stack": "group", "zstack": "group", "frame": "group", "precomp": "group",
    "hstack": "row", "flex": "row", "vstack": "column", "ul": "column", "ol": "column",
    "list": "column", "table": "grid", "bezier": "path", "curve": "path", "spline": "path",
    "series": "sequence", "timeline": "sequence", "subtitles": "captions", "subtitle": "captions",
    "sound": "audio", "music": "audio", "voice": "audio", "movie": "video", "triangle": "polygon",
    "hexagon": "polygon", "chapter": "marker", "clippath": "clip",
  ]

  /// Foreign effects, with the equivalent expression for `enter`.
  package static let sameEffect: [String: String] = [
    "typewriter": "type", "typing": "type", "type-on": "type", "fade-in": "fade",
    "fade-out": "fade", "appear": "fade", "disappear": "fade", "dissolve": "fade",
    "slide-in": "slide", "fly-in": "slide", "slide-up": "slide(from: bottom)",
    "slide-down": "slide(from: top)", "slide-left": "slide(from: right)",
    "slide-right": "slide(from: left)", "slide-in-left": "slide(from: left)",
    "slide-in-right": "slide(from: right)", "fade-up": "rise", "fade-in-up": "rise",
    "float-up": "rise", "bounce": "drop", "bounce-in": "drop", "fall": "drop", "zoom": "grow",
    "zoom-in": "grow", "scale": "grow", "scale-in": "grow", "scale-up": "grow", "pop-in": "pop",
    "pop-up": "pop", "elastic": "pop", "reveal": "wipe", "wipe-right": "wipe(from: left)",
    "wipe-left": "wipe(from: right)", "wipe-in": "wipe", "draw-in": "draw",
    "stroke": "draw", "trace": "draw", "rotate": "spin", "rotate-in": "spin", "spin-in": "spin",
    "blur": "blur-in", "focus": "blur-in", "iris": "open",
  ]

  /// Foreign transitions, with the equivalent expression.
  package static let sameTransition: [String: String] = [
    "fade": "dissolve", "crossfade": "dissolve", "cross-fade": "dissolve", "mix": "dissolve",
    "cross-dissolve": "dissolve", "fade-to-black": "fade-through", "dip": "fade-through",
    "dip-to-black": "fade-through", "fade-black": "fade-through",
    "fade-white": "fade-through(color: white)", "slide-left": "slide(from: right)",
    "slide-right": "slide(from: left)", "slide-up": "slide(from: bottom)",
    "slide-down": "slide(from: top)", "push-left": "push(from: right)",
    "push-right": "push(from: left)", "push-up": "push(from: bottom)",
    "push-down": "push(from: top)", "wipe-left": "wipe(from: right)",
    "wipe-right": "wipe(from: left)", "circle": "iris", "circle-open": "iris", "zoom-in": "zoom",
    "cross-zoom": "zoom", "clock-wipe": "clock", "radial": "clock", "none": "cut",
  ]

  /// Foreign words of enumerations.
  package static let sameWord: [String: String] = [
    "middle": "center", "centre": "center", "start": "left", "end": "right", "heavy": "black",
    "bottom-center": "bottom", "top-center": "top", "center-left": "left",
    "center-right": "right", "center-top": "top", "center-bottom": "bottom", "left-top": "top-left",
    "left-center": "left", "right-center": "right", "right-top": "top-right",
    "left-bottom": "bottom-left", "right-bottom": "bottom-right", "center-center": "center",
    "middle-center": "center", "demibold": "semi-bold", "flat": "butt", "add": "plus-lighter",
    "additive": "plus-lighter", "nearest": "pixelated", "nearest-neighbor": "pixelated",
    "easyease": "ease-in-out", "easy-ease": "ease-in-out", "ease-in-ease-out": "ease-in-out",
    "between": "space-between", "around": "space-around", "evenly": "space-evenly",
    "flex-start": "start", "flex-end": "end",
    "ltr": "left-to-right", "rtl": "right-to-left",
    "crisp-edges": "pixelated", "point": "pixelated", "smooth": "auto", "bilinear": "auto",
  ]

  private static let startSides = ["start", "top", "left"]
  private static let endSides = ["end", "bottom", "right"]

  /// Words of CSS for the sides of a layout, with the words that can have the same meaning.
  private static let sides: [String: [String]] = [
    "start": startSides, "flex-start": startSides, "self-start": startSides, "leading": startSides,
    "end": endSides, "flex-end": endSides, "self-end": endSides, "trailing": endSides,
  ]

  /// Returns the word of an enumeration that is equivalent to a foreign one, also for `easeInOut`
  /// and `ease_in_out`, or `nil`. `flex-start` is the top of a row and the left side of a column.
  package static func word(_ name: String, among words: Set<String>) -> String? {
    let dashed = dashed(name)
    if let sides = sides[dashed] {
      let found = sides.filter(words.contains)
      return found.first == sides.first || found.count == 1 ? found.first : nil
    }
    return [sameWord[name], sameWord[dashed], dashed].lazy.compactMap { $0 }
      .first { $0 != name && words.contains($0) }
  }

  /// Returns advice about a word of CSS for a side if the equivalent depends on the layout; `nil` for
  /// other words.
  static func advice(onSide name: String, among words: Set<String>) -> String? {
    guard let found = sides[dashed(name)]?.filter(words.contains), found.count == 2 else {
      return nil
    }
    return words.contains("stretch")
      ? "write '\(found[0])' in a row and '\(found[1])' in a column"
      : "write '\(found[0])' or '\(found[1])'"
  }

  /// Returns whether a foreign word has the meaning of its equivalent in every enumeration.
  package static func isExact(word name: String) -> Bool {
    exactWords.contains(name) || sameWord[name] == nil && sides[dashed(name)] == nil
  }

  /// Foreign functions, with the equivalent function.
  package static let sameFunction: [String: String] = [
    "unite": "union", "merge": "union", "join": "union", "difference": "subtract",
    "minus": "subtract", "xor": "exclude", "intersection": "intersect", "inset": "offset",
    "outset": "offset", "expand": "offset", "grow": "offset",
    "visible": "opacity-of", "lines": "line-count", "lerp": "mix",
  ]

  /// Foreign arguments of built-in functions, with the equivalent argument.
  package static let sameArgument: [String: String] = {
    var arguments = ["period": "length", "duration": "length"]
    for word in RepetitionWords.mirrored { arguments[word] = "mirror" }
    return arguments
  }()

  private static let back = "write loop(0 -> 1 over 1s, mirror: true) to go back and forth"
  private static let endless = "write loop(0 -> 1 over 1s)\(andBack)"
  private static let andBack = ", and loop(0 -> 1 over 1s, mirror: true) to go back and forth"

  private static let unique =
    "use a list comprehension: [for x, i in list if not any([for j in 0..i: list[j] == x]): x]"

  /// Foreign functions without an equivalent, with advice.
  package static let otherFunction: [String: String] = {
    var notes: [String: String] = [
      "drop-shadow":
        "set a shadow as a property: shadow: shadow(offset: (0, 8), blur: 24, color: black)",
      "range": "write a range as 0..5", "calc": "write the calculation itself: 50% - 10",
      "url": "write the file name in quotes", "var": "write the name itself",
      "map": "use a list comprehension: [for x in list: x * 2]",
      "filter": "use a list comprehension: [for x in list if x > 2: x]",
      "count": "write len(list)", "size": "write len(list)",
      "length": "write len(x), for the characters of a text or the items of a list",
      "reduce": "write fold(list, 0, fn(sum, x) = sum + x)",
      "reverse": "write reverse-list(list)",
      "flatten": "use a list comprehension: [for part in lists for x in part: x]",
      "append": "write concat(list, [x])",
      "unique": unique, "distinct": unique, "uniq": unique,
      "includes": "write any([for y in list: y == x]), or contains(text, part)",
      "find": "write first([for x in list if x > 2: x])",
      "index-of": "write first([for x, i in list if x == 3: i])",
      "enumerate": "use a list comprehension with an index: [for x, i in list: x * i]",
      "take": "write list[0..3]",
      "group-by": "use a list comprehension: [for x in list if x.kind == kind: x]",
      "sort-by": "write sort(list, by: fn(x) = -x)", "average": "write mean(list)",
      "str": "write it in a text: \"{x}\"", "to-text": "write it in a text: \"{x}\"",
      "to-fixed": "write format(x, decimals: 2)",
      "shuffle": "write sort(list, by: fn(x) = random(x)), for a list of numbers",
      "substring": "write text[1..3]", "substr": "write text[1..3]", "slice": "write list[1..3]",
      "char-at": "write text[0]",
      "translate": "use the property 'translate'", "rotate": "use the property 'rotate'",
      "interpolate": "write a motion: 0 -> 1 over 1s, or a mapping: map-range(t, 0s, 1s, 0, 1)",
      "interpolate-colors": "write a motion: red -> blue over 1s",
      "loop-out": endless, "loop-in": endless, "repeat": endless,
      "value-at-time": "write at-time(0 -> 1 over 1s, t - 0.5s)",
      "gradient": "write linear-gradient(red, blue), radial-gradient(…) or conic-gradient(…)",
      "scale": "use the property 'scale'", "translateX": "use the property 'translate'",
      "translateY": "use the property 'translate'",
    ]
    for word in RepetitionWords.mirrored { notes[word] = back }
    return notes
  }()
}
