// SPDX-License-Identifier: MIT

/// Common search terms, with the manual page that covers each one.
package enum EverydayWords {
  /// Returns the page for a term; `nil` if there is none. Ignores case, treats hyphens as spaces,
  /// and accepts plurals.
  package static func page(of word: String) -> String? {
    let plain = word.lowercased().split { $0 == "-" || $0 == "_" || $0 == " " }
      .joined(separator: " ")
    let one = plain.hasSuffix("s") ? String(plain.dropLast()) : plain
    let hyphens = plain.split(separator: " ").joined(separator: "-")
    return pages[plain] ?? pages[one] ?? pages[hyphens]
  }

  package static let pages: [String: String] = [
    // Images and layout
    "picture": "image", "photo": "image", "logo": "image", "watermark": "image",
    "portrait": "size", "landscape": "size", "resolution": "size", "aspect ratio": "size",
    "vertical": "size", "center": "position", "centre": "position", "layer": "z", "z-index": "z",
    "rounded": "corner-radius", "border": "stroke", "outline": "stroke", "color": "fill",
    "colour": "fill", "transparent": "opacity", "hide": "visible", "crop": "fit",
    "magnifying glass": "backdrop-filter", "magnifier": "look-at", "zoomedscene": "look-at",
    "zoomed scene": "look-at", "seam": "polygon",
    "loupe": "backdrop-filter", "glow": "shadow", "drop shadow": "shadow",
    "green screen": "chroma-key",
    "greenscreen": "chroma-key", "picture in picture": "video", "flex": "row", "table": "grid",
    "formula": "math", "equation": "math", "latex": "math", "tex": "math",
    "pan and zoom": "camera", "ken burns": "camera", "fly through": "dolly",
    "depth of field": "aperture", "bokeh": "aperture", "tilt shift": "aperture",
    "rack focus": "focus-distance", "focus pull": "focus-distance", "f-stop": "aperture",
    "9:16": "size", "16:9": "size", "square": "size", "dimension": "size",
    "width and height": "size",
    "baseline": "anchor", "blurry": "blur", "black and white": "grayscale",
    "vignette": "radial-gradient",
    "mirror": "scale",
    "flip": "scale", "spin": "rotate", "turn": "rotate", "rotating": "rotate",
    "move": "position", "opacity mask": "mask",
    "overlay": "blend", "round corner": "corner-radius", "background color": "background",
    "background colour": "background", "text background": "background",
    "caption box": "background", "label box": "background", "tilt": "skew", "dashed": "dash",
    "dotted": "dash",
    "colour grading": "lut", "color grading": "lut", "svg": "image", "sprite": "image",
    "pixel art": "image-rendering", "nearest neighbor": "image-rendering",
    "nearest neighbour": "image-rendering", "interpolation": "image-rendering",
    "smoothing": "image-rendering", "pixelated": "image-rendering",
    // Time
    "frame per second": "fps", "frame rate": "fps", "framerate": "fps", "pause": "at",
    "keyframe": "keyframes", "delay animation": "after", "repeater": "repeat",
    "duplicate": "repeat", "copy of": "repeat", "array": "repeat", "ping pong": "loop",
    "yoyo": "loop", "bounce": "spring", "one after another": "sequence",
    "shutter": "motion-blur", "time lapse": "speed", "random position": "random",
    "animate": "->", "animation": "->", "tween": "->", "ease": "easing", "wait": "at",
    "start time": "at", "length": "for", "loop": "loop", "slow motion": "speed",
    "slow": "speed", "fast": "speed", "freeze": "time", "rewind": "speed", "cut": "sequence",
    "jump cut": "sequence",
    "crossfade": "transition", "cross-fade": "transition", "dissolve": "transition",
    "fadetransform": "exit", "fade transform": "exit",
    "handwriting": "written", "write on": "written", "unwrite": "written",
    "border then fill": "drawn",
    "wipe": "transition", "fade in": "enter", "fade out": "exit", "fade": "enter",
    "slideshow": "sequence", "storyboard": "steps", "step by step": "steps", "beat": "beats",
    "draw on": "trim",
    // Text
    "title": "text", "subtitle": "captions", "subtitles": "captions", "caption": "captions",
    "karaoke": "each", "typewriter": "each", "letter": "each", "bold": "font-weight",
    "typeface": "font", "font family": "font", "line break": "width", "wrap": "width",
    "text box": "width", "superscript": "baseline-shift", "subscript": "baseline-shift",
    "orphan": "wrap", "balance": "wrap", "highlight": "span", "syntax highlighting": "code-spans",
    "source code": "code-spans", "counter": "format",
    "number": "format", "credit": "text", "curved text": "along", "text on a path": "along",
    // Sound and files
    "alt text": "alt", "alternative text": "alt", "image description": "alt",
    "described video": "audio-description", "screen reader": "audio-description",
    "mute": "volume", "sound": "audio", "music": "audio", "voice": "audio", "narration": "audio",
    "stereo": "channels", "mono": "channels", "ducking": "duck", "visualizer": "level",
    "normalize": "loudness", "movie": "video", "footage": "video", "gif": "output",
    "voiceover": "audio", "voice over": "audio", "bpm": "tempo", "lufs": "loudness",
    "bass": "level", "spectrum": "level", "waveform": "level", "alpha channel": "pixel-format",
    "transparency": "opacity", "webm": "output", "mp4": "output", "export": "output", "csv": "data",
    "json": "data", "variable": "let",
    "function": "fn", "macro": "component",
  ]
}
