// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneStore
import SceneSyntax
import SceneSystem
import SceneText
import SceneTestSupport
import Testing

/// A scene of the documentation, loaded without a cache.
struct ExampleScene {
  let model: SceneModel
  private let scene: LoadedScene

  /// Idle sessions. Scenes loaded by the same session share decoded files.
  private static let idle = Monitor<[Session]>([])

  /// Loads a scene in an idle session as `scenec check --strict` does; with a size, as with
  /// `--size`.
  static func shared(_ path: String, size: PixelSize? = nil) throws -> ExampleScene {
    let session = idle.update { $0.popLast() } ?? session()
    defer { idle.update { $0.append(session) } }
    return try ExampleScene(path, size: size, in: session)
  }

  /// Returns a session without a cache folder.
  static func session() -> Session {
    var options = LoadOptions()
    options.store = StorePlace(nil)
    return Session(options)
  }

  /// Loads a scene as `scenec check --strict` does, or without `--strict`; with a size, as `--size`
  /// does.
  init(
    _ path: String, bytes: [UInt8]? = nil, size: PixelSize? = nil, isStrict: Bool = true,
    in session: Session = session()
  ) throws {
    var check = CheckOptions()
    check.size = size
    scene = try session.load(path, check, isStrict: isStrict, bytes: bytes)
    let messages = scene.diagnostics.map { "\($0.code.rawValue) \($0.message)" }
    model = try #require(scene.model, "\(path): \(messages)")
  }

  /// Whether `scenec fmt` would leave the file unchanged.
  var isFormatted: Bool {
    format(parse(scene.source)).map { Array($0.utf8) == scene.source.bytes } ?? false
  }

  /// Returns the number of the frame that `scenec frame --at` renders.
  func frame(at seconds: Double) throws -> Int {
    let time = try #require(Ticks(rounding: seconds * Double(Ticks.perSecond)))
    try #require(time <= model.duration)
    let next = model.frameRate.frames(before: Ticks(time.rawValue + 1))
    return min(max(0, next - 1), model.frameCount - 1)
  }

  /// Returns the frame programs of every frame, or of every n-th frame, in order.
  func programs(every step: Int = 1) -> [FrameProgram] {
    var lowerer = Lowerer(model, metrics: scene.metrics)
    return stride(from: 0, to: model.frameCount, by: step).map { lowerer.lower(frame: $0) }
  }

  /// Returns the frame program of one frame.
  func program(_ frame: Int) -> FrameProgram {
    var lowerer = Lowerer(model, metrics: scene.metrics)
    return lowerer.lower(frame: frame)
  }

  var metrics: any TextMetrics { scene.metrics }

  /// Renders frames like `scenec frame` and returns them as PNG files.
  func pictures(_ frames: [Int]) throws -> [[UInt8]] {
    let width = 160
    let scale = Double(width) / Double(model.size.width)
    let height = max(1, Int((Double(model.size.height) * scale).rounded()))
    var lowerer = Lowerer(model, metrics: scene.metrics)
    return try frames.map { frame in
      let program = lowerer.lower(frame: frame).scaled(to: PixelSize(width, height))
      let canvas = try Canvas(
        program.size, isOpaque: program.isOpaque, resources: scene.resources)
      try canvas.draw(program)
      return try canvas.png()
    }
  }
}
