// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneDiagnostics
package import SceneGraphics
package import SceneIR
import SceneLower
package import SceneMath
package import SceneModel
import SceneSyntax
import SceneText

/// Text metrics without fonts: every character is half as wide as its size, and lines have their
/// nominal height.
package struct FixedMetrics: TextMetrics {
  package init() {}

  package func measure(_ block: TextBlock) -> TextExtent {
    let size = block.runs.map(\.font.size).max() ?? 0
    var width = 0.0
    for run in block.runs { width += Double(run.text.count) * run.font.size / 2 }
    return TextExtent(
      width: block.width ?? width, height: size * block.lineHeight, baseline: size * 0.8)
  }

  package func count(_ kind: TextUnitKind, in block: TextBlock) -> Int {
    switch kind {
    case .glyph: return block.string.count { !$0.isWhitespace }
    case .word: return block.string.split(whereSeparator: \.isWhitespace).count
    case .line:
      let size = block.runs.map(\.font.size).max() ?? 0
      return block.string.split(separator: "\n").reduce(0) { count, line in
        let width = Double(line.count) * size / 2
        let lines = (width / (block.width ?? .infinity)).rounded(.up)
        return count + (Int(exactly: min(1e6, max(1, lines))) ?? 1)
      }
    }
  }

  /// The snowman is missing.
  package func outline(of block: TextBlock) -> Path {
    let extent = measure(block)
    // The ink of a low line is the lowest tenth.
    let top = block.string.allSatisfy { $0 == "_" } ? 0.9 * extent.height : 0
    return Path.rect(
      Rect(x: 0, y: top, width: extent.width, height: extent.height - top), radius: 0)
  }

  /// Inter lacks mathematical symbols, and the serif family has them. The serif family lacks tildes.
  package func fallbackFamilies(of block: TextBlock) -> [String] {
    func isLacking(_ character: Character, without family: String) -> Bool {
      block.runs.contains {
        $0.text.contains(character) && !$0.font.families.contains(family)
      }
    }
    if isLacking("\u{214B}", without: "Serif Family") { return ["Serif Family"] }
    return isLacking("~", without: "Inter") ? ["Inter"] : []
  }

  package func unknownGlyphCount(_ block: TextBlock) -> Int {
    block.string.count { $0 == "\u{2603}" }
  }

  package func hasFamily(_ name: String) -> Bool { families.contains(name) }

  package var families: [String] { ["Inter", "Serif Family", "sans-serif", "serif", "monospace"] }

  package func formulaFont(_ family: String) -> (any MathFont)? {
    family == "Latin Modern Math" ? PlainMathFont() : nil
  }
}

