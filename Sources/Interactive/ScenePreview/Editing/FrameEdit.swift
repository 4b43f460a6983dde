// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneJSON
import SceneLanguage
import SceneModel
import ScenePlayhead
import SceneSession
import SceneText

/// A new value of a property in one frame, requested by a page. The server finds the key, leg or
/// literal that determines the frame.
struct FrameEdit: Sendable {
  /// The requested value.
  enum Wanted: Sendable {
    /// The element moved by pixels of the frame. A point that the pointer holds follows it exactly.
    /// In perspective, where points move by different distances, `mark` is the point that moves by
    /// these pixels; by default, it is the center of the element.
    case moved(Point, holding: Point?, mark: Point?)
    /// The numbers of the value, in the unit in which the inspector shows them.
    case value([Double])
    /// The current value at a new key, or the value of another frame.
    case key(like: Int?)
    /// The removal of the key at the playhead.
    case noKey
    /// The easing of the motion at the playhead.
    case eased(String)
    case keys(KeyChange)
    case resized(Pull)
    /// The element rotated from the direction of one point of the frame to that of another one.
    case turned(Turn)
    /// The property, a rotation, increased by degrees.
    case spun(Double, snaps: Bool)
    /// The pivot moved by pixels of the frame, with the element in place.
    case pivoted(Point)
  }

  /// A handle of the box, moved by pixels of the frame.
  struct Pull: Sendable {
    /// The sides that the handle moves: -1 for left and top, 1 for right and bottom, 0 for neither.
    let handle: Point
    let by: Point
    let keepsAspect: Bool
    /// Whether the center stays in place instead of the opposite side.
    let isCentered: Bool
  }

  struct Turn: Sendable {
    let from, to: Point
    /// The angle on the screen in degrees, which determines the number of full turns.
    let near: Double
    /// Whether the new angle is a multiple of 15 degrees.
    let snaps: Bool
  }

  let key: String
  /// The index of the element among the rounds of a loop.
  let round: Int
  let frame: Int
  let property: Property
  let scope: Scope
  let wanted: Wanted
  /// Whether the value is written without rounding to the resolution of the frame, for example for
  /// steps with the arrow keys.
  let isExact: Bool

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let frame = json["n"].int,
      let property = json["edit"].string.flatMap(Property.named),
      let scope = Scope(rawValue: json["scope"].string ?? Scope.key.rawValue)
    else { throw Refusal("message", "an edit requires 'key', 'edit', 'n' and a known 'scope'") }
    (self.key, self.frame, self.property, self.scope) = (key, frame, property, scope)
    round = json["round"].int ?? 0
    isExact = json["exact"].bool ?? !json["to"].isNull
    let to = json["to"].array.compactMap(\.number)
    if !json["keys"].isNull || !json["curve"].isNull {
      wanted = .keys(try KeyChange(json))
    } else if let pull = FrameEdit.pair(json["pull"]), let by = FrameEdit.pair(json["by"]) {
      guard property == .size, [pull.x, pull.y].allSatisfy([-1, 0, 1].contains), pull != .zero
      else { throw Refusal("message", "unsupported handle") }
      wanted = .resized(
        Pull(
          handle: pull, by: by, keepsAspect: json["aspect"].bool ?? false,
          isCentered: json["center"].bool ?? false))
    } else if let from = FrameEdit.pair(json["turn"][0]), let to = FrameEdit.pair(json["turn"][1]),
      property == .rotate, case let near = json["near"].number ?? 0, abs(near) < 1e6
    {
      wanted = .turned(
        Turn(
          from: from, to: to, near: near, snaps: json["snap"].bool ?? false))
    } else if let degrees = json["about"].number, abs(degrees) < 1e6,
      [.rotate, .rotateX, .rotateY].contains(property)
    {
      wanted = .spun(degrees, snaps: json["snap"].bool ?? false)
    } else if let by = FrameEdit.pair(json["by"]), property == .position {
      wanted = .moved(
        by, holding: FrameEdit.pair(json["from"]), mark: FrameEdit.pair(json["mark"]))
    } else if let by = FrameEdit.pair(json["by"]), property == .pivot {
      wanted = .pivoted(by)
    } else if (1...2).contains(to.count), to.allSatisfy({ abs($0) < 1e12 }) {
      wanted = .value(to)
    } else if let easing = json["ease"].string {
      guard Easing.named[easing] != nil else { throw Refusal("message", "unknown easing") }
      wanted = .eased(easing)
    } else if ["by", "to", "turn", "about", "pull"].allSatisfy({ json[$0].isNull }) {
      wanted = json["drop"].bool == true ? .noKey : .key(like: json["like"].int)
    } else {
      throw Refusal("message", "unsupported value")
    }
  }

  private static func pair(_ json: JSON) -> Point? {
    let numbers = json.array.compactMap(\.number)
    guard numbers.count == 2, numbers.allSatisfy({ $0.isFinite && abs($0) < 1e7 }) else {
      return nil
    }
    return Point(numbers[0], numbers[1])
  }

  /// The text of an edit, and the conditions that the new scene must meet.
  struct Result {
    let text: TextEdit
    let edit: FrameEdit
    /// The index of the element in the record.
    let element: Int
    let checks: [FrameCheck]
    /// The number of elements whose values change.
    let uses: Int

    /// The edited part, such as "key at 2s", with the number of elements that it changes.
    var place: String { uses > 1 ? "\(text.place), changes \(uses) elements" : text.place }

    /// Returns the reason that a scene does not meet the conditions; `nil` if it meets them.
    func failure(in scene: LoadedScene) -> String? {
      guard let model = scene.model, !checks.isEmpty,
        var answer = ElementAnswer(
          Revision("", base: "", number: 0, scene: scene, model: model), element: element,
          isReadOnly: true, parses: false)
      else { return nil }
      answer.evaluator.evaluateAll(at: model.frameRate.time(ofFrame: edit.frame))
      return checks.first { !$0.isMet(by: answer) }?.reason
    }
  }
}

