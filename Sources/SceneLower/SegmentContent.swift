// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel

/// What the pictures of a segment follow from, as bytes: equal bytes mean equal pictures.
///
/// It is the slice of the model that the segment shows. Times count from its first frame, and what
/// rests in it is written as its value, so that a stretch that is only moved in time, or only what
/// happens before it, changes nothing. What reads the time of the film as it is takes that in.
package struct SegmentContent {
  private let model: SceneModel
  private let size: PixelSize
  private let changes: Changes
  private var evaluator: Evaluator

  package init(_ model: SceneModel, metrics: any TextMetrics, size: PixelSize) {
    self.model = model
    self.size = size
    changes = Changes(of: model.program, within: 0..<max(0, model.duration.rawValue))
    evaluator = Evaluator(model.program, metrics: metrics)
  }

  package mutating func bytes(of segment: Segment) throws -> [UInt8] {
    let time = model.times(of: segment.frames)
    let begin = model.frameRate.time(ofFrame: segment.frames.lowerBound)
    evaluator.evaluate(at: begin)
    let numbers = NumberWriter(
      program: model.program, changes: changes, evaluator: evaluator, begin: begin.rawValue,
      time: time)
    let encoder = CanonicalEncoder { scalar, encoder in try numbers.write(scalar, encoder) }
    try encoder.encode(size)
    try encoder.encode(model.size)
    encoder.write(segment.frames.count)
    try encoder.encode(segment.isStill)
    try writeClock(segment, begin, encoder)
    try encoder.encode(model.background)
    try write(model.elements, begin, time, encoder)
    return encoder.bytes
  }

  /// What else tells the times at which the segment is drawn.
  private func writeClock(_ segment: Segment, _ begin: Ticks, _ encoder: CanonicalEncoder) throws {
    encoder.write(model.frameRate.numerator)
    encoder.write(model.frameRate.denominator)
    // Where frames are no whole number of ticks long, they are rounded by their place in the film.
    let isEven = (Ticks.perSecond * model.frameRate.denominator) % model.frameRate.numerator == 0
    if !isEven { encoder.write(segment.frames.lowerBound) }
    if let blur = model.motionBlur {
      try encoder.encode(blur)
      // The shutter sees nothing before the film and behind it.
      encoder.write(min(segment.frames.lowerBound, 1))
      encoder.write(min(model.frameCount - segment.frames.upperBound, 1))
      if segment.frames.upperBound >= model.frameCount - 1 {
        encoder.write(model.duration.rawValue - begin.rawValue)
      }
    }
  }

  /// The elements that are alive in a time, each with its life as far as that is in it.
  private func write(
    _ elements: [ElementModel], _ begin: Ticks, _ time: ClosedRange<Int64>,
    _ encoder: CanonicalEncoder
  ) throws {
    for element in elements
    where element.start.rawValue <= time.upperBound && element.end.rawValue > time.lowerBound {
      if element.visible == .zero || element.opacity == .zero { continue }
      try encoder.encode(true)
      let (start, end) = (element.start.rawValue, element.end.rawValue)
      encoder.write(start <= time.lowerBound ? .min : start - begin.rawValue)
      encoder.write(end > time.upperBound ? .max : end - begin.rawValue)
      // What never changes is drawn as a layer of its own.
      encoder.write(element.isStatic ? element.drawingCount : 0)
      try encoder.encode(element.transform)
      try encoder.encode(element.content)
      for scalar in [element.opacity, element.visible, element.z] { try encoder.encode(scalar) }
      try encoder.encode(element.drawing)
      try encoder.encode(element.style)
      try write(element.children, begin, time, encoder)
      try write(element.style.mask?.elements ?? [], begin, time, encoder)
    }
    try encoder.encode(false)
  }
}

extension SceneModel {
  /// All times that these frames show.
  fileprivate func times(of frames: Range<Int>) -> ClosedRange<Int64> {
    let first = frameRate.time(ofFrame: frames.lowerBound).rawValue - halfShutter
    // Clips look a quarter of a frame ahead, to see which way they play.
    let ahead = max(halfShutter, Int64(frameRate.frameTicks / 4))
    let last = frameRate.time(ofFrame: frames.upperBound - 1).rawValue + ahead
    return first...max(first, last)
  }
}
