// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneText

/// The part of a path on which a brush draws, as lengths from the start of the path.
private struct BrushSpan {
  let length: Double
  var from: Double
  var to: Double
  /// Whether the part may continue at the start of the path.
  let isClosed: Bool
  let dash: [Double]
  let dashOffset: Double

  /// Returns the distance from the start of the part; `nil` outside the part and in the gaps of
  /// dashes.
  func offset(of position: Double) -> Double? {
    // Rounding errors must not remove the stamps at the ends.
    let slack = length * 1e-9
    var offset = position - from
    if isClosed, length > 0 {
      offset = Math.mod(offset, length)
      if length - offset <= slack { offset = 0 }
    }
    guard offset >= -slack, offset <= to - from + slack else { return nil }
    return isDash(offset) ? offset : nil
  }

  private func isDash(_ offset: Double) -> Bool {
    let sum = dash.reduce(0, +)
    guard sum > 0 else { return true }
    // A list with an odd number of lengths is repeated to yield an even number, as in SVG.
    let period = dash.count % 2 == 0 ? dash : dash + dash
    var rest = Math.mod(offset + dashOffset, period.reduce(0, +))
    for (index, part) in period.enumerated() {
      if rest < part { return index % 2 == 0 }
      rest -= part
    }
    return true
  }
}

// Strokes that consist of images.
extension Lowerer {
  /// Returns the op that draws the stamps of a brush; `nil` if none is drawn.
  ///
  /// - Parameter cut: The lengths at the start and the end of the drawn part that are left free.
  func stamps(
    _ brush: BrushModel, along path: Path, of stroke: StrokeModel, paint: Paint, trim: TrimModel?,
    cut: Point = .zero
  ) -> DrawOp? {
    let width = max(0, min(evaluator(stroke.width), 20_000))
    guard width > 0, !brush.images.isEmpty else { return nil }
    let stamps = BrushStamps(along: path, spacing: evaluator(brush.spacing))
    let span = span(of: stroke, on: stamps.length, isClosed: path.isClosed, trim: trim, cut: cut)
    guard let span else { return nil }
    let profile = stroke.profile.map {
      StrokeProfile(taper: evaluator.point($0.taper), factors: $0.factors.map { evaluator($0) })
    }
    let isOfPart = stroke.profile?.isOfPart == true
    let values = BrushValues(brush, evaluator, width: width)
    var ops: [DrawOp] = []
    stamps.forEach(where: { span.offset(of: $0) != nil }) { stamp in
      let offset = span.offset(of: stamp.position) ?? 0
      let share =
        isOfPart
        ? offset / max(1e-9, span.to - span.from) : stamp.position / max(1e-9, stamps.length)
      if let op = values.op(stamp, factor: profile?.factor(at: share) ?? 1) { ops.append(op) }
    }
    guard !ops.isEmpty else { return nil }
    guard brush.isTinted else { return .transformed(.identity, body: ops) }
    let area = Outline.path(path).bounds.insetBy(-values.reach(of: profile))
    return .masked(
      MaskStyle(.alpha), mask: ops, body: [.fill(.rect(area, radius: 0), paint)])
  }

  private func span(
    of stroke: StrokeModel, on length: Double, isClosed: Bool, trim: TrimModel?, cut: Point
  ) -> BrushSpan? {
    var from = trim.map { evaluator($0.from) } ?? 0
    var to = trim.map { evaluator($0.to) } ?? 1
    guard from.isFinite, to.isFinite, from < to else { return nil }
    if !isClosed {
      from = max(0, from)
      to = min(1, to)
    }
    let isWhole = to - from >= 1
    let style = style(stroke, length: length)
    return BrushSpan(
      length: length, from: (isWhole ? 0 : from * length) + cut.x,
      to: (isWhole ? length : to * length) - cut.y, isClosed: isClosed, dash: style.dash,
      dashOffset: style.dashOffset)
  }
}

/// The parameters of a brush, evaluated at a time.
private struct BrushValues {
  private let images: [ImageReference]
  private let width: Double
  private let spacing: Double
  private let isTurned: Bool
  private let angle: Double
  private let jitter: Double
  private let seed: Double

  init(_ brush: BrushModel, _ evaluator: Evaluator, width: Double) {
    func finite(_ scalar: Scalar) -> Double {
      let value = evaluator(scalar)
      return value.isFinite ? value : 0
    }
    images = brush.images
    self.width = width
    spacing = finite(brush.spacing)
    isTurned = evaluator(brush.isTurned) != 0
    angle = finite(brush.angle)
    jitter = max(0, min(1, finite(brush.jitter)))
    seed = evaluator(brush.seed)
  }

  /// Returns the op of a stamp; `nil` if it is invisible.
  func op(_ stamp: BrushStamps.Stamp, factor: Double) -> DrawOp? {
    let image = images[stamp.index % images.count]
    var (size, center) = (width * factor, stamp.center)
    var degrees = angle + (isTurned ? stamp.degrees : 0)
    if jitter > 0 {
      let its = BrushStamps.Variation(of: stamp.index, seed: seed)
      size *= 1 + jitter * its.size
      degrees += jitter * 180 * its.turn
      let (cos, sin) = (Math.cosDegrees(stamp.degrees), Math.sinDegrees(stamp.degrees))
      let (along, across) = (jitter * spacing * its.shift.x, jitter * width * factor * its.shift.y)
      center = center + Point(along * cos - across * sin, along * sin + across * cos)
    }
    let source = Rect(
      x: 0, y: 0, width: Double(image.size.width), height: Double(image.size.height))
    guard size > 0.01, source.width > 0, source.height > 0 else { return nil }
    let (cos, sin) = (Math.cosDegrees(degrees), Math.sinDegrees(degrees))
    let map = Affine(a: cos, b: sin, c: -sin, d: cos, e: center.x, f: center.y)
    let wide = size * source.width / source.height
    return .transformed(
      map,
      body: [
        .image(
          image, source: source,
          destination: Rect(x: -wide / 2, y: -size / 2, width: wide, height: size))
      ])
  }

  /// Returns the maximum distance between the path and a pixel of a stamp.
  func reach(of profile: StrokeProfile?) -> Double {
    let widest = images.map { Double($0.size.width) / max(1, Double($0.size.height)) }.max() ?? 1
    let most =
      profile == nil
      ? 1
      : (0...100).map { profile?.factor(at: Double($0) / 100) ?? 1 }
        .max() ?? 1
    let size = width * max(1, most) * (1 + jitter)
    return size * Math.hypot(1, widest) / 2 + jitter * (abs(spacing) + width * max(1, most))
  }
}

/// A brush with more stamps than the limit.
struct CrowdedBrush {
  let span: SourceSpan
  let count: Double
  /// The length of the path.
  let length: Double

  var diagnostic: Diagnostic {
    let limit = Double(BrushStamps.greatestCount)
    let format = NumberFormat()
    return Diagnostic(
      .limitExceeded,
      "the stroke has \(format.text(min(1e15, count.rounded()))) copies of a brush", at: span,
      label: "the limit is \(BrushStamps.greatestCount)",
      notes: [
        Note(
          help: "set a 'spacing' of at least \(format.text((length / limit + 0.5).rounded(.up)))")
      ])
  }
}
