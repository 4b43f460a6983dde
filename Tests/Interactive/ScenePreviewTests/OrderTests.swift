// SPDX-License-Identifier: MIT
import Foundation
import SceneJSON
import SceneTestSupport
import Testing

/// The order of the children of layouts.
@Suite("Orders", .cpuBudget(seconds: 1)) struct OrderTests {
  @Test func onlyANewOrderIsWritten() throws {
    let scene = """
      scene {
          size: 64x36
          for: 2s
          row all {
              rect a { size: 4x4 }
              rect b { size: 4x4 }
              for k in 0..2 { circle dot { radius: 2 } }
              if 1 < 2 { rect c { size: 4x4 } }
          }
      }

      """
    let server = try TestPreview(scene)
    let tab = try server.tab()
    func text() throws -> String { try String(contentsOfFile: server.path, encoding: .utf8) }
    func move(id: Int, _ name: String, beside other: String, after: Bool) -> JSON? {
      tab.ask([
        "id": .int(id), "do": "edit", "view": "main", "label": "order",
        "changes": [
          [
            "key": .string("scene/all/\(name)"), "beside": .string("scene/all/\(other)"),
            "after": .bool(after),
          ]
        ],
      ])
      return tab.answer(id)
    }
    #expect(move(id: 1, "a", beside: "b", after: false)?["error"] == .null)
    #expect(try text() == scene)
    tab.ask(["id": 2, "do": "undo"])
    #expect(tab.answer(2)?["error"] == "none")
    for (name, reason) in [
      ("dot", "'dot' is created by a loop"),
      ("c", "'c' and 'a' are in different blocks of the source"),
    ] {
      let refused = try #require(move(id: 3, name, beside: "a", after: true))
      #expect(refused["error"] == "fixed" && refused["reason"].string == reason)
    }
    #expect(move(id: 4, "a", beside: "b", after: true)?["error"] == .null)
    #expect(
      try text()
        == scene.replacing("rect a", with: "rect x").replacing("rect b", with: "rect a")
        .replacing("rect x", with: "rect b"))
    tab.ask(["id": 5, "do": "undo"])
    #expect(tab.answer(5)?["label"] == "order")
    #expect(try text() == scene)
  }
}
