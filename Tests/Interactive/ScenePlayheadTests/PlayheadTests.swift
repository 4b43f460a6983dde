// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneLanguage
import SceneModel
import ScenePlayhead
import SceneSyntax
import SceneTestSupport
import SceneText
import Testing

/// Edits of a value at the playhead: what they write, and that the frame follows exactly.
@Suite("Edits at the playhead", .cpuBudget(seconds: 1)) struct PlayheadTests {
  /// A scene of 640x360 with 20 frames per second.
  private struct Scene {
    let text: String
    let record: SceneRecord
    let model: SceneModel

    init(_ text: String) throws {
      self.text = text
      var options = CheckOptions()
      options.recordsElements = true
      let checked = checked(text, options)
      record = try #require(checked.record)
      model = try #require(checked.model, "\(text)")
    }

    func values(_ property: Property, of element: Int, at seconds: Double) -> [Double] {
      let all = record.elements[element].properties
      guard let it = all.first(where: { $0.property == property }) else { return [] }
      var evaluator = Evaluator(model.program, metrics: FixedMetrics())
      evaluator.evaluateAll(at: Ticks(rounding: seconds * 705_600_000) ?? .zero)
      let playhead = Playhead(files: [:], rate: model.frameRate, evaluator)
      return playhead.numbers(of: it, wholes: it.numbers.count == 2 ? [640, 360] : [])
    }
  }

  struct Row: Sendable, CustomStringConvertible {
    /// The value of the property, or the items of the scene.
    let value: String
    let time: Double
    /// The value afterward, or the reason for a refusal.
    let result: String
    var property = Property.position
    var shift: [Double] = [40, 0]
    var scope = Scope.key
    /// The name of the element and its round.
    var name = "k"
    var round = 0
    var isExact = false
    var insertsKey = false
    var removesKey = false
    /// The items of the scene besides the element.
    var items: String?

    init(_ value: String, _ time: Double, _ result: String) {
      (self.value, self.time, self.result) = (value, time, result)
    }

    func with(_ change: (inout Row) -> Void) -> Row {
      var row = self
      change(&row)
      return row
    }

    var description: String { "\(value) at \(time)s" }

    func source(_ value: String) -> String {
      let items = items ?? "circle k { radius: 20;  \(property.name): VALUE;  fill: gold }"
      return "scene { size: 640x360;  fps: 20;  for: 6s\n    "
        + items.replacing("VALUE", with: value) + "\n}\n"
    }
  }

  /// The scene before and after an edit.
  private struct Edited {
    let before: Scene
    let after: Scene
    let element: Int
    let place: String
  }

  /// Applies the edit of a row to a source; throws the reason for a refusal.
  private static func edited(_ row: Row, _ source: String) throws -> Edited {
    let before = try Scene(source)
    let elements = before.record.elements
    let named = elements.indices.filter { elements[$0].name == row.name }
    let index = try #require(named.dropFirst(row.round).first)
    let property = try #require(elements[index].properties.first { $0.property == row.property })
    var edit = ValueEdit(
      property, of: Array(sequence(first: elements[index]) { $0.parent.map { elements[$0] } }),
      by: row.shift)
    edit.wholes = row.shift.count == 2 ? [640, 360] : []
    edit.scope = row.scope
    edit.isExact = row.isExact
    edit.insertsKey = row.insertsKey
    edit.removesKey = row.removesKey
    var evaluator = Evaluator(before.model.program, metrics: FixedMetrics())
    evaluator.evaluateAll(at: try #require(Ticks(rounding: row.time * 705_600_000)))
    let facts = FileFacts(Array(source.utf8), name: "a.scene")
    let playhead = Playhead(files: [FileID(0): facts], rate: before.model.frameRate, evaluator)
    let text = try edit.edit(at: playhead)
    let bytes = try #require(text.applied(to: facts.parsed))
    return Edited(
      before: before, after: try Scene(String(decoding: bytes, as: UTF8.self)), element: index,
      place: text.place)
  }

  private static func check(_ row: Row, follows: Bool = true) throws {
    do {
      let it = try edited(row, row.source(row.value))
      #expect(it.after.text == row.source(row.result))
      guard follows else { return }
      let old = it.before.values(row.property, of: it.element, at: row.time)
      let new = it.after.values(row.property, of: it.element, at: row.time)
      for (index, shift) in row.shift.enumerated() {
        #expect(abs(new[index] - old[index] - shift) < 0.5, "\(old) became \(new)")
      }
    } catch let refusal as Refused {
      #expect(refusal.reason == row.result)
    }
  }

  private static let keys = "keyframes { 0s: (200, 300);  2s: (640, 300);  4s: (1080, 300) }"

  @Test(
    arguments: [
      // Keys.
      Row(keys, 0, "keyframes { 0s: (240, 300);  2s: (640, 300);  4s: (1080, 300) }"),
      Row(keys, 2, "keyframes { 0s: (200, 300);  2s: (680, 300);  4s: (1080, 300) }"),
      Row(keys, 4, "keyframes { 0s: (200, 300);  2s: (640, 300);  4s: (1120, 300) }"),
      Row(keys, 5, "keyframes { 0s: (200, 300);  2s: (640, 300);  4s: (1120, 300) }"),
      Row(keys, 2, "keyframes { 0s: (200, 300);  2s: (680, 290);  4s: (1080, 300) }")
        .with { $0.shift = [40, -10] },
      Row(
        keys, 1,
        "keyframes { 0s: (200, 300);  1s: (460, 300);  2s: (640, 300);  4s: (1080, 300) }"),
      Row(
        keys, 3.5,
        "keyframes { 0s: (200, 300);  2s: (640, 300);  3.5s: (970, 280);  4s: (1080, 300) }"
      ).with { $0.shift = [0, -20] },
      Row(keys, 1, "keyframes { 0s: (240, 300);  2s: (680, 300);  4s: (1120, 300) }")
        .with { $0.scope = .whole },
      Row(
        "keyframes { 0s: (10%, 50%);  2s: (50%, 50%) }", 1,
        "keyframes { 0s: (10%, 50%);  1s: (36.25%, 50%);  2s: (50%, 50%) }"),
      Row(
        "keyframes { 0s: (10%, 50%);  2s: (320, 50%) }", 1,
        "keyframes { 0s: (10%, 50%);  1s: (232, 50%);  2s: (320, 50%) }"),
      Row(
        "keyframes { 1s: (0, 0);  2s: (0, 100) }", 0.5, "keyframes { 1s: (40, 0);  2s: (0, 100) }"),
      Row("keyframes { 1s: (0, 0) }", 3, "keyframes { 1s: (40, 0) }"),
      // Keys count from the start of their element.
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) }", 2,
        "keyframes { 0s: (0, 0);  1s: (90, 0);  2s: (100, 0) }"
      ).with { $0.items = "circle k { at: 1s;  radius: 20;  position: VALUE }" },
      Row(
        "keyframes { 0s: (0, 0);  end: (100, 0) }", 2.5,
        "keyframes { 0s: (0, 0);  2.5s: (81.7, 0);  end: (100, 0) }"),
      Row(
        "keyframes { 0s: (0, 0);  50%: (100, 0);  100%: (0, 0) }", 3,
        "keyframes { 0s: (0, 0);  50%: (140, 0);  100%: (0, 0) }"),
      // A new key divides the curve of the motion.
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) with ease-in-out }", 1,
        "keyframes { 0s: (0, 0);  1s: (90, 0) with cubic-bezier(0.42, 0, 0.71, 0.5);  2s: (100, 0) "
          + "with cubic-bezier(0.29, 0.5, 0.58, 1) }"),
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) with hold }", 1,
        "keyframes { 0s: (0, 0);  1s: (40, 0) with hold;  2s: (100, 0) with hold }"),
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) with spring(bounce: 0.5) }", 1,
        "the motion between the keys has the easing 'spring(bounce: 0.5)', which a new key cannot divide; "
          + "go to a key, or move the whole motion"),
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) with spring(bounce: 0.5) }", 1,
        "keyframes { 0s: (40, 0);  2s: (140, 0) with spring(bounce: 0.5) }"
      ).with { $0.scope = .whole },
      // Between frames.
      Row(
        "keyframes { 0s: (0, 0);  1.01s: (100, 0) }", 1,
        "keyframes { 0s: (0, 0);  1.01s: (140.4, 0) }"),
      Row(
        "keyframes { 0s: (0, 0);  for i in 1..3 { i * 1s: (100, 0) } }", 1,
        "the key is created by a loop in 'keyframes'; edit it in the source"),
      Row(
        "keyframes { 0s: (0, 0);  2s: (t * 10 / 1s, 0) }", 1,
        "'position' is computed horizontally by '(t * 10 / 1s, 0)'; edit it in the source"),
      Row(
        "keyframes { 0s: (0, 0);  2s: (100, 0) }", 1,
        "keyframes { 0s: (0, 0);  1s: (50, 0);  2s: (100, 0) }"
      ).with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
      Row("(5, 5)", 1.5, "keyframes { 1.5s: (5, 5) }")
        .with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
      // Before the first key and after the last one, the value is constant.
      Row(
        "keyframes { 1s: (9, 9) with ease;  2s: (5, 5) with ease }", 0.5,
        "keyframes { 0.5s: (9, 9);  1s: (9, 9) with ease;  2s: (5, 5) with ease }"
      ).with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
      Row(
        "keyframes { 1s: (9, 9);  2s: (5, 5) with ease }", 3,
        "keyframes { 1s: (9, 9);  2s: (5, 5) with ease;  3s: (5, 5) }"
      ).with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
      Row("keyframes { 1s: (9, 9) }", 3, "keyframes { 1s: (9, 9); 3s: (9, 9) }")
        .with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
      Row(
        "(5, 5) -> (6, 6)", 1.5,
        "a key can be added only to a constant or to keyframes; 'position' is neither"
      )
      .with { ($0.shift, $0.insertsKey) = ([0, 0], true) },
    ]) func keysAreEdited(_ row: Row) throws
  { try Self.check(row) }

  @Test(
    arguments: [
      Row(keys, 0, "keyframes { 2s: (640, 300);  4s: (1080, 300) }"),
      Row(keys, 2, "keyframes { 0s: (200, 300);  4s: (1080, 300) }"),
      Row(keys, 4, "keyframes { 0s: (200, 300);  2s: (640, 300) }"),
      Row(keys, 1, "'position' has no key at the playhead"),
      Row("(5, 5)", 1, "'position' has no key at the playhead"),
      Row("keyframes { 1s: (9, 9) with ease }", 1, "(9, 9)"),
      Row(
        "keyframes { 0s: (0, 0);  1s: (9, 9) with ease;  2s: (5, 5) with ease }", 1,
        "keyframes { 0s: (0, 0);  2s: (5, 5) with ease }"),
      Row(
        "keyframes { 0s: (0, 0);  /* a */ 1s: (9, 9);  2s: (5, 5) }", 1,
        "keyframes { 0s: (0, 0);  /* a */ 2s: (5, 5) }"),
      Row(
        "(keyframes { 0s: 0;  1s: 9 }, keyframes { 1s: 4;  2s: 5 })", 1,
        "(keyframes { 0s: 0 }, keyframes { 2s: 5 })"),
      Row(
        "loop(keyframes { 0s: (0, 0);  1s: (9, 9) })", 3, "loop(keyframes { 1s: (9, 9) })"),
      Row(
        "keyframes { 0s: (0, 0);  1s: (9, 9);  2s: (5, 5) }", 1,
        "keyframes { 0s: (0, 0);  2s: (5, 5) }"
      ).with {
        $0.items = "let path = VALUE\n    circle k { radius: 20;  position: path }"
      },
    ]) func keysAreDeleted(_ row: Row) throws
  { try Self.check(row.with { ($0.shift, $0.removesKey) = ([0, 0], true) }, follows: false) }

  @Test(
    arguments: [
      Row("(200, 100) -> (1080, 100) over 4s", 0, "(240, 100) -> (1080, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 1, "(253.3, 100) -> (1080, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 2, "(200, 100) -> (1160, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 3, "(200, 100) -> (1133.3, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 4, "(200, 100) -> (1120, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 5, "(200, 100) -> (1120, 100) over 4s"),
      Row("(200, 100) -> (1080, 100) over 4s", 3, "(240, 100) -> (1120, 100) over 4s")
        .with { $0.scope = .whole },
      Row("(0, 0) -> (9, 0) over 1s after 1s", 0.5, "(40, 0) -> (9, 0) over 1s after 1s"),
      // Legs.
      Row("(0, 0) -> (9, 0) -> (8, 0) over 4s", 0, "(40, 0) -> (9, 0) -> (8, 0) over 4s"),
      Row("(0, 0) -> (9, 0) -> (8, 0) over 4s", 2, "(0, 0) -> (49, 0) -> (8, 0) over 4s"),
      Row("(0, 0) -> (9, 0) -> (8, 0) over 4s", 2.5, "(0, 0) -> (62.3, 0) -> (8, 0) over 4s"),
      Row("(0, 0) -> (9, 0) -> (8, 0) over 4s", 4, "(0, 0) -> (9, 0) -> (48, 0) over 4s"),
      Row(
        "(0, 0) -> (9, 0) over 1s -> (8, 0) over 1s after 1s", 1.5,
        "(0, 0) -> (49, 0) over 1s -> (8, 0) over 1s after 1s"),
      // Easings.
      Row("(0, 0) -> (9, 0) over 2s with ease-in", 1, "(58.4, 0) -> (9, 0) over 2s with ease-in"),
      Row(
        "(0, 0) -> (9, 0) with spring(bounce: 0.5)", 5,
        "(0, 0) -> (49, 0) with spring(bounce: 0.5)"),
      Row("(0, 0) -> (9, 0) over 2s with hold", 1, "(40, 0) -> (9, 0) over 2s with hold"),
      // Components with motions of their own.
      Row("(0 -> 90 over 2s, 50)", 2, "(0 -> 130 over 2s, 50)"),
      Row("(0 -> 90 over 2s, 50)", 2, "(0 -> 90 over 2s, 70)").with { $0.shift = [0, 20] },
      // At another time.
      Row(
        "loop((0, 0) -> (90, 0) over 2s)", 3.5, "loop((0, 0) -> (143.3, 0) over 2s)"),
      Row(
        "delay((0, 0) -> (90, 0) over 2s, 1s)", 1, "delay((40, 0) -> (90, 0) over 2s, 1s)"),
    ]) func legsAreEdited(_ row: Row) throws
  { try Self.check(row) }

  @Test(
    arguments: [
      Row("(200, 300)", 0, "(240, 300)"),
      Row("(200, 300)", 3, "(200, 280)")
        .with { $0.shift = [0, -20] },
      Row("(50%, 20%)", 0, "(56.25%, 20%)").with { $0.isExact = true },
      Row("(50%, 20%)", 0, "(56.3%, 20%)"),
      Row("(100% - 60, 160)", 0, "(100% - 20, 160)"),
      Row("(100% - 60, 160)", 0, "(100% - 100, 150)")
        .with { $0.shift = [-40, -10] },
      Row("(60 + 50%, 160)", 0, "(100 + 50%, 160)"),
      Row("(50%, 50%) + (10, 20)", 0, "(50%, 50%) + (50, 10)").with { $0.shift = [40, -10] },
      Row("(50%, 50%) - (10, 20)", 0, "(50%, 50%) - (-30, 20)"),
      Row("-(10, 20)", 0, "-(-30, 20)"),
      Row("ball.bottom + (0, 40)", 0, "ball.bottom + (40, 30)").with {
        $0.shift = [40, -10]
        $0.items =
          "circle ball { radius: 10;  position: (50, 50) }\n    "
          + "circle k { radius: 20;  position: VALUE }"
      },
      // Names get an offset.
      Row("center", 0, "center + (40, 0)"),
      Row("top-left", 0, "top-left + (40, -10)").with { $0.shift = [40, -10] },
      Row("center + (40, 0)", 0, "center + (80, 0)"),
      Row("(right.x - 40, 50%)", 0, "(right.x - 80, 50%)").with { $0.shift = [-40, 0] },
      Row("(right.x, center.y)", 0, "(right.x - 40, center.y + 10)")
        .with { $0.shift = [-40, 10] },
      Row("left -> right over 2s", 0, "left + (40, 0) -> right over 2s"),
      Row("left -> right over 2s", 1.5, "left -> right + (53.3, 0) over 2s"),
      Row("keyframes { 0s: left;  2s: right }", 2, "keyframes { 0s: left;  2s: right + (40, 0) }"),
      Row(
        "keyframes { 0s: left;  2s: right }", 1,
        "keyframes { 0s: left;  1s: (360, 180);  2s: right }"),
      Row(
        "keyframes { 0s: left;  2s: right }", 1,
        "keyframes { 0s: left + (40, 0);  2s: right + (40, 0) }"
      )
      .with { $0.scope = .whole },
      Row("-center + center", 0, "-center + center + (40, 0)"),
      Row(
        "ball.bottom", 0, "ball.bottom + (40, 0)"
      )
      .with {
        $0.items =
          "circle ball { radius: 10;  position: (50, 50) }\n    "
          + "circle k { radius: 20;  position: VALUE }"
      },
      Row(
        "(t * 10 / 1s, 5)", 1,
        "'position' is computed horizontally by 't * 10 / 1s'; edit it in the source"),
      Row("(t * 10 / 1s, 5)", 1, "(t * 10 / 1s, 25)").with { $0.shift = [0, 20] },
      // An offset of a motion moves the whole motion; at the playhead, the motion is edited.
      Row("(0 -> 90 over 2s, 0) + (5, 5)", 2, "(0 -> 130 over 2s, 0) + (5, 5)"),
      Row("(0 -> 90 over 2s, 0) + (5, 5)", 2, "(0 -> 90 over 2s, 0) + (45, 5)")
        .with { $0.scope = .whole },
      // Other properties.
      Row("0.5", 0, "0.7").with { ($0.property, $0.shift) = (.opacity, [0.2]) },
      Row("50%", 0, "70%").with { ($0.property, $0.shift) = (.opacity, [0.2]) },
      Row("0 -> 1 over 2s", 2, "0 -> 0.8 over 2s")
        .with { ($0.property, $0.shift) = (.opacity, [-0.2]) },
      Row("keyframes { 0s: 0;  2s: 1 }", 1, "keyframes { 0s: 0;  1s: 0.7;  2s: 1 }")
        .with { ($0.property, $0.shift) = (.opacity, [0.2]) },
      Row("keyframes { 0s: 0deg;  2s: 90deg }", 1, "keyframes { 0s: 0deg;  1s: 60deg;  2s: 90deg }")
        .with { ($0.property, $0.shift, $0.isExact) = (.rotate, [15], true) },
      Row("1 -> 2 over 2s", 2, "1 -> 2.5 over 2s")
        .with { ($0.property, $0.shift) = (.scale, [0.5]) },
      Row("keyframes { 0s: 1;  2s: 2 }", 1, "keyframes { 0s: 1;  1s: 2;  2s: 2 }")
        .with { ($0.property, $0.shift) = (.scale, [0.5]) },
      Row("100", 2, "'100' sets both directions of 'position'; hold Shift to keep one").with {
        $0.shift = [40, -10]
        $0.items = "let a = VALUE\n    circle k { radius: 20;  position: (a, a) }"
      },
    ]) func literalsAreEdited(_ row: Row) throws
  { try Self.check(row) }

  private static let changed =
    "circle k { radius: 20;  position: (200, 300);  change { at: 1s;  for: 2s;  position: VALUE } }"

  @Test(
    arguments: [
      Row("(600, 300)", 4, "(640, 300)").with { $0.items = changed },
      Row("(600, 300)", 3, "(640, 300)").with { $0.items = changed },
      Row("(600, 300)", 2, "(680, 300)").with { $0.items = changed },
      Row("(200, 300)", 0.5, "(240, 300)").with {
        $0.items =
          "circle k { radius: 20;  position: VALUE;  change { at: 1s;  for: 2s;  position: (9, 9) } }"
      },
      Row("(200, 300)", 4, "(240, 300)").with {
        $0.items =
          "circle k { radius: 20;  position: (0, 0)\n"
          + "change { at: 1s;  for: 1s;  position: (9, 9) }\n"
          + "change { at: 3s;  for: 1s;  position: VALUE } }"
      },
      Row("(200, 300)", 2.5, "(240, 300)").with {
        $0.items =
          "circle k { radius: 20;  position: (0, 0)\n"
          + "change { at: 1s;  for: 1s;  position: VALUE }\n"
          + "change { at: 3s;  for: 1s;  position: (9, 9) } }"
      },
      Row("(200, 300)", 4, "(240, 300)").with {
        $0.items =
          "circle k { radius: 20;  position: (0, 0) }\n"
          + "change of k { at: 1s;  for: 1s;  position: VALUE }"
      },
      Row("(200, 300)", 0.2, "(240, 300)").with {
        $0.items = "circle k { radius: 20;  position: VALUE;  enter: slide over 1s }"
      },
    ]) func changesAreEdited(_ row: Row) throws
  { try Self.check(row) }

  @Test(
    arguments: [
      // In a loop, each round has its own time.
      Row("(0, 0) -> (100, 0) over 2s", 3, "(0, 0) -> (140, 0) over 2s").with {
        $0.items = "for i in 0..3 { circle k { at: i * 1s;  radius: 20;  position: VALUE } }"
        $0.round = 1
      },
      Row("(0, 0) -> (100, 0) over 2s", 2, "(40, 0) -> (100, 0) over 2s").with {
        $0.items = "for i in 0..3 { circle k { at: i * 1s;  radius: 20;  position: VALUE } }"
        $0.round = 2
      },
      Row("(i * 50 + 20, 30)", 0, "(i * 50 + 60, 30)").with {
        $0.items = "for i in 0..3 { circle k { radius: 20;  position: VALUE } }"
        $0.round = 1
      },
      Row(
        "(i * 50, 30)", 0, "'position' is computed horizontally by 'i * 50'; edit it in the source"
      ).with {
        $0.items = "for i in 0..3 { circle k { radius: 20;  position: VALUE } }"
      },
      // The rows of a list.
      Row("[100, 200, 300]", 0, "[100, 240, 300]").with {
        $0.items = "for x in VALUE { circle k { radius: 20;  position: (x, 30) } }"
        $0.round = 1
      },
      Row("[(1, 2), (3, 4)]", 0, "[(1, 2), (43, -6)]").with {
        $0.items = "for p in VALUE { circle k { radius: 20;  position: p } }"
        ($0.round, $0.shift) = (1, [40, -10])
      },
      Row("[(x: 1, y: 2), (x: 3, y: 4)]", 0, "[(x: 41, y: 2), (x: 3, y: 4)]").with {
        $0.items = "for p in VALUE { circle k { radius: 20;  position: (p.x, p.y) } }"
      },
      Row("[100, 200]", 0, "[100, 240]").with {
        $0.items =
          "for x in VALUE { for y in 0..3 { circle k { radius: 20;  position: (x, y * 40) } } }"
        $0.round = 4
      },
      Row("[100, 200]", 0, "[140, 200]").with {
        $0.items =
          "for y in 0..3 { for x in VALUE { circle k { radius: 20;  position: (x, y * 40) } } }"
        $0.round = 4
      },
      Row("[100, 200]", 0, "[100, 240]").with {
        $0.items =
          "for x in VALUE { group { circle k { radius: 20;  position: (x, 40) } } }"
        $0.round = 1
      },
      Row("[100, 200]", 0, "[100, 240]").with {
        $0.items =
          "let all = VALUE\n    for x in all { circle k { radius: 20;  position: (x, 40) } }"
        $0.round = 1
      },
      Row("[100, 200]", 0, "[100, 240]").with {
        $0.items = "let all = VALUE\n    circle k { radius: 20;  position: (all[1], 40) }"
      },
      Row("(100, 30)", 0, "(140, 30)").with {
        $0.items = "let home = VALUE\n    circle k { radius: 20;  position: home }"
      },
    ]) func loopsAndNamesAreEdited(_ row: Row) throws
  { try Self.check(row) }

  /// Returns a function that creates a file with the declarations before the scene.
  private static func declared(_ declaration: String, _ use: String) -> (String) -> String {
    { value in
      declaration.replacing("VALUE", with: value)
        + "\nscene { size: 640x360;  fps: 20;  for: 6s\n    \(use.replacing("VALUE", with: value)) }\n"
    }
  }

  @Test(
    arguments: [
      // A style.
      (
        "style s { position: VALUE }", "circle k { radius: 20;  style: s }",
        "keyframes { 0s: (0, 0);  2s: (100, 0) }",
        "keyframes { 0s: (0, 0);  1s: (90, 0);  2s: (100, 0) }"
      ),
      // The body of a component, and an argument of its use.
      (
        "component Dot(place: pair = (5, 5)) { circle k { radius: 20;  position: VALUE } }",
        "Dot { }",
        "(0, 0) -> (100, 0) over 1s", "(0, 0) -> (140, 0) over 1s"
      ),
      (
        "component Dot(place: pair = (5, 5)) { circle k { radius: 20;  position: place } }",
        "Dot { place: VALUE }", "(100, 50)", "(140, 50)"
      ),
      // The change of a parameter.
      (
        "component Dot(place: pair = (5, 5)) { circle k { radius: 20;  position: place } }",
        "Dot { place: (0, 0);  change { at: 0.2s;  place: VALUE } }", "(100, 50)", "(140, 50)"
      ),
      (
        "component Dot(place: pair = (5, 5)) { circle k { radius: 20;  position: place } }",
        "Dot { place: VALUE;  change { at: 2s;  place: (9, 9) } }", "(100, 50)", "(140, 50)"
      ),
    ])
  func stylesAndComponentsAreEdited(
    _ declaration: String, _ use: String, _ value: String, _ result: String
  ) throws {
    let source = Self.declared(declaration, use)
    let it = try Self.edited(Row("", 1, ""), source(value))
    #expect(it.after.text == source(result))
  }

  /// A new key with the current value does not change the curve.
  @Test(
    arguments: [
      "linear", "hold", "ease", "ease-in", "ease-out", "ease-in-out", "ease-in-quad",
      "ease-out-quad", "ease-in-cubic", "ease-out-cubic", "cubic-bezier(0.8, 0, 0.2, 1)",
      "cubic-bezier(0.3, 1.6, 0.6, 1)",
    ]) func aNewKeyKeepsTheCurve(_ easing: String) throws
  {
    for time in [0.25, 1, 1.6] {
      let row = Row("keyframes { 0s: (0, 0);  2s: (1000, 0) with \(easing) }", time, "")
        .with { ($0.shift, $0.insertsKey, $0.isExact) = ([0, 0], true, true) }
      let it = try Self.edited(row, row.source(row.value))
      for frame in 0...40 {
        let seconds = Double(frame) / 20
        let old = it.before.values(.position, of: it.element, at: seconds)
        let new = it.after.values(.position, of: it.element, at: seconds)
        #expect(abs(old[0] - new[0]) < 0.5, "\(easing), \(seconds)s: \(old) became \(new)")
      }
    }
  }

  /// A file in canonical form remains so, and keys on lines of their own get one.
  @Test func aNewKeyHasTheFormOfTheOthers() throws {
    let text = """
      scene {
          for: 4s
          circle k {
              radius: 20
              position: keyframes {
                  0s: (0, 0)
                  4s: (400, 0)
              }
          }
      }

      """
    let it = try Self.edited(Row("", 37.0 / 30, "").with { $0.shift = [10, 5] }, text)
    #expect(it.place == "new key at 37f")
    #expect(
      it.after.text
        == text.replacing(
          "0)\n            4s", with: "0)\n            37f: (133.3, 5)\n            4s"))
  }
}
