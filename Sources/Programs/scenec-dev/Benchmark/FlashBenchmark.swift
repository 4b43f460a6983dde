// SPDX-License-Identifier: MIT
import SceneCairo
import SceneFiles
import SceneFlash
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneRaster
import SceneSystem

/// Measures the judgment of flashes: the reduction of a frame, and the rules for a frame in which all
/// cells change.
enum FlashBenchmark {
  static func run(_ board: Scoreboard) throws {
    try reduction(board)
    rules(board)
  }

  private static func reduction(_ board: Scoreboard) throws {
    let fonts = FontLibrary()
    guard let assets = AssetFolder(root: ".", folder: ".", fonts: fonts) else { return }
    let size = PixelSize(1920, 1080)
    let canvas = try Canvas(
      size, isOpaque: true, resources: DrawingResources(fonts: fonts, images: ImageStore(assets)))
    try canvas.draw(FrameProgram(size: size, background: .color(.white), ops: []))
    let reducer = FlashReducer(size)
    let rounds = 200
    let started = OwnProcess.cpuSeconds
    for _ in 0..<rounds { precondition(canvas.flashGrid(reducer)?.luminance.first == 255) }
    report(
      "cells of a 1080p frame, for flashes",
      seconds: (OwnProcess.cpuSeconds - started) / Double(rounds),
      atMost: 0.6, on: board)
  }

  private static func rules(_ board: Scoreboard) {
    var state: UInt64 = 1
    let grids = (0..<120).map { _ in
      var grid = FlashGrid(for: PixelSize(1920, 1080))
      for cell in grid.luminance.indices {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        grid.luminance[cell] = UInt8(state >> 56)
      }
      return grid
    }
    var tracker = FlashTracker(FrameRate(30, 1), .web)
    let started = OwnProcess.cpuSeconds
    for grid in grids { tracker.add(grid) }
    let cost = (OwnProcess.cpuSeconds - started) / Double(grids.count)
    report("rules for flashes of a frame of noise", seconds: cost, atMost: 2, on: board)
  }

  private static func report(
    _ name: String, seconds: Double, atMost limit: Double, on board: Scoreboard
  ) {
    let cost = seconds * 1000
    print("  \(cost) ms \(board.judge(name, milliseconds: cost, atMost: limit)) \(name)")
  }
}
