// SPDX-License-Identifier: MIT

/// Returns the value of a number literal without its unit. The value is infinite if it overflows;
/// `nil` for an invalid literal.
package func numberValue(_ written: ArraySlice<UInt8>) -> Double? {
  if let value = shortNumber(written) { return value }
  return Double(String(decoding: written.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self))
}

/// Returns the value of a number with at most 15 digits and no exponent, which covers nearly all
/// cases; `nil` for other numbers. The digits and the power of ten are exact, so that a single
/// division rounds correctly (Clinger 1990).
private func shortNumber(_ written: ArraySlice<UInt8>) -> Double? {
  var (digits, count, decimals) = (UInt64(0), 0, -1)
  for byte in written {
    switch byte {
    case 48...57:
      digits = digits * 10 + UInt64(byte - 48)
      count += 1
      if decimals >= 0 { decimals += 1 }
      if count > 15 { return nil }
    case UInt8(ascii: ".") where decimals < 0: decimals = 0
    case UInt8(ascii: "_"): break
    default: return nil
    }
  }
  guard count > 0 else { return nil }
  return decimals > 0 ? Double(digits) / powersOfTen[decimals] : Double(digits)
}

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]
