// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel

// The cost of paints and filters, in the steps of `DrawingWork`.

extension FilterModel {
  /// The steps per pixel.
  var work: Double {
    switch self {
    case .blur: 12
    case .color, .table, .chromaKey: 14
    case .pixels(let model): 4 + model.program.work
    }
  }
}

extension PaintModel {
  /// The steps per pixel.
  var work: Double {
    switch self {
    case .color: 0.6
    case .linear, .pattern: 8
    case .radial: 12
    case .conic: 24
    case .pixels(let model): 4 + model.program.work
    }
  }

  /// Whether the paint is computed for each pixel of the painted bounds.
  var isComputed: Bool {
    switch self {
    case .color, .pattern: false
    case .linear, .radial, .conic, .pixels: true
    }
  }
}
