// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneLower
import SceneModel
import SceneRaster
import SceneCairo
import SceneFiles
import SceneSystem
import SceneSyntax
import SceneText

/// Measures the CPU time to find the segments of a ten-minute scene with 100,000 animated elements.
enum PlanBenchmark {
  static func run(_ board: Scoreboard) throws {
    let count = 100_000
    let text = """
      scene { for: 600s;  fps: 30;  background: white
          for i in 0..\(count) {
              circle { at: 5.9ms * i;  for: 4s;  radius: 0 -> 20 over 1s;  position: (mod(i, 1900), 10% -> 80% over 2s) }
          }
      }
      """
    var options = CheckOptions()
    options.limits.elements = count + 10
    let fonts = FontLibrary()
    guard let assets = AssetFolder(root: ".", folder: ".", fonts: fonts) else {
      throw Failure(description: "no folder .")
    }
    let parsed = parse(SourceFile(name: "plan.scene", text: text))
    let checked = check(parsed, options: options, metrics: PangoMetrics(fonts), assets: assets)
    guard let model = checked.model else {
      throw Failure(description: "the scene has errors: \(checked.diagnostics.map(\.message))")
    }
    var best = Double.infinity
    var segments = 0
    for _ in 0..<3 {
      let started = OwnProcess.cpuSeconds
      segments = SegmentPlanner(model).segments(of: 0..<model.frameCount).count
      best = min(best, OwnProcess.cpuSeconds - started)
    }
    let row = "plan of ten minutes with \(count) elements"
    let limit = board.judge(row, milliseconds: best * 1000, atMost: 300)
    print("\(row), \(segments) segments: \(Int(best * 1000)) ms of CPU \(limit)")
  }
}
