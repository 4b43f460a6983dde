// SPDX-License-Identifier: MIT

/// A reproducible random number generator (SplitMix64).
struct Choices: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x2545_F491_4F6C_DD1D }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }

  mutating func one<T>(_ list: [T]) -> T { list[int(0...(list.count - 1))] }
}

/// A frame rate as written in a scene and as an exact ratio.
struct Rate {
  let text: String
  let numerator: Int
  let denominator: Int

  init(_ text: String, _ numerator: Int, per denominator: Int = 1) {
    (self.text, self.numerator, self.denominator) = (text, numerator, denominator)
  }
}

/// A random valid scene with the options of a build.
struct RandomScene {
  /// The frame rate as written in the scene and as an exact ratio.
  let rate: Rate
  let width: Int
  let height: Int
  /// The number of frames in the whole scene.
  let frameCount: Int
  /// The range of frames to build.
  let frames: Range<Int>
  /// The file extension: `mp4`, `mov`, `m4v`, `webm`, `mkv`, `y4m` or `png`.
  let ending: String
  let codec: String
  /// Whether the scene has audio.
  let isHeard: Bool
  /// Whether frames may be compared with the output of `scenec frame`.
  let isFaithful: Bool
  let options: [String]
  let source: String

  private static let rates = [
    Rate("1", 1), Rate("2", 2), Rate("3", 3), Rate("5", 5), Rate("7.5", 15, per: 2), Rate("10", 10),
    Rate("12", 12), Rate("15", 15), Rate("23.976", 24000, per: 1001), Rate("24", 24),
    Rate("25", 25),
    Rate("29.97", 30000, per: 1001), Rate("30", 30), Rate("30", 30), Rate("48", 48), Rate("50", 50),
    Rate("59.94", 60000, per: 1001), Rate("60", 60), Rate("90", 90), Rate("100", 100),
    Rate("120000 / 1001", 120_000, per: 1001), Rate("120", 120), Rate("144", 144), Rate("240", 240),
  ]

  init(seed: UInt64) {
    var pick = Choices(seed: seed)
    rate = pick.one(RandomScene.rates)
    let (ending, codec) = pick.one(RandomScene.files)
    (self.ending, self.codec) = (ending, codec)
    let isEncoded = !["y4m", "png"].contains(ending)
    let isWhole = ["h264", "raw"].contains(codec) && pick.chance(0.15)
    // 4:2:0 requires even sides, H.264 at least 16 pixels.
    let large = pick.chance(0.06)
    // SVT-AV1 requires at least 64 pixels, and its speed hardly depends on the scene.
    let least = !isEncoded ? 2 : codec == "av1" ? 64 : 16
    var size =
      large && codec == "h264"
      ? pick.one([(640, 360), (1280, 720), (1920, 1080)])
      : (pick.int(least...320), pick.int(least...200))
    if ending != "png", !isWhole { size = ((size.0 + 1) & ~1, (size.1 + 1) & ~1) }
    (width, height) = size
    // Limits the number of frames to about a second of work and prefers short scenes.
    let most = min(
      max(2, 24_000_000 / (width * height)), 8 * rate.numerator / rate.denominator + 2,
      ["h264", "raw", ""].contains(codec) ? 700 : 120)
    let count = pick.chance(0.25) ? pick.int(1...min(most, 8)) : pick.int(1...most)
    frameCount = count
    var frames = 0..<count
    if count > 2, pick.chance(0.25) {
      let low = pick.int(0...(count - 1))
      frames = low..<pick.int((low + 1)...count)
    }
    self.frames = frames
    var options: [String] = []
    if frames.lowerBound > 0 { options += ["--from", "\(frames.lowerBound)f"] }
    if frames.upperBound < count { options += ["--to", "\(frames.upperBound)f"] }
    var isFaithful = true
    if isEncoded, codec != "h264" { options += ["--codec", codec] }
    if codec == "h264" {
      options += [
        "--preset", pick.one(["ultrafast", "superfast", "veryfast", "faster", "medium"]),
      ]
      if pick.chance(0.12) {
        options += ["--bitrate", pick.one(["100kbps", "800kbps", "4Mbps"])]
        isFaithful = false
      } else if pick.chance(0.5) {
        options += ["--quality", "\(pick.int(1...24))"]
      }
    }
    self.isFaithful = isFaithful
    self.options = options
    var lines = [
      "size: \(width)x\(height);  fps: \(rate.text);  for: \(count)f",
      "background: \(pick.one(["navy", "teal", "#222", "white", "linear-gradient(navy, black)"]))",
    ]
    if isWhole {
      lines.append("output { pixel-format: yuv444p;  profile: high444 }")
    }
    for _ in 0..<(pick.chance(0.35) ? pick.int(1...3) : 0) {
      lines.append(RandomScene.clip(count: count, &pick))
    }
    for _ in 0..<pick.int(0...5) {
      lines.append(RandomScene.element(count: count, small: min(width, height), &pick))
    }
    let sounds = (0..<(pick.chance(0.4) ? pick.int(1...3) : 0)).map { _ in
      RandomScene.sound(count: count, &pick)
    }
    isHeard = !sounds.isEmpty
    lines += sounds
    let head =
      pick.chance(0.25) ? RandomScene.pixelFunctions(size: min(width, height), &lines, pick) : ""
    source = head + "scene {\n" + lines.map { "    \($0)\n" }.joined() + "}\n"
  }

