// SPDX-License-Identifier: MIT

/// Words that people look for, and the page of the manual that says what they want to know.
package enum EverydayWords {
  package static let pages: [String: String] = [
    // Pictures and places
    "picture": "image", "photo": "image", "logo": "image", "watermark": "image",
    "portrait": "size", "landscape": "size", "resolution": "size", "aspect ratio": "size",
    "vertical": "size", "center": "position", "centre": "position", "layer": "z", "z-index": "z",
    "rounded": "corner-radius", "border": "stroke", "outline": "stroke", "color": "fill",
    "colour": "fill", "transparent": "opacity", "hide": "visible", "crop": "fit",
    "glow": "shadow", "drop shadow": "shadow", "green screen": "chroma-key",
    "greenscreen": "chroma-key", "picture in picture": "video", "flex": "row", "table": "grid",
    "pan and zoom": "camera", "ken burns": "camera",
    // Time
    "animate": "->", "animation": "->", "tween": "->", "ease": "easing", "wait": "at",
    "start time": "at", "length": "for", "loop": "loop", "slow motion": "speed",
    "slow": "speed", "fast": "speed", "freeze": "time", "rewind": "speed", "cut": "sequence",
    "crossfade": "transition", "cross-fade": "transition", "dissolve": "transition",
    "wipe": "transition", "fade in": "enter", "fade out": "exit", "fade": "enter",
    "slideshow": "sequence", "storyboard": "steps", "step by step": "steps", "beat": "beats",
    "draw on": "trim",
    // Words on the screen
    "title": "text", "subtitle": "captions", "subtitles": "captions", "caption": "captions",
    "karaoke": "each", "typewriter": "each", "letter": "each", "bold": "font-weight",
    "typeface": "font",
    // Sound and files
    "mute": "volume", "sound": "audio", "music": "audio", "voice": "audio", "narration": "audio",
    "stereo": "channels", "mono": "channels", "ducking": "duck", "visualizer": "level",
    "normalize": "loudness", "movie": "video", "footage": "video", "gif": "output",
    "mp4": "output", "export": "output", "csv": "data", "json": "data", "variable": "let",
    "function": "fn", "macro": "component",
  ]
}
