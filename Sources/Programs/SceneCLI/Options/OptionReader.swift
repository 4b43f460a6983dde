// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel
package import SceneOutput
import SceneSession

/// Parses the options of a command before it runs and collects all errors.
package struct OptionReader {
  private let call: Invocation
  package private(set) var errors: [String] = []

  package init(_ call: Invocation) { self.call = call }

  /// Returns the parsed value of an option; `nil` if the option is missing or invalid.
  package mutating func read<T>(
    _ name: String, _ parse: (String) throws(Invocation.Failure) -> T
  ) -> T? {
    guard let text = call.value(name) else { return nil }
    do throws(Invocation.Failure) {
      return try parse(text)
    } catch {
      errors.append(error.message)
      return nil
    }
  }

  /// Passes all values of a repeatable option to `body`.
  package mutating func readAll(_ name: String, _ body: (String) throws(Invocation.Failure) -> Void)
  {
    for text in call.all(name) {
      do throws(Invocation.Failure) { try body(text) } catch { errors.append(error.message) }
    }
  }

  package mutating func report(_ message: String) { errors.append(message) }

  package func text(_ name: String) -> String? { call.value(name) }

  package func all(_ name: String) -> [String] { call.all(name) }

  package func has(_ name: String) -> Bool { call.has(name) }

  package mutating func count(_ name: String, in range: ClosedRange<Int>) -> Int? {
    read(name) { text throws(Invocation.Failure) in
      guard let number = Int(text), range.contains(number) else {
        throw Invocation.Failure(
          message:
            "'--\(name)' must be a whole number from \(range.lowerBound) to \(range.upperBound), found '\(text)'"
        )
      }
      return number
    }
  }

  package mutating func time(_ name: String) -> TimeOption? {
    read(name) { text throws(Invocation.Failure) in try TimeOption(text, of: name) }
  }
}

extension OptionReader {
  /// Returns a time or the name of a marker; `nil` if the option is missing or invalid. Names begin
  /// with a letter or `_`.
  mutating func place(_ name: String) -> FramePlace? {
    if let text = text(name), let first = text.first, first.isLetter || first == "_" {
      return .marker(text)
    }
    return time(name).map(FramePlace.time)
  }
}

extension TimeOption {
  /// Parses `1.5s`, `300ms`, `2min`, `12f` or plain seconds.
  init(_ text: String, of option: String) throws(Invocation.Failure) {
    let second = Double(Ticks.perSecond)
    let units: [(String, (Double) -> TimeOption)] = [
      ("ms", { .ticks($0 * (second / 1000)) }), ("min", { .ticks($0 * (second * 60)) }),
      ("s", { .ticks($0 * second) }), ("f", { .frames($0) }), ("", { .ticks($0 * second) }),
    ]
    for (suffix, time) in units where text.hasSuffix(suffix) {
      guard let number = Double(text.dropLast(suffix.count)), (0...864_000_000).contains(number)
      else { break }
      self = time(number)
      return
    }
    throw Invocation.Failure(
      message: "'--\(option)' must be a time such as 1.5s or 12f, found '\(text)'")
  }
}

extension PictureScale {
  /// Reads `--scale` or `--width`.
  package init?(_ reader: inout OptionReader) {
    let width = reader.count("width", in: 1...16_384)
    let factor = reader.read("scale") { text throws(Invocation.Failure) -> Double in
      let isShare = text.hasSuffix("%")
      guard let number = Double(isShare ? String(text.dropLast()) : text),
        case let factor = isShare ? number / 100 : number, (0.01...16).contains(factor)
      else {
        throw Invocation.Failure(
          message: "'--scale' must be a factor from 0.01 to 16, such as 0.5, found '\(text)'")
      }
      return factor
    }
    if reader.has("width"), reader.has("scale") {
      reader.report("'--scale' and '--width' cannot be combined")
    }
    if let factor {
      self = .factor(factor)
    } else if let width {
      self = .width(width)
    } else {
      return nil
    }
  }
}
