// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneGraphics
import SceneIR
import SceneJSON
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneTestSupport
import SceneText
import Testing

/// A hit test returns the elements that have ink at a point, compared to each element drawn alone.
///
/// The examples run one after the other. Each one has a server, and if all ran at once in a debug
/// build, they would exceed the timeouts of their clients.
@Suite("Hits", .cpuBudget(seconds: 7), .serialized) struct HitTests {
  private static let few = ["bench-title", "sticker", "counter-chart", "demo", "depth", "outlines"]

  /// A few examples, or all of them with `SCENEC_ALL=1`.
  private static let examples = Repository.files(in: "Examples", ending: "/scene.scene").filter {
    ProcessInfo.processInfo.environment["SCENEC_ALL"] != nil
      || few.contains(String($0.split(separator: "/")[1]))
  }

  @Test(arguments: examples) func inkAnswers(_ name: String) throws {
    let path = Repository.path + "/" + name
    let server = try TestPreview(at: path)
    var options = CheckOptions()
    options.recordsElements = true
    var load = LoadOptions()
    load.check = options
    let scene = try Session(load).load(path)
    guard let model = scene.model, let record = scene.record else { return }
    var random = Generator(seed: 5)
    var lowerer = Lowerer(model, metrics: scene.metrics)
    let size = PixelSize(480, max(1, 480 * model.size.height / model.size.width))
    let canvas = try Canvas(size, isOpaque: false, resources: scene.resources)
    for frame in [model.frameCount / 3, model.frameCount * 2 / 3] {
      let all = lowerer.placements(frame: frame)
      for it in all.shuffled(using: &random).prefix(12) {
        guard let place = record.element(of: it.element), !it.opsInFrame.isEmpty else { continue }
        // The server closes a client that answers no ping for 20 s, so each element gets a new tab.
        let tab = try server.tab()
        try canvas.draw(
          FrameProgram(size: model.size, background: nil, ops: it.opsInFrame).scaled(to: size))
        let alone = Alone(canvas.rgba(), size)
        let head = record.elements[place].head
        let scale = Double(model.size.width) / Double(size.width)
        // The whole box of a text is hit.
        let box = HitTests.textBox(of: it, record.elements[place], lowerer)
        let clear = alone.clear.filter { point in
          let (x, y) = ((Double(point.0) + 0.5) * scale, (Double(point.1) + 0.5) * scale)
          return x < box.x || x > box.maxX || y < box.y || y > box.maxY
        }
        // The iterations of a loop share one place in the source.
        let isOne = all.count { HitTests.head(of: $0, record) == head } == 1
        for (isInk, points) in [(true, alone.ink), (false, clear)] {
          for (x, y) in points.shuffled(using: &random).prefix(3) {
            tab.ask([
              "id": 1, "do": "hit", "view": "main", "n": .int(frame),
              "x": .double((Double(x) + 0.5) * scale), "y": .double((Double(y) + 0.5) * scale),
            ])
            let hits = try #require(tab.answer(1))["hits"].array
            let found = hits.contains {
              $0["span"]["start"].int == head.start
                && $0["span"]["file"].int == Int(head.file.rawValue)
            }
            #expect(
              found == isInk || (!isInk && !isOne),
              "\(name) frame \(frame) \(record.elements[place].key) at \(x), \(y)")
          }
        }
      }
    }
  }

  /// Outlines that extend beyond their points are hit; nearby positions without ink are not.
  @Test(arguments: [
    (
      "polyline { points: [(100, 100), (300, 110), (100, 120)];  stroke-width: 20;  miter-limit: 40 }",
      (400.0, 110.0), true
    ),
    (
      "polyline { points: [(100, 100), (300, 110), (100, 120)];  stroke-width: 20;  miter-limit: 40 }",
      (600, 110), false
    ),
    ("path { data: offset(circle((200, 200), 50), 80);  fill: red }", (325, 200), true),
    ("path { data: offset(circle((200, 200), 50), 80);  fill: red }", (345, 200), false),
    (
      "path { data: union(circle((100, 100), 40), circle((300, 100), 40));  fill: red }",
      (300, 130), true
    ),
    (
      "path { data: union(circle((100, 100), 40), circle((300, 100), 40));  fill: red }",
      (200, 100), false
    ),
    (
      "path { data: subtract(rect((50, 50), (200, 200)), circle((150, 150), 40));  fill: red }",
      (60, 60), true
    ),
    (
      "path { data: subtract(rect((50, 50), (200, 200)), circle((150, 150), 40));  fill: red }",
      (150, 150),
      false
    ),
    (
      "path { data: intersect(circle((100, 100), 40), circle((150, 100), 40));  fill: red }",
      (125, 100), true
    ),
    (
      "path { data: intersect(circle((100, 100), 40), circle((150, 100), 40));  fill: red }",
      (75, 100), false
    ),
    (
      "group { scale: 4;  pivot: (0, 0);  line { from: (10, 20);  to: (60, 20);  stroke-width: 10 } }",
      (100, 98), true
    ),
    (
      "group { scale: 4;  pivot: (0, 0)\n line { from: (10, 20);  to: (60, 20);  stroke-width: 30;"
        + "  stroke-scale: none } }", (100, 93), true
    ),
    (
      "group { clip { circle { position: (100, 100);  radius: 50 } }\n"
        + "rect { position: (100, 100);  size: 200 } }", (100, 60), true
    ),
    // Near contents are magnified: 100 px from the center become 200 px.
    (
      "camera { perspective: 500;  dolly: 250;  circle { position: (420, 180);  radius: 20 } }",
      (520, 180), true
    ),
    (
      "camera { perspective: 500;  dolly: 250;  circle { position: (420, 180);  radius: 20 } }",
      (420, 180), false
    ),
    (
      "camera { perspective: none;  orbit: 60deg;  circle { position: (420, 180);  radius: 20 } }",
      (370, 180), true
    ),
  ])
  func reachOfOutlines(_ body: String, _ point: (Double, Double), _ isHit: Bool) throws {
    let server = try TestPreview("scene { for: 1s;  size: 640x360\n\(body)\n}")
    let tab = try server.tab()
    tab.ask([
      "id": 1, "do": "hit", "view": "main", "n": 3, "x": .double(point.0), "y": .double(point.1),
    ])
    let hits = try #require(tab.answer(1))["hits"].array
    #expect(hits.isEmpty != isHit, "\(hits)")
  }

  /// Returns the bounds of a text's box in frame pixels; empty for other elements.
  private static func textBox(
    of it: Placement, _ element: SceneRecord.Element, _ lowerer: Lowerer
  ) -> Rect {
    guard case .text = it.element.drawing, let box = element.box else { return .empty }
    return it.map.apply(
      Rect(
        x: lowerer.value(box.x), y: lowerer.value(box.y), width: lowerer.value(box.width),
        height: lowerer.value(box.height)))
  }

  /// Returns the source span of the element that draws a part of the frame.
  private static func head(of it: Placement, _ record: SceneRecord) -> SourceSpan? {
    record.element(of: it.element).map { record.elements[$0].head }
  }
}

/// The image of one element alone.
private struct Alone {
  /// Pixels whose neighborhood is fully inked, and pixels whose neighborhood has no ink.
  private(set) var ink: [(Int, Int)] = []
  private(set) var clear: [(Int, Int)] = []

  init(_ pixels: [UInt8], _ size: PixelSize) {
    for y in stride(from: 2, to: size.height - 2, by: 3) {
      for x in stride(from: 2, to: size.width - 2, by: 3) {
        var (least, greatest) = (UInt8.max, UInt8.min)
        for v in (y - 2)...(y + 2) {
          for u in (x - 2)...(x + 2) {
            let alpha = pixels[4 * (v * size.width + u) + 3]
            greatest = max(greatest, alpha)
            if abs(u - x) <= 1, abs(v - y) <= 1 { least = min(least, alpha) }
          }
        }
        if least > 64 { ink.append((x, y)) }
        if greatest == 0 { clear.append((x, y)) }
      }
    }
  }
}
