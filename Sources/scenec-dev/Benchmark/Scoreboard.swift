// SPDX-License-Identifier: MIT
import Foundation

/// The rows of the benchmark that have a limit. One that is missed by more than a fifth, which no
/// noise explains, fails the run.
final class Scoreboard {
  private var misses: [String] = []

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
