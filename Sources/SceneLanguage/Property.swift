// SPDX-License-Identifier: MIT

/// A property of the language. Its name in a scene is that of its case: `cornerRadius` is written
/// `corner-radius`. All else that is known of it stands in `Property+Declaration.swift`.
package enum Property: Int, CaseIterable, Hashable, Sendable {
  // When
  case at, `for`, stagger, timeStep, enter, exit, transition, speed, time, order, chapter
  // Where
  case position, anchor, translate, rotate, scale, skew, pivot, z, size, lookAt, zoom
  case grow, minWidth, maxWidth, minHeight, maxHeight
  case copies, stepTranslate, stepRotate, stepScale, stepOpacity, stepOffset
  case gap, padding, paddingLeft, paddingTop, paddingRight, paddingBottom
  case columns, align, alignSelf, alignContent, justify
  case width, fitWidth, along, startOffset, fit, focus
  // How it is drawn
  case opacity, blend, visible, filter, edge, backdropFilter, shadow, clip, style, blur, luminance,
    invert
  case fill, stroke, strokeWidth, cap, join, miterLimit, dash, dashOffset, paintOrder, trim
  case trimOffset, strokeScale
  case mixing, easing
  // How it sounds
  case volume, pan, fadeIn, fadeOut, pitch
  // How a clip is read
  case alpha, damaged
  // Forms
  case radius, innerRadius, cornerRadius, cornerSmoothing, points, start, sweep, closed, from, to,
    route, head, tail
  case data
  // Texts
  case content, font, fontSize, fontWeight, italic, features, tabular, language, letterSpacing
  case direction, underline, lineHeight, maxLines, wrap, baselineShift, mathStyle
  // Files, and what a scene says of itself
  case source, fps, loop, background, tempo, seed, motionBlur, samples, title, author, comment
  // Outputs
  case codec, quality, bitrate, profile, level, preset, pixelFormat, frameRate, layout, copy
  case audio, loudness, peak, sampleRate, channels, bits

  /// As it is written in a scene.
  package var name: String { Property.names[rawValue] }

  /// Its place among all of them in the order of their names.
  package var rank: Int { Property.ranks[rawValue] }

  /// What is known of it.
  package var declaration: Declaration { Property.declarations[rawValue] }

  /// The property of a name.
  package static func named(_ name: String) -> Property? { byName[name] }

  /// The properties that an element of a kind may have, by name.
  package static func all(of kind: ElementKind) -> [Property] {
    allCases.filter { $0.declaration.use(in: kind) != nil }.sorted { $0.name < $1.name }
  }

  /// The words of each property that takes words.
  package static let enumerations: [[String]] = declarations.flatMap(\.uses).compactMap {
    if case .word(let words) = $0.type { words } else { nil }
  }

  /// How elements of a kind have the properties, each at the place of its number.
  package static func uses(in kind: ElementKind) -> [Use?] { usesByKind[kind] ?? [] }

  private static let declarations = allCases.map(\.declared)
  private static let usesByKind: [ElementKind: [Use?]] = {
    let none = [Use?](repeating: nil, count: allCases.count)
    var byKind = Dictionary(uniqueKeysWithValues: ElementKind.allCases.map { ($0, none) })
    for property in allCases {
      for use in property.declaration.uses {
        for kind in use.kinds { byKind[kind]?[property.rawValue] = use }
      }
    }
    return byKind
  }()
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
  private static let ranks: [Int] = {
    var ranks = Array(repeating: 0, count: allCases.count)
    for (rank, property) in allCases.sorted(by: { $0.name < $1.name }).enumerated() {
      ranks[property.rawValue] = rank
    }
    return ranks
  }()
  private static let names = allCases.map { property in
    String("\(property)".flatMap { $0.isUppercase ? "-" + $0.lowercased() : String($0) })
  }
}

extension Property {
  /// What is known of a property.
  package struct Declaration: Sendable {
    /// Where it may stand; no kind is in two of them.
    package let uses: [Use]
    /// Whether elements without it take that of the nearest element around them which has it.
    package private(set) var isInherited = false
    /// Whether its value must not change over time.
    package private(set) var isConstant = false
    /// The property without which it does nothing.
    package private(set) var needed: Property?
    /// What it does, in one sentence.
    package let summary: String

    init(_ summary: String, _ uses: Use...) {
      self.summary = summary
      self.uses = uses
    }

    /// How an element of a kind has it; `nil` when it does not.
    package func use(in kind: ElementKind) -> Use? { uses.first { $0.kinds.contains(kind) } }

    /// The kinds that have it.
    package var kinds: Set<ElementKind> { uses.reduce(into: []) { $0.formUnion($1.kinds) } }

    var inherited: Self { with { $0.isInherited = true } }
    var constant: Self { with { $0.isConstant = true } }
    func needs(_ property: Property) -> Self { with { $0.needed = property } }

    private func with(_ change: (inout Self) -> Void) -> Self {
      var it = self
      change(&it)
      return it
    }
  }

  /// A property of some kinds of elements.
  package final class Use: Sendable {
    package let kinds: Set<ElementKind>
    package let type: PropertyType
    /// Its value where nothing gives it; `nil` where that depends on other things, or where it has to
    /// be given.
    package let initial: InitialValue?

    init(_ kinds: Set<ElementKind>, _ type: PropertyType, _ initial: InitialValue? = nil) {
      self.kinds = kinds
      self.type = type
      self.initial = initial
    }
  }
}
