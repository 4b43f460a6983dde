// SPDX-License-Identifier: MIT
import CCairo
import SceneSystem

/// Owner of one reference to an `FcPattern`: what fontconfig knows of a face.
@safe final class FontFace {
  @safe private let handle: Owned<OpaquePointer>

  /// The pattern stays its owner's too.
  init(_ pattern: OpaquePointer) {
    unsafe FcPatternReference(pattern)
    unsafe handle = Owned(always: pattern, FcPatternDestroy)
  }

  /// A name such as `FC_FAMILY`; a face may have several.
  func string(_ name: String, _ index: Int = 0) -> String? {
    unsafe scene_font_string(handle.pointer, name, Int32(index)).map {
      unsafe String(cString: $0)
    }
  }

  func number(_ name: String) -> Double? {
    let value = scene_font_number(handle.pointer, name)
    return value.isNaN ? nil : value
  }

  /// The file that it is in, and all else that decides how its glyphs look.
  var source: FontSource {
    // Safe: fontconfig answers nothing only where memory is at an end, and that is freed as well.
    let words = unsafe FcPatternFormat(
      handle.pointer, "%{index} %{embolden} %{matrix} %{fontvariations} %{fontfeatures}")
    defer { unsafe FcStrFree(words) }
    return FontSource(
      path: string(FC_FILE) ?? "",
      variant: unsafe words.map { unsafe String(cString: $0) } ?? "")
  }

  /// All names of the family, the usual one first.
  var families: [String] {
    var names: [String] = []
    while let name = string(FC_FAMILY, names.count) { names.append(name) }
    return names
  }

  /// Makes it a face of one family alone.
  func rename(_ family: String) {
    scene_font_rename(handle.pointer, family)
  }
}

/// Where glyphs come from: a file, and a face of it in some form.
package struct FontSource: Hashable, Sendable {
  package let path: String
  package let variant: String
}

/// Owner of one `FcConfig`: the fonts of the machine and those that were added.
// Safe: fontconfig is thread-safe since 2.10; the library changes it under its lock.
@safe final class FontConfiguration: @unchecked Sendable {
  @safe let handle: Owned<OpaquePointer>

  /// `nil` when fontconfig cannot read its own configuration.
  init?() {
    guard let made = unsafe Owned(FcInitLoadConfigAndFonts(), FcConfigDestroy) else { return nil }
    unsafe handle = made
  }

  /// Makes it that of the process: nothing then reads the files of fontconfig again.
  func becomeCurrent() { FcConfigSetCurrent(handle.pointer) }

  /// Adds the faces of a file; `false` when there are none.
  func add(file path: String) -> Bool { FcConfigAppFontAddFile(handle.pointer, path) != 0 }

  /// The faces that were added.
  var addedFaces: [FontFace] {
    unsafe FontConfiguration.faces(FcConfigGetFonts(handle.pointer, FcSetApplication))
  }

  /// All faces, with what is asked of them.
  var faces: [FontFace] {
    guard let all = unsafe Owned(FcPatternCreate(), FcPatternDestroy),
      let objects = unsafe Owned(scene_fc_face_objects(), FcObjectSetDestroy),
      let set = unsafe Owned(
        FcFontList(handle.pointer, all.pointer, objects.pointer), FcFontSetDestroy)
    else { return [] }
    return unsafe FontConfiguration.faces(set.pointer)
  }

  private static func faces(_ set: UnsafeMutablePointer<FcFontSet>?) -> [FontFace] {
    guard let set = unsafe set?.pointee else { return [] }
    let fonts = unsafe UnsafeBufferPointer(start: set.fonts, count: Int(set.nfont))
    return unsafe fonts.compactMap { unsafe $0.map(FontFace.init) }
  }
}
