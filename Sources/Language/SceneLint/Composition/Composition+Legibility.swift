// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneText

/// A text below the legible size at an instant.
struct SmallText {
  let shown: Composition.Shown
  let time: Ticks
  /// The font size, in pixels.
  let size: Double
  /// The font size in the video, in pixels.
  let seenSize: Double
  let isInSpace: Bool
}

extension Composition {
  /// The minimum legible size of a text, in pixels of the video.
  private static let legibleSize = 18.0

  /// Reports a text that is too small.
  mutating func report(_ small: SmallText) {
    let factor = Composition.legibleSize / small.seenSize
    report(
      .smallText, "this text is \(NumberFormat.short(small.seenSize)) px high in the video",
      on: small.shown.element, at: small.time,
      label: "text below \(NumberFormat().text(Composition.legibleSize)) px is hard to read",
      notes: [Note(help: enlarging(small.shown.element, small.size, by: factor))])
  }

  /// The maximum number of small texts at one source location. The rounds of a loop share one.
  private static let mostAlike = 4
  private static let mostSmall = 200

  private func hasRoom(_ list: [SmallText], for element: ElementModel) -> Bool {
    guard found[element.span] == nil, list.count < Composition.mostSmall else { return false }
    return list.count { $0.shown.element.span == element.span } < Composition.mostAlike
  }

  /// Collects a small text whose size changes. It is only too small if it is never larger.
  mutating func collect(_ small: SmallText) {
    let element = small.shown.element
    if let index = growing.firstIndex(where: { $0.shown.element === element }) {
      if growing[index].seenSize < small.seenSize { growing[index] = small }
    } else if hasRoom(growing, for: element) {
      growing.append(small)
    }
  }

  /// Reports the collected texts that are never legible.
  mutating func settleGrowing() {
    growing.removeAll { legible.contains(ObjectIdentifier($0.shown.element)) }
    var times: Set<Int64> = []
    for small in growing where !small.isInSpace {
      let life = life(of: small.shown.trail)
      for step in 0..<16 {
        times.insert(
          life.lowerBound + (life.upperBound - life.lowerBound) / 32 * Int64(2 * step + 1))
      }
    }
    let nodes = nodes(of: Set(growing.map(\.shown.trail)))
    // If there are too many times, sample them evenly.
    let all = times.sorted()
    let most = min(Composition.mostLooks, greatestLooks)
    for step in 0..<min(most, all.count) {
      let time = all[all.count <= most ? step : step * all.count / most]
      evaluator.evaluate(nodes: nodes, at: Ticks(time))
      for index in growing.indices where !growing[index].isInSpace {
        let shown = growing[index].shown
        guard case .text(let text, _, _, _) = shown.element.drawing,
          let stretch = stretch(of: shown.trail, at: Ticks(time))
        else { continue }
        let size = text.runs.map { evaluator($0.size) }.max() ?? 0
        if size * stretch > growing[index].seenSize {
          growing[index] = SmallText(
            shown: shown, time: Ticks(time), size: size, seenSize: size * stretch,
            isInSpace: false)
        }
      }
    }
    for small in growing where small.isInSpace || all.count <= most {
      if small.seenSize < Composition.legibleSize { report(small) }
    }
  }

  /// Returns advice about text that is too small. The text of most components grows with their box.
  private func enlarging(_ element: ElementModel, _ size: Double, by factor: Double) -> String {
    if places[element.span] != nil {
      return "enlarge the component, or set its text size if it has a parameter for it"
    }
    return "set 'font-size' to \(NumberFormat().text((size * factor).rounded(.up))) or more"
  }

