// SPDX-License-Identifier: MIT
package import SceneGraphics

/// A frame reduced to a grid of square cells, at most 120 per row, for flash detection.
package struct FlashGrid: Hashable, Sendable {
  package let columns: Int
  package let rows: Int
  /// The luminance of each cell, row by row: 255 times the square root of the relative luminance.
  package var luminance: [UInt8]
  /// The saturated red of each cell: 255 times `R - G - B` in linear light where red makes up at
  /// least 80% of the light, otherwise 0.
  package var red: [UInt8]

  package init(columns: Int, rows: Int, luminance: [UInt8], red: [UInt8]) {
    precondition(luminance.count == columns * rows && red.count == columns * rows)
    self.columns = columns
    self.rows = rows
    self.luminance = luminance
    self.red = red
  }

  /// Creates a black grid.
  package init(columns: Int, rows: Int) {
    let black = Array(repeating: UInt8(0), count: columns * rows)
    self.init(columns: columns, rows: rows, luminance: black, red: black)
  }

  /// Creates a black grid for frames of a size. Cells of small frames have at least two pixels per
  /// side.
  package init(for size: PixelSize) {
    let columns = max(1, min(120, size.width / 2))
    let square = Double(size.height) * Double(columns) / Double(max(1, size.width))
    self.init(columns: columns, rows: max(1, min(Int(square.rounded()), size.height / 2)))
  }
}
