// SPDX-License-Identifier: MIT
import SceneSession
package import SceneStore
import SceneSystem

extension StorePlace {
  /// Reads the cache location from the options or else from the environment.
  package init(_ reader: inout OptionReader) {
    self = .ofUser
    if let given = reader.text("cache") {
      if given.isEmpty { reader.report("'--cache' requires a folder name") }
      path = given
    }
    if reader.has("no-cache") {
      if reader.has("cache") { reader.report("'--cache' and '--no-cache' cannot be combined") }
      path = nil
    }
    let size = reader.read("cache-size") { text throws(Invocation.Failure) in
      try ByteCount.parse(text, of: "'--cache-size'")
    }
    if let size {
      limit = size
    } else if let text = OwnProcess.environment("SCENEC_CACHE_SIZE"), !text.isEmpty {
      do throws(Invocation.Failure) {
        limit = try ByteCount.parse(text, of: "SCENEC_CACHE_SIZE")
      } catch {
        reader.report(error.message)
      }
    }
  }
}

/// Byte counts in human-readable form.
enum ByteCount {
  private static let units: [(name: String, bytes: Double)] = [
    ("TiB", 0x1p40), ("GiB", 0x1p30), ("MiB", 0x1p20), ("KiB", 0x1p10), ("TB", 1e12), ("GB", 1e9),
    ("MB", 1e6), ("kB", 1e3), ("B", 1),
  ]

  static func parse(_ text: String, of name: String) throws(Invocation.Failure) -> Int {
    for unit in units where text.lowercased().hasSuffix(unit.name.lowercased()) {
      let digits = text.dropLast(unit.name.count).filter { $0 != " " }
      guard let number = Double(digits), (0...1e15).contains(number * unit.bytes) else { break }
      return Int(number * unit.bytes)
    }
    if text == "0" { return 0 }
    throw Invocation.Failure(
      message: "\(name) must be a size such as 4GB or 500MB, found '\(text)'")
  }

  static func text(_ bytes: Int) -> String {
    let unit = units.dropFirst(4).first { Double(bytes) >= $0.bytes } ?? ("B", 1)
    let tenths = Int((Double(bytes) / unit.bytes * 10).rounded())
    let isWhole = tenths >= 100 || tenths % 10 == 0
    return (isWhole ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)") + " " + unit.name
  }
}

/// An age on the command line: `7d`, `12h`, `30min` or `90s`.
enum Age {
  private static let units = [("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)]

  static func parse(_ text: String) throws(Invocation.Failure) -> Int {
    for (name, seconds) in units where text.hasSuffix(name) {
      guard let number = Double(text.dropLast(name.count)), (0...1e6).contains(number) else {
        break
      }
      return Int(number * Double(seconds))
    }
    throw Invocation.Failure(
      message: "'--older-than' must be an age such as 7d or 12h, found '\(text)'")
  }

  static func text(_ seconds: Int) -> String {
    let (name, length) =
      [("day", 86_400), ("hour", 3600), ("minute", 60)]
      .first { seconds >= 2 * $0.1 } ?? ("second", 1)
    let count = seconds / length
    return "\(count) \(name)" + (count == 1 ? "" : "s")
  }
}
