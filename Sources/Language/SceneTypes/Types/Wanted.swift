// SPDX-License-Identifier: MIT
package import SceneLanguage

/// The expected kind of an expression, as far as its position determines it.
package enum Wanted: Hashable, Sendable {
  /// No expectation.
  case any
  case property(PropertyType)
  /// An operand of `+ - * /`.
  case operand
  /// The base of a member access, before the `.`.
  case owner
  /// A value inserted into a text with `{…}`.
  case text
  case condition

  /// Returns whether values of a type may fit, possibly after a conversion.
  package func fits(_ type: Type) -> Bool {
    if type == .error || type == .nothing { return false }
    return type.alternatives.contains(where: fitsShape)
  }

  private func fitsShape(_ type: Type) -> Bool {
    switch type {
    case .unknown, .cell: return true
    case .list(let item, let items): return items?.isEmpty == true || fits(item)
    default: break
    }
    switch self {
    case .any: return true
    case .owner:
      switch type {
      case .element, .record, .pair, .box: return true
      default: return false
      }
    case .operand:
      switch type {
      case .pair, .element, .gradient, .path: return true
      default: return type.isNumberLike
      }
    case .condition: return type == .bool
    case .text:
      switch type {
      case .text, .word, .bool: return true
      default: return type.isNumberLike
      }
    case .property(let property): return Wanted.fits(type, property)
    }
  }

  private static func fits(_ type: Type, _ property: PropertyType) -> Bool {
    switch (property, type) {
    case (.varied(let part), .range(let low, let high)):
      return fits(low, part) && fits(high, part)
    case (.varied(.factors), .pair): return true
    case (.varied(let part), _): return fits(type, part)
    case (.rate, .quantity(let d)): return d == .rate
    case (.number, .quantity(let d)), (.factors, .quantity(let d)), (.numbers, .quantity(let d)):
      return d == .none
    case (.number, .percent), (.factors, .percent), (.factors, .pair), (.angles, .pair),
      (.numbers, .percent):
      return true
    case (.angle, .quantity(let d)), (.angles, .quantity(let d)): return d == .angle
    case (.time, .quantity(let d)): return d == .time
    case (.time, .element(let it)): return it.kind == .marker
    case (.color, .color), (.paint, .color), (.paint, .gradient), (.paint, .pattern),
      (.paint, .brush):
      return true
    case (.bool, .bool), (.easing, .easing), (.path, .path), (.path, .element): return true
    case (.filters, .filter), (.shadow, .shadow), (.text, .text), (.fonts, .text), (.files, .text):
      return true
    case (.text, _): return type.isNumberLike
    case (.point, .pair), (.point, .element), (.ownPoint, .pair), (.ownPoint, .element),
      (.points, .pair), (.size, .pair), (.lengthPair, .pair), (.fontLengthPair, .pair):
      return true
    case (.lengthX, _), (.lengthY, _), (.length, _), (.fontLength, _), (.lengthPair, _),
      (.fontLengthPair, _), (.lengths, _), (.share, _), (.weight, _), (.frameRate, _):
      return type.isLength
    case (.perspective, .quantity(let d)), (.opticalSize, .quantity(let d)): return d == .none
    case (.axes, .record), (.colors, .record), (.record, .record): return true
    case (.number, _), (.factors, _), (.numbers, _), (.perspective, _), (.angle, _), (.angles, _),
      (.time, _), (.axes, _), (.colors, _), (.opticalSize, _),
      (.color, _),
      (.paint, _), (.bool, _), (.easing, _), (.path, _), (.filters, _), (.shadow, _), (.fonts, _),
      (.files, _), (.record, _),
      (.point, _), (.ownPoint, _), (.points, _), (.size, _), (.word, _), (.effects, _),
      (.transition, _), (.rate, _):
      return false
    default: return true
    }
  }
}

extension Type {
  /// Whether the shape converts to a length.
  var isLength: Bool { self == .number || self == .percent || self == .mixed || self == .zero }

  /// Whether the shape is a quantity, length or percentage.
  var isNumberLike: Bool { if case .quantity = self { true } else { isLength } }
}
