// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel

// The drawings behind and above an element at the last evaluated time.
extension Prover {
  /// A drawing in painting order.
  struct Painted {
    let ground: Ground
    let trail: [Int]
  }

  /// The contrast of a text.
  enum Contrast {
    /// The lowest ratio, with a sentence about the background.
    case ratio(Double, String)
    /// The background with this name has no single color.
    case unknown(String)
  }

  /// A color behind a text, and the topmost drawing that it comes from.
  private struct Backing {
    let color: Color
    let name: String
  }

  /// The fraction of a text that a drawing must hide to count as its background.
  private static let whole = 0.9
  private static let least = 0.1
  /// The maximum number of colors behind one text.
  private static let mostColors = 16

  private func painted(at time: Ticks) -> [Painted] {
    var list: [Painted] = []
    func visit(_ elements: [ElementModel], in place: Place, opacity: Double, under trail: [Int]) {
      let order = elements.indices.filter { isShown(elements[$0], at: time) }
        .sorted { (evaluator(elements[$0].z), $0) < (evaluator(elements[$1].z), $1) }
      for index in order {
        let element = elements[index]
        let own = opacity * max(0, min(1, evaluator(element.opacity)))
        if let box = ownBox(of: element, in: place) {
          list.append(
            Painted(
              ground: Ground(box: box, element: element, opacity: own), trail: trail + [index]))
        }
        if element.drawing.isParticles || element.children.isEmpty { continue }
        visit(
          element.children, in: self.place(in: element, place), opacity: own,
          under: trail + [index])
      }
    }
    visit(model.elements, in: outermost, opacity: 1, under: [])
    return list
  }

  /// Returns the lowest contrast of a text to its background; `nil` if it is not drawn. The
  /// opacity of the text itself does not count, so that it can fade in.
  func contrast(of subject: Int, at time: Ticks) -> Contrast? {
    let trails = Set(expectations.subjects[subject].trails)
    let painted = painted(at: time)
    guard let place = painted.firstIndex(where: { trails.contains($0.trail) }),
      case .text(_, let paints, _, _)? = painted[place].ground.element?.drawing
    else { return nil }
    let box = painted[place].ground.box
    var behind: [Backing] = []
    switch model.background {
    case .color(let color)?:
      behind = [Backing(color: evaluator.color(color), name: "the background")]
    case nil: behind = [Backing(color: .black, name: "the background")]
    default: break
    }
    // The name of a background without a single color.
    var unknown = behind.isEmpty ? "the background of the scene" : nil
    for it in painted[..<place] {
      guard it.ground.opacity > 0, let element = it.ground.element else { continue }
      let share = it.ground.box.intersection(box).area / max(1e-9, box.area)
      guard share >= Prover.least, let layer = layer(of: element, it.ground.opacity) else {
        continue
      }
      let covers = share >= Prover.whole && layer.fillsBox
      guard let color = layer.color else {
        unknown = name(of: element)
        continue
      }
      let mixed = behind.map { Backing(color: color.over($0.color), name: name(of: element)) }
      if covers, color.alpha >= 1 {
        (behind, unknown) = ([Backing(color: color, name: name(of: element))], nil)
      } else {
        behind = covers ? mixed : behind + mixed
      }
      // Each layer that covers a part of the text doubles the colors.
      if behind.count > Prover.mostColors { (behind, unknown) = ([], name(of: element)) }
    }
    if let unknown { return .unknown(unknown) }
    var lowest: (ratio: Double, sentence: String)?
    for paint in paints {
      guard case .color(let model)? = paint.fill ?? paint.stroke?.paint else {
        return .unknown("its own fill")
      }
      let color = evaluator.color(model)
      for it in behind {
        let ratio = color.over(it.color).contrast(with: it.color)
        if lowest.map({ ratio < $0.ratio }) ?? true {
          lowest = (
            ratio,
            "behind it is \(it.name), whose color is \(it.color.hexDescription) at that time"
          )
        }
      }
    }
    return lowest.map { .ratio($0.ratio, $0.sentence) }
  }

  /// A layer behind a text: its color with the opacity of the element, and whether it fills its box.
  private struct Layer {
    /// `nil` if the layer has no single color.
    let color: Color?
    let fillsBox: Bool
  }

  /// Returns the layer of an element; `nil` for drawings that leave most of their box free.
  private func layer(of element: ElementModel, _ opacity: Double) -> Layer? {
    switch element.drawing {
    case .nothing, .text, .arrow, .outline(_, nil, _, _, _, _): return nil
    case .outline(let outline, .color(let model)?, _, _, _, _):
      var color = evaluator.color(model)
      color.alpha *= opacity
      if color.alpha <= 0 { return nil }
      guard element.style.keepsColors else { return Layer(color: nil, fillsBox: false) }
      if case .rect = outline { return Layer(color: color, fillsBox: true) }
      return Layer(color: color, fillsBox: false)
    case .outline, .image, .clip, .particles: return Layer(color: nil, fillsBox: false)
    }
  }

  private func name(of element: ElementModel) -> String {
    element.name.map { "'\($0)'" }
      ?? "\(["image", "arc", "ellipse"].contains(element.kind) ? "an" : "a") \(element.kind)"
  }

  /// Returns the name of an opaque element that hides more than half of another, or `nil`.
  func cover(of subject: Int, at time: Ticks) -> String? {
    guard let box = box(of: subject, at: time), box.area > 0 else { return nil }
    let trails = expectations.subjects[subject].trails
    let painted = painted(at: time)
    guard
      let last = painted.lastIndex(where: { it in trails.contains { it.trail.starts(with: $0) } })
    else { return nil }
    for it in painted[(last + 1)...] where it.ground.box.intersection(box).area > box.area / 2 {
      if it.ground.paint(model, evaluator).isOpaque { return it.ground.element.map(name) }
    }
    return nil
  }
}

extension Color {
  /// Returns the color of this color above an opaque one.
  fileprivate func over(_ other: Color) -> Color {
    func mixed(_ a: Double, _ b: Double) -> Double { a * alpha + b * (1 - alpha) }
    return Color(
      red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue),
      alpha: 1)
  }
}

extension StyleModel {
  /// Whether an element is drawn without effects that change its colors.
  fileprivate var keepsColors: Bool {
    filters.isEmpty && blend == .normal && crossing == nil && mask == nil
  }
}