extension ElementAnswer {
  /// Returns the changes of the source for an edit, and the conditions that the new scene must
  /// meet.
  mutating func resolved(_ wanted: FrameEdit, index: Int) throws(Refusal) -> FrameEdit.Result {
    guard (0..<model.frameCount).contains(wanted.frame) else { throw .gone }
    evaluator.evaluateAll(at: model.frameRate.time(ofFrame: wanted.frame))
    let draft: Draft
    switch wanted.wanted {
    case .moved(let by, let point, let mark):
      var held = point ?? (isInPerspective ? mark : nil)
      if held == nil, isInPerspective { held = try center() }
      draft = try moved(by, holding: held, wanted)
    case .resized(let pull): draft = try resized(pull, wanted)
    case .turned(let turn): draft = try turned(turn, wanted)
    case .spun(let degrees, let snaps): draft = try spun(degrees, snaps: snaps, wanted)
    case .pivoted(let by): draft = try pivoted(by, wanted)
    case .keys(let change): draft = try keyed(change, wanted)
    case .value, .key, .noKey, .eased:
      guard let property = own(wanted.property) else {
        throw Refusal("fixed", "the element has no '\(wanted.property.name)'")
      }
      var made = Draft()
      var by = try shift(of: wanted, property)
      if case .key(let frame?) = wanted.wanted {
        by = try shift(of: property, from: frame, to: wanted)
      }
      try change(property, by: by, wanted, in: &made)
      draft = made
    }
    let text = try draft.text(of: element, leaves)
    let used = text.pieces.map { leaves.uses(of: $0.span) }.max() ?? 0
    let elements = revision.scene.record?.elements ?? []
    let uses = used > 0 ? used : elements.count { $0.whole == element.whole }
    return FrameEdit.Result(
      text: text, edit: wanted, element: index, checks: draft.checks, uses: uses)
  }

