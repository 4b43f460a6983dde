// SPDX-License-Identifier: MIT
import CImage
import SceneModel
import SceneSystem

/// Loads every glyph of a font once, in the same way as FreeType loads it for rendering.
func judgeFont(_ bytes: [UInt8]) throws(AssetError) {
  let isRead = unsafe bytes.withUnsafeBufferPointer { source -> Bool in
    var made: FT_Library?
    guard unsafe FT_Init_FreeType(&made) == 0,
      let library = unsafe Owned(made, { unsafe FT_Done_FreeType($0) })
    else { return false }
    var count = 1
    var index = 0
    while index < count {
      var made: FT_Face?
      let code = unsafe FT_New_Memory_Face(
        library.pointer, source.baseAddress, FT_Long(source.count), FT_Long(index), &made)
      guard code == 0, let face = unsafe Owned(made, { unsafe FT_Done_Face($0) }) else {
        return false
      }
      let (faces, glyphs) = unsafe (face.pointer.pointee.num_faces, face.pointer.pointee.num_glyphs)
      count = min(64, Int(faces))
      index += 1
      for glyph in 0..<max(0, glyphs) {
        // A damaged glyph is drawn as empty. The purpose is to ensure that loading terminates
        // without a crash.
        _ = unsafe FT_Load_Glyph(face.pointer, FT_UInt(glyph), scene_ft_load_outline)
      }
    }
    return true
  }
  guard isRead else { throw .undecodable("invalid font file") }
}