/// A provider with one image, `photo.png`, of 400x200 pixels. `cut.jpg` is a truncated copy.
package struct OneImage: AssetProvider {
  /// Additional text files by name.
  private let texts: [String: String]

  package init(texts: [String: String] = [:]) { self.texts = texts }

  package func image(_ path: String) throws(AssetError) -> ImageReference {
    if path.contains("..") { throw .outsideRoot }
    if OneImage.clips.contains(path) || path == "theme.wav" {
      throw .undecodable("the format is not PNG, JPEG, WebP, GIF or SVG")
    }
    if ["logo.svg", "spinning.svg", "badge.svg", "twins.svg"].contains(path) {
      return ImageReference(path: path, digest: 3, size: .init(40, 20), kind: .vector)
    }
    guard ["photo.png", "cut.jpg"].contains(path) else { throw .notFound }
    return ImageReference(path: path, digest: 1, size: .init(400, 200))
  }

  /// `logo.svg` contains a group `car` with an unnamed body, the text `word` and the circle
  /// `wheel`, followed by the half-transparent ring `rim`; `mark` is in its definitions.
  /// `spinning.svg` adds animations, and `badge.svg` a gradient in the ring. `twins.svg` contains
  /// two rings, one with a gradient stroke, the other with a gradient fill.
  package func vector(_ path: String) throws(AssetError) -> VectorDrawing {
    guard try image(path).isVector else { throw .undecodable("not an SVG file") }
    func shape(_ path: Path, fill: Color?, stroke: Color? = nil) -> VectorDrawing.Shape {
      VectorDrawing.Shape(
        path: path, map: .identity, fill: fill, stroke: stroke, style: StrokeStyle(width: 2))
    }
    func leaf(_ id: String?, _ kind: String, parent: Int, _ layer: Int, _ path: Path?)
      -> VectorDrawing.Node
    {
      VectorDrawing.Node(
        id: id, kind: kind, parent: parent, end: layer + 3, layer: layer,
        box: path?.bounds ?? Rect(x: 4, y: 4, width: 20, height: 6),
        shapes: path.map { [shape($0, fill: Color(red: 0, green: 0, blue: 1, alpha: 1))] })
    }
    let circle = Path.ellipse(center: Point(30, 12), 4, 4)
    var nodes = [
      VectorDrawing.Node(
        id: nil, kind: "svg", parent: -1, end: 6, layer: -1,
        box: Rect(x: 0, y: 0, width: 40, height: 20)),
      VectorDrawing.Node(
        id: "car", kind: "g", parent: 0, end: 5, layer: -1,
        box: Rect(x: 2, y: 2, width: 32, height: 14)),
      leaf(
        nil, "rect", parent: 1, 0, Path.rect(Rect(x: 2, y: 2, width: 30, height: 10), radius: 0)),
      leaf("word", "text", parent: 1, 1, nil), leaf("wheel", "circle", parent: 1, 2, circle),
      leaf("rim", "circle", parent: 0, 3, circle),
    ]
    nodes[5].opacity = 0.5
    nodes[5].shapes = [shape(circle, fill: nil, stroke: Color(red: 1, green: 0, blue: 0, alpha: 1))]
    if path == "badge.svg" { nodes[5].shapes?[0].hasOtherFill = true }
    if path == "twins.svg" {
      nodes[5].shapes?.append(shape(circle, fill: nil))
      nodes[5].shapes?[0].hasOtherStroke = true
      nodes[5].shapes?[1].hasOtherFill = true
    }
    return VectorDrawing(
      nodes: nodes, hidden: ["mark": "it is not drawn"],
      idle: path == "spinning.svg" ? ["animations"] : [])
  }

  package func frames(_ path: String) throws(AssetError) -> [ImageFrame] {
    let image = try image(path)
    guard path.hasSuffix(".gif") else { return [ImageFrame(image, seconds: 0)] }
    return (0..<3).map {
      ImageFrame(
        ImageReference(path: path, digest: 2, size: image.size, frame: $0), seconds: 0.1)
    }
  }

  private static let clips = ["waves.mp4", "silent.mp4", "cut.mp4", "tape.mpg", "phone-hdr.mp4"]

  /// `waves.mp4` has 10 s of video at 25 fps with audio. `silent.mp4` lacks audio, `cut.mp4` is
  /// truncated, `tape.mpg` is interlaced, and `phone-hdr.mp4` has high dynamic range. `voice.mp4`
  /// and `voice.wav` contain 10 s of audio only, and `theme.wav` 30 s. `corrupt.wav` is `voice.wav`
  /// with invalid samples, and `film.flv` is in a format that is not supported.
  package func clip(_ path: String) throws(AssetError) -> ClipInfo {
    if path.contains("..") { throw .outsideRoot }
    if path == "film.flv" { throw .unsupported("FLV") }
    if ["photo.png", "logo.svg"].contains(path) { throw .undecodable("unknown clip format") }
    let sounds = ["voice.mp4": 10, "voice.wav": 10, "corrupt.wav": 10, "theme.wav": 30]
    guard sounds[path] != nil || OneImage.clips.contains(path) else {
      throw .notFound
    }
    let sound = ClipSound(
      codec: "aac", rate: 44100, channels: 2, start: .zero,
      sampleCount: 44100 * (sounds[path] ?? 10))
    let size = PixelSize(640, 360)
    var format = PictureFormat(.yuv420)
    if path == "tape.mpg" { format.fields = .topFirst }
    if path == "phone-hdr.mp4" { format.transfer = .hlg }
    let pictures = ClipPictures(
      codec: "h264", times: ClipTimes(rate: FrameRate(25, 1), count: 250), size: size,
      storedSize: size, orientation: ClipOrientation(), format: format, keys: [0],
      copying: ClipCopying(sets: [], groups: [0..<100, 100..<200, 200..<250], delay: 2))
    return ClipInfo(
      digest: ClipDigest(high: 1, low: path.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }),
      pictures: sounds[path] == nil ? pictures : nil,
      sound: path == "silent.mp4" ? nil : sound,
      remarks: path == "cut.mp4" ? ["the file is truncated at 10s of 60s"] : [],
      invalidSamples: path == "corrupt.wav"
        ? InvalidSamples(count: 3, first: 55_125, last: 110_250) : nil)
  }

  /// Alternates between a loud and a silent second.
  package func levels(_ path: String, _ measure: SoundMeasure) throws(AssetError) -> [Float] {
    let info = try clip(path)
    // Music has two beats per second, speech has none.
    if measure == .onsets {
      return (0..<(info.sound?.sampleCount ?? 0) / 441).map {
        path == "theme.wav" && $0 % 50 == 20 ? 10 : 1
      }
    }
    return (0..<(info.sound?.sampleCount ?? 0) / 441).map { $0 / 100 % 2 == 0 ? -10 : -90 }
  }

  package func remarks(on path: String) -> [String] {
    path == "cut.jpg" ? ["the JPEG ends early"] : []
  }

  package func files(matching pattern: String) -> [String] {
    ["photo", "clip"].contains { pattern.hasPrefix($0) } ? ["photo.png", "photo.png"] : []
  }

  package func font(_ path: String) throws(AssetError) -> String { throw .notFound }

  /// Words are keywords, and everything else is plain. The definition of Ada is missing.
  package func pieces(of code: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece]
  {
    if language.name == "ada" { throw .notFound }
    var pieces: [CodePiece] = []
    for part in code.split(separator: " ", omittingEmptySubsequences: false) {
      if !pieces.isEmpty { pieces.append(CodePiece(" ", .plain)) }
      if !part.isEmpty { pieces.append(CodePiece(String(part), .keyword)) }
    }
    return pieces
  }

  package func source(_ path: String) throws(AssetError) -> [UInt8] {
    if let text = texts[path] { return Array(text.utf8) }
    switch path {
    case "talk.srt":
      return Array(
        """
        1
        00:00:00,200 --> 00:00:01,500
        Hello <i>there</i>

        2
        00:00:01,500 --> 00:00:03,000
        One line,
        and another.

        """.utf8)
    case "styled.vtt":
      return Array(
        """
        WEBVTT

        STYLE
        ::cue { color: gold }

        00:00.000 --> 00:03.000 align:middle
        <b>Bold</b> and <ruby>plain<rt>ruby</rt></ruby>

        """.utf8)
    case "placed.vtt":
      return Array(
        """
        WEBVTT

        00:00.000 --> 00:03.000 line:0 align:left
        <i>Ann:</i> <c.red>No.</c>

        """.utf8)
    case "empty.srt":
      return Array(
        "1\n00:00:01,000 --> 00:00:01,000\nGone\n\n2\n00:00:02,000 --> 00:00:04,000\nShown\n".utf8)
    case "fast.srt":
      return Array(
        "1\n00:00:00,000 --> 00:00:01,000\nThis is far too much to be read in one second.\n".utf8)
    case "warm.cube":
      let corners = (0..<8).map { "\($0 & 1) \(($0 >> 1) & 1) \(Double($0 >> 2) * 0.8)" }
      return Array("LUT_3D_SIZE 2\n\(corners.joined(separator: "\n"))\n".utf8)
    default: throw .notFound
    }
  }

  package func json(_ path: String) throws(AssetError) -> DataValue { throw .notFound }

  package var names: [String] { ["photo.png", "waves.mp4", "theme.wav"] }
}

