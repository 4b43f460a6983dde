// SPDX-License-Identifier: MIT
import SceneFlash
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import ScenePixels
import SceneRaster
import SceneSession
import SceneText

/// The element that causes a flash.
///
/// Each candidate is drawn alone in a few frames around a transition. The cause is the innermost
/// element that changes most of the flashing cells by itself, whatever moves or fades around it.
struct FlashSource {
  /// The maximum number of candidates that are drawn per level of nesting, the largest first.
  private static let mostCandidates = 12
  /// The maximum number of frames in which each candidate is drawn.
  private static let mostFrames = 10
  /// Half of the luminance change that counts as a transition, in squares of stored values, and the
  /// same for saturated red.
  private static let change = (luminance: 3251, red: 8)

  /// The location of the element, or of the background; `nil` if several elements without a common
  /// parent change.
  private(set) var span: SourceSpan?
  private(set) var name: String?
  /// Whether the element starts or ends within the video, which is a transition of its own.
  private(set) var isBounded = false

  private let peak: FlashFinding.Peak
  private let model: SceneModel
  private let scene: LoadedScene
  private let isUnwanted: () -> Bool
  private let frames: [Int]
  /// The boxes of elements around the transition, and the number of frames that show them.
  private var boxes: [ObjectIdentifier: (box: Rect, count: Int)] = [:]

  /// Finds the element. If `isUnwanted` returns `true`, the remaining candidates are not drawn.
  init(
    _ peak: FlashFinding.Peak, in model: SceneModel, of scene: LoadedScene,
    isUnwanted: @escaping () -> Bool = { false }
  ) {
    self.peak = peak
    self.isUnwanted = isUnwanted
    self.model = model
    self.scene = scene
    // Three half periods, so that a transition between two clips in the middle does not hide one.
    let half = peak.frame - peak.before
    let first = max(0, peak.before - half)
    let distance = min(model.frameCount - 1, peak.frame + half) - first
    let steps = max(1, min(FlashSource.mostFrames - 1, distance))
    frames = (0...steps).map { first + distance * $0 / steps }
    var lowerer = Lowerer(model, metrics: scene.metrics)
    for frame in frames {
      for placement in lowerer.placements(frame: frame) {
        let box = lowerer.box(of: placement)
        let known = boxes[ObjectIdentifier(placement.element)]
        boxes[ObjectIdentifier(placement.element)] = (
          known.map { $0.box.union(box) } ?? box, (known?.count ?? 0) + 1
        )
      }
    }
    let path = self.path
    // The parts of a library transition are not elements of the scene's own files.
    let isOwn = { (element: ElementModel) in
      scene.sources.contains { $0.id == element.span.file && !$0.name.hasPrefix("std/") }
    }
    if let cause = path.last(where: isOwn) {
      span = cause.span
      name = cause.name ?? cause.kind
      isBounded = path.contains { $0.start > .zero || $0.end < model.duration }
    } else {
      let backgrounds = frames.map { lowerer.lower(frame: $0).background }
      if backgrounds.contains(where: { $0 != backgrounds[0] }) {
        span = model.places.background
        name = "background"
      }
    }
  }

  /// The elements that contain the cause, from the outermost one, then the cause itself; empty
  /// without a cause.
  private var path: [ElementModel] {
    var found: [ElementModel] = []
    var elements = model.elements
    while true {
      var best: (element: ElementModel, rank: [Int])?
      for element in candidates(elements) {
        let count = changedCount(found + [element])
        guard count * 5 >= peak.cells.count * 4 else { continue }
        // The clips of a transition are also shown before or after it.
        let rank = [isAlwaysShown(element) ? 1 : 0, count, element.children.isEmpty ? 1 : 0]
        if best?.rank.lexicographicallyPrecedes(rank) ?? true { best = (element, rank) }
      }
      guard let best else { return found }
      found.append(best.element)
      elements = best.element.children
    }
  }

  /// Returns whether all frames show an element's own drawing, or none of them does.
  private func isAlwaysShown(_ element: ElementModel) -> Bool {
    boxes[ObjectIdentifier(element)].map { $0.count >= frames.count } ?? true
  }

  /// Returns the elements that change, those with the most flashing cells in their boxes first.
  private func candidates(_ elements: [ElementModel]) -> [ElementModel] {
    var all: [(element: ElementModel, count: Int)] = []
    for element in elements {
      guard !element.isStatic || !frames.allSatisfy({ isAlive(element, in: $0) }),
        let box = box(of: element)
      else { continue }
      let count = peak.cells.count { cell in
        let (column, row) = (Double(cell % peak.columns), Double(cell / peak.columns))
        let x = (column + 0.5) / Double(peak.columns) * Double(model.size.width)
        let y = (row + 0.5) / Double(peak.rows) * Double(model.size.height)
        return x >= box.x && x <= box.maxX && y >= box.y && y <= box.maxY
      }
      if count * 5 >= peak.cells.count * 4 { all.append((element, count)) }
    }
    return all.sorted { $0.count > $1.count }.prefix(FlashSource.mostCandidates).map(\.element)
  }

  /// Returns whether a frame is in the lifetime of an element.
  private func isAlive(_ element: ElementModel, in frame: Int) -> Bool {
    let time = model.frameRate.time(ofFrame: frame)
    return element.start <= time && time < element.end
  }

  /// Returns the box of an element and its descendants; `nil` if none of them is drawn.
  private func box(of element: ElementModel) -> Rect? {
    let own = boxes[ObjectIdentifier(element)]?.box
    return element.children.reduce(own) { box, child in
      guard let inner = self.box(of: child) else { return box }
      return box.map { $0.union(inner) } ?? inner
    }
  }

  // MARK: Drawing

  /// Returns the number of flashing cells that the last element of a path changes by itself, while
  /// the elements that contain it are alive.
  private func changedCount(_ path: [ElementModel]) -> Int {
    guard var element = path.last else { return 0 }
    for outer in path.dropLast().reversed() {
      element = outer.with(
        opacity: .one, visible: .one, drawing: .nothing, style: StyleModel(), children: [element])
    }
    let frames = frames.filter { frame in
      path.dropLast().allSatisfy { isAlive($0, in: frame) }
    }
    var alone = model
    alone.elements = [element]
    alone.motionBlur = nil
    // Two backgrounds are tried, since an element can have the color of one of them.
    return [0.0, 1.0].map { gray in
      alone.background = .color(ColorModel(Color(red: gray, green: gray, blue: gray, alpha: 1)))
      return changedCount(alone, in: frames)
    }.max() ?? 0
  }

  private func changedCount(_ alone: SceneModel, in frames: [Int]) -> Int {
    let size = PixelSize(2 * peak.columns, 2 * peak.rows)
    guard
      let canvas = try? Canvas(size, isOpaque: true, resources: scene.resources)
    else { return 0 }
    let reducer = FlashReducer(size)
    var lowerer = Lowerer(alone, metrics: scene.metrics)
    var grids: [FlashGrid] = []
    for frame in frames {
      guard !isUnwanted(),
        (try? canvas.draw(lowerer.lower(frame: frame).scaled(to: size))) != nil,
        let grid = canvas.flashGrid(reducer)
      else { return 0 }
      grids.append(grid)
    }
    return peak.cells.count { cell in
      let values = grids.map {
        peak.isRed ? Int($0.red[cell]) : Int($0.luminance[cell]) * Int($0.luminance[cell])
      }
      let difference = (values.max() ?? 0) - (values.min() ?? 0)
      return difference >= (peak.isRed ? FlashSource.change.red : FlashSource.change.luminance)
    }
  }
}
