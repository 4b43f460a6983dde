// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A filter whose percentages are not resolved yet, since the box is unknown.
indirect enum FilterValue {
  case blur(Value)
  case color(FilterModel.Kind, Scalar)
  case table(ColorTable)
  case chromaKey(ColorModel, tolerance: Scalar, softness: Scalar)
  case pixels(PixelValue)

  func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .blur(let radius): radius.forEachScalar(use)
    case .color(_, let amount): use(amount)
    case .table: break
    case .chromaKey(let color, let tolerance, let softness):
      color.forEachScalar(use)
      use(tolerance)
      use(softness)
    case .pixels(let pixels): pixels.forEachScalar(use)
    }
  }

  /// The filter with parameters that have no effect, or `nil` for filters without such parameters.
  var identity: FilterValue? {
    switch self {
    case .blur: .blur(.number(0))
    case .color(let kind, _): .color(kind, kind.neutral)
    case .pixels: .pixels(.source)
    case .table, .chromaKey: nil
    }
  }
}

struct ShadowValue {
  var offset: Value
  var blur: Value
  var color: ColorModel
}

// Effects on an element as one layer.
extension Checker {
  /// Returns filters, clip, mask, shadow and blend mode of an element.
  func style(of i: ElementNode) -> StyleModel {
    var style = StyleModel()
    style.blend = word(.blend, of: i)
    style.light = light(of: i, blend: style.blend)
    style.filters = filters(of: i)
    style.shadow = shadow(of: i)
    if i.properties[.edge] != nil, word(.edge, of: i) == EdgeMode.extend, !style.filters.isEmpty,
      let box = self.box(of: i, now: now)
    {
      style.extended = .rect(
        x: box.x, y: box.y, width: box.width, height: box.height, radius: .zero)
    }
    // Media with a stroke is clipped below the stroke.
    let isFramed = i.kind.isMedia && i.properties[.stroke] != nil
    if style.extended != nil || corners(of: i), !isFramed,
      let form = ownOutline(of: i, now: now)
    {
      style.clips.append(form)
    }
    let behind = filters(.backdropFilter, of: i)
    if !behind.isEmpty, let form = ownOutline(of: i, now: now) {
      style.backdrop = BackdropModel(behind, outline: form)
    }
    if i.shown != nil, i.properties[.fit] != nil, let box = ownOutline(of: i, now: now) {
      style.clips.append(box)
    }
    if let crop = crop(of: i) { style.clips.append(crop) }
    if let clip = clip(of: i) { style.clips.append(clip) }
    if i.caption != nil, let clip = captionClip(of: i) { style.clips.append(clip) }
    style.mask = mask(of: i)
    style.crossing = crossed(by: i)
    return style
  }

  /// Returns whether an element is media with rounded corners.
  func corners(of i: ElementNode) -> Bool {
    i.kind.isMedia && i.properties[.cornerRadius] != nil
  }

  // MARK: Properties

  /// Returns the encoding of colors in which an element is blurred and composited. Reports effects
  /// that cannot be computed in linear light.
  private func light(of i: ElementNode, blend: BlendMode) -> Light {
    guard i.properties[.light] != nil, i.kind != .particles,
      word(.light, of: i) == Light.linear
    else { return .srgb }
    if !blend.isComputed, let source = i.properties[.blend] {
      let modes = BlendMode.allCases.filter(\.isComputed).map { "'\($0.rawValue)'" }
      _ = report(
        .propertyElsewhere, "'light: linear' cannot be combined with 'blend: \(blend.rawValue)'",
        at: source.value.span, label: "not defined in linear light",
        help: "use \(modes.dropLast().joined(separator: ", ")) or \(modes.last ?? "")")
    }
    if let glass = glass(in: i) {
      _ = report(
        .propertyElsewhere, "'light: linear' cannot be combined with 'backdrop-filter'",
        at: glass.nameSpan, label: "reads pixels in sRGB")
    }
    return .linear
  }

  /// Returns the first backdrop filter of an element and its descendants; `nil` if there is none.
  private func glass(in i: ElementNode) -> Source? {
    if let source = i.properties[.backdropFilter] { return source }
    for child in i.children {
      if let source = glass(in: child) { return source }
    }
    return nil
  }

