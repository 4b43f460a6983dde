// SPDX-License-Identifier: MIT
import CCairo
import Synchronization

/// The fonts of the machine and those that a scene brings: one `FcConfig`, made when first needed.
// Safe: fontconfig is thread-safe since 2.10, and what changes it happens under the lock.
package final class FontLibrary: @unchecked Sendable {
  @safe private struct State {
    var config: OpaquePointer?
    var families: [String]?
    var added: [String: String] = [:]
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

  /// The family of a font file, which can be used from now on; `nil` when it is none.
  func add(file: String) -> String? {
    state.withLock { state in
      if let known = state.added[file] { return known }
      guard let config = unsafe FontLibrary.config(&state) else { return nil }
      var count: Int32 = 0
      guard let pattern = unsafe FcFreeTypeQuery(file, 0, nil, &count) else { return nil }
      defer { unsafe FcPatternDestroy(pattern) }
      guard let family = unsafe FontLibrary.string(pattern, FC_FAMILY),
        unsafe FcConfigAppFontAddFile(config, file) != 0
      else { return nil }
      state.added[file] = family
      state.generation += 1
      state.families = nil
      return family
    }
  }

  /// All families, sorted, each once.
  package var families: [String] {
    state.withLock { state in
      if let known = state.families { return known }
      var names = Set<String>()
      unsafe FontLibrary.forEachFont(&state) { pattern in
        var index: Int32 = 0
        while let family = unsafe FontLibrary.string(pattern, FC_FAMILY, index) {
          names.insert(family)
          index += 1
        }
      }
      let sorted = names.sorted()
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
    guard let objects = unsafe scene_fc_family_objects() else { return }
    defer { unsafe FcObjectSetDestroy(objects) }
    guard let set = unsafe FcFontList(config, all, objects) else { return }
    defer { unsafe FcFontSetDestroy(set) }
    for index in 0..<Int(unsafe set.pointee.nfont) {
      if let pattern = unsafe set.pointee.fonts[index] { unsafe body(pattern) }
    }
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
