// SPDX-License-Identifier: MIT
import SceneFlash
import ScenePixels
import SceneSystem

/// The grids of a segment in the form in which they are cached: the runs of equal frames, and the
/// compressed difference of each grid from the previous one.
struct FlashGrids {
  /// A run of equal frames.
  private struct Run {
    var length: Int
    /// Whether saturated red also differs; most videos have none.
    let changesRed: Bool
    /// The compressed difference.
    let difference: [UInt8]
  }

  private var runs: [Run] = []
  private var last: FlashGrid?

  /// Adds a frame; `nil` repeats the previous one.
  mutating func add(_ grid: FlashGrid?) {
    guard let grid, grid != last else {
      if !runs.isEmpty { runs[runs.count - 1].length += 1 }
      return
    }
    let before = last ?? FlashGrid(columns: grid.columns, rows: grid.rows)
    let changesRed = grid.red != before.red
    let difference =
      zip(grid.luminance, before.luminance).map { $0 &- $1 }
      + (changesRed ? zip(grid.red, before.red).map { $0 &- $1 } : [])
    runs.append(
      Run(length: 1, changesRed: changesRed, difference: Deflate.compressed(difference) ?? []))
    last = grid
  }

  /// The encoded grids.
  var bytes: [UInt8] {
    let head = message(last?.columns ?? 0, last?.rows ?? 0, runs.count)
    return runs.reduce(into: head) {
      $0 += message($1.length, $1.changesRed ? 2 : 1, $1.difference.count) + $1.difference
    }
  }

  /// Calls `body` with each different grid and the number of frames that show it. Returns `false`
  /// if the data is invalid.
  static func read(_ bytes: ArraySlice<UInt8>, _ body: (FlashGrid, Int) -> Void) -> Bool {
    var reader = MessageReader(bytes)
    let (columns, rows, count) = (reader.number(), reader.number(), reader.number())
    guard reader.isWhole, (1...120).contains(columns), (1...65_536).contains(rows), count >= 0
    else { return false }
    var grid = FlashGrid(columns: columns, rows: rows)
    let size = columns * rows
    for _ in 0..<count {
      let (length, planes, room) = (reader.number(), reader.number(), reader.number())
      guard reader.isWhole, length > 0, (1...2).contains(planes), let packed = reader.bytes(room),
        let difference = Deflate.expanded(packed, count: planes * size)
      else { return false }
      grid.add(difference)
      body(grid, length)
    }
    return reader.isAtEnd
  }
}

extension FlashGrid {
  /// Adds a difference of luminance, and of saturated red if it is twice as long.
  fileprivate mutating func add(_ difference: [UInt8]) {
    for cell in luminance.indices { luminance[cell] &+= difference[cell] }
    guard difference.count > luminance.count else { return }
    for cell in red.indices { red[cell] &+= difference[luminance.count + cell] }
  }
}
