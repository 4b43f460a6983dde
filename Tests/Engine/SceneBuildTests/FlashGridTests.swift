// SPDX-License-Identifier: MIT
import SceneBuild
import SceneFlash
import ScenePixels
import SceneTestSupport
import Testing

/// The cached form of the frames that are judged for flashes.
@Suite("Cached grids", .cpuBudget(seconds: 1)) struct FlashGridTests {
  /// Returns a grid with a luminance for each cell.
  private func grid(red: UInt8 = 0, _ luminance: (Int) -> Int) -> FlashGrid {
    var grid = FlashGrid(columns: 120, rows: 68)
    for cell in grid.luminance.indices {
      grid.luminance[cell] = UInt8(clamping: luminance(cell))
      grid.red[cell] = red
    }
    return grid
  }

  private func encoded(_ grids: [FlashGrid?]) -> [UInt8] {
    var encoder = FlashGrids()
    for grid in grids { encoder.add(grid) }
    return encoder.bytes
  }

  private func decoded(_ bytes: [UInt8]) -> [FlashGrid]? {
    var grids: [FlashGrid] = []
    let isValid = FlashGrids.read(bytes[...]) {
      grids += Array(repeating: $0, count: $1)
    }
    return isValid ? grids : nil
  }

  @Test func gridsAreRestored() throws {
    var generator = Generator(seed: 7)
    var grids: [FlashGrid?] = []
    var expected: [FlashGrid] = []
    for frame in 0..<40 {
      switch frame % 5 {
      case 0: grids.append(grid { _ in Int.random(in: 0...255, using: &generator) })
      case 1: grids.append(nil)
      case 2: grids.append(grid(red: UInt8(frame)) { $0 % 256 })
      case 3: grids.append(grid { ($0 + frame) % 256 })
      default: grids.append(grids[grids.count - 1])
      }
      expected.append(grids[frame] ?? expected[frame - 1])
    }
    #expect(decoded(encoded(grids)) == expected)
    #expect(decoded(encoded([])) == nil)
  }

  /// Slow movements and fades are linear for some frames.
  @Test func linearChangesAreSmall() {
    func changes(_ luminance: (_ cell: Int, _ frame: Int) -> Int) -> Int {
      encoded((0..<100).map { frame in grid { luminance($0, frame) } }).count
    }
    let still = changes { cell, _ in cell * cell % 251 }
    #expect(changes { cell, frame in cell * cell % 97 + frame } < still + 4_000)
    // A different speed of each cell.
    #expect(changes { cell, frame in cell * cell % 31 + cell * 7 % 3 * frame } < 20_000)
  }

  /// Blocks that are as predicted are not stored. The last block is shorter than the others.
  @Test func packedCellsAreRestored() throws {
    var generator = Generator(seed: 3)
    let predicted = (0..<143).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for changed in [[], [0], [63, 64], [142], [5, 70, 130], Array(0..<143)] {
      var cells = predicted
      for cell in changed { cells[cell] &+= UInt8.random(in: 1...255, using: &generator) }
      let packed = FlashGrid.packed(cells, predicted: predicted)
      let blocks = Set(changed.map { $0 / 64 })
      #expect(packed.count == 1 + blocks.reduce(0) { $0 + ($1 == 2 ? 15 : 64) })
      var rest = (packed + [7, 8])[...]
      #expect(FlashGrid.unpack(&rest, predicted: predicted) == cells)
      #expect(Array(rest) == [7, 8])
      for size in packed.indices {
        var short = packed[..<size]
        #expect(FlashGrid.unpack(&short, predicted: predicted) == nil)
      }
    }
  }

  @Test func invalidDataIsRejected() {
    let bytes = encoded((0..<4).map { frame in grid { $0 * frame % 256 } })
    #expect(decoded(bytes)?.count == 4)
    for index in stride(from: 0, to: 32, by: 1) {
      var wrong = bytes
      wrong[index] ^= 0x41
      #expect(decoded(wrong) == nil)
    }
    for count in [0, 31, 40, bytes.count - 1] {
      #expect(decoded(Array(bytes.prefix(count))) == nil)
    }
  }
}
