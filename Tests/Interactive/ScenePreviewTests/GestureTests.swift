// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneJSON
import ScenePreview
import SceneSession
import SceneTestSupport
import Testing

/// Random gestures on random scenes: the file remains valid, a refused gesture changes nothing, and
/// undo returns the exact bytes. `SCENEC_GESTURES=1000` sets their number.
@Suite("Gestures", .cpuBudget(seconds: 1), .serialized) struct GestureTests {
  private static let perScene = 10
  private static let count =
    ProcessInfo.processInfo.environment["SCENEC_GESTURES"].flatMap { Int($0) } ?? 100

  @Test(arguments: 0..<max(1, count / perScene)) func gesturesKeepTheFile(_ seed: Int) throws {
    var random = Generator(seed: UInt64(seed))
    var source = RandomScene(&random).text
    // A percentage in a row without a size, for example, is an error.
    while checked(source).model == nil { source = RandomScene(&random).text }
    let server = try TestPreview(source)
    let tab = try server.tab()
    func text() throws -> String { try String(contentsOfFile: server.path, encoding: .utf8) }
    tab.ask(["id": 1, "do": "scene", "view": "main"])
    #expect(tab.answer(1)?["error"] == .null, "\(source)")
    var id = 10
    func ask(_ members: [String: JSON]) throws -> JSON {
      id += 1
      tab.ask(.object(members.merging(["id": .int(id), "view": "main"]) { $1 }))
      return try #require(tab.answer(id), "\(members)")
    }
    for step in 0..<Self.perScene {
      let rows = try ask(["do": "scene"])["rows"].array.compactMap { $0["key"].string }
      let changes = Gesture.random(rows, &random)
      let before = try text()
      if step % 3 == 0 {
        _ = try ask(["do": "copy", "keys": .array(rows.suffix(1).map { .string($0) })])
      }
      let note: Comment = "seed \(seed), step \(step): \(changes) in\n\(before)"
      let tried = try ask(["do": "try", "changes": .array(changes)])
      #expect(try text() == before, note)
      let answer = try ask(["do": "edit", "label": "gesture", "changes": .array(changes)])
      let after = try text()
      if let error = answer["error"].string {
        #expect(["fixed", "value", "gone", "wrong", "none"].contains(error), note)
        #expect(after == before, note)
        continue
      }
      #expect(tried["error"] == .null, note)
      let scene = try Session(LoadOptions()).load(server.path)
      #expect(!scene.isWrong, "\(note)\nbecame\n\(after)")
      guard after != before else { continue }
      #expect(try ask(["do": "undo"])["error"] == .null, note)
      #expect(try text() == before, note)
      #expect(try ask(["do": "redo"])["error"] == .null, note)
      #expect(try text() == after, note)
    }
  }
}

/// A scene with elements of many kinds, whose values are written in many ways.
private struct RandomScene {
  private var random: Generator
  let text: String

  init(_ random: inout Generator) {
    self.random = random
    var lines: [String] = []
    let count = Int.random(in: 2...5, using: &random)
    for index in 0..<count {
      lines.append(RandomScene.element(index, depth: 0, &random))
    }
    text = """
      style card { fill: gold;  position: (120, 90) }
      component Badge(place: pair = (200, 100), wide: number = 40) {
          rect plate { position: place;  size: (wide, 30);  fill: teal }
      }
      scene film {
          size: 640x360
          fps: 20
          for: 4s
          let home = (320, 200)
      \(lines.joined(separator: "\n"))
      }

      """
  }

  private static func pick<T>(_ all: [T], _ random: inout Generator) -> T {
    all[Int.random(in: 0..<all.count, using: &random)]
  }

  private static func point(_ random: inout Generator) -> String {
    let (x, y) = (Int.random(in: 0..<640, using: &random), Int.random(in: 0..<360, using: &random))
    let named = pick(["center", "top-left", "right", "bottom"], &random)
    return pick(
      [
        "(\(x), \(y))", "(\(x / 8)%, \(y / 4)%)", named, "\(named) + (\(x), -\(y))",
        "(100% - \(x), \(y))", "home", "home + (\(x), 0)", "(\(x) -> \(y) over 2s, 40)",
        "(t * 20 / 1s, \(y))", "(\(x), \(y)) -> (\(y), \(x)) over 2s with ease-in-out",
        "keyframes { 0s: (\(x), \(y));  1s: (10, 20) with ease;  3s: (\(y), \(x)) }",
        "keyframes { 1s: \(named);  2s: (\(x), \(y)) with spring(bounce: 0.4) }",
        "loop((\(x), 20) -> (60, \(y)) over 1s)",
      ], &random)
  }

  private static func number(_ range: ClosedRange<Int>, _ random: inout Generator) -> String {
    let (a, b) = (Int.random(in: range, using: &random), Int.random(in: range, using: &random))
    return pick(["\(a)", "\(a) -> \(b) over 3s", "keyframes { 0s: \(a);  2s: \(b) }"], &random)
  }

