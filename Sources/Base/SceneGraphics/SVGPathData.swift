// SPDX-License-Identifier: MIT

/// A parser for the complete path data grammar of SVG 2 section 9.3.9: every command, packed
/// numbers and flags.
package struct SVGPathData {
  /// A syntax error in path data.
  package struct Failure: Error, Hashable, Sendable {
    /// The byte offset from the start of the data.
    package let offset: Int
    package let message: String
    /// The path up to the error.
    package let pathSoFar: Path
  }

  private let bytes: [UInt8]
  private var index = 0
  private var path = Path()
  private var current = Point.zero
  private var start = Point.zero
  /// The control point that `S` or `T` reflects; set only after a curve of the same type.
  private var lastCubicControl: Point?
  private var lastQuadControl: Point?
  private var needsMove = false

  /// Parses path data. Throws at the first byte that violates the grammar.
  package static func parse(_ text: String) throws(Failure) -> Path {
    var parser = SVGPathData(bytes: Array(text.utf8))
    return try parser.run()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() throws(Failure) -> Path {
    skipSpace()
    var first = true
    while index < bytes.count {
      let letter = bytes[index]
      let upper = letter & 0xDF
      guard "MLHVCSQTAZ".utf8.contains(upper), letter >= 65 else {
        throw fail("expected a command letter such as M, L or C")
      }
      if first, upper != UInt8(ascii: "M") { throw fail("path data must begin with M or m") }
      first = false
      index += 1
      try command(upper, relative: letter >= 97)
    }
    return path
  }

  private mutating func command(_ letter: UInt8, relative: Bool) throws(Failure) {
    skipSpace()
    if letter == UInt8(ascii: "Z") {
      path.close()
      current = start
      needsMove = true
      forgetControls()
      return
    }
    var round = 0
    repeat {
      try segment(letter, relative: relative, first: round == 0)
      round += 1
    } while moreArguments()
    skipSpace()
  }

  /// Skips white space and one comma, and returns whether another number follows.
  private mutating func moreArguments() -> Bool {
    let before = index
    skipCommaSpace()
    if index < bytes.count, startsNumber(bytes[index]) { return true }
    index = before
    return false
  }

  private mutating func segment(_ letter: UInt8, relative: Bool, first: Bool) throws(Failure) {
    let base = relative ? current : .zero
    switch letter {
    case UInt8(ascii: "M") where first:
      let p = try pair() + base
      path.move(p)
      current = p
      start = p
      needsMove = false
      forgetControls()
    case UInt8(ascii: "M"), UInt8(ascii: "L"): lineTo(try pair() + base)
    case UInt8(ascii: "H"): lineTo(Point(try number() + base.x, current.y))
    case UInt8(ascii: "V"): lineTo(Point(current.x, try number() + base.y))
    case UInt8(ascii: "C"):
      let c1 = try pair() + base
      skipCommaSpace()
      let c2 = try pair() + base
      skipCommaSpace()
      curveTo(c1, c2, end: try pair() + base)
    case UInt8(ascii: "S"):
      let c1 = lastCubicControl.map { current * 2 - $0 } ?? current
      let c2 = try pair() + base
      skipCommaSpace()
      curveTo(c1, c2, end: try pair() + base)
    case UInt8(ascii: "Q"):
      let control = try pair() + base
      skipCommaSpace()
      quadTo(control, try pair() + base)
    case UInt8(ascii: "T"):
      let control = lastQuadControl.map { current * 2 - $0 } ?? current
      quadTo(control, try pair() + base)
    default: try arcSegment(base)
    }
  }

  private mutating func arcSegment(_ base: Point) throws(Failure) {
    let radii = try pair()
    skipCommaSpace()
    let rotation = try number()
    skipCommaSpace()
    let large = try flag()
    skipCommaSpace()
    let sweep = try flag()
    skipCommaSpace()
    let end = try pair() + base
    reopen()
    path.ellipticalArc(
      from: current, radii: radii, rotation: rotation, large: large, sweep: sweep, to: end)
    current = end
    forgetControls()
  }

  private mutating func lineTo(_ p: Point) {
    reopen()
    path.line(p)
    current = p
    forgetControls()
  }

  private mutating func curveTo(_ c1: Point, _ c2: Point, end p: Point) {
    reopen()
    path.cubic(c1, c2, to: p)
    current = p
    forgetControls()
    lastCubicControl = c2
  }

  private mutating func quadTo(_ control: Point, _ p: Point) {
    reopen()
    path.quad(from: current, control, p)
    current = p
    forgetControls()
    lastQuadControl = control
  }

  /// Begins a new subpath at the old start for a drawing command after a `Z`.
  private mutating func reopen() {
    if needsMove { path.move(start) }
    needsMove = false
  }

  private mutating func forgetControls() {
    lastCubicControl = nil
    lastQuadControl = nil
  }

  private mutating func pair() throws(Failure) -> Point {
    let x = try number()
    skipCommaSpace()
    return Point(x, try number())
  }

  private mutating func flag() throws(Failure) -> Bool {
    guard index < bytes.count, bytes[index] == 48 || bytes[index] == 49 else {
      throw fail("expected a flag, 0 or 1")
    }
    index += 1
    return bytes[index - 1] == 49
  }

  private mutating func number() throws(Failure) -> Double {
    let begin = index
    var cursor = index
    func digits() -> Int {
      let from = cursor
      while cursor < bytes.count, (48...57).contains(bytes[cursor]) { cursor += 1 }
      return cursor - from
    }
    if cursor < bytes.count, bytes[cursor] == 43 || bytes[cursor] == 45 { cursor += 1 }
    let whole = digits()
    var fraction = 0
    if cursor < bytes.count, bytes[cursor] == 46 {
      cursor += 1
      fraction = digits()
      if fraction == 0 { cursor -= 1 }
    }
    guard whole + fraction > 0 else { throw fail("expected a number") }
    if cursor < bytes.count, bytes[cursor] & 0xDF == 69 {
      let mark = cursor
      cursor += 1
      if cursor < bytes.count, bytes[cursor] == 43 || bytes[cursor] == 45 { cursor += 1 }
      if digits() == 0 { cursor = mark }
    }
    let text = String(decoding: bytes[begin..<cursor], as: UTF8.self)
    guard let value = Double(text), value.isFinite else { throw fail("number is too large") }
    index = cursor
    return value
  }

  private func startsNumber(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || byte == 43 || byte == 45 || byte == 46
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[index]) { index += 1 }
  }

  private mutating func skipCommaSpace() {
    skipSpace()
    if index < bytes.count, bytes[index] == UInt8(ascii: ",") {
      index += 1
      skipSpace()
    }
  }

  private func fail(_ message: String) -> Failure {
    Failure(offset: index, message: message, pathSoFar: path)
  }
}
