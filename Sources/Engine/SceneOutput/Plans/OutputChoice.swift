// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneText

/// The encoding of an output's frames: the requests of the scene and the command line, validated
/// against the file and the codec.
struct OutputChoice {
  private let file: FileFormat
  private let shape: FilmShape
  /// The scene's settings for this file.
  private let block: OutputSettings?
  private let codecOfCall: VideoCodec?

  init(_ file: FileFormat, shape: FilmShape, block: OutputSettings?, codec: VideoCodec?) {
    self.file = file
    self.shape = shape
    self.block = block
    codecOfCall = codec
  }

  private func failure(
    _ message: String, property: String, note: String, code: Code = .invalidOutputSetting
  ) -> PlanError {
    let place = block?.place(of: property) ?? shape.places.scene
    return .scene(Diagnostic(code, message, at: place, notes: [Note(help: note)]))
  }

  /// Returns the codec of the command line, else that of the scene, else the container's preferred
  /// one. Uncompressed formats ignore the settings.
  func codec() throws(PlanError) -> VideoCodec {
    guard !file.isPlain, let wanted = codecOfCall ?? block?.codec.flatMap(VideoCodec.init) else {
      return file.codecs[0]
    }
    guard !file.codecs.contains(wanted) else { return wanted }
    let others = file.codecs.map(\.rawValue).joined(separator: ", ")
    let endings = FileFormat.allCases.filter { $0.codecs.contains(wanted) }.map(\.ending)
    let message = "\(wanted.title) is not supported in a \(file.ending) file"
    let note =
      "use \(others) in a \(file.ending) file, or \(wanted.rawValue) in \(endings.joined(separator: ", "))"
    if codecOfCall != nil { throw .call(message + ": " + note) }
    throw failure(message, property: "codec", note: note)
  }

  /// Returns the pixel format of the scene, else the codec's preferred one; for a transparent
  /// scene, one with alpha.
  func format(of codec: VideoCodec) throws(PlanError) -> PixelFormat {
    let isClear = shape.isTransparent
    if let name = block?.pixelFormat, file != .pngStills,
      let format = PixelFormat(rawValue: name)
    {
      guard codec.pixelFormats.contains(format) else {
        throw failure(
          "\(codec.title) does not support the pixel format \(name)", property: "pixel-format",
          note: "use \(codec.pixelFormats.map(\.rawValue).joined(separator: ", "))")
      }
      if isClear, !format.hasAlpha { throw transparent(codec) }
      try checkProfile(codec, format)
      return format
    }
    var format = codec.pixelFormats[0]
    if isClear {
      guard let clear = codec.clearFormat else { throw transparent(codec) }
      format = clear
    } else if codec == .prores, block?.profile == "4444" {
      format = .yuv444p10
    }
    try checkProfile(codec, format)
    return format
  }

  private func transparent(_ codec: VideoCodec) -> PlanError {
    .scene(
      Diagnostic(
        .transparentOutput,
        "the scene has a transparent background, which \(codec.title) does not support",
        at: shape.places.background,
        notes: [
          Note(
            help:
              "set an opaque 'background', or use a format with an alpha channel, such as VP9 in a .webm file"
          )
        ]))
  }

  private func checkProfile(_ codec: VideoCodec, _ format: PixelFormat) throws(PlanError) {
    guard !file.isPlain, let profile = block?.profile else { return }
    guard codec.profiles.contains(profile) else {
      throw failure(
        "\(codec.title) does not support the profile '\(profile)'", property: "profile",
        note: codec.profiles.isEmpty
          ? "remove it" : "use \(codec.profiles.joined(separator: ", "))")
    }
    guard codec == .h264 else {
      if codec == .prores, (profile == "4444") == (format == .yuv422p10) {
        throw failure(
          "the ProRes profile \(profile) does not support \(format.rawValue)", property: "profile",
          note: profile == "4444" ? "use pixel-format: yuv444p10" : "use profile: 4444")
      }
      return
    }
    let fitting: [String]
    switch (format.samplingName, format.depth) {
    case ("4:4:4", _): fitting = ["high444"]
    case ("4:2:2", _): fitting = ["high422", "high444"]
    case (_, 8): fitting = ["baseline", "main", "high", "high444"]
    default: fitting = ["high10", "high422", "high444"]
    }
    guard !fitting.contains(profile) else { return }
    let isTooDeep = format.depth == 8 && format.samplingName == "4:2:0"
    throw failure(
      isTooDeep
        ? "the profile \(profile) requires more than 8 bits"
        : "the profile \(profile) does not support \(format.samplingName)\(format.depth > 8 ? " with 10 bits" : "")",
      property: "profile", note: "use profile: \(fitting.joined(separator: ", "))")
  }

