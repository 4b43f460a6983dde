// SPDX-License-Identifier: MIT
import CCairo
import SceneSystem

/// An owned reference to an `FcPattern`: the properties of a font face.
@safe final class FontFace {
  @safe private let handle: Owned<OpaquePointer>

  /// Adds a reference to a pattern.
  init(_ pattern: OpaquePointer) {
    unsafe FcPatternReference(pattern)
    unsafe handle = Owned(always: pattern, FcPatternDestroy)
  }

  /// Returns a value of a property such as `FC_FAMILY`, which can have several values. Returns
  /// `nil` if there is no value at `index`.
  func string(_ name: String, _ index: Int = 0) -> String? {
    unsafe scene_font_string(handle.pointer, name, Int32(index)).map {
      unsafe String(cString: $0)
    }
  }

  func number(_ name: String) -> Double? {
    let value = scene_font_number(handle.pointer, name)
    return value.isNaN ? nil : value
  }

  /// The font file and all properties that affect the shape of glyphs.
  var source: FontSource {
    // Safe: fontconfig returns null only if out of memory, and freeing null is allowed.
    let words = unsafe FcPatternFormat(
      handle.pointer, "%{index} %{embolden} %{matrix} %{fontvariations} %{fontfeatures}")
    defer { unsafe FcStrFree(words) }
    return FontSource(
      path: string(FC_FILE) ?? "",
      variant: unsafe words.map { unsafe String(cString: $0) } ?? "")
  }

  /// The font file and the index of the face in it.
  var address: String { "\(string(FC_FILE) ?? "")#\(number(FC_INDEX) ?? 0)" }

  /// All names of the family, the primary one first.
  var families: [String] {
    var names: [String] = []
    while let name = string(FC_FAMILY, names.count) { names.append(name) }
    return names
  }

  /// Replaces the family names of the face with a single name.
  func rename(_ family: String) {
    scene_font_rename(handle.pointer, family)
  }
}

/// The origin of glyphs: a font file and a variant of a face in it.
package struct FontSource: Hashable, Sendable {
  package let path: String
  package let variant: String
}

/// An owned `FcConfig`: the installed fonts and added fonts.
// Safe: fontconfig is thread-safe since 2.10; the library modifies it under its lock.
@safe final class FontConfiguration: @unchecked Sendable {
  @safe let handle: Owned<OpaquePointer>

  /// Loads the installed fonts; returns `nil` if fontconfig cannot read its own configuration.
  init?() {
    guard let made = unsafe Owned(FcInitLoadConfigAndFonts(), FcConfigDestroy) else { return nil }
    unsafe handle = made
  }

  /// Makes this the configuration of the process, so that fontconfig does not read its files again.
  func becomeCurrent() { FcConfigSetCurrent(handle.pointer) }

  /// Adds the faces of a font file; returns `false` if there are none.
  func add(file path: String) -> Bool { FcConfigAppFontAddFile(handle.pointer, path) != 0 }

  /// The added faces.
  var addedFaces: [FontFace] {
    unsafe FontConfiguration.faces(FcConfigGetFonts(handle.pointer, FcSetApplication))
  }

  /// All faces with the required properties.
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
