// SPDX-License-Identifier: MIT
package import SceneClips
import SceneGraphics
package import SceneIR
import SceneModel

extension DrawingResources {
  /// Returns the video frame that a frame program shows unchanged and exclusively; `nil` if it is
  /// rotated, scaled, cropped or covered.
  ///
  /// The encoder can use this frame as decoded. A conversion to RGB and back would degrade its
  /// chroma.
  package func passed(_ program: FrameProgram) throws(DrawingError) -> ClipPicture? {
    guard let image = program.onlyPicture, let clip = image.clip else { return nil }
    let picture: ClipPicture
    do throws(ClipError) {
      picture = try images.clips.picture(
        of: clip, number: image.frame, damage: image.reading.damage)
    } catch {
      throw .clip(image.path, error)
    }
    let isUpright = picture.orientation.quarterTurns == 0 && !picture.orientation.isMirrored
    return isUpright && picture.storedSize == program.size ? picture : nil
  }
}
