// SPDX-License-Identifier: MIT
import Foundation
import SceneFiles
import SceneJSON
import ScenePreview
import SceneTestSupport
import Synchronization
import Testing

/// Changes that a page requests, and their effect on the file.
@Suite("Edits", .cpuBudget(seconds: 1)) struct EditTests {
  private static let scene = """
    scene {
        size: 64x36
        for: 2s
        rect card {
            size: 10x10
            fill: #fd6
            position: (20, 18)
        }
    }

    """

  /// Returns the leaf of a property of the card, with the hash of its file.
  private func leaf(_ tab: RawClient, _ property: String) throws -> (leaf: JSON, hash: JSON) {
    tab.ask(["id": 900, "do": "scene", "view": "main"])
    let scene = try #require(tab.answer(900))
    tab.ask(["id": 901, "do": "element", "view": "main", "key": "scene/card", "n": 0])
    let element = try #require(tab.answer(901))
    let found = element["properties"].array.first { $0["name"].string == property }
    return (try #require(found)["leaves"][0], scene["files"][0]["hash"])
  }

  private func change(_ leaf: JSON, _ hash: JSON, _ value: JSON) -> JSON {
    [
      "file": leaf["span"]["file"], "hash": hash, "start": leaf["span"]["start"],
      "end": leaf["span"]["end"], "old": leaf["text"], "value": value,
    ]
  }

  private func text(_ server: TestPreview) throws -> String {
    try String(contentsOfFile: server.path, encoding: .utf8)
  }

  @Test func aColorIsChangedAndComesBack() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let (leaf, hash) = try leaf(tab, "fill")
    #expect(leaf["text"] == "#fd6" && leaf["writable"] == true)
    let wanted = change(leaf, hash, ["color": [1, 0, 0, 1]])
    // The change is first previewed, which does not modify the file.
    tab.ask(["id": 1, "do": "try", "view": "main", "changes": [wanted]])
    let tried = try #require(tab.answer(1))
    #expect(tried["view"] != "main" && tried["rev"] == 1)
    #expect(try text(server) == Self.scene)
    tab.ask(["id": 2, "do": "edit", "view": "main", "changes": [wanted], "label": "red"])
    #expect(tab.event("rev")?["cause"] == "edit")
    #expect(tab.event("history")?["undo"] == "red")
    #expect(try text(server) == Self.scene.replacing("#fd6", with: "#f00"))
    tab.ask(["id": 3, "do": "undo"])
    #expect(tab.answer(3)?["label"] == "red")
    #expect(try text(server) == Self.scene)
    tab.ask(["id": 4, "do": "redo"])
    #expect(tab.answer(4)?["label"] == "red")
    #expect(try text(server) == Self.scene.replacing("#fd6", with: "#f00"))
    #expect(server.folder.names == ["a.scene"])
  }

  @Test func undoFindsItsPlaceAfterOtherEdits() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let (leaf, hash) = try leaf(tab, "fill")
    tab.ask([
      "id": 1, "do": "edit", "view": "main", "label": "red",
      "changes": [change(leaf, hash, ["color": [1, 0, 0, 1]])],
    ])
    #expect(tab.answer(1)?["error"] == .null)
    try server.write("// More.\n" + text(server))
    #expect(tab.text { $0["cause"].string == "save" } != nil)
    tab.ask(["id": 2, "do": "undo"])
    #expect(tab.answer(2)?["label"] == "red")
    #expect(try text(server) == "// More.\n" + Self.scene)
  }

  @Test func whatWasSavedMeanwhileStays() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let (leaf, _) = try leaf(tab, "fill")
    tab.ask([
      "id": 1, "do": "edit", "view": "main",
      "changes": [change(leaf, "0", ["color": [1, 0, 0, 1]])],
    ])
    #expect(tab.answer(1)?["error"] == "changed")
    #expect(try text(server) == Self.scene)
  }

  @Test(
    arguments: [
      (["number": 3], "value"), (["text": "a"], "value"), (["color": [1, 2, 3, 4]], "message"),
      (["source": "#fff } rect {"], "message"), ([:], "message"),
    ] as [(JSON, String)])
  func onlyTypedValuesAreWritten(_ value: JSON, _ word: String) throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let (leaf, hash) = try leaf(tab, "fill")
    tab.ask(["id": 1, "do": "edit", "view": "main", "changes": [change(leaf, hash, value)]])
    #expect(tab.answer(1)?["error"].string == word)
    #expect(try text(server) == Self.scene)
  }

  @Test func aSceneThatWouldBeWrongIsNotWritten() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let (leaf, hash) = try leaf(tab, "size")
    let wanted = change(leaf, hash, ["size": [1_000_000, 1]])
    tab.ask(["id": 1, "do": "edit", "view": "main", "changes": [wanted]])
    let answer = try #require(tab.answer(1))
    // The value is either refused or written in full.
    if answer["error"] == "wrong" { #expect(try text(server) == Self.scene) }
    tab.ask([
      "id": 2, "do": "edit", "view": "main",
      "changes": [["key": "scene/card", "set": "widht", "value": ["number": 1]]],
    ])
    #expect(tab.answer(2)?["error"] == "message")
  }

  @Test func aPropertyIsAdded() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let set: JSON = [
      "key": "scene/card", "set": "at", "value": ["number": .double(0.5), "unit": "s"],
    ]
    tab.ask(["id": 1, "do": "edit", "view": "main", "label": "at", "changes": [set]])
    #expect(tab.answer(1)?["error"] == .null)
    #expect(
      try text(server)
        == Self.scene.replacing("(20, 18)\n", with: "(20, 18)\n        at: 0.5s\n"))
  }

  @Test func aWayInIsGivenALength() throws {
    for (written, wanted) in [
      ("fade", "fade over 0.8s"), ("[fade, grow] after 0.1s", "[fade, grow] after 0.1s over 0.8s"),
    ] {
      let scene = Self.scene.replacing("(20, 18)\n", with: "(20, 18)\n        enter: \(written)\n")
      let server = try TestPreview(scene)
      let tab = try server.tab()
      let over: JSON = [
        "key": "scene/card", "over": "enter", "value": ["number": .double(0.8), "unit": "s"],
      ]
      tab.ask(["id": 1, "do": "edit", "view": "main", "label": "enter", "changes": [over]])
      #expect(tab.answer(1)?["error"] == .null, "\(written)")
      #expect(try text(server) == scene.replacing(written, with: wanted))
      tab.ask(["id": 2, "do": "element", "view": "main", "key": "scene/card", "n": 0])
      let enter = tab.answer(2)?["properties"].array.first { $0["name"] == "enter" }
      #expect(enter?["keys"].array.first?["open"] == false)
    }
  }

  @Test func theKeyAtThePlayheadIsEdited() throws {
    let scene = Self.scene.replacing(
      "(20, 18)\n", with: "keyframes { 0s: (10, 18);  1s: (50, 18) }\n")
    let server = try TestPreview(scene)
    let tab = try server.tab()
    func edit(_ n: Int, _ more: [String: JSON]) -> JSON {
      .object(["key": "scene/card", "edit": "position", "n": .int(n)].merging(more) { $1 })
    }
    let moved = edit(15, ["by": [0, 4]])
    tab.ask(["id": 1, "do": "try", "view": "main", "changes": [moved]])
    #expect(tab.answer(1)?["places"] == ["new key at 0.5s"])
    #expect(try text(server) == scene)
    tab.ask(["id": 2, "do": "edit", "view": "main", "label": "position", "changes": [moved]])
    #expect(tab.answer(2)?["error"] == .null)
    let wanted = scene.replacing("(10, 18);", with: "(10, 18);  0.5s: (30, 22);")
    #expect(try text(server) == wanted)
    // A value that the inspector sends, on a key.
    tab.ask([
      "id": 3, "do": "edit", "view": "main", "label": "position",
      "changes": [edit(30, ["to": [40, 18]])],
    ])
    #expect(tab.answer(3)?["error"] == .null)
    #expect(try text(server) == wanted.replacing("(50, 18)", with: "(40, 18)"))
    for id in 4...5 {
      tab.ask(["id": .int(id), "do": "undo"])
      #expect(tab.answer(id)?["label"] == "position")
    }
    #expect(try text(server) == scene)
  }

  @Test(
    arguments: [
      (["edit": "position", "n": 0, "by": [4]], "message"),
      (["edit": "position", "n": 0, "by": [4, 4], "scope": "all"], "message"),
      (["edit": "position", "by": [4, 4]], "message"), (["edit": "x", "n": 0], "message"),
      (["edit": "opacity", "n": 0, "by": [4, 4]], "message"),
      (["edit": "opacity", "n": 0, "to": [1]], "fixed"),
      (["edit": "fill", "n": 0, "to": [1]], "value"),
      (["edit": "position", "n": 9999, "by": [4, 4]], "gone"),
      (["edit": "position", "n": 0, "by": [4, 4], "round": 1], "gone"),
      (["remove": 1], "message"),
      (["edit": "size", "n": 0, "pull": [0, 0], "by": [4, 4]], "message"),
      (["edit": "size", "n": 0, "pull": [2, 1], "by": [4, 4]], "message"),
      (["edit": "fill", "n": 0, "pull": [1, 1], "by": [4, 4]], "message"),
      (["edit": "opacity", "n": 0, "about": 4], "message"),
      (["edit": "position", "n": 0, "drop": true], "fixed"),
      (["edit": "position", "n": 0, "ease": "ease } rect {"], "message"),
      (["edit": "position", "n": 0, "like": 9999], "gone"),
      (["insert": "rect { }"], "message"), (["insert": "image"], "message"),
      (["insert": "image", "image": 0], "gone"),
      (["insert": "image", "image": "/a.png"], "message"),
      (["insert": "duplicate", "keys": ["scene"]], "fixed"),
      (["insert": "duplicate", "keys": ["scene/none"]], "gone"), (["insert": "paste"], "none"),
    ] as [([String: JSON], String)])
  func wrongEditsAreRefused(_ members: [String: JSON], _ word: String) throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let wanted = JSON.object(members.merging(["key": "scene/card"]) { $1 })
    tab.ask(["id": 1, "do": "edit", "view": "main", "changes": [wanted]])
    #expect(tab.answer(1)?["error"].string == word)
    #expect(try text(server) == Self.scene)
  }

  /// Numbers of motions, keys and steps that no page sends.
  @Test(arguments: [-1, .min, .max, 1_000_000] as [Int])
  func numbersOutOfRangeAreRefused(_ number: Int) throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    let number = JSON.int(number)
    let all: [[String: JSON]] = [
      ["keys": [["motion": number, "key": 0, "by": [1]]]],
      ["keys": [["motion": 0, "key": number, "by": []]], "time": 1],
      ["keys": [["motion": 0, "key": number]], "drop": true],
      ["curve": "ease", "motion": number, "step": 0],
      ["curve": "ease", "motion": 0, "step": number],
      ["keys": [["motion": 0, "key": 0, "by": [.double(1e300)]]]],
      ["keys": [["motion": 0, "key": 0, "by": []]], "time": .double(-1e300)],
      ["to": [.double(1e300)]],
    ]
    for (id, members) in all.enumerated() {
      let edit: [String: JSON] = ["key": "scene/card", "edit": "position", "n": 0]
      let wanted = JSON.object(members.merging(edit) { $1 })
      tab.ask(["id": .int(id), "do": "edit", "view": "main", "changes": [wanted]])
      #expect(tab.answer(id)?["error"] == "message", "\(members)")
    }
    let turn: JSON = [
      "key": "scene/card", "edit": "rotate", "n": 0, "turn": [[0, 0], [9, 9]],
      "near": .double(1e300),
    ]
    tab.ask(["id": 90, "do": "edit", "view": "main", "changes": [turn]])
    #expect(tab.answer(90)?["error"] == "message")
    let place: [String: JSON] = [
      "key": "scene/card", "edit": "position", "by": [1, 1], "n": 0, "round": 0,
    ]
    for (id, name) in [(91, "n"), (92, "round")] {
      let wanted = JSON.object(place.merging([name: number]) { $1 })
      tab.ask(["id": .int(id), "do": "edit", "view": "main", "changes": [wanted]])
      #expect(tab.answer(id)?["error"] == "gone")
    }
    #expect(try text(server) == Self.scene)
  }

  @Test func anElementIsDeleted() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    tab.ask([
      "id": 1, "do": "edit", "view": "main", "label": "delete",
      "changes": [["key": "scene/card", "remove": true]],
    ])
    #expect(tab.answer(1)?["error"] == .null)
    #expect(try text(server) == "scene {\n    size: 64x36\n    for: 2s\n}\n")
    tab.ask(["id": 2, "do": "undo"])
    #expect(tab.answer(2)?["label"] == "delete")
    #expect(try text(server) == Self.scene)
    tab.ask([
      "id": 3, "do": "edit", "view": "main", "changes": [["key": "scene", "remove": true]],
    ])
    #expect(tab.answer(3)?["error"] == "fixed")
  }

  /// The opposite corner stays in place, also for a second handle in the same scene.
  @Test func aHandleChangesTheSizeAndThePosition() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "handles", "view": "main", "key": "scene/card", "n": 0])
    let handles = try #require(tab.answer(1))
    #expect(handles["handles"][4]["at"] == [.double(25), .double(23)])
    #expect(handles["pivot"] == [.double(20), .double(18)])
    tab.ask([
      "id": 2, "do": "edit", "view": "main", "label": "size",
      "changes": [
        ["key": "scene/card", "edit": "size", "n": 0, "pull": [1, 1], "by": [4, 6]]
      ],
    ])
    #expect(tab.answer(2)?["error"] == .null)
    #expect(
      try text(server)
        == Self.scene.replacing("10x10", with: "14x16").replacing("(20, 18)", with: "(22, 21)"))
    tab.ask(["id": 3, "do": "undo"])
    #expect(tab.answer(3)?["label"] == "size")
    #expect(try text(server) == Self.scene)
  }

  /// Copies have new names, even where the copy refers to itself.
  @Test func copiesHaveNamesOfTheirOwn() throws {
    let inner = """
          group all {
              rect card {
                  size: 10x10
                  position: (20, 18)
              }
              circle {
                  position: card.right
              }
          }

      """
    let scene = "scene {\n    size: 64x36\n    for: 2s\n\(inner)}\n"
    let server = try TestPreview(scene)
    let tab = try server.tab()
    tab.ask([
      "id": 1, "do": "edit", "view": "main", "label": "duplicate",
      "changes": [["insert": "duplicate", "keys": ["scene/all"]]],
    ])
    #expect(tab.answer(1)?["keys"] == ["scene/all2"])
    let copy = inner.replacing("all {", with: "all2 {").replacing("card", with: "card2")
    #expect(
      try text(server) == "scene {\n    size: 64x36\n    for: 2s\n\(inner)\(copy)}\n")
  }

  @Test func onlyWaysInAndOutTakeALength() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    for (name, error) in [("fill", "message"), ("exit", "gone")] {
      tab.ask([
        "id": 1, "do": "edit", "view": "main",
        "changes": [
          ["key": "scene/card", "over": .string(name), "value": ["number": 1, "unit": "s"]]
        ],
      ])
      #expect(tab.answer(1)?["error"] == .string(error), "\(name)")
    }
    #expect(try text(server) == Self.scene)
  }

  @Test func whoMayOnlyReadChangesNothing() throws {
    let server = try TestPreview(Self.scene, isReadOnly: true)
    let tab = try server.tab()
    let (leaf, hash) = try leaf(tab, "fill")
    #expect(leaf["writable"] == false)
    let wanted = [
      change(leaf, hash, ["color": [1, 0, 0, 1]]),
      ["key": "scene/card", "edit": "position", "n": 0, "by": [4, 4]],
      ["key": "scene/card", "remove": true], ["insert": "rect"],
      ["insert": "duplicate", "keys": ["scene/card"]],
    ]
    for (name, wanted) in ["edit", "try", "fix", "undo", "redo", "copy", "images"].flatMap({ name in
      wanted.map { (name, $0) }
    }) {
      tab.ask(["id": 1, "do": .string(name), "view": "main", "changes": [wanted]])
      #expect(tab.answer(1)?["error"] == "read-only", "\(name)")
    }
    #expect(try text(server) == Self.scene)
  }

  @Test func aFixIsMade() throws {
    let server = try TestPreview("scene { for: 1s; rect { size: 4x4; filll: red } }\n")
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "fix", "view": "main", "problem": 0, "fix": 0])
    #expect(tab.answer(1)?["error"] == .null)
    #expect(try text(server) == "scene { for: 1s; rect { size: 4x4; fill: red } }\n")
  }

  @Test func aHitNamesTheElement() throws {
    let server = try TestPreview(Self.scene)
    let tab = try server.tab()
    for (x, y, keys) in [(20, 18, ["scene/card"]), (50, 18, []), (24, 22, ["scene/card"])] {
      tab.ask(["id": 1, "do": "hit", "view": "main", "n": 0, "x": .int(x), "y": .int(y)])
      #expect(tab.answer(1)?["hits"].array.map { $0["key"].string } == keys)
    }
    tab.ask(["id": 2, "do": "boxes", "view": "main", "n": 0])
    let (_, bytes) = try #require(tab.picture())
    #expect(bytes.count == 40)
    // The first corner, after the row and the iteration.
    #expect(Array(bytes[8..<16]) == [0x41, 0x70, 0, 0, 0x41, 0x50, 0, 0])
  }

  /// No save of another program is lost while it saves continuously.
  ///
  /// At the end, the file contains the last save, or an edit of exactly that save.
  @Test func noSaveIsLost() throws {
    let folder = try Folder()
    let path = try folder.write("a.scene", "0")
    let isDone = Mutex(false)
    let count = 1000
    let thread = Thread {
      for number in 1...count { _ = try? folder.write("a.scene", "\(number)") }
      isDone.withLock { $0 = true }
    }
    thread.start()
    var outcomes: [FileSwap.Outcome] = []
    while !isDone.withLock({ $0 }) || outcomes.isEmpty {
      guard let known = folder.data("a.scene") else { continue }
      outcomes.append(FileSwap.replace(path, Array(known), by: Array(known) + [42]))
    }
    let text = String(decoding: folder.data("a.scene") ?? Data(), as: UTF8.self)
    #expect(text.prefix { $0 != "*" } == "\(count)")
    #expect(outcomes.allSatisfy { $0 == .done || $0 == .changed })
    #expect(folder.names == ["a.scene"])
  }
}
