// SPDX-License-Identifier: MIT
import SceneBuild
import SceneDiagnostics
import SceneSession

/// Searches the frames of revisions for flashes. Used by one thread.
final class FlashDesk {
  private var current: (revision: Revision, search: FlashSearch)?
  private let cells = FlashCells()

  /// Judges the next frame of a revision. Returns `true` after the last one, when the warnings have
  /// been added to the problems of the revision. A frame that takes too long is skipped.
  func judge(_ revision: Revision, isLate: @escaping () -> Bool) -> Bool {
    if current?.revision !== revision {
      current = (revision, FlashSearch(revision.scene, revision.model, cells: cells))
    }
    guard let search = current?.search else { return true }
    // Without a file that has been removed, the frames cannot be judged.
    if let goesOn = try? search.judgeNext(isUnwanted: isLate) {
      if goesOn { return false }
      let known = revision.problems ?? []
      let found = search.warnings(isUnwanted: isLate).enumerated().map {
        Problem($1, number: known.count + $0, revision.scene.sources)
      }
      revision.problems = known + found
    }
    current = nil
    return true
  }
}
