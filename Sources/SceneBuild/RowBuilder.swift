// SPDX-License-Identifier: MIT
import SceneCLI
import SceneCheck
import SceneModel
import SceneRaster
import SceneText

/// Makes one video for each row of a data file; a row that fails does not keep the others.
struct RowBuilder {
  private let call: Invocation
  private let console: Console
  private let interruption: Interruption

  init(_ call: Invocation, _ console: Console, _ interruption: Interruption) {
    self.call = call
    self.console = console
    self.interruption = interruption
  }

  private struct Row {
    let cells: [GivenParameter]
    /// `nil` when a cell that names the file is empty.
    let output: String?
    /// How messages name it.
    let place: String
  }

  func build(_ path: String, rows file: String) -> ExitCode {
    guard call.operands.count == 1 else {
      console.error("'--data' makes many videos of one scene, not of \(call.operands.count)")
      return .callWrong
    }
    do {
      var loader = try SceneLoader(call)
      let given = loader.options.parameters
      let rows = try self.rows(file)
      let parameters = try loader.parameterNames(path)
      let columns = rows.first?.cells.map(\.name) ?? []
      guard rows.isEmpty || columns.contains(where: parameters.contains) else {
        throw Invocation.Fault(
          message:
            "no column of '\(file)' is a param of '\(path)': columns are \(columns.joined(separator: ", ")); params are \(parameters.sorted().joined(separator: ", "))"
        )
      }
      var failed = 0
      let store = SegmentStore()
      for (index, row) in rows.enumerated() {
        guard let output = row.output else {
          failed += 1
          console.error("\(row.place): row \(index + 1) has nothing that names its file")
          continue
        }
        console.note("row \(index + 1) of \(rows.count): \(output)")
        // What the call sets counts for each row.
        loader.options.parameters =
          row.cells.filter { parameters.contains($0.name) && !$0.text.isEmpty } + given
        let outcome = Builder(call, console, interruption, store: store).build(
          path, loader: loader, output: output)
        if interruption.caught != 0 { return .interrupted }
        if outcome.code == .callWrong { return .callWrong }
        if outcome.code != .done {
          failed += 1
          console.error("\(row.place): no '\(output)'")
        }
      }
      if store.hits > 0 {
        console.note("\(store.hits) segments were alike and were drawn once")
      }
      guard failed > 0 else { return .done }
      console.error("\(failed) of \(rows.count) rows failed")
      return .sceneWrong
    } catch {
      return console.report(error, of: call)
    }
  }

  /// The rows with their outputs, all of which differ.
  private func rows(_ file: String) throws -> [Row] {
    guard let pattern = call.value("output"), pattern.contains("{") else {
      throw Invocation.Fault(
        message: "each row needs a file of its own: -o \"{column}.mp4\", or {row} for its number")
    }
    let bytes = try SceneLoader.read(file)
    var rows: [Row] = []
    var outputs: [String: String] = [:]
    for (index, record) in try records(bytes, file).enumerated() {
      let place = record.first?.place.map(\.description) ?? "\(file), row \(index + 1)"
      let output = try fill(pattern, record, number: index + 1)
      if let output, let other = outputs.updateValue(place, forKey: output) {
        throw Invocation.Fault(
          message: "\(other) and \(place) would both write '\(output)'; add {row} to -o")
      }
      rows.append(Row(cells: record, output: output, place: place))
    }
    return rows
  }

  private func records(_ bytes: [UInt8], _ file: String) throws -> [[GivenParameter]] {
    if file.lowercased().hasSuffix(".json") {
      return try JSONRows.read(bytes).map { row in row.map { GivenParameter($0.name, $0.text) } }
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
      throw OutputFault("\(file):\(error.line):\(error.column): \(error.message)")
    }
  }

  /// `{column}` and `{row}` replaced, `nil` where a cell for it is empty; what a cell says never
  /// leaves its part of the path.
  private func fill(_ pattern: String, _ cells: [GivenParameter], number: Int) throws
    -> String?
  {
    var result = ""
    var rest = pattern[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Invocation.Fault(message: "a '{' in -o is not closed")
      }
      let name = String(rest[rest.index(after: open)..<close])
      if name == "row" {
        result += String(number)
      } else if let cell = cells.first(where: { $0.name == name }) {
        var safe = cell.text.map { $0 == "/" || $0 == "\0" || $0.isNewline ? "_" : $0 }
        while safe.first == "." { safe.removeFirst() }
        if safe.isEmpty { return nil }
        result += String(safe)
      } else {
        let near = nearest(name, in: cells.map(\.name)).map { "; did you mean {\($0)}?" } ?? ""
        throw Invocation.Fault(message: "there is no column '\(name)'\(near)")
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}
