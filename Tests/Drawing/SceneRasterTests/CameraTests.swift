// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneLower
import SceneModel
import SceneTestSupport
import Testing

/// The pixels that cameras show as they move in space.
@Suite("Cameras", .cpuBudget(seconds: 1)) struct CameraTests {
  private static let contents = """
    rect { position: (35%, 40%);  size: 90x60;  fill: red;  translate-z: 60 }
    rect { position: (60%, 60%);  size: 70x90;  fill: lime;  rotate-y: 40deg }
    circle { position: (50%, 50%);  radius: 30;  fill: blue }
    """

  private func pixels(_ body: String, frame: Int = 0) throws -> [UInt8] {
    try Drawing(
      "scene { size: 320x240;  for: 1s;  fps: 10;  background: black;  perspective: 500\n\(body)\n}"
    ).pixels(frame)
  }

  /// Rotating the groups in the opposite direction yields the same frame.
  @Test(arguments: [(30, 0), (0, 25), (-40, 20), (150, 10)])
  func orbitsTurnTheContents(_ yaw: Int, _ pitch: Int) throws {
    let camera = try pixels(
      "camera { perspective: 500;  orbit: (\(yaw)deg, \(pitch)deg);  \(CameraTests.contents) }")
    let groups = try pixels(
      """
      group { size: 100%;  rotate-x: \(-pitch)deg
        group { size: 100%;  rotate-y: \(-yaw)deg;  rect { size: 0;  rotate-y: 0deg }
          \(CameraTests.contents) } }
      """)
    #expect(Pixels.greatestDifference(camera, groups) <= 1)
    #expect(camera.count { $0 > 200 } > 4000)
  }

  @Test(arguments: [-400, 120, 300]) func dolliesMoveTheContentsNearer(_ distance: Int) throws {
    let camera = try pixels(
      "camera { perspective: 500;  dolly: \(distance);  \(CameraTests.contents) }")
    let group = try pixels(
      "camera { group { size: 100%;  translate-z: \(distance);  \(CameraTests.contents) } }")
    #expect(Pixels.greatestDifference(camera, group) <= 1)
  }

  /// A camera that circles an element with a depth shows it in the middle, at a constant distance.
  @Test(arguments: [(0, 120), (90, 120), (180, -200), (40, 60)])
  func targetsKeepTheirDepth(_ yaw: Int, _ z: Int) throws {
    let image = try pixels(
      """
      camera { perspective: 500;  look-at: it;  orbit: \(yaw)deg
        circle it { position: (20%, 30%);  radius: 20;  fill: red;  translate-z: \(z)
          rotate-y: \(yaw)deg } }
      """)
    let middle = center(0, image)
    #expect(middle.distance(to: Point(160, 120)) < 0.6)
    let area = Double((0..<320 * 240).count { image[4 * $0] > 127 })
    let scale = 500 / (500 - Double(z))
    #expect(abs(area - .pi * 400 * scale * scale) < 0.04 * .pi * 400 * scale * scale + 20)
  }

  /// The lens magnifies the projected image.
  @Test func zoomMagnifiesTheImage() throws {
    let camera = try pixels(
      "camera { perspective: 500;  orbit: (20deg, 10deg);  zoom: 1.5;  \(CameraTests.contents) }")
    let scaled = try pixels(
      """
      group { size: 100%;  scale: 1.5
        camera { perspective: 500;  orbit: (20deg, 10deg);  \(CameraTests.contents) } }
      """)
    #expect(Pixels.greatestDifference(camera, scaled) <= 2)
  }

  /// Returns the center of the pixels that are bright in a channel.
  private func center(_ channel: Int, _ pixels: [UInt8]) -> Point {
    var (sum, count) = (Point.zero, 0.0)
    for index in 0..<320 * 240 where pixels[4 * index + channel] > 127 {
      sum = sum + Point(Double(index % 320) + 0.5, Double(index / 320) + 0.5)
      count += 1
    }
    return sum * (1 / max(1, count))
  }

  /// A pan by 40 px moves a point at the depth z by 40 · 500 / (500 - z).
  @Test func panningShowsParallax() throws {
    func scene(_ pan: Int) -> String {
      """
      camera { perspective: 500;  look-at: (50% + \(pan), 50%)
        rect { size: 20;  position: (150, 60);  fill: red;  translate-z: 250 }
        rect { size: 20;  position: (150, 120);  fill: lime;  translate-z: -500 }
        rect { size: 20;  position: (150, 180);  fill: blue;  translate-z: 0.001 } }
      """
    }
    let (before, after) = (try pixels(scene(0)), try pixels(scene(40)))
    for (channel, shift) in [(0, 80.0), (1, 20), (2, 40)] {
      let moved = center(channel, before).x - center(channel, after).x
      #expect(abs(moved - shift) < 0.6, "\(channel)")
    }
  }

  // MARK: Depth of field

  /// Returns the standard deviation of the blur of a vertical edge in a row, in pixels.
  private func deviation(row y: Int, _ pixels: [UInt8]) -> Double {
    let line = (0..<320).map { Double(pixels[4 * (y * 320 + $0)]) }
    let steps = zip(line, line.dropFirst()).map { $1 - $0 }
    let total = steps.reduce(0, +)
    let middle = steps.enumerated().map { Double($0) * $1 }.reduce(0, +) / total
    let square = steps.enumerated().map { (Double($0) - middle) * (Double($0) - middle) * $1 }
    return (square.reduce(0, +) / total).squareRoot()
  }

  @Test(arguments: [-700, -200, 60, 150]) func blurFollowsTheThinLens(_ depth: Int) throws {
    let drawn = try pixels(
      """
      camera { perspective: 500;  aperture: 40;  focus-distance: 500
        rect { position: (50%, 50%);  anchor: left;  size: 4000x4000;  fill: white
          translate-z: \(depth) } }
      """)
    let expected = 40.0 / 4 * abs(1 - 500 / Double(500 - depth))
    // Antialiasing and rounding add a fraction of a pixel.
    let found = deviation(row: 120, drawn)
    #expect(abs(found - expected) < 0.3 + 0.06 * expected, "\(found) instead of \(expected)")
  }

  /// On a plane that leads away, each row has the blur of its distance.
  @Test(arguments: [70, 100, 130]) func tiltedPlanesHaveAVaryingBlur(_ percent: Int) throws {
    let drawn = try pixels(
      """
      camera { perspective: 500;  aperture: 60;  focus-distance: \(percent)%;  orbit: (0deg, 55deg)
        rect { position: (50%, 50%);  anchor: left;  size: 9000x900;  fill: white } }
      """)
    let sine = sin(55 * Double.pi / 180)
    let cosine = cos(55 * Double.pi / 180)
    for y in stride(from: 30, to: 220, by: 30) {
      // The point v of the plane at the height y has the depth -v · sine: the top is nearer.
      let h = Double(y) + 0.5 - 120
      let v = h / (cosine - h / 500 * sine)
      let nearness = 500 / (500 + v * sine)
      let expected = min(100, 60.0 / 4 * abs(100 / Double(percent) - nearness))
      let found = deviation(row: y, drawn)
      #expect(abs(found - expected) < 0.4 + 0.1 * expected, "\(y): \(found), not \(expected)")
    }
  }

  /// The blurred copies of a tilted plane add up to one.
  @Test func tiltedPlanesKeepTheirColor() throws {
    let drawn = try pixels(
      """
      camera { perspective: 500;  aperture: 90;  orbit: (20deg, 50deg)
        rect { size: 4000;  fill: rgb(200, 120, 40) } }
      """)
    for y in stride(from: 0, to: 240, by: 7) {
      for x in stride(from: 0, to: 320, by: 9) {
        let at = 4 * (y * 320 + x)
        for (channel, value) in [200, 120, 40].enumerated() {
          #expect(abs(Int(drawn[at + channel]) - value) <= 2, "\(x), \(y)")
        }
      }
    }
  }

  @Test func theFocusIsSharp() throws {
    func scene(_ aperture: Int) -> String {
      "camera { perspective: 500;  aperture: \(aperture);  dolly: 80;  \(contents) }"
    }
    let contents = "text \"sharp\" { font-size: 90;  rotate: 20deg }"
    #expect(try pixels(scene(90)) == pixels(scene(0)))
  }

  /// Blurred elements keep their blend mode: the middle of a large element does not change.
  @Test(arguments: ["blend: screen", "blend: difference", "blend: multiply;  opacity: 0.5"])
  func blursKeepBlendModes(_ style: String) throws {
    func color(_ aperture: Int, _ turn: String) throws -> [Int] {
      let drawn = try pixels(
        """
        camera { perspective: 500;  aperture: \(aperture)
          rect { size: 2000;  fill: #2244a0 }
          rect { size: 240;  fill: #ff8000;  translate-z: 150;  \(turn);  \(style) } }
        """)
      return drawn.rgb(160, 120, width: 320)
    }
    let wanted = try color(0, "")
    for turn in ["", "rotate-y: 30deg"] {
      let found = try color(20, turn)
      #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 2 }, "\(found), not \(wanted)")
    }
  }

  /// The blur of tilted planes costs more than that of parallel ones, which costs more than none.
  /// Returns the estimated work of a frame of a camera with rectangles at different depths.
  private func steps(_ camera: String, _ turn: String, in block: String = "group") throws -> Double
  {
    let drawing = try Drawing(
      """
      scene { size: 320x240;  for: 1s;  perspective: 500
        camera { perspective: 500;  \(camera);  rect { size: 300;  fill: blue }
          \(block) {
            for k in 0..20 { rect { size: 200;  fill: red;  \(turn);  translate-z: 5 * k } } } } }
      """)
    var work = DrawingWork(drawing.model, metrics: drawing.metrics)
    return work.frame(at: .zero).steps
  }

  @Test func workCountsTheDepthOfField() throws {
    let sharp = try steps("aperture: 0", "rotate-y: 40deg")
    let parallel = try steps("aperture: 80;  focus-distance: 300", "rotate-y: 0deg")
    let tilted = try steps("aperture: 80", "rotate-y: 40deg")
    #expect(parallel > 2 * sharp)
    #expect(tilted > 2 * parallel)
  }

  @Test func workCountsTheDepthOfFieldInMasks() throws {
    let sharp = try steps("aperture: 0", "rotate-y: 40deg", in: "mask")
    #expect(try steps("aperture: 80", "rotate-y: 40deg", in: "mask") > 4 * sharp)
  }
}
