// SPDX-License-Identifier: MIT

/// The built-in functions and the names of their parameters.
package enum Functions {
  package struct Signature: Sendable {
    package let name: String
    /// In order; one with `?` may be left out, a last one with `…` takes any number.
    package let parameters: [String]
    package let isBuilt: Bool

    init(_ name: String, _ parameters: String, isBuilt: Bool = true) {
      self.name = name
      self.parameters = parameters.split(separator: " ").map(String.init)
      self.isBuilt = isBuilt
    }

    /// As a message shows it.
    package var description: String {
      "\(name)(\(parameters.joined(separator: ", ")))"
    }
  }

  package static let all: [String: Signature] = {
    var table: [String: Signature] = [:]
    for signature in list { table[signature.name] = signature }
    return table
  }()

  package static let names: Set<String> = Set(list.map(\.name))

  private static let list: [Signature] = [
    .init("rgb", "red green blue alpha?"), .init("hsl", "hue saturation lightness alpha?"),
    .init("oklch", "lightness chroma hue alpha?"),
    .init("mix", "a b share"), .init("lighten", "color amount"), .init("darken", "color amount"),
    .init("alpha", "color value"),
    .init("linear-gradient", "stops… from? to? angle?"),
    .init("radial-gradient", "stops… center? radius?"),
    .init("conic-gradient", "stops… center? angle?"),
    .init("pattern", "source size? offset?"), .init("stop", "color at?"),
    .init("cubic-bezier", "x1 y1 x2 y2"), .init("steps", "count position?"),
    .init("linear", "stops…"), .init("spring", "bounce? stiffness? damping? mass?"),
    .init("loop", "x length? mirror?"), .init("delay", "x time"), .init("reverse", "x"),
    .init("at-time", "x time"), .init("wave", "period"), .init("noise", "x seed?"),
    .init("random", "seed range?"), .init("wiggle", "rate amount seed?"),
    .init("level", "audio from? to?", isBuilt: false), .init("duck", "by under", isBuilt: false),
    .init("mod", "a b"), .init("pow", "base exponent"), .init("min", "values…"),
    .init("max", "values…"), .init("clamp", "x low high"), .init("abs", "x"),
    .init("floor", "x"), .init("ceil", "x"), .init("round", "x"), .init("sqrt", "x"),
    .init("sin", "angle"), .init("cos", "angle"), .init("tan", "angle"), .init("atan2", "y x"),
    .init("exp", "x"), .init("log", "x"),
    .init("map-range", "x from-low from-high to-low to-high"),
    .init("format", "x pattern? decimals? group? digits? sign?"),
    .init("len", "list"), .init("sum", "list"), .init("mean", "list"), .init("sort", "list by?"),
    .init("reverse-list", "list"), .init("zip", "a b"), .init("first", "list"),
    .init("last", "list"), .init("any", "list"), .init("all", "list"),
    .init("join", "list separator?"),
    .init("path", "data"), .init("point-at", "path share"), .init("angle-at", "path share"),
    .init("length-of", "path"),
    .init("data", "file"), .init("shadow", "offset? blur? color?"), .init("blur", "radius"),
    .init("brightness", "amount"), .init("contrast", "amount"), .init("saturate", "amount"),
    .init("grayscale", "amount"), .init("hue-rotate", "angle"), .init("invert", "amount"),
    .init("sepia", "amount"), .init("lut", "file"),
    .init("chroma-key", "color tolerance? softness?"),
  ]
}
