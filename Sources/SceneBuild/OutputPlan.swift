// SPDX-License-Identifier: MIT
package import SceneCLI
import SceneCheck
package import SceneDiagnostics
package import SceneGraphics
package import SceneModel
package import SceneSession
import SceneText
package import SceneVideo
import Synchronization

/// What a build writes: decided, and checked against the scene, before a frame is drawn.
package struct OutputPlan {
  /// The kinds of output.
  package enum Target: Hashable {
    case video(VideoSettings)
    /// Numbered PNG files; the pattern with one `%d` or `%0Nd`.
    case stills
  }

  package let path: String
  package let target: Target
  /// The size of the pictures.
  package let size: PixelSize

  /// Faults of the scene's own settings are diagnostics; those of the call are thrown.
  package init(_ options: BuildOptions, _ scene: LoadedScene, _ model: SceneModel) throws(PlanFault)
  {
    path = options.output ?? OutputPlan.defaultPath(scene.path)
    if path == "-", Console.isOutputClosed.load(ordering: .relaxed) {
      throw .call("standard output is closed, and '-o -' writes there")
    }
    let ending = path.split(separator: "/").last.flatMap { name in
      name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
    }
    let container: VideoSettings.Container
    switch (path, ending) {
    case ("-", _), (_, "y4m"): container = .y4m
    case (_, "mp4"), (_, "m4v"): container = .mp4
    case (_, "mov"): container = .mov
    case (_, "png"):
      guard NumberPattern(path) != nil else {
        throw .call(
          "'\(path)' is one file; stills need a number, as in 'frame-%04d.png' (one frame: scenec frame)"
        )
      }
      target = .stills
      size = try OutputPlan.size(options, model, isEven: false)
      return
    default:
      throw .call(
        "'\(path)' has no ending that is known: use .mp4, .m4v, .mov, .y4m, a pattern such as %04d.png, or -"
      )
    }
    let isSubsampled = model.output.pixelFormat.map { $0 == "yuv420p" } ?? true
    size = try OutputPlan.size(options, model, isEven: isSubsampled)
    var settings = VideoSettings(
      container: container, size: size, rateNumerator: model.frameRate.numerator,
      rateDenominator: model.frameRate.denominator)
    settings.isSubsampled = isSubsampled
    OutputPlan.apply(model.output, to: &settings)
    OutputPlan.apply(options, to: &settings)
    settings.title = model.title
    settings.author = model.author
    settings.comment = model.comment
    target = .video(settings)
    let isAsked = model.places.isSizeGiven || options.scale != nil
    try OutputPlan.check(settings, model, isAsked: isAsked)
  }

  private static func defaultPath(_ scene: String) -> String {
    if scene == "-" { return "scene.mp4" }
    return (scene.hasSuffix(".scene") ? String(scene.dropLast(6)) : scene) + ".mp4"
  }

  private static func size(_ options: BuildOptions, _ model: SceneModel, isEven: Bool)
    throws(PlanFault) -> PixelSize
  {
    guard let scale = options.scale else { return model.size }
    do {
      return try scale.size(of: model.size, isEven: isEven)
    } catch {
      throw .call(error.message)
    }
  }

  private static func apply(_ output: OutputSettings, to settings: inout VideoSettings) {
    if let quality = output.quality { settings.rate = .quality(quality) }
    if let bits = output.bitrate { settings.rate = .bitrate(bits) }
    if let preset = output.preset { settings.preset = preset }
    settings.profile = output.profile
    settings.level = output.level
  }

  private static func apply(_ options: BuildOptions, to settings: inout VideoSettings) {
    switch options.rate {
    case .quality(let value): settings.rate = .quality(value)
    case .bitrate(let bits): settings.rate = .bitrate(bits)
    case nil: break
    }
    if let preset = options.preset { settings.preset = preset }
  }

  /// `isAsked` where the size is not that of the scene, but of the call.
  private static func check(
    _ settings: VideoSettings, _ model: SceneModel, isAsked: Bool
  ) throws(PlanFault) {
    let places = model.places
    let size = settings.size
    if settings.isSubsampled, size.width % 2 != 0 || size.height % 2 != 0 {
      func upward(_ side: Int) -> Int { max(16, side + side % 2) }
      let even = PixelSize(upward(size.width), upward(size.height))
      throw .scene(
        Diagnostic(
          .oddSize, "\(size) cannot be stored in 4:2:0: both sides have to be even",
          at: places.size,
          notes: [
            Note(
              "use \(isAsked ? "--size" : "size:") \(even), or output { pixel-format: yuv444p;  profile: high444 }"
            )
          ]))
    }
    if settings.container != .y4m, size.width < 16 || size.height < 16 {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting, "H.264 needs at least 16x16 pixels, not \(size)",
          at: places.size, notes: isAsked ? [Note("that is the size that the call asks for")] : []))
    }
    if model.background == nil || model.isTransparent {
      throw .scene(
        Diagnostic(
          .transparentOutput, "this scene has no background, and H.264 holds no transparency",
          at: places.background,
          notes: [Note("give it a background, or write stills: -o frame-%04d.png")]))
    }
    guard settings.container != .y4m else { return }
    guard let least = settings.leastLevel else {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "\(size) at \(model.frameRate.description) fps is beyond the highest level of H.264",
          at: places.size))
    }
    if let level = settings.level {
      let table = VideoSettings.levels
      guard let index = table.firstIndex(where: { $0.name == level }) else {
        throw .scene(
          Diagnostic(
            .invalidOutputSetting, "H.264 has no level \(level)", at: places.level,
            notes: [Note("levels are \(table.map(\.name).joined(separator: ", "))")]))
      }
      if let needed = table.firstIndex(where: { $0.name == least.name }), index < needed {
        throw .scene(
          Diagnostic(
            .invalidOutputSetting,
            "level \(level) of H.264 cannot hold \(size) at \(model.frameRate.description) fps",
            at: places.level, notes: [Note("it needs level \(least.name) or above")]))
      }
    }
    if !settings.isSubsampled, let profile = settings.profile, profile != "high444" {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting, "the profile \(profile) cannot hold 4:4:4", at: places.profile,
          notes: [Note("use profile: high444")]))
    }
    if settings.isSubsampled, let profile = settings.profile,
      !["baseline", "main", "high", "high444"].contains(profile)
    {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting, "the profile \(profile) is for more than 8 bits",
          at: places.profile,
          notes: [Note("use baseline, main or high")]))
    }
  }
}

/// Why nothing can be written: the call or the scene is wrong.
package enum PlanFault: Error {
  case call(String)
  case scene(Diagnostic)
}

extension SceneModel {
  /// Whether the background lets something through that never changes.
  var isTransparent: Bool {
    if case .color(let color)? = background, let alpha = color.alpha.constantValue {
      return alpha < 1
    }
    return background == nil
  }
}

/// A file name with a number in it, as `printf` has it: `%d` or `%04d`.
package struct NumberPattern {
  private let before: String
  private let after: String
  private let digits: Int

  package init?(_ path: String) {
    guard let percent = path.firstIndex(of: "%") else { return nil }
    let tail = path[path.index(after: percent)...]
    guard let d = tail.firstIndex(of: "d") else { return nil }
    let width = tail[..<d]
    guard width.allSatisfy(\.isNumber), width.isEmpty || width.first == "0" else { return nil }
    digits = Int(width) ?? 1
    guard digits <= 12 else { return nil }
    before = String(path[..<percent])
    after = String(tail[tail.index(after: d)...])
    if after.contains("%") { return nil }
  }

  package func name(_ number: Int) -> String {
    let text = String(number)
    return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
  }
}
