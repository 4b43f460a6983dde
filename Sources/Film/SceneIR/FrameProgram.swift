// SPDX-License-Identifier: MIT
package import SceneGraphics

/// All drawing operations of a frame. Equal programs yield equal pixels.
package struct FrameProgram: Hashable, Sendable {
  package let size: PixelSize
  /// The paint that fills the frame first; `nil` for transparent.
  package let background: Paint?
  package let ops: [DrawOp]

  package init(size: PixelSize, background: Paint?, ops: [DrawOp]) {
    self.size = size
    self.background = background
    self.ops = ops
  }
}

extension FrameProgram: CustomStringConvertible {
  /// One op per line, with nested ops indented; numbers have at most four decimals.
  package var description: String {
    var dump = Dump()
    dump.line("frame \(size) background \(background.map(dump.text) ?? "none")")
    dump.depth = 1
    for op in ops { dump.write(op) }
    return dump.text
  }
}

/// The text form of a frame program.
private struct Dump {
  var text = ""
  var depth = 0

  mutating func line(_ content: String) {
    text += String(repeating: "  ", count: depth) + content + "\n"
  }

  mutating func write(_ op: DrawOp) {
    switch op {
    case .fill(let outline, let paint): line("fill \(text(outline)) \(text(paint))")
    case .stroke(let outline, let style, let paint):
      line("stroke \(text(outline)) \(text(style)) \(text(paint))")
    case .text(let block, let paints, let at, let units):
      write(block, paints: paints, at: at, units: units)
    case .image(let image, let source, let destination):
      let layers = image.layers
      var frame = image.isClip ? " #\(image.frame)" : image.frame > 0 ? " frame \(image.frame)" : ""
      if !layers.isEmpty { frame = " layers \(layers.lowerBound) to \(layers.upperBound - 1)" }
      if image.isPixelated { frame += " pixelated" }
      line(
        "\(image.isClip ? "clip" : "image") \"\(image.path)\"\(frame) \(image.size) from \(text(source)) to \(text(destination))"
      )
    case .transformed(let map, let body):
      line("transform " + numbers([map.a, map.b, map.c, map.d, map.e, map.f]))
      nest(body)
    case .projected(let m, let body):
      // The factors of the weight are as small as the inverse distance of the eye.
      let weight = [m.g, m.h, m.i].map { number($0, decimals: 9) }.joined(separator: " ")
      line("project \(numbers([m.a, m.b, m.c, m.d, m.e, m.f])) over \(weight)")
      nest(body)
    case .clipped(let outline, let body):
      line("clip \(text(outline))")
      nest(body)
    case .layer(let style, let body):
      line("layer opacity \(number(style.opacity))" + text(style))
      nest(body)
    case .masked(let style, let mask, let body):
      line("masked \(style.source.rawValue)\(style.isInverted ? " inverted" : "")")
      nest(mask)
      line("of")
      nest(body)
    case .crossed(let function, let from, let to):
      line("cross \(text(function))")
      nest(from)
      line("with")
      nest(to)
    case .backdrop(let filters, let outline):
      line("backdrop \(text(outline))" + text(filters))
    case .particles(let frame):
      line("particles \(text(frame))")
      nest(frame.sprite)
    case .averaged(let bodies):
      for (index, body) in bodies.enumerated() {
        line("sample \(index) of \(bodies.count)")
        nest(body)
      }
    }
  }

  private func text(_ style: LayerStyle) -> String {
    var parts = ""
    if style.seesBelow { parts += " on the backdrop" }
    if style.blend != .normal { parts += " blend \(style.blend.rawValue)" }
    if style.light == .linear { parts += " in linear light" }
    if let box = style.extended { parts += " extend \(text(box))" }
    parts += text(style.filters)
    if let shadow = style.shadow {
      parts +=
        " shadow \(text(shadow.offset)) \(number(shadow.deviation)) \(shadow.color.hexDescription)"
    }
    return parts
  }

