// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneText
import SceneTypes

/// A value of the language during a check. Its numbers may change over time.
///
/// Large payloads are indirect, so that numbers are copied without an allocation.
enum Value {
  /// Times in ticks, angles in degrees, rates in 1/ticks, gains in dB, bit rates in bits per
  /// second.
  case quantity(Scalar, Dimension)
  /// A percentage; 1 for 100%.
  case percent(Scalar)
  /// A number of pixels plus a fraction of a reference length that the use determines.
  case length(pixels: Scalar, share: Scalar)
  case bool(Scalar)
  indirect case pair(Value, Value)
  indirect case color(ColorModel)
  indirect case gradient(GradientValue)
  indirect case pattern(PatternValue)
  indirect case brush(BrushValue)
  indirect case pixels(PixelValue)
  indirect case filter(FilterValue)
  indirect case shadow(ShadowValue)
  indirect case stop(ColorModel, Scalar?)
  case text(TextExpression)
  case path(PathModel)
  indirect case easing(Easing, length: Double?)
  case list([Value])
  indirect case range(Value, Value)
  case record([(String, Value)])
  case word(String)
  indirect case cell(DataCell)
  /// The absence of a value; the place is that of an empty cell in a table.
  indirect case none(DataPlace? = nil)
  /// The sum of an empty list: zero of any type.
  case emptySum
  case element(ElementNode)
  case box(ElementNode)
  /// The result of a reported error. Operations on poison return poison without another error.
  case poison(Reported)

  static func number(_ value: Double) -> Value { .quantity(.constant(value), .none) }
  static func number(_ scalar: Scalar) -> Value { .quantity(scalar, .none) }
  static func literal(_ text: String) -> Value { .text(.literal(text)) }
  static func pair(_ x: Scalar, _ y: Scalar) -> Value { .pair(.number(x), .number(y)) }

  /// Whether the value, or a part of a pair or range, is poison. Poison in a list or in the pairs of
  /// a pair makes the whole value poison, so this takes constant time.
  var isPoison: Bool {
    switch self {
    case .poison: return true
    case .pair(let a, let b), .range(let a, let b):
      if case .poison = a { return true }
      if case .poison = b { return true }
      return false
    default: return false
    }
  }

  /// The type with its article, for messages.
  var description: String {
    switch self {
    case .quantity(_, let dimension): dimension.description
    case .percent: "a percentage"
    case .length: "a length"
    case .bool: "true or false"
    case .pair: "a pair"
    case .color: "a color"
    case .gradient: "a gradient"
    case .pattern: "a pattern"
    case .brush: "a brush"
    case .pixels(.call(let call)): "the paint '\(call.name)'"
    case .pixels: "a paint"
    case .filter: "a filter"
    case .shadow: "a shadow"
    case .stop: "a gradient stop"
    case .text: "a text"
    case .path: "a path"
    case .easing: "an easing"
    case .list: "a list"
    case .range: "a range"
    case .record: "a record"
    case .word(let word): "the word '\(word)'"
    case .none(let cell): cell.map { "the empty cell at \($0.description)" } ?? "none"
    case .emptySum: "the sum of an empty list"
    case .cell(let cell) where cell.text.isEmpty && cell.place != nil:
      "the empty cell at \(cell.place?.description ?? "")"
    case .cell(let cell):
      "the text \"\(visible(String(cell.text.prefix(40))))\""
        + (cell.place.map { " of \($0.description)" } ?? "")
    case .element(let it): "the element '\(it.displayName)'"
    case .box: "a box"
    case .poison: "nothing"
    }
  }

  /// The maximum depth of nested pairs, lists and records, which are visited recursively.
  static let greatestDepth = 256

  /// Returns the number of parts of pairs, ranges, lists and records, without counting much more
  /// than `limit`; `nil` if they are nested too deeply.
  func partCount(upTo limit: Int) -> Int? {
    var isTooDeep = false
    func count(_ value: Value, upTo limit: Int, _ depth: Int) -> Int {
      func sum(_ values: some Sequence<Value>) -> Int {
        guard depth < Value.greatestDepth else {
          isTooDeep = true
          return 1
        }
        var sum = 0
        for value in values where sum <= limit { sum += count(value, upTo: limit - sum, depth + 1) }
        return max(1, sum)
      }
      return switch value {
      case .pair(let a, let b), .range(let a, let b): sum([a, b])
      case .list(let items): sum(items)
      case .record(let fields): sum(fields.lazy.map(\.1))
      default: 1
      }
    }
    let size = count(self, upTo: limit, 0)
    return isTooDeep ? nil : size
  }

  /// Whether all parts are constant over time.
  var isConstant: Bool {
    var constant = true
    forEachScalar { if $0.constantValue == nil { constant = false } }
    return constant
  }

  func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .quantity(let s, _), .percent(let s), .bool(let s): use(s)
    case .length(let pixels, let share):
      use(pixels)
      use(share)
    case .pair(let a, let b), .range(let a, let b):
      a.forEachScalar(use)
      b.forEachScalar(use)
    case .color(let color): color.forEachScalar(use)
    case .stop(let color, let offset):
      color.forEachScalar(use)
      if let offset { use(offset) }
    case .gradient(let gradient):
      for stop in gradient.stops {
        stop.color.forEachScalar(use)
        if let offset = stop.offset { use(offset) }
      }
      for value in [gradient.from, gradient.to, gradient.radius, gradient.angle] {
        value?.forEachScalar(use)
      }
    case .pattern(let pattern):
      pattern.size?.forEachScalar(use)
      pattern.offset?.forEachScalar(use)
    case .brush(let brush):
      brush.spacing?.forEachScalar(use)
      brush.color?.forEachScalar(use)
      for scalar in [brush.isTurned, brush.angle, brush.jitter, brush.seed] { use(scalar) }
    case .pixels(let pixels): pixels.forEachScalar(use)
    case .filter(let filter): filter.forEachScalar(use)
    case .shadow(let shadow):
      shadow.offset.forEachScalar(use)
      shadow.blur.forEachScalar(use)
      shadow.color.forEachScalar(use)
    case .text(let text): text.forEachScalar(use)
    case .path(let path): path.forEachScalar(use)
    case .list(let items): for item in items { item.forEachScalar(use) }
    case .record(let fields): for field in fields { field.1.forEachScalar(use) }
    case .easing, .word, .none, .emptySum, .element, .box, .cell, .poison: break
    }
  }
}

/// A gradient whose points are not resolved yet, since the box is unknown.
struct GradientValue {
  struct Stop {
    var color: ColorModel
    var offset: Scalar?
  }

  enum Kind: String {
    case linear = "linear-gradient"
    case radial = "radial-gradient"
    case conic = "conic-gradient"
  }

  var kind: Kind
  var stops: [Stop]
  /// The start of a linear gradient, or the center of the others.
  var from: Value?
  var to: Value?
  var radius: Value?
  var angle: Value?
}

/// A brush: images that are drawn along a stroke.
struct BrushValue {
  var images: [ImageReference]
  /// The distance between stamps. By default, the width of the stroke.
  var spacing: Value?
  var isTurned = Scalar.one
  var angle = Scalar.zero
  var jitter = Scalar.zero
  var seed = Scalar.zero
  /// The paint that replaces the colors of the images.
  var color: Value?
}

/// A repeated image.
struct PatternValue {
  var image: ImageReference
  /// The size of a tile. By default, the size of the image.
  var size: Value?
  /// The offset of the first tile from the top left of the box.
  var offset: Value?
}
