// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneFiles
import SceneModel
import SceneText

/// The rows of a `.csv` or `.json` file whose columns are parameters of a scene.
package struct DataRows {
  /// A row with its number, counting from 1.
  package struct Row: Sendable {
    package let number: Int
    /// All cells, including those that are not parameters.
    package let cells: [GivenParameter]
    /// The name of the row in messages.
    package let place: String
  }

  package let rows: [Row]
  /// The names of the scene's parameters.
  private let parameters: Set<String>

  /// Reads `file`. At least one of its columns must be a parameter of the scene. `text` replaces the
  /// file of the scene.
  package init(_ file: String, for scene: String, text: [UInt8]? = nil) throws {
    rows = try DataRows.records(file).enumerated().map { index, cells in
      Row(
        number: index + 1, cells: cells,
        place: cells.first?.place?.description ?? "\(file), row \(index + 1)")
    }
    let outline = try FileOutline(scene, text: text)
    parameters = outline.parameters
    let columns = rows.first?.cells.map(\.name) ?? []
    // After syntax errors, parameters may be unknown. The syntax errors are reported instead.
    guard rows.isEmpty || outline.isInvalid || columns.contains(where: parameters.contains) else {
      throw CallError(
        message:
          "no column of '\(file)' matches a param of '\(scene)': the columns are \(columns.joined(separator: ", ")), the params \(parameters.sorted().joined(separator: ", "))"
      )
    }
  }

  /// Returns the row selected by `--row`.
  package func row(_ number: Int, of file: String) throws(CallError) -> Row {
    guard rows.indices.contains(number - 1) else {
      throw CallError(
        message: rows.isEmpty
          ? "'\(file)' has no rows"
          : "'\(file)' has rows 1 to \(rows.count), row \(number) is out of range")
    }
    return rows[number - 1]
  }

  /// Returns the values of the scene's parameters in a row.
  package func parameters(of row: Row) -> [GivenParameter] {
    row.cells.filter { parameters.contains($0.name) }
  }

  private static func records(_ file: String) throws -> [[GivenParameter]] {
    let bytes = try SceneFile.read(file)
    if file.lowercased().hasSuffix(".json") {
      let rows: [[(name: String, text: String)]]
      do throws(AssetError) {
        rows = try JSONRows.read(bytes)
      } catch {
        throw FileError("\(file): \(error.reason)")
      }
      return rows.enumerated().map { index, row in
        row.map { GivenParameter($0.name, $0.text, row: "\(file), row \(index + 1)") }
      }
    }
    do {
      let table = try CSVTable(bytes)
      return table.rows.map { row in
        zip(table.columns, row).map {
          GivenParameter(
            $0, $1.text, place: DataPlace(file: file, line: $1.line, column: $1.column))
        }
      }
    } catch {
      throw FileError("\(file):\(error.line):\(error.column): \(error.message)")
    }
  }
}
