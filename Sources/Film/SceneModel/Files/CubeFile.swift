// SPDX-License-Identifier: MIT
package import SceneIR

/// A parser for color lookup tables in the .cube format (Adobe, Cube LUT Specification 1.0).
package enum CubeFile {
  /// Parses a three-dimensional table, or converts three curves to one.
  package static func table(_ bytes: [UInt8]) throws(DataError) -> ColorTable {
    let text = String(decoding: bytes, as: UTF8.self)
    var size3: Int?
    var size1: Int?
    var low = [Float](repeating: 0, count: 3)
    var high = [Float](repeating: 1, count: 3)
    var values: [Float] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      func failure(_ message: String) -> DataError {
        DataError(message: message, line: index + 1, column: 1)
      }
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      func number(_ k: Int) throws(DataError) -> Float {
        guard words.indices.contains(k), let value = Float(words[k]), value.isFinite else {
          throw failure("expected a number")
        }
        return value
      }
      switch first {
      case "TITLE": continue
      case "LUT_3D_SIZE", "LUT_1D_SIZE":
        let greatest: Float = first == "LUT_3D_SIZE" ? 256 : 65_536
        let wanted = try number(1)
        guard (2...greatest).contains(wanted), wanted == wanted.rounded() else {
          throw failure("a size must be a whole number from 2 to \(Int(greatest))")
        }
        let size = Int(wanted)
        if first == "LUT_3D_SIZE" { size3 = size } else { size1 = size }
      case "DOMAIN_MIN": low = [try number(1), try number(2), try number(3)]
      case "DOMAIN_MAX": high = [try number(1), try number(2), try number(3)]
      default:
        guard first.first?.isNumber == true || "+-.".contains(first.first ?? "x") else {
          throw failure("unknown keyword '\(first.prefix(30))'")
        }
        for k in 0..<3 { values.append(max(0, min(1, try number(k)))) }
        guard values.count <= 3 * 256 * 256 * 256 else {
          throw failure("the table has more than 256³ colors")
        }
      }
    }
    guard low == [0, 0, 0], high == [1, 1, 1] else {
      throw DataError(
        message: "a domain other than 0 to 1 is not supported", line: 1, column: 1)
    }
    guard let size = size3 ?? size1 else {
      throw DataError(message: "LUT_3D_SIZE is missing", line: 1, column: 1)
    }
    let wanted = size3 == nil ? size : size * size * size
    guard values.count == 3 * wanted else {
      throw DataError(
        message: "the table has \(values.count / 3) colors instead of \(wanted)", line: 1, column: 1
      )
    }
    let digest = Digest.fnv1a(bytes)
    if size3 == nil { return cube(of: values, size, digest) }
    return ColorTable(digest: digest, size: size, values: values)
  }

  /// Converts three curves to a three-dimensional table with 33 steps per axis.
  private static func cube(of curve: [Float], _ size: Int, _ digest: UInt64) -> ColorTable {
    let steps = 33
    func value(_ step: Int, _ channel: Int) -> Float {
      let at = Float(step) / Float(steps - 1) * Float(size - 1)
      let low = min(size - 2, Int(at))
      let u = at - Float(low)
      return curve[low * 3 + channel] * (1 - u) + curve[(low + 1) * 3 + channel] * u
    }
    var values: [Float] = []
    for b in 0..<steps {
      for g in 0..<steps {
        for r in 0..<steps { values += [value(r, 0), value(g, 1), value(b, 2)] }
      }
    }
    return ColorTable(digest: digest, size: steps, values: values)
  }
}
