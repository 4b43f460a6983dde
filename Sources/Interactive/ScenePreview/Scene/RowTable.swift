// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneJSON
import SceneSession
import SceneText
import Synchronization

/// The table of `--data`, whose rows views select by number.
final class RowTable: Sendable {
  private static let greatestCount = 1000
  private static let greatestLabel = 60

  /// The path of the table.
  let file: String
  /// The number of the row that a view shows by default, counting from 1.
  let first: Int
  private let scene: String
  private let known: Mutex<[Row]>

  /// The parameters of a row, and a description for a menu.
  private struct Row {
    let parameters: [GivenParameter]
    let label: String
  }

  /// Reads the table of the options. Returns `nil` for options without a table.
  init?(_ load: LoadOptions, for scene: String) {
    guard let file = load.data else { return nil }
    (self.file, self.scene, first) = (file, scene, load.row ?? 1)
    known = Mutex([])
    read(nil)
  }

  /// Reads the table again, for the params of `text` instead of the saved scene if an editor has it
  /// open. An invalid table leaves the previous rows.
  func read(_ text: [UInt8]?) {
    guard let table = try? DataRows(file, for: scene, text: text), !table.rows.isEmpty else {
      return
    }
    let rows = table.rows.map { row in
      Row(parameters: table.parameters(of: row), label: RowTable.label(row.cells))
    }
    known.withLock { $0 = rows }
  }

  var count: Int { known.withLock { $0.count } }

  func contains(_ row: Int) -> Bool { (1...max(1, count)).contains(row) }

  /// Returns the params of a row, counted from 1; for `nil`, those of the row that the command line
  /// selects, by default the first.
  func parameters(of row: Int?) -> [GivenParameter] {
    known.withLock { rows in
      let index = (row ?? first) - 1
      return rows.indices.contains(index) ? rows[index].parameters : []
    }
  }

  /// Returns the rows as a page lists them.
  func json(now row: Int?) -> JSON {
    known.withLock { rows in
      [
        "now": .int(row ?? first), "count": .int(rows.count),
        "labels": .array(rows.prefix(RowTable.greatestCount).map { .string($0.label) }),
      ]
    }
  }

  private static func label(_ cells: [GivenParameter]) -> String {
    let text = cells.prefix(3).map { visible($0.text) }.joined(separator: ", ")
    return text.count > greatestLabel ? text.prefix(greatestLabel - 1) + "…" : text
  }
}
