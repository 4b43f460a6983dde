// SPDX-License-Identifier: MIT
package import SceneIR

/// What happens to an element as a layer, in this order: filters, clips, mask, shadow, blend; and to
/// what is behind it.
package struct StyleModel: Hashable, Sendable, Encodable {
  package var filters: [FilterModel] = []
  /// The box whose edges go on for ever in what filters see.
  package var extended: OutlineModel?
  /// What is behind it, as seen through it: cut by clips and mask, and faded with it.
  package var backdrop: BackdropModel?
  /// Only what lies inside all of them is drawn; in own coordinates.
  package var clips: [OutlineModel] = []
  package var mask: MaskModel?
  package var shadow: ShadowModel?
  package var blend = BlendMode.normal
  /// Whether its parts are blended with each other before they are with what is behind (CSS
  /// `isolation: isolate`).
  package var isIsolated = false

  package init() {}

  package var isPlain: Bool { self == StyleModel() }
}

/// What is drawn apart and multiplied with an element; in the coordinates of its children.
package struct MaskModel: Hashable, Sendable, Encodable {
  package var elements: [ElementModel]
  package var style: MaskStyle

  package init(_ elements: [ElementModel], style: MaskStyle) {
    self.elements = elements
    self.style = style
  }

  /// Elements are written by who knows which of them are shown.
  private enum CodingKeys: CodingKey { case style }
}

/// Glass: what is behind an element is changed by filters inside an outline.
package struct BackdropModel: Hashable, Sendable, Encodable {
  package var filters: [FilterModel]
  /// In own coordinates.
  package var outline: OutlineModel

  package init(_ filters: [FilterModel], outline: OutlineModel) {
    self.filters = filters
    self.outline = outline
  }
}

/// A blurred copy in one color below a drawing.
package struct ShadowModel: Hashable, Sendable, Encodable {
  package var offset: PointModel
  /// As in CSS: twice the standard deviation.
  package var blur: Scalar
  package var color: ColorModel

  package init(offset: PointModel, blur: Scalar, color: ColorModel) {
    self.offset = offset
    self.blur = blur
    self.color = color
  }
}

/// One filter whose numbers may change.
package enum FilterModel: Hashable, Sendable, Encodable {
  /// The filters of CSS that are a matrix of one amount.
  package enum Kind: String, Hashable, Sendable, Encodable, CaseIterable {
    case brightness, contrast, saturate, grayscale, invert, sepia
    case hueRotate = "hue-rotate"
  }

  case blur(Scalar)
  case color(Kind, Scalar)
  case table(ColorTable)
  case chromaKey(ColorModel, tolerance: Scalar, softness: Scalar)
}

extension FilterModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .blur(let amount), .color(_, let amount): use(amount)
    case .table: break
    case .chromaKey(let color, let tolerance, let softness):
      color.forEachScalar(use)
      use(tolerance)
      use(softness)
    }
  }
}

extension StyleModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for filter in filters + (backdrop?.filters ?? []) { filter.forEachScalar(use) }
    extended?.forEachScalar(use)
    backdrop?.outline.forEachScalar(use)
    for clip in clips { clip.forEachScalar(use) }
    if let shadow {
      shadow.offset.forEachScalar(use)
      use(shadow.blur)
      shadow.color.forEachScalar(use)
    }
  }
}
