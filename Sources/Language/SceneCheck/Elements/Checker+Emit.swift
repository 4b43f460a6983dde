// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Generation of model elements from instances.
extension Checker {
  func emitChildren(of parent: ElementNode) -> [ElementModel] {
    elaborate(parent)
    if let shown = parent.shown, hasOwnClock(parent) {
      return emitShown(shown, in: parent)
    }
    if parent.kind == .sequence { return emitClips(of: parent) }
    let clip = parent.clip.flatMap(emitClip).map { [$0] } ?? []
    if parent.kind == .svg || isVectorPart(parent) {
      return vectorElements(of: parent)
        + parent.children.filter { $0.kind.isDrawn && $0.kind != .part }.compactMap(emitOne)
    }
    let moving =
      parent.kind == .math || parent.kind == .part
      ? formulaElements(of: parent) : parent.kind == .text ? codeElements(of: parent) : []
    return clip + moving
      + parent.children.filter { $0.kind.isDrawn || $0.kind == .scene }.compactMap(emitOne)
  }

  func emitOne(_ i: ElementNode) -> ElementModel? {
    if reports.isCancelled { return nil }
    let outer = current
    current = i
    defer { current = outer }
    elaborate(i)
    let start = self.start(of: i, i.span)
    let end = shownEnd(of: i, i.span)
    // Evaluated for its errors. A step is shown beyond its end.
    _ = self.end(of: i, i.span)
    let placement =
      isVectorPart(i) ? makePlacement(of: i, now: now) : self.placement(of: i, now: now)
    let drawing = self.drawing(of: i)
    checkUnread(i)
    if let source = i.properties[.transition], i.kind != .sequence, i.parent?.kind != .sequence {
      _ = report(
        .propertyElsewhere, "'transition' must be inside a sequence or one of its clips",
        at: source.nameSpan, label: "use 'enter' and 'exit' for other elements")
    }
    for property in [Property.stagger, .timeStep, .boil] {
      if let source = i.properties[property] { _ = time(source, of: i, "'\(property.name)'") }
    }
    var children = emitChildren(of: i)
    if let name = placeholderName(of: i) { children.append(name) }
    var style = self.style(of: i)
    if i.kind == .scene || i.kind == .camera || i.kind == .sequence,
      let box = self.box(of: i, now: now)
    {
      style.clips.append(
        .rect(x: box.x, y: box.y, width: box.width, height: box.height, radius: .zero))
      if i.kind == .scene, let ground = ground(of: i, box) { children.insert(ground, at: 0) }
    }
    if let clip = vectorClip(of: i) { style.clips.append(clip) }
    var content = AffineModel.identity
    if !children.isEmpty || style.mask != nil {
      content = contentMap(of: i, now: now) ?? .identity
    }
    // The opacity of particles is that of each particle.
    let opacity = i.kind == .particles ? .one : self.opacity(of: i)
    guard let start, let end, let placement else { return nil }
    if i.kind == .steps { warnOfCutStep(in: i) }
    if !i.changes.isEmpty || parameterReads.isActive {
      warnOfMissedChanges(of: i, from: start, to: end)
    }
    var model = ElementModel(
      kind: i.kindName, name: i.syntax.name?.text, span: i.span,
      start: start, end: end, transform: placement, content: content,
      depth: depth(of: i, now: now), perspective: perspective(of: i, now: now), opacity: opacity,
      visible: bool(.visible, of: i, now: now), z: number(.z, of: i, now: now), drawing: drawing,
      rough: drawing.isNothing ? nil : rough(of: i, now: now),
      lineBoxes: lineBoxes(of: i, now: now), style: style, children: children,
      isCaptions: i.kind == .captions)
    if i.kind.isMedia, i.properties[.stroke] != nil { model = framed(model, i) }
    recording?.note(model, of: i.id, at: now)
    return model
  }

