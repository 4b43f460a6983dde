// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Functions of the finished video, which only the conditions of an `expect` may call.
extension BuiltIn {
  static let expectations: [BuiltIn] = [
    BuiltIn(
      "inside", taking: .subject("element"), .area("area"), gives: .bool,
      cost: .counted,
      summary: "Returns whether an element is inside an area of the frame, inside an 'expect'."
    ) { it, element, area throws(Reported) in
      .bool(try it.measured(.inside(element.number, area)))
    },
    BuiltIn(
      "overlaps", taking: .subject("a"), .subject("b"), gives: .bool,
      cost: .counted, summary: "Returns whether two elements overlap, inside an 'expect'."
    ) { it, a, b throws(Reported) in .bool(try it.measured(.overlaps(a.number, b.number))) },
    BuiltIn(
      "apart", taking: .subjects("elements"), gives: .bool,
      cost: .counted,
      summary: "Returns whether no two elements of a list overlap, inside an 'expect'."
    ) { it, list throws(Reported) in .bool(try it.measured(.apart(list))) },
    BuiltIn(
      "contrast-of", taking: .subject("text"), gives: .number,
      cost: .counted,
      summary:
        "Returns the contrast ratio of a text or captions to the background, inside an 'expect'."
    ) { it, text throws(Reported) in
      guard [.text, .captions].contains(text.instance.kind) else {
        throw it.report(
          .typeMismatch,
          "'contrast-of' requires a text or captions, found '\(text.instance.displayName)'",
          at: text.span, label: text.instance.kind.described)
      }
      return .number(try it.measured(.contrast(text.number)))
    },
    BuiltIn(
      "opacity-of", taking: .subject("element"), gives: .number,
      cost: .counted,
      summary:
        "Returns the product of the opacities of an element and all around it, inside an 'expect'."
    ) { it, element throws(Reported) in .number(try it.measured(.opacity(element.number))) },
    BuiltIn(
      "covered", taking: .subject("element"), gives: .bool,
      cost: .counted,
      summary:
        "Returns whether an opaque element hides more than half of an element, inside an 'expect'."
    ) { it, element throws(Reported) in .bool(try it.measured(.covered(element.number))) },
    BuiltIn(
      "readable", taking: .subject("element"), gives: .time,
      cost: .counted,
      summary:
        "Returns the longest time for which an element is opaque, in the frame and at rest, inside an 'expect'."
    ) { it, element throws(Reported) in
      .quantity(try it.measured(.readable(element.number)), .time)
    },
    BuiltIn(
      "still", taking: .subject("element"), gives: .time,
      cost: .counted,
      summary: "Returns the longest time without a change of an element, inside an 'expect'."
    ) { it, element throws(Reported) in
      .quantity(try it.measured(.still(element.number)), .time)
    },
    BuiltIn(
      "loudness", taking: .optional(.time("from")), .optional(.time("to")), gives: .number,
      cost: .counted,
      summary:
        "Returns the loudness of the mix in LUFS, inside an 'expect'; by default, during its lifetime."
    ) { it, from, to throws(Reported) in
      let life = try it.life(from: from, to: to)
      return .number(
        try it.measured(.loudness(from: Ticks(life.lowerBound), to: Ticks(life.upperBound))))
    },
    BuiltIn(
      "peak", gives: .number,
      cost: .counted, summary: "Returns the true peak of the mix in dBTP, inside an 'expect'."
    ) { it throws(Reported) in .number(try it.measured(.peak)) },
    BuiltIn(
      "flashes", gives: .number,
      cost: .counted,
      summary: "Returns the number of intervals in which the video flashes, inside an 'expect'."
    ) { it throws(Reported) in .number(try it.measured(.flashes)) },
  ]

  static let namesOfExpectations = Set(expectations.map(\.name))
}

/// An element as an argument, with its number among the subjects of the expectations.
struct NamedSubject {
  let instance: ElementNode
  let number: Int
  let span: SourceSpan
}

extension Parameter<NamedSubject> {
  /// Returns a parameter that accepts a drawn element.
  static func subject(_ name: String) -> Parameter {
    of(name, .element) { site, it throws(Reported) in try site.subject(it) }
  }
}

extension Parameter<[Int]> {
  /// Returns a parameter that accepts a list of drawn elements, and converts it to their numbers.
  static func subjects(_ name: String) -> Parameter {
    of(name, .list) { site, it throws(Reported) in
      try site.requireExpectation()
      guard case .list(let items) = it.value else {
        site.checker.mismatch("a list of elements", it.value, at: it.span)
        throw site.checker.reports.expected(it.span)
      }
      var numbers: [Int] = []
      for item in items {
        numbers.append(try site.subject(Given(value: item, span: it.span)).number)
      }
      return numbers
    }
  }
}

