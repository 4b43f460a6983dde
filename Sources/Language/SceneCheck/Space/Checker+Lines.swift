// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// The layout of a row or column: one line along its main axis, or several if it wraps. The rules
// are those of CSS Flexbox (https://www.w3.org/TR/css-flexbox-1/), with `center` as the default
// alignment.
extension Checker {
  /// The free space before the first child of a line, and between children in addition to the gap.
  private struct Spacing {
    var lead = Scalar.zero
    var between = Scalar.zero
  }

  func lines(of i: ElementNode, children: [ElementNode], boxes: [BoxModel], now: Scalar)
    -> LayoutModel
  {
    let main = i.kind.mainSide
    let (gaps, insets) = (self.lengths(.gap, of: i, now: now), self.insets(of: i, now: now))
    let gap = main.of(gaps)
    let breaks = lineBreaks(
      of: i, children: children, lengths: boxes.map(main.of), insets: insets, now: now)
    let baselines = zip(children, boxes).map { child, box in
      selfAlignment(of: child, in: i) == .baseline ? baseline(of: child, in: box, now: now) : nil
    }
    let lineLengths = breaks.map { line in
      line.dropFirst().reduce(line.first.map { main.of(boxes[$0]) } ?? .zero) {
        builder.add(builder.add($0, gap), main.of(boxes[$1]))
      }
    }
    let depths = zip(children, boxes).map { child, box in
      stretchedSide(of: child) == main.other
        ? natural(main.other, of: child, now: now) : main.other.of(box)
    }
    let lineDepths = breaks.map {
      depth(of: $0, children: children, depths: depths, baselines: baselines)
    }
    var content = greatest(lineLengths)
    // A line break means that the full length is used.
    if breaks.count > 1, let whole = longest(i, along: main, now: now) {
      content = builder.make(.maximum, a: content, b: builder.subtract(whole, insets.sum(main)))
    }
    let across = lineDepths.dropFirst().reduce(lineDepths.first ?? .zero) {
      builder.add(builder.add($0, main.other.of(gaps)), $1)
    }
    let size = [
      main: builder.add(content, insets.sum(main)),
      main.other: builder.add(across, insets.sum(main.other)),
    ]
    var layout = LayoutModel(width: size[.width] ?? .zero, height: size[.height] ?? .zero)
    let room = self.room(main, content: content, insets: insets, of: i, now: now)
    let wholeDepth = self.room(main.other, content: across, insets: insets, of: i, now: now)
    let isMirrored = i.kind == .row && isRightToLeft(i)
    var (start, stretch) = startOfLines(
      of: i, count: lineDepths.count, across: across, depth: wholeDepth)
    for (number, line) in breaks.enumerated() {
      let free = room.map { builder.subtract($0, lineLengths[number]) } ?? .zero
      let spacing = justified(i, free: free, count: line.count)
      let lineDepth =
        wraps(i) ? builder.add(lineDepths[number], stretch.lead) : wholeDepth ?? lineDepths[number]
      let lowest = greatest(line.compactMap { baselines[$0] })
      var at = spacing.lead
      for index in line {
        let (length, own) = (main.of(boxes[index]), main.other.of(boxes[index]))
        var place = at
        if isMirrored {
          place = builder.subtract(builder.subtract(room ?? content, at), length)
        }
        let shift =
          baselines[index].map { builder.subtract(lowest, $0) }
          ?? crossShift(of: children[index], in: i, builder.subtract(lineDepth, own))
        let along = builder.add(insets.start(main), place)
        let crossing = builder.add(insets.start(main.other), builder.add(start, shift))
        layout.places[children[index].id] =
          main == .width ? PointModel(along, crossing) : PointModel(crossing, along)
        at = builder.add(builder.add(at, length), builder.add(gap, spacing.between))
      }
      start = builder.add(
        builder.add(start, lineDepth), builder.add(main.other.of(gaps), stretch.between))
    }
    return layout
  }

  // MARK: Main axis

  func wraps(_ i: ElementNode) -> Bool {
    guard i.kind.isLine, i.properties[.wrap] != nil,
      let (value, span) = value(.wrap, of: i, now: now)
    else { return false }
    return asBool(value, span)?.constantValue == 1
  }

