// SPDX-License-Identifier: MIT
import CImage
import SceneModel

/// Reads every glyph of a font once, as FreeType will when it is drawn.
func judgeFont(_ bytes: [UInt8]) throws(AssetFault) {
  let isRead = unsafe bytes.withUnsafeBufferPointer { source -> Bool in
    var library: FT_Library?
    guard unsafe FT_Init_FreeType(&library) == 0 else { return false }
    defer { unsafe FT_Done_FreeType(library) }
    var count = 1
    var index = 0
    while index < count {
      var face: FT_Face?
      guard
        unsafe FT_New_Memory_Face(
          library, source.baseAddress, FT_Long(source.count), FT_Long(index), &face) == 0,
        let face = unsafe face
      else { return false }
      defer { unsafe FT_Done_Face(face) }
      count = min(64, Int(unsafe face.pointee.num_faces))
      index += 1
      for glyph in 0..<max(0, unsafe face.pointee.num_glyphs) {
        // One that is damaged is drawn as nothing; what matters is that reading it ends.
        _ = unsafe FT_Load_Glyph(face, FT_UInt(glyph), scene_ft_load_outline)
      }
    }
    return true
  }
  guard isRead else { throw .undecodable("it is no font that can be read") }
}
