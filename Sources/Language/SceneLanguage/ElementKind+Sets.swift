// SPDX-License-Identifier: MIT

extension Set<ElementKind> {
  static let lasting = Set(ElementKind.allCases.filter(\.hasLife))
  /// The kinds that play media with their own clock; a scene used as an element counts as a video.
  static let players: Self = [.video, .audio]
  /// The kinds that play a sound of their own.
  static let voices = players.union([.description])
  /// The kinds that a person who cannot see the video may need to know about.
  static let described = lasting.union([.scene]).subtracting([.description])
  /// The kinds that have sound or may contain elements with sound.
  static let sounding = voices.union(layouts).union(groups).union([.scene, .sequence, .camera])
  static let drawn = Set(ElementKind.allCases.filter(\.isDrawn))
  /// The drawn kinds with their own box, which can be moved and rotated.
  static let placed = drawn.subtracting([.particles])
  static let shapes = Set(ElementKind.allCases.filter(\.isShape))
  static let openLines = Set(ElementKind.allCases.filter(\.isOpenLine))
  static let standingByCoordinates = Set(ElementKind.allCases.filter(\.standsByCoordinates))
  static let groups = Set(ElementKind.allCases.filter(\.isGroup))
  /// The kinds that can have a perspective for their contents, apart from scenes.
  static let spaces = groups.union(layouts).union([.camera])
  static let layouts = Set(ElementKind.allCases.filter(\.isLayout))
  /// Layouts with a main and a cross axis.
  static let lines: Self = [.row, .column]
  /// The kinds with a resizable box.
  static let resizable = layouts.union(groups).union([
    .rect, .image, .svg, .video, .sequence, .camera,
  ])
  /// The parts of a text that can move separately.
  static let parts: Self = [.each, .span]
  /// The kinds that can be animated as a whole.
  static let moving = placed.union(parts)
  static let texts: Self = [.text, .span, .captions]
  /// The kinds with a rectangular box.
  static let boxes = layouts.union(media).union([.rect])
  /// The kinds that draw a file.
  static let media = Set(ElementKind.allCases.filter(\.isMedia))
  /// The kinds whose corners can be rounded.
  static let cornered = boxes.union([.path, .polyline, .polygon, .star])
  /// The kinds with a fill and a stroke.
  static let painted = shapes.union(texts).union(layouts).union([.math, .part])
  /// The kinds with a stroke; that of media follows their box.
  static let stroked = painted.union(media)
  /// The kinds that are drawn as outlines, or contain such elements.
  static let roughened = shapes.union(layouts).union(groups).union([
    .scene, .sequence, .camera, .text, .captions, .math,
  ])
  /// The kinds that can set the font of the texts inside them.
  static let fontHolders = drawn.union([.scene, .span])
}
