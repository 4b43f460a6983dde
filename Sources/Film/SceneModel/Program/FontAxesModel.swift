// SPDX-License-Identifier: MIT
import SceneIR

/// The values of axes of variable fonts.
package struct FontAxesModel: Hashable, Sendable, Encodable {
  /// The optical size of a font.
  package enum OpticalSize: Hashable, Sendable, Encodable {
    /// The optical size that the font file declares.
    case none
    /// The font size. Families with a second family for large sizes use that.
    case auto
    case fixed(Scalar)
  }

  /// The value of an axis, by its OpenType tag.
  package struct Axis: Hashable, Sendable, Encodable {
    package let tag: String
    package let value: Scalar

    package init(tag: String, value: Scalar) {
      self.tag = tag
      self.value = value
    }
  }

  /// The axes that are set by tag, which take precedence, sorted.
  package var axes: [Axis] = []
  /// The width as a factor of the normal width.
  package var width = Scalar.one
  package var opticalSize = OpticalSize.none
  /// The families for large sizes, if the optical size is automatic and there are any.
  package var displayFamilies: [String] = []

  /// The font size from which text uses the families for large sizes, in pixels.
  fileprivate static let displaySize = 40.0

  package init() {}

  package var isDefault: Bool { self == FontAxesModel() }
}

extension FontAxesModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    for axis in axes { use(axis.value) }
    use(width)
    if case .fixed(let size) = opticalSize { use(size) }
  }
}

extension Evaluator {
  /// Applies the axes to a font.
  func apply(_ model: FontAxesModel, to font: inout FontSpec) {
    if model.isDefault { return }
    var values: [String: Double] = [:]
    let width = self(model.width)
    if width != 1 { values["wdth"] = 100 * width }
    switch model.opticalSize {
    case .none: break
    case .auto:
      values["opsz"] = font.size
      if font.size >= FontAxesModel.displaySize, !model.displayFamilies.isEmpty {
        font.families = model.displayFamilies
      }
    case .fixed(let size): values["opsz"] = self(size)
    }
    for axis in model.axes { values[axis.tag] = self(axis.value) }
    font.axes = values.sorted { $0.key < $1.key }.map { FontAxis(tag: $0.key, value: $0.value) }
  }
}
