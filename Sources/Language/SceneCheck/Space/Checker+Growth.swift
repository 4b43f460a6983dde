// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A dimension of a box.
enum BoxSide {
  case width, height

  var other: BoxSide { self == .width ? .height : .width }
  var least: Property { self == .width ? .minWidth : .minHeight }
  var greatest: Property { self == .width ? .maxWidth : .maxHeight }

  func of(_ pair: PointModel) -> Scalar { self == .width ? pair.x : pair.y }
  func of(_ box: BoxModel) -> Scalar { self == .width ? box.width : box.height }
}

// `grow`, `min-width`, `max-width` and similar: sides of boxes that depend on the available space.
extension Checker {
  /// Returns the side of an element that grows in its row or column; `nil` if none grows.
  func growingSide(of i: ElementNode) -> BoxSide? {
    guard let parent = i.parent, parent.kind == .row || parent.kind == .column else { return nil }
    elaborate(i)
    guard i.properties[.grow] != nil, i.properties[.position] == nil else { return nil }
    let side: BoxSide = parent.kind == .row ? .width : .height
    if i.kind == .text, side == .height { return nil }
    return hasOwn(side, parent) ? side : nil
  }

  /// Returns whether the length of a side does not depend on the content.
  private func hasOwn(_ side: BoxSide, _ i: ElementNode) -> Bool {
    elaborate(i)
    if i.properties[.size] != nil { return size(of: i, now: now) != nil }
    return growingSide(of: i) == side || stretchedSide(of: i) == side
  }

  /// Returns the side of an element that `align: stretch` extends across its row or column, or
  /// `nil`. It requires an element without its own size.
  func stretchedSide(of i: ElementNode) -> BoxSide? {
    guard let parent = i.parent, parent.kind.isLine else { return nil }
    elaborate(i)
    guard i.properties[.alignSelf] != nil || parent.properties[.align] != nil else { return nil }
    let side = parent.kind.mainSide.other
    let isFree =
      Property.size.declaration.use(in: i.kind) != nil || i.kind == .text && side == .width
    guard isFree, i.properties[.size] == nil, i.properties[.position] == nil,
      i.properties[.width] == nil, selfAlignment(of: i, in: parent) == .stretch
    else { return nil }
    // Other elements fit their content unless the row or column has a size.
    if i.kind.isLine || i.kind == .rect { return side }
    return hasOwn(side, parent) && !wraps(parent) ? side : nil
  }

  /// Returns the length of the stretched side.
  private func stretchedLength(of i: ElementNode, along side: BoxSide, now: Scalar) -> Scalar? {
    guard let parent = i.parent else { return nil }
    if !wraps(parent), let whole = ownLength(along: side, of: parent, now: now) {
      let room = builder.subtract(whole, insets(of: parent, now: now).sum(side))
      return limited(builder.make(.maximum, a: .zero, b: room), along: side, of: i, now: now)
    }
    if let known = parent.stretched[now] { return known[i.id] }
    let found = step(
      .stretch(parent.id), "the content of '\(parent.displayName)'", at: parent.span
    ) {
      lineDepths(of: parent, now: now)
    }
    guard let lengths = found else { return nil }
    parent.stretched[now] = lengths
    return lengths[i.id]
  }

