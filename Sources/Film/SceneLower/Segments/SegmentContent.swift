// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
package import SceneModel

/// The inputs of frames beyond the model. Equal strings denote equal inputs.
package protocol Surroundings {
  /// Returns the font faces of a text's glyphs; with `wholeFamilies`, all faces of their families.
  func faces(of block: TextBlock, wholeFamilies: Bool) -> [String]
  /// Returns the decoder of an image, and the files that the decoder may read.
  func decoder(of image: ImageReference) -> [String]
}

/// The inputs of a segment's frames as bytes. Equal bytes imply equal frames.
///
/// The bytes encode the part of the model that the segment shows. Times are relative to the
/// segment's first frame, and numbers that are constant in the segment are encoded as values.
/// Moving a segment in time or editing earlier parts of the scene therefore does not change the
/// bytes. Computations that depend on absolute time include that time.
package struct SegmentContent {
  private let model: SceneModel
  private let size: PixelSize
  private let changes: Changes
  private var evaluator: Evaluator
  private let surroundings: any Surroundings
  /// The parts of the elements of `model` that are the same in all segments.
  private let constants = ConstantParts()

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

  /// The inputs of a segment's frames.
  package struct Content {
    /// The encoded part of the scene.
    package let scene: [UInt8]
    /// The inputs from this machine: fonts and decoders.
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
    var isComputed = false
    let now = self
    let encoder = CanonicalEncoder(
      noteText: { around.formUnion(now.faces(of: $0, numbers)) },
      noteImage: { around.formUnion(now.surroundings.decoder(of: $0)) },
      { scalar, encoder in
        if scalar.constantValue == nil { isComputed = true }
        try numbers.write(scalar, encoder)
      })
    constants.begin()
    /// Encodes a part of an element with `encode`, or copies it if it is constant and known.
    func writePart(
      _ part: ConstantParts.Part, of element: ElementModel, _ encode: () throws -> Void
    ) throws {
      if let known = constants[part, of: element] {
        encoder.write(encoded: known.bytes)
        around.formUnion(known.surroundings)
        return
      }
      let start = encoder.bytes.count
      var outer: Set<String> = []
      swap(&outer, &around)
      isComputed = false
      try encode()
      if !isComputed {
        constants[part, of: element] = ConstantParts.Encoded(
          bytes: Array(encoder.bytes[start...]), surroundings: around)
      }
      swap(&outer, &around)
      around.formUnion(outer)
    }
    try encoder.encode(size)
    try encoder.encode(model.size)
    encoder.write(segment.frames.count)
    try encoder.encode(segment.isStill)
    try writeClock(of: segment, begin: begin, to: encoder)
    try encoder.encode(model.background)
    try encoder.encode(model.perspective)
    try write(model.elements, begin: begin, time: time, to: encoder, part: writePart)
    let words = CanonicalEncoder()
    for text in around.sorted() { words.write(text) }
    return Content(scene: encoder.bytes, surroundings: words.bytes)
  }

  /// Returns the font faces of a text: the exact ones if the text is constant, else a superset.
  private func faces(of text: TextModel, _ numbers: NumberWriter) -> [String] {
    if numbers.rests(text) {
      return surroundings.faces(of: evaluator.block(text), wholeFamilies: false)
    }
    let runs = text.runs.flatMap { run in
      [run.families, run.axes.displayFamilies].filter { !$0.isEmpty }.map { families in
        TextRun(
          run.text.everyCharacter, font: FontSpec(families: families, size: 32),
          features: run.features, language: run.language)
      }
    }
    return surroundings.faces(
      of: TextBlock(runs: runs, direction: text.direction), wholeFamilies: true)
  }

  /// Encodes the remaining inputs that depend on the times of the segment.
  private func writeClock(of segment: Segment, begin: Ticks, to encoder: CanonicalEncoder) throws {
    encoder.write(model.frameRate.numerator)
    encoder.write(model.frameRate.denominator)
    // If the frame duration is not a whole number of ticks, rounding depends on the absolute frame
    // number.
    let isEven = (Ticks.perSecond * model.frameRate.denominator) % model.frameRate.numerator == 0
    if !isEven { encoder.write(segment.frames.lowerBound) }
    if let blur = model.motionBlur {
      try encoder.encode(blur)
      // The shutter does not extend beyond the start and end of the video.
      encoder.write(min(segment.frames.lowerBound, 1))
      encoder.write(min(model.frameCount - segment.frames.upperBound, 1))
      if segment.frames.upperBound >= model.frameCount - 1 {
        encoder.write(model.duration.rawValue - begin.rawValue)
      }
    }
  }

  /// Encodes a part of an element by calling the closure, or by copying known bytes.
  private typealias WritePart =
    (ConstantParts.Part, ElementModel, () throws -> Void) throws -> Void

  /// Encodes the elements that are alive in an interval, with their lifetimes clipped to it.
  private func write(
    _ elements: [ElementModel], begin: Ticks, time: ClosedRange<Int64>,
    to encoder: CanonicalEncoder, part: WritePart
  ) throws {
    for element in elements
    where element.start.rawValue <= time.upperBound && element.end.rawValue > time.lowerBound {
      if element.visible == .zero || element.opacity == .zero { continue }
      if element.isBetweenCaptions(in: time) { continue }
      try encoder.encode(true)
      let (start, end) = (element.start.rawValue, element.end.rawValue)
      encoder.write(start <= time.lowerBound ? .min : start - begin.rawValue)
      encoder.write(end > time.upperBound ? .max : end - begin.rawValue)
      // A static element is drawn as a layer, depending on its number of drawings.
      encoder.write(element.isStatic ? element.drawingCount : 0)
      try part(.transform, element) { try encoder.encode(element.transform) }
      try part(.settings, element) {
        try encoder.encode(element.content)
        try encoder.encode(element.depth)
        try encoder.encode(element.perspective)
        try encoder.encode(element.rough)
        try encoder.encode(element.lineBoxes)
        for scalar in [element.opacity, element.visible, element.z] { try encoder.encode(scalar) }
      }
      try part(.drawing, element) { try encoder.encode(element.drawing) }
      try part(.style, element) { try encoder.encode(element.style) }
      for inner in [element.children, element.style.mask?.elements ?? []] {
        try write(inner, begin: begin, time: time, to: encoder, part: part)
      }
    }
    try encoder.encode(false)
  }
}

extension SceneModel {
  /// Returns the times that frames depend on.
  fileprivate func times(of frames: Range<Int>) -> ClosedRange<Int64> {
    let first = frameRate.time(ofFrame: frames.lowerBound).rawValue - halfShutter
    // Clips look ahead by a quarter of a frame to detect the direction of playback.
    let ahead = max(halfShutter, Int64(frameRate.frameTicks / 4))
    let last = frameRate.time(ofFrame: frames.upperBound - 1).rawValue + ahead
    return first...max(first, last)
  }
}

extension TextExpression {
  /// A superset of the characters that the text shows at any time.
  fileprivate var everyCharacter: String {
    switch self {
    case .literal(let text): text
    case .number(_, let format):
      "0123456789+-.e?∞" + NumberFormat.minusSign + (format.minus ?? "") + format.group
        + format.clock
        + format.suffix
    case .join(let parts): parts.map(\.everyCharacter).joined()
    case .choose(_, let a, let b), .typed(let a, let b, _): a.everyCharacter + b.everyCharacter
    }
  }
}