extension Parameter<Measurement.Area> {
  /// Returns a parameter that accepts the name of an area, or an element for its box.
  static func area(_ name: String) -> Parameter {
    let words = Set(FrameArea.allCases.map(\.rawValue))
    return of(name, .element, words: words) { site, it throws(Reported) in
      if case .word(let word) = it.value, let area = FrameArea(rawValue: word) {
        return .frame(margin: area.margin, name: area.description)
      }
      return .box(try site.subject(it, or: "safe-area, title-safe or scene").number)
    }
  }
}

extension Site {
  /// Throws unless the call is in a condition of an `expect`.
  func requireExpectation() throws(Reported) {
    guard !context.isExpectation else { return }
    throw report(
      .misplacedElement, "'\(call.name)' requires the finished video",
      label: "can be used only in an 'expect'",
      help: "write a condition: expect { \(checker.text(at: call.span)) … }")
  }

  /// Returns the interval from `from` to `to`, which are relative to the enclosing element. The
  /// defaults are the start and the end of the expectation.
  fileprivate func life(from: Scalar?, to: Scalar?) throws(Reported) -> Range<Int64> {
    try requireExpectation()
    let base = try need(checker.start(of: context.timeBase ?? context.owner, call.span)).rawValue
    let start = try need(checker.start(of: context.owner, call.span)).rawValue
    let end = try need(checker.end(of: context.owner, call.span)).rawValue
    func time(_ scalar: Scalar?, or other: Int64) throws(Reported) -> Int64 {
      guard let scalar else { return other }
      guard let ticks = scalar.constantValue.flatMap({ Ticks(rounding: $0) }) else {
        throw report(.notConstant, "the interval of 'loudness' cannot change over time")
      }
      return base + ticks.rawValue
    }
    let (low, high) = (try time(from, or: start), try time(to, or: end))
    guard low < high else {
      throw report(.wrongArguments, "'from' of 'loudness' must be before 'to'")
    }
    return low..<high
  }

  /// Returns an element whose appearance can be measured. `other` names other valid arguments.
  func subject(_ it: Given, or other: String? = nil) throws(Reported) -> NamedSubject {
    try requireExpectation()
    guard case .element(let instance) = it.value, instance.kind.isDrawn else {
      let wanted = "a drawn element" + (other.map { ", \($0)" } ?? "")
      if case .list = it.value {
        checker.mismatch(
          wanted, it.value, at: it.span,
          help: name(of: it).hasPrefix("[")
            ? "remove the brackets" : "select one with an index, such as \(name(of: it))[0]"
        )
      } else {
        checker.mismatch(wanted, it.value, at: it.span)
      }
      throw checker.reports.expected(it.span)
    }
    return NamedSubject(
      instance: instance, number: checker.measurements.number(of: instance), span: it.span)
  }

  private func name(of it: Given) -> String { checker.text(at: it.span) }

  /// Returns the node of a measurement.
  func measured(_ measurement: Measurement) throws(Reported) -> Scalar {
    try requireExpectation()
    return builder.make(.measured, index: checker.measurements.number(of: measurement))
  }
}

/// The measurements of the expectations of a scene, and the elements that they name.
struct MeasurementTable {
  private(set) var list: [Measurement] = []
  private(set) var subjects: [ElementNode] = []
  private var numbers: [Measurement: Int32] = [:]
  private var places: [Int: Int] = [:]

  mutating func number(of measurement: Measurement) -> Int32 {
    if let known = numbers[measurement] { return known }
    let number = Int32(list.count)
    list.append(measurement)
    numbers[measurement] = number
    return number
  }

  mutating func number(of instance: ElementNode) -> Int {
    if let known = places[instance.id] { return known }
    subjects.append(instance)
    places[instance.id] = subjects.count - 1
    return subjects.count - 1
  }
}

extension ElementKind {
  /// A sentence about the kind: "this is an image", "these are particles".
  fileprivate var described: String {
    if [.particles, .captions, .steps].contains(self) { return "these are \(rawValue)" }
    let isVowel = rawValue.first.map { "aeiou".contains($0) } ?? false
    return "this is \(isVowel || self == .svg ? "an" : "a") \(rawValue)"
  }
}
