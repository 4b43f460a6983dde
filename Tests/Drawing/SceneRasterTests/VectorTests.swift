// SPDX-License-Identifier: MIT
import Foundation
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneModel
import SceneRaster
import SceneTestSupport
import Testing

/// Tests `svg` elements, whose parts can be modified.
@Suite("SVG with parts", .cpuBudget(seconds: 2)) struct VectorTests {
  private static let folder = "build/vectors"

  private func write(_ text: String, _ name: String) throws {
    let folder = Repository.path + "/" + VectorTests.folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
  }

  private func pixels(_ body: String, frame: Int = 0) throws -> [UInt8] {
    try Drawing(
      "scene { size: 200x200;  for: 1s;  fps: 10;  background: white\n\(body)\n}",
      folder: VectorTests.folder
    ).pixels(frame)
  }

  private func color(_ pixels: [UInt8], _ x: Int, _ y: Int) -> [Int] {
    (0..<3).map { Int(pixels[(y * 200 + x) * 4 + $0]) }
  }

  /// Whether to test all conformance files or every third one.
  private static let isWhole = ProcessInfo.processInfo.environment["SCENEC_ALL"] != nil

  /// Rendering the first element of a conformance file separately does not change the result.
  @Test func partsAtRestLookAsTheImage() throws {
    let folder = Repository.path + "/Tests/Conformance/svg-render"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".svg") }
    let element = try Regex("<(path|rect|circle|ellipse|line|polyline|polygon|g|use|text)(?=[ />])")
    var (compared, outlines) = (0, 0)
    for (number, file) in files.enumerated() where Self.isWhole || number.isMultiple(of: 3) {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      // Outlines in scenes are always antialiased.
      if text.contains("shape-rendering") { continue }
      guard let first = text.firstMatch(of: element) else { continue }
      let tag = text[first.range.upperBound...].prefix { $0 != ">" }
      let given = String(tag).firstMatch(of: /\bid="([^"]*)"/)?.output.1
      let id = given.map(String.init) ?? "tried-part"
      let named =
        given == nil
        ? text.replacingCharacters(in: first.range, with: text[first.range] + " id=\"\(id)\"")
        : text
      try write(named, "one.svg")
      let (drawing, errors) = try Drawing.checking(
        "scene { size: 200x200;  for: 1s;  background: white\nsvg \"one.svg\" { part \"\(id)\" { } } }",
        folder: VectorTests.folder)
      guard let drawing else {
        // The element is in definitions or part of an indivisible layer.
        #expect(
          errors.allSatisfy {
            ["is not a part of", "unknown part"].contains(where: $0.message.contains)
              || $0.severity == .warning
          },
          "\(file): \(errors.map(\.message))")
        continue
      }
      let image = try pixels("image \"one.svg\"")
      let parts = try drawing.pixels()
      let difference = Pixels.difference(image, parts, limit: 40)
      #expect(difference.mean < 0.35 && difference.far < 60, "\(file): \(difference)")
      compared += 1
      if drawing.program().description.contains("path \"") { outlines += 1 }
    }
    #expect(compared > 40 && outlines > 22, "\(compared) compared, \(outlines) with outlines")
  }

  private static let car = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">
      <style>.body { fill: #0000ff }</style>
      <rect width="100" height="100" fill="#eeeeee"/>
      <g id="car" transform="translate(0 20)">
        <rect id="body" class="body" x="10" y="20" width="80" height="20"/>
        <circle id="wheel" cx="30" cy="45" r="10" fill="none" stroke="black" stroke-width="4"/>
        <path id="ring" fill-rule="evenodd" d="M60 35h20v20h-20z M65 40h10v10h-10z"/>
      </g>
      <text id="word" x="10" y="15" font-size="12">scenec</text>
      <g opacity="0.5"><rect id="half" x="60" y="80" width="20" height="10" fill="red"/></g>
      <g clip-path="url(#c)"><rect id="cut" width="5" height="5"/></g>
      <clipPath id="c"><rect id="inside" width="9" height="9"/></clipPath>
    </svg>
    """

  @Test func partsTakePaintsAndPlaces() throws {
    try write(VectorTests.car, "car.svg")
    let rest = try pixels("svg \"car.svg\" { size: 200 }")
    #expect(color(rest, 100, 100) == [0, 0, 255] && color(rest, 60, 130) == [238, 238, 238])
    let filled = try pixels("svg \"car.svg\" { size: 200;  part \"body\" { fill: red } }")
    #expect(color(filled, 100, 100) == [255, 0, 0] && color(filled, 190, 40) == [238, 238, 238])
    let moved = try pixels("svg \"car.svg\" { size: 200;  part \"car\" { translate: (0, -40) } }")
    #expect(color(moved, 100, 60) == [0, 0, 255] && color(moved, 100, 110) == [238, 238, 238])
    // The ring keeps its hole when its fill is replaced.
    let ring = try pixels("svg \"car.svg\" { size: 200;  part \"ring\" { fill: lime } }")
    #expect(color(ring, 124, 130) == [0, 255, 0] && color(ring, 140, 130) == [238, 238, 238])
    // A stroke keeps its width, and the shape keeps its fill.
    let wheel = try pixels("svg \"car.svg\" { size: 200;  part \"wheel\" { stroke: lime } }")
    #expect(color(wheel, 40, 130) == [0, 255, 0] && color(wheel, 60, 130) == [238, 238, 238])
    // An opacity in the file also applies to named parts.
    let half = try pixels("svg \"car.svg\" { size: 200;  part \"half\" { fill: blue } }")
    let mean = color(half, 140, 170)
    #expect(abs(mean[0] - 119) <= 2 && abs(mean[2] - 247) <= 2, "\(mean)")
    let word = try pixels("svg \"car.svg\" { size: 200;  part \"word\" { opacity: 0 } }")
    #expect(color(word, 30, 24) == [238, 238, 238])
  }

  @Test func innerPartsMoveWithOuterOnes() throws {
    try write(VectorTests.car, "car.svg")
    let body = """
      svg logo "car.svg" { size: 200
        part "wheel" { stroke: lime }
        part "car" { translate: (40, -40) } }
      """
    let drawn = try pixels(body)
    #expect(color(drawn, 80, 90) == [0, 255, 0], "\(color(drawn, 80, 90))")
    // Elements that refer to the part's position follow it.
    let followed = try pixels(
      body + "\ncircle { radius: 4;  fill: red;  position: logo[\"wheel\"].center }")
    #expect(color(followed, 100, 90) == [255, 0, 0])
  }

  @Test func changesBeginAsTheFileIs() throws {
    try write(VectorTests.car, "car.svg")
    let body = """
      svg logo "car.svg" { size: 200 }
      steps { step { for: 0.2s }  step { change of logo["body"] { for: 0.4s;  fill: lime;  easing: linear } } }
      """
    #expect(color(try pixels(body), 100, 100) == [0, 0, 255])
    #expect(color(try pixels(body, frame: 9), 100, 100) == [0, 255, 0])
  }

  @Test func partsAreDrawn() throws {
    try write(VectorTests.car, "car.svg")
    let body = "svg \"car.svg\" { size: 200;  part \"wheel\" { trim: 0% .. 50% } }"
    let drawn = try pixels(body)
    let marks = [(80, 130), (40, 130), (60, 150), (60, 110)].count { x, y in
      color(drawn, x, y)[2] < 60
    }
    #expect(marks >= 2 && marks < 4, "\(marks)")
  }

  @Test func errorsSayWhatIsThere() throws {
    try write(VectorTests.car, "car.svg")
    func messages(_ body: String) throws -> [String] {
      try Drawing.checking("scene { for: 1s\n\(body)\n}", folder: VectorTests.folder).1.map(
        \.message)
    }
    #expect(
      try messages("svg \"car.svg\" { part \"weel\" { } }") == ["unknown part 'weel' of 'car.svg'"])
    #expect(
      try messages("svg \"car.svg\" { part \"inside\" { } }")
        == ["'inside' is not a part of 'car.svg': it is not drawn"])
    #expect(
      try messages("svg \"car.svg\" { part \"cut\" { } }")
        == [
          "'cut' is not a part of 'car.svg': it is inside something, which has 'clip-path' and is drawn as a whole"
        ])
    #expect(
      try messages("svg \"car.svg\" { part \"word\" { fill: red } }")
        == ["'fill' requires an outline, and <text> 'word' has none"])
    try write(
      VectorTests.car.replacing("</g>\n  <text", with: "<animate/></g>\n  <text")
        .replacing("<text", with: "<script/><text"), "live.svg")
    #expect(
      try messages("svg \"live.svg\"").first?.contains("scripts") == true)
  }
}
