// SPDX-License-Identifier: MIT
import Foundation

/// Measures the CPU time of `scenec test`: 60 expectations about the film of five minutes, and 20
/// about a thousand moving shapes.
enum ProofBenchmark {
  private static let folder =
    FileManager.default.currentDirectoryPath + "/build/bench/proof"

  static func run(_ board: Scoreboard) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.copyItem(atPath: "Examples/bench-film", toPath: folder)
    try report("60 proofs of five minutes", film(), atMost: 400, on: board)
    try report("20 proofs of 1,000 shapes for 60 s", shapes, atMost: 2000, on: board)
  }

  /// Returns the source of the film, with four expectations in each of its 15 chapters.
  private static func film() throws -> String {
    var source = try String(contentsOfFile: "\(folder)/scene.scene", encoding: .utf8)
    let edits = [
      ("text \"{number}\" {", "text numeral \"{number}\" {"),
      (
        "text \"{title}\" {\n            style: headline",
        "text heading \"{title}\" {\n            style: headline"
      ),
      ("rect {\n            position: (50%, 62%)", "rect bar {\n            position: (50%, 62%)"),
      (
        "    group {\n        for: 4s",
        """
            expect { inside(opening.heading, safe-area) }
            expect { not overlaps(opening.numeral, opening.bar) }
            expect { readable(opening.heading) >= 2s }
            expect { t > 3s or opacity-of(opening.numeral) > 0 }
            group opening {
                for: 4s
        """
      ),
    ]
    for (text, other) in edits {
      guard let place = source.range(of: text) else {
        throw Failure(description: "the film has no '\(text)'")
      }
      source.replaceSubrange(place, with: other)
    }
    return source
  }

  private static let shapes: String = {
    let places = (0..<12).map { "inside(dot[\($0 * 80)], safe-area)" }
    let opacities = (0..<5).map { "opacity-of(dot[\($0 * 50 + 7)]) == 1" }
    let others = ["not overlaps(dot[62], title)", "not covered(title)", "contrast-of(title) >= 3"]
    return """
      scene {
          fps: 30;  for: 60s;  background: navy
          for i in 0..1000 {
              circle dot {
                  radius: 6;  fill: teal
                  position: (960 + 800 * cos(36deg * t / 1s + 1deg * i), 540 + 400 * sin(24deg * t / 1s + 3deg * i))
              }
          }
          text title "Moving" { font-size: 90;  fill: white }
          \((places + opacities + others).map { "expect { \($0) }" }.joined(separator: "\n    "))
      }
      """
  }()

  /// Reports the CPU time of `scenec test` for a scene, the minimum of three runs. Throws if an
  /// expectation fails.
  private static func report(
    _ name: String, _ source: String, atMost limit: Double, on board: Scoreboard
  ) throws {
    try source.write(toFile: "\(folder)/scene.scene", atomically: true, encoding: .utf8)
    let scenec = Child.scenec
    let costs = try (0..<3).map { _ in
      try Child.run([scenec, "test", "scene.scene", "--quiet"], in: folder, isSampled: false)
        .cpuSeconds
    }
    let cost = (costs.min() ?? 0) * 1000
    print("\(name): \(Int(cost)) ms of CPU", board.judge(name, milliseconds: cost, atMost: limit))
  }
}
