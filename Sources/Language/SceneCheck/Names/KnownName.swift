// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneTypes

/// The meaning of a built-in name that no declaration shadows.
enum KnownName: Sendable {
  case word(ElementWord)
  /// The point (0, 0) of an element.
  case origin
  /// A named point of a box or a text.
  case point
  case ink
  case number(Double)
  case color(ColorModel)
  case easing(Easing)

  /// All built-in names. A name of both a point and a color denotes the point.
  static let all: NameTable<KnownName> = {
    var all: [(String, KnownName)] = ElementWord.allCases.map { ($0.rawValue, .word($0)) }
    all += [("origin", .origin), ("ink", .ink), ("pi", .number(.pi))]
    all += (Array(Words.points.keys) + Array(Words.baselinePoints.keys)).map { ($0, .point) }
    all += (["transparent"] + Array(Color.named.keys)).compactMap { name in
      Color(name: name).map { (name, .color(ColorModel($0))) }
    }
    all += Easing.named.map { ($0.key, .easing($0.value)) }
    return NameTable(all)
  }()
}

/// The built-in names of element kinds, properties and types.
enum KnownWords {
  static let kinds = NameTable(ElementKind.allCases.map { ($0.rawValue, $0) })
  static let properties = NameTable(Property.allCases.map { ($0.name, $0) })
  static let types = NameTable(ValueType.declarable.map { ($0.rawValue, $0) })
}
