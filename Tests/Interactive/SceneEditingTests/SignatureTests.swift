// SPDX-License-Identifier: MIT
import SceneEditing
import SceneTestSupport
import Testing

/// Signature help at the position marked with `|`, and folding ranges.
@Suite("Calls and folds", .cpuBudget(seconds: 1)) struct SignatureTests {
  struct Row: Sendable, CustomStringConvertible {
    let text: String
    /// The signature with the active parameter in `‹ ›`; empty outside calls.
    let shown: String
    init(_ text: String, _ shown: String) { (self.text, self.shown) = (text, shown) }
    var description: String { text }
  }

  static let rows: [Row] = [
    Row("scene { rect { opacity: max(|) } }", "max(‹values…: value›) -> value"),
    Row(
      "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(|) } }",
      "f(‹a: number›, b: number) -> number"),
    Row(
      "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(1, |",
      "f(a: number, ‹b: number›) -> number"),
    Row(
      "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(b: |",
      "f(a: number, ‹b: number›) -> number"),
    Row(
      "fn f(a: number) -> number = a\nscene {\n  rect { opacity: f(f(1), | \n  }\n  circle { }\n}",
      "f(‹a: number›) -> number"),
    Row(
      "effect pop(much: number = 2) { scale: progress * much }\nscene { rect { enter: pop(|) } }",
      "pop(‹much: number›)"),
    Row(
      "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(a: 1, b: |",
      "f(a: number, ‹b: number›) -> number"),
    Row(
      "fn f(a: number, b: number) -> number = a\nscene { rect { opacity: f(b: 1, a: | 2) } }",
      "f(‹a: number›, b: number) -> number"),
    // Within and after a value.
    Row("scene { rect { opacity: max(12|) } }", "max(‹values…: value›) -> value"),
    Row("scene { rect { opacity: max(1 + k|, 2) } }", "max(‹values…: value›) -> value"),
    Row("scene { rect { opacity: max(1, 2) | } }", ""),
    Row("scene { rect { opacity: 1| } }", ""),
    Row("scene { text \"max(|\" }", ""),
    // Path segments.
    Row("scene { path { move | } }", "move ‹p: point›"),
    Row("scene { path { mov| } }", ""),
    Row("scene { path { move (0, 0)\n line by (1, |", "line ‹p: point›"),
    Row("scene { path { curve | } }", "curve ‹c1: point›, c2: point, p: point"),
    Row("scene { path { curve (1, 2), | } }", "curve c1: point, ‹c2: point›, p: point"),
    Row(
      "scene { path { move (0, 0)\n curve (1, 2), (3, 4), (5|\n stroke: red } }",
      "curve c1: point, c2: point, ‹p: point›"),
    Row(
      "scene { path { arc (4, 4), (9, 9), |",
      "arc radii: size, p: point, ‹rotation?: angle›, "
        + "large?: bool, sweep?: bool"),
    Row("scene { path { for i in 0..3 { through (i, 0), (i, 9), | } } }", "through ‹p…: point›"),
    Row("scene { path { line (max(|), 2) } }", "max(‹values…: value›) -> value"),
    Row("scene { path { stroke: red, | } }", ""),
    Row("scene { line | } }", ""),
  ]

  @Test(arguments: rows) func calls(_ row: Row) {
    let parts = row.text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let workspace = Workspace(["a.scene": FileFacts(Array(parts.joined().utf8), name: "a.scene")])
    guard let (signature, active) = workspace.call(at: parts[0].utf8.count, in: "a.scene") else {
      #expect(row.shown.isEmpty)
      return
    }
    let parameter = signature.parameters[active].text
    let shown = signature.text.replacing(parameter, with: "‹\(parameter)›", maxReplacements: 1)
    #expect(shown == row.shown)
  }

  @Test func folds() {
    let text = """
      import "a.scene"
      import "b.scene"

      import "c.scene"
      // one
      // two
      scene {
        rect {
          fill: red
        }
        // region stars
        circle { }
        // endregion
      }
      """
    let found = FileFacts(Array(text.utf8), name: "a.scene").folds.map { "\($0.lines) \($0.kind)" }
    #expect(
      found == [
        "0..<1 imports", "4..<5 comment", "6..<12 body", "7..<8 body", "10..<12 region",
      ])
  }
}