  /// Returns the difference between the value of a property in another frame and that in the frame
  /// of the edit.
  private mutating func shift(
    of property: SceneRecord.Property, from frame: Int, to wanted: FrameEdit
  ) throws(Refusal) -> [Double] {
    guard (0..<model.frameCount).contains(frame) else { throw .gone }
    func numbers() -> [Double] {
      Playhead(files: [:], rate: model.frameRate, evaluator)
        .numbers(of: property, wholes: wholes(of: property))
    }
    let now = numbers()
    evaluator.evaluateAll(at: model.frameRate.time(ofFrame: frame))
    let then = numbers()
    evaluator.evaluateAll(at: model.frameRate.time(ofFrame: wanted.frame))
    return zip(then, now).map { abs($0 - $1) < 1e-6 ? 0 : $0 - $1 }
  }

  /// Returns a property that the source sets on the element; `nil` if it is not set.
  func own(_ property: Property) -> SceneRecord.Property? {
    element.properties.first { $0.property == property }
  }

  /// Adds the change of a property's numbers to a draft.
  func change(
    _ property: SceneRecord.Property, by shift: [Double], _ wanted: FrameEdit,
    within tolerance: Double? = nil, in draft: inout Draft
  ) throws(Refusal) {
    let wholes = wholes(of: property)
    let playhead = Playhead(files: leaves.facts, rate: model.frameRate, evaluator)
    let old = playhead.numbers(of: property, wholes: wholes)
    var edit = ValueEdit(property, of: ancestors, by: shift)
    edit.wholes = wholes
    edit.scope = wanted.scope
    edit.isExact = wanted.isExact
    edit.tolerance = tolerance
    if case .key = wanted.wanted { edit.insertsKey = true }
    if case .noKey = wanted.wanted { edit.removesKey = true }
    if case .eased(let easing) = wanted.wanted { edit.easing = easing }
    let text = Swift.Result { () throws(Refused) in try edit.edit(at: playhead) }
    switch text {
    case .success(let text):
      let value = zip(old, shift).map { $0 + $1 }
      if edit.removesKey || edit.easing != nil {
        for piece in text.pieces { draft.replace(piece.span, by: piece.text) }
        return
      }
      try draft.add(
        text, of: property.property, .value(property.property, value, wholes: wholes))
    case .failure(let refused): throw Refusal("fixed", refused.reason)
    }
  }

  /// Returns the sizes that percentages of each number refer to; empty if they refer to other
  /// values.
  func wholes(of property: SceneRecord.Property) -> [Double?] {
    if property.type == .ownPoint {
      return element.box.map { [evaluator($0.width), evaluator($0.height)] } ?? []
    }
    guard let box = aroundBox else { return [] }
    return switch property.type {
    // The radii of an ellipse refer to the smaller side.
    case .lengthPair where property.property == .radius:
      [min(box.0, box.1), min(box.0, box.1)]
    case .point, .size, .lengthPair: [box.0, box.1]
    case .lengthX: [box.0]
    case .lengthY: [box.1]
    case .length: [min(box.0, box.1)]
    default: []
    }
  }

  var ancestors: [SceneRecord.Element] {
    let elements = revision.scene.record?.elements ?? []
    return Array(sequence(first: element) { it in it.parent.map { elements[$0] } })
  }

  /// Returns the change of each number for a value that the inspector sends.
  private func shift(
    of wanted: FrameEdit, _ property: SceneRecord.Property
  ) throws(Refusal) -> [Double] {
    let wholes = wholes(of: property)
    let old = Playhead(files: [:], rate: model.frameRate, evaluator)
      .numbers(of: property, wholes: wholes)
    guard case .value(let numbers) = wanted.wanted else { return old.map { _ in 0 } }
    let shown = shown(property)
    guard numbers.count == old.count else {
      throw Refusal("value", "'\(wanted.property.name)' has \(old.count) numbers")
    }
    return numbers.indices.map { index in
      let whole = wholes.indices.contains(index) ? wholes[index] ?? 1 : 1
      let unit = (shown.unit == "%" ? whole : 1) / shown.scale
      // The page knows three decimal places.
      let change = numbers[index] - old[index] / unit
      return abs(change) < 6e-4 ? 0 : change * unit
    }
  }
}
