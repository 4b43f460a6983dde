// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Functions for the bodies of pixel functions. All but `sample` can be used everywhere.
extension BuiltIn {
  static let pixels: [BuiltIn] = [
    BuiltIn(
      "sample",
      taking: .value("layer", words: Set([PixelWord.source] + PixelWord.clips)),
      .value("at", .pair), gives: .color,
      cost: .linear,
      summary: "Returns the color of a layer or an image at a point, inside a pixel function."
    ) { it, layer, at throws(Reported) in
      guard let space = it.context.pixels else {
        throw it.report(
          .misplacedElement, "'sample' can be used only in a filter, a paint or a transition",
          help: "declare one at the top level: filter name() { color: sample(source, xy) }")
      }
      let (x, y) = try it.numbers(at)
      let index = try it.layer(layer, space) * 4
      let channels = (0..<4).map { it.builder.make(.sample, a: x, b: y, index: index + $0) }
      return .color(
        ColorModel(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3]))
    },
    BuiltIn(
      "srgb", taking: .number("red"), .number("green"), .number("blue"),
      .optional(.number("alpha"), or: .one), gives: .color,
      cost: .constant, summary: "Returns a color from channels in sRGB, from 0 to 1."
    ) { _, red, green, blue, alpha in
      .color(ColorModel(red: red, green: green, blue: blue, alpha: alpha))
    },
    BuiltIn(
      "luminance", taking: .color("color"), gives: .number,
      cost: .constant, summary: "Returns the relative luminance of a color, from 0 to 1."
    ) { it, color in
      let weights = [(color.red, 0.2126), (color.green, 0.7152), (color.blue, 0.0722)]
      return .number(
        weights.reduce(.zero) { sum, channel in
          it.builder.add(sum, it.builder.scaled(it.linear(channel.0), channel.1))
        })
    },
    BuiltIn(
      "to-linear", taking: .color("color"), gives: .color,
      cost: .constant, summary: "Converts the channels of a color from sRGB to linear light."
    ) { it, color in it.mapped(color) { it.linear($0) } },
    BuiltIn(
      "from-linear", taking: .color("color"), gives: .color,
      cost: .constant, summary: "Converts the channels of a color from linear light to sRGB."
    ) { it, color in
      it.mapped(color) {
        it.builder.make(.fromSpace, a: $0, b: $0, c: $0, index: Site.linearSpace * 4)
      }
    },
    BuiltIn(
      "norm", taking: .value("p", .pair), gives: .number,
      cost: .constant, summary: "Returns the length of a pair: the distance from (0, 0)."
    ) { it, p throws(Reported) in
      let (x, y) = try it.numbers(p)
      let square = it.builder.add(it.builder.multiply(x, x), it.builder.multiply(y, y))
      return .number(it.builder.make(.squareRoot, a: square))
    },
    BuiltIn(
      "dot", taking: .value("a", .pair), .value("b", .pair), gives: .number,
      cost: .constant, summary: "Returns the scalar product of two pairs."
    ) { it, a, b throws(Reported) in
      let (p, q) = (try it.numbers(a), try it.numbers(b))
      return .number(
        it.builder.add(it.builder.multiply(p.0, q.0), it.builder.multiply(p.1, q.1)))
    },
    BuiltIn(
      "turn", taking: .value("p", .pair), .angle("angle"), gives: .pair,
      cost: .constant, summary: "Returns a pair, rotated clockwise about (0, 0)."
    ) { it, p, angle throws(Reported) in
      let (x, y) = try it.numbers(p)
      let c = it.builder.make(.cosine, a: angle)
      let s = it.builder.make(.sine, a: angle)
      return .pair(
        it.builder.subtract(it.builder.multiply(x, c), it.builder.multiply(y, s)),
        it.builder.add(it.builder.multiply(x, s), it.builder.multiply(y, c)))
    },
    BuiltIn(
      "fract", taking: .value("x"), gives: .value,
      cost: .constant,
      summary: "Returns the fractional part of a number, or of each component of a pair."
    ) { it, x throws(Reported) in
      try it.byParts(x) { $1.subtract($0, $1.make(.floor, a: $0)) }
    },
    BuiltIn(
      "smooth-step", taking: .number("low"), .number("high"), .number("x"), gives: .number,
      cost: .constant, summary: "Returns 0 below low, 1 above high, and a smooth value between."
    ) { it, low, high, x in
      let share = it.builder.divide(it.builder.subtract(x, low), it.builder.subtract(high, low))
      let u = it.builder.make(.minimum, a: it.builder.make(.maximum, a: share, b: .zero), b: .one)
      let curve = it.builder.subtract(.constant(3), it.builder.scaled(u, 2))
      return .number(it.builder.multiply(it.builder.multiply(u, u), curve))
    },
  ]
}

extension Site {
  fileprivate static let linearSpace = Int32(ColorSpace.allCases.firstIndex(of: .linear) ?? 0)

  /// Applies the inverse sRGB transfer function.
  fileprivate func linear(_ channel: Scalar) -> Scalar {
    builder.make(.toSpace, a: channel, b: channel, c: channel, index: Site.linearSpace * 4)
  }

  fileprivate func mapped(_ color: ColorModel, _ change: (Scalar) -> Scalar) -> Value {
    .color(
      ColorModel(
        red: change(color.red), green: change(color.green), blue: change(color.blue),
        alpha: color.alpha))
  }

  /// Returns the numbers of a pair.
  func numbers(_ given: Given) throws(Reported) -> (Scalar, Scalar) {
    guard case .pair(let x, let y) = given.value else {
      checker.mismatch("a pair", given.value, at: given.span)
      throw checker.reports.expected(given.span)
    }
    return (
      try need(checker.asNumber(x, given.span)), try need(checker.asNumber(y, given.span))
    )
  }

  /// Applies an operation to a number, or to both parts of a pair.
  func byParts(
    _ given: Given, _ operation: (Scalar, inout ProgramBuilder) -> Scalar
  ) throws(Reported) -> Value {
    if case .pair = given.value {
      let (x, y) = try numbers(given)
      return .pair(operation(x, &builder), operation(y, &builder))
    }
    return .number(operation(try need(checker.asNumber(given.value, given.span)), &builder))
  }

  /// Returns the layer that an argument names: an image file, the source of a filter, or a clip of
  /// a transition.
  fileprivate func layer(_ given: Given, _ space: PixelSpace) throws(Reported) -> Int32 {
    if case .word(let word) = given.value {
      if let layer = space.layer(named: word) { return layer }
      let kind = space.kind.rawValue
      guard word == PixelWord.source else {
        throw report(
          .misplacedElement, "a \(kind) has no layer '\(word)'", at: given.span,
          label: "only a transition has two clips")
      }
      throw report(
        .misplacedElement, "a \(kind) has no source", at: given.span,
        label: "only a filter reads the pixels of its element",
        help: space.kind == .paint
          ? "declare a filter instead of a paint, or sample an image"
          : "sample 'from' or 'to', the clips of the transition")
    }
    let path = try need(checker.asConstantText(given.value, given.span))
    guard let image = checker.reading(path, at: given.span, { try checker.assets.image(path) })
    else { throw checker.reports.expected(given.span) }
    checker.warnOfRemarks(on: path, given.span)
    return space.layer(of: image)
  }
}