  /// Returns media with the stroke of its box. Corners clip the media, but not the stroke.
  private func framed(_ model: ElementModel, _ i: ElementNode) -> ElementModel {
    guard let box = self.box(of: i, now: now), let outline = ownOutline(of: i, now: now) else {
      return model
    }
    let isClipped = corners(of: i) || model.style.extended != nil
    guard let stroke = stroke(of: i, now: now, box: box) else {
      var style = model.style
      if isClipped { style.clips.insert(outline, at: 0) }
      return model.with(style: style)
    }
    func inner(
      _ drawing: ElementModel.Drawing, style: StyleModel = StyleModel(),
      children: [ElementModel] = []
    ) -> ElementModel {
      let part = ElementModel(
        kind: model.kind, name: model.name, span: model.span, start: model.start, end: model.end,
        drawing: drawing, style: style, children: children)
      recording?.note(part, of: i.id, at: now)
      return part
    }
    var style = StyleModel()
    if isClipped { style.clips.append(outline) }
    let media = inner(model.drawing, style: style, children: model.children)
    let line = inner(.outline(outline, fill: nil, stroke: stroke, trim: nil))
    return model.with(
      drawing: .nothing, children: strokeIsFirst(i) ? [line, media] : [media, line])
  }

  /// Returns the background of a scene as an element; `nil` if it has none.
  private func ground(of i: ElementNode, _ box: BoxModel) -> ElementModel? {
    guard let start = self.start(of: i, i.span), let end = self.end(of: i, i.span),
      let paint = background(of: i)
    else { return nil }
    return ElementModel(
      kind: "background", name: nil, span: i.span, start: start, end: end,
      z: .constant(-.infinity),
      drawing: .outline(
        .rect(x: .zero, y: .zero, width: box.width, height: box.height, radius: .zero),
        fill: paint, stroke: nil, trim: nil))
  }

  private static let readEarly: Set<Property> = [
    .at, .for, .style, .enter, .exit, .stagger, .timeStep, .trim, .speed, .transition,
    .fadeIn, .fadeOut,
  ]

  /// Evaluates properties that drawing did not use, so that their errors are reported.
  func checkUnread(_ i: ElementNode) {
    checkAlternative(of: i)
    warnOfIdle(i)
    warnOfMissingPercent(i)
    warnOfIdleGrowth(of: i)
    warnOfIdleAlignment(of: i)
    for property in i.properties.keys { checkProperty(property, of: i) }
    warnOfIdleEffects(of: i)
    for child in i.children where child.kind == .span { checkUnread(child) }
    // Effects in an `each` are resolved only in its units.
    for child in i.children where child.kind == .each {
      if let part = child.parts.first { warnOfIdleEffects(of: part) }
    }
  }

  /// Evaluates a property, so that its errors are reported.
  func checkProperty(_ property: Property, of i: ElementNode) {
    guard !Checker.readEarly.contains(property),
      i.kind != .particles || !Checker.isOfEachParticle(property),
      let (value, span) = self.value(property, of: i, now: now)
    else { return }
    // These two properties have special conversions.
    if ![.lineHeight, .focus].contains(property), let type = use(of: property, in: i)?.type {
      checkType(value, against: type, at: span, of: i)
    }
  }

  /// Warns about properties that have no effect because a required property is missing. Properties
  /// of styles are excluded, since a style applies to many elements.
  private func warnOfIdle(_ i: ElementNode) {
    warnOfIdleBox(of: i)
    // Captions have a default outline, and parts of an SVG have the paints of the file.
    if i.kind == .captions || isVectorPart(i) { return }
    if let source = i.properties[.profileOf], source.made == nil, source.scope === i.scope,
      i.properties[.taper] == nil, i.properties[.strokeProfile] == nil
    {
      report(
        Diagnostic(
          .idleProperty, "'profile-of' has no effect without 'taper' or 'stroke-profile'",
          at: source.nameSpan, label: "set one of them as well"))
    }
    let parts = i.children.filter { $0.kind == .each }
    for property in i.properties.given {
      guard let needed = property.declaration.needed, i.properties[needed] == nil,
        let source = i.properties[property], source.made == nil, source.scope === i.scope,
        initial(needed, of: i) != .ink || !isInked(i),
        !parts.contains(where: { $0.properties[needed] != nil }),
        !needed.declaration.isInherited
          || inherited(needed, i) == nil && !isGiven(needed, inside: i)
      else { continue }
      report(
        Diagnostic(
          .idleProperty, "'\(property.name)' has no effect without '\(needed.name)'",
          at: source.nameSpan, label: "set '\(needed.name)' as well"))
    }
  }

