// SPDX-License-Identifier: MIT
import CCairo
import SceneIR
import ScenePixels
import Synchronization

/// The fonts of the machine and those that a scene brings: one `FcConfig`, made when first needed.
// Safe: fontconfig is thread-safe since 2.10, and what changes it happens under the lock.
package final class FontLibrary: @unchecked Sendable {
  @safe private struct State {
    var config: OpaquePointer?
    var families: [String]?
    /// The families that font files became, by the digest of what they hold.
    var added: [UInt64: String] = [:]
    /// Rises with every font file, so that layout engines notice.
    var generation = 0
  }

  private let state = Mutex(State())

  package init() {}

  deinit {
    state.withLock { state in
      if let config = unsafe state.config { unsafe FcConfigDestroy(config) }
    }
  }

  private static func config(_ state: inout State) -> OpaquePointer? {
    if unsafe state.config == nil {
      unsafe state.config = FcInitLoadConfigAndFonts()
      // The first one is the process's too: nothing then reads the files of fontconfig again.
      isCurrent.withLock { isKnown in
        if !isKnown { unsafe FcConfigSetCurrent(state.config) }
        isKnown = true
      }
    }
    return unsafe state.config
  }

  private static let isCurrent = Mutex(false)

  /// Lends the configuration and how often it changed.
  func withConfig<T>(_ body: (OpaquePointer?, Int) -> T) -> T {
    // The address alone leaves the lock; the configuration lives as long as the library.
    let (address, generation) = state.withLock { state in
      unsafe (UInt(bitPattern: FontLibrary.config(&state)), state.generation)
    }
    return unsafe body(OpaquePointer(bitPattern: address), generation)
  }

  var generation: Int { state.withLock { $0.generation } }

  /// The family of a font file that was added before.
  func family(of bytes: [UInt8]) -> String? {
    let digest = Digest.fnv1a(bytes)
    return state.withLock { $0.added[digest] }
  }

  /// Makes the face of a font file a family of its own, called as the file is: a family of the
  /// face's name may be installed. Answers the name; `nil` when the file is no font.
  func add(_ bytes: [UInt8], called name: String) -> String? {
    let digest = Digest.fnv1a(bytes)
    return state.withLock { state in
      if let known = state.added[digest] { return known }
      guard let config = unsafe FontLibrary.config(&state),
        let path = FontFiles.path(of: bytes, digest),
        unsafe FcConfigAppFontAddFile(config, path) != 0,
        let set = unsafe FcConfigGetFonts(config, FcSetApplication)
      else { return nil }
      // Commas part the names of families in Pango.
      var family = name.replacing(",", with: " ")
      while state.added.values.contains(family) { family += "'" }
      var isThere = false
      for index in 0..<Int(unsafe set.pointee.nfont) {
        guard let pattern = unsafe set.pointee.fonts[index],
          unsafe FontLibrary.string(pattern, FC_FILE) == path
        else { continue }
        unsafe FcPatternDel(pattern, FC_FAMILY)
        unsafe FcPatternDel(pattern, FC_FAMILYLANG)
        unsafe FcPatternAddString(pattern, FC_FAMILY, family)
        isThere = true
      }
      guard isThere else { return nil }
      state.added[digest] = family
      state.generation += 1
      state.families = nil
      return family
    }
  }

  /// Further names of other faces in the same family that are as bold and slanted: of a family with
  /// optical sizes, each size.
  func siblings(of face: OpaquePointer) -> [String] {
    let alike = [FC_SLANT, FC_WEIGHT, FC_WIDTH]
    let wanted = alike.map { unsafe FontLibrary.number(face, $0) }
    let family = unsafe FontLibrary.string(face, FC_FAMILY)
    let file = unsafe FontLibrary.string(face, FC_FILE)
    return state.withLock { state in
      var names: [String] = []
      unsafe FontLibrary.forEachFont(&state) { other in
        guard unsafe FontLibrary.string(other, FC_FAMILY) == family,
          unsafe FontLibrary.string(other, FC_FILE) != file,
          alike.map({ unsafe FontLibrary.number(other, $0) }) == wanted,
          let name = unsafe FontLibrary.string(other, FC_FAMILY, 1)
        else { return }
        names.append(name)
      }
      return names.sorted()
    }
  }

  private static func number(_ pattern: OpaquePointer, _ name: String) -> Double? {
    var value = 0.0
    return unsafe FcPatternGetDouble(pattern, name, 0, &value) == FcResultMatch ? value : nil
  }

  /// All families, sorted, each once.
  package var families: [String] {
    state.withLock { state in
      if let known = state.families { return known }
      var names = Set<String>()
      unsafe FontLibrary.forEachFont(&state) { pattern in
        unsafe names.formUnion(FontLibrary.families(of: pattern))
      }
      let sorted = names.subtracting(state.added.values).sorted()
      state.families = sorted
      return sorted
    }
  }

  /// Family and style of every face, sorted.
  package var faces: [(family: String, style: String)] {
    state.withLock { state in
      var list: [(String, String)] = []
      unsafe FontLibrary.forEachFont(&state) { pattern in
        list.append(
          unsafe (
            FontLibrary.string(pattern, FC_FAMILY) ?? "",
            FontLibrary.string(pattern, FC_STYLE) ?? ""
          ))
      }
      return list.sorted { $0 < $1 }
    }
  }

  private static func forEachFont(_ state: inout State, _ body: (OpaquePointer) -> Void) {
    guard let config = unsafe config(&state), let all = unsafe FcPatternCreate() else { return }
    defer { unsafe FcPatternDestroy(all) }
    guard let objects = unsafe scene_fc_face_objects() else { return }
    defer { unsafe FcObjectSetDestroy(objects) }
    guard let set = unsafe FcFontList(config, all, objects) else { return }
    defer { unsafe FcFontSetDestroy(set) }
    for index in 0..<Int(unsafe set.pointee.nfont) {
      if let pattern = unsafe set.pointee.fonts[index] { unsafe body(pattern) }
    }
  }

  /// All names of the family of a face, the usual one first.
  static func families(of face: OpaquePointer) -> [String] {
    var names: [String] = []
    while let name = unsafe string(face, FC_FAMILY, Int32(names.count)) { names.append(name) }
    return names
  }

  private static func string(_ pattern: OpaquePointer, _ name: String, _ index: Int32 = 0)
    -> String?
  {
    var text: UnsafeMutablePointer<FcChar8>?
    guard unsafe FcPatternGetString(pattern, name, index, &text) == FcResultMatch,
      let text = unsafe text
    else { return nil }
    return unsafe String(cString: text)
  }
}

/// The font files of all scenes, kept in memory as they were judged: FreeType opens a font by a name
/// whenever it likes, and what lies in a folder may be another file by then.
private enum FontFiles {
  // Cairo remembers faces by that name for as long as the process lives, and so do we.
  private static let files = Mutex<[UInt64: Int32]>([:])

  static func path(of bytes: [UInt8], _ digest: UInt64) -> String? {
    files.withLock { files in
      guard let file = files[digest] ?? (try? Decoder.memoryFile(bytes)) else { return nil }
      files[digest] = file
      return "/proc/self/fd/\(file)"
    }
  }
}
