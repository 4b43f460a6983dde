// SPDX-License-Identifier: MIT

// What films are drawn with and written as: points, paths, colors and paints, Cairo's context, codecs.
@_exported public import SceneCairo
@_exported public import SceneGraphics
@_exported public import SceneIR
@_exported public import SceneLanguage