  /// Applies quality, bit rate, preset and similar settings of the scene, which the command line
  /// overrides.
  func apply(_ call: CallSettings, to settings: inout VideoSettings) throws(PlanError) {
    if file.isPlain { return }
    guard let output = block else { return try apply(call: call, to: &settings) }
    let codec = settings.codec
    if let quality = output.quality {
      guard let scale = codec.quality?.scale else {
        throw failure(
          "\(codec.title) does not support 'quality'", property: "quality", note: "remove it")
      }
      guard scale.contains(quality) else {
        throw failure(
          "the quality \(NumberFormat().text(quality)) is outside the range of \(codec.title)",
          property: "quality",
          note:
            "use a quality from \(Int(scale.lowerBound)) to \(Int(scale.upperBound)); \(codec.isBetterWithMore ? "a greater" : "a smaller") one is better"
        )
      }
      settings.rate = .quality(quality)
    }
    if let bits = output.bitrate {
      guard codec.hasBitrate else {
        throw failure(
          "\(codec.title) does not support 'bitrate'", property: "bitrate", note: "remove it")
      }
      settings.rate = .bitrate(bits)
    }
    // A block without a codec serves files of several formats.
    if output.codec != nil {
      if output.level != nil, codec != .h264 {
        throw failure(
          "\(codec.title) does not support 'level'", property: "level", note: "remove it")
      }
      if output.preset != nil, ![.h264, .h265, .av1, .vp9].contains(codec) {
        throw failure(
          "\(codec.title) does not support 'preset'", property: "preset", note: "remove it")
      }
    }
    if let preset = output.preset { settings.preset = preset }
    settings.profile = output.profile
    settings.level = output.level
    settings.plays = output.plays == 0 ? nil : output.plays
    settings.isVariable = output.isVariable && file.isContainer
    try apply(call: call, to: &settings)
    if output.copies { try copy(&settings) }
  }

  /// Enables copying. Packets are copied unchanged, so other settings must not affect them.
  private func copy(_ settings: inout VideoSettings) throws(PlanError) {
    let why: String? =
      if settings.codec != .h264 || !file.isContainer {
        "use H.264 in an .mp4, .mov or .mkv file; this is \(settings.codec.title) in a \(file.ending) file"
      } else if settings.rate.isBitrate {
        "use 'quality' instead of 'bitrate'"
      } else if settings.isVariable {
        "remove 'frame-rate'; all frames must have the same duration"
      } else if settings.pixelFormat != .yuv420p {
        "use pixel-format: yuv420p"
      } else if settings.profile != nil || settings.level != nil {
        "remove 'profile' and 'level'; copied frames keep those of their clip"
      } else if settings.size != shape.size {
        "use the size of the scene; the output is scaled to \(settings.size)"
      } else {
        nil
      }
    if let why {
      throw failure("frames of clips cannot be copied to this output", property: "copy", note: why)
    }
    settings.copies = true
  }

  private func apply(call: CallSettings, to settings: inout VideoSettings)
    throws(PlanError)
  {
    let codec = settings.codec
    switch call.rate {
    case .quality(let value):
      guard let scale = codec.quality?.scale else {
        throw .call("\(codec.title) does not support '--quality'")
      }
      guard scale.contains(value) else {
        throw .call(
          "'--quality' of \(codec.title) must be from \(Int(scale.lowerBound)) to \(Int(scale.upperBound)), found \(NumberFormat().text(value))"
        )
      }
      settings.rate = .quality(value)
    case .bitrate(let bits):
      guard codec.hasBitrate else {
        throw .call("\(codec.title) does not support '--bitrate'")
      }
      settings.rate = .bitrate(bits)
    case nil: break
    }
    if let preset = call.preset { settings.preset = preset }
  }
}
