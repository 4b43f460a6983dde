// SPDX-License-Identifier: MIT

extension NumberFormat {
  /// The typographic minus sign (U+2212), as wide as a plus sign or a digit.
  package static let minusSign = "\u{2212}"

  /// Returns text with hyphens in place of minus signs, so that its numbers can be parsed.
  /// Published tables may contain minus signs.
  package static func withHyphens(_ text: String) -> String {
    // The sign is rare, and the search for bytes is much faster.
    text.utf8.contains(0xE2) ? text.replacing(minusSign, with: "-") : text
  }

  /// Returns a number in this format; with a clock, the number is a time in ticks.
  ///
  /// `minus` is the sign of a negative number if the format does not specify one.
  package func text(_ value: Double, minus: String = "-") -> String {
    let minus = self.minus ?? minus
    if !clock.isEmpty {
      let seconds = value / Double(Ticks.perSecond)
      guard abs(seconds) < 1e15 else { return largeText(seconds, minus) + suffix }
      return clockText(seconds, minus) + suffix
    }
    guard abs(value) < 1e15 else { return largeText(value, minus) + suffix }
    let places = min(decimals ?? 6, 12)
    var scale: Int64 = 1
    for _ in 0..<places { scale *= 10 }
    let magnitude = abs(value)
    // Above 2^53 a `Double` has no fraction.
    let exact = magnitude * Double(scale) < 9e15
    let scaled = exact ? Int64((magnitude * Double(scale)).rounded()) : 0
    let whole = exact ? scaled / scale : Int64(magnitude.rounded())
    var fraction = exact ? String(scaled % scale) : ""
    fraction = places == 0 ? "" : String(repeating: "0", count: places - fraction.count) + fraction
    if decimals == nil { while fraction.last == "0" { fraction.removeLast() } }
    var text = grouped(whole)
    if !fraction.isEmpty { text += "." + fraction }
    let isZero = whole == 0 && fraction.allSatisfy { $0 == "0" }
    if value < 0, !isZero { text = minus + text }
    if value > 0, !isZero, sign { text = "+" + text }
    return text + suffix
  }

  /// Formats a number that is not finite, or at least 10^15: with six digits and an exponent, as
  /// the language writes it, such as `1.5e20`.
  private func largeText(_ value: Double, _ minus: String) -> String {
    if value.isNaN { return "?" }
    let start = value < 0 ? minus : sign ? "+" : ""
    guard value.isFinite else { return start + "∞" }
    var exponent = 0
    var mantissa = abs(value)
    while mantissa >= 10 {
      mantissa /= 10
      exponent += 1
    }
    mantissa = (mantissa * 1e5).rounded() / 1e5
    if mantissa >= 10 {
      mantissa = 1
      exponent += 1
    }
    return start + NumberFormat().text(mantissa) + "e\(exponent)"
  }

  /// Returns a count with its noun, such as "1 frame" or "25 frames".
  package static func count(_ count: Int, of noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func grouped(_ whole: Int64) -> String {
    var digits = Array(String(whole))
    while digits.count < min(self.digits, 20) { digits.insert("0", at: 0) }
    guard !group.isEmpty else { return String(digits) }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += group }
      text.append(digit)
    }
    return text
  }

  /// Formats a clock. The number of repetitions of `h`, `m`, `s` and `f` is the minimum number of
  /// digits; `.s…` adds tenths and so on. Values are truncated, never rounded up.
  ///
  /// With `f`, the clock is non-drop-frame timecode (SMPTE ST 12-1): frames count up to the integer
  /// nearest to the frame rate.
  private func clockText(_ seconds: Double, _ minus: String) -> String {
    let letters = Array(clock)
    let hasHours = clock.contains("h")
    let hasMinutes = clock.contains("m")
    let hasFrames = clock.contains("f")
    // A small tolerance, so that rounded multiples of 1/fps do not show the previous second.
    var total = abs(seconds) + 1e-9
    let nominal = max(1, frameRate.rounded())
    let frame = (abs(seconds) * frameRate + 1e-6).rounded(.down)
    if hasFrames { total = (frame / nominal).rounded(.down) }
    let whole = Int64(total)
    let values: [Character: Int64] = [
      "h": whole / 3600, "m": hasHours ? whole / 60 % 60 : whole / 60,
      "s": hasHours || hasMinutes ? whole % 60 : whole,
      "f": clock.contains("s") ? Int64(frame) % Int64(nominal) : Int64(frame),
    ]
    var text = seconds < 0 ? minus : ""
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      var count = 1
      while index + count < letters.count, letters[index + count] == letter { count += 1 }
      if letter == "s", index > 0, letters[index - 1] == "." {
        var fraction = total - Double(whole)
        for _ in 0..<count {
          fraction *= 10
          let digit = min(9, fraction.rounded(.down))
          text += String(Int(digit))
          fraction -= digit
        }
      } else if let value = values[letter] {
        let digits = String(value)
        text += String(repeating: "0", count: max(0, count - digits.count)) + digits
      } else {
        text += String(repeating: letter, count: count)
      }
      index += count
    }
    return text
  }

  /// Returns the first invalid letter of a clock, if any: a letter other than `h`, `m`, `s` or `f`;
  /// after a point, a letter other than `s` or `f`; or `f` in combination with fractions of a
  /// second.
  package static func strangeLetter(in clock: String) -> Character? {
    let hasFractions = clock.contains(".s")
    var previous: Character = " "
    for letter in clock {
      let known = previous == "." ? "sf" : "hmsf"
      if letter.isLetter, !known.contains(letter) || letter == "f" && hasFractions { return letter }
      previous = letter
    }
    return nil
  }
}
