// SPDX-License-Identifier: MIT
package import SceneLanguage

/// The form in which a file receives its frames.
package enum PictureForm: Hashable, Sendable {
  case video(PixelFormat)
  case png(isOpaque: Bool)
  case jpeg(quality: Int)

  package init(_ settings: VideoSettings) {
    switch (settings.file, settings.rate) {
    case (.pngStills, _): self = .png(isOpaque: !settings.pixelFormat.hasAlpha)
    case (.jpegStills, .quality(let quality)): self = .jpeg(quality: Int(quality.rounded()))
    default: self = .video(settings.pixelFormat)
    }
  }

  /// Whether the form has no transparency.
  package var isOpaque: Bool {
    switch self {
    case .video(let format): !format.hasAlpha && format != .pal8
    case .png(let isOpaque): isOpaque
    case .jpeg: true
    }
  }
}
