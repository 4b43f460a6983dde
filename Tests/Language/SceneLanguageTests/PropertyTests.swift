// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneTestSupport
import Testing

@Suite(.cpuBudget(seconds: 1)) struct PropertyTests {
  @Test func aNameIsThatOfItsCase() {
    #expect(Property.cornerRadius.name == "corner-radius")
    #expect(Property.for.name == "for")
    #expect(Property.named("z") == .z)
    #expect(Property.named("cornerRadius") == nil)
    for property in Property.allCases { #expect(Property.named(property.name) == property) }
  }

  @Test func noKindHasAPropertyTwice() {
    for property in Property.allCases {
      let declaration = property.declaration
      let count = declaration.uses.reduce(0) { $0 + $1.kinds.count }
      #expect(count == declaration.kinds.count)
      #expect(!declaration.uses.isEmpty)
      #expect(property.summary.hasSuffix(".") && property.summary.count <= 80, "\(property)")
    }
  }

  /// Properties with a number, word or Boolean as the value have a default, except those whose
  /// default depends on other values.
  @Test func whatIsAskedForHasAnInitialValue() {
    let dependent: Set<Property> = [
      // Depends on the number of children, the anchor, the radius, the path, the file or the
      // output's name.
      .columns, .align, .innerRadius, .startOffset, .maxLines, .fps, .loop, .blur,
      .codec, .level, .profile, .preset, .pixelFormat, .frameRate,
      // Depends on the speed, the audio or its loudness.
      .pitch, .audio, .loudness,
      // Depends on whether the other property is set.
      .justify, .alignSelf,
      // Depends on the rate.
      .burst,
    ]
    for property in Property.allCases where !dependent.contains(property) {
      for use in property.declaration.uses {
        switch use.type {
        case .number, .length, .share, .bool, .word, .factors, .angles, .weight:
          #expect(use.initial != nil, "\(property)")
        default: break
        }
      }
    }
  }

  @Test func anInitialWordIsOneOfItsWords() {
    for property in Property.allCases {
      for use in property.declaration.uses {
        guard case .word(let words) = use.type, let word = use.initial?.word else { continue }
        #expect(words.contains(word), "\(property)")
      }
    }
  }

  @Test func elementsHaveTheirProperties() {
    let circle = Property.all(of: .circle)
    #expect(circle.contains(.radius) && !circle.contains(.size))
    #expect(circle.map(\.name) == circle.map(\.name).sorted())
    #expect(Property.radius.declaration.use(in: .ellipse)?.type == .lengthPair)
    #expect(Property.strokeWidth.declaration.use(in: .line)?.initial == .number(4))
    #expect(Property.strokeWidth.declaration.use(in: .rect)?.initial == .number(1))
    #expect(Property.size.declaration.use(in: .rect)?.range == .atLeast(0))
    #expect(Property.size.declaration.use(in: .scene)?.range == nil)
  }

  @Test func rangesOfValues() {
    #expect(ValueRange.atLeast(0).contains(0) && !ValueRange.atLeast(0).contains(-0.1))
    #expect(!ValueRange.above(0).contains(0))
    #expect(ValueRange.between(0, 1).contains(1) && !ValueRange.between(0, 1).contains(1.1))
    #expect(ValueRange.between(0.5, 100).description == "between 0.5 and 100")
    #expect(ValueRange.above(1).description == "above 1")
  }
}