  /// Reports a value that does not fit the type of its property.
  private func checkType(
    _ value: Value, against type: PropertyType, at span: SourceSpan, of i: ElementNode
  ) {
    let one = Scalar.one
    switch type {
    case .easing: _ = asEasing(value, span)
    case .word(let words): _ = asWord(value, span, from: words)
    case .text where ![.text, .span, .image, .svg, .math, .part].contains(i.kind):
      _ = asText(value, span)
    case .number, .share: _ = asNumber(value, span)
    case .angle: _ = asAngle(value, span)
    case .bool: _ = asBool(value, span)
    case .gain: _ = asGain(value, span)
    case .pan: _ = asPan(value, span, of: i)
    case .length, .lengthX, .lengthY, .fontLength: _ = asLength(value, span, of: one)
    case .shift: _ = asShift(value, span, of: one)
    case .perspective: asDistance(value, span)
    case .axes: _ = asAxes(value, span)
    case .colors: _ = asCodeColors(value, span)
    case .opticalSize: _ = asOpticalSize(value, span)
    case .lengths:
      if case .none = value { return }
      for item in asList(value) { _ = asLength(item, span, of: one) }
    case .numbers: for item in asList(value) { _ = asNumber(item, span) }
    case .factors: _ = asFactors(value, span)
    case .angles: _ = asAngles(value, span)
    case .point: _ = asPoint(value, span, in: context(of: i, now: now), width: one, height: one)
    case .ownPoint:
      if case .word = value { return }
      _ = asPoint(value, span, in: context(of: i, now: now), width: one, height: one)
    default: break
    }
  }

  private func drawing(of i: ElementNode) -> ElementModel.Drawing {
    switch i.kind {
    case .image: return imageDrawing(i, now: now)
    case .video: return clipDrawing(i, now: now)
    case .text: return textDrawing(i)
    case .svg: return vectorDrawing(i)
    case .part where isVectorPart(i): return .nothing
    case .math, .part: return formulaDrawing(i)
    case .arrow: return arrowDrawing(i)
    case .particles: return particleDrawing(i)
    default: break
    }
    let outline = i.kind.isLayout ? panel(of: i) : self.outline(of: i, now: now)
    guard let outline else { return .nothing }
    func paintBox() -> BoxModel? { box(of: i, now: now) }
    var fill = self.fill(of: i, now: now, box: paintBox())
    let hasPaint = [.fill, .stroke, .backdropFilter].contains { i.properties[$0] != nil }
    var lineInk: PaintModel?
    if !hasPaint {
      let ink = ink(for: i, now: now)
      if isLine(i) { lineInk = ink } else { fill = ink }
    }
    let stroke = self.stroke(of: i, now: now, box: paintBox(), fallback: lineInk)
    return outlineDrawing(
      outline, fill: fill, stroke: stroke, of: i, strokeIsFirst: strokeIsFirst(i))
  }

  /// Returns whether an element without paints is drawn as a line. In a `clip` or `mask`, it is an
  /// area, as in SVG, since no stroke applies there.
  func isLine(_ i: ElementNode) -> Bool {
    guard [.path, .polyline].contains(i.kind) else { return i.kind.isOpenLine }
    if [.strokeWidth, .dash, .trim].contains(where: { i.properties[$0] != nil }) { return true }
    var around = i.parent
    while let it = around, it.kind != .clip, it.kind != .mask { around = it.parent }
    return around == nil
  }

  /// Returns the outline of a row, column or grid with a paint; `nil` for other elements.
  private func panel(of i: ElementNode) -> OutlineModel? {
    let isPainted = i.properties[.fill] != nil || i.properties[.stroke] != nil
    return isPainted ? ownOutline(of: i, now: now) : nil
  }