  /// Returns the indices of the children in each line. `lengths` are the main sides before growth.
  func lineBreaks(
    of i: ElementNode, children: [ElementNode], lengths: [Scalar], insets: Insets, now: Scalar
  ) -> [Range<Int>] {
    let one = children.isEmpty ? [] : [children.indices]
    let main = i.kind.mainSide
    guard wraps(i), children.count > 1 else { return one }
    guard let whole = longest(i, along: main, now: now) else { return one }
    let known = zip(children, lengths).map { child, length in
      (growingSide(of: child) == main ? shortest(child, along: main, now: now) : length)
        .constantValue
    }
    guard let room = builder.subtract(whole, insets.sum(main)).constantValue,
      let gap = main.of(self.lengths(.gap, of: i, now: now)).constantValue, !known.contains(nil)
    else {
      if let source = i.properties[.wrap] {
        var diagnostic = Diagnostic(
          .notConstant, "the lengths in a \(i.kind.rawValue) that wraps cannot change over time",
          at: source.value.span, label: "the line breaks would jump")
        if let index = known.firstIndex(of: nil) {
          let child = children[index]
          let canBeSet = child.kind == .text && main == .width
          let constant = canBeSet ? "set a constant 'width', or " : ""
          diagnostic.notes = [
            Note("the \(main) of this \(child.kindName) changes", at: child.span),
            Note(help: "\(constant)animate 'scale', which does not affect the layout"),
          ]
        }
        report(diagnostic)
      }
      return one
    }
    var (lines, begin, end): ([Range<Int>], Int, Double) = ([], 0, 0)
    for (index, length) in known.enumerated() {
      let length = length ?? 0
      if index > begin, end + gap + length > room + 1e-6 {
        lines.append(begin..<index)
        begin = index
      }
      end = index == begin ? length : end + gap + length
    }
    return lines + [begin..<children.count]
  }

  /// Returns the length at which a row or column wraps: its own or its maximum length, or that of
  /// an enclosing column or row; `nil` if none of them is known.
  private func longest(_ i: ElementNode, along side: BoxSide, now: Scalar) -> Scalar? {
    if let own = ownLength(along: side, of: i, now: now)
      ?? limit(side.greatest, along: side, of: i, now: now)
    {
      return own
    }
    guard let parent = i.parent, parent.kind.isLine, parent.kind.mainSide != side,
      let whole = ownLength(along: side, of: parent, now: now)
    else { return nil }
    return builder.subtract(whole, insets(of: parent, now: now).sum(side))
  }

  /// Returns the spacing that distributes the free space of a line.
  private func justified(_ i: ElementNode, free: Scalar, count: Int) -> Spacing {
    if let (value, span) = value(.justify, of: i, now: now) {
      let words = Distribution.allCases.map(\.rawValue)
      let word = asWord(value, span, from: words).flatMap(Distribution.init)
      return spacing(word ?? .start, free: free, count: count)
    }
    if i.properties[.align] != nil { return Spacing() }
    return spacing(.center, free: builder.make(.maximum, a: .zero, b: free), count: count)
  }

  private func spacing(_ distribution: Distribution, free: Scalar, count: Int) -> Spacing {
    // Children overflow at the end, unless they are centered or aligned to the end.
    let some = builder.make(.maximum, a: .zero, b: free)
    func part(_ number: Int) -> Scalar { builder.scaled(some, 1 / Double(max(1, number))) }
    return switch distribution {
    case .start, .stretch: Spacing()
    case .center: Spacing(lead: builder.scaled(free, 0.5))
    case .end: Spacing(lead: free)
    case .spaceBetween: Spacing(between: count > 1 ? part(count - 1) : .zero)
    case .spaceAround: Spacing(lead: part(2 * count), between: part(count))
    case .spaceEvenly: Spacing(lead: part(count + 1), between: part(count + 1))
    }
  }

  private func isRightToLeft(_ i: ElementNode) -> Bool {
    guard case (.word(let word), _)? = inheritedValue(.direction, of: i, now: now) else {
      return false
    }
    return word == TextDirection.rightToLeft.rawValue
  }

  // MARK: Cross axis

  /// Returns `align-self` of a child, by default `align` of its row or column; `nil` if neither is
  /// set.
  func selfAlignment(of child: ElementNode, in parent: ElementNode) -> Alignment? {
    elaborate(child)
    guard child.properties[.alignSelf] != nil,
      let (value, span) = value(.alignSelf, of: child, now: now)
    else { return alignment(of: parent) }
    return asWord(value, span, from: parent.kind.alignments.map(\.rawValue)).flatMap(Alignment.init)
  }

  private func crossShift(of child: ElementNode, in parent: ElementNode, _ free: Scalar) -> Scalar {
    switch selfAlignment(of: child, in: parent) {
    case .top, .left, .stretch, .baseline: .zero
    case .bottom, .right: free
    case .center: builder.scaled(free, 0.5)
    case nil: builder.scaled(builder.make(.maximum, a: .zero, b: free), 0.5)
    }
  }

  /// Returns the distance from the top of a child's box to its first baseline, or to its bottom if
  /// it has none.
  private func baseline(of child: ElementNode, in box: BoxModel, now: Scalar) -> Scalar {
    switch child.kind {
    case .text:
      guard let text = textModel(of: child, now: now) else { return box.height }
      return extent(of: text, in: child).baseline
    case .row, .column:
      let children = laidOut(in: child)
      let aligned = children.first { selfAlignment(of: $0, in: child) == .baseline }
      guard let first = child.kind == .row ? aligned ?? children.first : children.first,
        let place = layout(of: child, now: now)?.places[first.id],
        let own = self.box(of: first, now: now)
      else { return box.height }
      return builder.add(place.y, baseline(of: first, in: own, now: now))
    default: return box.height
    }
  }

