// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

extension Lexer {
  mutating func number() {
    let start = index
    if hexColor() { return }
    func digits() {
      while (48...57).contains(byte(0)) || byte(0) == 95 { index += 1 }
    }
    func hasDigits(after sign: UInt8) -> Bool {
      guard byte(0) == sign, (48...57).contains(byte(1)) else { return false }
      index += 1
      digits()
      return true
    }
    digits()
    var hasFraction = hasDigits(after: UInt8(ascii: "."))
    if hasDigits(after: UInt8(ascii: "x")) {
      if hasDigits(after: UInt8(ascii: ".")) { hasFraction = true }
      if hasFraction {
        rejectFraction(start)
      } else {
        rejectTail(start, "a size such as 1920x1080")
      }
      return add(.pairLiteral, start)
    }
    if byte(0) & 0xDF == UInt8(ascii: "E") {
      let sign = byte(1) == 43 || byte(1) == 45
      if (48...57).contains(byte(sign ? 2 : 1)) {
        index += sign ? 2 : 1
        digits()
      }
    }
    let unitStart = index
    if byte(0) == UInt8(ascii: "%") {
      index += 1
    } else {
      while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    }
    checkNumber(start, unitStart)
    add(.number, start)
  }

  // MARK: Units

  /// Alternative spellings of units.
  private static let sameUnits: [String: String] = [
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "m": "min",
    "minute": "min", "minutes": "min", "frame": "f", "frames": "f", "beats": "beat",
    "degree": "deg", "degrees": "deg", "radians": "rad", "turns": "turn", "db": "dB", "DB": "dB",
    "hz": "Hz", "khz": "kHz", "KHz": "kHz", "kbit": "kbps", "k": "kbps", "mbps": "Mbps",
    "M": "Mbps", "Kbps": "kbps",
  ]

  /// Units with a fixed ratio to a supported unit.
  private static let ratios: [String: UnitRatio] = {
    var ratios = [
      "grad": UnitRatio(factor: 0.9, unit: "deg"), "grads": UnitRatio(factor: 0.9, unit: "deg"),
      "gon": UnitRatio(factor: 0.9, unit: "deg"), "us": UnitRatio(factor: 0.001, unit: "ms"),
      "Gbps": UnitRatio(factor: 1000, unit: "Mbps"), "bps": UnitRatio(factor: 0.001, unit: "kbps"),
    ]
    for unit in ["MBps", "MB", "MBs"] { ratios[unit] = UnitRatio(factor: 8, unit: "Mbps") }
    for unit in ["kBps", "KBps", "kB", "KB"] { ratios[unit] = UnitRatio(factor: 8, unit: "kbps") }
    return ratios
  }()

  /// The CSS units of absolute lengths, in pixels.
  private static let lengths = [
    "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "pt": 96.0 / 72, "pc": 16, "pts": 96.0 / 72,
  ]

  /// Unsupported units, with the replacement.
  private static let otherUnits: [String: String] = [
    "fps": "write the frame rate as a plain number: fps: 30",
    "h": "write hours in minutes, such as 90min",
    "hr": "write hours in minutes, such as 90min", "hrs": "write hours in minutes, such as 90min",
    "hours": "write hours in minutes, such as 90min",
    "vw": "use px, or a percentage of the containing box",
    "vh": "use px, or a percentage of the containing box",
    "em":
      "use px, or a percentage of the containing box; letter-spacing and line-height accept percentages of the font size",
    "rem": "use px, or a percentage of the containing box",
    "LUFS": "write loudness as a number: loudness: -16", "LU": "write loudness as a number",
    "fr": "to share the free space of a row or column, set 'grow: 1' on its children",
  ]

