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
  /// Returns the differences of cells from predicted ones, without the blocks that are equal.
  package static func packed(_ cells: [UInt8], predicted: [UInt8]) -> [UInt8] {
    precondition(cells.count == predicted.count)
    let room = cells.count + cells.count / 512 + 1
    return unsafe Array(unsafeUninitializedCapacity: room) { room, used in
      unsafe used = Int(
        scene_pack_cells(cells, predicted, Int64(cells.count), room.baseAddress))
    }
  }

  /// Returns predicted cells plus the differences at the start of `packed`, which are removed;
  /// `nil` if they are incomplete.
  package static func unpack(_ packed: inout ArraySlice<UInt8>, predicted: [UInt8]) -> [UInt8]? {
    var cells = predicted
    let count = Int64(cells.count)
    let size = unsafe packed.withUnsafeBufferPointer {
      unsafe scene_unpack_cells($0.baseAddress, Int64($0.count), &cells, count)
    }
    guard size >= 0 else { return nil }
    packed = packed.dropFirst(Int(size))
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
