// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLower
package import SceneModel
package import SceneText

/// Checks a finished model for composition errors at selected instants.
///
/// Each finding holds at the instant that it names. An element is reported as never visible only
/// after many instants of its lifetime were examined.
package struct Composition {
  let model: SceneModel
  let metrics: any TextMetrics
  var evaluator: Evaluator
  let boxes: ElementBoxes
  var found: [SourceSpan: Diagnostic] = [:]
  var seen: Set<SourceSpan> = []
  /// The elements with outlines that are too large to draw at some time.
  var oversized: Set<SourceSpan> = []
  /// The last element added to `seen`; a shortcut, since the rounds of a loop share a source
  /// location.
  private var lastSeen: SourceSpan?
  /// Whether the current element is part of a transition, in which everything moves.
  private var isCrossing = false
  /// Whether the current element or an ancestor is in space.
  var isInSpace = false
  /// The visited elements in space.
  var spatial: Set<SourceSpan> = []
  /// The blur of the current element, in canvas pixels.
  var blur = 0.0
  /// Whether the current element is part of a formula, which is checked as a whole.
  var isInFormula = false
  /// The child indices of the current element and its ancestors.
  var trail: [Int] = []
  /// Clipped and overlapping texts at the current instant, before it is known whether they move.
  var cuts: [CutText] = []
  var pairs: [TextPair] = []
  /// Texts that are clipped while they move.
  var passing: [CutText] = []
  /// Small texts at the current instant, before it is known whether their size changes.
  var smallTexts: [SmallText] = []
  /// Small texts whose size changes, at the instant of their largest size.
  var growing: [SmallText] = []
  /// The texts that are large enough at some instant.
  var legible: Set<ObjectIdentifier> = []
  /// The locations in the built file that use the elements of other files.
  private(set) var places: [SourceSpan: SourceSpan] = [:]
  /// The elements that should become visible, by source location.
  private(set) var elements: [SourceSpan: ElementModel] = [:]

  /// The maximum number of elements and nodes examined over all instants, to limit the time of a
  /// check.
  private static let greatestWork = 400_000
  /// The maximum numbers of texts that are laid out and of pairs of texts that are compared. Long
  /// texts count as several.
  static let greatestTexts = 8000
  static let greatestPairs = 200_000

  /// Whether the scene has texts; backgrounds only matter for texts.
  private var hasTexts = false
  private var work = 0
  /// The maximum number of evaluations of the whole scene for one additional check.
  var greatestLooks: Int { max(1, Composition.greatestWork / max(1, work) / 4) }
  var textCount = 0
  var pairCount = 0

  /// The file that is built.
  private let home: FileID
  /// Elements that others refer to. If hidden, they serve as outlines or positions.
  private let referred: Set<SourceSpan>
  /// Called before each examined instant; returns whether the diagnostics are no longer needed.
  private let isCancelled: () -> Bool

  package init(
    _ model: SceneModel, in home: FileID, metrics: any TextMetrics, referred: Set<SourceSpan>,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.isCancelled = isCancelled
    self.model = model
    self.home = home
    self.referred = referred
    self.metrics = metrics
    boxes = ElementBoxes(metrics: metrics)
    evaluator = Evaluator(model.program, metrics: metrics)
    evaluator.interrupt(if: isCancelled)
  }

  package mutating func diagnostics() -> [Diagnostic] {
    var survey = Survey()
    visit(model.elements, user: nil, into: &survey)
    // An element takes about 2 µs.
    let nanoseconds = Int(min(1e12, model.program.work + survey.pathWork))
    work = survey.count + model.program.nodes.count / 4 + nanoseconds / 2000
    let samples = min(12, greatestLooks)
    for index in 0..<samples {
      // Midpoints of equal intervals, at which few elements are entering or leaving.
      look(at: Ticks(model.duration.rawValue / Int64(2 * samples) * Int64(2 * index + 1)))
      // Checking more instants cannot add findings.
      if !survey.isJudged, elements.keys.allSatisfy(seen.contains) { break }
    }
    // Examining the whole scene for a single element uses at most a quarter of the work.
    var looks = max(1, min(300, greatestLooks - samples))
    for element in elements.values.sorted(by: { $0.span < $1.span })
    where !seen.contains(element.span) {
      for time in instants(of: element) where looks > 0 && !seen.contains(element.span) {
        looks -= 1
        look(at: time)
      }
      guard looks > 0 else { break }
      if !seen.contains(element.span) { neverSeen(element) }
    }
    if !passing.isEmpty { settlePassing() }
    settleGrowing()
    stillness()
    emptiness()
    // Several elements of the library can have warnings at the same place.
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The cost of examining an instant.
  private struct Survey {
    var count = 0
    var pathWork = 0.0
    /// Whether a filter of the element or of an ancestor reads pixels at other positions.
    var isSampled = false
    /// Whether an element is checked at every examined time.
    var isJudged = false
    var matched: Set<PathPair> = []
    var last: SourceSpan?
    /// The visited elements, since a clip belongs to the transitions on both of its sides.
    var visited: Set<ObjectIdentifier> = []
  }

  /// Records the elements and the cost of examining them.
  private mutating func visit(
    _ list: [ElementModel], user: SourceSpan?, into survey: inout Survey
  ) {
    for element in list where survey.visited.insert(ObjectIdentifier(element)).inserted {
      // Hidden captions are part of text tracks.
      if element.isCaptions, element.visible == .zero { continue }
      survey.count += 1
      if case .outline(.path(let path), _, _, _, _, _) = element.drawing {
        survey.pathWork += path.work(&survey.matched)
      }
      if case .text = element.drawing { hasTexts = true }
      if element.isFormula || isJudged(element) { survey.isJudged = true }
      // Filters can move pixels from outside the frame into it.
      let wasSampled = survey.isSampled
      defer { survey.isSampled = wasSampled }
      if !element.isPlain {
        survey.isSampled =
          wasSampled || element.style.crossing != nil
          || element.style.filters.contains(where: \.readsAround)
      }
      // The rounds of a loop share a source location; one of them represents all.
      if element.span != survey.last, !survey.isSampled, !isMeantUnseen(element) {
        elements[element.span] = element
        survey.last = element.span
      }
      // Elements synthesized by the checker, such as transitions, have no source location.
      let isOwn = element.span.file == home && element.span.start < element.span.end
      if !isOwn { places[element.span] = user }
      // Each particle draws the children at its own position.
      if element.children.isEmpty { continue }
      if case .particles = element.drawing { continue }
      visit(element.children, user: isOwn ? element.span : user, into: &survey)
    }
  }

  mutating func report(
    _ code: Code, _ message: String, on element: ElementModel, at time: Ticks? = nil,
    label: String = "", notes: [Note] = []
  ) {
    guard found[element.span] == nil else { return }
    let instant = time.map { " at \(NumberFormat.seconds($0))" } ?? ""
    // Warnings about elements of other files are reported at the element that uses them.
    let place = places[element.span] ?? element.span
    let home = place == element.span ? [] : [Note("drawn here", at: element.span)]
    found[element.span] = Diagnostic(
      code, message + instant, at: place, label: label, notes: notes + home)
  }

  /// Returns whether an element is intentionally invisible: a shape without paints, or a hidden
  /// element that others refer to.
  private func isMeantUnseen(_ element: ElementModel) -> Bool {
    switch element.drawing {
    case .nothing, .outline(_, nil, nil, _, _, _): return true
    default:
      let isHidden = element.visible == .zero || element.opacity == .zero
      return isHidden && referred.contains(element.span)
    }
  }

  private mutating func neverSeen(_ element: ElementModel) {
    let isPlural = element.drawing.isParticles && element.name == nil
    let own = isPlural ? "these particles" : "this \(element.kind)"
    let what = element.name.map { "'\($0)'" } ?? own
    var why = ""
    if element.start >= model.duration {
      why =
        "starts at \(NumberFormat.seconds(element.start)), but the scene ends at \(NumberFormat.seconds(model.duration))"
    } else if element.opacity == .zero {
      why = "its opacity is 0"
    } else if element.visible == .zero {
      why = "'visible' is false"
    } else if let negative = negative(in: element.drawing) {
      why = negative
    } else if oversized.contains(element.span) {
      why = "outlines of 4,000,000 pixels and more are not drawn"
    } else if spatial.contains(element.span) {
      why =
        "it is always seen edge-on or from its hidden back, behind the eye, or outside the frame"
    } else {
      why = "it is always outside the frame, empty or transparent"
    }
    report(
      .neverSeen, "\(what) \(isPlural ? "are" : "is") never visible", on: element, label: why)
  }

  /// Returns a description of a negative length, or of a size of 0, that keeps a drawing from ever
  /// being visible; `nil` if there is none.
  private func negative(in drawing: ElementModel.Drawing) -> String? {
    func below(_ scalar: Scalar, _ name: String) -> String? {
      guard let value = scalar.constantValue, value < 0 else { return nil }
      return "its \(name) is \(NumberFormat().text(value))"
    }
    switch drawing {
    case .outline(.ellipse(_, let radius, _), _, _, _, _, _),
      .outline(.star(_, _, let radius, _), _, _, _, _, _),
      .outline(.arc(_, let radius, _, _, _, _), _, _, _, _, _):
      return below(radius, "radius")
    case .text(let text, _, _, _):
      return text.runs.lazy.compactMap { below($0.size, "font size") }.first
    case .particles(let particles):
      let isEmpty = particles.field.area == 0 && !particles.field.extent.isEmpty
      return isEmpty ? "the size of the particles is 0" : nil
    default: return nil
    }
  }

  // MARK: Instants

  /// Returns the middle, start and end of a lifetime, and instants between them at irregular
  /// distances. Regular distances could coincide with a period: a one-second wave is 0 at each of
  /// twelve even parts of a minute.
  private func instants(of element: ElementModel) -> [Ticks] {
    let (start, end) = (
      max(.zero, element.start).rawValue, min(element.end, model.duration).rawValue
    )
    let last = max(start, end - Ticks.perSecond / 100)
    let between = (1...9).map { index in
      let part = (Double(index) * 0.618_033_988_749_894_9).truncatingRemainder(dividingBy: 1)
      return start + Int64(Double(last - start) * part)
    }
    return ([(start + last) / 2, start, last] + between)
      .filter { $0 >= 0 && $0 < model.duration.rawValue }.map { Ticks($0) }
  }

  /// A text or formula that is visible at the examined time.
  struct Shown {
    let element: ElementModel
    let box: Rect
    let opacity: Double
    /// The map to the canvas.
    let map: Affine
    /// The child indices of the element and its ancestors.
    let trail: [Int]
    /// The number of grounds below the text.
    let groundCount: Int
  }

  private mutating func look(at time: Ticks) {
    if isCancelled() { return }
    evaluator.evaluate(at: time)
    let canvas = Rect(
      x: 0, y: 0, width: Double(model.size.width), height: Double(model.size.height))
    var grounds: [Ground] = []
    grounds.append(Ground(box: canvas, element: nil, opacity: 1, map: .identity))
    var texts: [Shown] = []
    (cuts, pairs, smallTexts) = ([], [], [])
    walk(
      model.elements, at: time, under: .identity, opacity: 1, canvas: canvas, grounds: &grounds,
      texts: &texts)
    compare(texts.filter { $0.opacity > 0.9 }, on: canvas, grounds)
    settle(at: time)
  }

  private mutating func walk(
    _ list: [ElementModel], at time: Ticks, under outer: Affine, opacity: Double, canvas: Rect,
    grounds: inout [Ground], texts: inout [Shown]
  ) {
    for (index, element) in list.enumerated()
    where element.start <= time && time < element.end && evaluator(element.visible) != 0 {
      let own = opacity * evaluator(element.opacity)
      let wasInSpace = isInSpace
      defer { isInSpace = wasInSpace }
      guard own > 0, let map = projected(element, under: outer), map.isFinite,
        abs(map.determinant) > 1e-12 || isInSpace
      else { continue }
      if case .text = element.drawing, !isLookedAt(element) { continue }
      let sharp = blur
      trail.append(index)
      defer {
        trail.removeLast()
        blur = sharp
      }
      if !element.isPlain { blur = max(blur, blurring(of: element, map)) }
      let isNew = element.span != lastSeen && !seen.contains(element.span)
      if !isNew { lastSeen = element.span }
      if element.isFormula, !isInFormula, !isCrossing {
        judgeFormula(
          element, at: time, opacity: own, under: map, canvas: canvas, groundCount: grounds.count)
      }
      let wasInFormula = isInFormula
      if element.isFormula { isInFormula = true }
      defer { isInFormula = wasInFormula }
      if isNew || isJudged(element), abs(map.determinant) > 1e-12,
        let box = bounds(of: element).map(map.apply),
        box.isFinite
      {
        if isNew, element.drawing.isOutline, !box.isDrawable {
          oversized.insert(element.span)
        } else if isNew, !isInSpace, !box.intersection(canvas).isEmpty {
          seen.insert(element.span)
          lastSeen = element.span
        }
        if isCrossing {
          // Only its visibility matters.
        } else if case .text(let text, let paints, _, _) = element.drawing {
          let shown = Shown(
            element: element, box: box, opacity: own, map: map, trail: trail,
            groundCount: grounds.count)
          judge(
            shown, text: text, paints: paints, under: map, canvas: canvas, grounds: grounds,
            at: time)
          if isNew { judgeLine(shown, at: time) }
          // In space, the depth decides which text covers the other.
          if !isInSpace { texts.append(shown) }
        } else {
          enlarged(element, under: map, at: time)
          strayClip(element)
          if hasTexts, !element.drawing.isParticles {
            grounds.append(
              Ground(box: box, element: element, opacity: own, map: isInSpace ? nil : map))
          }
        }
      }
      let outside = isCrossing
      if !element.isPlain, element.style.isIsolated { isCrossing = true }
      defer { isCrossing = outside }
      if element.children.isEmpty { continue }
      if case .particles = element.drawing { continue }
      walk(
        element.children, at: time, under: map.concat(evaluator.affine(element.content)),
        opacity: own, canvas: canvas,
        grounds: &grounds, texts: &texts)
    }
  }

  /// Returns whether an element is checked at every sampled time, not only when it first appears.
  private func isJudged(_ element: ElementModel) -> Bool {
    if hasTexts || !element.isPlain && element.style.mask != nil { return true }
    return switch element.drawing {
    case .text, .image, .clip: true
    case .nothing, .outline, .arrow, .particles: false
    }
  }

  /// Reports a `clip` or `mask` block on an element positioned by coordinates whose contents were
  /// probably meant in those coordinates, but are relative to the corner of the box.
  private mutating func strayClip(_ element: ElementModel) {
    guard !element.isPlain, let mask = element.style.mask,
      ElementKind(rawValue: element.kind)?.standsByCoordinates == true,
      let box = bounds(of: element)
    else { return }
    // The bounds of the clip as interpreted, and as if in the coordinates of the points.
    var asPoints = Rect.empty
    for part in mask.elements {
      let map = evaluator.affine(of: part)
      if let it = bounds(of: part).map(map.apply) { asPoints = asPoints.union(it) }
    }
    let content = evaluator.affine(element.content)
    guard asPoints.isFinite, content.isFinite else { return }
    let clip = content.apply(asPoints)
    let isInside = clip.intersection(box).area > 0.9 * clip.area
    guard !isInside, asPoints.intersection(box).area > 1.5 * clip.intersection(box).area else {
      return
    }
    let origin = content.apply(Point(0, 0))
    let format = NumberFormat()
    let corner = "(\(format.text(origin.x.rounded())), \(format.text(origin.y.rounded())))"
    report(
      .strayClip, "the clip of this \(element.kind) uses different coordinates than its points",
      on: element,
      label: "(0, 0) in the clip is \(corner) in the coordinates of the points",
      notes: [
        Note(
          help:
            "put the element into a group and clip the group to use the coordinates of the points")
      ])
  }

  /// Returns whether a text is among those that are laid out; further texts are not checked.
  private mutating func isLookedAt(_ element: ElementModel) -> Bool {
    textCount += 1
    if case .text(let text, _, _, _) = element.drawing {
      // Ten letters cost as much as a short text. Wrapped text is shaped line by line.
      let length = text.letterCount
      textCount += length / 10 * (text.width == nil ? 1 : 8)
    }
    if textCount <= Composition.greatestTexts { return true }
    seen.insert(element.span)
    return false
  }

  /// Returns the bounds of a drawing in the element's own coordinates; `nil` if nothing is drawn.
  func bounds(of element: ElementModel) -> Rect? { boxes.bounds(of: element, evaluator) }

  /// Returns the blur of an element in canvas pixels.
  private func blurring(of element: ElementModel, _ map: Affine) -> Double {
    element.style.filters.reduce(0) { most, filter in
      guard case .blur(let radius) = filter else { return most }
      return max(most, evaluator(radius) * map.maximumStretch)
    }
  }
}

extension Rect {
  /// Returns whether the rectangles overlap by more than an edge.
  func meets(_ other: Rect) -> Bool {
    max(x, other.x) < min(x + width, other.x + other.width)
      && max(y, other.y) < min(y + height, other.y + other.height)
  }

  func inset(_ dx: Double, _ dy: Double) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
  }
}