extension CheckOptions {
  /// Options with low limits of elements, rounds and steps. The default limits take a second to
  /// reach, and some scenes of the corpus reach them.
  package static var brief: CheckOptions {
    var options = CheckOptions()
    options.limits.elements = 10_000
    options.limits.rounds = 10_000
    options.limits.steps = 200_000
    return options
  }
}

/// Checks a source with the fonts and files above. `texts` are additional text files by name.
package func checked(
  _ source: String, _ options: CheckOptions = CheckOptions(), texts: [String: String] = [:]
) -> Checked {
  check(
    parse(SourceFile(name: "test.scene", text: source)), options: options,
    metrics: FixedMetrics(), assets: OneImage(texts: texts))
}

/// Returns "E0201 message" for each diagnostic.
package func diagnose(_ source: String) -> [String] {
  checked(source).diagnostics.map { "\($0.code.rawValue) \($0.message)" }
}

/// Returns the frame program at a time in seconds, or `nil` if the scene has errors.
package func program(_ source: String, at seconds: Double = 0) -> FrameProgram? {
  programs(source, at: [seconds])?[0]
}

/// Returns the frame programs at several times in seconds, or `nil` if the scene has errors.
package func programs(_ source: String, at seconds: [Double]) -> [FrameProgram]? {
  guard let model = checked(source).model else { return nil }
  return programs(of: model, at: seconds)
}

/// Returns the frame programs of a scene at several times in seconds, or `nil` for an invalid time.
package func programs(of model: SceneModel, at seconds: [Double]) -> [FrameProgram]? {
  var lowerer = Lowerer(model, metrics: FixedMetrics())
  var programs: [FrameProgram] = []
  for second in seconds {
    guard let time = Ticks(rounding: second * Double(Ticks.perSecond)) else { return nil }
    programs.append(lowerer.lower(at: time))
  }
  return programs
}

/// Returns the source of a scene with `body`: 400×300 pixels, 10 fps, 4 s, on a white background.
package func scene(_ body: String) -> String {
  "scene {\n  size: 400x300;  fps: 10;  for: 4s;  background: white\n\(body)\n}\n"
}

/// Returns the names of the stored properties of an element that has a rare part, such as an effect,
/// including those of its rare parts.
package func storedProperties(of element: ElementModel) -> Set<String> {
  Set(
    Mirror(reflecting: element).children.flatMap { child -> [String] in
      guard child.label == "rare" else { return [child.label].compactMap { $0 } }
      return Mirror(reflecting: child.value).children.flatMap { rare in
        Mirror(reflecting: rare.value).children.compactMap(\.label)
      }
    })
}
