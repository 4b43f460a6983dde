// SPDX-License-Identifier: MIT
import CCairo
package import SceneIR
import ScenePixels
import Synchronization

/// The installed fonts and the font files of scenes, in one configuration that is created on first
/// use.
// Safe: fontconfig is thread-safe since 2.10, and modifications happen under the lock.
package final class FontLibrary: @unchecked Sendable {
  private struct State {
    var config: FontConfiguration?
    var families: [String]?
    /// The font files of each family.
    var files: [String: Set<String>]?
    /// The families of added font files, by the digest of their content.
    var added: [UInt64: String] = [:]
    /// The number of added font files, which lets layout engines detect changes.
    var generation = 0
    /// The faces used for formulas, each with the generation of the lookup.
    var formulaFonts: [String: (generation: Int, font: FormulaFont?)] = [:]
    /// The axes of families, each with the generation of the lookup.
    var axes: [String: (generation: Int, axes: [FontAxisRange])] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  private static func config(_ state: inout State) -> FontConfiguration? {
    if state.config == nil {
      state.config = FontConfiguration()
      // The first configuration is also that of the process.
      isCurrent.withLock { isKnown in
        if !isKnown { state.config?.becomeCurrent() }
        isKnown = true
      }
    }
    return state.config
  }

  private static let isCurrent = Mutex(false)

  /// The configuration, which is created if necessary, and the number of changes.
  var current: (config: FontConfiguration?, generation: Int) {
    state.withLock { (FontLibrary.config(&$0), $0.generation) }
  }

  var generation: Int { state.withLock { $0.generation } }

  /// Returns the family of a font file that was added before; `nil` for other files.
  package func family(of bytes: [UInt8]) -> String? {
    let digest = Digest.fnv1a(bytes)
    return state.withLock { $0.added[digest] }
  }

  /// Adds the faces of a font file as a family named after the file, since a family with the face's
  /// own name may be installed. Returns the family name; `nil` if the file is not a font.
  package func add(_ bytes: [UInt8], called name: String) -> String? {
    let digest = Digest.fnv1a(bytes)
    return state.withLock { state in
      if let known = state.added[digest] { return known }
      guard let config = FontLibrary.config(&state), let path = FontFiles.path(of: bytes, digest),
        config.add(file: path)
      else { return nil }
      // Pango separates family names by commas.
      var family = name.replacing(",", with: " ")
      while state.added.values.contains(family) { family += "'" }
      let own = config.addedFaces.filter { $0.string(FC_FILE) == path }
      guard !own.isEmpty else { return nil }
      for face in own { face.rename(family) }
      state.added[digest] = family
      state.generation += 1
      state.families = nil
      state.files = nil
      return family
    }
  }

  /// Returns additional names of other faces in the same family with the same weight, width and
  /// slant. In a family with optical sizes, these are the sizes.
  func siblings(of face: FontFace) -> [String] {
    let alike = [FC_SLANT, FC_WEIGHT, FC_WIDTH]
    let wanted = alike.map { face.number($0) }
    let (family, file) = (face.string(FC_FAMILY), face.string(FC_FILE))
    return eachFace { other in
      guard other.string(FC_FAMILY) == family, other.string(FC_FILE) != file,
        alike.map({ other.number($0) }) == wanted
      else { return nil }
      return other.string(FC_FAMILY, 1)
    }.sorted()
  }

  /// All families, sorted and without duplicates.
  package var families: [String] {
    if let known = state.withLock({ $0.families }) { return known }
    let names = Set(eachFace { $0.families }.joined())
    return state.withLock { state in
      let sorted = names.subtracting(state.added.values).sorted()
      state.families = sorted
      return sorted
    }
  }

  /// Returns the files of all faces of some families, or of all families, sorted.
  package func files(of families: Set<String>? = nil) -> [String] {
    let known = state.withLock { state in
      if let known = state.files { return known }
      var files: [String: Set<String>] = [:]
      for face in FontLibrary.config(&state)?.faces ?? [] {
        guard let path = face.string(FC_FILE) else { continue }
        for family in face.families.isEmpty ? [""] : face.families {
          files[family, default: []].insert(path)
        }
      }
      state.files = files
      return files
    }
    let lists = families.map { $0.compactMap { known[$0] } } ?? Array(known.values)
    return Set(lists.joined()).sorted()
  }

  /// Returns the axes of all variable fonts of a family, sorted by tag.
  package func axes(of family: String) -> [FontAxisRange] {
    let wanted = family.lowercased()
    let known = state.withLock { ($0.generation, $0.axes[wanted]) }
    if let (generation, axes) = known.1, generation == known.0 { return axes }
    let files = eachFace { face -> [String]? in
      guard face.families.contains(where: { $0.lowercased() == wanted }),
        let path = face.string(FC_FILE)
      else { return nil }
      return [path, String(Int(face.number(FC_INDEX) ?? 0) & 0xFFFF)]
    }
    var axes: [String: FontAxisRange] = [:]
    for file in Set(files).sorted(by: { $0.joined() < $1.joined() }) {
      for axis in FontLibrary.axes(ofFile: file[0], Int32(file[1]) ?? 0)
      where axes[axis.tag] == nil {
        axes[axis.tag] = axis
      }
    }
    let sorted = axes.values.sorted { $0.tag < $1.tag }
    state.withLock { $0.axes[wanted] = (known.0, sorted) }
    return sorted
  }

  /// Returns whether a family has faces of several widths.
  package func hasWidths(_ family: String) -> Bool {
    let wanted = family.lowercased()
    let widths = eachFace { face in
      face.families.contains { $0.lowercased() == wanted } ? face.number(FC_WIDTH) : nil
    }
    return Set(widths).count > 1
  }

  private static func axes(ofFile path: String, _ index: Int32) -> [FontAxisRange] {
    var list = [scene_font_axis](repeating: scene_font_axis(), count: 64)
    let count = unsafe scene_font_axes(path, index, &list, 64)
    return list.prefix(Int(count)).map { axis in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: axis.tag >> $0) }
      return FontAxisRange(
        tag: String(decoding: bytes, as: UTF8.self), minimum: axis.least, initial: axis.initial,
        maximum: axis.most)
    }
  }

  /// A face of a file, with the distance of its weight from the regular one.
  private struct RegularFace {
    let path: String
    let index: Int
    let distance: Double
  }

  /// Returns the regular face of a family; `nil` if it has no `MATH` table.
  package func formulaFont(_ family: String) -> FormulaFont? {
    let (generation, known) = state.withLock { ($0.generation, $0.formulaFonts[family]) }
    if let known, known.generation == generation { return known.font }
    let faces = eachFace { face -> RegularFace? in
      guard face.families.contains(family), let path = face.string(FC_FILE) else { return nil }
      let index = face.number(FC_INDEX).map { Int($0) & 0xFFFF } ?? 0
      return RegularFace(
        path: path, index: index, distance: abs((face.number(FC_WEIGHT) ?? 80) - 80))
    }
    // Sorted by weight and name, which makes the choice deterministic.
    let best = faces.min {
      ($0.distance, $0.path, $0.index) < ($1.distance, $1.path, $1.index)
    }
    let font = best.flatMap { FormulaFont(path: $0.path, index: $0.index) }
    state.withLock { $0.formulaFonts[family] = (generation, font) }
    return font
  }

  /// The family and style of every face, sorted.
  package var faces: [(family: String, style: String)] {
    eachFace { ($0.string(FC_FAMILY) ?? "", $0.string(FC_STYLE) ?? "") }.sorted { $0 < $1 }
  }

  /// Returns the results of `body` for all faces.
  private func eachFace<T: Sendable>(_ body: (FontFace) -> T?) -> [T] {
    state.withLock { FontLibrary.config(&$0)?.faces.compactMap(body) ?? [] }
  }
}

/// The font files of all scenes, stored in memory with the content that was validated. FreeType can
/// open a font by name at any time, and the file in the folder may have changed by then.
private enum FontFiles {
  // Cairo caches faces by file name for the lifetime of the process, so the entries are never
  // removed.
  private static let files = Mutex<[UInt64: Int32]>([:])

  static func path(of bytes: [UInt8], _ digest: UInt64) -> String? {
    files.withLock { files in
      guard let file = files[digest] ?? (try? Decoder.memoryFile(bytes)) else { return nil }
      files[digest] = file
      return "/proc/self/fd/\(file)"
    }
  }
}
