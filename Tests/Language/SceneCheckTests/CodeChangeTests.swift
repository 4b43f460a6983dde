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

/// Texts with `syntax` whose content changes.
@Suite("Code changes", .cpuBudget(seconds: 1)) struct CodeChangeTests {
  private static let first = "let a = 1\\nprint(a)"
  private static let second = "let b = 1\\nfor c in 0..<b \\{\\n    print(c)\\n\\}"

  private static func frames(_ body: String, _ declaration: String = "") throws -> [String] {
    let text = "\(declaration)\nscene { size: 800x600;  for: 3s;  fps: 10\n\(body)\n}"
    let checked = check(
      parse(SourceFile(name: "a.scene", text: text)), options: CheckOptions(),
      metrics: FixedMetrics(), assets: OneImage())
    #expect(!checked.diagnostics.hasErrors, "\(checked.diagnostics)")
    let model = try #require(checked.model)
    var lowerer = Lowerer(model, metrics: FixedMetrics())
    return (0..<model.frameCount).map { lowerer.lower(frame: $0).description }
  }

  private static let look =
    "font-size: 20;  align: left;  anchor: top-left;  position: (40, 30);  syntax: \"swift\""

  /// Before and after a change, the frames are those of texts that do not change.
  @Test func bothEndsAreTheStaticTexts() throws {
    let changed = try Self.frames(
      "text \"\(Self.first)\" { \(Self.look);  change { at: 1s;  for: 1s;  content: \"\(Self.second)\" } }"
    )
    let before = try Self.frames("text \"\(Self.first)\" { \(Self.look) }")
    let after = try Self.frames("text \"\(Self.second)\" { \(Self.look) }")
    #expect(changed[0] == before[0] && changed[9] == before[9] && changed[10] == before[10])
    #expect(changed[20] == after[20] && changed[29] == after[29])
    #expect(Set(changed[11...19]).count == 9)
  }

  /// A parameter that changes has the same frames as a change of the text itself.
  @Test func parametersAreTheSame() throws {
    let changes = [
      "at: 0.5s;  for: 0.5s;  CODE: \"\(Self.second)\"",
      "at: 1.5s;  for: 0.5s;  CODE: \"\(Self.first)\"",
    ]
    func body(_ name: String) -> String {
      changes.map { "change { \($0.replacing("CODE", with: name)) }" }.joined(separator: "\n")
    }
    let own = try Self.frames("text \"\(Self.first)\" { \(Self.look)\n\(body("content")) }")
    let used = try Self.frames(
      "It { source: \"\(Self.first)\"\n\(body("source")) }",
      "component It(source: text) { text { content: source;  \(Self.look) } }")
    #expect(own == used)
  }
}