  private mutating func checkNumber(_ start: Int, _ unitStart: Int) {
    if let value = numberValue(bytes[start..<unitStart]), value.isFinite {
      guard unitStart < index else { return }
      let unit = String(decoding: bytes[unitStart..<index], as: UTF8.self)
      if NumberUnit(rawValue: unit) == nil, !isInFormat(start), !followsFraction(unit, start) {
        var found = Diagnostic(
          .invalidNumber, "unknown unit '\(unit)'", at: file.span(unitStart, index),
          label: "the units are px % s ms min f beat deg rad turn dB Hz kHz kbps Mbps")
        if unit == "x" {
          found = advisingOnFactor(found, String(decoding: bytes[start..<unitStart], as: UTF8.self))
        } else if let note = Lexer.otherUnits[unit] {
          found = found.advising(note)
        } else if let pixels = Lexer.lengths[unit] {
          found = found.advising(
            "write a length in pixels, without a unit: \(Lexer.shown(value * pixels))")
        } else if let ratio = Lexer.ratios[unit] {
          let same = "\(Lexer.shown(value * ratio.factor))\(ratio.unit)"
          found = found.fixing(
            "write \(same)", replacing: file.span(start, index), with: same,
            isSafe: ratio.unit == "deg")
        } else {
          let same = Lexer.sameUnits[unit]
          // Units are so short that one edit can change the quantity: `in` is not `min`.
          let similar = NumberUnit.allCases.map(\.rawValue).filter {
            $0.first?.lowercased() == unit.first?.lowercased()
          }
          // A single letter such as `m` is ambiguous: a minute, a meter or a million.
          found = found.suggesting(
            same ?? nearest(unit, in: similar), isSafe: same != nil && unit.utf8.count > 1)
        }
        report(found)
      }
    } else {
      report(.invalidNumber, "number is too large", from: start, to: index)
    }
  }

  /// Returns whether a unit is the second `fr` of CSS columns such as `1fr 2fr`, whose first one
  /// was reported.
  private func followsFraction(_ unit: String, _ start: Int) -> Bool {
    guard unit == "fr", tokens.last?.kind == .whitespace,
      tokens.dropLast().last?.kind == .number
    else { return false }
    return bytes[..<start].reversed().drop { $0 == 32 || $0 == 9 }.starts(with: "rf".utf8)
  }

  /// Returns a number with at most two decimals.
  private static func shown(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    guard abs(hundredths) < 1e15 else { return "\(value)" }
    let text = "\(hundredths / 100)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Lexes a color such as `0xff8a3d` and reports it; returns `false` for other numbers. Without a
  /// letter, as in `0x112233`, the digits are those of a size.
  private mutating func hexColor() -> Bool {
    guard byte(0) == UInt8(ascii: "0"), byte(1) == UInt8(ascii: "x") else { return false }
    let digits = bytes[(index + 2)...].prefix(9).prefix { Lexer.isIdentifierByte($0) }
    guard [3, 4, 6, 8].contains(digits.count), digits.contains(where: { $0 > 57 }),
      digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0 | 32) })
    else { return false }
    let start = index
    index += 2 + digits.count
    let color = "#" + String(decoding: digits, as: UTF8.self)
    report(
      Diagnostic(.invalidColor, "a color must begin with '#'", at: file.span(start, index))
        .fixing("write \(color)", replacing: file.span(start, index), with: color))
    add(.color, start)
    return true
  }

  /// Returns the diagnostic with advice about `x` after a number: a factor such as `0.5x`, or a
  /// computed size `80x(h)`.
  private func advisingOnFactor(_ found: Diagnostic, _ number: String) -> Diagnostic {
    let next = bytes[index...].first { $0 != UInt8(ascii: " ") }.map {
      Character(Unicode.Scalar($0))
    }
    if next == "(" { return found.advising("write a computed size as a pair: (80, 2 * h)") }
    if next?.isNumber == true {
      return found.advising("write a size without spaces, such as 300x200, or a pair (300, 200)")
    }
    // In a formula, `3x` is a product.
    return found.advising("write a product as \(number) * x")
      .fixing(
        "write a factor without a unit: \(number)", replacing: found.span, with: "",
        isSafe: false)
  }

  /// Reports a size with decimals, such as `32.2x26.6`.
  private mutating func rejectFraction(_ start: Int) {
    let numbers = file.text(file.span(start, index)).split(separator: "x")
    let end = index
    while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    let pair = "(\(numbers.joined(separator: ", ")))"
    report(
      Diagnostic(
        .invalidNumber, "a size with decimals must be a pair", at: file.span(start, index)
      ).fixing(
        "write \(pair)", replacing: file.span(start, index), with: pair, isSafe: index == end))
  }

  private mutating func rejectTail(_ start: Int, _ what: String) {
    let tail = index
    while Lexer.isIdentifierByte(byte(0)) { index += 1 }
    if index > tail { report(.invalidNumber, "expected \(what)", from: start, to: index) }
  }
}

/// The ratio of an unsupported unit to a supported one.
private struct UnitRatio {
  let factor: Double
  let unit: String
}

/// The units that may follow a number.
package enum NumberUnit: String, Hashable, Sendable, CaseIterable {
  case px, percent = "%", s, ms, min, f, beat, deg, rad, turn, dB, hertz = "Hz", kHz, kbps
  case mbps = "Mbps"
}
