// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneGraphics
package import SceneIR
package import SceneLanguage
import SceneModel
import SceneSession
import SceneText
import Synchronization

/// One file that a build writes: decided, and checked against the scene, before a frame is drawn.
package struct OutputPlan {
  /// For stills a pattern with one `%d` or `%0Nd`.
  package let path: String
  package let settings: VideoSettings
  /// How the picture of the scene takes its place in one of another form.
  package let fit: FrameFit
  /// The size that the scene is laid out anew for, where the file wants that.
  package let layout: PixelSize?
  /// Whether something sounds that the file cannot hold.
  package let losesSound: Bool

  /// `block` is what the scene says of this file. Faults of the scene's own settings are diagnostics; those
  /// of the call are thrown as they are.
  init(
    _ path: String, _ block: OutputSettings?, _ options: BuildOptions, _ model: SceneModel
  ) throws(PlanFault) {
    self.path = path
    if path == "-", Console.isOutputClosed.load(ordering: .relaxed) {
      throw .call("standard output is closed, and '-o -' writes there")
    }
    guard let file = FileFormat(path: path) else { throw .call(OutputPlan.unknownEnding(path)) }
    let rate = model.frameRate
    if file.isSound {
      var settings = VideoSettings(
        file, .raw, size: model.size, rateNumerator: rate.numerator,
        rateDenominator: rate.denominator)
      settings.sound = try SoundChoice(file, model, block).settings()
      settings.notes = FileNotes(model)
      (self.settings, fit, layout, losesSound) = (settings, .contain, nil, false)
      return
    }
    if file.isStills, NumberPattern(path) == nil {
      throw .call(
        "stills need a number in their names, as in 'frame-%04d\(file.ending.suffix(4))' (one frame: scenec frame)"
      )
    }
    let choice = OutputChoice(file, model, block, codec: options.codec)
    let codec = try choice.codec()
    let format = try choice.format(of: codec)
    let own = block?.size ?? model.size
    fit = block?.fit ?? .contain
    layout = block?.hasOwnLayout == true && own != model.size ? own : nil
    let size = try OutputPlan.size(options, own, sharing: format.sharing)
    var settings = VideoSettings(
      file, codec, format, size: size, rateNumerator: model.frameRate.numerator,
      rateDenominator: model.frameRate.denominator)
    try choice.apply(options, to: &settings)
    settings.notes = FileNotes(model)
    let sound = SoundChoice(file, model, block, pictures: codec)
    settings.sound = try sound.settings()
    losesSound = sound.isLost
    self.settings = settings
    if file.isStills { return }
    let isAsked = model.places.isSizeGiven && block?.size == nil || options.scale != nil
    try OutputPlan.check(settings, model, block, isAsked: isAsked)
  }

  private static func unknownEnding(_ path: String) -> String {
    let known = FileFormat.allCases.map(\.ending)
    return
      "'\(path)' has no ending that is known: use \(known.joined(separator: ", ")), or - for a pipe"
  }

  private static func size(
    _ options: BuildOptions, _ size: PixelSize, sharing: (across: Int, down: Int)
  ) throws(PlanFault) -> PixelSize {
    guard let scale = options.scale else { return size }
    do {
      return try scale.size(of: size, isEven: sharing.across > 1)
    } catch {
      throw .call(error.message)
    }
  }

  /// Where the size of a file is given.
  private static func place(ofSize block: OutputSettings?, _ places: ScenePlaces) -> SourceSpan {
    block.flatMap { $0.size == nil ? nil : $0.place(of: "size") } ?? places.size
  }

  /// `isAsked` where the size is not that of the scene, but of the call.
  private static func check(
    _ settings: VideoSettings, _ model: SceneModel, _ block: OutputSettings?, isAsked: Bool
  ) throws(PlanFault) {
    let places = model.places
    let place = OutputPlan.place(ofSize: block, places)
    let (size, sharing) = (settings.size, settings.pixelFormat.sharing)
    if size.width % sharing.across != 0 || size.height % sharing.down != 0 {
      func upward(_ side: Int) -> Int { max(16, side + side % 2) }
      let even = PixelSize(upward(size.width), upward(size.height))
      var help = "use \(isAsked ? "--size" : "size:") \(even)"
      if settings.codec == .h264 {
        help += ", or output { pixel-format: yuv444p;  profile: high444 }"
      } else if settings.codec.pixelFormats.contains(.yuv444p) {
        help += ", or output { pixel-format: yuv444p }"
      }
      let which = sharing.down > 1 ? "both sides have" : "the width has"
      throw .scene(
        Diagnostic(
          .oddSize,
          "\(size) cannot be stored in \(settings.pixelFormat.samplingName): \(which) to be even",
          at: place, notes: [Note(help)]))
    }
    let least = settings.codec == .av1 ? 64 : settings.codec.quality == nil ? 1 : 16
    if settings.codec != .webp, size.width < least || size.height < least {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "\(settings.codec.title) needs at least \(least)x\(least) pixels, not \(size)",
          at: place, notes: isAsked ? [Note("that is the size that the call asks for")] : []))
    }
    let rate = Double(settings.rateNumerator) / Double(max(1, settings.rateDenominator))
    if settings.codec == .gif, rate > 50 {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "a GIF shows at most 50 pictures a second, not \(NumberFormat().text(rate))",
          at: places.scene, notes: [Note("browsers show faster ones at 10; use fps: 50")]))
    }
    if settings.codec == .h264 { try checkLevel(settings, model, block) }
  }

  private static func checkLevel(
    _ settings: VideoSettings, _ model: SceneModel, _ block: OutputSettings?
  ) throws(PlanFault) {
    let (places, size) = (model.places, settings.size)
    let place = block?.place(of: "level") ?? places.scene
    guard let least = settings.leastLevel else {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "\(size) at \(model.frameRate.description) fps is beyond the highest level of H.264",
          at: OutputPlan.place(ofSize: block, places)))
    }
    guard let level = settings.level else { return }
    let table = VideoSettings.levels
    guard let index = table.firstIndex(where: { $0.name == level }) else {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting, "H.264 has no level \(level)", at: place,
          notes: [Note("levels are \(table.map(\.name).joined(separator: ", "))")]))
    }
    if let needed = table.firstIndex(where: { $0.name == least.name }), index < needed {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "level \(level) of H.264 cannot hold \(size) at \(model.frameRate.description) fps",
          at: place, notes: [Note("it needs level \(least.name) or above")]))
    }
  }
}

extension FileNotes {
  /// Without chapters, which depend on the frames that are built.
  fileprivate init(_ model: SceneModel) {
    self.init()
    title = model.title
    author = model.author
    comment = model.comment
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
