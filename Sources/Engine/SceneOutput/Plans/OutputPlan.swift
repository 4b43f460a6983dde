// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
package import SceneIR
package import SceneLanguage
package import SceneModel
import SceneText

/// The validated plan of one output file, made before any frame is rendered.
package struct OutputPlan {
  /// The path; for stills, a pattern with one `%d` or `%0Nd`.
  package let path: String
  package let settings: VideoSettings
  /// The fit of the scene's frame in a file with a different aspect ratio.
  package let fit: FrameFit
  /// The variant of the scene in this file; `nil` for the unmodified scene.
  package let variant: SceneVariant?
  /// The form of the captions in the file.
  package let captions: CaptionUse
  /// The form of the descriptions in the file; not `both`, which requires a second file.
  package let described: DescribedUse
  /// The track of a caption file.
  package let track: CaptionTrack?
  /// The origin of a derived file name; `nil` for other files.
  private(set) var origin: Origin?
  /// The interval of the scene that the file contains; by default, from its start to its end.
  package let from: Ticks?
  package let to: Ticks?
  /// Whether the scene has audio that the file format does not support.
  package let losesSound: Bool

  /// The path of the video for which `--sidecar` adds this file; `nil` for other files.
  package var videoOfSidecar: String? {
    origin.flatMap { $0.cause == .sidecar ? $0.video : nil }
  }

  /// The origin of a derived file name.
  struct Origin {
    /// The option or the setting that adds the file to a build.
    enum Cause: String {
      case sidecar = "--sidecar"
      case described = "described: both"
    }

    let cause: Cause
    /// The path of the video.
    let video: String

    /// Explains the name of a file, as in "'--sidecar' derives it from 'a.mp4'".
    func explanation(of name: String) -> String {
      "'\(cause.rawValue)' derives \(name) from '\(visible(video))'"
    }
  }

  /// Validates the settings of a file. `block` contains the scene's settings for this file, and
  /// `track` is the track of a caption file, unless its name determines the track. Errors in the
  /// scene's settings are thrown as diagnostics, those of the command line as messages.
  package init(
    _ path: String, block: OutputSettings?, call: CallSettings, shape: FilmShape,
    track: CaptionTrack? = nil
  ) throws(PlanError) {
    self.path = path
    (from, to) = (block?.from, block?.to)
    guard let file = FileFormat(path: path) else { throw .call(OutputPlan.unknownEnding(path)) }
    if !file.isDrawn {
      var settings = OutputPlan.settings(ofUndrawn: file, shape)
      if file.isText {
        described = .none
        if let track {
          self.track = track
        } else {
          self.track = try CaptionChoice(file, shape: shape).track(for: path)
        }
      } else {
        self.track = nil
        let described = try DescriptionChoice(file, shape: shape).use(in: block)
        settings.sound = try SoundChoice(
          file, shape: shape, block: block, isDescribed: described != .none
        ).settings()
        self.described = described
      }
      captions = .none
      (self.settings, fit, variant, losesSound) = (settings, .contain, nil, false)
      return
    }
    if file.isStills, NumberPattern(path) == nil {
      throw .call(
        "the file name of stills must contain a number, as in 'frame-%04d\(file.ending.suffix(4))'; use 'scenec frame' for a single frame"
      )
    }
    self.track = nil
    described = try DescriptionChoice(file, shape: shape).use(in: block)
    captions = try CaptionChoice(file, shape: shape).use(in: block)
    let choice = OutputChoice(file, shape: shape, block: block, codec: call.codec)
    let codec = try choice.codec()
    let format = try choice.format(of: codec)
    let own = block?.size ?? shape.size
    fit = block?.fit ?? .contain
    variant = block.flatMap { SceneVariant(of: $0, size: shape.size, frameRate: shape.rate) }
    var shape = shape
    shape.rate = variant?.frameRate ?? shape.rate
    let size = try OutputPlan.size(call.scale, own, sharing: format.sharing)
    var settings = VideoSettings(
      file, codec, format: format, size: size, rateNumerator: shape.rate.numerator,
      rateDenominator: shape.rate.denominator)
    try choice.apply(call, to: &settings)
    settings.notes = shape.notes
    let sound = SoundChoice(
      file, shape: shape, block: block, pictures: codec, isDescribed: described != .none)
    settings.sound = try sound.settings()
    losesSound = sound.isLost
    self.settings = settings
    if file.isStills { return }
    let isAsked = shape.places.isSizeGiven && block?.size == nil || call.scale != nil
    try OutputPlan.check(settings, shape: shape, block: block, isAsked: isAsked)
  }

  /// Returns the plan with a name that `described: both` derives from that of a video.
  func described(beside video: String) -> OutputPlan {
    var plan = self
    plan.origin = Origin(cause: .described, video: video)
    return plan
  }

  /// The help if a derived file name cannot be used; `nil` for other files.
  package var nameHelp: String? {
    origin.map { $0.explanation(of: "this name") + "; choose another name for the video with -o" }
  }

  /// Creates the plan of a caption file beside a video.
  init(_ path: String, beside video: OutputPlan, shape: FilmShape, track: CaptionTrack) {
    self.path = path
    settings = OutputPlan.settings(ofUndrawn: .vtt, shape)
    (fit, variant, losesSound, captions) = (.contain, nil, false, .none)
    described = .none
    (self.track, from, to) = (track, video.from, video.to)
    origin = Origin(cause: .sidecar, video: video.path)
  }

  /// Returns the frames of the scene that the file contains. A selection for all files replaces the
  /// interval of the output.
  package func frames(of model: SceneModel, _ options: BuildOptions) -> Range<Int> {
    let isSelected = options.from != nil || options.to != nil
    guard isSelected else { return model.frames(from: from, to: to) }
    return model.frames(
      from: options.from?.ticks(model.frameRate), to: options.to?.ticks(model.frameRate))
  }

  /// Returns whether two files contain the same track. The files are equal if their frames are
  /// equal, too.
  func hasSameTrack(as other: OutputPlan) -> Bool {
    settings.file == other.settings.file && track != nil && track == other.track
  }

  private static func settings(ofUndrawn file: FileFormat, _ shape: FilmShape) -> VideoSettings {
    var settings = VideoSettings(
      file, .raw, size: shape.size, rateNumerator: shape.rate.numerator,
      rateDenominator: shape.rate.denominator)
    settings.notes = shape.notes
    return settings
  }

  private static func unknownEnding(_ path: String) -> String {
    let known = FileFormat.allCases.map(\.ending)
    return
      "'\(path)' has an unknown file extension: use \(known.joined(separator: ", ")), or - for a pipe"
  }

  private static func size(
    _ scale: PictureScale?, _ size: PixelSize, sharing: (across: Int, down: Int)
  ) throws(PlanError) -> PixelSize {
    try scale?.size(of: size, isEven: sharing.across > 1) ?? size
  }

  /// Returns the source location of the `size` in the output block, or of the scene's size by
  /// default.
  private static func place(ofSize block: OutputSettings?, _ places: ScenePlaces) -> SourceSpan {
    block.flatMap { $0.size == nil ? nil : $0.place(of: "size") } ?? places.size
  }

  /// Throws if a file cannot have its settings. `isAsked` is `true` if the size comes from the
  /// command line instead of the scene.
  private static func check(
    _ settings: VideoSettings, shape: FilmShape, block: OutputSettings?, isAsked: Bool
  ) throws(PlanError) {
    let places = shape.places
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
      let which = sharing.down > 1 ? "both sides must" : "the width must"
      throw .scene(
        Diagnostic(
          .oddSize,
          "\(size) is not supported with \(settings.pixelFormat.samplingName): \(which) be even",
          at: place, notes: [Note(help: help)]))
    }
    let least = settings.codec == .av1 ? 64 : settings.codec.quality == nil ? 1 : 16
    if settings.codec != .webp, size.width < least || size.height < least {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "\(settings.codec.title) requires at least \(least)x\(least) pixels, found \(size)",
          at: place, notes: isAsked ? [Note("the size is set by --size")] : []))
    }
    let rate = Double(settings.rateNumerator) / Double(max(1, settings.rateDenominator))
    if settings.codec == .gif, rate > 50 {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "a GIF cannot exceed 50 frames per second, found \(NumberFormat().text(rate))",
          at: block?.place(of: "fps") ?? places.scene,
          notes: [
            Note(help: "use output { fps: 50 } or less; browsers play faster GIFs at 10 fps")
          ]))
    }
    if settings.codec == .h264 { try checkLevel(settings, shape: shape, block: block) }
  }

  private static func checkLevel(
    _ settings: VideoSettings, shape: FilmShape, block: OutputSettings?
  ) throws(PlanError) {
    let (places, size) = (shape.places, settings.size)
    let place = block?.place(of: "level") ?? places.scene
    guard let least = settings.leastLevel else {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "\(size) at \(shape.rate.description) fps exceeds the highest level of H.264",
          at: OutputPlan.place(ofSize: block, places)))
    }
    guard let level = settings.level else { return }
    let table = VideoSettings.levels
    guard let index = table.firstIndex(where: { $0.name == level }) else {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting, "unknown H.264 level \(level)", at: place,
          notes: [Note(help: "use one of \(table.map(\.name).joined(separator: ", "))")]))
    }
    if let needed = table.firstIndex(where: { $0.name == least.name }), index < needed {
      throw .scene(
        Diagnostic(
          .invalidOutputSetting,
          "the H.264 level \(level) does not support \(size) at \(shape.rate.description) fps",
          at: place, notes: [Note(help: "use level \(least.name) or higher")]))
    }
  }
}

extension SceneModel {
  /// Returns the frames of an interval; by default, it extends from the start to the end of the
  /// scene. Empty if the interval contains no frame.
  package func frames(from: Ticks?, to: Ticks?) -> Range<Int> {
    let low = from.map { frameRate.frames(before: $0) } ?? 0
    let high = to.map { frameRate.frames(before: $0) } ?? frameCount
    return low..<max(low, min(frameCount, high))
  }

  /// The message about an interval without frames.
  package var noFramesMessage: String {
    "no frames between --from and --to; the scene ends at \(duration.description)"
  }
}
