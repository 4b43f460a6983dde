// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneStore
import SceneText

/// The options for loading scenes.
package struct LoadOptions: Sendable {
  /// The folder that must contain all files; by default, the root of the project, or the folder of
  /// a scene without a project.
  package var root: String?
  package var check = CheckOptions()
  /// Whether limits of a project that exceed the defaults apply.
  package var trustsProject = false
  /// The path of a table of parameter values, with one scene per row.
  package var data: String?
  /// The selected row, counting from 1.
  package var row: Int?

  /// The location of the cache.
  package var store = StorePlace.ofUser

  /// Whether scenes are only checked, so that no pixels are kept for rendering.
  package var drawsNothing = false

  package init(root: String? = nil) { self.root = root }

  /// A request to check a file.
  package struct Request: Sendable {
    package let check: CheckOptions
    /// The origin of the parameter values.
    package let row: DataRows.Row?
  }

  /// Returns one request for each row of the table or for the selected row; without a table, a
  /// single request.
  package func requests(for path: String) throws -> [Request] {
    guard let data else { return [Request(check: check, row: nil)] }
    let table = try DataRows(data, for: path)
    let rows = try row.map { [try table.row($0, of: data)] } ?? table.rows
    return rows.map { row in
      var own = check
      // Parameters from the command line apply to every row.
      own.parameters = table.parameters(of: row) + check.parameters
      return Request(check: own, row: row)
    }
  }
}

/// An error in the arguments of a program, as one sentence.
package struct CallError: Error, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
