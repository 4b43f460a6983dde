// SPDX-License-Identifier: MIT

/// A video codec. This file is the single source of the capabilities of each codec.
public enum VideoCodec: String, CaseIterable, Hashable, Sendable, Encodable {
  case h264, h265, av1, vp9, prores, ffv1, qtrle, png
  case gif, webp, apng, jpeg
  /// Uncompressed frames.
  case raw

  /// The common name of the codec.
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

  /// The scale and default of `quality`; `nil` for lossless codecs and codecs whose profile
  /// determines it.
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

  /// Whether a higher `quality` is better, as for still images. For other codecs, it is a
  /// quantizer: lower is better.
  package var isBetterWithMore: Bool { self == .webp || self == .jpeg }

  /// Returns the meaning of the scale of `quality` in a sentence; `nil` for codecs without one.
  package static func scaleOfQuality(_ codec: VideoCodec) -> String? {
    codec.quality.map { scale, initial in
      let best = codec.isBetterWithMore ? scale.upperBound : scale.lowerBound
      return
        "\(codec.title): \(Int(scale.lowerBound)) to \(Int(scale.upperBound)), where \(Int(best)) is the best; the default is \(Int(initial))"
    }
  }

  /// Whether the encoder supports a target bit rate.
  public var hasBitrate: Bool { [.h264, .h265, .av1, .vp9].contains(self) }

  /// The supported pixel formats; the first one is the default.
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

  /// The pixel format with transparency; `nil` if there is none.
  package var clearFormat: PixelFormat? {
    self == .gif ? .pal8 : pixelFormats.first(where: \.hasAlpha)
  }

  /// Whether independently encoded segments can be concatenated.
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

/// The storage format of pixels, named as in libav without the byte order.
public enum PixelFormat: String, CaseIterable, Hashable, Sendable, Encodable {
  case yuv420p, yuv422p, yuv444p, yuv420p10, yuv422p10, yuv444p10, yuva420p, yuva444p10
  case rgb24, rgba, argb, bgr0, bgra, pal8

  public var hasAlpha: Bool {
    [.yuva420p, .yuva444p10, .rgba, .argb, .bgra].contains(self)
  }

  /// The number of pixels that share a chroma sample, horizontally and vertically.
  package var sharing: (across: Int, down: Int) {
    switch self {
    case .yuv420p, .yuv420p10, .yuva420p: (2, 2)
    case .yuv422p, .yuv422p10: (2, 1)
    default: (1, 1)
    }
  }

  /// The number of bits per sample.
  public var depth: Int { rawValue.hasSuffix("10") ? 10 : 8 }

  /// The chroma subsampling, such as "4:2:0".
  package var samplingName: String {
    switch sharing {
    case (2, 2): "4:2:0"
    case (2, 1): "4:2:2"
    default: "4:4:4"
    }
  }
}

/// The format of a caption track in a video file.
package enum CaptionCodec: Hashable, Sendable {
  /// 3GPP timed text, which shows one text at a time.
  case movText
  /// SubRip text, which all Matroska players support.
  case subRip
  case webVTT
}

/// The format of an output file, determined by the file extension.
package enum FileFormat: String, CaseIterable, Hashable, Sendable, Encodable {
  case mp4, mov, webm, mkv, y4m, gif, webp, apng
  /// Numbered still images.
  case pngStills, jpegStills
  /// Formats that contain only audio.
  case wav, flac, mp3, m4a, opus, ogg
  /// Formats that contain only captions: WebVTT, SubRip, and a transcript.
  case vtt, srt, txt

  /// Determines the format from the file extension of a path; `nil` if it is unknown. `-` is a
  /// pipe.
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
    case "wav", "flac", "mp3", "m4a", "opus", "ogg", "vtt", "srt", "txt":
      self.init(rawValue: ending)
    default: return nil
    }
  }

  /// The supported video codecs; the first one is the default.
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
    case .wav, .flac, .mp3, .m4a, .opus, .ogg, .vtt, .srt, .txt: []
    }
  }

  /// The format of caption tracks in a video file; `nil` if the format does not support them.
  package var captionCodec: CaptionCodec? {
    switch self {
    case .mp4, .mov: .movText
    case .mkv: .subRip
    case .webm: .webVTT
    default: nil
    }
  }

  /// The file extensions of the formats with tracks for captions and descriptions.
  package static var withTracks: String {
    allCases.filter { $0.captionCodec != nil }.map(\.ending).joined(separator: ", ")
  }

  /// The format as the subject of a sentence.
  package var inSentence: String { self == .y4m ? "raw video" : "a \(ending) file" }

  /// Whether the format contains only captions.
  package var isText: Bool { [.vtt, .srt, .txt].contains(self) }

  /// Whether the format contains frames.
  package var isDrawn: Bool { !isSound && !isText }

  /// Whether the format is a container with stream headers, timestamps and metadata.
  package var isContainer: Bool { [.mp4, .mov, .webm, .mkv].contains(self) }

  /// The media type (MIME type).
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
    case .vtt: "text/vtt"
    case .srt: "application/x-subrip"
    case .txt: "text/plain; charset=utf-8"
    }
  }

  /// Whether each frame is a separate file.
  package var isStills: Bool { [.pngStills, .jpegStills].contains(self) }

  /// Whether frames are written without encoder settings, so that the settings of other formats do
  /// not apply.
  package var isPlain: Bool { [.y4m, .pngStills].contains(self) }

  /// Selects the default format of a codec; `nil` if no format supports it.
  package init?(of codec: VideoCodec) {
    guard let file = FileFormat.allCases.first(where: { $0.codecs.contains(codec) }) else {
      return nil
    }
    self = file
  }

  /// Selects the format of the default file of an `output`: that of its codec, or MP4.
  package init(ofOutput codec: String?) {
    let own = codec.flatMap { VideoCodec(rawValue: $0) }.flatMap { FileFormat(of: $0) }
    self = own ?? .mp4
  }

  /// The file extension.
  package var ending: String {
    switch self {
    case .apng: ".png"
    case .pngStills: "%04d.png"
    case .jpegStills: "%04d.jpg"
    default: "." + rawValue
    }
  }
}
