// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText

// The parts of a caption's position that depend on its lines and on the captions before it.
extension Checker {
  private static let stepsOfCaptionPlace = 50

  /// Returns the computed value of a caption's property.
  func captionValue(_ property: Property, of text: ElementNode, now: Scalar) -> Value {
    switch property {
    case .translate:
      let shift = captionShift(of: text, now: now)
      return .pair(shift.x, shift.y)
    case .fontSize: return .number(stackedFontSize(of: text, now: now))
    case .width where entry(of: text)?.writing == .horizontal:
      return .number(boxedWidth(of: text, now: now))
    // The length of a line equals that of the box, along the height of the frame.
    default: return .number(builder.scaled(parentSize(text, now: now).1, captionShare(of: text)))
    }
  }

  private func entry(of text: ElementNode) -> CaptionPlan.Entry? {
    guard let part = text.caption, let plan = text.parent?.captionPlan else { return nil }
    return plan.entries[part.entry]
  }

  /// Returns whether a text is a column of the stacked characters of a vertical caption.
  func isStackedColumn(_ text: ElementNode) -> Bool { entry(of: text)?.writing == .stackedColumns }

  /// Returns the padding of a caption's boxes across its lines or columns.
  private func paddingAcross(_ entry: CaptionPlan.Entry, now: Scalar) -> Scalar {
    let padding = boxPadding(of: entry.texts[0], now: now)
    return entry.writing == .stackedColumns ? padding.x : padding.y
  }

  private func captionShare(of text: ElementNode) -> Double {
    (entry(of: text)?.box.size ?? CaptionBox.usualSize) / 100
  }

  /// Returns the width of a horizontal caption whose boxes fit between the margins of the frame.
  private func boxedWidth(of text: ElementNode, now: Scalar) -> Scalar {
    let room = parentSize(text, now: now).0
    let padding = builder.scaled(boxPadding(of: text, now: now).x, 2)
    let free = builder.subtract(builder.scaled(room, 1 - 2 * CaptionBox.margin / 100), padding)
    let width = builder.make(.minimum, a: builder.scaled(room, captionShare(of: text)), b: free)
    return builder.make(
      .maximum, a: width, b: builder.scaled(room, CaptionBox.leastSize / 100))
  }

  /// Returns the font size at which all stacked characters fit in their column.
  private func stackedFontSize(of text: ElementNode, now: Scalar) -> Scalar {
    let (width, height) = parentSize(text, now: now)
    var size = builder.scaled(builder.make(.minimum, a: width, b: height), 0.05)
    if let parent = text.parent, inherited(.fontSize, parent) != nil {
      size = fontSize(of: parent, now: now)
    }
    var letters = 1
    for run in [text] + text.children {
      guard let (value, span) = value(.content, of: run, now: now) else { continue }
      letters += (asConstantText(value, span) ?? "").count { $0 == "\n" }
    }
    let room = builder.scaled(height, captionShare(of: text) / (1.1 * Double(letters)))
    return builder.make(.minimum, a: size, b: room)
  }

  /// Returns the translation of a caption from its position.
  private func captionShift(of text: ElementNode, now: Scalar) -> PointModel {
    guard let part = text.caption, let plan = text.parent?.captionPlan else { return .zero }
    let places = plan.places[now] ?? CaptionPlan.Places()
    plan.places[now] = places
    if places.isComputing { return .zero }
    // Earlier captions take precedence.
    places.isComputing = true
    defer { places.isComputing = false }
    while places.shifts.count <= part.entry {
      guard spend(Checker.stepsOfCaptionPlace, text.span) else { return .zero }
      places.shifts.append(shift(of: plan.entries[places.shifts.count], places, in: plan, now: now))
    }
    var shift = places.shifts[part.entry]
    let entry = plan.entries[part.entry]
    guard entry.writing != .horizontal else { return shift }
    // Columns are counted from the side of the first one.
    let step = columnStep(of: entry, now: now)
    let isFromLeft = entry.placement?.direction == .growingRight
    let columns = Double(entry.texts.count)
    let place = isFromLeft ? Double(part.column) + 0.5 : columns - Double(part.column) - 0.5
    let middle =
      entry.writing == .turned
      ? builder.scaled(thickness(of: entry, now: now), 0.5) : builder.scaled(step, place)
    shift.x = builder.add(shift.x, middle)
    return shift
  }

