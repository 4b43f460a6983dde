// SPDX-License-Identifier: MIT

/// A histogram of colors in cells of 8x8x8 values.
package struct ColorHistogram {
  /// The number of pixels in a cell and the sums of their components.
  struct Cell {
    var count: Int64 = 0
    var red: Int64 = 0
    var green: Int64 = 0
    var blue: Int64 = 0
  }

  private(set) var cells = [Cell](repeating: Cell(), count: 1 << 15)
  private var last: [UInt8] = []

  package init() {}

  /// Adds the pixels of straight RGBA rows. Transparent pixels are ignored.
  package mutating func add(_ rgba: [UInt8]) {
    for at in stride(from: 0, to: rgba.count - 3, by: 4) where rgba[at + 3] >= 128 {
      let (r, g, b) = (Int(rgba[at]), Int(rgba[at + 1]), Int(rgba[at + 2]))
      let cell = (r >> 3) << 10 | (g >> 3) << 5 | b >> 3
      cells[cell].count += 1
      cells[cell].red += Int64(r)
      cells[cell].green += Int64(g)
      cells[cell].blue += Int64(b)
    }
  }

  /// Returns the mean absolute difference of two images, from 0 to 255.
  package static func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    guard a.count == b.count, !a.isEmpty else { return 255 }
    var sum = 0
    for at in a.indices { sum += abs(Int(a[at]) - Int(b[at])) }
    return Double(sum) / Double(a.count)
  }

  /// Returns a palette of at most `limit` colors that approximates the histogram. Each color is the
  /// mean of a box of cells.
  ///
  /// The box with the largest squared error is split repeatedly, along its axis of greatest
  /// variance at the mean (Wan, Wong and Prusinkiewicz 1988).
  package func palette(limit: Int) -> [PaletteColor] {
    var boxes = [Box(cells.indices.filter { cells[$0].count > 0 }, self)]
    if boxes[0].cells.isEmpty { return [PaletteColor(red: 0, green: 0, blue: 0)] }
    while boxes.count < limit {
      guard let worst = boxes.indices.max(by: { boxes[$0].error < boxes[$1].error }),
        let (low, high) = boxes[worst].cut(self)
      else { break }
      boxes[worst] = low
      boxes.append(high)
    }
    return boxes.map(\.mean)
  }

  /// A set of cells that maps to one color.
  private struct Box {
    let cells: [Int]
    let mean: PaletteColor
    /// The sum of squared distances from the mean; 0 for a single cell, which cannot be split.
    let error: Double
    private let axis: Int
    private let middle: Double

    init(_ cells: [Int], _ histogram: ColorHistogram) {
      self.cells = cells
      var (count, sums, squares) = (0.0, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0])
      for index in cells {
        let cell = histogram.cells[index]
        let number = Double(cell.count)
        count += number
        for (axis, sum) in [cell.red, cell.green, cell.blue].enumerated() {
          sums[axis] += Double(sum)
          squares[axis] += Double(sum) * Double(sum) / number
        }
      }
      let divisor = max(1, count)
      func part(_ axis: Int) -> UInt8 { UInt8(max(0, min(255, (sums[axis] / divisor).rounded()))) }
      mean = PaletteColor(red: part(0), green: part(1), blue: part(2))
      let spread = (0..<3).map { max(0, squares[$0] - sums[$0] * sums[$0] / divisor) }
      error = cells.count > 1 ? spread.reduce(0, +) : 0
      axis = spread.indices.max { spread[$0] < spread[$1] } ?? 0
      middle = sums[axis] / divisor
    }

    func cut(_ histogram: ColorHistogram) -> (Box, Box)? {
      guard error > 0 else { return nil }
      func place(_ index: Int) -> Double {
        let cell = histogram.cells[index]
        return Double([cell.red, cell.green, cell.blue][axis]) / Double(cell.count)
      }
      let low = cells.filter { place($0) <= middle }
      guard low.count < cells.count, !low.isEmpty else { return nil }
      return (
        Box(low, histogram), Box(cells.filter { place($0) > middle }, histogram)
      )
    }
  }
}