  func strokeIsFirst(_ i: ElementNode) -> Bool {
    guard let (value, span) = value(.paintOrder, of: i, now: now) else { return false }
    return asWord(value, span, from: ["fill", "stroke"]) == "stroke"
  }

  private func textDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    if changingCode(of: i, now: now) != nil { return .nothing }
    guard let text = textModel(of: i, now: now) else { return .nothing }
    warnOfMissingGlyphs(text, i)
    requireOneLine(of: i, text)
    let trim = trim(of: i)
    // Paints of outlines span the letters on the path, other paints follow them.
    let paints = textPaints(
      of: i, in: trim == nil ? layoutBox(of: i, now: now) : box(of: i, now: now))
    if trim == nil, let line = textLine(of: i, text, paints) { return line }
    let units = trim == nil ? textUnits(of: i, text) : nil
    if trim != nil || hasBrush(paints, in: i, units) {
      // Drawn as outlines, with the paints of the first run.
      return outlineDrawing(
        .path(glyphs(of: i, text, now: now)), fill: paints[0].fill, stroke: paints[0].stroke,
        of: i, strokeIsFirst: paints[0].strokeIsFirst)
    }
    return .text(text, paints: paints, origin: .zero, units: units)
  }

  /// Returns the drawing of a text that consists of lines only and is drawn as one line; `nil` for
  /// all other texts.
  private func textLine(of i: ElementNode, _ text: TextModel, _ paints: [TextPaintModel])
    -> ElementModel.Drawing?
  {
    guard paints.count == 1, paints[0].fill?.isInvisible != false, paints[0].stroke != nil,
      !i.children.contains(where: { $0.kind == .each }), let trim = trim(of: i, isLine: true)
    else { return nil }
    let own = followsPath(i) ? textPaints(of: i, in: box(of: i, now: now))[0] : paints[0]
    return .outline(
      .path(glyphs(of: i, text, now: now)), fill: own.fill, stroke: own.stroke, trim: trim,
      strokeIsFirst: own.strokeIsFirst, writing: writing(of: i, isLine: true))
  }

  /// Returns the paints of the runs of a text. Gradients refer to `box`.
  func textPaints(of i: ElementNode, in box: @autoclosure () -> BoxModel?)
    -> [TextPaintModel]
  {
    if let code = constantCode(of: i, now: now) { return codePaints(code, of: i) }
    var ink: PaintModel?
    return textRuns(of: i).map { run -> TextPaintModel in
      // A span inherits the paint of its text.
      let chain = sequence(first: run) { $0 === i ? nil : $0.parent }
      let filler = chain.first { $0.properties[.fill] != nil }
      let stroker = chain.first { $0.properties[.stroke] != nil }
      var fill = filler.flatMap { self.fill(of: $0, now: now, box: box()) }
      let stroke = stroker.flatMap { self.stroke(of: $0, now: now, box: box()) }
      if filler == nil, stroker == nil {
        if ink == nil { ink = self.ink(for: i, now: now) }
        fill = ink
      }
      return TextPaintModel(fill: fill, stroke: stroke, strokeIsFirst: strokeIsFirst(i))
    }
  }

  /// Returns whether a brush draws the letters of a text, which is an error if they move
  /// separately.
  private func hasBrush(_ paints: [TextPaintModel], in i: ElementNode, _ units: TextUnitsModel?)
    -> Bool
  {
    guard paints.contains(where: { $0.stroke?.brush != nil }) else { return false }
    // A text on a path is drawn as outlines on the path.
    var moved = units ?? TextUnitsModel()
    (moved.along, moved.alongStart, moved.isBent) = (nil, .zero, false)
    moved.writing = nil
    // A trimmed text has the paints of its first run.
    if moved != TextUnitsModel() || paints.count > 1 {
      let source = i.properties[.stroke]
      _ = report(
        .propertyElsewhere, "a brush cannot draw letters that move or are painted separately",
        at: source?.value.span ?? i.span,
        help: "use a text without spans, 'each' and 'type', or a different stroke")
    }
    return true
  }
}