  /// Adds elements that use random pixel functions, and returns the declarations of the functions.
  private static func pixelFunctions(size: Int, _ lines: inout [String], _ pick: Choices) -> String
  {
    var functions = RandomPixels(pick)
    lines.append("rect { size: (50%, 70%);  fill: painted(0 -> 1) }")
    lines.append(
      "group { size: 80%;  filter: filtered(1 -> 0.2);  rotate: 10deg;  "
        + "circle { radius: \(max(1, size / 4));  fill: tomato } }")
    lines.append(
      "sequence { transition: crossed(0.4) over 2f;  rect { for: 4f;  size: 100%;  fill: teal };  "
        + "circle { for: 4f;  radius: \(max(1, size / 3));  rotate: 0deg -> 40deg } }")
    return "\(functions.filter)\n\(functions.paint)\n\(functions.transition)\n"
  }

  /// The file extensions with their codecs; common ones occur more often.
  private static let files: [(String, String)] = [
    ("mp4", "h264"), ("mp4", "h264"), ("mp4", "h264"), ("mp4", "h264"), ("mov", "h264"),
    ("m4v", "h264"), ("mkv", "h264"), ("y4m", "raw"), ("png", ""), ("mp4", "h265"),
    ("mkv", "h265"), ("mp4", "av1"), ("webm", "vp9"), ("webm", "vp9"), ("mkv", "ffv1"),
    ("mov", "prores"),
  ]

  /// The clips that the scenes play, 4 s at 96x64, with the ffmpeg options that generate them.
  static let clips: [(name: String, options: [String])] = [
    ("h264.mp4", ["-r", "25", "-c:v", "libx264", "-g", "30", "-bf", "3"]),
    ("long.mp4", ["-r", "30000/1001", "-c:v", "libx264", "-g", "250"]),
    ("vp9.webm", ["-r", "30", "-c:v", "libvpx-vp9", "-g", "50", "-crf", "30"]),
    ("mpeg.ts", ["-r", "24", "-c:v", "mpeg2video", "-q:v", "4", "-bf", "2"]),
    ("still.mov", ["-r", "12", "-c:v", "prores_ks"]),
  ]

  /// A placeholder for the folder of the clips, which differs between builds.
  static let clipFolder = "CLIPS/"

