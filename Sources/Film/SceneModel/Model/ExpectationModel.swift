// SPDX-License-Identifier: MIT
package import SceneText

/// The expectations of a scene: conditions on its finished video, which draw nothing.
package struct ExpectationsModel: Hashable, Sendable {
  package var list: [ExpectationModel] = []
  /// The measurements that conditions read (`Operation.measured`), by number.
  package var measurements: [Measurement] = []
  /// The elements that conditions name, by number.
  package var subjects: [ExpectationSubject] = []
  /// The program of the model, followed by the nodes of the conditions.
  package var program = Program()

  package init() {}
}

/// An element that a condition names.
package struct ExpectationSubject: Hashable, Sendable {
  package let name: String
  /// The child indices that lead to the element in the model; several for a clip in transitions,
  /// and none for an element that is never drawn.
  package let trails: [[Int]]
  /// Whether the trails lead to everything that the element draws; `false` beyond a limit.
  package let isComplete: Bool

  package init(name: String, trails: [[Int]], isComplete: Bool = true) {
    self.name = name
    self.trails = trails
    self.isComplete = isComplete
  }
}

/// An `expect` of a scene.
package struct ExpectationModel: Hashable, Sendable {
  package let name: String?
  package let span: SourceSpan
  /// The conditions must hold in the frames with `start <= time < end`.
  package let start: Ticks
  package let end: Ticks
  package let conditions: [Condition]
  package let goldens: [Golden]
  /// The permitted difference of a channel in most pixels of golden frames, from 0 to 255.
  package let tolerance: Double

  package init(
    name: String?, span: SourceSpan, start: Ticks, end: Ticks, conditions: [Condition],
    goldens: [Golden] = [], tolerance: Double = 0
  ) {
    self.goldens = goldens
    self.tolerance = tolerance
    self.name = name
    self.span = span
    self.start = start
    self.end = end
    self.conditions = conditions
  }

  /// A frame that must equal a stored image.
  package struct Golden: Hashable, Sendable {
    /// The name of the image without its extension. Frames of a scene at different times have
    /// different names.
    package let name: String
    package let time: Ticks
    package let span: SourceSpan

    package init(name: String, time: Ticks, span: SourceSpan) {
      self.name = name
      self.time = time
      self.span = span
    }
  }

  /// A condition of an expectation.
  package struct Condition: Hashable, Sendable {
    package let span: SourceSpan
    /// The condition in the source.
    package let text: String
    package let truth: Scalar
    /// The operands of a comparison, or the condition itself.
    package let operands: [Operand]
    /// The numbers of the elements that must all be alive.
    package let subjects: [Int]
    /// Lists of elements, by number; at least one element of each list must be alive.
    package let lists: [[Int]]

    package init(
      span: SourceSpan, text: String, truth: Scalar, operands: [Operand], subjects: [Int],
      lists: [[Int]]
    ) {
      self.span = span
      self.text = text
      self.truth = truth
      self.operands = operands
      self.subjects = subjects
      self.lists = lists
    }
  }

  /// An operand of a comparison.
  package struct Operand: Hashable, Sendable {
    package let text: String
    package let value: TextExpression

    package init(text: String, value: TextExpression) {
      self.text = text
      self.value = value
    }
  }
}

/// A property of the finished video that a condition reads. Elements are identified by their index
/// among the subjects.
package enum Measurement: Hashable, Sendable {
  case inside(Int, Area)
  case overlaps(Int, Int)
  case apart([Int])
  case contrast(Int)
  case opacity(Int)
  case covered(Int)
  case readable(Int)
  case still(Int)
  /// The integrated loudness of an interval of the mix.
  case loudness(from: Ticks, to: Ticks)
  case peak
  case flashes

  /// An area of the frame.
  package enum Area: Hashable, Sendable {
    /// The frame without a margin, which is a fraction of its width and height.
    case frame(margin: Double, name: String)
    case box(Int)
  }

  /// Whether the measurement requires the drawn frames or the mix.
  package var isOfMedia: Bool {
    switch self {
    case .loudness, .peak, .flashes: true
    default: false
    }
  }

  /// Whether the value is that of a whole interval instead of one frame.
  package var isOfInterval: Bool {
    switch self {
    case .readable, .still: true
    default: isOfMedia
    }
  }

  /// Whether the value depends on all elements of the scene.
  package var readsScene: Bool {
    switch self {
    case .contrast, .covered: true
    default: false
    }
  }

  /// The numbers of the measured elements.
  package var subjects: [Int] {
    switch self {
    case .inside(let a, .box(let b)), .overlaps(let a, let b): [a, b]
    case .inside(let a, .frame), .contrast(let a), .opacity(let a), .covered(let a),
      .readable(let a), .still(let a):
      [a]
    case .apart(let list): list
    case .loudness, .peak, .flashes: []
    }
  }
}
