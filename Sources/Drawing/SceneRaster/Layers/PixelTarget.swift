// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import ScenePixels

/// The part of a surface that small fills, particles and layers write to directly.
///
/// Direct writes cover pixels exactly, but know only clips that are whole pixels. Inside any other
/// clip, only those that lie entirely inside it are possible.
struct PixelTarget {
  let surface: Surface
  /// Whole device pixels, inside the surface.
  let region: Rect
  /// Whether `region` is the whole clip.
  private let isExact: Bool

  /// Creates a target for all pixels of a surface without a clip.
  init(_ surface: Surface) { self.init(surface, region: surface.region, isExact: true) }

  private init(_ surface: Surface, region: Rect, isExact: Bool) {
    self.surface = surface
    self.region = region
    self.isExact = isExact
  }

  /// Whether the clip allows direct writes in a box, in device pixels.
  func accepts(_ box: @autoclosure () -> Rect) -> Bool {
    if isExact { return true }
    let reach = box().insetBy(-1)
    return region.intersection(reach) == reach
  }

  /// Provides the pixels of the region. Returns `nil` if there are none.
  func withPixels<T>(_ body: (borrowing PixelRows) throws -> T) rethrows -> T? {
    let whole = surface.region
    if region == whole { return try surface.withPixels(body) }
    let corner = PixelPosition(Int(region.x - whole.x), Int(region.y - whole.y))
    let size = PixelSize(Int(region.width), Int(region.height))
    return try surface.withPixels { try $0.withPart(at: corner, size: size, body) }
  }

  /// Returns the target inside an outline, which must also be the clip of the context. `map` maps
  /// the outline to the device. Returns `nil` if nothing can be written directly.
  func clipped(to outline: Outline, under map: Affine) -> PixelTarget? {
    guard map.b == 0, map.c == 0, let box = outline.innerBox.map(map.apply), box.isFinite else {
      return nil
    }
    if case .rect(_, radius: 0) = outline, let pixels = box.wholePixels {
      return part(inside: pixels, isExact: isExact)
    }
    let (x, y) = (box.x.rounded(.up), box.y.rounded(.up))
    let inside = Rect(
      x: x, y: y, width: box.maxX.rounded(.down) - x, height: box.maxY.rounded(.down) - y)
    return part(inside: inside, isExact: false)
  }

  private func part(inside pixels: Rect, isExact: Bool) -> PixelTarget? {
    let shared = region.intersection(pixels)
    return shared.isEmpty ? nil : PixelTarget(surface, region: shared, isExact: isExact)
  }
}

extension Outline {
  /// A large box inside the outline; `nil` for paths.
  fileprivate var innerBox: Rect? {
    // The distance of the largest box inside a rounded corner from the side, as a fraction of the
    // radius.
    let margin = 1 - 0.5.squareRoot()
    switch self {
    case .rect(let rect, let radius):
      return rect.insetBy(margin * max(0, min(radius, min(rect.width, rect.height) / 2)))
    case .ellipse(let center, let rx, let ry):
      let (width, height) = (2 * rx * (1 - margin), 2 * ry * (1 - margin))
      return Rect(
        x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
    case .path: return nil
    }
  }
}

extension Rect {
  /// The rectangle in whole pixels if Cairo, whose coordinates are multiples of 1/256, places its
  /// sides there.
  fileprivate var wholePixels: Rect? {
    let (left, top, right, bottom) = (x.rounded(), y.rounded(), maxX.rounded(), maxY.rounded())
    let sides = [(x, left), (y, top), (maxX, right), (maxY, bottom)]
    guard sides.allSatisfy({ abs($0 - $1) < 1.0 / 512 }) else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }
}
