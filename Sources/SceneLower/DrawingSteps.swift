// SPDX-License-Identifier: MIT
package import SceneModel

/// How each frame of a scene stands to the one before it, as far as the model alone says: no frame
/// is lowered.
package struct DrawingSteps: Sendable {
  /// For each frame whether it may differ from the one before. What is false here is certain.
  package private(set) var mayMove: [Bool]
  /// For each frame how many drawings come or go with it.
  package private(set) var seams: [Int]
  /// Frames at which the decoder of the only clip that is there can begin without a detour.
  package private(set) var keys: Set<Int> = []

  package init(_ model: SceneModel) {
    var reader = Reader(model)
    model.background?.forEachScalar { reader.note($0, within: reader.whole) }
    reader.visit(model.elements, within: reader.whole)
    seams = reader.seams
    keys = ClipLives(model).keyFrames(count: model.frameCount)
    var open = 0
    mayMove = reader.edges.dropLast().map { edge in
      open += edge
      return open > 0
    }
  }

  /// For scenes that are made up.
  package init(mayMove: [Bool], seams: [Int], keys: Set<Int> = []) {
    (self.mayMove, self.seams, self.keys) = (mayMove, seams, keys)
  }

  private struct Reader {
    private let rate: FrameRate
    private let frameCount: Int
    private let changes: Changes
    private let shutter: Int64
    let whole: Range<Int64>
    var seams: [Int]
    /// For each frame how many stretches of change begin with it, less those that ended before it.
    var edges: [Int]

    init(_ model: SceneModel) {
      rate = model.frameRate
      frameCount = model.frameCount
      whole = 0..<max(0, model.duration.rawValue)
      changes = Changes(of: model.program, within: whole)
      shutter = model.halfShutter
      seams = Array(repeating: 0, count: frameCount)
      edges = Array(repeating: 0, count: frameCount + 1)
    }

    mutating func visit(_ elements: [ElementModel], within around: Range<Int64>) {
      for element in elements {
        let life = around.clamped(
          to: element.start.rawValue..<max(element.start.rawValue, element.end.rawValue))
        // What is never seen.
        if life.isEmpty || element.visible == .zero || element.opacity == .zero { continue }
        if element.drawing != .nothing {
          for end in [life.lowerBound, life.upperBound] where whole.contains(end) && end > 0 {
            noteSeam(at: end, drawings: 1)
            note((end - 1)..<end)
          }
        }
        if element.visible.constantValue == nil { noteJumps(of: element, within: life) }
        element.forEachScalar { note($0, within: life) }
        visit(element.children, within: life)
        if let mask = element.style.mask { visit(mask.elements, within: life) }
      }
    }

    /// What is shown or hidden at once comes or goes with all that is in it.
    private mutating func noteJumps(of element: ElementModel, within life: Range<Int64>) {
      for change in changes(element.visible).clamped(to: life).ranges {
        let frames = frames(of: change)
        if frames.count == 1 { noteSeam(at: change.upperBound, drawings: element.drawingCount) }
      }
    }

    private mutating func noteSeam(at time: Int64, drawings: Int) {
      let frame = rate.frame(atOrAfter: Ticks(time))
      if frame > 0, frame < frameCount { seams[frame] += drawings }
    }

    mutating func note(_ scalar: Scalar, within life: Range<Int64>) {
      if case .constant = scalar { return }
      for change in changes(scalar).clamped(to: life).ranges { note(change) }
    }

    private mutating func note(_ change: Range<Int64>) {
      let frames = frames(of: change)
      edges[frames.lowerBound] += 1
      edges[frames.upperBound] -= 1
    }

    /// The frames that may differ from the one before by a change.
    private func frames(of change: Range<Int64>) -> Range<Int> {
      let first = rate.frame(atOrAfter: Ticks(change.lowerBound - shutter + 1))
      let last = rate.frame(atOrAfter: Ticks(change.upperBound + shutter))
      let end = min(last + 1, frameCount)
      return min(max(1, first), end)..<max(end, 0)
    }
  }
}
