// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

/// Positions of captions with a `background` in a frame of 640x360, whose margins are 4%.
@Suite("Caption boxes", .cpuBudget(seconds: 1)) struct CaptionBoxTests {
  private static let margins = Rect(x: 25.6, y: 14.4, width: 588.8, height: 331.2)

  /// Returns the boxes of simultaneous captions, in the order of the file.
  ///
  /// - Parameter earlier: Captions before them.
  private func boxes(
    _ count: Int, _ padding: String, settings: String = "", after earlier: String = ""
  ) throws -> [Rect] {
    let cue = "\n00:00.000 --> 00:02.000 \(settings)\nwords\n"
    let checked = checked(
      """
      scene { size: 640x360;  for: 2s
          captions "c.vtt" { background: black;  padding: \(padding) }
      }
      """, texts: ["c.vtt": "WEBVTT\n\(earlier)" + String(repeating: cue, count: count)])
    let model = try #require(checked.model, "\(checked.diagnostics.map(\.message))")
    var evaluator = Evaluator(model.program, metrics: FixedMetrics())
    evaluator.evaluate(at: Ticks(0))
    var boxes: [Rect] = []
    for text in model.elements[0].children.suffix(count) {
      let lines = try #require(text.lineBoxes)
      let box = try #require(evaluator.bounds(lines))
      boxes.append(evaluator.affine(of: text).apply(box))
    }
    return boxes
  }

  @Test(
    arguments: ["(12, 20)", "(60, 40)", "(200, 5)", "0"],
    [
      "", "line:0", "line:-1", "line:0%", "line:50%", "line:100%", "size:100%",
      "position:0% align:left", "position:100% align:right",
    ])
  func boxesStayInTheMargins(_ padding: String, _ settings: String) throws {
    let boxes = try boxes(2, padding, settings: settings)
    let margins = Self.margins.insetBy(-0.01)
    #expect(boxes.count == 2)
    for box in boxes {
      #expect(box.x >= margins.x && box.maxX <= margins.maxX, "\(boxes)")
      #expect(box.y >= margins.y && box.maxY <= margins.maxY, "\(boxes)")
    }
    #expect(boxes[0].intersection(boxes[1]).height < 0.03 * boxes[0].height, "\(boxes)")
  }

  /// Two boxes leave too little space for a third, which covers as little of them as possible.
  @Test func aBoxWithoutSpaceCoversLeast() throws {
    let tops = try boxes(3, "(12, 60)").map { ($0.y * 10).rounded() / 10 }
    #expect(tops == [203.1, 45.6, 23.1])
  }

  /// The room for the lines of a horizontal caption overlaps a vertical caption of two lines.
  @Test(arguments: ["ABC", "ABC\nDEF", "ABC\nDEF\nGHI"])
  func captionsBesideAVerticalOneDoNotCoverEachOther(_ lines: String) throws {
    let boxes = try boxes(2, "0", after: "\n00:00.000 --> 00:02.000 vertical:rl\n\(lines)\n")
    #expect(boxes.count == 2 && boxes[0].intersection(boxes[1]).height < 1, "\(boxes)")
  }

  /// A caption that is wider than the room between the margins stays in the middle.
  @Test(arguments: ["95%", "100%"]) func wideCaptionsAreCentered(_ width: String) throws {
    let box = try #require(try boxes(1, "(60, 10);  width: \(width)").first)
    #expect(abs(box.center.x - 320) < 0.01, "\(box)")
  }

  /// A caption is closer to the edge than its line only if its padding fits between them.
  @Test(arguments: [("(12, 5)", 308.7), ("(12, 14.4)", 308.7), ("(12, 20)", 303.1)])
  func onlyLargePaddingMovesCaptions(_ padding: String, _ top: Double) throws {
    let box = try #require(try boxes(1, padding).first)
    #expect(abs(box.y + (box.height - 22.5) / 2 - top) < 0.01, "\(box)")
  }
}
