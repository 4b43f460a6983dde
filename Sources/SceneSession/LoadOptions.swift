// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneStore
import SceneText

/// What is decided before a scene is loaded.
package struct LoadOptions: Sendable {
  /// The folder that files must lie in; that of the scene without it.
  package var root: String?
  package var check = CheckOptions()
  /// A file with values of params, one scene for each row.
  package var data: String?
  /// The row that is meant, from 1.
  package var row: Int?

  /// What was made before is kept here.
  package var store = StorePlace.ofUser

  /// Scenes are only checked: nothing is decoded for a drawing.
  package var drawsNothing = false

  package init(root: String? = nil) { self.root = root }

  /// One check of a file.
  package struct Request: Sendable {
    package let check: CheckOptions
    /// Where the values of params are from.
    package let row: DataRows.Row?
  }

  /// One request for each row of the table, or for the one row that is meant; one without a table.
  package func requests(for path: String) throws -> [Request] {
    guard let data else { return [Request(check: check, row: nil)] }
    let table = try DataRows(data, for: path)
    let rows = try row.map { [try table.row($0, of: data)] } ?? table.rows
    return rows.map { row in
      var own = check
      // What the call sets counts for each row.
      own.parameters = table.parameters(of: row) + check.parameters
      return Request(check: own, row: row)
    }
  }
}

/// What is wrong with what a program was called with, in one sentence.
package struct CallFault: Error, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
