// SPDX-License-Identifier: MIT
import SceneCairo
package import SceneIR
import SceneDigest
import SceneFiles
import SceneSystem
import Synchronization

extension PangoMetrics {
  /// What the glyphs of a text come from, with the contents of the files; with `wholeFamilies` all files
  /// of those families too.
  package func faces(of block: TextBlock, wholeFamilies: Bool) -> [String] {
    let (sources, families) = sources(of: block)
    let files = wholeFamilies ? fonts.files(of: families) : []
    return sources.map { "font \(content(of: $0.path)) \($0.variant)" }
      + files.map { "font \(content(of: $0))" }
  }

  /// All font files of the machine, by their names, sizes and dates.
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

  /// Read once: what Pango has opened stays as it is.
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
