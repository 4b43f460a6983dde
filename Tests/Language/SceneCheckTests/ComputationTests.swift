// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import SceneTypes
import Testing

/// Compares computations before the first frame with equivalent code in Swift.
@Suite("Computation", .cpuBudget(seconds: 1)) struct ComputationTests {
  /// Returns the text of a value.
  private func value(_ expression: String, _ declarations: String = "") throws -> String {
    let source = "\(declarations)\nscene { for: 1s;  title: \"{\(expression)}\" }"
    let checked = checked(source)
    try #require(checked.diagnostics.isEmpty, "\(checked.diagnostics.map(\.message)) \(source)")
    return try #require(checked.model).title
  }

  private func written(_ numbers: [Int]) -> String {
    "[" + numbers.map(String.init).joined(separator: ", ") + "]"
  }

  @Test func foldsAndScans() throws {
    var generator = Generator(seed: 17)
    for _ in 0..<40 {
      let numbers = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
        Int.random(in: -50..<50, using: &generator)
      }
      let list = written(numbers)
      #expect(
        try value("fold(\(list), 3, fn(a, x) = 2 * a - x)")
          == "\(numbers.reduce(3) { 2 * $0 - $1 })")
      #expect(try value("fold(\(list), -99, max)") == "\(numbers.reduce(-99, max))")
      let sums = numbers.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
      #expect(
        try value("join(scan(\(list), 0, fn(a, x) = a + x), \",\")")
          == sums.map(String.init).joined(separator: ","))
      let pairs = numbers.flatMap { a in numbers.filter { $0 > a }.map { a * $0 } }
      #expect(
        try value("join([for a in \(list) for b in \(list) if b > a: a * b], \",\")")
          == pairs.map(String.init).joined(separator: ","))
    }
  }

  /// Characters of long texts are found by cached tables. Texts of the same length with canonically
  /// equivalent characters have different tables.
  @Test func selectsCharacters() throws {
    let clusters = ["a", "é", "e\u{301}", "👩‍👩‍👧", "🇩🇪", "각", "\u{1112}\u{1161}\u{11AB}", "Z"]
    var generator = Generator(seed: 5)
    for _ in 0..<20 {
      let ends = (0..<2).map { _ in
        (0..<3).map { _ in clusters.randomElement(using: &generator) ?? "" }.joined()
      }
      let texts = (ends + ["é" + "e\u{301}", "e\u{301}" + "é"]).map {
        $0 + String(repeating: "x", count: 80)
      }
      let declarations = texts.enumerated().map { "let s\($0) = \"\($1)\"" }.joined(separator: "\n")
      for (index, text) in texts.enumerated() {
        let characters = Array(text)
        let (a, b) = (
          Int.random(in: 0..<3, using: &generator), Int.random(in: 3..<9, using: &generator)
        )
        let others = (0..<4).map { "s\($0)[0]" }.joined(separator: ", ")
        let found = try value(
          "join([\(others), s\(index)[\(a)], s\(index)[\(a)..\(b)]], \"\")", declarations)
        let wanted =
          texts.map { String($0.first ?? " ") }.joined() + String(characters[a])
          + String(characters[a..<b])
        #expect(found.unicodeScalars.elementsEqual(wanted.unicodeScalars), "\(found) \(wanted)")
      }
    }
  }

  /// Powers of units saturate.
  @Test func multipliesUnitsWithoutEnd() throws {
    let powers = (1...80).map { "let a\($0) = a\($0 - 1) * a\($0 - 1)" }
    let declarations = (["let a0 = 1deg"] + powers).joined(separator: "\n")
    #expect(try value("a80 / a80", declarations) == "1")
  }

  /// A sort function in a scene.
  @Test func sorts() throws {
    let functions = """
      fn swapped(xs: list<number>, j: number) -> list<number> =
        [for x, k in xs: k == j ? xs[j + 1] : k == j + 1 ? xs[j] : x]
      fn compared(xs: list<number>, j: number) -> list<number> =
        xs[j] > xs[j + 1] ? swapped(xs, j) : xs
      fn sorted(xs: list<number>, before: fn(list<number>, number) -> list<number>) -> list<number> =
        fold([for i in 0..len(xs) for j in 0..(len(xs) - 1 - i): j], xs, before)
      """
    var generator = Generator(seed: 3)
    for count in 0..<9 {
      let numbers = (0..<count).map { _ in Int.random(in: 0..<20, using: &generator) }
      #expect(
        try value("join(sorted(\(written(numbers)), compared), \",\")", functions)
          == numbers.sorted().map(String.init).joined(separator: ","))
    }
  }

  @Test(arguments: ["banana", "", "a", "né🇩🇪e\u{301}x", "aXbXc", "XX", "straße", "  a  b "])
  func texts(_ text: String) throws {
    #expect(try value("upper(\"\(text)\")") == text.uppercased())
    #expect(try value("lower(\"\(text)\")") == text.lowercased())
    #expect(try value("len(\"\(text)\")") == "\(text.count)")
    #expect(
      try value("join(split(\"\(text)\", \"\"), \"-\")")
        == text.map { String($0) }.joined(separator: "-"))
    #expect(
      try value("join(split(\"\(text)\", \"X\"), \"-\")")
        == text.split(separator: "X", omittingEmptySubsequences: false).joined(separator: "-"))
    #expect(
      try value("replace(\"\(text)\", \"X\", \"__\")")
        == text.split(separator: "X", omittingEmptySubsequences: false).joined(separator: "__"))
    #expect(try value("contains(\"\(text)\", \"a\")") == "\(text.contains("a"))")
    for end in 0...text.count {
      #expect(try value("\"\(text)\"[0..\(end)]") == String(text.prefix(end)))
      #expect(try value("starts-with(\"\(text)\", \"\(text.prefix(end))\")") == "true")
      #expect(try value("ends-with(\"\(text)\", \"\(text.suffix(end))\")") == "true")
    }
  }

  /// The length of a list is constant even if its items change over time.
  @Test(arguments: ["[v, 2]", "vs", "[[v], [v, v]]", "[for x in 0..2: v + x]", "concat([v], [v])"])
  func lengthsOfListsAreConstant(_ list: String) throws {
    let checked = checked(
      """
      scene { for: 9s;  let v = 1 -> 8 over 2s;  let vs = [v, 2]
          rect { at: len(\(list)) * 1s }
      }
      """)
    let model = try #require(checked.model, "\(checked.diagnostics.map(\.message))")
    #expect(model.elements[0].start == Ticks(2 * Ticks.perSecond))
  }

  /// An error in the length of a value is reported only once.
  @Test(arguments: [
    "[for x in 0..5 if x < t / 1s: x]", "[missing, 2]", "\"{v}\"", "v", "concat([missing], [1])",
  ])
  func aLengthHasOneError(_ value: String) {
    let checked = checked(
      "scene { for: 9s;  let v = 1 -> 8 over 2s;  rect { at: len(\(value)) * 1s } }")
    let errors = checked.diagnostics.filter { $0.severity == .error }
    #expect(errors.count == 1, "\(errors.map(\.message))")
  }

  /// The parameters of a lambda are separate names.
  @Test func parametersAreNames() throws {
    let text = "scene { let x = 1;  title: \"{fold([1], x, fn(a, x) = a + x)}\" }"
    let file = SourceFile(id: FileID(0), name: "a.scene", text: text)
    let index = NameIndex(parse(file).tree)
    let uses = index.uses.compactMap { use -> String? in
      guard case .symbol(let it) = use.meaning else { return nil }
      return "\(use.name)\(use.span.start) \(index.symbols[it].name.span.start)"
    }
    #expect(uses == ["x39 12", "a53 45", "x57 48"])
  }

  /// The names of a pixel function may form a chain of any length.
  @Test func pixelFunctionsMayHaveManyNames() {
    let names = (1..<600).map { "let a\($0) = mix(a\($0 - 1), clamp(a\($0 - 1) + 1, 0, 1), 0.5)" }
    let source = """
      filter many(amount: number) {
      let a0 = amount
      \(names.joined(separator: "\n"))
      color: srgb(a599, 0, 0)
      }
      scene { for: 1s;  rect { fill: red;  filter: many(1) } }
      """
    #expect(checked(source).diagnostics.isEmpty)
  }
}
