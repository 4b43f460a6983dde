// SPDX-License-Identifier: MIT
import SceneCairo
package import SceneIR
import SceneDigest
import SceneFiles
import SceneSystem
import Synchronization

extension PangoMetrics {
  /// Returns the digests of all fonts that the glyphs of a text use. With `wholeFamilies`, all
  /// files of their families are included.
  package func faces(of block: TextBlock, wholeFamilies: Bool) -> [String] {
    let (sources, families) = sources(of: block)
    let files = wholeFamilies ? fonts.files(of: families) : []
    return sources.map { "font \(content(of: $0.path)) \($0.variant)" }
      + files.map { "font \(content(of: $0))" }
  }

  /// A digest of the paths, sizes and dates of all installed font files.
  package var allFonts: [String] {
    installed.withLock { known in
      if let known { return known }
      let list = fonts.files().map { path in
        let status = FileStatus(path: path)
        return "\(path) \(status?.size ?? 0) \(status?.written.0 ?? 0)"
      }
      let digest = ["fonts \(SHA256(of: Array(list.joined(separator: "\n").utf8)))"]
      known = digest
      return digest
    }
  }

  /// Returns the digest of a font file. It is read only once, because Pango does not reopen files.
  private func content(of path: String) -> String {
    contents.withLock { contents in
      if let known = contents[path] { return known }
      let digest = SHA256(
        of: (try? SceneFile.read(path)) ?? Array(LoadedCode.identity(ofFile: path).utf8)
      ).description
      contents[path] = digest
      return digest
    }
  }
}
