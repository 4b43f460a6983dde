// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A missing file that `placeholder` replaces.
struct MissingClip {
  let path: String
  let span: SourceSpan
}

// Placeholders for clips and sounds that do not exist yet.
extension Checker {
  private static let rate = FrameRate(25, 1)

  /// Returns a silent stand-in for the file of an element with `placeholder`, or `nil`.
  func placeholder(of i: ElementNode, for path: String) -> Footage? {
    guard let source = i.properties[.placeholder],
      let length = time(source, of: i, "'placeholder'")
    else { return nil }
    let seconds = Double(length.rawValue) / Double(Ticks.perSecond)
    guard length > .zero, seconds <= options.limits.hours * 3600 else {
      _ = report(
        .outOfRange, "'placeholder' is \(length.description)", at: source.value.span,
        label: length > .zero
          ? "the limit 'hours' is \(NumberFormat().text(options.limits.hours))"
          : "expected more than 0s")
      return nil
    }
    let count = max(1, Int((seconds * Checker.rate.value).rounded(.up)))
    let size = PixelSize(1920, 1080)
    let pictures = ClipPictures(
      codec: "", times: ClipTimes(rate: Checker.rate, count: count), size: size, storedSize: size,
      orientation: ClipOrientation(), format: PictureFormat(.yuv420), keys: [0], copying: nil)
    let sound = ClipSound(
      codec: "", rate: 48_000, channels: 2, start: .zero,
      sampleCount: Int((seconds * 48_000).rounded()))
    return Footage(
      path: path,
      info: ClipInfo(
        digest: ClipDigest(high: 0, low: 0), pictures: i.kind == .video ? pictures : nil,
        sound: sound),
      placeholder: length)
  }

  /// Warns about all missing files that have placeholders.
  func warnOfPlaceholders() {
    guard let first = missingClips.first else { return }
    let count = missingClips.count
    var diagnostic = Diagnostic(
      .placeholder,
      count == 1
        ? "'\(first.path)' is missing; its placeholder is used"
        : "\(count) files are missing; their placeholders are used",
      at: first.span)
    diagnostic.notes = missingClips.dropFirst().prefix(50).map {
      Note("'\($0.path)' is missing", at: $0.span)
    }
    report(diagnostic)
  }

  /// Returns the drawing of a missing video: its box, with the name of the file as a child.
  func placeholderDrawing(of i: ElementNode, now: Scalar) -> ElementModel.Drawing {
    guard let box = box(of: i, now: now) else { return .nothing }
    let edge = StrokeModel(
      paint: .color(Checker.gray(0.45)), width: .constant(2), cap: .butt, join: .miter,
      miterLimit: .constant(4), dash: [], dashOffset: .zero)
    return .outline(
      .rect(x: box.x, y: box.y, width: box.width, height: box.height, radius: .zero),
      fill: .color(Checker.gray(0.2)), stroke: edge, trim: nil)
  }

  /// Returns the name of the missing file of a video with a placeholder, as an element in its box;
  /// `nil` for other elements.
  func placeholderName(of i: ElementNode) -> ElementModel? {
    guard i.kind == .video, let clip = footage(of: i), clip.isPlaceholder,
      let box = box(of: i, now: now), let start = start(of: i, i.span),
      let end = end(of: i, i.span)
    else { return nil }
    let run = TextModel.Run(
      text: .literal(clip.path), families: Checker.defaultFamilies,
      size: builder.scaled(box.height, 0.08), weight: .constant(400), italic: .zero,
      letterSpacing: .zero, features: "", underline: .zero, language: "")
    // A margin keeps the text away from the edges of the frame.
    let text = TextModel(
      runs: [run], width: builder.scaled(box.width, 0.8), align: .center, lineHeight: .constant(1.2)
    )
    let rest = builder.subtract(box.height, extent(of: text, in: i).height)
    let name = ElementModel(
      kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: start, end: end,
      transform: .translation(
        PointModel(
          builder.add(box.x, builder.scaled(box.width, 0.1)),
          builder.add(box.y, builder.scaled(rest, 0.5)))),
      drawing: .text(
        text, paints: [TextPaintModel(fill: .color(Checker.gray(0.8)), stroke: nil)],
        origin: .zero))
    recording?.note(name, of: i.id, at: now)
    return name
  }

  private static func gray(_ level: Double) -> ColorModel {
    ColorModel(Color(red: level, green: level, blue: level, alpha: 1))
  }
}
