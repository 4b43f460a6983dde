// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLanguage
import SceneModel
import ScenePlayhead
import SceneText

/// The changes of several properties of one element, which form one edit.
struct Draft {
  private var pieces: [TextEdit.Piece] = []
  /// The properties that the element does not have yet, in source syntax.
  private var additions: [String] = []
  private var place = ""
  private(set) var checks: [FrameCheck] = []

  init() {}

  /// Creates a draft from replacements. Equal replacements, as for keys that share a literal, are
  /// applied once.
  init(_ pieces: [TextEdit.Piece], place: String) throws(Refusal) {
    self.place = place
    var known: [SourceSpan: TextEdit.Piece] = [:]
    for piece in pieces where known[piece.span] != piece {
      guard known.updateValue(piece, forKey: piece.span) == nil else {
        throw Refusal(
          "fixed", "keys share a value, so that they cannot be changed independently")
      }
      self.pieces.append(piece)
    }
  }

  var isEmpty: Bool { pieces.isEmpty && additions.isEmpty }

  /// Adds the edit of a property. `value` is its value in the new scene.
  mutating func add(_ edit: TextEdit, of property: Property, _ check: FrameCheck) throws(Refusal) {
    for piece in edit.pieces {
      guard pieces.allSatisfy({ $0.span.file == piece.span.file }) else {
        throw Refusal("fixed", "the element is set in several files; edit it in the source")
      }
      guard !pieces.contains(where: { $0.span == piece.span }) else {
        throw Refusal(
          "fixed", "'\(property.name)' and another property have the same source; edit it there")
      }
      pieces.append(piece)
    }
    if place.isEmpty, !edit.pieces.isEmpty { place = edit.place }
    checks.append(check)
  }

  /// Adds a replacement of a value.
  mutating func replace(_ value: SourceSpan, by text: String) {
    pieces.append(TextEdit.Piece(span: value, text: text))
    if place.isEmpty { place = "value" }
  }

  /// Adds a property to the body of the element.
  mutating func add(_ property: Property, _ value: String) {
    additions.append("\(property.name): \(value)")
    if place.isEmpty { place = "new property" }
  }

  mutating func check(_ check: FrameCheck) { checks.append(check) }

  /// Returns the whole edit.
  func text(of element: SceneRecord.Element, _ leaves: LeafReader) throws(Refusal) -> TextEdit {
    var all = pieces
    let whole = element.whole
    if !additions.isEmpty {
      guard let it = leaves.addition(of: additions, to: whole) else {
        throw Refusal("fixed", "the element is in a file that cannot be changed")
      }
      all.append(
        TextEdit.Piece(
          span: SourceSpan(file: whole.file, start: it.place, end: it.place), text: it.text))
    }
    guard let file = all.first?.span.file else {
      return TextEdit(file: whole.file, pieces: [], place: place)
    }
    guard all.allSatisfy({ $0.span.file == file }) else {
      throw Refusal("fixed", "the element is set in several files; edit it in the source")
    }
    return TextEdit(file: file, pieces: all.sorted { $0.span < $1.span }, place: place)
  }
}

/// A condition that the scene must meet after an edit.
enum FrameCheck {
  /// The numbers of a property.
  case value(Property, [Double], wholes: [Double?])
  /// A point of the box, as fractions of its size, is at a point of the frame.
  case share(Point, at: Point)
  /// A point of the element's own coordinates is at a point of the frame.
  case own(Point, at: Point)

  /// The maximum distance of a point from the requested one, in frame pixels.
  static let tolerance = 1.5

  /// The reason for the refusal if the condition is not met.
  var reason: String {
    if case .value(let property, _, _) = self {
      return "the frame would not follow, because '\(property.name)' is computed"
    }
    return "the element would not follow the pointer, because other elements or limits affect it"
  }

  /// Returns whether the scene of `answer`, at its current frame, meets the condition.
  func isMet(by answer: ElementAnswer) -> Bool {
    switch self {
    case .value(let property, let value, let wholes):
      guard let it = answer.element.properties.first(where: { $0.property == property }) else {
        return true
      }
      let now = Playhead(files: [:], rate: answer.model.frameRate, answer.evaluator)
        .numbers(of: it, wholes: wholes)
      return now.count == value.count
        && zip(now, value).allSatisfy {
          abs($0 - $1) <= max(it.type?.greatestError ?? 0.06, abs($1) * 0.01)
        }
    case .share(let share, let wanted):
      guard let found = answer.stance?.inFrame(share) else { return false }
      return found.distance(to: wanted) <= FrameCheck.tolerance
    case .own(let point, let wanted):
      guard let whole = answer.stance?.whole, whole.weight(at: point) > Projection.near else {
        return false
      }
      return whole.apply(point).distance(to: wanted) <= FrameCheck.tolerance
    }
  }
}

extension PropertyType {
  /// The maximum error of small values after an edit, in the unit of the model.
  fileprivate var greatestError: Double {
    isLength ? 1 : self == .time ? Double(Ticks.perSecond) / 500 : 0.06
  }

  /// Whether the value is a length or a point in pixels.
  var isLength: Bool {
    switch self {
    case .point, .ownPoint, .lengthX, .lengthY, .length, .size, .lengthPair, .fontLength,
      .fontLengthPair:
      true
    default: false
    }
  }
}
