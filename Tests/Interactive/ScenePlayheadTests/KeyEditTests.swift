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

/// Edits of keys by their numbers, and the curves of easings.
@Suite("Edits of keys", .cpuBudget(seconds: 1)) struct KeyEditTests {
  struct Row: Sendable, CustomStringConvertible {
    let value: String
    /// The value afterward, or the reason for a refusal.
    let result: String
    let act: @Sendable (KeyEdit) throws(Refused) -> [ScenePlayhead.TextEdit.Piece]

    init(
      _ value: String, _ result: String,
      _ act: @escaping @Sendable (KeyEdit) throws(Refused) -> [ScenePlayhead.TextEdit.Piece]
    ) {
      (self.value, self.result, self.act) = (value, result, act)
    }

    var description: String { "\(value) -> \(result)" }
  }

  private static func key(_ key: Int, of motion: Int = 0) -> KeyNumber {
    KeyNumber(motion: motion, key: key)
  }

  private static func seconds(_ seconds: Double) -> Double { seconds * Double(Ticks.perSecond) }

  private static let rows: [Row] = [
    // Values.
    Row("keyframes { 0s: (1, 2); 1s: (3, 4) }", "keyframes { 0s: (1, 2); 1s: (13, -1) }") {
      edit throws(Refused) in try edit.shifted(key(1), by: [10, -5])
    },
    Row(
      "center - keyframes { 0s: (1, 2); 1s: (3, 4) }",
      "center - keyframes { 0s: (-9, 2); 1s: (3, 4) }"
    ) { edit throws(Refused) in try edit.shifted(key(0), by: [10, 0]) },
    Row("(1, 2) -> (3, 4) over 1s -> (5, 6) over 1s", "(1, 2) -> (3, 4) over 1s -> (15, 6) over 1s")
    {
      edit throws(Refused) in try edit.shifted(key(2), by: [10, 0])
    },
    Row("(10 -> 20, keyframes { 0s: 1; 2s: 5 })", "(10 -> 20, keyframes { 0s: 1; 2s: 8 })") {
      edit throws(Refused) in try edit.shifted(key(1, of: 1), by: [0, 3])
    },
    Row(
      "keyframes { 0s: (t * 10 / 1s, 2); 1s: (3, 4) }",
      "'position' is computed horizontally by 't * 10 / 1s'; edit it in the source"
    ) { edit throws(Refused) in try edit.shifted(key(0), by: [10, 0]) },
    Row("keyframes { 0s: (1, 2); 1s: (3, 4) }", "'position' has no motion 2") {
      edit throws(Refused) in try edit.shifted(key(0, of: 1), by: [10, 0])
    },
    // Times.
    Row(
      "keyframes { 0s: (1, 2); 20f: (3, 4); 2beat: (5, 6) }",
      "keyframes { 0s: (1, 2); 25f: (3, 4); 2.5beat: (5, 6) }"
    ) { edit throws(Refused) in try edit.delayed([key(1), key(2)], by: seconds(0.25)) },
    Row(
      "(1, 2) -> (3, 4) over 1s -> (5, 6) over 1s", "(1, 2) -> (3, 4) over 1.5s -> (5, 6) over 0.5s"
    ) {
      edit throws(Refused) in try edit.delayed([key(1)], by: seconds(0.5))
    },
    Row(
      "(1, 2) -> (3, 4) over 1s -> (5, 6) over 1s", "(1, 2) -> (3, 4) over 1.5s -> (5, 6) over 1s"
    ) {
      edit throws(Refused) in try edit.delayed([key(1), key(2)], by: seconds(0.5))
    },
    Row("(1, 2) -> (3, 4)", "the duration of the motion has no 'over'; edit it in the source") {
      edit throws(Refused) in try edit.delayed([key(1)], by: seconds(0.5))
    },
    Row(
      "keyframes { 0s: (1, 2); 0.5s + 0.5s: (3, 4) }",
      "the time is computed by '0.5s + 0.5s'; edit it in the source"
    ) { edit throws(Refused) in try edit.delayed([key(1)], by: seconds(0.5)) },
    // Easings.
    Row(
      "keyframes { 0s: (1, 2); 1s: (3, 4) with ease }",
      "keyframes { 0s: (1, 2); 1s: (3, 4) with hold }"
    ) { edit throws(Refused) in try edit.eased(motion: 0, step: 1, "hold") },
    Row("(1, 2) -> (3, 4) over 1s", "(1, 2) -> (3, 4) over 1s with ease") {
      edit throws(Refused) in try edit.eased(motion: 0, step: 0, "ease")
    },
    // Removal.
    Row(
      "keyframes { 0s: (1, 2); 1s: (3, 4); 2s: (5, 6); 3s: (7, 8) }",
      "keyframes { 1s: (3, 4) }"
    ) { edit throws(Refused) in try edit.removed([key(0), key(2), key(3)]) },
    Row("keyframes { 0s: (1, 2); 1s: (3, 4) }", "(1, 2)") {
      edit throws(Refused) in try edit.removed([key(0), key(1)])
    },
    Row("(1, 2) -> (3, 4)", "only the keys of 'keyframes' can be deleted") {
      edit throws(Refused) in try edit.removed([key(0)])
    },
  ]

  private static func source(_ value: String) -> String {
    "scene {\n  size: 640x360;  fps: 20;  for: 4s\n  circle k { radius: 20;  position: \(value) }\n}\n"
  }

  @Test(arguments: rows) func keysAreEdited(_ row: Row) throws {
    let text = Self.source(row.value)
    var options = CheckOptions()
    options.recordsElements = true
    let checked = checked(text, options)
    let (record, model) = try (#require(checked.record), #require(checked.model))
    let element = record.elements[1]
    let property = try #require(element.properties.first { $0.property == .position })
    var evaluator = Evaluator(model.program, metrics: FixedMetrics())
    evaluator.evaluateAll(at: .zero)
    let facts = FileFacts(Array(text.utf8), name: "a.scene")
    var edit = KeyEdit(
      property, of: [element, record.elements[0]],
      at: Playhead(files: [property.value.file: facts], rate: model.frameRate, evaluator))
    edit.wholes = [640, 360]
    do throws(Refused) {
      let pieces = try row.act(edit)
      let bytes = ScenePlayhead.TextEdit(file: property.value.file, pieces: pieces, place: "")
        .applied(to: facts.parsed)
      #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == Self.source(row.result))
    } catch { #expect(error.reason == row.result) }
  }

  /// The curve of each named easing of one cubic curve is exact, and that of the others is near.
  @Test func easingsHaveCurves() {
    for (name, easing) in Easing.named {
      let it = EasingHandles(easing)
      let curve = Easing.cubicBezier(it.x1, it.y1, it.x2, it.y2)
      let farthest = (0...50).map { Double($0) / 50 }.map {
        abs(curve.value(at: $0) - easing.value(at: $0))
      }.max()
      let isRough = ["bounce", "elastic", "step", "hold"].contains { name.contains($0) }
      if it.isExact { #expect(farthest ?? 1 < 1e-6, "\(name)") }
      if !isRough { #expect(farthest ?? 1 < 0.09, "\(name): \(it)") }
    }
  }
}
