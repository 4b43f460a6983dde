// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneIR
import SceneLower
import SceneModel
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Changes of the parameters of components.
@Suite("Parameter changes", .cpuBudget(seconds: 2)) struct ParameterChangeTests {
  private static func checked(_ text: String, _ options: CheckOptions = CheckOptions()) -> Checked {
    check(
      parse(SourceFile(name: "a.scene", text: text)), options: options, metrics: FixedMetrics(),
      assets: OneImage())
  }

  /// Returns the frames of a scene. Numbers are rounded, since a mix of colors is exact only up to
  /// the precision of the color space.
  private static func frames(_ text: String) throws -> [String] {
    let checked = checked(text)
    #expect(!checked.diagnostics.hasErrors, "\(checked.diagnostics) \(text)")
    let model = try #require(checked.model)
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return (0..<model.frameCount).map { lowerer.lower(frame: $0).description }
  }

  // MARK: Values

  /// Component bodies that read the parameter `v`, with three values of it.
  private static let readers: [(String, type: String, [String])] = [
    ("rect { size: (v, 20 + v / 2) }", "number", ["10", "60", "35.5"]),
    ("rect { size: (v, 10) }", "length", ["10%", "60", "20% + 5"]),
    ("rect { fill: v }", "color", ["teal", "#ff000080", "white"]),
    ("rect { fill: linear-gradient(v, red) }", "color", ["teal", "gold", "black"]),
    (
      "rect { fill: v }", "paint",
      [
        "linear-gradient(red, blue)", "linear-gradient(gold, teal, angle: 40deg)",
        "linear-gradient(white, black)",
      ]
    ),
    ("circle { position: v;  radius: v.x / 10 }", "pair", ["(10, 20)", "(100, 40)", "(50, 50)"]),
    ("rect { rotate: v }", "angle", ["0deg", "90deg", "0.5turn"]),
    ("rect { opacity: v;  scale: 1 + v / 100% }", "percent", ["0%", "100%", "25%"]),
    ("text \"{v} is {round(v * 10) / 10}\" { }", "number", ["1", "2.5", "-3"]),
    ("text \"{v}\" { }", "text", ["\"one\"", "\"two\"", "\"\""]),
    (
      "path { data: v;  fill: red }", "path",
      [
        "path(\"M0 0 L10 0 L10 10Z\")", "path(\"M0 0 L90 0 L10 60Z\")",
        "path(\"M0 0 L10 0 L9 99Z\")",
      ]
    ),
    (
      "for x, i in v { circle { radius: x;  position: (40 * i, x) } }", "list<number>",
      ["[1, 2, 3]", "[9, 8, 7]", "[2, 2, 20]"]
    ),
    (
      "polyline { points: [for x, i in v: (x, i * 30)] }", "list<number>",
      ["[1, 2, 3]", "[9, 8, 7]", "[2, 2, 20]"]
    ),
    ("let twice = v * 2\n rect { visible: twice > 40;  size: twice }", "number", ["5", "50", "5"]),
    ("Inner { n: v + 1 }", "number", ["1", "7", "3"]),
    ("math $x$ { font-size: v;  translate: (v, 0) }", "number", ["10", "17", "30"]),
    ("rect { fill: v > 20 ? red : blue }", "number", ["1", "50", "3"]),
    ("rect { visible: v }", "bool", ["true", "false", "true"]),
  ]

  private static func program(_ body: String, _ type: String, _ use: String) -> String {
    """
    component Inner(n: number) { circle { radius: n * 10 } }
    component It(v: \(type)) { group { size: 300x300;  \(body) } }
    scene { size: 400x400;  for: 3s;  fps: 10\n\(use)\n}
    """
  }

  /// Changes equal keyframes that are written by hand.
  @Test(arguments: readers.indices) func changesAreKeyframes(_ index: Int) throws {
    let (body, type, values) = Self.readers[index]
    let inside = Self.program(
      body, type,
      """
      It { v: \(values[0])
        change { at: 0.5s;  v: \(values[1]) }
        change { at: 1.5s;  for: 1s;  easing: linear;  v: \(values[2]) } }
      """)
    let elsewhere = Self.program(
      body, type,
      """
      It it { v: \(values[0]) }
      steps { at: 0.5s
        step { for: 1s;  change of it { v: \(values[1]) } }
        step { change of it { for: 1s;  easing: linear;  v: \(values[2]) } } }
      """)
    let written = Self.program(
      body, type,
      """
      It { v: keyframes { 0s: \(values[0]);  0.5s: \(values[0])
        1s: \(values[1]) with ease-in-out;  1.5s: \(values[1])
        2.5s: \(values[2]) with linear } }
      """)
    let expected = try Self.frames(written)
    #expect(try Self.frames(inside) == expected)
    #expect(try Self.frames(elsewhere) == expected)
    #expect(Set(expected).count >= 2)
  }

  /// Overlapping changes of a parameter combine like those of a property.
  @Test func overlappingChangesCombine() throws {
    let changes = [
      "at: 0.2s;  for: 1.5s;  NAME: 200", "at: 0.8s;  for: 1.2s;  easing: linear;  NAME: 20",
      "at: 0.8s;  for: 0.3s;  NAME: 90", "at: 1.4s;  for: 1s;  NAME: 300;  easing: ease-out-back",
    ]
    func body(_ name: String) -> String {
      changes.map { "change { \($0.replacing("NAME", with: name)) }" }.joined(separator: "\n")
    }
    let property =
      "scene { size: 400x400;  for: 3s;  fps: 10\ncircle { radius: 40;  \(body("radius")) } }"
    let parameter =
      "component It(v: number) { circle { radius: v } }\n"
      + "scene { size: 400x400;  for: 3s;  fps: 10\nIt { v: 40;  \(body("v")) } }"
    #expect(try Self.frames(parameter) == Self.frames(property))
  }

  /// The start of a change counts from the start of the use, in a sequence and in another scene, too.
  @Test func changesHaveTheClockOfTheirUse() throws {
    func scene(_ first: String, _ second: String) -> String {
      """
      component It(v: number) { circle { radius: v } }
      scene part { size: 400x400;  for: 1s;  fps: 10;  \(first) }
      scene { size: 400x400;  for: 3s;  fps: 10
        sequence { part { }  group { for: 1s;  \(second) }  part { speed: 50% } } }
      """
    }
    let change = "It { v: 5;  at: 0.2s;  change { at: 0.3s;  v: 50 } }"
    let keys = "It { v: keyframes { 0s: 5;  0.3s: 5;  0.8s: 50 with ease-in-out };  at: 0.2s }"
    #expect(try Self.frames(scene(change, change)) == Self.frames(scene(keys, keys)))
  }

  /// A value that is read from outside follows as well.
  @Test func membersFollow() throws {
    func scene(_ use: String) -> String {
      """
      component It(v: number) { circle { radius: v } }
      scene { size: 400x400;  for: 2s;  fps: 10;  \(use)
        rect { size: (it.v * 2, 9);  position: it.bottom } }
      """
    }
    #expect(
      try Self.frames(scene("It it { v: 5;  change { at: 0.5s;  v: 50 } }"))
        == Self.frames(scene("It it { v: keyframes { 0.5s: 5;  1s: 50 with ease-in-out } }")))
  }

  // MARK: Structure

  /// The number of elements may depend on the length of a list that changes, and on values that do
  /// not change.
  @Test(arguments: [
    "for i in 0..len(v) { circle { radius: v[i] } }",
    "if len(v) > 2 { circle { radius: v[0] } }",
    "for x in v for y in v { circle { radius: x + y } }",
    "for x, i in v if i > 0 { circle { radius: x } }",
    "let w = [for x in v: x + 1]\n for x in w { circle { radius: x } }",
    "let rows = [for x in v: [x, 2 * x]]\n for row in rows { for x in row { circle { radius: x } } }",
  ])
  func lengthsOfListsAreConstant(_ body: String) throws {
    func scene(_ use: String) -> String {
      "component It(v: list<number>) { \(body) }\nscene { size: 400x400;  for: 2s;  fps: 10;  \(use) }"
    }
    let expected = try Self.frames(
      scene("It { v: keyframes { 0.5s: [1, 2, 3];  1s: [4, 6, 5] with ease-in-out } }"))
    #expect(
      try Self.frames(scene("It { v: [1, 2, 3];  change { at: 0.5s;  v: [4, 6, 5] } }")) == expected
    )
    #expect(
      try Self.frames(scene("It it { v: [1, 2, 3] }\nchange of it { at: 0.5s;  v: [4, 6, 5] }"))
        == expected)
  }

  /// An error is at the `change` and names the place that requires a constant.
  @Test(arguments: [
    ("for i in 0..«v» { circle { radius: i } }", "the range of 'for'"),
    ("if «v > 2» { circle { } }", "the condition of 'if'"),
    ("repeat { copies: «v»;  circle { } }", "'copies'"),
    ("rect { at: «v» * 1s }", "'at'"),
    ("let n = v + 1\n for i in «0..n» { circle { } }", "the range of 'for'"),
    (
      "rect card { size: v }\n for i in «0..card.box.width / 10» { circle { } }",
      "the range of 'for'"
    ),
  ])
  func errorsNameTheReader(_ body: String, _ reader: String) throws {
    let text = body.replacing("«", with: "").replacing("»", with: "")
    let uses = [
      "It { v: 3;  change { v: 5 } }", "It it { v: 3 }\nchange of it { v: 5 }",
      "Outer { v: 3;  change { v: 5 } }", "Outer it { v: 3 }\nchange of it { v: 5 }",
    ]
    for use in uses {
      let source =
        "component It(v: number) { \(text) }\ncomponent Outer(v: number) { It { v: v } }\n"
        + "scene { for: 9s;  \(use) }"
      let checked = Self.checked(source)
      let errors = checked.diagnostics.filter { $0.severity == .error }
      #expect(errors.count == 1, "\(errors) \(source)")
      let error = try #require(errors.first)
      let file = try #require(checked.sources.first)
      #expect(error.code == .notConstant && file.text(error.span) == "v")
      #expect(error.label == "\(reader) depends on it", "\(source)")
      let place = try #require(error.notes.first?.span)
      let component = try #require(source.utf8.firstIndex(of: UInt8(ascii: "\n")))
      #expect(place.end <= component.utf16Offset(in: source) || body.contains("\n"))
      #expect(body.contains("«") && text.contains(file.text(place)), "\(file.text(place))")
    }
  }

  // MARK: Random components

  private struct Maker {
    var random: Generator

    private mutating func pick<T>(_ items: [T]) -> T {
      items[Int.random(in: items.indices, using: &random)]
    }

    private mutating func number() -> Int { Int.random(in: 1...90, using: &random) }

    private mutating func value(_ type: String) -> String {
      switch type {
      case "number": "\(number())"
      case "length": pick(["\(number())", "\(number())%", "\(number())% + \(number())"])
      case "color": pick(["teal", "red", "#12345680", "hsl(\(number())deg, 70%, 40%)", "gold"])
      case "pair": "(\(number()), \(number()))"
      case "angle": "\(number())deg"
      case "text": "\"\(number())\""
      default: "[\(number()), \(number()), \(number())]"
      }
    }

    /// Returns an element that reads a parameter. It has a color, since the default color depends on
    /// the elements behind it.
    private mutating func reader(_ name: String, _ type: String) -> String {
      switch type {
      case "number":
        pick([
          "rect { fill: gray;  size: (\(name), 10 + \(name)) }",
          "text \"{round(\(name))}\" { fill: gray;  }",
          "circle { fill: gray;  radius: \(name);  opacity: \(name) > 40 ? 0.5 : 1 }",
          "Inner { n: \(name) * 2 }",
          "for i in 0..3 { circle { fill: gray;  radius: i * \(name) } }",
          "text \"a\" { fill: gray;  font-size: 10 + \(name) }",
        ])
      case "length":
        pick([
          "rect { fill: gray;  size: (\(name), 9) }",
          "circle { fill: gray;  position: (\(name), 40) }",
        ])
      case "color":
        pick(["rect { fill: \(name) }", "circle { stroke: mix(\(name), red, 0.3) }"])
      case "pair":
        pick(["circle { fill: gray;  position: \(name) }", "rect { fill: gray;  size: \(name) }"])
      case "angle": "rect { fill: gray;  rotate: \(name) }"
      case "text": "text \"<{\(name)}>\" { fill: gray;  }"
      default:
        pick([
          "for x, i in \(name) { circle { fill: gray;  radius: x;  position: (i * 50, x) } }",
          "polyline { fill: gray;  points: [for x, i in \(name): (i * 10, x)] }",
          "for x in [for y in \(name): y / 2] { rect { fill: gray;  size: (x, 9) } }",
          "row { for x in \(name) { rect { fill: gray;  size: (10, x) } } }",
        ])
      }
    }

    /// Returns a program with changes, and one with keyframes.
    mutating func programs() -> (changes: String, keyframes: String) {
      var (parameters, readers) = ([String](), [String]())
      var (given, written, inside, outside) = ([String](), [String](), [String](), [String]())
      let start = Int.random(in: 0...4, using: &random)
      for index in 0...Int.random(in: 0...3, using: &random) {
        let name = "p\(index)"
        let type = pick(["number", "length", "color", "pair", "angle", "text", "list<number>"])
        parameters.append("\(name): \(type)")
        for _ in 0...Int.random(in: 0...2, using: &random) { readers.append(reader(name, type)) }
        var last = value(type)
        given.append("\(name): \(last)")
        var keys = "0s: \(last)"
        var time = 0
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let begin = time + Int.random(in: 0...5, using: &random)
          let length = Int.random(in: 1...8, using: &random)
          let easing = pick(["ease-in-out", "linear", "ease-out-cubic", "ease-in-out-back"])
          let next = value(type)
          keys += "\n\(begin)00ms: \(last)\n\(begin + length)00ms: \(next) with \(easing)"
          let body = "for: \(length)00ms;  easing: \(easing);  \(name): \(next)"
          if Bool.random(using: &random) {
            inside.append("change { at: \(begin)00ms;  \(body) }")
          } else {
            outside.append("change of it { at: \(begin + start)00ms;  \(body) }")
          }
          (time, last) = (begin + length, next)
        }
        written.append("\(name): keyframes { \(keys) }")
      }
      let head =
        "component Inner(n: number) { let m = n + 1\n circle { radius: m;  fill: gray } }\n"
        + "component It(\(parameters.joined(separator: ", "))) { group { size: 300x300\n"
        + "\(readers.joined(separator: "\n")) } }\n"
        + "scene { size: 400x400;  for: 4s;  fps: 10\n"
      let at = "at: \(start)00ms"
      let changes =
        "\(head)It it { \(at)\n\((given + inside).joined(separator: "\n")) }\n"
        + "\(outside.joined(separator: "\n")) }"
      return (changes, "\(head)It it { \(at)\n\(written.joined(separator: "\n")) } }")
    }
  }

  @Test(arguments: 0..<(Soak.isRunning ? 100 : 50))
  func randomChangesAreKeyframes(_ seed: Int) throws {
    var maker = Maker(random: Generator(seed: UInt64(seed)))
    let (changes, keyframes) = maker.programs()
    #expect(try Self.frames(changes) == Self.frames(keyframes), "\(changes)\n\(keyframes)")
  }

  // MARK: Editors

  /// The record of an argument contains its changes.
  @Test func argumentsHaveTheirChanges() throws {
    var options = CheckOptions()
    options.recordsElements = true
    let checked = Self.checked(
      """
      component It(v: number) { circle { radius: v } }
      scene { for: 2s;  It it { v: 5;  change { at: 0.5s;  v: 50 } }
      change of it { at: 1s;  for: 1s;  v: 9 } }
      """, options)
    let record = try #require(checked.record)
    let argument = try #require(record.elements.first { $0.kind == "It" }?.arguments.first)
    #expect(argument.changes.map { $0.from / Double(Ticks.perSecond) } == [0.5, 1])
    #expect(argument.changes.map { $0.to / Double(Ticks.perSecond) } == [1, 2])
  }
}
