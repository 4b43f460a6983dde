// SPDX-License-Identifier: MIT
import Foundation

/// The benchmark rows with a limit. Exceeding a limit by more than a fifth, which noise does not
/// explain, fails the run.
final class Scoreboard {
  private var misses: [String] = []
  /// The ratio of the bare encoder's time on this machine to its time on the reference machine, at
  /// least 1.
  private var pace = 1.0

  /// Sets the pace from the bare encoder's CPU time per frame on this and on the reference machine,
  /// in milliseconds.
  func take(encoder: Double, reference: Double) {
    pace = max(1, encoder / reference)
    print(
      "the bare encoder takes \(text(pace)) times its reference; limits in ms are \(text(pace)) times the printed values"
    )
  }

  /// Records a time in milliseconds; returns the limit as text.
  func judge(_ row: String, milliseconds value: Double, atMost limit: Double) -> String {
    _ = judge(row, value / pace, atMost: limit)
    return "(at most \(text(limit)))"
  }

  /// Records a value; returns the limit as text.
  func judge(_ row: String, _ value: Double, atMost limit: Double) -> String {
    if value > limit * 1.2 {
      misses.append("\(row): \(text(value)) instead of at most \(text(limit))")
    }
    return "(at most \(text(limit)))"
  }

  /// Throws if any row exceeded its limit.
  func finish() throws {
    guard !misses.isEmpty else { return }
    throw Failure(
      description: "\(misses.count) rows miss their limit:\n  " + misses.joined(separator: "\n  "))
  }

  private func text(_ value: Double) -> String { String(format: "%.4g", value) }
}
