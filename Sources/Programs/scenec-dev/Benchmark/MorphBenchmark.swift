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

/// Compares the cost of a path motion with several keyframes between text outlines with that of one
/// with two keyframes. Each pair of neighboring outlines is matched only once, when the scene is
/// checked.
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

  /// Returns the CPU time to check the scene and lower 90 frames, the minimum of three runs, in
  /// seconds.
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
      guard let model = checked.model else { throw Failure(description: "the scene has errors") }
      var lowerer = Lowerer(model, metrics: metrics)
      for frame in 0..<90 { _ = lowerer.lower(frame: frame) }
      best = min(best, OwnProcess.cpuSeconds - started)
    }
    return best
  }

  private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
