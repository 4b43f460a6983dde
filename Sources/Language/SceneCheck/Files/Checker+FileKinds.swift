// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Files that a different element can show or play, such as an image in `video "photo.png"`.
extension Checker {
  static let imageKinds = "supported images are PNG, JPEG, WebP, GIF and SVG"

  /// Returns the error about a file that an element cannot decode. If its content fits a different
  /// element, the error has a fix.
  func mediaError(
    _ error: AssetError, _ path: String, at span: SourceSpan, of i: ElementNode, kind: String
  ) -> Diagnostic {
    guard case .undecodable = error, let fitting = fittingKind(of: path, insteadOf: i.kind) else {
      return assetError(error, path, at: span, kind: kind)
    }
    return wrongKind(fitting, path, at: span, of: i)
  }

  /// Returns the error about a file whose content fits the element `fitting` instead.
  func wrongKind(
    _ fitting: ElementKind, _ path: String, at span: SourceSpan, of i: ElementNode
  ) -> Diagnostic {
    let (found, expected) = (Checker.content(of: fitting), Checker.content(of: i.kind))
    var diagnostic = Diagnostic(
      .undecodable, "'\(path)' is \(found), not \(expected)", at: span)
    if let word = i.syntax.kind.first, word.text == i.kind.rawValue {
      diagnostic.fixIts = [
        FixIt(
          "use '\(fitting.rawValue)'", replacing: word.span, with: fitting.rawValue, isSafe: false)
      ]
    }
    return diagnostic
  }

  /// Returns the element that can show or play a file, after probing its content; `nil` if there is
  /// none.
  private func fittingKind(of path: String, insteadOf kind: ElementKind) -> ElementKind? {
    switch kind {
    case .image, .svg:
      guard let clip = try? assets.clip(path) else { return nil }
      // A file with a single frame, such as AVIF, is an image in an unsupported format.
      if let pictures = clip.pictures { return pictures.times.count > 1 ? .video : nil }
      return clip.sound?.sampleCount ?? 0 > 0 ? .audio : nil
    case .video, .audio: return (try? assets.image(path)) == nil ? nil : .image
    default: return nil
    }
  }

  private static func content(of kind: ElementKind) -> String {
    switch kind {
    case .image: "an image"
    case .svg: "an SVG"
    case .video: "a video"
    default: "an audio file"
    }
  }
}
