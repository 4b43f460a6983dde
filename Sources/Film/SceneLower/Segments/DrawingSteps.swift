// SPDX-License-Identifier: MIT
import SceneIR
package import SceneModel

/// The differences between consecutive frames of a scene, as far as they follow from the model
/// without lowering a frame.
package struct DrawingSteps: Sendable {
  /// Whether each frame may differ from the previous one. `false` is certain.
  package private(set) var mayMove: [Bool]
  /// The number of drawings that appear or disappear in each frame.
  package private(set) var seams: [Int]
  /// A hash of the drawings that appear or disappear in each frame, independent of the frame's
  /// position in the video.
  package private(set) var marks: [UInt64]
  /// The frames at which the decoder of the only live clip can start without decoding earlier
  /// frames.
  package private(set) var keys: Set<Int> = []

  package init(_ model: SceneModel) {
    var reader = Reader(model)
    model.background?.forEachScalar { reader.note($0, within: reader.whole) }
    model.perspective?.forEachScalar { reader.note($0, within: reader.whole) }
    reader.visit(model.elements, within: reader.whole)
    seams = reader.seams
    marks = reader.marks
    keys = ClipLives(model).keyFrames(count: model.frameCount)
    var open = 0
    mayMove = reader.edges.dropLast().map { edge in
      open += edge
      return open > 0
    }
  }

  /// Creates steps for synthetic scenes.
  package init(mayMove: [Bool], seams: [Int], marks: [UInt64]? = nil, keys: Set<Int> = []) {
    (self.mayMove, self.seams, self.keys) = (mayMove, seams, keys)
    self.marks = marks ?? seams.map { _ in 0 }
  }

  private struct Reader {
    private let rate: FrameRate
    private let frameCount: Int
    private let changes: Changes
    private let shutter: Int64
    let whole: Range<Int64>
    var seams: [Int]
    var marks: [UInt64]
    /// The number of intervals of change that begin with each frame minus the number that ended
    /// before it.
    var edges: [Int]

    init(_ model: SceneModel) {
      rate = model.frameRate
      frameCount = model.frameCount
      whole = 0..<max(0, model.duration.rawValue)
      changes = Changes(of: model.program, within: whole)
      shutter = model.halfShutter
      seams = Array(repeating: 0, count: frameCount)
      marks = Array(repeating: 0, count: frameCount)
      edges = Array(repeating: 0, count: frameCount + 1)
    }

    mutating func visit(_ elements: [ElementModel], within around: Range<Int64>) {
      for element in elements {
        let life = around.clamped(
          to: element.start.rawValue..<max(element.start.rawValue, element.end.rawValue))
        // Skip elements that are never visible.
        if life.isEmpty || element.visible == .zero || element.opacity == .zero { continue }
        var mark = Mark(element.drawing)
        element.forEachScalar { scalar in
          if case .constant(let value) = scalar { mark.add(value.bitPattern) }
          note(scalar, within: life)
        }
        if !element.drawing.isNothing {
          for end in [life.lowerBound, life.upperBound] where whole.contains(end) && end > 0 {
            noteSeam(at: end, drawings: 1, mark)
            note((end - 1)..<end)
          }
        }
        if element.visible.constantValue == nil { noteJumps(of: element, within: life, mark) }
        visit(element.children, within: life)
        if !element.isPlain, let mask = element.style.mask { visit(mask.elements, within: life) }
      }
    }

    /// Records seams for elements whose visibility switches within one frame; all descendants
    /// appear or disappear as well.
    private mutating func noteJumps(
      of element: ElementModel, within life: Range<Int64>, _ mark: Mark
    ) {
      for change in changes(element.visible).clamped(to: life).ranges {
        let frames = frames(of: change)
        if frames.count == 1 {
          noteSeam(at: change.upperBound, drawings: element.drawingCount, mark)
        }
      }
    }

    private mutating func noteSeam(at time: Int64, drawings: Int, _ mark: Mark) {
      let frame = rate.frame(atOrAfter: Ticks(time))
      guard frame > 0, frame < frameCount else { return }
      seams[frame] += drawings
      marks[frame] &+= mark.value
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

    /// Returns the frames that may differ from the previous frame due to a change.
    private func frames(of change: Range<Int64>) -> Range<Int> {
      let first = rate.frame(atOrAfter: Ticks(change.lowerBound - shutter + 1))
      let last = rate.frame(atOrAfter: Ticks(change.upperBound + shutter))
      let end = min(last + 1, frameCount)
      return min(max(1, first), end)..<max(end, 0)
    }
  }
}

/// A hash of the constant parts of a drawing, which distinguishes most drawings.
private struct Mark {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  init(_ drawing: ElementModel.Drawing) {
    switch drawing {
    case .text(let text, _, _, _): for run in text.runs { add(run.text) }
    case .image(let images, _, _, _): add(images.first?.digest ?? 0)
    case .clip(let clip, _, _): add(clip.digest.low)
    case .nothing, .outline, .arrow, .particles: break
    }
  }

  private mutating func add(_ text: TextExpression) {
    switch text {
    case .literal(let text): for byte in text.utf8 { add(UInt64(byte)) }
    case .number(let number, _): add(number.constantValue?.bitPattern ?? 0)
    case .join(let parts): for part in parts { add(part) }
    case .choose(_, let a, let b), .typed(let a, let b, _):
      add(a)
      add(b)
    }
  }

  mutating func add(_ bits: UInt64) {
    value = (value ^ bits) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }
}