  /// Returns the distance between two lines of a caption.
  private func lineStep(of text: ElementNode, now: Scalar) -> Scalar {
    let height = isStackedColumn(text) ? .constant(1.25) : lineHeight(of: text, now: now)
    return builder.multiply(fontSize(of: text, now: now), height)
  }

  /// Returns the size of a vertical caption across its columns.
  private func thickness(of entry: CaptionPlan.Entry, now: Scalar) -> Scalar {
    if entry.writing == .turned { return box(of: entry.texts[0], now: now)?.height ?? .zero }
    return builder.scaled(columnStep(of: entry, now: now), Double(entry.texts.count))
  }

  /// Returns the distance between two columns of a vertical caption. Their boxes do not overlap.
  private func columnStep(of entry: CaptionPlan.Entry, now: Scalar) -> Scalar {
    builder.add(
      lineStep(of: entry.texts[0], now: now), builder.scaled(paddingAcross(entry, now: now), 2))
  }

  private func shift(
    of entry: CaptionPlan.Entry, _ places: CaptionPlan.Places, in plan: CaptionPlan,
    now: Scalar
  ) -> PointModel {
    let text = entry.texts[0]
    if let region = entry.placement?.region {
      return regionShift(of: entry, region, number: places.shifts.count, in: plan, now: now)
    }
    let size = parentSize(text, now: now)
    var shift = PointModel.zero
    if entry.writing != .horizontal {
      shift.x = columnStart(of: entry, now: now)
    } else if let placement = entry.placement, !placement.isAutomatic {
      shift.y = lineShift(of: entry, with: placement, in: size.1, now: now)
    }
    shift = inMargins(shift, of: entry, in: size, now: now)
    return avoiding(shift, of: entry, in: size, among: places, now: now)
  }

  // MARK: Lines

  /// Returns the translation of a horizontal caption, adjusted for a background so that its box,
  /// including the padding, is within the margins of the frame.
  private func inMargins(
    _ shift: PointModel, of entry: CaptionPlan.Entry, in size: (Scalar, Scalar), now: Scalar
  ) -> PointModel {
    let text = entry.texts[0]
    let padding = boxPadding(of: text, now: now)
    guard entry.writing == .horizontal, entry.placement != nil, padding != .zero,
      let place = standing(of: text, now: now), let box = box(of: text, now: now)
    else { return shift }
    let top = builder.add(place.y, shift.y)
    let x = held(place.x, length: box.width, in: size.0, padding: padding.x, isCentered: true)
    let y = held(top, length: box.height, in: size.1, padding: padding.y)
    return PointModel(
      builder.add(shift.x, builder.subtract(x, place.x)),
      builder.add(shift.y, builder.subtract(y, top)))
  }

  /// Returns the vertical translation for the "line" of a cue (W3C WebVTT section 7.2). Lines are
  /// counted from the default lines of captions. Percentages are relative to the frame, within its
  /// margin.
  private func lineShift(
    of entry: CaptionPlan.Entry, with placement: CaptionPlacement, in room: Scalar, now: Scalar
  ) -> Scalar {
    let text = entry.texts[0]
    guard let height = box(of: text, now: now)?.height else { return .zero }
    let line = placement.computedLine
    if !placement.snapsToLines {
      let share = placement.lineAlignment.share
      let top = builder.subtract(
        builder.scaled(room, line / 100), builder.scaled(height, share))
      return builder.subtract(
        held(top, length: height, in: room, padding: paddingAcross(entry, now: now)), top)
    }
    let lines = Checker.captionLines
    let rest = builder.make(
      .maximum, a: .zero,
      b: builder.subtract(builder.scaled(room, lines.bottom - lines.top), height))
    let step = lineStep(of: text, now: now)
    if line >= 0 { return builder.make(.minimum, a: builder.scaled(step, line.rounded()), b: rest) }
    // The number is the position of the first line, and all lines must be above the last line of
    // the frame.
    let up = builder.subtract(builder.scaled(step, -line.rounded()), height)
    return builder.make(
      .negate, a: builder.make(.minimum, a: builder.make(.maximum, a: up, b: .zero), b: rest))
  }

