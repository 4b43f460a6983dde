// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneLower
import SceneJSON
import SceneLanguage
import SceneModel
import SceneSession
import SceneText

/// The response to a request for an element at a frame: its properties with their values and
/// origins.
struct ElementAnswer {
  /// The number of samples of an animated value over the lifetime.
  private static let curvePoints = 64

  let revision: Revision
  let element: SceneRecord.Element
  private let places: Places
  let leaves: LeafReader
  var evaluator: Evaluator

  var model: SceneModel { revision.model }

  /// Finds the element with a key; returns `nil` if there is none.
  init?(_ revision: Revision, key: String, isReadOnly: Bool) {
    guard let found = revision.scene.record?.elements.firstIndex(where: { $0.key == key }) else {
      return nil
    }
    self.init(revision, element: found, isReadOnly: isReadOnly)
  }

  /// Creates the response about the element at an index; `nil` if the index is out of range. If
  /// `parses` is `false`, the response contains no literals.
  init?(_ revision: Revision, element index: Int, isReadOnly: Bool, parses: Bool = true) {
    guard let elements = revision.scene.record?.elements, elements.indices.contains(index) else {
      return nil
    }
    self.revision = revision
    element = elements[index]
    places = Places(revision.scene.sources)
    leaves = LeafReader(revision, isReadOnly: isReadOnly, parses: parses)
    evaluator = Evaluator(revision.model.program, metrics: revision.scene.metrics)
  }

  mutating func members(frame: Int) -> [String: JSON] {
    let listed = element.properties.map { property -> JSON in
      let drawn = places.source(property.value).map { $0.text(property.value) } ?? ""
      var it: [String: JSON] = [
        "name": .string(property.property.name), "origin": .string(word(property.origin)),
        "type": .string(property.type.map { word($0) } ?? ""),
      ]
      if !drawn.isEmpty, !isInitial(property) {
        it["text"] = .string(drawn)
        it["span"] = places.json(property.value)
        it["leaves"] = .array(leaves.leaves(of: property))
      }
      let by = property.motions.isEmpty ? [] : by(property)
      if !by.isEmpty { it["by"] = .array(by) }
      if !property.motions.isEmpty { it["keys"] = .array(leaves.keys(of: property)) }
      return .object(it)
    }
    let values = values(frame: frame)
    let around = around
    let curves = element.properties.map { curve(of: $0) }
    let all = zip(element.properties, zip(listed, curves)).map { property, both -> JSON in
      guard case .object(var it) = both.0 else { return both.0 }
      it["value"] = .string(values[property.property.name] ?? "")
      if let curve = both.1 { it["curve"] = .array(curve.map { .double($0) }) }
      return .object(it)
    }
    return [
      "key": .string(element.key), "properties": .array(all),
      "readers": .array(leaves.readers(of: element).map { .string($0) }),
      "points": .array(points(inside: around.map, box: around.box)),
    ]
  }

  /// Returns the literal outline points with their positions in the frame.
  private func points(inside map: Affine, box: (Double, Double)?) -> [JSON] {
    guard let drawn = element.drawn.first, let box else { return [] }
    let own = map.concat(evaluator.affine(of: drawn))
    return leaves.points(of: element, inside: own, box: box)
  }

  /// The coordinate system of the element's position and the size of the enclosing box, at the
  /// current frame.
  var around: (map: Affine, box: (Double, Double)?) {
    (isInPlace ? affine(at: outer.projection) : .identity, aroundBox)
  }

  /// The size of the enclosing box at the current frame; `nil` if it is unknown.
  var aroundBox: (Double, Double)? {
    let elements = revision.scene.record?.elements ?? []
    let box = element.parent.flatMap { elements[$0].box }
      .map { (evaluator($0.width), evaluator($0.height)) }
    return box ?? (isInPlace ? nil : (Double(model.size.width), Double(model.size.height)))
  }

  /// Whether an element around this one is drawn.
  private var isInPlace: Bool {
    let elements = revision.scene.record?.elements ?? []
    return sequence(first: element) { it in it.parent.map { elements[$0] } }
      .dropFirst().contains { !$0.drawn.isEmpty }
  }

