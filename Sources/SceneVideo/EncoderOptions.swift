// SPDX-License-Identifier: MIT
import SceneGraphics
import CAV
import SceneAV
import SceneLanguage

/// What libav is asked for to encode each codec: its encoder and the options beyond the common ones.
struct EncoderOptions {
  private let settings: VideoSettings
  private let stretch: VideoEncoder.Stretch

  init(_ settings: VideoSettings, _ stretch: VideoEncoder.Stretch) {
    self.settings = settings
    self.stretch = stretch
  }

  /// libav's name of the encoder of a codec.
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

  /// The Debian package that has it, for those who miss it.
  static let package = "libavcodec59 (or libavcodec-extra59)"

  /// Where a codec counts presets by numbers: the place of x264's word in its own row.
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

  /// The whole pictures among others: each stretch begins with one.
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

  /// What x264 is told beyond the preset; none of it changes the headers of the stream.
  private var x264Parameters: String {
    let preset = settings.preset
    let short = ["ultrafast": 0, "superfast": 0, "veryfast": 10]
    // Looking further ahead than 15 frames makes stretches of a few seconds no smaller, and
    // costs a third of the time and of the memory.
    let lookahead = "rc-lookahead=\(short[preset] ?? 15)"
    let ofStretch =
      switch stretch {
      case .whole: lookahead
      case .moving: "stitchable=1:\(lookahead)"
      // One picture, and blocks that are skipped: with the coarsest quantiser nothing is left of what
      // later pictures would add to the grain of the first, half of the bytes. Presets above faster
      // optimise for the eye, which takes 2 off the quantiser of the chroma, in the headers; below
      // subme 6 that has to be said. Another whole picture on the way would be as coarse.
      case .still:
        "stitchable=1:keyint=infinite:rc-lookahead=0:mbtree=0:scenecut=0:b-adapt=0:subme=2:chroma-qp-offset="
          + (short[preset] != nil || preset == "faster" ? "0" : "-2")
          + (settings.rate == .quality(0) ? "" : ":zones=1,\(Int32.max),q=51")
      }
    // Others than those of packets that are copied.
    let number = settings.copied?.ownNumber.map { "sps-id=\($0):" } ?? ""
    return (EncoderOptions.instructions.map { "asm=\($0):" } ?? "") + number + ofStretch
  }

  /// The instructions that x264 may use, where this processor has them; else what it finds.
  ///
  /// Its sums for AVX-512 differ from those for AVX2, and for small pictures read memory that was
  /// never written: the bytes of a video would follow from the machine, or from nothing at all.
  fileprivate static let instructions: String? = scene_has_avx2() != 0 ? "avx2" : nil

  /// Options that keep x265 3.5 from reading and writing memory that is not its own in small frames.
  ///
  /// `cutree` writes past its buffer when a frame is narrower than four blocks at half size. With a
  /// frame as wide as one coding tree unit of 64 pixels, the encoder reads stack memory that was
  /// never written, and its output depends on what the thread's stack held before.
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

/// What the bytes of encoders follow from beside their settings and libraries: the instructions that this
/// processor has for them.
package let encoderInstructions = EncoderOptions.instructions ?? "plain"

extension VideoSettings {
  /// Frames between whole pictures where one encoder makes all: ten seconds.
  var goodDistance: Int {
    max(1, Int(10 * Double(rateNumerator) / Double(max(1, rateDenominator))))
  }

  /// How many pictures later than it is decoded a picture may be shown, where an encoder does not say
  /// so when it is opened.
  var knownReorderDelay: Int64? {
    switch codec {
    case .h264: nil
    // Its pyramid of B-frames has two levels, whatever the preset.
    case .h265: isVariable ? 0 : 2
    default: 0
    }
  }
}
