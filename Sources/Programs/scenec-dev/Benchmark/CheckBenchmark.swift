// SPDX-License-Identifier: MIT
import Foundation
import SceneCairo
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneLower
import SceneRaster
import SceneSyntax
import SceneSystem
import SceneText

/// Measures the CPU time of each phase of a check, and the CPU time and memory of `scenec check`,
/// optionally beside the programs of another commit.
struct CheckBenchmark {
  /// The folder of other programs to compare with.
  let old: String?

  private static let folder = "build/bench"
  private static let rounds = 15

  /// The scenes by the names of their rows.
  private let scenes = [
    ("S4", "Examples/bench-busy/scene.scene"),
    ("10,000 lines", "\(folder)/lines.scene"),
    ("five minutes", "Examples/bench-film/scene.scene"),
    ("library tour", "Examples/library-tour/scene.scene"),
  ]

  func run() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    try Self.lines.write(toFile: Self.folder + "/lines.scene", atomically: true, encoding: .utf8)
    print("CPU ms of each phase, the median of \(Self.rounds) checks in one process")
    print(row(["scene", "parse", "types", "check", "cost", "warnings", "release", "all"]))
    for (name, path) in scenes { print(row([name] + (try phases(of: path)).map(text))) }
    print("\nscenec check: CPU ms (the median of \(Self.rounds) runs) and peak megabytes")
    let programs = [old, ".build/release"].compactMap { $0 }
    if old != nil { print(row(["scene", "old", "new", "old", "new"])) }
    for (name, path) in scenes {
      var costs = programs.map { _ in [Cost]() }
      // Interleaved, so that a load spike affects both.
      for _ in 0..<Self.rounds {
        for (index, bin) in programs.enumerated() {
          costs[index].append(try Self.check(path, "\(bin)/scenec"))
        }
      }
      let times = costs.map { median($0.map(\.cpuSeconds)) * 1000 }
      let peaks = costs.map { median($0.map(\.peakMegabytes)) }
      print(row([name] + (times + peaks).map(text)))
    }
  }

  /// Runs `scenec check` as a child of a small program that measures it. Otherwise, the kernel
  /// would count the memory of the large process that forks it.
  private static func check(_ path: String, _ program: String) throws -> Cost {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: ".build/release/test-measure")
    process.arguments = [program, "check", path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let last = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last ?? ""
    let numbers = last.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3, numbers[0] == 0 else {
      throw Failure(description: "\(program) check \(path) failed")
    }
    return Cost(cpuSeconds: numbers[1], peakMegabytes: numbers[2] / 1024)
  }

  /// Returns the milliseconds of each phase, and their sum.
  private func phases(of path: String) throws -> [Double] {
    let fonts = FontLibrary()
    let folder = (path as NSString).deletingLastPathComponent
    guard let assets = AssetFolder(root: folder, folder: folder, fonts: fonts) else {
      throw Failure(description: "no folder \(folder)")
    }
    let metrics = PangoMetrics(fonts)
    let source = SourceFile(
      id: FileID(0), name: path, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    let options = CheckOptions()
    var rounds: [[Double]] = []
    // The first round fills the caches.
    for _ in 0...Self.rounds {
      var marks = [OwnProcess.cpuSeconds]
      let parsed = parse(source)
      marks.append(OwnProcess.cpuSeconds)
      _ = ProgramTypes(of: path) { $0 == path ? parsed.tree : nil }
      marks.append(OwnProcess.cpuSeconds)
      var session: CheckSession? = CheckSession(
        parsed, options: options, metrics: metrics, assets: assets)
      marks.append(OwnProcess.cpuSeconds)
      guard let model = session?.checked.model else {
        let message = session?.checked.diagnostics.first?.message ?? "no model"
        throw Failure(description: "\(path): \(message)")
      }
      var work = DrawingWork(model, metrics: metrics, isCancelled: nil)
      _ = work.excess(over: options.limits.drawing)
      marks.append(OwnProcess.cpuSeconds)
      _ = session?.warnings()
      marks.append(OwnProcess.cpuSeconds)
      session = nil
      marks.append(OwnProcess.cpuSeconds)
      rounds.append(zip(marks.dropFirst(), marks).map { ($0 - $1) * 1000 })
    }
    let medians = (0..<6).map { phase in median(rounds.dropFirst().map { $0[phase] }) }
    // A check types the program and estimates the cost, too.
    let own = medians[2] - medians[1] - medians[3]
    let parts = [medians[0], medians[1], own, medians[3], medians[4], medians[5]]
    return parts + [parts.reduce(0, +)]
  }

  /// A scene of 10,000 lines: elements of several kinds with motions, and texts.
  private static let lines: String = {
    var lines = ["scene {", "    for: 20s"]
    for index in 0..<1666 {
      let (x, y) = (index * 37 % 1920, index * 61 % 1080)
      lines += [
        "    let place\(index) = (\(x), \(y))",
        "    \(["circle", "rect", "text \"\(index)\"", "star"][index % 4]) {",
        "        at: \(index % 15)s",
        "        position: place\(index) -> (\(y), \(x / 2)) over 2s",
        "        fill: mix(white, red, \(index % 10) / 10);  opacity: 0.\(1 + index % 9)",
        "    }",
      ]
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }()

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private func text(_ value: Double) -> String { String(format: "%.1f", value) }

  private func row(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      index == 0
        ? cell.padding(toLength: 16, withPad: " ", startingAt: 0)
        : String(repeating: " ", count: max(1, 10 - cell.count)) + cell
    }.joined()
  }
}
