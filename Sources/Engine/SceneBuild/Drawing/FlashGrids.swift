// SPDX-License-Identifier: MIT
import SceneFlash
import ScenePixels
import SceneSystem

/// The grids of a segment in the form in which they are cached: the runs of equal frames, and the
/// compressed difference of each grid from the previous one.
struct FlashGrids {
  private var lengths: [Int] = []
  private var differences: [[UInt8]] = []
  private var last: FlashGrid?

  /// Adds a frame; `nil` repeats the previous one.
  mutating func add(_ grid: FlashGrid?) {
    guard let grid, grid != last else {
      if !lengths.isEmpty { lengths[lengths.count - 1] += 1 }
      return
    }
    let values = grid.values
    let before = last?.values ?? []
    let difference =
      before.count == values.count ? zip(values, before).map { $0 &- $1 } : values
    differences.append(Deflate.compressed(difference) ?? [])
    lengths.append(1)
    last = grid
  }

  /// The encoded grids.
  var bytes: [UInt8] {
    let head = message(last?.columns ?? 0, last?.rows ?? 0, lengths.count)
    return zip(lengths, differences).reduce(into: head) {
      $0 += message($1.0, $1.1.count) + $1.1
    }
  }

  /// Calls `body` with each different grid and the number of frames that show it. Returns `false`
  /// if the data is invalid.
  static func read(_ bytes: ArraySlice<UInt8>, _ body: (FlashGrid, Int) -> Void) -> Bool {
    var reader = MessageReader(bytes)
    let (columns, rows, count) = (reader.number(), reader.number(), reader.number())
    guard reader.isWhole, (1...120).contains(columns), (1...65_536).contains(rows), count >= 0
    else { return false }
    let size = columns * rows
    var values = Array(repeating: UInt8(0), count: 2 * size)
    for _ in 0..<count {
      let (length, room) = (reader.number(), reader.number())
      guard reader.isWhole, length > 0, let packed = reader.bytes(room),
        let difference = Deflate.expanded(packed, count: 2 * size)
      else { return false }
      for index in values.indices { values[index] &+= difference[index] }
      body(
        FlashGrid(
          columns: columns, rows: rows, luminance: Array(values[..<size]),
          red: Array(values[size...])), length)
    }
    return reader.isAtEnd
  }
}

extension FlashGrid {
  fileprivate var values: [UInt8] { luminance + red }
}
