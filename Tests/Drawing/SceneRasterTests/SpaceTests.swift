// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneTestSupport
import Testing

/// The pixels of elements in space.
@Suite("Space", .cpuBudget(seconds: 2)) struct SpaceTests {
  private func pixels(_ body: String, frame: Int = 0) throws -> [UInt8] {
    try Drawing(
      "scene { size: 320x240;  for: 1s;  fps: 10;  background: black;  perspective: 400\n\(body)\n}"
    ).pixels(frame)
  }

  /// Returns the number of pixels that are brighter than half in a channel (0 red, 1 green, 2
  /// blue).
  private func count(_ channel: Int, _ pixels: [UInt8]) -> Int {
    stride(from: channel, to: pixels.count, by: 4).count { pixels[$0] > 127 }
  }

  /// Letters have a perspective even if nothing else in the scene is in space.
  @Test(arguments: [
    "text \"HELLO\" { font-size: 60;  each glyph { rotate-y: 60deg } }",
    "text \"HELLO\" { font-size: 60;  each word { rotate-x: 60deg } }",
    "group { size: 200;  text \"HELLO\" { font-size: 60;  each glyph { rotate-y: 60deg } } }",
    "text { font-size: 60;  span \"HELLO\" { rotate-x: 60deg } }",
    "math \"E = m c^2\" { font-size: 60;  part \"E\" { rotate-y: 60deg } }",
  ])
  func lettersAloneHaveAPerspective(_ text: String) throws {
    let alone = try pixels(text)
    let other = try pixels(text + "\nrect { at: 0s;  size: 1;  position: (1, 1);  rotate-y: 1deg }")
    #expect(count(1, alone) > 200)
    // Only the pixel of the other element differs.
    #expect(zip(alone, other).count { abs(Int($0) - Int($1)) > 8 } <= 12)
    let flat = try Drawing(
      "scene { size: 320x240;  for: 1s;  background: black;  perspective: none\n\(text)\n}"
    ).pixels()
    #expect(Pixels.greatestDifference(alone, flat) > 100)
  }

  /// Letters on a tilted plane do not change if a sibling has a depth.
  @Test(arguments: ["rotate-x: 50deg", "rotate-y: -40deg", "rotate: 20deg;  rotate-y: 30deg"])
  func planesHaveTheirOwnEye(_ turn: String) throws {
    func scene(_ more: String) -> String {
      """
      group { size: 240x160;  \(turn)
        text "TURN" { font-size: 70;  each glyph { rotate-y: 50deg } }
        \(more)
      }
      """
    }
    let alone = try pixels(scene(""))
    let beside = try pixels(
      scene("rect { size: 1;  position: (0, 0);  fill: none;  translate-z: 5 }"))
    #expect(Pixels.greatestDifference(alone, beside) < 8)
  }

  /// Contents beyond the horizon of their group's plane are composited as well.
  @Test(arguments: ["rotate-x: 60deg", "rotate-x: 80deg", "rotate-x: 90deg", "rotate-y: 85deg"])
  func compositedGroupsKeepTheirContents(_ turn: String) throws {
    func scene(_ opacity: String) -> String {
      """
      group { size: 200;  \(turn);  opacity: \(opacity)
        rect { size: 100;  fill: white;  \(turn.replacing("deg", with: "deg * -1")) }
        rect { size: 60;  fill: red;  translate-z: 20 }
      }
      """
    }
    let whole = try pixels(scene("1"))
    let composited = try pixels(scene("0.99"))
    #expect(count(1, whole) > 3000)
    #expect(abs(count(1, whole) - count(1, composited)) < 60)
  }

  /// A group joins the space, or is drawn as one, for its whole lifetime.
  @Test(arguments: ["opacity: 0.5 -> 1 over 0.5s", "enter: fade over 0.5s"])
  func theOrderDoesNotChangeWithAFade(_ fade: String) throws {
    let scene = """
      rect { size: 120;  fill: red;  translate-z: 10;  rotate-y: 1deg }
      group { size: 200;  \(fade)
        rect { size: 80;  fill: lime;  rotate-y: 30deg }
      }
      """
    let (middle, end) = (try pixels(scene, frame: 4), try pixels(scene, frame: 6))
    // The group is above in both, though half of it is farther away.
    #expect(count(1, middle) > 4000)
    #expect(abs(count(1, end) - count(1, middle)) < 40)
  }

  @Test func hiddenBacksAloneDoNotChangeTheOrder() throws {
    func scene(_ more: String) -> String {
      """
      rect { size: 120;  fill: red;  translate-z: 10;  rotate-y: 1deg }
      rect { size: 80;  fill: lime;  \(more) }
      """
    }
    #expect(try pixels(scene("")) == pixels(scene("backface: hidden")))
    let turned = """
      group { size: 100;  rotate-y: 180deg
        rect { size: 100;  fill: lime;  backface: hidden }
      }
      """
    #expect(count(1, try pixels(turned)) == 0)
  }

  /// A group of the size of its contents has its eye in front of their center.
  @Test(arguments: ["", "perspective-origin: left", "perspective-origin: (25%, 75%)"])
  func fittingGroupsHaveTheirOwnEye(_ origin: String) throws {
    func scene(_ size: String, _ place: String) -> String {
      """
      group { \(size);  position: (160, 120);  perspective: 150;  \(origin)
        rect { size: 100;  position: \(place);  fill: white;  rotate-x: 50deg }
      }
      """
    }
    let fixed = try pixels(scene("size: 100", "(50, 50)"))
    for place in ["(50, 50)", "(150, 50)", "(-300, 40)"] {
      #expect(
        Pixels.greatestDifference(fixed, try pixels(scene("size: fit", place))) < 8, "\(place)")
    }
  }

  /// A plane that extends far beyond the frame is cut instead of dropped.
  @Test(arguments: [4_000, 40_100, 1_000_000, 1_700_000])
  func groundsExtendToTheHorizon(_ size: Int) throws {
    for paint in ["lime", "linear-gradient([lime, lime])"] {
      let ground = try pixels(
        "rect { size: \(size);  position: (160, 240);  fill: \(paint);  rotate-x: 85deg }")
      #expect(count(1, ground) > 5000, "\(paint)")
    }
  }

  /// The part of an open line in front of the eye has no edge that closes it.
  @Test func linesBehindTheEyeStayOpen() throws {
    let body = """
      group { size: 320x240;  rotate-x: 88deg
        polyline { points: [(20, -2000), (20, 3000), (300, 3000), (300, -2000)];  stroke: lime
          stroke-width: 6;  stroke-scale: none }
      }
      """
    let program = try Drawing(
      "scene { size: 320x240;  for: 1s;  perspective: 400\n\(body)\n}"
    ).program(0)
    var closed = 0
    var lines = 0
    func visit(_ op: DrawOp) {
      switch op {
      case .stroke(let outline, _, _):
        lines += 1
        closed += outline.path.elements.count { $0 == .close }
      case .transformed(_, let body), .clipped(_, let body), .layer(_, let body):
        body.forEach(visit)
      default: break
      }
    }
    program.ops.forEach(visit)
    #expect(lines == 1)
    #expect(closed == 0)
  }

  /// A filter of the backdrop refers to the plane of its element.
  /// An element whose parent has a scale of 0 is invisible, whether it is flat or in space.
  @Test(arguments: ["0 -> 1", "0", "(0, 1) -> 1", "(1, 0) -> 1", "-0.0 -> 1"])
  func aScaleOfZeroHidesFlatElementsInSpace(_ scale: String) throws {
    for more in ["circle { }", "group { circle { } }", "text \"a\" { }"] {
      let body = "group { scale: \(scale);  rect { rotate-y: 67deg };  \(more) }"
      #expect(count(1, try pixels(body)) == 0, "\(more)")
      #expect(count(1, try pixels("group { opacity: 0.9;  \(body) }")) == 0, "\(more)")
    }
  }

  @Test func backdropFiltersAreInThePlane() throws {
    let scene = try Drawing(
      """
      filter halves() { color: uv.x < 0.5 ? red : lime }
      scene { size: 320x240;  for: 1s;  background: black
        rect { size: 160;  fill: none;  rotate-y: 40deg;  backdrop-filter: halves() }
      }
      """
    ).pixels()
    #expect(count(0, scene) > 6000)
    #expect(count(1, scene) > 6000)
  }
}