  private static func clip(count: Int, _ pick: inout Choices) -> String {
    let (name, _) = pick.one(clips)
    let when = pick.chance(0.3) ? "at: \(pick.int(0...(count - 1)))f;  " : ""
    let size = "size: \(pick.one(["40%", "100%", "70%"]));  fit: \(pick.one(["contain", "cover"]))"
    let part =
      switch pick.int(0...7) {
      case 0: "trim: 0.5s .. 2.5s"
      case 1: "speed: \(pick.one(["2", "0.3", "-1", "-2.5", "0.97"]))"
      case 2: "loop: \(pick.one(["true", "2"]));  trim: 1s .. 2s"
      case 3: "time: 3.5s -> 0.2s over \(max(1, count - 1))f with ease-in-out"
      case 4: "time: \(pick.one(["0s", "1.37s", "9s"]))"
      case 5: "trim: 0.3s .. 3.1s;  speed: 2 -> 0.4 over \(max(1, count / 2))f"
      case 6: "speed: keyframes { 0f: 0.2;  \(max(1, count / 2))f: 3 with ease-in }"
      default: "for: \(max(1, count / 2))f"
      }
    let blends = pick.chance(0.3) ? "blend-frames: true;  " : ""
    return "video \"\(clipFolder)\(name)\" { \(when)\(part);  \(blends)\(size) }"
  }

  /// The sounds for the scenes with their ffmpeg options: 4 s of noise.
  static let sounds: [(name: String, options: [String])] = [
    ("stereo.flac", ["-ar", "48000", "-ac", "2"]), ("mono.wav", ["-ar", "44100", "-ac", "1"]),
    ("talk.opus", ["-ar", "48000", "-ac", "1", "-c:a", "libopus"]),
    ("song.m4a", ["-ar", "44100", "-ac", "2", "-c:a", "aac"]),
  ]

  private static func sound(count: Int, _ pick: inout Choices) -> String {
    let (name, _) = pick.one(sounds)
    let when = pick.chance(0.4) ? "at: \(pick.int(0...(count - 1)))f;  " : ""
    let part = pick.one([
      "volume: -6dB", "volume: 0% -> 80%;  pan: -50%", "trim: 0.5s .. 2.5s", "speed: 2",
      "speed: -1", "speed: 0.7;  pitch: follow", "loop: true;  trim: 1s .. 1.7s",
      "speed: 0.5 -> 2 over 1s",
      "fade-in: 0.1s;  fade-out: 0.1s",
    ])
    return "audio \"\(clipFolder)\(name)\" { \(when)\(part) }"
  }

  private static func element(count: Int, small: Int, _ pick: inout Choices) -> String {
    let at = pick.int(0...(count - 1))
    let life = pick.chance(0.5) ? pick.int(1...min(4, count)) : pick.int(1...count)
    let when = pick.chance(0.2) ? "" : "at: \(at)f;  for: \(life)f;  "
    let radius = max(1, small / pick.int(2...6))
    let fill = "fill: \(pick.one(["white", "gray", "#c9a", "#8ab", "black"]))"
    let moved = pick.int(1...max(1, life))
    switch pick.int(0...12) {
    case 11, 12: return byHand(when, size: radius, over: moved, &pick)
    case 9, 10: return particles(when, size: radius, &pick)
    case 7, 8: return spatial(when, size: radius, over: moved, &pick)
    case 0: return "circle { \(when)radius: \(radius);  \(fill) }"
    case 1: return "circle { \(when)radius: 0 -> \(radius) over \(moved)f;  \(fill) }"
    case 2:
      return "rect { \(when)size: \(radius);  \(fill);  rotate: 0deg -> 90deg over \(moved)f }"
    case 3:
      let from = pick.int(0...max(0, life - 1))
      return
        "rect { \(when)size: 60%;  \(fill);  change { at: \(from)f;  for: \(pick.int(1...5))f;  size: 90% } }"
    case 4:
      let box = pick.one([
        "", "", "background: #204060b3;  corner-radius: 4;  ",
        "background: linear-gradient(red, gold);  padding: (0 -> 9 over \(moved)f, 3);  ",
        "background: #246 -> #c9a over \(moved)f;  each glyph { enter: rise };  ",
      ])
      return
        "text \"Ab\\nAbc\" { \(when)font-size: \(max(2, radius));  \(fill);  \(box)enter: fade over \(moved)f }"
    case 5:
      let half = max(1, count / 3)
      return
        "sequence { overlap: \(pick.one(["inside", "beyond"]));  transition: dissolve over \(max(1, half / 4))f;  rect { for: \(half)f;  size: 50%;  \(fill) };  circle { for: \(half)f;  radius: \(radius) } }"
    default:
      return
        "ellipse { \(when)radius: (40%, 20%);  \(fill);  translate: (\(radius) * wave(1s), 0);  opacity: 0.6 }"
    }
  }