  /// Clamps the start of a text so that its box, including the padding, is within the margins of
  /// the frame. A text that is too long starts at the margin, or is centered.
  private func held(
    _ start: Scalar, length: Scalar, in room: Scalar, padding: Scalar = .zero,
    isCentered: Bool = false
  ) -> Scalar {
    let margin = CaptionBox.margin / 100
    var first = builder.add(builder.scaled(room, margin), padding)
    let end = builder.subtract(builder.scaled(room, 1 - margin), padding)
    var last = builder.subtract(end, length)
    if isCentered {
      let middle = builder.scaled(builder.subtract(room, length), 0.5)
      first = builder.make(.minimum, a: first, b: middle)
      last = builder.make(.maximum, a: last, b: middle)
    }
    return builder.make(.maximum, a: builder.make(.minimum, a: start, b: last), b: first)
  }

  /// Returns the left side of a vertical caption.
  private func columnStart(of entry: CaptionPlan.Entry, now: Scalar) -> Scalar {
    guard let placement = entry.placement else { return .zero }
    let (room, _) = parentSize(entry.texts[0], now: now)
    let width = thickness(of: entry, now: now)
    let step = lineStep(of: entry.texts[0], now: now)
    let margin = CaptionBox.margin / 100
    let line = placement.computedLine.rounded()
    let start: Scalar
    if !placement.snapsToLines {
      start = builder.subtract(
        builder.scaled(room, placement.computedLine / 100),
        builder.scaled(width, placement.lineAlignment.share))
    } else if (placement.direction == .growingLeft) == (line >= 0) {
      // From the right: the side of the first column, or of the last one.
      let end = builder.scaled(room, 1 - margin)
      let away = builder.scaled(step, line >= 0 ? line : -line)
      start = builder.subtract(end, line >= 0 ? builder.add(away, width) : away)
    } else {
      let away = builder.scaled(step, line >= 0 ? line : -line)
      start = builder.add(
        builder.scaled(room, margin), line >= 0 ? away : builder.subtract(away, width))
    }
    // The thickness of columns includes the padding.
    let padding = entry.writing == .turned ? paddingAcross(entry, now: now) : .zero
    return held(start, length: width, in: room, padding: padding)
  }

  // MARK: Other captions

