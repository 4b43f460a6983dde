// SPDX-License-Identifier: MIT
import SceneAV
import SceneClips
import SceneDiagnostics
import SceneFiles
import SceneModel
import SceneOutput
import SceneRaster

/// Why a film cannot be written, or a clip or a picture not be read.
public struct FilmFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// What has to be changed.
  public enum Kind: Hashable, Sendable {
    /// What was asked for: the codec cannot be in the file, or does not have the profile.
    case settings
    /// A file that cannot be read or written.
    case file
    /// The encoder or the writer of the file, which say why.
    case encoder
    /// A picture or a clip that cannot be decoded.
    case picture
    /// The film was finished or cancelled before.
    case over
  }

  public let kind: Kind
  /// The sentence that scenec would print.
  public let message: String
  /// What may help.
  public let help: String?

  public var description: String { help.map { "\(message) (\($0))" } ?? message }

  init(_ kind: Kind, _ message: String, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.help = help
  }

  init(_ fault: any Error) {
    switch fault {
    case let fault as FilmFault: self = fault
    case PlanFault.call(let message): self.init(.settings, message)
    case PlanFault.scene(let diagnostic):
      self.init(.settings, diagnostic.message, help: diagnostic.notes.first?.message)
    case MediaFault.file(let fault): self.init(fault)
    case MediaFault.video(let fault): self.init(fault)
    case let fault as FileFault: self.init(.file, fault.message, help: fault.help)
    case let fault as VideoFault: self.init(.encoder, "cannot \(fault.action): \(fault.reason)")
    case let fault as DrawingFault: self.init(.picture, fault.message)
    case let fault as ClipFault: self.init(.picture, fault.description)
    default: self.init(.encoder, "\(fault)")
    }
  }

  /// Of a file that was read.
  init(_ fault: AssetFault, _ path: String) {
    switch fault {
    case .undecodable(let reason), .tooLarge(let reason):
      self.init(.picture, "'\(path)' cannot be read: \(reason)")
    case .unreadable(let reason): self.init(.file, "'\(path)' cannot be read: \(reason)")
    default: self.init(.file, "'\(path)' is not a readable file")
    }
  }
}
