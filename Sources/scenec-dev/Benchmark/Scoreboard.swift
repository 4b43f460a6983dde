// SPDX-License-Identifier: MIT
import Foundation

/// The rows of the benchmark that have a limit. One that is missed by more than a fifth, which no
/// noise explains, fails the run.
final class Scoreboard {
  private var misses: [String] = []
  /// How many times as long as where the limits in milliseconds come from the bare encoder takes here.
  private var pace = 1.0

  /// The CPU that the bare encoder took for a frame, and what it took there, each in milliseconds.
  func take(encoder: Double, reference: Double) {
    pace = max(1, encoder / reference)
    print(
      "the bare encoder takes \(text(pace)) times its reference; limits in ms are \(text(pace)) times what is printed"
    )
  }

  /// Notes what a row took, in milliseconds; the limit as it is printed behind it.
  func judge(_ row: String, milliseconds value: Double, atMost limit: Double) -> String {
    _ = judge(row, value / pace, atMost: limit)
    return "(at most \(text(limit)))"
  }

  /// Notes what a row came to; the limit as it is printed behind it.
  func judge(_ row: String, _ value: Double, atMost limit: Double) -> String {
    if value > limit * 1.2 {
      misses.append("\(row): \(text(value)) instead of at most \(text(limit))")
    }
    return "(at most \(text(limit)))"
  }

  /// Throws when a row missed its limit.
  func finish() throws {
    guard !misses.isEmpty else { return }
    throw Failure(
      description: "\(misses.count) rows miss their limit:\n  " + misses.joined(separator: "\n  "))
  }

  private func text(_ value: Double) -> String { String(format: "%.4g", value) }
}