  /// Returns shapes and letters that are drawn by hand, bent, or of varying width.
  private static func byHand(
    _ when: String, size: Int, over frames: Int, _ pick: inout Choices
  ) -> String {
    let hand = pick.one([
      "", "rough: 2;  ", "rough: 1;  boil: 2f;  ", "rough: 0 -> 3 over \(frames)f;  ",
    ])
    let line = pick.one([
      "taper: 40%", "stroke-profile: [0, 1, 0.3, 1]", "trim: 0% .. (0% -> 100% over \(frames)f)",
      "dash: [9, 5];  rotate-y: 30deg",
    ])
    return pick.one([
      "star { \(when)\(hand)radius: \(size);  stroke: white;  stroke-width: 3;  fill: none;  \(line) }",
      "text \"Abc\" { \(when)\(hand)font-size: \(max(2, size));  fill: #8ab }",
      "text \"Abc\" { \(when)\(hand)font-size: \(max(2, size));  along: circle((60, 60), 40);  along-shape: bent }",
      "arrow { \(when)\(hand)from: (5, 5);  to: (60%, 70%);  stroke: white;  stroke-width: 4;  \(line) }",
    ])
  }

  /// Returns particles with random values, emitters and shapes.
  private static func particles(_ when: String, size: Int, _ pick: inout Choices) -> String {
    let births = pick.one([
      "rate: 40Hz", "rate: 200Hz;  prewarm: 1s", "burst: 60", "rate: 0Hz -> 300Hz",
      "rate: 90Hz;  emit-for: 0.3s",
    ])
    let places = pick.one([
      "from: center", "from: (10% .. 90%, 5%)", "from: (5% -> 95%, 60%);  inherit: 50%",
      "from: path(\"M9 9 H60 V40 Z\")", "from: (index * 3, 20)",
    ])
    let motion = pick.one([
      "speed: 5 .. 90;  gravity: (0, 80)", "speed: 60;  spread: 30deg;  drag: 0 .. 3",
      "speed: 10;  turbulence: 40;  turbulence-scale: 30", "heading: 0deg -> 90deg;  stretch: 50ms",
    ])
    let look = pick.one([
      "size: (1 .. 9) * (1 -> 0);  fill: gold -> tomato",
      "shape: soft;  size: \(size);  opacity: 0.4",
      "shape: rect;  size: (3, 8);  rotate: 0deg .. 90deg;  blend: plus-lighter",
      "orient: motion;  scale: 0.3 .. 1;  star { radius: \(size);  fill: #8ab }",
      "fill: red .. blue;  order: newest;  circle { radius: 4 };  rect { size: 5x2;  rotate: t * 90deg / 1s }",
    ])
    let field =
      "particles { \(when)\(births);  life: 0.2s .. 1.5s;  \(places);  \(motion);  \(look) }"
    return pick.one([field, "group { size: 90%;  rotate-y: 40deg;  \(field) }"])
  }

