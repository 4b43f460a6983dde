// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneIR
package import SceneModel

/// The frames whose decoded clip frames are passed unchanged to an 8-bit 4:2:0 encoder, and the
/// reasons why other frames are not.
package struct PassedFrames {
  private let lives: ClipLives
  private let size: PixelSize

  package init(_ model: SceneModel) {
    lives = ClipLives(model)
    size = model.size
  }

  /// Returns the clip in a frame and the reason why its frame is drawn instead of passed on; `nil`
  /// without a clip.
  package func clip(in frame: Int, _ program: FrameProgram) -> (clip: ClipModel, obstacle: String?)?
  {
    let shown = lives.shown(in: frame).map(\.clip)
    guard let first = shown.first else { return nil }
    if let only = program.onlyPicture?.clip, let clip = shown.first(where: { $0.digest == only }) {
      return (clip, clip.pictures.obstacle(in: size))
    }
    if let obstacle = first.pictures.obstacle(in: size), shown.count == 1 {
      return (first, obstacle)
    }
    return (
      first,
      shown.count > 1
        ? "several clips are visible"
        : program.ops.count > 1 ? "other elements are visible" : "the clip is transformed"
    )
  }
}
