// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Compares CSS easings in the notation of scenes with the results of browsers.
@Suite("Easing conformance", .cpuBudget(seconds: 1)) struct EasingConformanceTests {
  /// Translates `linear(0, 0.5 25% 75%, 1)` to `linear(0, stop(0.5, 25%, 75%), 1)`. Other easings
  /// are returned unchanged. Returns `nil` if scenes do not support the syntax.
  static func translated(_ css: String) -> String? {
    let text = css.trimmingCharacters(in: .whitespaces).lowercased()
    if ["calc", "sibling", "sign", "var(", "\\"].contains(where: { text.contains($0) }) {
      return nil
    }
    guard text.hasPrefix("linear("), text.hasSuffix(")") else { return text }
    let stops = text.dropFirst(7).dropLast().split(separator: ",", omittingEmptySubsequences: false)
    let parts = stops.map { stop -> String in
      // Percentages may be before or after the output.
      let words = stop.split { $0 == " " || $0 == "\t" || $0 == "\n" }
      let ordered =
        words.filter { !$0.hasSuffix("%") } + words.filter { $0.hasSuffix("%") }
      return ordered.count <= 1
        ? String(ordered.first ?? "") : "stop(\(ordered.joined(separator: ", ")))"
    }
    return "linear(\(parts.joined(separator: ", ")))"
  }

  static func easing(_ css: String) -> Easing? {
    guard let written = translated(css) else { return nil }
    let source = scene("circle { radius: 0 -> 100 over 1s with \(written) }")
    guard let model = checked(source).model else { return nil }
    return model.program.easings.first ?? .linear
  }

  @Test func values() throws {
    var count = 0
    for row in try ConformanceTable("easing/values.tsv").rows {
      let name = row["easing"] ?? ""
      guard Self.translated(name) != nil else { continue }
      let easing = try #require(Self.easing(name), "\(name)")
      let x = try #require(Double(row["input_progress"] ?? ""))
      let wanted = try #require(Double(row["expected_output"] ?? ""))
      // These rows contain thirds with one decimal, and 0.1 at the end, where the next cycle
      // starts.
      let isCut = row["source"]?.contains("step-jump") == true
      if isCut, x == 1 || x == 0.333333333 { continue }
      let tolerance = isCut ? 0.07 : Double(row["tolerance"] ?? "") ?? 1e-4
      #expect(abs(easing.value(at: x) - wanted) <= max(tolerance, 1e-6), "\(name) at \(x)")
      count += 1
    }
    #expect(count > 90)
  }

  @Test func chromium() throws {
    var count = 0
    var known: [String: Easing] = [:]
    for row in try ConformanceTable("easing/oracle-chromium.tsv").rows {
      let name = row["easing"] ?? ""
      guard Self.translated(name) != nil else { continue }
      let easing = try #require(known[name] ?? Self.easing(name), "\(name)")
      known[name] = easing
      let x = try #require(Double(row["input_progress"] ?? ""))
      let wanted = try #require(Double(row["output"] ?? ""))
      let tolerance = Double(row["tolerance"] ?? "") ?? 1e-5
      // Inputs have nine decimals, so both values at a jump are correct.
      if case .steps(let steps, _) = easing {
        let jump = x * Double(steps)
        if abs(jump - jump.rounded()) < 1e-6, jump != jump.rounded() { continue }
      }
      let own = easing.value(at: x)
      #expect(
        abs(own - wanted) <= max(tolerance, 2e-5) * max(1, abs(wanted)),
        "\(name) at \(x): \(own), \(wanted)")
      count += 1
    }
    #expect(count > 3000)
  }

  @Test func equivalent() throws {
    for row in try ConformanceTable("easing/equivalent.tsv").rows {
      let names = row.values.filter { $0.contains("(") && !$0.contains("/") }
      guard names.count == 2, let a = Self.easing(names[0]), let b = Self.easing(names[1]) else {
        continue
      }
      let inputs = row.compactMap { Double($0.value) }
      for x in inputs {
        #expect(abs(a.value(at: x) - b.value(at: x)) < 1e-5, "\(names) at \(x)")
      }
    }
  }

  @Test func syntax() throws {
    for row in try ConformanceTable("easing/syntax.tsv").rows where row["feature"] == "plain" {
      let css = row["easing"] ?? ""
      guard let written = Self.translated(css) else { continue }
      let isValid = row["outcome"] == "valid"
      let source = scene("circle { radius: 0 -> 100 over 1s with \(written) }")
      let isAccepted = checked(source).model != nil
      // Single stops and numbers that CSS clamps are errors in scenes.
      if isValid != isAccepted {
        #expect(!isValid && written.contains("stop"), "\(css) as \(written)")
      }
    }
  }

  /// The rows that a tween can express: one iteration with fill mode `both`.
  @Test func stepBoundaries() throws {
    var count = 0
    for row in try ConformanceTable("easing/step-boundaries.tsv").rows {
      guard row["iterations"] == "1", row["iteration_start"] == "0", row["direction"] == "normal",
        row["fill"] == "both", row["end_delay_ms"] == "0",
        let delay = Double(row["delay_ms"] ?? ""), let duration = Double(row["duration_ms"] ?? ""),
        let time = Double(row["current_time_ms"] ?? ""), time >= 0, duration > 0,
        let wanted = Double(row["expected_progress"] ?? "")
      else { continue }
      let source = scene(
        "circle { radius: 100 -> 200 over \(duration)ms after \(delay)ms with \(row["easing"] ?? "") }"
      )
      let drawn = try #require(program(source, at: time / 1000), "\(row)")
      guard case .fill(.ellipse(center: _, rx: let radius, ry: _), _)? = drawn.ops.first else {
        continue
      }
      #expect(abs(radius - (100 + 100 * wanted)) < 1e-6, "\(row)")
      count += 1
    }
    #expect(count > 10)
  }
}
