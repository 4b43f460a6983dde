// SPDX-License-Identifier: MIT
package import SceneIR

/// The effects applied to an element as a layer, in this order: the combination of two clips,
/// filters, clips, mask, shadow, blend mode. `backdrop` applies to the layers behind the element.
package struct StyleModel: Hashable, Sendable, Encodable {
  /// The pixel function that combines the two children, the clips of a transition.
  package var crossing: PixelModel?
  package var filters: [FilterModel] = []
  /// The box whose edge pixels extend infinitely in the input of the filters.
  package var extended: OutlineModel?
  /// The filtered backdrop, which is clipped, masked and faded with the element.
  package var backdrop: BackdropModel?
  /// Clip outlines in the element's coordinates; their intersection is drawn.
  package var clips: [OutlineModel] = []
  package var mask: MaskModel?
  package var shadow: ShadowModel?
  package var blend = BlendMode.normal
  /// The encoding of colors in which the element is blurred and composited.
  package var light = Light.srgb
  /// Whether the children are blended with each other before they are blended with the backdrop
  /// (CSS `isolation: isolate`).
  package var isIsolated = false

  package init() {}

  package var isPlain: Bool { self == StyleModel() }
}

/// A mask: elements whose alpha or luminance is multiplied by the alpha of another element, in the
/// coordinates of that element's children.
package struct MaskModel: Hashable, Sendable, Encodable {
  package var elements: [ElementModel]
  package var style: MaskStyle

  package init(_ elements: [ElementModel], style: MaskStyle) {
    self.elements = elements
    self.style = style
  }

  /// The elements are encoded by the caller, which knows their visibility.
  private enum CodingKeys: CodingKey { case style }
}

/// A glass effect: filters that change the layers behind an element inside an outline.
package struct BackdropModel: Hashable, Sendable, Encodable {
  package var filters: [FilterModel]
  /// The outline in the element's coordinates.
  package var outline: OutlineModel

  package init(_ filters: [FilterModel], outline: OutlineModel) {
    self.filters = filters
    self.outline = outline
  }
}

/// A blurred copy of a drawing in a single color, painted below the drawing.
package struct ShadowModel: Hashable, Sendable, Encodable {
  package var offset: PointModel
  /// The blur radius as in CSS: twice the standard deviation.
  package var blur: Scalar
  package var color: ColorModel

  package init(offset: PointModel, blur: Scalar, color: ColorModel) {
    self.offset = offset
    self.blur = blur
    self.color = color
  }
}

/// A filter with variable numbers.
package enum FilterModel: Hashable, Sendable, Encodable {
  /// The CSS filters that are color matrices with one parameter.
  package enum Kind: String, Hashable, Sendable, Encodable, CaseIterable {
    case brightness, contrast, saturate, grayscale, invert, sepia
    case hueRotate = "hue-rotate"

    /// The parameter with which the filter does not change colors.
    package var neutral: Scalar {
      switch self {
      case .brightness, .contrast, .saturate: .one
      case .grayscale, .invert, .sepia, .hueRotate: .zero
      }
    }
  }

  case blur(Scalar)
  case color(Kind, Scalar)
  case table(ColorTable)
  case chromaKey(ColorModel, tolerance: Scalar, softness: Scalar)
  case pixels(PixelModel)
}

extension FilterModel {
  /// Whether the filter reads pixels at positions other than that of the computed pixel.
  package var readsAround: Bool {
    if case .pixels(let model) = self { model.program.readsAround } else { false }
  }
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
    case .pixels(let model): model.forEachScalar(use)
    }
  }
}

extension StyleModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    crossing?.forEachScalar(use)
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
