// SPDX-License-Identifier: MIT

// The API uses the points, paths, colors, paints, Cairo contexts and codecs of these modules.
@_exported public import SceneCairo
@_exported public import SceneGraphics
@_exported public import SceneIR
@_exported public import SceneLanguage