  private func text(_ filters: [Filter]) -> String {
    var parts = ""
    for filter in filters {
      switch filter {
      case .blur(let deviation): parts += " blur \(number(deviation))"
      case .matrix(let matrix): parts += " matrix [\(numbers(matrix.rows))]"
      case .table(let table): parts += " table \(table.size)"
      case .chromaKey(let color, let tolerance, let softness):
        parts += " chroma-key \(color.hexDescription) \(numbers([tolerance, softness]))"
      case .pixels(let function): parts += " " + text(function)
      }
    }
    return parts
  }

  private mutating func nest(_ body: [DrawOp]) {
    depth += 1
    for op in body { write(op) }
    depth -= 1
  }

  private mutating func write(
    _ block: TextBlock, paints: [TextPaint], at: Point, units: TextUnits?
  ) {
    var width = block.width.map { " width \(number($0))" } ?? ""
    if block.direction != .auto { width += " \(block.direction.rawValue)" }
    if block.wrap != .auto { width += " \(block.wrap.rawValue)" }
    line("text at \(text(at)) \(block.align) line-height \(number(block.lineHeight))\(width)")
    depth += 1
    for (run, paint) in zip(block.runs, paints) {
      var parts = ["run \(quoted(run.text))", run.font.families.joined(separator: "|")]
      parts.append("\(number(run.font.size))px \(run.font.weight)")
      if run.font.italic { parts.append("italic") }
      if !run.font.axes.isEmpty { parts.append("axes \(run.font.axes.settings)") }
      if run.letterSpacing != 0 { parts.append("spacing \(number(run.letterSpacing))") }
      if !run.features.isEmpty { parts.append("features \(run.features)") }
      if run.underline { parts.append("underline") }
      if run.rise != 0 { parts.append("rise \(number(run.rise))") }
      if let fill = paint.fill { parts.append("fill \(text(fill))") }
      if let stroke = paint.stroke {
        parts.append("stroke \(text(paint.strokeStyle)) \(text(stroke))")
        if paint.strokeIsFirst { parts.append("below") }
      }
      line(parts.joined(separator: " "))
    }
    if let along = units?.along {
      let bent = along.isBent ? " bent" : ""
      line("along \"\(text(along.path))\" from \(number(along.start))\(bent)")
    }
    if let pen = units?.rough { line("rough \(number(pen.amount)) seed \(number(pen.seed))") }
    if let eye = units?.eye, eye != .identity {
      line("eye " + eye.columns.map { number($0, decimals: 9) }.joined(separator: " "))
    }
    if let shown = units?.shown { line("shown \(shown)") }
    if let writing = units?.writing { line(text(writing)) }
    for (index, style) in (units?.styles ?? []).enumerated() where style != TextUnitStyle() {
      write("\(units?.kind.rawValue ?? "") \(index)", style)
    }
    for span in units?.spans ?? [] {
      write("runs \(span.runs.lowerBound) to \(span.runs.upperBound - 1)", span.style)
    }
    depth -= 1
  }

  private mutating func write(_ what: String, _ style: TextUnitStyle) {
    let m = style.map
    var fill = style.fill.map { " fill \(text($0))" } ?? ""
    if let stroke = style.stroke { fill += " stroke \(text(stroke))" }
    if style.blur > 0 { fill += " blur \(number(style.blur))" }
    if style.shift != .zero { fill += " shift \(numbers([style.shift.x, style.shift.y]))" }
    if let writing = style.writing { fill += " " + text(writing) }
    if let space = style.space {
      let columns = space.columns.map { number($0, decimals: 9) }.joined(separator: " ")
      fill += " space \(columns)"
    }
    line(
      "\(what) opacity \(number(style.opacity)) map "
        + numbers([m.a, m.b, m.c, m.d, m.e, m.f]) + fill)
  }

  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\"", "\\": result += "\\" + String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private func text(_ writing: Writing) -> String {
    "drawn \(number(writing.drawn)) written \(number(writing.written))"
  }

  func text(_ p: Point) -> String { "(\(number(p.x)), \(number(p.y)))" }

  private func text(_ r: Rect) -> String { "[" + numbers([r.x, r.y, r.width, r.height]) + "]" }

  private func numbers(_ list: [Double]) -> String {
    list.map { number($0) }.joined(separator: " ")
  }

