// SPDX-License-Identifier: MIT
import CPixels
import SceneFlash
package import SceneGraphics

/// Reduces frames of one size to the cells that are judged for flashes. Used by one thread.
package final class FlashReducer {
  private static let linear: [UInt16] = (0..<256).map {
    UInt16((Color.linear(Double($0) / 255) * 65535).rounded())
  }

  private let size: PixelSize
  private var grid: FlashGrid
  private var sums: [UInt16]

  package init(_ size: PixelSize) {
    self.size = size
    grid = FlashGrid(for: size)
    sums = Array(repeating: 0, count: 4 * size.width)
  }

  func reduce(_ pixels: scene_pixels) -> FlashGrid {
    precondition(Int(pixels.width) == size.width && Int(pixels.height) == size.height)
    let (columns, rows) = (Int32(grid.columns), Int32(grid.rows))
    var (luminance, red) = (grid.luminance, grid.red)
    unsafe luminance.withUnsafeMutableBufferPointer { luminance in
      unsafe red.withUnsafeMutableBufferPointer { red in
        unsafe FlashReducer.linear.withUnsafeBufferPointer { linear in
          let cells = unsafe scene_flash_grid(
            luminance: luminance.baseAddress, red: red.baseAddress, linear: linear.baseAddress,
            columns: columns, rows: rows)
          let isDone = unsafe scene_reduce_to_flash_grid(pixels, cells, &sums)
          precondition(isDone != 0, "a frame has cells of at most 514 pixels")
        }
      }
    }
    (grid.luminance, grid.red) = (luminance, red)
    return grid
  }
}

extension FlashGrid {
  /// Returns predicted cells plus the differences from them, modulo 256. Additional differences are
  /// ignored.
  package static func cells(_ predicted: [UInt8], plus differences: ArraySlice<UInt8>) -> [UInt8] {
    precondition(differences.count >= predicted.count)
    var cells = predicted
    let count = Int64(cells.count)
    unsafe differences.withUnsafeBufferPointer {
      unsafe scene_add_cells($0.baseAddress, &cells, count)
    }
    return cells
  }

  /// Returns cells changed by as much as they changed since `older`, clamped to 0...255.
  package static func extrapolated(_ cells: [UInt8], since older: [UInt8]) -> [UInt8] {
    precondition(cells.count == older.count)
    var next = cells
    unsafe scene_extrapolate_cells(older, &next, Int64(next.count))
    return next
  }
}
