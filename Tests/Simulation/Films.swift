// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneIR
import SceneLower
import SceneOutput
import SceneSession
import SceneStore
import SceneSystem

/// The small scenes that simulated editors save, and the videos that `build` renders from them.
// Safe: filled between runs or by the thread that holds the baton.
final class Films: @unchecked Sendable {
  /// The text of a scene that imports a second file.
  struct Text: Hashable {
    var color: String
    var width: Int
    var isWrong = false

    var scene: String {
      """
      import "part.scene"
      scene {
          size: \(width)x18; fps: 10; for: 0.5s
          rect { size: 8x8; \(isWrong ? "fil" : "fill"): \(color); position: (4 -> 20, 9) }
          Part { }
      }

      """
    }
  }

  static let colors = ["red", "blue", "gold"]

  static func part(_ color: String) -> String {
    "component Part() { rect { size: 4x4; fill: \(color); position: (28, 9) } }\n"
  }

  static func text(_ random: inout SplitMix, mayBeWrong: Bool = true) -> Text {
    Text(
      color: random.pick(colors), width: random.pick([32, 40]),
      isWrong: mayBeWrong && random.chance(0.2))
  }

  static func load() -> LoadOptions {
    var load = LoadOptions()
    load.store = StorePlace(nil)
    return load
  }

  static func options(_ words: String...) -> BuildOptions {
    guard let invocation = try? Invocation(words) else { fatalError("wrong words") }
    var reader = OptionReader(invocation)
    return BuildOptions(&reader)
  }

  /// Returns the digest of a frame that pages must show; `nil` for an invalid scene.
  static func digest(of path: String, frame: Int) -> String? {
    guard let scene = try? Session(load()).load(path), let model = scene.model else { return nil }
    var lowerer = Lowerer(model, metrics: scene.metrics)
    return String(UInt64(bitPattern: Int64(lowerer.lower(frame: frame).hashValue)), radix: 16)
  }

  private var made: [String: [UInt8]] = [:]
  private let folder: String

  init(in folder: String) { self.folder = folder }

  /// Stores the output of `build` for each valid scene, outside any simulation.
  func prepare(_ run: Run) {
    for color in Films.colors {
      for width in [32, 40] {
        for part in Films.colors {
          let text = Text(color: color, width: width)
          run.write("\(folder)/film.scene", Array(text.scene.utf8))
          run.write("\(folder)/part.scene", Array(Films.part(part).utf8))
          let output = "\(folder)/film.mp4"
          let job = FilmJob(
            "\(folder)/film.scene", load: Films.load(),
            options: Films.options("build", "film.scene", "-o", output, "--progress", "none"),
            interruption: .never)
          let outcome = job.run(
            Films.load().check, isStopped: { false }, hasDrawn: { _, _ in })
          guard case .done = outcome, let bytes = run.read(output) else {
            run.fail("the reference cannot be built: \(outcome)")
          }
          made[text.scene + Films.part(part)] = bytes
        }
      }
    }
  }

  /// Returns the video of a scene and its imported part; `nil` for an invalid scene.
  func file(_ text: Text, part: String) -> [UInt8]? { made[text.scene + Films.part(part)] }

  /// Returns whether the bytes are one of these videos.
  func contains(_ bytes: [UInt8]) -> Bool { made.values.contains(bytes) }
}
