// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneJSON
import SceneLower
import SceneModel
import ScenePreview
import SceneRaster
import SceneSession
import SceneTestSupport
import Testing

/// The view that a tab has of a scene, according to the messages that it gets.
@Suite("Preview", .cpuBudget(seconds: 1)) struct PreviewTests {
  private static func scene(_ color: String = "red", size: String = "64x36") -> String {
    """
    scene {
        size: \(size)
        fps: 10
        for: 2s
        rect { size: 10x10; fill: \(color); position: (10 -> 50 over 1s, 18) }
    }
    """
  }

  @Test func aPictureIsAnswered() throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "frame", "view": "main", "rev": 1, "n": 5, "width": 32, "for": "rest"])
    let (head, bytes) = try #require(tab.picture())
    #expect(head["id"] == 1 && head["rev"] == 1 && head["n"] == 5)
    #expect(head["size"] == [32, 18])
    #expect(bytes.starts(with: [0xFF, 0xD8]))
    // The page already has this frame.
    tab.ask([
      "id": 2, "do": "frame", "view": "main", "rev": 1, "n": 5, "width": 32, "for": "rest",
      "have": head["digest"],
    ])
    #expect(tab.answer(2)?["same"] == head["digest"])
  }

  /// A frame depends only on its number, not on the order of requests or the tab.
  @Test func framesAreTheSameInAnyOrder() throws {
    let server = try TestPreview(Self.scene())
    var pictures: [Int: [UInt8]] = [:]
    for frames in [[0, 19, 7, 8, 3], [8, 3, 0, 7, 19], [19, 8, 7, 3, 0]] {
      let tab = try server.tab()
      for frame in frames {
        tab.ask([
          "id": .int(frame + 1), "do": "frame", "view": "main", "rev": 1, "n": .int(frame),
          "width": 64, "for": "scrub",
        ])
        let (head, bytes) = try #require(tab.picture())
        #expect(head["n"].int == frame)
        #expect(pictures.updateValue(bytes, forKey: frame).map { $0 == bytes } ?? true)
      }
    }
    #expect(Set(pictures.values).count == 5)
  }

  @Test(arguments: [
    ("keyframes { 0s: 0;  1s: 1;  1e30s: 0 }", 2), ("keyframes { -1e30s: 0;  1s: 1 }", 0),
    ("0 -> 1 over 1s -> 0 over 1e30s", 2), ("keyframes { 0s: 0;  1e300s: 1 }", 1),
  ])
  func keysBeyondAnyVideoAreNotInTheGraph(_ value: String, _ count: Int) throws {
    let server = try TestPreview(
      "scene { size: 64x36;  for: 2s;  rect { size: 4x4;  opacity: \(value) } }")
    let tab = try server.tab()
    tab.ask([
      "id": 1, "do": "graph", "view": "main", "key": "scene/rect", "n": 0,
      "property": "opacity", "from": 0, "to": 2, "count": 20,
    ])
    let answer = try #require(tab.answer(1))
    #expect(answer["motions"][0]["keys"].array.count == count)
    #expect(answer["values"][0].array.count >= 20)
  }

  @Test func aStillIsWhatTheFilmShows() throws {
    let server = try TestPreview(Self.scene())
    let client = try RawClient(port: server.port)
    _ = try server.tab()
    let (head, body) = client.answer(
      "GET /p/\(server.token)/still?view=main&rev=1&n=7 HTTP/1.1\r\n"
        + "Host: 127.0.0.1:\(server.port)\r\nSec-Fetch-Site: same-origin\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200"))
    let scene = try Session(LoadOptions()).load(server.path)
    let model = try #require(scene.model)
    var lowerer = Lowerer(model, metrics: scene.metrics)
    let program = lowerer.lower(frame: 7)
    let canvas = try Canvas(program.size, isOpaque: program.isOpaque, resources: scene.resources)
    try canvas.draw(program)
    #expect(try body == canvas.png())
  }

  @Test(arguments: [
    "still?view=main&rev=99&n=7", "still?view=v99&rev=1&n=7",
    "sound?view=main&rev=99&from=0&to=1",
  ])
  func aRevisionThatIsGoneIsNoError(_ name: String) throws {
    let server = try TestPreview(Self.scene())
    let (head, body) = try RawClient(port: server.port).answer(
      "GET /p/\(server.token)/\(name) HTTP/1.1\r\n"
        + "Host: 127.0.0.1:\(server.port)\r\nSec-Fetch-Site: same-origin\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 204"))
    #expect(body.isEmpty)
  }

  @Test func aSaveIsShownAtOnce() throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "frame", "view": "main", "rev": 1, "n": 0, "width": 64, "for": "rest"])
    let first = try #require(tab.picture())
    try server.write(Self.scene("blue"))
    #expect(tab.event("rev")?["rev"] == 2)
    // The frame that the tab shows comes without a request.
    let second = try #require(tab.picture { $0["id"] == 0 && $0["rev"] == 2 })
    #expect(second.head["n"] == 0)
    #expect(second.bytes != first.bytes)
  }

  @Test func abrokenSaveKeepsWhatWasRight() throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    try server.write("scene { rect { widht: 3 } }")
    // A partially written text may cause a different error first.
    let broken = try #require(tab.text { $0["list"][0]["code"] == "E0201" })
    #expect(broken["list"][0]["source"]["text"] == "scene { rect { widht: 3 } }")
    #expect(broken["list"][0]["span"]["line"] == 1)
    tab.ask(["id": 1, "do": "frame", "view": "main", "n": 0, "width": 64, "for": "rest"])
    #expect(tab.picture()?.head["rev"] == 1)
    // A new tab receives both.
    let other = try RawClient(port: server.port)
    #expect(other.openSocket(server.port, server.token))
    #expect(other.event("rev")?["rev"] == 1)
    #expect(other.event("broken") != nil)
    try FileManager.default.removeItem(atPath: server.path)
    #expect(tab.event("broken") != nil)
    try server.write(Self.scene("green"))
    #expect(tab.event("rev")?["rev"] == 2)
  }

  @Test func theSameBytesAreNoChange() throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    // Atomic: a file that is being overwritten is empty for a moment, which is another text.
    for text in Array(repeating: Self.scene(), count: 5) + [Self.scene("blue")] {
      try text.write(toFile: server.path, atomically: true, encoding: .utf8)
    }
    #expect(tab.event("rev")?["rev"] == 2)
  }

  @Test(arguments: [false, true]) func theLastOfManySavesIsShown(_ isAtomic: Bool) throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    for number in 0..<200 {
      try Self.scene("#0000\(String(0x10 + number % 200, radix: 16))").write(
        toFile: server.path, atomically: isAtomic, encoding: .utf8)
    }
    try Self.scene("yellow", size: "96x54").write(
      toFile: server.path, atomically: isAtomic, encoding: .utf8)
    var size = JSON.null
    while size != [96, 54] {
      // A revision may already be gone when it is requested.
      tab.ask(["id": 1, "do": "scene", "view": "main"])
      size = try #require(tab.answer(1))["size"]
    }
  }

  @Test func twoRevisionsLive() throws {
    let server = try TestPreview(Self.scene())
    let tab = try server.tab()
    for (rev, color) in [(2, "blue"), (3, "green")] {
      try server.write(Self.scene(color))
      #expect(tab.event("rev")?["rev"].int == rev)
    }
    for (rev, isThere) in [(1, false), (2, true), (3, true), (4, false)] {
      tab.ask(["id": .int(rev), "do": "scene", "view": "main", "rev": .int(rev)])
      #expect((tab.answer(rev)?["error"] == .null) == isThere, "\(rev)")
    }
  }

  @Test func aSceneHasItsRows() throws {
    let server = try TestPreview(
      """
      param count: number = 3 in 1..5
      scene {
          size: 64x36; fps: 10; for: 2s
          for i in 0..count { circle dot { radius: 2; position: (10 * i, 10); at: 1s } }
          group box { rect { size: 4x4 } }
      }
      """)
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "scene", "view": "main", "rev": 1])
    let scene = try #require(tab.answer(1))
    #expect(scene["frames"] == 20)
    #expect(scene["params"][0]["name"] == "count")
    #expect(scene["params"][0]["default"] == "3")
    let rows = scene["rows"].array
    #expect(rows.map { $0["name"].string ?? $0["kind"].string } == ["scene", "dot", "box", "rect"])
    try #require(rows.count == 4)
    #expect(rows[1]["count"] == 3)
    #expect(rows[1]["life"] == [.double(1), .double(2)])
    #expect(rows[3]["parent"] == rows[2]["key"])
    tab.ask(["id": 2, "do": "scene", "view": "main", "rev": 1, "under": rows[2]["key"]])
    #expect(tab.answer(2)?["rows"].array.count == 1)
  }

  @Test func aViewHasParamsOfItsOwn() throws {
    let server = try TestPreview(
      "param w: length = 10\nscene { size: 64x36; for: 1s; rect { size: (w, 8) } }")
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "view", "params": ["w": "30"], "size": [128, 72]])
    let view = try #require(tab.answer(1))
    #expect(view["rev"] == 1)
    tab.ask(["id": 2, "do": "scene", "view": view["view"], "rev": 1])
    #expect(tab.answer(2)?["size"] == [128, 72])
    tab.ask(["id": 3, "do": "scene", "view": "main", "rev": 1])
    #expect(tab.answer(3)?["size"] == [64, 36])
    // The same view again has the same name.
    tab.ask(["id": 4, "do": "view", "params": ["w": "30"], "size": [128, 72]])
    #expect(tab.answer(4)?["view"] == view["view"])
  }

  @Test func theEndIsSaid() throws {
    var server: TestPreview? = try TestPreview(Self.scene())
    let tab = try #require(try server?.tab())
    server = nil
    #expect(tab.event("bye") != nil)
    #expect(tab.text { _ in false } == nil)
  }
}