  /// Returns the affine map that is closest to a projection at the element's own position.
  private func affine(at projection: Projection) -> Affine {
    if let map = projection.affine { return map }
    let transform = element.drawn.first.map { evaluator.affine(of: $0) } ?? .identity
    let box = element.box.map { (evaluator($0.x), evaluator($0.y)) } ?? (0, 0)
    let corner = transform.apply(Point(box.0, box.1))
    return projection.weight(at: corner) > Projection.near
      ? projection.tangent(at: corner) : .identity
  }

  /// Returns the map from the coordinates of an element's children to frame pixels.
  func inside(
    _ wanted: ElementModel, among elements: [ElementModel], under outer: FramePlace
  ) -> FramePlace? {
    for it in elements {
      let inner = outer.inside(it, evaluator)
      if it === wanted { return inner }
      if let found = inside(wanted, among: it.children, under: inner) { return found }
    }
    return nil
  }

  /// Returns the formatted values at a frame.
  mutating func values(frame: Int) -> [String: String] {
    evaluator.evaluateAll(at: model.frameRate.time(ofFrame: frame))
    var values: [String: String] = [:]
    for property in element.properties { values[property.property.name] = text(property) }
    return values
  }

  private func by(_ property: SceneRecord.Property) -> [JSON] {
    let entering: [Property] = [.enter, .exit]
    return entering.contains(property.property) ? [.string(property.property.name)] : []
  }

  private func isInitial(_ property: SceneRecord.Property) -> Bool {
    if case .initial = property.origin { true } else { false }
  }

  private func word(_ origin: SceneRecord.Property.Origin) -> String {
    switch origin {
    case .body: "own"
    case .subject: "head"
    case .definition: "component"
    case .style: "style"
    case .initial: "initial"
    }
  }

  /// Returns the name of the case without associated values.
  private func word(_ type: PropertyType) -> String { String("\(type)".prefix { $0 != "(" }) }

  // MARK: Values

  /// Returns the current value as text; values that are not numeric appear as in the source.
  private func text(_ property: SceneRecord.Property) -> String {
    let numbers = property.scalars.map { evaluator($0) }
    let written = places.text(property.value)
    let isColor = [.color, .paint].contains(property.type)
    if isColor, numbers.count == 4 {
      return Color(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3]).clamped
        .hexDescription
    }
    guard (1...2).contains(numbers.count), !isColor, property.type != .bool else { return written }
    switch property.type {
    case .easing, .text, .path, .word, .fonts, .effects, .filters, .transition: return written
    default: break
    }
    let (suffix, scale) = shown(property)
    let texts = numbers.map { NumberFormat().text(($0 * scale * 1000).rounded() / 1000) + suffix }
    return texts.count == 1 ? texts[0] : "(" + texts.joined(separator: ", ") + ")"
  }

  /// Returns the unit in which numbers are shown, and the factor from numbers of the model to this
  /// unit.
  func shown(_ property: SceneRecord.Property) -> (unit: String, scale: Double) {
    switch property.type {
    case .time: ("s", 1 / Double(Ticks.perSecond))
    case .angle, .angles: ("deg", 1)
    case _ where leaves.areAllPercents(property): ("%", 100)
    default: ("", 1)
    }
  }

  /// Returns samples of the first animated number over the lifetime of the element; `nil` if the
  /// number does not change.
  private mutating func curve(of property: SceneRecord.Property) -> [Double]? {
    guard let moving = property.scalars.first(where: { $0.constantValue == nil }),
      let start = element.start, let end = element.end, start < end
    else { return nil }
    let steps = ElementAnswer.curvePoints
    let points = (0..<steps).map { step -> Double in
      let time = start.rawValue + (end - start).rawValue * Int64(step) / Int64(steps - 1)
      evaluator.evaluateAll(at: Ticks(min(time, end.rawValue - 1)))
      let value = evaluator(moving)
      return value.isFinite ? value : 0
    }
    return points.min() == points.max() ? nil : points
  }
}
