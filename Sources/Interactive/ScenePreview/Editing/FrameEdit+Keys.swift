// SPDX-License-Identifier: MIT
import SceneCheck
import SceneJSON
import SceneLanguage
import SceneModel
import ScenePlayhead
import SceneSession
import SceneText

/// An edit of keys by their numbers, as in the graph of a property.
enum KeyChange: Sendable {
  /// A key with the change of its value, in the unit of the graph.
  struct Move: Sendable {
    let number: KeyNumber
    let by: [Double]
  }

  /// Keys that are moved in time together and changed in value individually. `resolution` is the
  /// smallest visible change of a value.
  case moved([Move], seconds: Double, resolution: Double?)
  case removed(Set<KeyNumber>)
  /// The easing of the step of a motion in source syntax, either a name or a curve.
  case eased(motion: Int, step: Int, String)

  private static let mostKeys = 1000

  init(_ json: JSON) throws(Refusal) {
    if !json["curve"].isNull {
      guard let motion = KeyChange.index(json["motion"]),
        let step = KeyChange.index(json["step"]), let easing = KeyChange.easing(json["curve"])
      else {
        throw Refusal(
          "message", "expected an easing name, or four numbers with x values from 0 to 1")
      }
      self = .eased(motion: motion, step: step, easing)
      return
    }
    let keys = json["keys"].array
    guard (1...KeyChange.mostKeys).contains(keys.count) else {
      throw Refusal("message", "from 1 to \(KeyChange.mostKeys) keys can be changed at once")
    }
    var moves: [Move] = []
    for key in keys {
      let by = key["by"].array.compactMap(\.number)
      guard let motion = KeyChange.index(key["motion"]),
        let number = KeyChange.index(key["key"]), by.count <= 4,
        by.allSatisfy({ $0.isFinite && abs($0) < 1e9 })
      else { throw Refusal("message", "a key requires 'motion' and 'key'") }
      moves.append(Move(number: KeyNumber(motion: motion, key: number), by: by))
    }
    if json["drop"].bool == true {
      self = .removed(Set(moves.map(\.number)))
      return
    }
    let (seconds, resolution) = (json["time"].number ?? 0, json["resolution"].number)
    guard seconds.isFinite, abs(seconds) < 1e6, resolution.map({ $0 > 0 && $0 < 1e9 }) ?? true
    else { throw Refusal("message", "invalid 'time' or 'resolution'") }
    self = .moved(moves, seconds: seconds, resolution: resolution)
  }
}

extension KeyChange {
  /// Returns the number of a motion, a step or a key; `nil` if it is out of range.
  fileprivate static func index(_ json: JSON) -> Int? {
    json.int.flatMap { (0..<1_000_000).contains($0) ? $0 : nil }
  }

  /// Returns the text of a named easing, or of the curve with the coordinates of two control
  /// points; `nil` if invalid.
  fileprivate static func easing(_ json: JSON) -> String? {
    if let name = json.string { return Easing.named[name] == nil ? nil : name }
    let four = json.array.compactMap(\.number)
    guard four.count == 4, four.allSatisfy({ abs($0) <= 100 }),
      [four[0], four[2]].allSatisfy({ (0...1).contains($0) })
    else { return nil }
    return "cubic-bezier(\(four.map { Numeral.text($0, decimals: 3) }.joined(separator: ", ")))"
  }
}

extension ElementAnswer {
  /// Returns the edit that applies a change to the keys of one of the element's own properties.
  func keyed(_ change: KeyChange, _ wanted: FrameEdit) throws(Refusal) -> Draft {
    guard let property = own(wanted.property) else {
      throw Refusal("fixed", "the element has no '\(wanted.property.name)'")
    }
    let playhead = Playhead(files: leaves.facts, rate: model.frameRate, evaluator)
    var edit = KeyEdit(property, of: ancestors, at: playhead)
    edit.wholes = wholes(of: property)
    edit.beat = Double(Ticks.perSecond) * 60 / (revision.scene.record?.tempo ?? 120)
    let found = Swift.Result { () throws(Refused) in try pieces(of: change, property, &edit) }
    switch found {
    case .success(let pieces): return try Draft(pieces, place: words(change))
    case .failure(let refused): throw Refusal("fixed", refused.reason)
    }
  }

  private func pieces(
    of change: KeyChange, _ property: SceneRecord.Property, _ edit: inout KeyEdit
  ) throws(Refused) -> [TextEdit.Piece] {
    switch change {
    case .removed(let keys): return try edit.removed(keys)
    case .eased(let motion, let step, let easing):
      return try edit.eased(motion: motion, step: step, easing)
    case .moved(let moves, let seconds, let resolution):
      let unit = graphUnit(of: property)
      if let resolution { edit.tolerance = min(0.5, resolution / 2) / unit.scale }
      var pieces = try edit.delayed(
        Set(moves.map(\.number)), by: seconds * Double(Ticks.perSecond))
      for move in moves {
        pieces += try edit.shifted(move.number, by: move.by.map { $0 / unit.scale })
      }
      return pieces
    }
  }

  private func words(_ change: KeyChange) -> String {
    switch change {
    case .removed(let keys): "\(keys.count) deleted \(keys.count == 1 ? "key" : "keys")"
    case .moved(let moves, _, _): "\(moves.count) \(moves.count == 1 ? "key" : "keys")"
    case .eased(_, _, let easing): easing
    }
  }
}