  /// Returns a group of planes in space, some of which pass through each other or the eye.
  private static func spatial(
    _ when: String, size: Int, over frames: Int, _ pick: inout Choices
  ) -> String {
    func place(_ pick: inout Choices) -> String {
      let (x, y) = (pick.int(-100...100), pick.int(-100...100))
      return pick.one([
        "rotate-y: \(x)deg", "rotate-x: \(x)deg;  rotate-y: \(y)deg",
        "rotate-y: \(x)deg -> \(y)deg over \(frames)f", "translate-z: \(x * 3)",
        "translate-z: 0;  rotate: \(x)deg", "rotate-x: \(y)deg;  backface: hidden",
        "rotate-x: 90deg", "translate-z: \(x * 20) -> \(y * 20) over \(frames)f",
      ])
    }
    let paints = [
      "white", "#c9a8", "linear-gradient(#8ab, black)", "radial-gradient(white, #c9a0)",
    ]
    let planes = (0..<pick.int(1...4)).map { _ in
      let fill = pick.one(paints)
      let drawing = pick.one([
        "rect { size: \(2 * size)x\(size);  fill: \(fill);  ",
        "circle { radius: \(size);  fill: none;  stroke: \(fill);  stroke-width: 3;  ",
        "text \"Ab\" { font-size: \(max(2, size));  fill: \(fill);  ",
        "rect { size: \(size);  fill: \(fill);  filter: blur(3);  ",
        "rect { size: \(size);  fill: \(fill);  blend: screen;  ",
        "rect { size: \(size);  fill: \(fill);  light: linear;  opacity: 60%;  ",
      ])
      return drawing + place(&pick) + " }"
    }
    if pick.one([true, false, false]) {
      let eye = pick.one([
        "orbit: (-30deg -> 40deg, 20deg)", "orbit: 60deg;  aperture: 30",
        "dolly: 0 -> 250;  aperture: 20;  focus-distance: 80%", "perspective: none;  orbit: 40deg",
        "perspective: 300;  aperture: 0 -> 60",
        "look-at: (0%, 0%) -> (100%, 100%);  perspective: 200",
      ])
      return
        "camera { \(when)size: \(3 * size);  \(eye);  \(place(&pick));  \(planes.joined(separator: ";  ")) }"
    }
    let look = pick.one(["", "opacity: 0.6;  ", "perspective: 300;  ", "clip: true;  "])
    return
      "group { \(when)size: \(3 * size);  \(look)\(place(&pick));  \(planes.joined(separator: ";  ")) }"
  }
}

/// Random pixel functions with one parameter.
struct RandomPixels {
  private var pick: Choices

  init(_ pick: Choices) { self.pick = pick }

  var filter: String {
    mutating get {
      "filter filtered(k: number) { reach: 6;  let a = \(number(3));  color: \(color(isFilter: true)) }"
    }
  }

  var paint: String {
    mutating get {
      "paint painted(k: number) { let a = \(number(3));  color: \(color(isFilter: false)) }"
    }
  }

  var transition: String {
    mutating get {
      """
      transition crossed(k: number) {
          let a = \(number(3))
          color: mix(sample(from, xy + (9 * a, 0)), sample(to, xy), max(progress, \(number(1))))
      }
      """
    }
  }

  private mutating func color(isFilter: Bool) -> String {
    let (x, y, z) = (number(2), number(2), number(1))
    switch pick.int(0...(isFilter ? 7 : 4)) {
    case 0: return "hsl(360deg * a, 70%, 50% + 30% * \(x))"
    case 1: return "mix(navy, gold, a)"
    case 2: return "srgb(a, \(x), \(y), 0.5 + \(z))"
    case 3: return "oklch(0.3 + 0.4 * a, 0.12, 360deg * \(x))"
    case 4: return "from-linear(srgb(a, a, \(x)))"
    case 5: return "sample(source, xy + (12 * a, 9 * \(x)))"
    case 6: return "mix(sample(source, xy), sample(source, xy - (5, 3)), a)"
    default: return "alpha(sample(source, xy), a)"
    }
  }

  private mutating func number(_ depth: Int) -> String {
    if depth == 0 {
      return pick.one([
        "uv.x", "uv.y", "xy.x / 40", "norm(uv)", "t / 1s", "k", "0.3", "noise(uv * 5)",
        "noise(xy / 20, 3)",
        "random(floor(xy / 8))", "pixel / 4", "k",
      ])
    }
    let (x, y) = (number(depth - 1), number(depth - 1))
    return pick.one([
      "(\(x) + \(y))", "(\(x) * \(y))", "sin(\(x) * 90deg)", "abs(\(x))", "fract(\(x))",
      "smooth-step(0.2, 0.8, \(x))", "(\(x) < \(y) ? \(x) : \(y))", "min(\(x), \(y))",
      "pow(abs(\(x)), 1.7)", "sqrt(abs(\(x)))", "\(x) / (1 + abs(\(y)))", "(\(x) - \(y))",
    ])
  }
}
