// SPDX-License-Identifier: MIT
import SceneCairo
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneModel
import SceneRaster
import SceneTestSupport
import Testing

/// Axes of variable fonts, with a font whose letters are frames: their stems depend on `wght` and
/// their advances on all axes.
@Suite("Font axes", .cpuBudget(seconds: 1)) struct FontAxisTests {
  /// Returns the first text of a scene in a frame.
  private func block(_ body: String, frame: Int = 0) throws -> TextBlock {
    let program = try Drawing(
      "scene { size: 400x200;  for: 1s;  fps: 10;  font: \"font/Axes.ttf\"\n\(body)\n}"
    ).program(frame)
    func first(_ ops: [DrawOp]) -> TextBlock? {
      ops.lazy.compactMap { op -> TextBlock? in
        switch op {
        case .text(let block, _, _, _): block
        case .transformed(_, let body), .layer(_, let body): first(body)
        default: nil
        }
      }.first
    }
    return try #require(first(program.ops))
  }

  private func axes(_ body: String, frame: Int = 0) throws -> String {
    try block(body, frame: frame).runs[0].font.axes.settings
  }

  /// The advances are those of fontTools within 0.01 px at a font size of 100 px.
  @Test func advancesAreThoseOfFontTools() throws {
    let table = try Repository.text("Tests/Conformance/font/axes.tsv")
      .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    let drawing = try Drawing(
      "scene { size: 400x200;  for: 1s;  font: \"font/Axes.ttf\";  text \"A\" }")
    let block = try block("text \"A\"")
    var count = 0
    for row in table.dropFirst() {
      for (letter, advance) in zip(table[0].dropFirst(3), row.dropFirst(3)) {
        var one = block
        one.runs[0].text = String(repeating: letter, count: 10)
        one.runs[0].font.size = 100
        one.runs[0].font.axes = zip(table[0], row).prefix(3).map { name, value in
          FontAxis(tag: name, value: Double(value) ?? 0)
        }.sorted { $0.tag < $1.tag }
        let width = drawing.metrics.measure(one).width
        let wanted = (Double(advance) ?? 0) / 10
        #expect(abs(width / 10 - wanted) < 0.01, "\(row.prefix(3)) \(letter): \(width / 10)")
        count += 1
      }
    }
    #expect(count == 240)
  }

  /// The stem width follows the weight axis.
  @Test(arguments: [100, 250, 400, 650, 900]) func outlinesFollowTheAxes(_ weight: Int) throws {
    let drawing = try Drawing(
      """
      scene { size: 400x200;  for: 1s;  background: black;  font: "font/Axes.ttf"
        text "I" { font-size: 200;  fill: white;  font-axes: (wght: \(weight)) }
      }
      """)
    let pixels = try drawing.pixels()
    // A row through the two stems of the frame.
    let row = (0..<400).map { Double(pixels[(100 * 400 + $0) * 4]) / 255 }
    let stem = (30 + Double(weight) / 6) / 1000 * 200
    #expect(abs(row.reduce(0, +) - 2 * stem) < 0.35, "\(row.reduce(0, +)) \(2 * stem)")
  }

  @Test(arguments: [
    ("font-axes: (wdth: 75)", "wdth=75.00"),
    ("font-width: 75%", "wdth=75.00"),
    ("font-width: 75%;  font-axes: (wdth: 120)", "wdth=120.00"),
    ("optical-size: auto;  font-size: 30", "opsz=30.00"),
    ("optical-size: 12;  font-size: 30", "opsz=12.00"),
    ("optical-size: none;  font-axes: none", ""),
    ("font-axes: (wght: 450.126, opsz: 10)", "opsz=10.00,wght=450.13"),
    ("font-axes: (wght: 0 - 5.5)", "wght=-5.50"),
  ])
  func propertiesSetAxes(_ row: (String, String)) throws {
    #expect(try axes("text \"A\" { \(row.0) }") == row.1)
  }

  @Test func recordsAreMergedAndAnimated() throws {
    let nested = """
      group { font-axes: (wght: 200, wdth: 80);  group { font-width: 60%
        text "A" { font-axes: (wght: 300 -> 500 over 1s with linear) } } }
      """
    #expect(try axes(nested) == "wdth=80.00,wght=300.00")
    #expect(try axes(nested, frame: 5) == "wdth=80.00,wght=400.00")
    let span = try block(
      "text \"A \" { font-axes: (wght: 200);  span \"E\" { font-axes: (wdth: 60) } }")
    #expect(span.runs.last?.font.axes.settings == "wdth=60.00,wght=200.00")
  }

  /// Layout follows the axes: a wide text has a wide box.
  @Test func boxesFollowTheAxes() throws {
    let drawing = try Drawing(
      """
      scene { size: 800x200;  for: 1s;  fps: 10;  background: black;  font: "font/Axes.ttf"
        text wide "AEHI" { font-size: 60;  font-axes: (wdth: 50 -> 150 over 1s with linear);  fill: none }
        rect { size: (wide.box.width, 20);  position: (0, 0);  anchor: top-left;  fill: white }
      }
      """)
    let widths = try [0, 9].map { frame in
      let pixels = try drawing.pixels(frame)
      return (0..<800).count { pixels[(10 * 800 + $0) * 4] > 127 }
    }
    #expect(Double(widths[1]) > 1.8 * Double(widths[0]))
  }

  @Test(arguments: [
    ("font-axes: (xxxx: 3)", "W0515 'font/Axes.ttf' has no axis 'xxxx'"),
    ("font: \"DejaVu Sans\";  font-axes: (wdth: 75)", "W0515 'DejaVu Sans' has no axis 'wdth'"),
    ("font: \"Inter\";  font-width: 75%", "W0515 'Inter' has no axis 'wdth'"),
    ("font-axes: (width: 3)", "E0305 invalid font axis tag 'width'"),
    ("font-width: 5%", "E0305 the font width must be between 10% and 1000%"),
    ("font-axes: 75", "E0301 expected the axes of a font"),
    ("optical-size: large", "E0304 unknown value 'large'"),
  ])
  func mistakes(_ row: (String, String)) throws {
    let (_, diagnostics) = try Drawing.checking(
      "scene { size: 400x200;  for: 1s;  font: \"font/Axes.ttf\";  text \"A\" { \(row.0) } }")
    let texts = diagnostics.map { "\($0.code.rawValue) \($0.message)" }
    #expect(texts.contains { $0.hasPrefix(row.1) }, "\(texts)")
  }

  /// The axes of fonts that are not variable are ignored.
  @Test func otherFontsStayTheSame() throws {
    func pixels(_ more: String) throws -> [UInt8] {
      try Drawing(
        "scene { size: 200x100;  for: 1s;  font: \"DejaVu Sans\";  text \"Ag\" { \(more) } }"
      ).pixels()
    }
    #expect(try pixels("") == pixels("font-axes: (wght: 900)"))
  }

  @Test func axesAreListed() throws {
    let path = Repository.path + "/Tests/Conformance/font/Axes.ttf"
    let fonts = FontLibrary()
    let family = try #require(
      fonts.add(try Repository.bytes("Tests/Conformance/font/Axes.ttf"), called: "Axes"), "\(path)")
    #expect(fonts.axes(of: family).map(\.tag) == ["opsz", "wdth", "wght"])
    #expect(fonts.axes(of: family).map(\.initial) == [16, 100, 400])
    #expect(fonts.axes(of: "DejaVu Sans").isEmpty)
  }

  /// `font-width` selects faces of families that are not variable.
  @Test func widthsOfStaticFamilies() throws {
    func width(_ more: String) throws -> Double {
      let drawing = try Drawing(
        "scene { size: 800x100;  for: 1s;  font: \"DejaVu Sans\";  text \"Hamburg\" { \(more) } }")
      guard
        case .text(let block, _, _, _)? = drawing.program().ops.flatMap({ op -> [DrawOp] in
          if case .transformed(_, let body) = op { body } else { [op] }
        }).last
      else { return 0 }
      return drawing.metrics.measure(block).width
    }
    let (normal, condensed) = (try width(""), try width("font-width: 75%"))
    #expect(condensed > 0 && abs(condensed / normal - 0.9) < 0.03, "\(condensed / normal)")
  }
}
