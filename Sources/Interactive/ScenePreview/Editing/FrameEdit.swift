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
    /// A position moved by pixels of the frame.
    case moved(Double, Double)
    /// The numbers of the value, in the unit in which the inspector shows them.
    case value([Double])
    /// The same value, at a new key.
    case key
  }

  let key: String
  /// The index of the element among the rounds of a loop.
  let round: Int
  let frame: Int
  let property: Property
  let scope: Scope
  let wanted: Wanted
  /// Whether the value is not rounded to the resolution of the frame, as for single steps.
  let isExact: Bool

  init(_ json: JSON) throws(Refusal) {
    guard let key = json["key"].string, let frame = json["n"].int,
      let property = json["edit"].string.flatMap(Property.named),
      let scope = Scope(rawValue: json["scope"].string ?? Scope.key.rawValue)
    else { throw Refusal("message", "an edit requires 'key', 'edit', 'n' and a known 'scope'") }
    (self.key, self.frame, self.property, self.scope) = (key, frame, property, scope)
    round = json["round"].int ?? 0
    isExact = json["exact"].bool ?? !json["to"].isNull
    let (by, to) = (json["by"].array.compactMap(\.number), json["to"].array.compactMap(\.number))
    if by.count == 2, property == .position {
      wanted = .moved(by[0], by[1])
    } else if (1...2).contains(to.count) {
      wanted = .value(to)
    } else if json["by"].isNull, json["to"].isNull {
      wanted = .key
    } else {
      throw Refusal("message", "unsupported value")
    }
  }

  /// The text of an edit, and the value that it must lead to.
  struct Result {
    let text: TextEdit
    let edit: FrameEdit
    /// The index of the element in the record.
    let element: Int
    let value: [Double]
    let wholes: [Double?]

    /// Returns the reason if a scene does not have the requested value.
    func failure(in scene: LoadedScene) -> String? {
      guard let model = scene.model, let elements = scene.record?.elements,
        elements.indices.contains(element),
        let it = elements[element].properties.first(where: { $0.property == edit.property })
      else { return nil }
      var evaluator = Evaluator(model.program, metrics: scene.metrics)
      evaluator.evaluate(
        only: it.numbers.flatMap { [$0.own] + ($0.share.map { [$0] } ?? []) },
        at: model.frameRate.time(ofFrame: edit.frame))
      let now = Playhead(files: [:], rate: model.frameRate, evaluator)
        .numbers(of: it, wholes: wholes)
      let follows = now.count == value.count && zip(now, value).allSatisfy { abs($0 - $1) <= 1 }
      return follows ? nil : "the frame would not follow, because '\(it.property.name)' is computed"
    }
  }
}

extension ElementAnswer {
  /// Returns the text of an edit.
  mutating func resolved(_ wanted: FrameEdit, index: Int) throws(Refusal) -> FrameEdit.Result {
    guard (0..<model.frameCount).contains(wanted.frame) else { throw .gone }
    let now = model.frameRate.time(ofFrame: wanted.frame)
    evaluator.evaluateAll(at: now)
    guard let property = element.properties.first(where: { $0.property == wanted.property }) else {
      throw Refusal("fixed", "the element has no '\(wanted.property.name)'")
    }
    let around = around
    let wholes = wholes(of: property, in: around.box)
    let playhead = Playhead(files: leaves.facts, rate: model.frameRate, evaluator)
    let old = playhead.numbers(of: property, wholes: wholes)
    var edit = ValueEdit(
      property, of: ancestors,
      by: try shift(of: wanted, property, from: old, wholes, inside: around.map))
    edit.wholes = wholes
    edit.scope = wanted.scope
    edit.isExact = wanted.isExact
    if case .key = wanted.wanted { edit.insertsKey = true }
    let text = Swift.Result { () throws(Refused) in try edit.edit(at: playhead) }
    switch text {
    case .success(let text):
      return FrameEdit.Result(
        text: text, edit: wanted, element: index, value: zip(old, edit.shift).map { $0 + $1 },
        wholes: wholes)
    case .failure(let refused): throw Refusal("fixed", refused.reason)
    }
  }

  /// Returns the size that percentages of each number refer to; empty for shares of other values.
  private func wholes(of property: SceneRecord.Property, in box: (Double, Double)?) -> [Double?] {
    guard let box else { return [] }
    return switch property.type {
    case .point, .size, .lengthPair: [box.0, box.1]
    case .lengthX: [box.0]
    case .lengthY: [box.1]
    case .length: [min(box.0, box.1)]
    default: []
    }
  }

  private var ancestors: [SceneRecord.Element] {
    let elements = revision.scene.record?.elements ?? []
    return Array(sequence(first: element) { it in it.parent.map { elements[$0] } })
  }

  private func shift(
    of wanted: FrameEdit, _ property: SceneRecord.Property, from old: [Double],
    _ wholes: [Double?], inside map: Affine
  ) throws(Refusal) -> [Double] {
    switch wanted.wanted {
    case .moved(let x, let y):
      guard let back = map.inverted else {
        throw Refusal("fixed", "the element is inside a group that is scaled to nothing here")
      }
      return [back.a * x + back.c * y, back.b * x + back.d * y].map { abs($0) < 1e-9 ? 0 : $0 }
    case .value(let numbers):
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
    case .key: return old.map { _ in 0 }
    }
  }
}
