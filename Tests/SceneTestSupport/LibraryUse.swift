// SPDX-License-Identifier: MIT

/// An example of a component of the library, with a time at which it is fully visible.
package struct LibraryUse: Sendable {
  package let name: String
  /// The items of the component's body.
  package let arguments: String
  /// The time in seconds.
  package let second: Double

  private init(_ name: String, _ arguments: String, _ second: Double) {
    self.name = name
    self.arguments = arguments
    self.second = second
  }

  /// The files that declare the components.
  package static let imports = [
    "titles", "cards", "frames", "callouts", "charts", "maps", "sound",
  ]

  /// The file of each component.
  private static let files: [String: String] = {
    var files: [String: String] = [:]
    for file in imports {
      let path = "Sources/Language/SceneLibrary/std/\(file).scene"
      for line in ((try? Repository.text(path)) ?? "").split(separator: "\n")
      where line.hasPrefix("component ") {
        files[String(line.dropFirst(10).prefix { $0 != "(" })] = file
      }
    }
    return files
  }()

  /// The file that declares the component.
  package var file: String { LibraryUse.files[name] ?? "" }

  /// One example of each component.
  package static let all: [LibraryUse] = [
    LibraryUse(
      "Title", "title: \"A library in the language\";  subtitle: \"charts, titles, frames\"", 3),
    LibraryUse(
      "EndCard", "title: \"Yours to read and change\";  line: \"scenec docs std/charts\"", 3),
    LibraryUse("LowerThird", "name: \"Grace Brewster Murray Hopper\";  role: \"Rear admiral\"", 3),
    LibraryUse("Countdown", "from: 90s", 1),
    LibraryUse("Logo", "mark: path(\"M50 0 L100 90 H0 Z\");  name: \"Delta works\"", 3),
    LibraryUse(
      "QuoteCard",
      "quote: \"That brain of mine is something more than merely mortal, as time will show.\";  author: \"Ada Lovelace\"",
      3
    ),
    LibraryUse("ProgressBar", "share: 64%;  label: \"Of the goal\"", 1),
    LibraryUse(
      "Terminal",
      "lines: [\"$ git clone https://example.org/tides.git\", \"Cloning into 'tides' ... done.\", \"$ make film\"]",
      5
    ),
    LibraryUse("SafeArea", "kind: reel;  rect { size: 100%;  fill: gray }", 1),
    LibraryUse("Browser", "address: \"example.org/a/path/that/goes/on/and/on\"", 1),
    LibraryUse(
      "Code",
      "language: \"swift\";  line-numbers: true;  focus-lines: [2];  source: \"func half(x: Int) -> Int \\{\\n    return x / 2\\n\\}\"",
      4
    ),
    LibraryUse("Isometric", "rect { size: 50%;  fill: teal;  translate-z: 40 }", 1),
    LibraryUse("DeviceTilt", "rect { size: 50%;  fill: teal }", 1),
    LibraryUse("Phone", "rect { size: 100%;  fill: teal }", 1),
    LibraryUse(
      "Callout",
      "words: \"the sun, five minutes before it sets\";  target: (50%, 50%);  place: (100%, 0%)", 2
    ),
    LibraryUse("Highlight", "place: (50%, 50%);  extent: (50%, 30%)", 2),
    LibraryUse(
      "BarChart",
      "values: [12, 19, -7, 23];  labels: [\"Monday\", \"Tuesday\", \"Wednesday\", \"Thursday\"];  suffix: \" t\"",
      3
    ),
    LibraryUse(
      "LineChart",
      "series: [(name: \"sea\", values: [-2, 5, -4]), (name: \"land\", values: [12, 2.5, 1350])];  labels: [\"January\", \"May\", \"December\"]",
      3
    ),
    LibraryUse(
      "PieChart",
      "values: [46, 28, 17, 9];  labels: [\"Rail and trams\", \"Road\", \"Ship\", \"Air\"]", 3
    ),
    LibraryUse(
      "BarRace",
      "rows: [(name: \"Aram\", a: 10, b: 40), (name: \"Belo Horizonte\", a: 22, b: 31)];  columns: [\"a\", \"b\"]",
      1
    ),
    LibraryUse(
      "Map",
      "names: true;  values: [3, 9];  regions: [(name: \"Aram\", data: \"M0 40 L60 0 L120 30 L110 90 Z\"), (name: \"Belo\", data: \"M120 30 L200 20 L170 130 L110 90 Z\")]",
      3
    ),
    LibraryUse("AudioBars", "loudness: fn(low, high) = 0.5", 1),
  ]
}
