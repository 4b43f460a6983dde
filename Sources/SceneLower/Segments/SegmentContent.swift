// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// What pictures follow from beside the model. Equal texts mean equal things.
package protocol Surroundings {
  /// The faces that the glyphs of a text come from; with `wholeFamilies` all faces of their families.
  func faces(of block: TextBlock, wholeFamilies: Bool) -> [String]
  /// What decodes an image, and what it may read for that.
  func decoder(of image: ImageReference) -> [String]
}

/// What the pictures of a segment follow from, as bytes: equal ones mean equal pictures.
///
/// It is the slice of the model that the segment shows. Times count from its first frame, and what
/// rests in it is written as its value, so that a stretch that is only moved in time, or only what
/// happens before it, changes nothing. What reads the time of the film as it is takes that in.
package struct SegmentContent {
  private let model: SceneModel
  private let size: PixelSize
  private let changes: Changes
  private var evaluator: Evaluator
  private let surroundings: any Surroundings

  package init(
    _ model: SceneModel, metrics: any TextMetrics, size: PixelSize,
    _ surroundings: any Surroundings
  ) {
    self.model = model
    self.size = size
    self.surroundings = surroundings
    changes = Changes(of: model.program, within: 0..<max(0, model.duration.rawValue))
    evaluator = Evaluator(model.program, metrics: metrics)
  }

  /// What pictures follow from.
  package struct Content {
    /// What the scene says.
    package let scene: [UInt8]
    /// What is around it on this machine: fonts, decoders.
    package let surroundings: [UInt8]
  }

  package mutating func content(of segment: Segment) throws -> Content {
    let time = model.times(of: segment.frames)
    let begin = model.frameRate.time(ofFrame: segment.frames.lowerBound)
    evaluator.evaluate(at: begin)
    let numbers = NumberWriter(
      program: model.program, changes: changes, evaluator: evaluator, begin: begin.rawValue,
      time: time)
    var around: Set<String> = []
    let now = self
    let encoder = CanonicalEncoder(
      noteText: { around.formUnion(now.faces(of: $0, numbers)) },
      noteImage: { around.formUnion(now.surroundings.decoder(of: $0)) },
      { scalar, encoder in try numbers.write(scalar, encoder) })
    try encoder.encode(size)
    try encoder.encode(model.size)
    encoder.write(segment.frames.count)
    try encoder.encode(segment.isStill)
    try writeClock(segment, begin, encoder)
    try encoder.encode(model.background)
    try write(model.elements, begin, time, encoder)
    let words = CanonicalEncoder()
    for text in around.sorted() { words.write(text) }
    return Content(scene: encoder.bytes, surroundings: words.bytes)
  }

  /// What the glyphs of a text come from: exactly, or more than that where it changes.
  private func faces(of text: TextModel, _ numbers: NumberWriter) -> [String] {
    if numbers.rests(text) {
      return surroundings.faces(of: evaluator.block(text), wholeFamilies: false)
    }
    let runs = text.runs.map { run in
      TextRun(
        run.text.everyCharacter, font: FontSpec(families: run.families, size: 32),
        features: run.features, language: run.language)
    }
    return surroundings.faces(
      of: TextBlock(runs: runs, direction: text.direction), wholeFamilies: true)
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

extension TextExpression {
  /// All characters that it shows at some time, and more.
  fileprivate var everyCharacter: String {
    switch self {
    case .literal(let text): text
    case .number(_, let format):
      "0123456789+-.?∞" + NumberFormat.minusSign + (format.minus ?? "") + format.group
        + format.clock
        + format.suffix
    case .join(let parts): parts.map(\.everyCharacter).joined()
    case .choose(_, let a, let b), .typed(let a, let b, _): a.everyCharacter + b.everyCharacter
    }
  }
}
