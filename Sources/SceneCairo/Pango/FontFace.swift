// SPDX-License-Identifier: MIT
import CCairo

/// Owner of one reference to an `FcPattern`: what fontconfig knows of a face.
@safe final class FontFace {
  private let handle: OpaquePointer

  /// The pattern stays its owner's too.
  init(_ pattern: OpaquePointer) {
    unsafe FcPatternReference(pattern)
    unsafe handle = pattern
  }

  deinit { unsafe FcPatternDestroy(handle) }

  /// A name such as `FC_FAMILY`; a face may have several.
  func string(_ name: String, _ index: Int = 0) -> String? {
    var text: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(handle, name, Int32(index), &text) == FcResultMatch,
      let text = unsafe text
    else { return nil }
    return unsafe String(cString: text)
  }

  func number(_ name: String) -> Double? {
    var value = 0.0
    return unsafe FcPatternGetDouble(handle, name, 0, &value) == FcResultMatch ? value : nil
  }

  /// All names of the family, the usual one first.
  var families: [String] {
    var names: [String] = []
    while let name = string(FC_FAMILY, names.count) { names.append(name) }
    return names
  }

  /// Makes it a face of one family alone.
  func rename(_ family: String) {
    unsafe FcPatternDel(handle, FC_FAMILY)
    unsafe FcPatternDel(handle, FC_FAMILYLANG)
    unsafe FcPatternAddString(handle, FC_FAMILY, family)
  }
}

/// Owner of one `FcConfig`: the fonts of the machine and those that were added.
// Safe: fontconfig is thread-safe since 2.10; the library changes it under its lock.
@safe final class FontConfiguration: @unchecked Sendable {
  let handle: OpaquePointer

  /// `nil` when fontconfig cannot read its own configuration.
  init?() {
    guard let made = unsafe FcInitLoadConfigAndFonts() else { return nil }
    unsafe handle = made
  }

  deinit { unsafe FcConfigDestroy(handle) }

  /// Makes it that of the process: nothing then reads the files of fontconfig again.
  func becomeCurrent() { unsafe FcConfigSetCurrent(handle) }

  /// Adds the faces of a file; `false` when there are none.
  func add(file path: String) -> Bool { unsafe FcConfigAppFontAddFile(handle, path) != 0 }

  /// The faces that were added.
  var addedFaces: [FontFace] {
    unsafe FontConfiguration.faces(FcConfigGetFonts(handle, FcSetApplication))
  }

  /// All faces, with what is asked of them.
  var faces: [FontFace] {
    guard let all = unsafe FcPatternCreate() else { return [] }
    defer { unsafe FcPatternDestroy(all) }
    guard let objects = unsafe scene_fc_face_objects() else { return [] }
    defer { unsafe FcObjectSetDestroy(objects) }
    guard let set = unsafe FcFontList(handle, all, objects) else { return [] }
    defer { unsafe FcFontSetDestroy(set) }
    return unsafe FontConfiguration.faces(set)
  }

  private static func faces(_ set: UnsafeMutablePointer<FcFontSet>?) -> [FontFace] {
    guard let set = unsafe set else { return [] }
    return (0..<Int(unsafe set.pointee.nfont)).compactMap { index in
      unsafe set.pointee.fonts[index].map { unsafe FontFace($0) }
    }
  }
}