  /// Returns the cross size of a line.
  private func depth(
    of line: Range<Int>, children: [ElementNode], depths: [Scalar], baselines: [Scalar?]
  ) -> Scalar {
    // A rectangle without a size determines the cross size only if all children are such
    // rectangles.
    let known = line.filter { children[$0].kind != .rect || stretchedSide(of: children[$0]) == nil }
    let line = known.isEmpty ? Array(line) : known
    let plain = line.filter { baselines[$0] == nil }.map { depths[$0] }
    let aligned = line.compactMap { index in baselines[index].map { (index, $0) } }
    guard !aligned.isEmpty else { return greatest(plain) }
    let above = greatest(aligned.map(\.1))
    let below = greatest(aligned.map { builder.subtract(depths[$0.0], $0.1) })
    return greatest(plain + [builder.add(above, below)])
  }

  /// Returns the start of the first line, the additional length of each line (`lead`), and the
  /// additional gap.
  private func startOfLines(of i: ElementNode, count: Int, across: Scalar, depth: Scalar?) -> (
    start: Scalar, stretch: Spacing
  ) {
    guard wraps(i), let depth else { return (.zero, Spacing()) }
    let free = builder.subtract(depth, across)
    let distribution: Distribution = word(.alignContent, of: i)
    if distribution == .stretch {
      let part = builder.scaled(
        builder.make(.maximum, a: .zero, b: free), 1 / Double(max(1, count)))
      return (.zero, Spacing(lead: part))
    }
    let spacing = spacing(distribution, free: free, count: count)
    return (spacing.lead, Spacing(between: spacing.between))
  }

  // MARK: Stretching

  /// Returns the cross length of each stretched child by id, which is that of its line.
  func lineDepths(of i: ElementNode, now: Scalar) -> [Int: Scalar] {
    let (main, children, insets) = (i.kind.mainSide, laidOut(in: i), insets(of: i, now: now))
    let lines = lineBreaks(
      of: i, children: children, lengths: children.map { natural(main, of: $0, now: now) },
      insets: insets, now: now)
    let naturals = children.map { natural(main.other, of: $0, now: now) }
    let none = [Scalar?](repeating: nil, count: children.count)
    let depths = lines.map { depth(of: $0, children: children, depths: naturals, baselines: none) }
    let gap = main.other.of(lengths(.gap, of: i, now: now))
    let across = depths.dropFirst().reduce(depths.first ?? .zero) {
      builder.add(builder.add($0, gap), $1)
    }
    let whole = room(main.other, content: across, insets: insets, of: i, now: now)
    let (_, stretch) = startOfLines(of: i, count: lines.count, across: across, depth: whole)
    var found: [Int: Scalar] = [:]
    for (line, depth) in zip(lines, depths) {
      let own = wraps(i) ? builder.add(depth, stretch.lead) : whole ?? depth
      for child in children[line] where stretchedSide(of: child) == main.other {
        found[child.id] = limited(
          builder.make(.maximum, a: .zero, b: own), along: main.other, of: child, now: now)
      }
    }
    return found
  }

  /// Returns the length of a child without stretching and growth.
  private func natural(_ side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar {
    if let size = size(of: i, now: now) {
      return limited(side.of(size), along: side, of: i, now: now)
    }
    switch i.kind {
    case .row, .column: return limited(content(side, of: i, now: now), along: side, of: i, now: now)
    case .rect: return limited(.constant(initialNumber(.size, i)), along: side, of: i, now: now)
    default: return box(of: i, now: now).map(side.of) ?? .zero
    }
  }

  /// Returns the length of a row or column that follows from its children alone.
  private func content(_ side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar {
    let children = laidOut(in: i)
    let lengths = children.map { natural(side, of: $0, now: now) }
    let padding = insets(of: i, now: now).sum(side)
    guard i.kind.mainSide == side else { return builder.add(greatest(lengths), padding) }
    let gaps = builder.scaled(
      side.of(self.lengths(.gap, of: i, now: now)), Double(max(0, children.count - 1)))
    return lengths.reduce(builder.add(gaps, padding)) { builder.add($0, $1) }
  }

  // MARK: Warnings

  /// Warns about alignments without effect.
  func warnOfIdleAlignment(of i: ElementNode) {
    func warn(_ property: Property, _ label: String) {
      guard let source = i.properties[property], source.made == nil else { return }
      report(
        Diagnostic(
          .idleProperty, "'\(property.name)' has no effect here", at: source.nameSpan, label: label)
      )
    }
    if i.properties[.alignSelf] != nil, i.parent?.kind.isLine != true {
      warn(.alignSelf, "expected directly inside a row or a column")
    }
    guard i.kind.isLine else { return }
    let main = i.kind.mainSide
    let isFree =
      ownLength(along: main, of: i, now: now) != nil || i.properties[main.least] != nil
      || i.properties[main.greatest] != nil
    if !isFree {
      warn(
        .justify,
        "set 'size' on the \(i.kind.rawValue); without it, the \(i.kind.rawValue) fits its children"
      )
    }
  }
}

extension ElementKind {
  /// Whether the element places its children along an axis.
  var isLine: Bool { self == .row || self == .column }

  /// The side along which a row or column places its children.
  var mainSide: BoxSide { self == .column ? .height : .width }
}