  private static let mostFilters = 16

  private func filters(of i: ElementNode) -> [FilterModel] {
    var filters = self.filters(.filter, of: i)
    for (value, span) in effect(.blur, of: i, now: now) {
      check(value, of: .blur, in: .atLeast(0), at: span)
      guard let radius = asLength(value, span, of: smallerSide(i, now: now)) else { continue }
      filters.append(.blur(radius))
    }
    return filters
  }

  private func filters(_ property: Property, of i: ElementNode) -> [FilterModel] {
    var filters: [FilterModel] = []
    if let (value, span) = self.value(property, of: i, now: now) {
      filters = self.filters(value, at: span, of: i)
      guard filters.count <= Checker.mostFilters else {
        _ = report(
          .limitExceeded,
          "the element has \(filters.count) filters, more than the limit of \(Checker.mostFilters)",
          at: span, label: Limits.fixed)
        return []
      }
    }
    return filters
  }

  /// Returns the filters of a value: a filter, or a list that may contain other lists.
  private func filters(_ value: Value, at span: SourceSpan, of i: ElementNode) -> [FilterModel] {
    switch value {
    case .none, .poison: return []
    case .list(let items): return items.flatMap { filters($0, at: span, of: i) }
    case .filter(.blur(let radius)):
      return asLength(radius, span, of: smallerSide(i, now: now)).map { [.blur($0)] } ?? []
    case .filter(.color(let kind, let amount)): return [.color(kind, amount)]
    case .filter(.table(let table)): return [.table(table)]
    case .filter(.chromaKey(let color, let tolerance, let softness)):
      return [.chromaKey(color, tolerance: tolerance, softness: softness)]
    case .filter(.pixels(let pixels)):
      guard let box = box(of: i, now: now) else { return [] }
      return pixelModel(pixels, .filter, in: box, of: i).map { [.pixels($0)] } ?? []
    default:
      mismatch(
        "a filter", value, at: span,
        help: "write a filter such as blur(4), or a list such as [brightness(1.2), saturate(0.5)]")
      return []
    }
  }

  private func shadow(of i: ElementNode) -> ShadowModel? {
    guard let (value, span) = self.value(.shadow, of: i, now: now) else { return nil }
    switch value {
    case .none, .poison: return nil
    case .shadow(let it):
      let side = smallerSide(i, now: now)
      let c = context(of: i, now: now)
      guard let offset = asPoint(it.offset, span, in: c, width: side, height: side),
        let blur = asLength(it.blur, span, of: side)
      else { return nil }
      return ShadowModel(offset: offset, blur: blur, color: it.color)
    default:
      mismatch("a shadow", value, at: span, help: "write shadow(offset: (0, 8), blur: 24)")
      return nil
    }
  }

  // MARK: Clips and masks

  /// Returns the outline of the `clip` property: the element's own or that of another element;
  /// `nil` if the element is not clipped.
  private func clip(of i: ElementNode) -> OutlineModel? {
    guard let (value, span) = self.value(.clip, of: i, now: now) else { return nil }
    switch value {
    case .none, .poison: return nil
    case .bool(let truth):
      guard let known = truth.constantValue else {
        _ = report(.notConstant, "'clip' cannot change over time", at: span)
        return nil
      }
      return known == 0 ? nil : ownOutline(of: i, now: now)
    case .element(let other):
      guard other !== i else { return ownOutline(of: i, now: now) }
      // The path is mapped from the coordinates of the children to the element's own.
      let c = context(of: i, now: now).with { $0.space = i }
      guard let path = outlinePath(of: other, in: c, at: span),
        let inside = contentMap(of: i, now: now)
      else { return nil }
      return .path(PathModel([.mapped(inside, path)]))
    case .path(let path):
      // Its points are in the coordinates of the children.
      return contentMap(of: i, now: now).map { .path(PathModel([.mapped($0, path)])) }
    default:
      mismatch("true, an element or a path", value, at: span)
      return nil
    }
  }

  /// Returns the outline of a shape, or the box with rounded corners for other elements; `nil`
  /// after an error.
  func ownOutline(of i: ElementNode, now: Scalar) -> OutlineModel? {
    if let outline = outline(of: i, now: now) { return outline }
    return box(of: i, now: now).map { roundedBox($0, of: i, now: now) }
  }