  mutating func judge(
    _ shown: Shown, text: TextModel, paints: [TextPaintModel], under map: Affine, canvas: Rect,
    grounds: [Ground], at time: Ticks
  ) {
    if isCut(shown, kind: "text", by: canvas, at: time) { return }
    let isOnItsWay = shown.opacity < 0.99
    let inside = shown.box.intersection(canvas)
    let size = text.runs.map { evaluator($0.size) }.max() ?? 0
    let seenSize = size * map.maximumStretch
    if seenSize >= Composition.legibleSize, !inside.isEmpty, !isOnItsWay {
      legible.insert(ObjectIdentifier(shown.element))
    }
    if seenSize > 0, seenSize < Composition.legibleSize, canvas.height >= 360, !inside.isEmpty,
      !isOnItsWay
    {
      if hasRoom(smallTexts, for: shown.element) {
        smallTexts.append(
          SmallText(
            shown: shown, time: time, size: size, seenSize: seenSize, isInSpace: isInSpace))
      }
      return
    }
    // WCAG 2.2 requires less contrast for large texts: from 24 px on, or 18.66 px in bold, scaled
    // to a height of 720 px.
    let share = canvas.height > 0 ? seenSize / canvas.height * 720 : 0
    let isBold = text.runs.allSatisfy { evaluator($0.weight) >= 700 }
    contrast(
      of: shown, paints: paints, on: grounds, at: time,
      least: share >= (isBold ? 18.66 : 24) ? 3 : 4.5)
  }

  private mutating func contrast(
    of shown: Shown, paints: [TextPaintModel], on grounds: [Ground], at time: Ticks,
    least: Double
  ) {
    guard shown.opacity >= 0.99, paints.count == 1, paints[0].stroke == nil,
      case .color(let fill)? = paints[0].fill
    else { return }
    let ink = evaluator.color(fill)
    guard ink.alpha >= 1 else { return }
    guard let color = backing(of: shown, on: grounds) else { return }
    let ratio = ink.contrast(with: color)
    guard ratio < least else { return }
    let wanted = least == 3 ? "3" : "4.5"
    report(
      .lowContrast,
      "this text has a contrast of \(NumberFormat.short(ratio)) to its background",
      on: shown.element, at: time, label: "WCAG 2.2 requires at least \(wanted)")
  }

  /// Returns the color behind a text, or `nil` if it is not a solid color.
  private func backing(of shown: Shown, on grounds: [Ground]) -> Color? {
    var box: Color?
    if let lines = shown.element.lineBoxes {
      guard case .color(let model) = lines.paint,
        boxes.areBehindGlyphs(of: shown.element, evaluator)
      else { return nil }
      let color = evaluator.color(model)
      if color.alpha >= 1 { return color }
      box = color
    }
    // The topmost ground that meets the text must contain nearly all of it.
    guard let ground = grounds.last(where: { $0.box.meets(shown.box) }),
      let color = ground.color(behind: shown.box, model, evaluator)
    else { return nil }
    return box?.over(color) ?? color
  }

  /// Returns the color of a ground, or `nil` if it is not a solid color, and whether the ground is
  /// opaque.
  func paint(of ground: Ground) -> (color: Color?, isOpaque: Bool) {
    ground.paint(model, evaluator)
  }

  mutating func enlarged(_ element: ElementModel, under map: Affine, at time: Ticks) {
    let (path, size, source, to): (String, PixelSize, [Scalar], [Scalar])
    switch element.drawing {
    case .image(let images, _, let from, let place):
      guard let image = images.first, !image.isVector, !image.isPixelated else { return }
      (path, size, source, to) = (image.path, image.size, from, place)
    case .clip(let clip, let from, let place):
      guard clip.rendering == .auto else { return }
      (path, size, source, to) = (clip.path, clip.pictures.size, from, place)
    default: return
    }
    let wide = evaluator(to[2]) / max(1e-9, evaluator(source[2]))
    let high = evaluator(to[3]) / max(1e-9, evaluator(source[3]))
    let factor = max(wide, high) * map.maximumStretch
    // The pixels of a sufficiently blurred image are invisible.
    guard factor > 1.25, factor.isFinite, blur < factor else { return }
    report(
      .enlargedImage, "'\(path)' is enlarged to \(NumberFormat.short(factor)) times its size",
      on: element, at: time, label: "the image is \(size) pixels",
      notes: factor >= 2 && max(size.width, size.height) <= 256
        ? [Note(help: "for pixel art, set 'image-rendering: pixelated'")] : [])
  }
}

extension NumberFormat {
  static func short(_ value: Double) -> String {
    var format = NumberFormat()
    format.decimals = 2
    return format.text((value * 100).rounded(.down) / 100)
  }
}