  /// Returns the length of a side, within its limits; `nil` if it depends on the content.
  func ownLength(along side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar? {
    if growingSide(of: i) == side { return grownLength(of: i, now: now) }
    if stretchedSide(of: i) == side { return stretchedLength(of: i, along: side, now: now) }
    return size(of: i, now: now).map { limited(side.of($0), along: side, of: i, now: now) }
  }

  /// Returns the length of the growing side; `nil` if no side grows.
  func grownLength(of i: ElementNode, now: Scalar) -> Scalar? {
    guard let side = growingSide(of: i), let parent = i.parent else { return nil }
    if let known = parent.grown[now] { return known[i.id] }
    let lengths = shareRest(of: parent, along: side, now: now)
    parent.grown[now] = lengths
    return lengths[i.id]
  }

  /// Returns the length of each growing child of a row or column, by id.
  private func shareRest(of parent: ElementNode, along side: BoxSide, now: Scalar) -> [Int: Scalar]
  {
    guard let whole = ownLength(along: side, of: parent, now: now) else { return [:] }
    let children = laidOut(in: parent)
    var lengths: [Scalar] = []
    for child in children {
      if growingSide(of: child) == side {
        lengths.append(.zero)
      } else if let box = box(of: child, now: now) {
        lengths.append(side.of(box))
      } else {
        return [:]
      }
    }
    let insets = insets(of: parent, now: now)
    let room = builder.subtract(whole, insets.sum(side))
    let gap = side.of(self.lengths(.gap, of: parent, now: now))
    return lineBreaks(of: parent, children: children, lengths: lengths, insets: insets, now: now)
      .map { line in
        shareRest(
          of: room, gap: gap, along: side, children: children[line], lengths: lengths[line],
          now: now)
      }.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  /// Returns the length of each growing child of a line, by id. In `lengths`, growing children are
  /// 0.
  private func shareRest(
    of room: Scalar, gap: Scalar, along side: BoxSide, children: ArraySlice<ElementNode>,
    lengths: ArraySlice<Scalar>, now: Scalar
  ) -> [Int: Scalar] {
    let gaps = builder.scaled(gap, Double(max(0, children.count - 1)))
    let rest = lengths.reduce(builder.subtract(room, gaps)) { builder.subtract($0, $1) }
    var growing: [Growing] = []
    for child in children where growingSide(of: child) == side {
      growing.append(
        Growing(
          id: child.id, base: base(of: child, along: side, now: now),
          share: share(of: child, now: now),
          least: limit(side.least, along: side, of: child, now: now),
          greatest: limit(side.greatest, along: side, of: child, now: now)))
    }
    return shared(rest, growing)
  }

  /// A growing child along its row or column.
  private struct Growing {
    let id: Int
    /// The length before growth.
    let base: Scalar
    /// The weight of its share of the remaining space.
    let share: Scalar
    let least: Scalar?
    let greatest: Scalar?
  }

  /// Returns lengths that fill the available space. Each length is its base plus its share times a
  /// common factor, within its limits.
  ///
  /// The sum is a piecewise linear function of the factor. Newton's method finds the factor: the
  /// space that the limits leave is divided among the children that are not at a limit.
  private func shared(_ room: Scalar, _ growing: [Growing]) -> [Int: Scalar] {
    func sum(_ values: [Scalar]) -> Scalar { values.reduce(.zero) { builder.add($0, $1) } }
    func free(_ it: Growing, _ number: Scalar) -> Scalar {
      builder.add(it.base, builder.multiply(it.share, number))
    }
    func length(_ it: Growing, _ number: Scalar) -> Scalar {
      within(free(it, number), least: it.least, greatest: it.greatest)
    }
    func number(_ rest: Scalar, _ shares: Scalar) -> Scalar {
      let least = Scalar.constant(1e-9)
      let some = builder.make(.maximum, a: least, b: shares)
      return builder.select(
        if: builder.make(.less, a: least, b: shares), then: builder.divide(rest, some), else: .zero)
    }
    let rest = builder.subtract(room, sum(growing.map(\.base)))
    var found = builder.make(.maximum, a: .zero, b: number(rest, sum(growing.map(\.share))))
    let limited = growing.count { $0.least != nil || $0.greatest != nil }
    for _ in 0..<min(limited + 1, 8) where limited > 0 {
      let over = builder.subtract(room, sum(growing.map { length($0, found) }))
      let shares = growing.map { it -> Scalar in
        let isFree = builder.make(
          .lessOrEqual,
          a: builder.make(.absolute, a: builder.subtract(free(it, found), length(it, found))),
          b: .zero)
        return builder.select(if: isFree, then: it.share, else: .zero)
      }
      found = builder.make(.maximum, a: .zero, b: builder.add(found, number(over, sum(shares))))
    }
    return Dictionary(
      growing.map { ($0.id, length($0, found)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the length of a child before growth, within its limits.
  func shortest(_ i: ElementNode, along side: BoxSide, now: Scalar) -> Scalar {
    limited(base(of: i, along: side, now: now), along: side, of: i, now: now)
  }

  /// Returns the length of a child before growth: its own size, or 0.
  private func base(of i: ElementNode, along side: BoxSide, now: Scalar) -> Scalar {
    if i.kind == .text {
      guard let (value, span) = value(.width, of: i, now: now) else { return .zero }
      return asLength(value, span, of: parentSize(i, now: now).0) ?? .zero
    }
    return size(of: i, now: now).map(side.of) ?? .zero
  }

  private func share(of i: ElementNode, now: Scalar) -> Scalar {
    let share = number(.grow, of: i, now: now)
    if let source = i.properties[.grow] {
      check(
        [share], "'grow'", in: .atLeast(0), at: source.value.span,
        help: "write a share of the remaining space, such as 1")
    }
    return builder.make(.maximum, a: .zero, b: share)
  }

  // MARK: Limits

  /// Clamps a box to `min-width`, `max-width` and similar limits. Growing sides are already
  /// clamped.
  func limited(_ box: BoxModel, of i: ElementNode, now: Scalar) -> BoxModel {
    func length(_ side: BoxSide) -> Scalar {
      let isGiven = growingSide(of: i) == side || stretchedSide(of: i) == side
      return (isGiven ? ownLength(along: side, of: i, now: now) : nil)
        ?? limited(side.of(box), along: side, of: i, now: now)
    }
    return BoxModel(x: box.x, y: box.y, width: length(.width), height: length(.height))
  }

  func limited(_ length: Scalar, along side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar {
    within(
      length, least: limit(side.least, along: side, of: i, now: now),
      greatest: limit(side.greatest, along: side, of: i, now: now))
  }

  /// Clamps a length. The minimum takes precedence over a smaller maximum, as in CSS.
  private func within(_ length: Scalar, least: Scalar?, greatest: Scalar?) -> Scalar {
    let short = greatest.map { builder.make(.minimum, a: length, b: $0) } ?? length
    return least.map { builder.make(.maximum, a: short, b: $0) } ?? short
  }

  /// Returns a limit in pixels; `nil` if it is not set. Percentages are relative to the same side
  /// of the parent's box.
  func limit(_ property: Property, along side: BoxSide, of i: ElementNode, now: Scalar) -> Scalar? {
    guard let (value, span) = self.value(property, of: i, now: now) else { return nil }
    return asLength(
      value, span, of: side == .width ? parentSize(i, now: now).0 : parentSize(i, now: now).1)
  }

  // MARK: Texts

  /// Returns the width at which a growing or limited text wraps, or `nil` if it fits on one line.
  func wrapping(_ text: TextModel, of i: ElementNode, now: Scalar) -> Scalar? {
    if growingSide(of: i) == .width || stretchedSide(of: i) == .width {
      return ownLength(along: .width, of: i, now: now) ?? text.width
    }
    guard let greatest = limit(.maxWidth, along: .width, of: i, now: now) else { return text.width }
    if let width = text.width { return builder.make(.minimum, a: width, b: greatest) }
    let line = extent(of: text, in: i).width
    // A text of unknown width uses all available space.
    guard let needed = line.constantValue, let room = greatest.constantValue else {
      return greatest
    }
    return needed > room ? greatest : nil
  }

  // MARK: Warnings

  /// Warns about a `grow` without effect.
  func warnOfIdleGrowth(of i: ElementNode) {
    guard let source = i.properties[.grow], source.made == nil, growingSide(of: i) == nil else {
      return
    }
    let label: String
    switch i.parent?.kind {
    case .row, .column:
      let name = i.parent?.kind.rawValue ?? ""
      if i.properties[.position] != nil {
        label = "an element with a 'position' is not part of the \(name)"
      } else if i.kind == .text, i.parent?.kind == .column {
        label = "the height of a text is determined by its lines"
      } else {
        label = "set 'size' on the \(name); without it, the \(name) fits its content"
      }
    default: label = "expected directly inside a row or a column"
    }
    report(
      Diagnostic(.idleProperty, "'grow' has no effect here", at: source.nameSpan, label: label))
  }
}
