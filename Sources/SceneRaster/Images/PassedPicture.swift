// SPDX-License-Identifier: MIT
package import SceneClips
import SceneGraphics
package import SceneIR
import SceneModel

extension DrawingResources {
  /// The picture of a clip that is all that a frame shows, pixel by pixel; `nil` where anything is drawn
  /// over it, or it is turned, scaled or cut.
  ///
  /// An encoder may be given it as it was decoded: on the way through R'G'B' chroma would lose.
  package func passed(_ program: FrameProgram) throws(DrawingFault) -> ClipPicture? {
    guard let image = program.onlyPicture, let clip = image.clip else { return nil }
    let picture: ClipPicture
    do throws(ClipFault) {
      picture = try images.clips.picture(clip, image.frame, image.reading.damage)
    } catch {
      throw .clip(image.path, error)
    }
    let isUpright = picture.orientation.quarterTurns == 0 && !picture.orientation.isMirrored
    return isUpright && picture.storedSize == program.size ? picture : nil
  }
}
