// SPDX-License-Identifier: MIT

// Line breaking for lines that exceed the maximum width.
extension Formatter {
  /// Takes one step toward shorter lines, and returns whether one was possible. In order of
  /// preference: splits items, breaks a body, breaks lists and calls at commas, breaks expressions
  /// at operators.
  mutating func shorten(_ line: Line) -> Bool {
    splitItems(line) || breakBody(line) || fillList(line)
      || breakExpression(line, line.first..<line.end)
  }

  private mutating func splitItems(_ line: Line) -> Bool {
    let before = split.count + breaks.count
    forEachOuter(in: line.first..<line.end) { index in
      if pieces[index].kind == .semicolon { split.insert(index) }
      if index > line.first, beginsItemBehindBody(index) { breaks.insert(index) }
    }
    return split.count + breaks.count > before
  }

  /// Returns whether an item follows the closing brace of a body on the same line.
  func beginsItemBehindBody(_ index: Int) -> Bool {
    guard index > 0, pieces[index - 1].kind == .rightBrace else { return false }
    return [.letWord, .forWord, .ifWord].contains(pieces[index].kind)
      || pieces[index].kind == .identifier && !isClauseWord(index)
  }

  private mutating func breakBody(_ line: Line) -> Bool {
    for index in line.first..<line.end where pieces[index].kind == .leftBrace {
      let partner = pieces[index].partner
      if partner > index + 1, partner < line.end, broken.insert(index).inserted { return true }
    }
    return false
  }

  /// Fills each line of a broken list with as many items as fit. Returns `false` if no break was
  /// added.
  private mutating func fillList(_ line: Line) -> Bool {
    guard let opening = pieces[line.first].opening, pieces[opening].kind == .leftBracket,
      broken.contains(opening)
    else { return false }
    var commas: [Int] = []
    forEachOuter(in: line.first..<line.end) { index in
      if pieces[index].kind == .comma, index + 1 < line.end { commas.append(index + 1) }
    }
    return fill(commas, line, indent: 4 * line.depth)
  }

  /// Breaks before as few of the given pieces as possible to keep the lines short. Returns `false`
  /// if no break was added.
  private mutating func fill(_ places: [Int], _ line: Line, indent: Int) -> Bool {
    var shift = 0
    let count = breaks.count
    for (number, place) in places.enumerated() {
      let end = number + 1 < places.count ? columns[places[number + 1]] : line.text.count
      guard end - shift > Formatter.width, columns[place] - shift > indent else { continue }
      breaks.insert(place)
      shift = columns[place] - indent
    }
    return breaks.count > count
  }

  /// Breaks before the operators of the lowest precedence, or inside the brackets between them.
  /// Returns `false` if no break was added.
  private mutating func breakExpression(_ line: Line, _ range: Range<Int>) -> Bool {
    var operators: [(place: Int, strength: Int)] = []
    var brackets: [Int] = []
    forEachOuter(in: range) { index in
      if index > line.first, let strength = strength(index), !breaks.contains(index) {
        operators.append((index, strength))
      }
      let isBracket = [.leftParen, .leftBracket].contains(pieces[index].kind)
      if isBracket, pieces[index].partner > index + 1, pieces[index].partner < line.end {
        brackets.append(index)
      }
    }
    let weakest = operators.map(\.strength).min()
    let places = operators.filter { $0.strength == weakest }.map(\.place)
    if let first = places.first, columns[first] <= Formatter.width,
      fill(places, line, indent: 4 * (line.depth + 1))
    {
      return true
    }
    for index in brackets where !broken.contains(index) && holdsComma(index) {
      broken.insert(index)
      return true
    }
    brackets.sort { width(of: $0) > width(of: $1) }
    for index in brackets where !broken.contains(index) {
      if breakExpression(line, (index + 1)..<pieces[index].partner) { return true }
    }
    return fill(places, line, indent: 4 * (line.depth + 1))
  }

  private func width(of opening: Int) -> Int {
    columns[pieces[opening].partner] - columns[opening]
  }

  /// Returns the precedence of a possible break before a piece; `nil` if a line must not be broken
  /// there.
  private func strength(_ index: Int) -> Int? {
    let piece = pieces[index]
    if index > 0, pieces[index - 1].role == .comprehensionColon { return 1 }
    switch piece.kind {
    case .arrow: return 0
    case .identifier: return isClauseWord(index) && pieces[index - 1].kind != .semicolon ? 1 : nil
    case .question: return 2
    case .dotDot: return piece.role == .tightRange ? nil : 2
    case .colon: return piece.role == .choiceColon ? 2 : nil
    case .orWord: return 3
    case .andWord: return 4
    case let kind where kind.isComparison: return piece.role == .typeAngle ? nil : 5
    case .plus, .minus: return piece.role == .unary ? nil : 6
    case .star, .slash: return 7
    default: return nil
    }
  }

  func isClauseWord(_ index: Int) -> Bool {
    let next = index + 1 < pieces.count ? pieces[index + 1].kind : .endOfFile
    return pieces[index].kind == .identifier && next != .colon
      && ["over", "after", "with"].contains(pieces[index].text)
  }

  /// Calls `use` with the pieces of a range that are not inside brackets opened in that range.
  private func forEachOuter(in range: Range<Int>, _ use: (Int) -> Void) {
    var depth = 0
    for index in range {
      switch pieces[index].kind {
      case .rightBrace, .rightParen, .rightBracket: depth = max(0, depth - 1)
      default: break
      }
      if depth == 0 { use(index) }
      switch pieces[index].kind {
      case .leftBrace, .leftParen, .leftBracket: depth += 1
      default: break
      }
    }
  }

  /// Returns whether a bracket contains a comma-separated list, as opposed to a comprehension.
  private func holdsComma(_ opening: Int) -> Bool {
    pieces[opening + 1].kind != .forWord
      && commas(of: opening).contains { $0 + 1 < pieces[opening].partner }
  }

  /// Returns whether a bracket is a list of short items, which are filled into lines.
  func isFilled(_ opening: Int) -> Bool {
    guard pieces[opening].kind == .leftBracket, columns.count == pieces.count else { return false }
    var start = opening + 1
    for comma in commas(of: opening) + [pieces[opening].partner] {
      guard start < comma else { continue }
      let length = (start..<comma).reduce(0) { $0 + pieces[$1].text.count + 1 }
      if length > 26 { return false }
      start = comma + 1
    }
    return true
  }

  private func commas(of opening: Int) -> [Int] {
    var commas: [Int] = []
    var index = opening + 1
    while index < pieces[opening].partner {
      if pieces[index].kind == .comma { commas.append(index) }
      if pieces[index].partner > index { index = pieces[index].partner }
      index += 1
    }
    return commas
  }
}
