// SPDX-License-Identifier: MIT
import SceneGraphics
import CAV
import SceneAV
import SceneLanguage

/// The libav encoder for each codec and its codec-specific options.
struct EncoderOptions {
  private let settings: VideoSettings
  private let stretch: VideoEncoder.Stretch

  init(_ settings: VideoSettings, _ stretch: VideoEncoder.Stretch) {
    self.settings = settings
    self.stretch = stretch
  }

  /// Returns the name of a codec's encoder in libav.
  static func encoder(of codec: VideoCodec) -> String {
    switch codec {
    case .h264: "libx264"
    case .h265: "libx265"
    case .av1: "libsvtav1"
    case .vp9: "libvpx-vp9"
    case .prores: "prores_ks"
    case .ffv1, .qtrle, .png, .gif, .apng, .jpeg: codec.rawValue
    case .webp: "libwebp_anim"
    case .raw: "wrapped_avframe"
    }
  }

  /// The Debian package that contains the encoders, for error messages.
  static let package = "libavcodec59 (or libavcodec-extra59)"

  /// The index of the preset, for codecs that number their presets.
  private var presetIndex: Int { Property.presets.firstIndex(of: settings.preset) ?? 3 }

  func set(_ options: inout AVOptions) {
    switch settings.codec {
    case .h264: setX264(&options)
    case .h265: setX265(&options)
    case .av1: setSVT(&options)
    case .vp9: setVPX(&options)
    case .prores:
      options.set(
        "profile", settings.profile ?? (settings.pixelFormat == .yuv422p10 ? "hq" : "4444"))
      options.set("vendor", "apl0")
      if settings.pixelFormat.hasAlpha { options.set("alpha_bits", "16") }
    case .ffv1:
      for (name, value) in [("level", "3"), ("coder", "1"), ("slices", "4"), ("slicecrc", "1")] {
        options.set(name, value)
      }
    case .png, .apng: options.set("pred", "mixed")
    case .webp: setWebP(&options)
    case .gif, .qtrle, .jpeg, .raw: break
    }
  }

  /// The keyframe interval in frames; `nil` if the encoder's default is kept. Every segment starts
  /// with a keyframe.
  var keyInterval: Int32? {
    switch settings.codec {
    case .ffv1, .qtrle, .prores, .png: 1
    case .av1, .vp9: stretch == .whole ? Int32(settings.goodDistance) : 9999
    default: nil
    }
  }

  private func setRate(_ options: inout AVOptions) {
    if case .quality(let value) = settings.rate { options.set("crf", "\(value)") }
  }

  // MARK: Codecs

  private func setX264(_ options: inout AVOptions) {
    options.set("preset", settings.preset)
    options.set("x264-params", x264Parameters)
    setRate(&options)
    if let profile = settings.profile { options.set("profile", profile) }
    if let level = settings.level { options.set("level", level) }
  }

  /// The parameters of x264 in addition to the preset. They do not affect the headers of the
  /// stream.
  private var x264Parameters: String {
    let preset = settings.preset
    let short = ["ultrafast": 0, "superfast": 0, "veryfast": 10]
    // A lookahead of more than 15 frames does not make segments of a few seconds smaller, but takes
    // a third more time and memory.
    let lookahead = "rc-lookahead=\(short[preset] ?? 15)"
    let ofStretch =
      switch stretch {
      case .whole: lookahead
      case .moving: "stitchable=1:\(lookahead)"
      // A still segment is one keyframe followed by skipped blocks. The coarsest quantizer
      // suppresses the grain that later frames would add to the first one, which halves the size.
      // Presets slower than `faster` use psychovisual optimization, which lowers the chroma
      // quantizer by 2 in the headers; below subme 6 the offset must be set explicitly. A second
      // keyframe would be coarse as well, so none is allowed.
      case .still:
        "stitchable=1:keyint=infinite:rc-lookahead=0:mbtree=0:scenecut=0:b-adapt=0:subme=2:chroma-qp-offset="
          + (short[preset] != nil || preset == "faster" ? "0" : "-2")
          + (settings.rate == .quality(0) ? "" : ":zones=1,\(Int32.max),q=51")
      }
    // Avoids the parameter set numbers of copied packets.
    let number = settings.copied?.ownNumber.map { "sps-id=\($0):" } ?? ""
    return (EncoderOptions.instructions.map { "asm=\($0):" } ?? "") + number + ofStretch
  }

  /// The instruction set that x264 may use: AVX2 if the processor supports it, otherwise x264's
  /// choice.
  ///
  /// The AVX-512 sums of x264 differ from those of AVX2, and for small frames read uninitialized
  /// memory. The bytes of a video would then depend on the machine or would not be deterministic at
  /// all.
  fileprivate static let instructions: String? = scene_has_avx2() != 0 ? "avx2" : nil

  /// Sets the options of x265, some of which keep x265 3.5 within its own memory for small frames.
  ///
  /// `cutree` writes beyond its buffer if a frame is narrower than four blocks at half size. If a
  /// frame is as wide as one coding tree unit of 64 pixels, the encoder reads uninitialized stack
  /// memory, and its output depends on the previous content of the thread's stack.
  private func setX265(_ options: inout AVOptions) {
    options.set("preset", settings.preset)
    setRate(&options)
    let asm = EncoderOptions.instructions.map { "asm=\($0):" } ?? ""
    options.set(
      "x265-params",
      asm + "open-gop=0:pools=none:frame-threads=1:repeat-headers=0:info=0:log-level=none"
        + ":keyint=\(stretch == .whole ? settings.goodDistance : 9999)"
        + (settings.size.width < 56 ? ":cutree=0" : "")
        + ((32...64).contains(min(settings.size.width, settings.size.height)) ? ":ctu=32" : ""))
  }

  private func setSVT(_ options: inout AVOptions) {
    options.set("preset", "\([12, 11, 10, 9, 8, 7, 6, 5, 4, 2][presetIndex])")
    options.set("svtav1-params", "lp=1:scd=0")
    setRate(&options)
  }

  private func setVPX(_ options: inout AVOptions) {
    options.set("cpu-used", "\([5, 5, 5, 4, 4, 3, 2, 1, 0, 0][presetIndex])")
    for (name, value) in [("deadline", "good"), ("row-mt", "0"), ("lag-in-frames", "16")] {
      options.set(name, value)
    }
    if settings.pixelFormat.hasAlpha { options.set("auto-alt-ref", "0") }
    setRate(&options)
  }

  private func setWebP(_ options: inout AVOptions) {
    guard case .quality(let value) = settings.rate else { return }
    options.set("quality", "\(value)")
    options.set("lossless", value == 100 ? "1" : "0")
  }
}

/// The instruction set of the encoders. It determines the encoded bytes together with settings and
/// library versions.
package let encoderInstructions = EncoderOptions.instructions ?? "plain"

extension VideoSettings {
  /// The keyframe interval for a single encoder, in frames: ten seconds.
  var goodDistance: Int {
    max(1, Int(10 * Double(rateNumerator) / Double(max(1, rateDenominator))))
  }

  /// The maximum delay in frames between decoding and presentation, for encoders that do not report
  /// it when opened; `nil` for others.
  var knownReorderDelay: Int64? {
    switch codec {
    case .h264: nil
    // The B-frame pyramid has two levels with every preset.
    case .h265: isVariable ? 0 : 2
    default: 0
    }
  }
}
