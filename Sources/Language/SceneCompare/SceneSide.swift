// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneGraphics
package import SceneIR
import SceneLanguage
import SceneLower
package import SceneModel
package import SceneText

/// One of two versions of a scene.
package struct SceneSide {
  package let model: SceneModel
  package let record: SceneRecord
  package let sources: [SourceFile]
  private var lowerer: Lowerer
  /// The values of all nodes at the time of the last `seek`.
  private(set) var evaluator: Evaluator
  private var soundEvaluator: Evaluator
  private let metrics: any TextMetrics

  package init(
    _ model: SceneModel, record: SceneRecord, sources: [SourceFile], metrics: any TextMetrics
  ) {
    self.model = model
    self.record = record
    self.sources = sources
    self.metrics = metrics
    lowerer = Lowerer(model, metrics: metrics)
    evaluator = Evaluator(model.program, metrics: metrics)
    soundEvaluator = Evaluator(model.sound.program, metrics: metrics)
  }

  /// Returns the source text of a span.
  func text(_ span: SourceSpan) -> String { sources[Int(span.file.rawValue)].text(span) }

  /// Returns the program of a frame.
  package mutating func program(_ frame: Int) -> FrameProgram { lowerer.lower(frame: frame) }

  /// Returns the program at a time.
  mutating func program(at time: Ticks) -> FrameProgram { lowerer.lower(at: time) }

  /// Returns the fingerprints of all frames. Frames that cannot change are not lowered.
  mutating func fingerprints() -> [Fingerprint] {
    var prints: [Fingerprint] = []
    prints.reserveCapacity(model.frameCount)
    for (frame, moves) in DrawingSteps(model).mayMove.enumerated() {
      if !moves, let last = prints.last {
        prints.append(last)
      } else {
        prints.append(Fingerprint(lowerer.lower(frame: frame)))
      }
    }
    return prints
  }

  /// The state of an element in a frame, as far as it is drawn.
  struct State: Equatable {
    /// The ops in the element's own coordinates.
    var own: [DrawOp] = []
    var inFrame: [DrawOp] = []
    /// The opacities of the drawn parts, and their boxes in the frame.
    var opacities: [Double] = []
    var boxes: [Rect] = []

    /// The text that the element draws; `nil` if it draws none.
    var string: String? {
      var found: String?
      for case .text(let block, _, _, _) in own { found = (found ?? "") + block.string }
      return found
    }

    /// The digests of the image files that the element draws, by path.
    var images: [String: UInt64] {
      var found: [String: UInt64] = [:]
      for case .image(let image, _, _) in own { found[image.path] = image.digest }
      return found
    }
  }

  /// Evaluates all values of the scene at a time.
  mutating func seek(_ time: Ticks) { evaluator.evaluateAll(at: time) }

  /// Seeks a frame and returns the states of all elements that it draws, by index in the record.
  mutating func states(frame: Int) -> [Int: State] {
    seek(model.frameRate.time(ofFrame: frame))
    var states: [Int: State] = [:]
    for placement in lowerer.placements(frame: frame) {
      guard let index = record.element(of: placement.element) else { continue }
      states[index, default: State()].own += placement.ops
      states[index, default: State()].inFrame += placement.opsInFrame
      states[index, default: State()].opacities.append(lowerer.value(placement.element.opacity))
      states[index, default: State()].boxes.append(lowerer.box(of: placement))
    }
    return states
  }

  /// Returns whether an element is alive at the time of the last `seek`, by its own clock.
  func isAlive(_ index: Int) -> Bool {
    let element = record.elements[index]
    guard let start = element.start, let end = element.end else { return true }
    let time = evaluator(element.clock)
    return Double(start.rawValue) <= time && time < Double(end.rawValue)
  }

  /// Returns the voices of an element, in the order of their starts.
  mutating func voices(of index: Int) -> [SeenVoice] {
    record.elements[index].voices.compactMap { voice in
      model.sound.voices.indices.contains(voice)
        ? SeenVoice(model.sound.voices[voice], &soundEvaluator) : nil
    }
  }

  /// Returns the voices of the scene's mix, or of the mix with audio descriptions.
  func voices(isDescribed: Bool) -> [SeenVoice] {
    guard let sound = isDescribed ? model.descriptions?.sound : model.sound else { return [] }
    var evaluator = Evaluator(sound.program, metrics: metrics)
    return sound.voices.map { SeenVoice($0, &evaluator) }
  }

  /// Returns an element and its ancestors.
  func lineage(_ index: Int) -> [Int] {
    var found: [Int] = []
    var next: Int? = index
    while let index = next {
      found.append(index)
      next = record.elements[index].parent
    }
    return found
  }
}

/// A value of a property in a frame.
struct SeenValue {
  /// The value as text.
  let text: String
  /// All numbers of the value.
  let numbers: [Double]
  /// The expression in the source, with runs of whitespace collapsed.
  let source: String
  /// Whether the value varies with time.
  let isAnimated: Bool

  init(_ property: SceneRecord.Property, in side: SceneSide) {
    let written = side.text(property.value).split(whereSeparator: \.isWhitespace).joined(
      separator: " ")
    source = written
    isAnimated = property.scalars.contains { $0.constantValue == nil }
    let value = { side.evaluator($0) }
    numbers = property.scalars.map(value)
    let isColor = [.color, .paint].contains(property.type)
    if isColor, numbers.count == 4 {
      text =
        Color(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3])
        .clamped.hexDescription
    } else if !property.numbers.isEmpty {
      let parts = property.numbers.map { number in
        SeenValue.text(
          value(number.own), share: number.share.map(value), property.type)
      }
      text = parts.count == 1 ? parts[0] : "(" + parts.joined(separator: ", ") + ")"
    } else {
      text = written.count > 60 ? written.prefix(59) + "…" : written
    }
  }

  private static func text(_ own: Double, share: Double?, _ type: PropertyType?) -> String {
    func rounded(_ number: Double) -> String {
      NumberFormat().text((number * 1000).rounded() / 1000)
    }
    let unit = type == .time ? "s" : type == .angle || type == .angles ? "deg" : ""
    let scaled = type == .time ? own / Double(Ticks.perSecond) : own
    guard let share else { return rounded(scaled) + unit }
    let percent = rounded(share * 100) + "%"
    return own == 0 ? percent : "\(percent) + \(rounded(scaled))"
  }
}
