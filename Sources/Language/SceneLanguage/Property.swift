// SPDX-License-Identifier: MIT

/// A property of the language. Its name in scenes is the kebab-case form of the case name:
/// `cornerRadius` is written `corner-radius`. `Property+Declaration.swift` declares everything
/// else, and `Property+Summary.swift` describes it.
package enum Property: Int, CaseIterable, CodingKey, Hashable, Sendable {
  // Timing
  case at, `for`, stagger, timeStep, enter, exit, transition, overlap, speed, time, order, chapter
  // Placement
  case position, anchor, translate, rotate, scale, skew, pivot, z, size, lookAt, zoom
  case rotateX, rotateY, translateZ, perspective, perspectiveOrigin, backface
  case dolly, orbit, focusDistance, aperture
  case grow, minWidth, maxWidth, minHeight, maxHeight
  case copies, stepTranslate, stepRotate, stepScale, stepOpacity, stepOffset
  case stepRotateX, stepRotateY, stepTranslateZ
  case gap, padding, paddingLeft, paddingTop, paddingRight, paddingBottom
  case columns, align, alignSelf, alignContent, justify
  case width, fitWidth, along, alongShape, startOffset, fit, focus
  case imageRendering
  // Appearance
  case opacity, blend, light, visible, filter, edge, backdropFilter, shadow, clip, style, blur
  case luminance, invert
  case fill, stroke, strokeWidth, cap, join, miterLimit, dash, dashOffset, paintOrder, trim
  case trimOffset, strokeScale, taper, strokeProfile, profileOf
  case rough, roughSeed, boil
  case mixing, easing
  // Sound
  case volume, pan, fadeIn, fadeOut, pitch, speech
  // Accessibility
  case alt, decorative
  // Decoding of clips
  case alpha, damaged, blendFrames, placeholder
  // Shapes
  case radius, innerRadius, cornerRadius, cornerSmoothing, points, start, sweep, closed, from, to,
    route, head, tail
  case data
  // Particles
  case emit, rate, burst, emitFor, prewarm, life, heading, spread, inherit, gravity, drag
  case turbulence, turbulenceScale, shape, stretch, orient
  // Text
  case content, font, fontSize, fontWeight, fontWidth, fontAxes, opticalSize, italic, features,
    tabular, language, syntax, syntaxColors, letterSpacing
  case direction, underline, lineHeight, maxLines, wrap, baselineShift, mathStyle
  // Files and scene settings
  case source, kind, label, fps, loop, background, tempo, seed, motionBlur, samples, flashLimit
  case title, author, comment
  // Expectations
  case golden, tolerance
  // Projects
  case root, fonts, params, limits
  // Outputs
  case codec, quality, bitrate, profile, level, preset, pixelFormat, frameRate, layout, copy,
    captions, described
  case audio, loudness, peak, sampleRate, channels, bits

  /// The name in scenes.
  package var name: String { Property.names[rawValue] }

  /// The name in scenes, instead of the description that `CodingKey` provides.
  package var description: String { name }

  /// The position in the list of all properties sorted by name.
  package var rank: Int { Property.ranks[rawValue] }

  /// The declaration of the property.
  package var declaration: Declaration { Property.declarations[rawValue] }

  /// Returns the property with a name; `nil` if there is none.
  package static func named(_ name: String) -> Property? { byName[name] }

  /// Returns the properties of an element kind, sorted by name.
  package static func all(of kind: ElementKind) -> [Property] {
    allCases.filter { $0.declaration.use(in: kind) != nil }.sorted { $0.name < $1.name }
  }

  /// The words of each property with an enumeration type.
  package static let enumerations: [[String]] = declarations.flatMap(\.uses).compactMap {
    if case .word(let words) = $0.type { words } else { nil }
  }

  /// Returns the uses of the properties for an element kind, indexed by raw value.
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
  /// The names in scenes. `stringValue`, which the compiler synthesizes for coding keys, returns the
  /// case name without reflection. Interpolating all cases would take as long as parsing the
  /// standard library.
  private static let names = allCases.map { property in
    String(
      decoding: property.stringValue.utf8.flatMap { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          ? [UInt8(ascii: "-"), byte | 0x20] : [byte]
      }, as: UTF8.self)
  }
}

extension Property {
  /// The declaration of a property.
  package struct Declaration: Sendable {
    /// The uses of the property; each kind occurs in at most one of them.
    package let uses: [Use]
    /// Whether elements inherit the value from the nearest ancestor that sets it.
    package private(set) var isInherited = false
    /// Whether the value must be constant over time.
    private var isConstant = false
    /// The property that this one requires in order to have an effect.
    package private(set) var needed: Property?

    init(_ uses: Use...) { self.uses = uses }

    /// Returns the use for an element kind; `nil` if the kind does not have the property.
    package func use(in kind: ElementKind) -> Use? { uses.first { $0.kinds.contains(kind) } }

    /// Returns whether the value must be constant over time in an element of a kind.
    package func isConstant(in kind: ElementKind) -> Bool { isConstant && use(in: kind) != nil }

    /// The kinds that have the property.
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

  /// The type, range and default of a property for some element kinds.
  package final class Use: Sendable {
    package let kinds: Set<ElementKind>
    package let type: PropertyType
    /// The default; `nil` if it depends on other values or the property is required.
    package let initial: InitialValue?
    /// The range of each number, length and angle in the value; `nil` if every number is permitted,
    /// or if the checker has a specific rule.
    package let range: ValueRange?

    init(
      _ kinds: Set<ElementKind>, _ type: PropertyType, default initial: InitialValue? = nil,
      in range: ValueRange? = nil
    ) {
      self.kinds = kinds
      self.type = type
      self.initial = initial
      self.range = range
    }
  }
}
