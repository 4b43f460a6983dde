// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

/// Proofs about contrasts and covered elements agree with the pixels of rendered frames.
@Suite("Proofs and pixels", .cpuBudget(seconds: 12)) struct ProofTests {
  private static let assets = "Grammar/pictures/assets"

  private static func color(_ pixels: [UInt8], _ index: Int) -> Color {
    let (red, green) = (UInt32(pixels[4 * index]), UInt32(pixels[4 * index + 1]))
    return Color(hex: red << 16 | green << 8 | UInt32(pixels[4 * index + 2]))
  }

  /// The contrast ratio of WCAG 2.2.
  private static func contrast(_ a: Color, _ b: Color) -> Double {
    let (low, high) = (min(a.luminance, b.luminance), max(a.luminance, b.luminance))
    return (high + 0.05) / (low + 0.05)
  }

  private static func mostFrequent(_ colors: [Color]) -> Color? {
    Dictionary(grouping: colors, by: \.hexDescription).values.max { $0.count < $1.count }?.first
  }

  /// Returns the lowest contrast of the captions in rendered frames: that of the fill to the color
  /// behind it or, if it is higher, to the most frequent other color of the captions.
  private func contrast(_ source: String, fill: Color, isOutlined: Bool) throws -> Double {
    let drawing = try Drawing(source, folder: Self.assets)
    var lowest = 99.0
    for frame in 0..<drawing.model.frameCount {
      let shown = try drawing.pixels(frame)
      let bare = try drawing.withoutCaptions.pixels(frame)
      let changed: [Int] = (0..<shown.count / 4).filter {
        Self.color(shown, $0) != Self.color(bare, $0)
      }
      guard let ground = Self.mostFrequent(changed.map { Self.color(bare, $0) }) else { continue }
      let others = changed.map { Self.color(shown, $0) }
        .filter { $0.hexDescription != fill.hexDescription }
      let outline = isOutlined ? Self.mostFrequent(others) : nil
      lowest = min(
        lowest,
        max(Self.contrast(fill, ground), outline.map { Self.contrast(fill, $0) } ?? 0))
    }
    return lowest
  }

  @Test(
    arguments: [
      ("background: white", "", "", 0xFFFFFF, true),
      ("background: black", "", "", 0xFFFFFF, true),
      ("background: #6a7a9a", "", "", 0xFFFFFF, true),
      ("background: white", "fill: #224466", "", 0x224466, false),
      (
        "background: #ffcc00", "fill: white", "rect { size: 100%;  fill: #00000080 }", 0xFFFFFF,
        false
      ),
      (
        "background: #ffcc00", "fill: white",
        "rect { size: (100%, 40%);  anchor: bottom;  position: (50%, 100%);  fill: #334;  for: 1s }",
        0xFFFFFF, false
      ),
      (
        "background: white", "fill: #ff4040;  stroke: #400000;  stroke-width: 12",
        "rect { size: (100%, 40%);  anchor: bottom;  position: (50%, 100%);  fill: #888;  at: 1s }",
        0xFF4040, true
      ),
    ])
  func captionsHaveTheContrastOfTheirPixels(
    background: String, look: String, ground: String, fill: Int, isOutlined: Bool
  ) throws {
    func scene(_ expectations: String) -> String {
      """
      scene {
        size: 1280x720;  fps: 3;  for: 3s;  \(background)
        \(ground)
        captions subs "talk.srt" { font-size: 110;  \(look) }
        \(expectations)
      }
      """
    }
    let pixels = try contrast(scene(""), fill: Color(hex: UInt32(fill)), isOutlined: isOutlined)
    #expect((1...21).contains(pixels))
    let (_, diagnostics) = try Drawing.checking(
      scene(
        """
        expect "lower" { contrast-of(subs) >= \(pixels - 0.2) }
        expect "higher" { contrast-of(subs) >= \(pixels + 0.2) }
        """), folder: Self.assets)
    let failed = diagnostics.filter { [.expectationFails, .unknownContrast].contains($0.code) }
    #expect(
      failed.count == 1 && failed[0].message.hasPrefix("\"higher\" does not hold"),
      "\(pixels): \(failed.map(\.message))")
  }

  /// An element is covered if another hides more than half of its pixels.
  @Test func coveredElementsHideInPixels() throws {
    var generator = Generator(seed: 11)
    func shape(_ name: String, _ fill: String, isWhole: Bool) -> String {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
      let (width, height) = (number(20...90), number(20...90))
      let turn =
        "rotate: \(number(0...179))deg;  position: (\(number(60...100)), \(number(30...60)))"
      let kind = number(0...2)
      let corner = kind == 1 ? "corner-radius: \(number(0...30));  " : ""
      let size =
        kind == 2
        ? "radius: (\(Double(width) / 2), \(Double(height) / 2))" : "size: \(width)x\(height)"
      let body = "\(size);  \(corner)\(turn);  fill: \(fill)"
      let element = "\(kind == 2 ? "ellipse" : "rect") \(name) { \(body) }"
      guard isWhole, number(0...2) == 0 else { return element }
      let box = "size: \(number(90...150))x\(number(60...90));  rotate: \(number(0...179))deg"
      return "group { \(box);  clip: true;  \(element) }"
    }
    var verdicts: [Bool: Int] = [:]
    for _ in 0..<60 {
      let (under, over) = (
        shape("under", "#ff0000", isWhole: false), shape("over", "#0000ff", isWhole: true)
      )
      func scene(_ body: String) -> String {
        "scene { size: 160x90;  fps: 5;  for: 0.2s;  background: black\n\(body) }"
      }
      func red(_ body: String) throws -> Double {
        let pixels = try Drawing(scene(body)).pixels()
        return stride(from: 0, to: pixels.count, by: 4).reduce(0) { $0 + Double(pixels[$1]) }
      }
      let hidden = try 1 - red("\(under)\n\(over)") / red(under)
      if abs(hidden - 0.5) < 0.03 { continue }
      let (_, diagnostics) = try Drawing.checking(
        scene("\(under)\n\(over)\nexpect { covered(under) }"))
      let isCovered = !diagnostics.contains { $0.code == .expectationFails }
      #expect(isCovered == (hidden > 0.5), "\(hidden): \(under) \(over)")
      verdicts[isCovered, default: 0] += 1
    }
    #expect(verdicts[true, default: 0] >= 5 && verdicts[false, default: 0] >= 5, "\(verdicts)")
  }
}
