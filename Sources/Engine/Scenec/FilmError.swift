// SPDX-License-Identifier: MIT
import SceneAV
import SceneClips
import SceneDiagnostics
import SceneFiles
import SceneModel
import SceneOutput
import SceneRaster
import SceneWriting

/// An error that prevents writing a video, or reading a clip or an image.
public struct FilmError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The category of an error.
  public enum Kind: Hashable, Sendable {
    /// Invalid settings, such as a codec that the container or the profile does not support.
    case settings
    /// A file that cannot be read or written.
    case file
    /// An error of the encoder or the muxer; the message has its reason.
    case encoder
    /// An image or a clip that cannot be decoded.
    case picture
    /// The writer was already finished or cancelled.
    case over
  }

  public let kind: Kind
  /// The message, in the words of scenec's own error messages.
  public let message: String
  /// A suggested fix.
  public let help: String?

  public var description: String { help.map { "\(message) (\($0))" } ?? message }

  init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }

  init(_ failure: any Error) {
    switch failure {
    case let failure as FilmError: self = failure
    case PlanError.call(let message): self.init(.settings, message)
    case PlanError.scene(let diagnostic):
      self.init(.settings, diagnostic.message, help: diagnostic.notes.first?.message)
    case MediaError.file(let failure): self.init(failure)
    case MediaError.video(let failure): self.init(failure)
    case let failure as FileError: self.init(.file, failure.message, help: failure.help)
    case let failure as VideoError:
      self.init(.encoder, "cannot \(failure.action): \(failure.reason)")
    case let failure as DrawingError: self.init(.picture, failure.message)
    case let failure as ClipError: self.init(.picture, failure.description)
    default: self.init(.encoder, "\(failure)")
    }
  }

  /// Converts an error from reading the file at a path.
  init(_ failure: AssetError, _ path: String) {
    switch failure {
    case .unsupported:
      self.init(
        .picture, "'\(path)' cannot be read: \(failure.reason)",
        help: "convert the clip to MP4 (H.264 and AAC)")
    case .undecodable, .tooLarge:
      self.init(.picture, "'\(path)' cannot be read: \(failure.reason)")
    case .unreadable(let reason): self.init(.file, "'\(path)' cannot be read: \(reason)")
    default: self.init(.file, "'\(path)' is not a readable file")
    }
  }
}
