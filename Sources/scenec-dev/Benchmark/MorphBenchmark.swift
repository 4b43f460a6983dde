// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import SceneCheck
import SceneIR
import SceneLower
import SceneRaster
import SceneCairo
import SceneFiles
import SceneSystem
import SceneSyntax
import SceneText

/// What a path motion with several keys between the outlines of texts costs beside one with two:
/// each pair of neighbors is matched once, when the scene is checked.
enum MorphBenchmark {
  private static let limit = 3.0

  static func run(_ board: Scoreboard) throws {
    let two = try cpuSeconds(of: "a -> b")
    for (name, motion) in [
      ("three keys", "a -> b -> a"), ("a key held", "keyframes { 0s: a; 1s: a; 2s: b }"),
    ] {
      let ratio = try cpuSeconds(of: motion) / two
      let row = "morph of letters, \(name) to two"
      print("\(row): \(rounded(ratio)) \(board.judge(row, ratio, atMost: limit))")
    }
  }

  /// Seconds of CPU to check the scene and to lower 90 frames, the least of three.
  private static func cpuSeconds(of motion: String) throws -> Double {
    let text = """
      scene { size: 640x360;  fps: 30;  for: 3s
          text a "morphing" { visible: false }
          text b "between words" { visible: false }
          path { data: \(motion);  position: center;  fill: white }
      }
      """
    let fonts = FontLibrary()
    guard let assets = AssetFolder(root: ".", folder: ".", fonts: fonts) else {
      throw Failure(description: "no folder .")
    }
    let metrics = PangoMetrics(fonts)
    let parsed = parse(SourceFile(name: "morph.scene", text: text))
    var best = Double.infinity
    for _ in 0..<3 {
      let started = OwnProcess.cpuSeconds
      let checked = check(parsed, options: CheckOptions(), metrics: metrics, assets: assets)
      guard let model = checked.model else { throw Failure(description: "the scene has faults") }
      var lowerer = Lowerer(model, metrics: metrics)
      for frame in 0..<90 { _ = lowerer.lower(frame: frame) }
      best = min(best, OwnProcess.cpuSeconds - started)
    }
    return best
  }

  private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