  /// Returns the translation of a caption, adjusted so that it does not cover other captions if the
  /// boxes of all are constant.
  private func avoiding(
    _ shift: PointModel, of entry: CaptionPlan.Entry, in size: (Scalar, Scalar),
    among places: CaptionPlan.Places, now: Scalar
  ) -> PointModel {
    places.shown.removeAll { $0.end <= entry.start }
    guard let box = captionRect(of: entry, shiftedBy: shift, in: size, now: now),
      let width = size.0.constantValue,
      let height = size.1.constantValue,
      let step = lineStep(of: entry.texts[0], now: now).constantValue
    else { return shift }
    let lines = Checker.captionLines
    let isVertical = entry.writing == .horizontal
    let placement = entry.placement ?? CaptionPlacement()
    var area = Rect(x: 0, y: 0, width: width, height: height)
    if entry.placement != nil {
      let margin = CaptionBox.margin / 100
      // A box can extend beyond the first and last line by its padding.
      let hasPadding = boxPadding(of: entry.texts[0], now: now) != .zero
      let vertical = placement.snapsToLines && !hasPadding ? lines : (margin, 1 - margin)
      area = Rect(
        x: margin * width, y: vertical.0 * height, width: (1 - 2 * margin) * width,
        height: (vertical.1 - vertical.0) * height)
    }
    let (by, isFree) = CaptionStack.shift(
      box, vertically: isVertical, among: places.shown.map(\.box), within: area,
      step: placement.snapsToLines ? step * direction(of: entry) : nil)
    var (moved, shown) = (shift, box)
    if isVertical {
      moved.y = builder.add(shift.y, .constant(by))
      shown.y += by
    } else {
      moved.x = builder.add(shift.x, .constant(by))
      shown.x += by
    }
    // Later captions ignore one that covers another, which limits the cost of many captions. The
    // room for the lines of a horizontal caption often covers a vertical one.
    let coversOnlyOtherDirections = places.shown.allSatisfy {
      $0.isHorizontal != isVertical || $0.box.intersection(shown).area <= 0.02 * shown.area
    }
    if isFree || coversOnlyOtherDirections {
      places.shown.append(
        CaptionPlan.Shown(end: entry.end, box: shown, isHorizontal: isVertical))
    }
    return moved
  }

  /// Returns 1 if a caption moves downward or to the right, otherwise -1.
  private func direction(of entry: CaptionPlan.Entry) -> Double {
    guard let placement = entry.placement else {
      let anchor = value(.anchor, of: entry.texts[0], now: now)?.0
      if case .word(let word)? = anchor, word.hasPrefix("top") { return 1 }
      return -1
    }
    let isPositive = placement.computedLine >= 0
    return isPositive == (placement.direction != .growingLeft) ? 1 : -1
  }

  /// Returns the box of a caption with its padding in pixels, or `nil` if it changes over time.
  private func captionRect(
    of entry: CaptionPlan.Entry, shiftedBy shift: PointModel, in size: (Scalar, Scalar), now: Scalar
  ) -> Rect? {
    let padding = boxPadding(of: entry.texts[0], now: now)
    guard let x = padding.x.constantValue, let y = padding.y.constantValue,
      let rect = textRect(of: entry, shiftedBy: shift, in: size, now: now)
    else { return nil }
    let isTurned = entry.writing == .turned || entry.writing == .turnedColumns
    let (across, along) = isTurned ? (y, x) : (x, y)
    return Rect(
      x: rect.x - across, y: rect.y - along, width: rect.width + 2 * across,
      height: rect.height + 2 * along)
  }

  private func textRect(
    of entry: CaptionPlan.Entry, shiftedBy shift: PointModel, in size: (Scalar, Scalar), now: Scalar
  ) -> Rect? {
    let text = entry.texts[0]
    if entry.writing != .horizontal {
      guard let x = shift.x.constantValue, let width = thickness(of: entry, now: now).constantValue,
        let room = size.1.constantValue
      else { return nil }
      return Rect(
        x: x, y: entry.box.start / 100 * room, width: width, height: entry.box.size / 100 * room)
    }
    guard let place = standing(of: text, now: now), let box = box(of: text, now: now),
      let x = builder.add(place.x, shift.x).constantValue,
      let y = builder.add(place.y, shift.y).constantValue,
      let width = box.width.constantValue, let height = box.height.constantValue
    else { return nil }
    return Rect(x: x, y: y, width: width, height: height)
  }

  // MARK: Regions

  /// The duration of scrolling in a region, in seconds (W3C WebVTT section 7.1).
  private static let scrollTime = 0.433
  /// The number of captions before and after a caption of a region that affect its position.
  private static let greatestPush = 50

