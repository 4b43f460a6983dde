// SPDX-License-Identifier: MIT
import CCairo
import SceneGraphics
import SceneIR

// Conversions from the types of the model to those of Cairo.

extension cairo_matrix_t {
  init(_ map: Affine) {
    self.init(xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.e, y0: map.f)
  }
}

extension StrokeStyle.Cap {
  var number: cairo_line_cap_t {
    switch self {
    case .butt: CAIRO_LINE_CAP_BUTT
    case .round: CAIRO_LINE_CAP_ROUND
    case .square: CAIRO_LINE_CAP_SQUARE
    }
  }
}

extension StrokeStyle.Join {
  var number: cairo_line_join_t {
    switch self {
    case .miter: CAIRO_LINE_JOIN_MITER
    case .round: CAIRO_LINE_JOIN_ROUND
    case .bevel: CAIRO_LINE_JOIN_BEVEL
    }
  }
}

extension DrawingContext.Edge {
  var number: cairo_extend_t {
    switch self {
    case .clear: CAIRO_EXTEND_NONE
    case .nearest: CAIRO_EXTEND_PAD
    case .tiled: CAIRO_EXTEND_REPEAT
    }
  }
}

extension Composition {
  var number: cairo_operator_t {
    switch self {
    case .source: CAIRO_OPERATOR_SOURCE
    case .blend(let mode): mode.number
    }
  }
}

extension BlendMode {
  /// The corresponding Cairo operator, which uses the same formulas (PDF 1.7 section 11.3.5).
  fileprivate var number: cairo_operator_t {
    switch self {
    case .normal: CAIRO_OPERATOR_OVER
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .hue: CAIRO_OPERATOR_HSL_HUE
    case .saturation: CAIRO_OPERATOR_HSL_SATURATION
    case .color: CAIRO_OPERATOR_HSL_COLOR
    case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .plusLighter: CAIRO_OPERATOR_ADD
    }
  }
}