  private static func element(_ index: Int, depth: Int, _ random: inout Generator) -> String {
    let name = "e\(depth)x\(index)x\(Int.random(in: 0..<1_000_000, using: &random))"
    var items: [String] = []
    if Bool.random(using: &random) { items.append("position: \(point(&random))") }
    let more: [String] = [
      "rotate: \(pick(["20deg", "0.1turn", "0deg -> 90deg over 2s"], &random))", "rotate-y: 30deg",
      "scale: \(pick(["1.5", "(0.5, 2)", "1 -> 2 over 1s"], &random))", "anchor: top-left",
      "pivot: \(pick(["bottom", "(10%, 20%)"], &random))", "opacity: 0.5", "at: 0.5s",
      "translate: (5, 5)", "rotate-x: -20deg", "enter: fade",
    ]
    for item in more where Int.random(in: 0..<5, using: &random) == 0 { items.append(item) }
    if items.allSatisfy({ !$0.hasPrefix("position") }), Int.random(in: 0..<5, using: &random) == 0 {
      items.append("change { at: 1s;  for: 1s;  opacity: 0.2 }")
    }
    let body = { (own: [String]) in (own + items).joined(separator: ";  ") }
    switch Int.random(in: 0..<(depth < 2 ? 11 : 7), using: &random) {
    case 0, 1:
      let size = pick(["120x60", "(30%, 80)", "(\(number(20...90, &random)), 50)", "80"], &random)
      return "rect \(name) { \(body(["size: \(size)"])) }"
    case 2: return "circle \(name) { \(body(["radius: \(number(10...60, &random))"])) }"
    case 3: return "ellipse \(name) { \(body(["radius: (40, \(number(10...60, &random)))"])) }"
    case 4:
      return "text \(name) \"Some words\" { \(body(["font-size: \(number(20...50, &random))"])) }"
    case 5: return "line \(name) { \(body(["from: (10, 10);  to: (200, 100);  stroke: red"])) }"
    case 6: return "rect \(name) { style: card;  size: 50x50 }"
    case 7: return "Badge \(name) { \(pick(["place: (50, 60)", "wide: 70", ""], &random)) }"
    case 8:
      return "for x in [100, 200, 300] { circle \(name) { radius: 12;  position: (x, 50) } }"
    case 9:
      let inner = element(index + 10, depth: depth + 1, &random)
      let kind = pick(["row", "column"], &random)
      return "\(kind) \(name) { gap: 10\n\(inner)\n}"
    default:
      let inner = (0..<2).map { element($0 + 20, depth: depth + 1, &random) }
      return "group \(name) { \(body([]))\n\(inner.joined(separator: "\n"))\n}"
    }
  }
}

/// An edit as a page requests it.
private enum Gesture {
  /// Returns a request that changes the times and values of some keys.
  private static func keys(_ random: inout Generator) -> [String: JSON] {
    let count = Int.random(in: 1...2, using: &random)
    let keys = (0..<count).map { key -> JSON in
      let by = (0..<2).map { _ in JSON.double(Double.random(in: -60...60, using: &random)) }
      return ["motion": 0, "key": .int(key), "by": .array(by)]
    }
    let time: Double = [0, 0.1, -0.25].randomElement(using: &random) ?? 0
    return ["keys": .array(keys), "time": .double(time), "resolution": .double(0.5)]
  }

  static func random(_ rows: [String], _ random: inout Generator) -> [JSON] {
    func pick<T>(_ all: [T]) -> T { all[Int.random(in: 0..<all.count, using: &random)] }
    func pair(_ reach: Double) -> JSON {
      [
        .double(Double.random(in: -reach...reach, using: &random).rounded()),
        .double(Double.random(in: -reach...reach, using: &random).rounded()),
      ]
    }
    let key = JSON.string(pick(rows))
    let frame = JSON.int(Int.random(in: 0..<80, using: &random))
    let scope = JSON.string(pick(["key", "key", "key", "whole"]))
    func edit(_ name: String, _ members: [String: JSON]) -> JSON {
      .object(
        ["key": key, "edit": .string(name), "n": frame, "scope": scope, "round": 0]
          .merging(members) { $1 })
    }
    let isOn = JSON.bool(Bool.random(using: &random))
    let (across, down) = pick([(-1, -1), (0, 1), (1, 1), (1, 0), (-1, 0), (0, -1), (1, -1)])
    switch Int.random(in: 0..<22, using: &random) {
    case 0, 1: return [edit("position", ["by": pair(80)])]
    case 2, 3: return [edit("position", ["by": pair(80), "from": pair(300)])]
    case 4, 5, 6:
      return [
        edit(
          "size",
          ["pull": [.int(across), .int(down)], "by": pair(60), "aspect": isOn, "center": isOn])
      ]
    case 7: return [edit("rotate", ["turn": [pair(300), pair(300)], "near": 40, "snap": isOn])]
    case 8: return [edit(pick(["rotate", "rotate-x", "rotate-y"]), ["about": 25, "snap": isOn])]
    case 9: return [edit("pivot", ["by": pair(30)])]
    case 10: return [edit(pick(["position", "opacity", "radius", "size"]), [:])]
    case 11: return [edit(pick(["position", "opacity", "radius"]), ["drop": true])]
    case 12:
      return [edit(pick(["position", "radius"]), ["ease": .string(pick(["ease", "hold"]))])]
    case 13:
      return [
        ["key": .string(pick(rows)), "remove": true], ["key": .string(pick(rows)), "remove": true],
      ]
    case 14:
      return [
        ["insert": .string(pick(["rect", "circle", "text", "line", "star"])), "at": pair(200)]
      ]
    case 15, 16: return [edit(pick(["position", "radius", "rotate"]), keys(&random))]
    case 17:
      let y = Double.random(in: -1...1, using: &random)
      let curve = JSON.array([0.2, y, 0.7, 1].map { .double($0) })
      return [
        edit(
          pick(["position", "radius"]),
          ["motion": 0, "step": .int(Int.random(in: 0...2, using: &random)), "curve": curve])
      ]
    case 19, 20: return [["key": key, "beside": .string(pick(rows)), "after": isOn]]
    case 18: return [edit("position", keys(&random).merging(["drop": true]) { $1 })]
    default:
      return [
        ["insert": .string(pick(["paste", "duplicate"])), "keys": [key], "after": key]
      ]
    }
  }
}
