// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneFlash
import SceneIR
import SceneLower
package import SceneModel
import ScenePixels
package import SceneRaster
package import SceneSession
import SceneSystem

/// Judges the frames of a scene for flashes without encoding them, one after another. Used by one
/// thread.
package final class FlashSearch {
  private let scene: LoadedScene
  private let model: SceneModel
  private let cells: FlashCells?
  private let reducer: FlashReducer
  private var lowerer: Lowerer
  private var tracker: FlashTracker
  private var canvas: Canvas?
  private var frame = 0
  private var last: FrameProgram?

  /// Starts at the first frame. `cells` holds the cells of known frames.
  package init(_ scene: LoadedScene, _ model: SceneModel, cells: FlashCells? = nil) {
    self.scene = scene
    self.model = model
    self.cells = cells
    reducer = FlashReducer(model.size)
    lowerer = Lowerer(model, metrics: scene.metrics)
    tracker = FlashTracker(model.frameRate, model.flashLimit)
  }

  /// Judges the next frame, and returns `false` after the last one. A frame for which `isUnwanted`
  /// returns `true` is skipped.
  package func judgeNext(isUnwanted: @escaping () -> Bool = { false }) throws(DrawingError) -> Bool
  {
    guard frame < model.frameCount else { return false }
    defer { frame += 1 }
    guard let program = lowerer.lower(frame: frame, isUnwanted: isUnwanted) else {
      last = nil
      tracker.skip(1)
      return true
    }
    if program == last {
      tracker.repeatFrame()
    } else if let grid = try grid(of: program, isUnwanted: isUnwanted) {
      tracker.add(grid)
      last = program
    } else {
      last = nil
      tracker.skip(1)
    }
    return true
  }

  /// Returns the cells of a frame, or `nil` if it is unwanted.
  private func grid(of program: FrameProgram, isUnwanted: @escaping () -> Bool)
    throws(DrawingError) -> FlashGrid?
  {
    if let grid = cells?[program] { return grid }
    let canvas: Canvas
    if let known = self.canvas {
      canvas = known
    } else {
      canvas = try Canvas(
        model.size, isOpaque: model.background != nil, resources: scene.resources)
    }
    self.canvas = canvas
    do throws(DrawingError) {
      try canvas.draw(program, isUnwanted: isUnwanted)
    } catch {
      // The content of the canvas is incomplete.
      self.canvas = nil
      guard error == .givenUp else { throw error }
      return nil
    }
    let grid = canvas.flashGrid(reducer)
    if let grid { cells?[program] = grid }
    return grid
  }

  /// The number of ranges among the judged frames that flash.
  package var count: Int { tracker.findings.count + tracker.furtherCount }

  /// Returns the warnings about the judged frames. If `isUnwanted` returns `true`, the causes of
  /// the remaining ranges are not searched.
  package func warnings(isUnwanted: @escaping () -> Bool = { false }) -> [Diagnostic] {
    scene.warnings(
      about: FlashFindings(
        ranges: tracker.findings, furtherCount: tracker.furtherCount,
        skippedCount: tracker.skippedCount), in: model,
      isUnwanted: isUnwanted)
  }
}

/// The compressed cells of drawn frames, so that an edit redraws only the frames that it changes.
/// Used by one thread.
package final class FlashCells {
  private static let greatestSize = 32 << 20

  /// The cells of a frame in a row: their luminance, then their saturated red.
  private struct Packed {
    let columns: Int
    let rows: Int
    let bytes: [UInt8]
  }

  private var known: [Int: Packed] = [:]
  private var size = 0

  package init() {}

  subscript(_ program: FrameProgram) -> FlashGrid? {
    get {
      guard let packed = known[program.hashValue] else { return nil }
      let count = packed.columns * packed.rows
      guard let cells = Deflate.expanded(packed.bytes[...], count: 2 * count) else { return nil }
      return FlashGrid(
        columns: packed.columns, rows: packed.rows, luminance: Array(cells[..<count]),
        red: Array(cells[count...]))
    }
    set {
      guard let newValue, let bytes = Deflate.compressed(newValue.luminance + newValue.red) else {
        return
      }
      if size + bytes.count > FlashCells.greatestSize { (known, size) = ([:], 0) }
      known[program.hashValue] = Packed(
        columns: newValue.columns, rows: newValue.rows, bytes: bytes)
      size += bytes.count
    }
  }
}
