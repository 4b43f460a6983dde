// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneTypes

extension BuiltIn {
  static let filters: [BuiltIn] = [
    BuiltIn(
      "blur", taking: .value("radius", .length), gives: .filter, cost: .constant,
      summary: "Blurs the element."
    ) {
      it, radius throws(Reported) in
      try it.requireLength(radius, "radius")
      return .filter(.blur(radius.value))
    },
    amount(.brightness, "Multiplies the brightness."),
    amount(.contrast, "Increases or reduces the contrast."),
    amount(.saturate, "Increases or reduces the saturation."),
    amount(.grayscale, "Converts colors to gray."),
    amount(.invert, "Inverts colors."),
    amount(.sepia, "Tints colors brown, like an old photograph."),
    BuiltIn(
      "hue-rotate", taking: .angle("angle"), gives: .filter, cost: .constant,
      summary: "Rotates all hues."
    ) {
      _, angle in .filter(.color(.hueRotate, angle))
    },
    BuiltIn(
      "lut", taking: .value("file", .text), gives: .filter,
      cost: .linear, summary: "Maps colors through the lookup table of a .cube file."
    ) {
      it, file throws(Reported) in
      let path = try it.need(it.checker.asConstantText(file.value, file.span))
      if let known = it.checker.colorTables[path] { return .filter(.table(known)) }
      let read = it.checker.reading(path, at: file.span) {
        try CubeFile.table(try it.checker.assets.source(path))
      }
      let table = try it.need(read)
      it.checker.colorTables[path] = table
      return .filter(.table(table))
    },
    BuiltIn(
      "chroma-key", taking: .color("color"), .optional(.number("tolerance"), or: .constant(0.12)),
      .optional(.number("softness"), or: .constant(0.08)), gives: .filter,
      cost: .constant, summary: "Makes one color transparent, such as that of a green screen."
    ) { _, color, tolerance, softness in
      .filter(.chromaKey(color, tolerance: tolerance, softness: softness))
    },
    BuiltIn(
      "shadow", taking: .optional(.value("offset", .pair)), .optional(.value("blur", .length)),
      .optional(.color("color"), or: ColorModel(Color(red: 0, green: 0, blue: 0, alpha: 0.4))),
      gives: .shadow,
      cost: .constant, summary: "Adds a shadow in the shape of the element."
    ) { it, offset, blur, color throws(Reported) in
      if let offset {
        _ = try it.need(
          it.checker.asPoint(
            offset.value, offset.span, in: it.context, width: .one, height: .one))
      }
      if let blur { try it.requireLength(blur, "blur") }
      return .shadow(
        ShadowValue(
          offset: offset?.value ?? .pair(.zero, .constant(8)), blur: blur?.value ?? .number(24),
          color: color))
    },
  ]

  private static func amount(_ kind: FilterModel.Kind, _ summary: String) -> BuiltIn {
    BuiltIn(
      kind.rawValue, taking: .value("amount", .number), gives: .filter, cost: .constant,
      summary: summary
    ) {
      it, given throws(Reported) in
      let amount = try it.need(it.checker.asNumber(given.value, given.span))
      let range = ValueRange.atLeast(0)
      if let wrong = it.checker.textOutside(range, of: given.value) {
        throw it.report(
          .outOfRange,
          "the amount of '\(kind.rawValue)' must be \(range.description), found \(wrong)",
          at: given.span)
      }
      return .filter(.color(kind, amount))
    }
  }
}

extension Site {
  /// Throws an error for an argument that is not a length, or is known to be negative.
  fileprivate func requireLength(_ given: Given, _ name: String) throws(Reported) {
    _ = try need(checker.asLength(given.value, given.span, of: .one))
    let range = ValueRange.atLeast(0)
    if let wrong = checker.textOutside(range, of: given.value) {
      throw report(
        .outOfRange,
        "the \(name) of '\(call.name)' must be \(range.description), found \(wrong)",
        at: given.span)
    }
  }
}
