// SPDX-License-Identifier: MIT
package import SceneLanguage

extension Type {
  /// Returns the type of values of this type after a conversion to a declared type.
  package func converted(to declared: ValueType) -> Outcome {
    convert { $0.shape(as: declared) }
  }

  /// Applies a rule for single shapes to each alternative. The rule returns `nil` for a shape that
  /// it rejects.
  func convert(_ rule: (Type) -> Outcome) -> Outcome {
    var result = Type.nothing
    var isSure = true
    var hasRule = false
    for shape in alternatives {
      switch shape {
      case .error: return .always(.error)
      case .nothing: hasRule = true
      default:
        let outcome = rule(shape)
        if case .always = outcome {} else { isSure = false }
        if outcome == .never { continue }
        hasRule = true
        result = result.joined(with: outcome.type)
      }
    }
    guard hasRule else { return .never }
    return isSure ? .always(result) : .sometimes(result)
  }

  private func shape(as declared: ValueType) -> Outcome {
    switch (declared, self) {
    case (_, .unknown): return .sometimes(declared.type)
    case (.text, .cell), (.image, .cell): return .always(.text)
    case (.list, .list): return .always(self)
    case (.list, _): return .always(.list(self, items: [self]))
    case (_, .cell): return .sometimes(declared.type)
    case (.number, .number), (.percent, .percent), (.time, .time), (.angle, .angle),
      (.gain, .quantity(.gain)), (.rate, .quantity(.rate)), (.length, .mixed),
      (.length, .percent), (.length, .number), (.pair, .pair), (.color, .color), (.text, .text),
      (.image, .text), (.bool, .bool), (.path, .path), (.paint, .color), (.paint, .gradient),
      (.paint, .pattern), (.paint, .brush), (.paint, .none), (.easing, .easing),
      (.range, .range), (.record, .record):
      return .always(self)
    case (.number, .percent): return .always(.number)
    case (.number, .zero), (.length, .zero): return .always(.number)
    case (.percent, .zero): return .always(.percent)
    case (.pair, .zero): return .always(.point)
    case (.time, .zero), (.angle, .zero), (.gain, .zero), (.rate, .zero):
      return .always(declared.type)
    case (.pair, .number), (.pair, .percent): return .always(.pair(self, self))
    case (.easing, .word(let words)):
      let known = words.filter(Words.easings.contains)
      return known.isEmpty ? .never : known == words ? .always(.easing) : .sometimes(.easing)
    case (.path, .element): return .sometimes(self)
    default: return .never
    }
  }

  /// Returns whether values of the type are accepted for a property, and the type that it reads.
  /// Types of properties with many forms accept every value here, and evaluation tests it.
  package func read(as property: PropertyType) -> Outcome {
    func only(_ shapes: [Type], _ result: Type? = nil) -> Outcome {
      convert { shape in
        switch shape {
        case .unknown, .cell: .sometimes(result ?? .unknown)
        case .zero: .always(result ?? .zero)
        default: shapes.contains(shape) ? .always(result ?? shape) : .never
        }
      }
    }
    switch property {
    case .number: return only([.number, .percent], .number)
    case .time:
      return convert { shape in
        switch shape {
        case .unknown, .cell: .sometimes(.time)
        case .time, .zero: .always(.time)
        case .element(let it): it.kind == nil || it.kind == .marker ? .sometimes(.time) : .never
        default: .never
        }
      }
    // Only the number 0 is an angle, which evaluation tests.
    case .angle:
      return convert { shape in
        switch shape {
        case .unknown, .cell, .number: .sometimes(.angle)
        case .angle, .zero: .always(.angle)
        default: .never
        }
      }
    case .bool: return only([.bool], .bool)
    case .color: return only([.color, .none], .color)
    case .paint: return only([.color, .gradient, .pattern, .brush, .none])
    case .lengthX, .lengthY, .length, .share: return only([.number, .percent, .mixed], .number)
    case .lengthPair, .fontLengthPair:
      return convert { shape in
        switch shape {
        case .unknown, .cell, .pair: .sometimes(shape)
        case .number, .percent, .mixed, .zero: .always(shape)
        default: .never
        }
      }
    case .easing:
      return convert { shape in
        switch shape {
        case .unknown, .cell, .word: .sometimes(.easing)
        case .easing: .always(.easing)
        default: .never
        }
      }
    case .path:
      return convert { shape in
        switch shape {
        case .unknown, .element, .text, .cell: .sometimes(shape)
        case .path: .always(.path)
        default: .never
        }
      }
    case .point, .ownPoint:
      return convert { shape in
        switch shape {
        case .unknown, .cell, .pair, .word: .sometimes(.point)
        case .element, .zero: .always(.point)
        default: .never
        }
      }
    case .effects, .text, .bitrate, .gain, .pan, .filters, .shadow, .transition, .clipping,
      .fontLength, .shift, .perspective, .points, .size, .factors, .angles, .lengths, .numbers,
      .times,
      .trim, .loop,
      .word, .weight, .axes, .colors, .opticalSize, .fonts, .files, .record, .frameRate, .pixelSize,
      .varied, .rate,
      .emitter:
      return self == .error ? .always(.error) : .sometimes(.unknown)
    }
  }
}

extension Type {
  /// Returns whether the values of another type, which may be that of a single value, are in this
  /// type. The sum of an empty list is in every type of numbers.
  package func contains(_ other: Type) -> Bool {
    if self == .unknown || other == .unknown || other == .nothing || other == .error { return true }
    return other.alternatives.allSatisfy { shape in
      alternatives.contains { $0.includes(shape) }
    }
  }

  private func includes(_ other: Type) -> Bool {
    switch (self, other) {
    case (.unknown, _): return true
    case (.quantity, .zero), (.percent, .zero), (.mixed, .zero), (.pair, .zero): return true
    case (.pair(let a, let b), .pair(let c, let d)), (.range(let a, let b), .range(let c, let d)):
      return a.contains(c) && b.contains(d)
    case (.list(let item, let items), .list(let other, let others)):
      if let items, let others, items.count == others.count {
        return zip(items, others).allSatisfy { $0.contains($1) }
      }
      return item.contains(other)
    case (.record(let a), .record(let b)):
      return b.fields.allSatisfy { field in a[field.name]?.contains(field.type) ?? a.isOpen }
    case (.word(let a), .word(let b)): return a.isSuperset(of: b)
    case (.element(let a), .element(let b)): return a.kind == nil || a.kind == b.kind
    default: return self == other
    }
  }
}