  /// Returns the translation of a caption in a region, above the later captions.
  private func regionShift(
    of entry: CaptionPlan.Entry, _ region: CaptionRegion, number: Int, in plan: CaptionPlan,
    now: Scalar
  ) -> PointModel {
    guard let place = standing(of: entry.texts[0], now: now),
      let height = paddedHeight(of: entry, now: now)
    else { return .zero }
    let frame = regionFrame(of: entry, region, now: now)
    var bottom = builder.add(frame.y, frame.height)
    var isFirst = true
    let near = max(0, number - Checker.greatestPush)..<plan.entries.count
    for index in near {
      let other = plan.entries[index]
      if index > number + Checker.greatestPush || other.start >= entry.end { break }
      guard index != number, other.placement?.region == region,
        let pushed = paddedHeight(of: other, now: now)
      else { continue }
      if index < number {
        isFirst = isFirst && other.end <= entry.start
        continue
      }
      bottom = builder.subtract(
        bottom, builder.multiply(pushed, presence(of: other, region, now: now, hasEnd: true)))
    }
    if region.scrolls, !isFirst {
      // A new caption scrolls in from below.
      let rest = builder.subtract(.one, presence(of: entry, region, now: now, hasEnd: false))
      bottom = builder.add(bottom, builder.multiply(height, rest))
    }
    let top = builder.add(builder.subtract(bottom, height), paddingAcross(entry, now: now))
    return PointModel(.zero, builder.subtract(top, place.y))
  }

  private func paddedHeight(of entry: CaptionPlan.Entry, now: Scalar) -> Scalar? {
    box(of: entry.texts[0], now: now).map {
      builder.add($0.height, builder.scaled(paddingAcross(entry, now: now), 2))
    }
  }

  /// Returns the fraction of a caption's height that takes up space in its region: from 0, before
  /// its start, to 1.
  private func presence(
    of entry: CaptionPlan.Entry, _ region: CaptionRegion, now: Scalar, hasEnd: Bool
  ) -> Scalar {
    let text = entry.texts[0]
    guard let start = start(of: text, text.span), let end = end(of: text, text.span) else {
      return .zero
    }
    let time = region.scrolls ? Checker.scrollTime * Double(Ticks.perSecond) : 0
    let come = builder.make(
      .progress, a: now, b: .constant(Double(start.rawValue)), c: .constant(time.rounded()))
    guard hasEnd else { return come }
    let isShown = builder.make(.less, a: now, b: .constant(Double(end.rawValue)))
    return builder.multiply(come, isShown)
  }

  /// Returns the box of a region, within the margins of the frame.
  private func regionFrame(
    of entry: CaptionPlan.Entry, _ region: CaptionRegion, now: Scalar
  ) -> BoxModel {
    let text = entry.texts[0]
    let (width, height) = parentSize(text, now: now)
    let lines = builder.scaled(lineStep(of: text, now: now), Double(region.lines))
    let top = builder.subtract(
      builder.scaled(height, region.viewportAnchor.y / 100),
      builder.scaled(lines, region.anchor.y / 100))
    return BoxModel(
      x: builder.scaled(width, entry.box.start / 100), y: held(top, length: lines, in: height),
      width: builder.scaled(width, entry.box.size / 100), height: lines)
  }

  /// Returns the part of a caption that is inside its region, in the coordinates of its text; `nil`
  /// without a region.
  func captionClip(of text: ElementNode) -> OutlineModel? {
    guard let entry = entry(of: text), let region = entry.placement?.region else { return nil }
    let frame = regionFrame(of: entry, region, now: now)
    guard let place = standing(of: text, now: now) else { return nil }
    let shift = captionShift(of: text, now: now)
    // The boxes of lines that fill the region extend beyond its sides.
    let padding = boxPadding(of: text, now: now).x
    return .rect(
      x: builder.subtract(builder.subtract(frame.x, place.x), padding),
      y: builder.subtract(frame.y, builder.add(place.y, shift.y)),
      width: builder.add(frame.width, builder.scaled(padding, 2)), height: frame.height,
      radius: .zero)
  }
}