  /// Returns the content of `clip { … }` or `mask { … }`; `nil` if there is none.
  private func mask(of i: ElementNode) -> MaskModel? {
    let blocks = i.children.filter { $0.kind == .clip || $0.kind == .mask }
    if let second = blocks.dropFirst().first {
      report(
        Diagnostic(
          .misplacedElement, "an element can have only one 'clip' or 'mask'", at: second.span,
          notes: [Note("first '\(blocks[0].kind.rawValue)'", at: blocks[0].span)]))
    }
    guard let block = blocks.first else { return nil }
    elaborate(block)
    let elements = emitChildren(of: block)
    if elements.isEmpty, !reports.hasErrors {
      report(
        Diagnostic(
          .missingProperty, "'\(block.kind.rawValue)' is empty", at: block.span,
          label: "add shapes or texts; only the area that they cover is visible"))
    }
    func flag(_ property: Property) -> Bool {
      bool(property, of: block, now: now).constantValue == 1
    }
    let source: MaskStyle.Source = flag(.luminance) ? .luminance : .alpha
    return MaskModel(elements, style: MaskStyle(source, isInverted: flag(.invert)))
  }

  // MARK: Blending

  func blendFilters(_ a: Value, _ b: Value, by how: Blend, at span: SourceSpan, in c: Context)
    -> Value?
  {
    switch (a, b) {
    case (.filter(let x), .filter(let y)): return blend(x, y, by: how, at: span, in: c)
    case (.none, .filter(let y)):
      return y.identity.map { blendFilters(.filter($0), b, by: how, at: span, in: c) } ?? nil
    case (.filter(let x), .none):
      return x.identity.map { blendFilters(a, .filter($0), by: how, at: span, in: c) } ?? nil
    case (.filter, .list(let items)) where items.count == 1:
      return blendFilters(a, items[0], by: how, at: span, in: c)
    case (.list(let items), .filter) where items.count == 1:
      return blendFilters(items[0], b, by: how, at: span, in: c)
    case (.none, .list(let items)):
      let mixed = items.map { blendFilters(.none(), $0, by: how, at: span, in: c) }
      return mixed.contains { $0 == nil } ? nil : list(mixed.compactMap { $0 }, span)
    case (.list(let items), .none):
      let mixed = items.map { blendFilters($0, .none(), by: how, at: span, in: c) }
      return mixed.contains { $0 == nil } ? nil : list(mixed.compactMap { $0 }, span)
    case (.shadow(let x), .shadow(let y)):
      return .shadow(
        ShadowValue(
          offset: blend(x.offset, y.offset, by: how, at: span, in: c),
          blur: blend(x.blur, y.blur, by: how, at: span, in: c),
          color: blend(x.color, y.color, by: how)))
    case (.none, .shadow(let y)):
      var clear = y
      clear.color.alpha = .zero
      return blendFilters(.shadow(clear), b, by: how, at: span, in: c)
    case (.shadow(let x), .none):
      var clear = x
      clear.color.alpha = .zero
      return blendFilters(a, .shadow(clear), by: how, at: span, in: c)
    default: return nil
    }
  }

  private func blend(
    _ x: FilterValue, _ y: FilterValue, by how: Blend, at span: SourceSpan, in c: Context
  ) -> Value? {
    switch (x, y) {
    case (.blur(let p), .blur(let q)): return .filter(.blur(blend(p, q, by: how, at: span, in: c)))
    case (.color(let kind, let p), .color(let other, let q)) where kind == other:
      return .filter(.color(kind, blend(p, q, by: how)))
    case (.chromaKey(let p, let a, let s), .chromaKey(let q, let b, let r)):
      return .filter(
        .chromaKey(
          blend(p, q, by: how), tolerance: blend(a, b, by: how), softness: blend(s, r, by: how)))
    case (.table(let p), .table(let q)) where p == q: return .filter(x)
    case (.pixels(let p), .pixels(let q)):
      // Pixels of an element are mixed like opacities, in sRGB.
      let plain: Blend = if case .mix(let share, _) = how { .mix(share, .srgb) } else { how }
      return .filter(.pixels(blend(p, q, by: plain, at: span, in: c)))
    default: return nil
    }
  }
}
