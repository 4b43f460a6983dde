// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel
import SceneTypes

// The source notation of values.
extension Value {
  /// The name of the type in declarations.
  var typeName: String {
    switch self {
    case .quantity(_, .none), .emptySum: "number"
    case .quantity(_, .time): "time"
    case .quantity(_, .angle): "angle"
    case .quantity(_, .gain): "gain"
    case .quantity(_, .rate): "rate"
    case .quantity(_, .bitrate): "bit rate"
    case .quantity(_, let dimension): dimension.description
    case .percent: "percentage"
    case .length: "length"
    case .bool: "bool"
    case .pair: "pair"
    case .color: "color"
    case .gradient: "gradient"
    case .pattern: "pattern"
    case .brush: "brush"
    case .pixels: "paint"
    case .filter: "filter"
    case .shadow: "shadow"
    case .stop: "gradient stop"
    case .text, .cell: "text"
    case .path: "path"
    case .easing: "easing"
    case .list: "list"
    case .range: "range"
    case .record: "record"
    case .word: "word"
    case .none: "none"
    case .element: "element"
    case .box: "box"
    case .poison: "nothing"
    }
  }

  /// The maximum number of items and characters to write.
  private static let greatestCount = 8
  private static let greatestText = 80

  /// Returns the source notation at the time of an evaluator.
  func written(_ at: Evaluator) -> String {
    switch self {
    case .quantity(let scalar, let dimension): Value.text(at(scalar), dimension)
    case .percent(let scalar): Value.number(at(scalar) * 100) + "%"
    case .length(let pixels, let share): Value.length(at(pixels), at(share))
    case .bool(let scalar): at(scalar) == 0 ? "false" : "true"
    case .pair(let x, let y): "(\(x.written(at)), \(y.written(at)))"
    case .color(let color): at.color(color).hexDescription
    case .gradient(let gradient): gradient.written(at)
    case .pattern(let pattern): "pattern(\"\(pattern.image.path)\")"
    case .brush(let brush):
      "brush(\(brush.images.map { "\"\($0.path)\"" }.joined(separator: ", ")))"
    case .pixels(let pixels): pixels.written(at)
    case .filter(let filter): filter.written(at)
    case .shadow(let shadow):
      "shadow(offset: \(shadow.offset.written(at)), blur: \(shadow.blur.written(at)), "
        + "color: \(at.color(shadow.color).hexDescription))"
    case .stop(let color, let offset):
      Value.stop(at.color(color), offset.map { at($0) })
    case .text(let text): Value.quoted(at.text(text))
    case .cell(let cell): Value.quoted(cell.text)
    case .path(let path):
      "a path of \(path.segments.count) segment\(path.segments.count == 1 ? "" : "s")"
    case .easing(let easing, let length):
      easing.written + (length.map { " over \(Value.text($0, .time))" } ?? "")
    case .list(let items): Value.list(items.map { item in { item.written(at) } })
    case .range(let a, let b): "\(a.written(at)) .. \(b.written(at))"
    case .record(let fields):
      "("
        + fields.prefix(Value.greatestCount).map { "\($0.0): \($0.1.written(at))" }
        .joined(separator: ", ") + (fields.count > Value.greatestCount ? ", …" : "") + ")"
    case .word(let word): word
    case .none: "none"
    case .emptySum: "0"
    case .element(let it): it.displayName
    case .box(let it): "the box of \(it.displayName)"
    case .poison: ""
    }
  }

  private static func number(_ value: Double) -> String {
    NumberFormat().text((value * 1000).rounded() / 1000)
  }

  private static func text(_ value: Double, _ dimension: Dimension) -> String {
    let second = Double(Ticks.perSecond)
    switch dimension {
    case .none: return number(value)
    case .time: return number(value / second) + "s"
    case .angle: return number(value) + "deg"
    case .gain: return number(value) + "dB"
    case .rate: return number(value * second) + "Hz"
    case .bitrate: return number(value / 1000) + "kbps"
    default: return number(value)
    }
  }

  private static func length(_ pixels: Double, _ share: Double) -> String {
    if share == 0 { return number(pixels) }
    let part = number(share * 100) + "%"
    if pixels == 0 { return part }
    return pixels < 0 ? "\(part) - \(number(-pixels))" : "\(part) + \(number(pixels))"
  }

  fileprivate static func stop(_ color: Color, _ offset: Double?) -> String {
    guard let offset else { return color.hexDescription }
    return "stop(\(color.hexDescription), \(number(offset * 100))%)"
  }

  private static func quoted(_ text: String) -> String {
    let cut = text.prefix(greatestText)
    let escaped = cut.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("{", with: "\\{")
    return "\"\(escaped)\(cut.count < text.count ? "…" : "")\""
  }

  private static func list(_ items: [() -> String]) -> String {
    let shown = items.prefix(greatestCount).map { $0() }.joined(separator: ", ")
    return items.count > greatestCount ? "[\(shown), … \(items.count) items]" : "[\(shown)]"
  }
}

extension GradientValue {
  fileprivate func written(_ at: Evaluator) -> String {
    var parts = stops.map { Value.stop(at.color($0.color), $0.offset.map { at($0) }) }
    if let from { parts.append((kind == .linear ? "from: " : "center: ") + from.written(at)) }
    if let to { parts.append("to: " + to.written(at)) }
    if let radius { parts.append("radius: " + radius.written(at)) }
    if let angle { parts.append("angle: " + angle.written(at)) }
    return "\(kind.rawValue)(\(parts.joined(separator: ", ")))"
  }
}

extension FilterValue {
  fileprivate func written(_ at: Evaluator) -> String {
    switch self {
    case .blur(let radius): "blur(\(radius.written(at)))"
    case .color(let kind, let amount):
      "\(kind.rawValue)(\(Value.quantity(amount, kind == .hueRotate ? .angle : .none).written(at)))"
    case .table: "lut(…)"
    case .chromaKey(let color, _, _): "chroma-key(\(at.color(color).hexDescription))"
    case .pixels(let pixels): pixels.written(at)
    }
  }
}

extension PixelValue {
  fileprivate func written(_ at: Evaluator) -> String {
    switch self {
    case .call(let call): call.written(at)
    case .color(let color): at.color(color).hexDescription
    case .source: "none"
    case .blend(let a, let b, _): "\(a.written(at)) -> \(b.written(at))"
    }
  }
}

extension PixelCall {
  fileprivate func written(_ at: Evaluator) -> String {
    let parts = zip(parameterNames, arguments).map { "\($0): \($1.written(at))" }
    return "\(name)(\(parts.joined(separator: ", ")))"
  }
}

extension Easing {
  /// The name of the easing, or the call that creates it.
  fileprivate var written: String {
    if let name = Easing.named.filter({ $0.value == self }).keys.min() { return name }
    func text(_ values: [Double]) -> String {
      values.map { NumberFormat().text(($0 * 1000).rounded() / 1000) }.joined(separator: ", ")
    }
    switch self {
    case .cubicBezier(let a, let b, let c, let d): return "cubic-bezier(\(text([a, b, c, d])))"
    case .steps(let count, let position): return "steps(\(count), \(position.rawValue))"
    case .piecewise(let points): return "a curve through \(points.count) points"
    case .samples(let list): return "a curve of \(list.count) values"
    case .spring(let damping): return "spring(bounce: \(text([1 - damping])))"
    default: return "an easing"
    }
  }
}
