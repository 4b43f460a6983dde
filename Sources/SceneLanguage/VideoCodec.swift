// SPDX-License-Identifier: MIT

/// How the pictures of a video are encoded. The one place where it is written what each can do.
public enum VideoCodec: String, CaseIterable, Hashable, Sendable, Encodable {
  case h264, h265, av1, vp9, prores, ffv1, qtrle, png
  case gif, webp, apng, jpeg
  /// Pictures as they are.
  case raw

  /// What people call it.
  public var title: String {
    switch self {
    case .h264: "H.264"
    case .h265: "H.265"
    case .av1: "AV1"
    case .vp9: "VP9"
    case .prores: "ProRes"
    case .ffv1: "FFV1"
    case .qtrle: "QuickTime Animation"
    case .png: "PNG"
    case .gif: "GIF"
    case .webp: "WebP"
    case .apng: "animated PNG"
    case .jpeg: "JPEG"
    case .raw: "raw video"
    }
  }

  /// The scale of `quality` and its initial value; `nil` where nothing is lost, or the profile says.
  public var quality: (scale: ClosedRange<Double>, initial: Double)? {
    switch self {
    case .h264: (0...51, 18)
    case .h265: (0...51, 20)
    case .av1, .vp9: (0...63, 24)
    case .webp: (0...100, 80)
    case .jpeg: (1...100, 92)
    case .prores, .ffv1, .qtrle, .png, .gif, .apng, .raw: nil
    }
  }

  /// Whether an encoder keeps a number of bits a second.
  public var hasBitrate: Bool { [.h264, .h265, .av1, .vp9].contains(self) }

  /// How colors may be stored; the first is what is taken.
  public var pixelFormats: [PixelFormat] {
    switch self {
    case .h264:
      [.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10]
    case .h265: [.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10]
    case .av1: [.yuv420p, .yuv420p10]
    case .vp9: [.yuv420p, .yuv444p, .yuv420p10, .yuv444p10, .yuva420p]
    case .prores: [.yuv422p10, .yuv444p10, .yuva444p10]
    case .ffv1: [.bgr0, .yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10, .bgra]
    case .qtrle: [.rgb24, .argb]
    case .png, .apng: [.rgb24, .rgba]
    case .gif: [.pal8]
    case .jpeg: [.rgb24]
    case .webp: [.bgra]
    case .raw: [.yuv420p, .yuv422p, .yuv444p, .yuv420p10, .yuv422p10, .yuv444p10]
    }
  }

  /// The format that holds what lets something through; `nil` where there is none.
  package var clearFormat: PixelFormat? {
    self == .gif ? .pal8 : pixelFormats.first(where: \.hasAlpha)
  }

  /// Whether stretches that were encoded apart can be joined.
  package var joins: Bool {
    switch self {
    case .h264, .h265, .av1, .vp9, .prores, .ffv1, .qtrle, .png: true
    case .gif, .webp, .apng, .jpeg, .raw: false
    }
  }

  public var profiles: [String] {
    switch self {
    case .h264: ["baseline", "main", "high", "high10", "high422", "high444"]
    case .prores: ["proxy", "lt", "standard", "hq", "4444"]
    default: []
    }
  }
}

/// How the colors of a picture are stored, by libav's names without the order of bytes.
public enum PixelFormat: String, CaseIterable, Hashable, Sendable, Encodable {
  case yuv420p, yuv422p, yuv444p, yuv420p10, yuv422p10, yuv444p10, yuva420p, yuva444p10
  case rgb24, rgba, argb, bgr0, bgra, pal8

  public var hasAlpha: Bool {
    [.yuva420p, .yuva444p10, .rgba, .argb, .bgra].contains(self)
  }

  /// Pixels that share one sample of chroma, across and down.
  package var sharing: (across: Int, down: Int) {
    switch self {
    case .yuv420p, .yuv420p10, .yuva420p: (2, 2)
    case .yuv422p, .yuv422p10: (2, 1)
    default: (1, 1)
    }
  }

  /// Bits of a sample.
  public var depth: Int { rawValue.hasSuffix("10") ? 10 : 8 }

  /// "4:2:0" and the like.
  package var samplingName: String {
    switch sharing {
    case (2, 2): "4:2:0"
    case (2, 1): "4:2:2"
    default: "4:4:4"
    }
  }
}

/// The format of a file, which its ending says.
package enum FileFormat: String, CaseIterable, Hashable, Sendable, Encodable {
  case mp4, mov, webm, mkv, y4m, gif, webp, apng
  /// Numbered pictures.
  case pngStills, jpegStills
  /// Sound alone.
  case wav, flac, mp3, m4a, opus, ogg

  /// By the ending of a path; `nil` when it is not known. `-` is a pipe.
  package init?(path: String) {
    if path == "-" {
      self = .y4m
      return
    }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard name.contains("."), let ending = name.split(separator: ".").last?.lowercased() else {
      return nil
    }
    let isNumbered = name.contains("%")
    switch ending {
    case "mp4", "m4v": self = .mp4
    case "mov": self = .mov
    case "webm": self = .webm
    case "mkv": self = .mkv
    case "y4m": self = .y4m
    case "gif": self = .gif
    case "webp": self = .webp
    case "apng": self = .apng
    case "png": self = isNumbered ? .pngStills : .apng
    case "jpg", "jpeg": self = .jpegStills
    case "wav", "flac", "mp3", "m4a", "opus", "ogg": self.init(rawValue: ending)
    default: return nil
    }
  }

  /// The codecs that it may hold; the first is what is taken.
  package var codecs: [VideoCodec] {
    switch self {
    case .mp4: [.h264, .h265, .av1]
    case .mov: [.h264, .h265, .prores, .qtrle, .png]
    case .webm: [.vp9, .av1]
    case .mkv: [.h264, .h265, .vp9, .av1, .ffv1]
    case .y4m: [.raw]
    case .gif: [.gif]
    case .webp: [.webp]
    case .apng: [.apng]
    case .pngStills: [.png]
    case .jpegStills: [.jpeg]
    case .wav, .flac, .mp3, .m4a, .opus, .ogg: []
    }
  }

  /// Whether it holds streams with headers and times of their own, and what is said of them.
  package var isContainer: Bool { [.mp4, .mov, .webm, .mkv].contains(self) }

  /// As the Internet calls it.
  package var mediaType: String {
    switch self {
    case .mp4: "video/mp4"
    case .mov: "video/quicktime"
    case .webm: "video/webm"
    case .mkv: "video/x-matroska"
    case .y4m: "video/x-yuv4mpeg"
    case .gif, .webp, .apng: "image/\(rawValue)"
    case .pngStills: "image/png"
    case .jpegStills: "image/jpeg"
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .opus: "audio/ogg"
    case .wav, .flac, .ogg: "audio/\(rawValue)"
    }
  }

  /// Whether each picture is a file of its own.
  package var isStills: Bool { [.pngStills, .jpegStills].contains(self) }

  /// Whether pictures are written as they are, so that settings of other files mean nothing to it.
  package var isPlain: Bool { [.y4m, .pngStills].contains(self) }

  /// What a codec is in when nothing else is said.
  package init?(of codec: VideoCodec) {
    guard let file = FileFormat.allCases.first(where: { $0.codecs.contains(codec) }) else {
      return nil
    }
    self = file
  }

  /// How its ending is written.
  package var ending: String {
    switch self {
    case .apng: ".png"
    case .pngStills: "%04d.png"
    case .jpegStills: "%04d.jpg"
    default: "." + rawValue
    }
  }
}