  func text(_ paint: Paint) -> String {
    func list(_ stops: [GradientStop]) -> String {
      stops.map { "\($0.color.hexDescription) \(number($0.offset))" }.joined(separator: ", ")
    }
    switch paint {
    case .color(let color): return color.hexDescription
    case .linear(let from, let to, let stops):
      return "linear(\(text(from)) \(text(to)); \(list(stops)))"
    case .radial(let center, let radius, let stops):
      return "radial(\(text(center)) \(number(radius)); \(list(stops)))"
    case .conic(let center, let angle, let stops):
      return "conic(\(text(center)) \(number(angle)); \(list(stops)))"
    case .pattern(let image, let tile, let opacity):
      let rendering = image.isPixelated ? " pixelated" : ""
      return "pattern(\"\(image.path)\"\(rendering) \(text(tile)) \(number(opacity)))"
    case .pixels(let function, let opacity):
      return text(function) + (opacity < 1 ? " opacity \(number(opacity))" : "")
    }
  }

  private func text(_ function: PixelFunction) -> String {
    var head = "pixels \(text(function.box))"
    if !function.variables.isEmpty { head += " " + numbers(function.variables.map(Double.init)) }
    if function.place != Projection(.identity) {
      head += " place " + numbers(function.place.factors)
    }
    if function.reach > 0 { head += " reach \(number(function.reach))" }
    return head + " { \(function.program) }"
  }

  private func text(_ frame: ParticleFrame) -> String {
    let (field, look) = (frame.field, frame.look)
    var parts = ["at \(number(frame.time))s"]
    if frame.sprite.isEmpty { parts.append(look.shape.rawValue) }
    if look.isAdditive { parts.append("added") }
    if look.followsMotion { parts.append("along the motion") }
    if look.isReversed { parts.append("newest first") }
    if look.isTinted { parts.append("tinted") }
    if frame.stretch > 0 { parts.append("stretch \(number(frame.stretch))s") }
    switch field.births {
    case .burst(let count): parts.append("burst \(count)")
    case .steady(let rate, let from, let until):
      parts.append("rate \(number(rate)) from \(number(from)) to \(number(until))")
    case .counted(let counts, let from):
      parts.append("\(counts.count) counts up to \(number(counts.last ?? 0)) from \(number(from))")
    }
    parts.append("life \(numbers(field.life)) seed \(field.seed)")
    if field.places.count > 1 {
      parts.append("from \(field.places.count) places")
    } else {
      let place = field.places[0]
      let sides = [place.origin.x, place.origin.y, place.along.x, place.across.y]
      parts.append("from \(numbers(sides))")
    }
    if !field.route.isEmpty { parts.append("along \(field.route.count) points") }
    if !frame.variables.isEmpty { parts.append(numbers(frame.variables.map(Double.init))) }
    return parts.joined(separator: " ") + " { \(field.program) }"
  }

  private func text(_ style: StrokeStyle) -> String {
    var parts = ["width \(number(style.width))"]
    if style.cap != .butt { parts.append("cap \(style.cap)") }
    if style.join != .miter { parts.append("join \(style.join)") }
    if style.miterLimit != 4 { parts.append("miter-limit \(number(style.miterLimit))") }
    if !style.dash.isEmpty {
      parts.append("dash [\(numbers(style.dash))] offset \(number(style.dashOffset))")
    }
    return parts.joined(separator: " ")
  }

  private func text(_ outline: Outline) -> String {
    switch outline {
    case .rect(let r, let radius):
      return "rect \(text(r))" + (radius > 0 ? " radius \(number(radius))" : "")
    case .ellipse(let center, let rx, let ry):
      return "ellipse \(text(center)) \(number(rx)) \(number(ry))"
    case .path(let path): return "path \"\(text(path))\""
    }
  }

  private func text(_ path: Path) -> String {
    path.elements.map { element in
      switch element {
      case .move(let p): "M \(numbers([p.x, p.y]))"
      case .line(let p): "L \(numbers([p.x, p.y]))"
      case .cubic(let a, let b, let p): "C \(numbers([a.x, a.y, b.x, b.y, p.x, p.y]))"
      case .close: "Z"
      }
    }.joined(separator: " ")
  }

