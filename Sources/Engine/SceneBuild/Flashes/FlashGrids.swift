// SPDX-License-Identifier: MIT
package import SceneFlash
import ScenePixels
import SceneSystem

/// The grids of a segment in the form in which they are cached: the runs of equal frames, and the
/// compressed differences of the grids from predictions.
package struct FlashGrids {
  /// A run of equal frames.
  private struct Run {
    var length: Int
    /// Whether saturated red also differs; most videos have none.
    let changesRed: Bool
  }

  private var runs: [Run] = []
  private var differences: [UInt8] = []
  private var prediction: Prediction?

  package init() {}

  /// Adds a frame; `nil` repeats the previous one.
  package mutating func add(_ grid: FlashGrid?) {
    guard let grid, grid != prediction?.last else {
      if !runs.isEmpty { runs[runs.count - 1].length += 1 }
      return
    }
    var prediction = prediction ?? Prediction(columns: grid.columns, rows: grid.rows)
    let changesRed = grid.red != prediction.last.red
    differences += FlashGrid.packed(grid.luminance, predicted: prediction.luminance)
    if changesRed { differences += FlashGrid.packed(grid.red, predicted: prediction.last.red) }
    runs.append(Run(length: 1, changesRed: changesRed))
    prediction.advance(to: grid)
    self.prediction = prediction
  }

  /// The encoded grids.
  package var bytes: [UInt8] {
    let list = runs.flatMap { message($0.length, $0.changesRed ? 2 : 1) }
    let (columns, rows) = (prediction?.last.columns ?? 0, prediction?.last.rows ?? 0)
    return message(columns, rows, runs.count, differences.count)
      + (Deflate.compressed(list + differences, as: .differences) ?? [])
  }

  private static let bytesOfRun = 16
  /// The maximum size of the expanded data, which no segment reaches.
  private static let mostBytes = 1 << 30

  /// Calls `body` with each different grid and the number of frames that show it. Returns `false`
  /// if the data is invalid.
  package static func read(_ bytes: ArraySlice<UInt8>, _ body: (FlashGrid, Int) -> Void) -> Bool {
    var head = MessageReader(bytes)
    let (columns, rows, count, size) = (head.number(), head.number(), head.number(), head.number())
    guard head.isWhole, (1...120).contains(columns), (1...65_536).contains(rows),
      (0...mostBytes / bytesOfRun).contains(count), (0...mostBytes).contains(size),
      let content = Deflate.expanded(head.rest, count: count * bytesOfRun + size)
    else { return false }
    var reader = MessageReader(content[...])
    let runs = (0..<count).map { _ in (length: reader.number(), planes: reader.number()) }
    var rest = reader.rest
    var prediction = Prediction(columns: columns, rows: rows)
    for run in runs {
      var grid = prediction.last
      guard run.length > 0, (1...2).contains(run.planes),
        let luminance = FlashGrid.unpack(&rest, predicted: prediction.luminance)
      else { return false }
      grid.luminance = luminance
      if run.planes == 2 {
        guard let red = FlashGrid.unpack(&rest, predicted: grid.red) else { return false }
        grid.red = red
      }
      body(grid, run.length)
      prediction.advance(to: grid)
    }
    return rest.isEmpty
  }

  /// Predicts that each cell changes by as much as before. Most changes of a video are slow movements
  /// and fades, for which the differences are smaller than those from the previous grid.
  private struct Prediction {
    private(set) var last: FlashGrid
    private(set) var luminance: [UInt8]
    private var isFirst = true

    init(columns: Int, rows: Int) {
      last = FlashGrid(columns: columns, rows: rows)
      luminance = last.luminance
    }

    mutating func advance(to grid: FlashGrid) {
      luminance =
        isFirst ? grid.luminance : FlashGrid.extrapolated(grid.luminance, since: last.luminance)
      (last, isFirst) = (grid, false)
    }
  }
}
