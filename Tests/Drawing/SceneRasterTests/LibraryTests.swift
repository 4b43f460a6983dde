// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLibrary
import SceneTestSupport
import Testing

/// Tests that every component of the library, rendered at four sizes, is visible and stays within
/// its box.
@Suite("Library", .cpuBudget(seconds: 4)) struct LibraryDrawingTests {
  /// An example of each component and a time at which it is fully visible.
  private static let uses: [(name: String, use: String, second: Double)] = [
    ("Title", "title: \"A library in the language\";  subtitle: \"charts, titles, frames\"", 3),
    ("EndCard", "title: \"Yours to read and change\";  line: \"scenec docs std/charts\"", 3),
    ("LowerThird", "name: \"Grace Brewster Murray Hopper\";  role: \"Rear admiral\"", 3),
    ("Countdown", "from: 90s", 1),
    ("Logo", "mark: path(\"M50 0 L100 90 H0 Z\");  name: \"Delta works\"", 3),
    (
      "QuoteCard",
      "quote: \"That brain of mine is something more than merely mortal, as time will show.\";  author: \"Ada Lovelace\"",
      3
    ),
    ("ProgressBar", "share: 64%;  label: \"Of the goal\"", 1),
    (
      "Terminal",
      "lines: [\"$ git clone https://example.org/tides.git\", \"Cloning into 'tides' ... done.\", \"$ make film\"]",
      5
    ),
    ("SafeArea", "kind: reel;  rect { size: 100%;  fill: gray }", 1),
    ("Browser", "address: \"example.org/a/path/that/goes/on/and/on\"", 1),
    (
      "Code",
      "language: \"swift\";  line-numbers: true;  focus-lines: [2];  source: \"func half(x: Int) -> Int \\{\\n    return x / 2\\n\\}\"",
      4
    ),
    ("Phone", "rect { size: 100%;  fill: teal }", 1),
    (
      "Callout",
      "words: \"the sun, five minutes before it sets\";  target: (50%, 50%);  place: (100%, 0%)", 2
    ),
    ("Highlight", "place: (50%, 50%);  extent: (50%, 30%)", 2),
    (
      "BarChart",
      "values: [12, 19, -7, 23];  labels: [\"Monday\", \"Tuesday\", \"Wednesday\", \"Thursday\"];  suffix: \" t\"",
      3
    ),
    (
      "LineChart",
      "series: [(name: \"sea\", values: [-2, 5, -4]), (name: \"land\", values: [12, 2.5, 1350])];  labels: [\"January\", \"May\", \"December\"]",
      3
    ),
    (
      "PieChart",
      "values: [46, 28, 17, 9];  labels: [\"Rail and trams\", \"Road\", \"Ship\", \"Air\"]", 3
    ),
    (
      "BarRace",
      "rows: [(name: \"Aram\", a: 10, b: 40), (name: \"Belo Horizonte\", a: 22, b: 31)];  columns: [\"a\", \"b\"]",
      1
    ),
    (
      "Map",
      "names: true;  values: [3, 9];  regions: [(name: \"Aram\", data: \"M0 40 L60 0 L120 30 L110 90 Z\"), (name: \"Belo\", data: \"M120 30 L200 20 L170 130 L110 90 Z\")]",
      3
    ),
    ("AudioBars", "loudness: fn(low, high) = 0.5", 1),
  ]

  private static let imports = [
    "titles", "cards", "frames", "callouts", "charts", "maps", "sound",
  ]

  private static let sizes = [(640, 360), (360, 360), (360, 640), (960, 540)]

  @Test func noneIsMissing() throws {
    var names: Set<String> = []
    for file in Self.imports {
      let text = String(decoding: try #require(Library.file(file + ".scene")), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("component ") {
        names.insert(String(line.dropFirst(10).prefix { $0 != "(" }))
      }
    }
    let known = names.filter { !$0.hasPrefix("_") }
    #expect(known == Set(Self.uses.map(\.name)))
  }

  /// The component is centered in a scene with a margin of a tenth, which must stay empty.
  @Test(arguments: uses.map(\.name), ["night", "paper"])
  func itFitsItsBox(_ name: String, _ theme: String) throws {
    let (_, use, second) = try #require(Self.uses.first { $0.name == name })
    let imports = (Self.imports + ["themes"]).map { "import \"std/\($0).scene\"" }
    let takesTheme = !["SafeArea", "Phone"].contains(name)
    for (width, height) in Self.sizes {
      let (x, y) = (width / 20 * 2, height / 20 * 2)
      let (whole, tall) = (width + 2 * x, height + 2 * y)
      let drawing = try Drawing(
        """
        \(imports.joined(separator: "\n"))
        scene {
            size: \(whole)x\(tall);  fps: 10;  for: 12s;  background: #7f7f7f
            group { size: \(width)x\(height);  \(name) { \(use)\(takesTheme ? ";  theme: \(theme)" : "") } }
        }
        """)
      let pixels = try drawing.pixels(Int(second * 10))
      var (inside, outside) = (0, 0)
      for index in 0..<whole * tall where (0..<3).contains(where: { pixels[index * 4 + $0] != 127 })
      {
        let (column, row) = (index % whole, index / whole)
        let isInside = column >= x && column < x + width && row >= y && row < y + height
        if isInside { inside += 1 } else { outside += 1 }
      }
      #expect(inside > width * height / 400, "\(name) at \(width)x\(height) shows nothing")
      #expect(outside == 0, "\(name) at \(width)x\(height) has \(outside) pixels outside")
    }
  }
}