  /// Formats a number with at most the given number of decimals, without trailing zeros or negative
  /// zero.
  func number(_ value: Double, decimals: Int = 4) -> String {
    let unit = decimals == 4 ? 10_000 : (0..<decimals).reduce(1) { power, _ in power * 10 }
    guard value.isFinite, abs(value) * Double(unit) < 1e15 else { return "\(value)" }
    let scaled = Int((value * Double(unit)).rounded())
    let sign = scaled < 0 ? "-" : ""
    let whole = abs(scaled) / unit
    var digits = String(abs(scaled) % unit)
    if digits == "0" { return "\(sign)\(whole)" }
    digits = String(repeating: "0", count: decimals - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}

extension FrameProgram {
  /// Whether the background alone covers every pixel.
  package var isOpaque: Bool {
    switch background {
    case nil: false
    case .color(let color)?: color.alpha >= 1
    case .linear(_, _, let stops)?, .radial(_, _, let stops)?, .conic(_, _, let stops)?:
      stops.allSatisfy { $0.color.alpha >= 1 }
    case .pattern?: false
    case .pixels(let function, let opacity)?: opacity >= 1 && function.program.isOpaque
    }
  }

  /// All ops, preceded by the background.
  package var opsWithBackground: [DrawOp] {
    let whole = Outline.rect(
      Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), radius: 0)
    return (background.map { [.fill(whole, $0)] } ?? []) + ops
  }

  /// Returns the frame scaled to another size.
  ///
  /// Each op is scaled separately, so that programs with a common prefix keep it.
  package func scaled(to size: PixelSize) -> FrameProgram { placed(in: size, .fill) }

  /// Returns the frame placed in a frame of another size. The background fills the bars, and the
  /// drawing is clipped to the original frame.
  package func placed(in size: PixelSize, _ fit: FrameFit) -> FrameProgram {
    guard size != self.size else { return self }
    let place = fit.place(of: self.size, in: size)
    let (width, height) = (Double(self.size.width), Double(self.size.height))
    let map = Affine.translation(place.x, place.y)
      .concat(.scale(place.width / width, place.height / height))
    let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    let hasBars = place.intersection(whole) != whole
    var ops = ops.map { DrawOp.transformed(map, body: [$0]) }
    if hasBars { ops = ops.map { .clipped(.rect(place, radius: 0), body: [$0]) } }
    if case .color? = background {
      return FrameProgram(size: size, background: background, ops: ops)
    }
    if let background {
      // The whole frame in the coordinates of the scene.
      let back = Affine.scale(width / place.width, height / place.height)
        .concat(.translation(-place.x, -place.y))
      ops.insert(
        .transformed(map, body: [.fill(.rect(back.apply(whole), radius: 0), background)]), at: 0)
    }
    return FrameProgram(size: size, background: nil, ops: ops)
  }
}

/// The placement of a finished frame in a frame with another aspect ratio.
public enum FrameFit: String, CaseIterable, Hashable, Sendable, Encodable {
  case contain, cover, fill

  /// Returns the rectangle of the image in the frame. Bars end at whole pixels.
  func place(of picture: PixelSize, in frame: PixelSize) -> Rect {
    let (width, height) = (Double(frame.width), Double(frame.height))
    let across = width / Double(picture.width)
    let down = height / Double(picture.height)
    let scale: Double
    switch self {
    case .fill: return Rect(x: 0, y: 0, width: width, height: height)
    case .contain: scale = min(across, down)
    case .cover: scale = max(across, down)
    }
    var (w, h) = (Double(picture.width) * scale, Double(picture.height) * scale)
    if self == .contain { (w, h) = (max(1, w.rounded()), max(1, h.rounded())) }
    let (x, y) = ((width - w) / 2, (height - h) / 2)
    return self == .contain
      ? Rect(x: x.rounded(.down), y: y.rounded(.down), width: w, height: h)
      : Rect(x: x, y: y, width: w, height: h)
  }
}
