// SPDX-License-Identifier: MIT
import SceneModel

/// The limits on the size of a scene. `--limit name=value` raises a limit.
package struct Limits: Hashable, Sendable {
  package var elements = 100_000
  package var nesting = 64
  /// The maximum value of the limit `nesting`: half of what fits on the stack.
  static let greatestNesting = 256
  /// The maximum of the limit `side`, in pixels: the size of a Cairo surface.
  package static let greatestSide = 32_767
  package var source = 16 << 20
  /// The width and the height of a frame, in pixels.
  package var side = 16_384
  /// The area of a frame, in pixels.
  package var area = 64_000_000
  package var hours = 24.0
  package var frames = 10_000_000
  package var fps = 1000.0
  /// The points and control points of one path.
  package var path = 1_000_000
  /// The total rounds of all loops and list comprehensions.
  package var rounds = 500_000
  /// The evaluation steps in all scenes of the file.
  package var steps = 4_000_000
  /// The characters of one text value. Displayed texts have a separate limit.
  package var characters = 1_000_000
  /// The parts of one pair, range, list or record, including those of its parts.
  package var parts = 1_000_000
  /// The estimated memory of the values of a scene and of the data files, in bytes
  /// (`ValueMemory`).
  package var memory = 256 << 20
  /// The cells of a table, including missing cells of short rows.
  package var cells = CSVTable.greatestCount
  /// The steps for drawing one frame (`DrawingWork`).
  package var drawing = 4e9

  /// The limits that were set by name.
  private var given: Set<String> = []

  package init() {}

  /// The label of a number that exceeds a limit that no option raises.
  static let fixed = "this limit is fixed"

  /// A limit: a whole number or a number, with the largest permitted value.
  private struct Entry: Sendable {
    let most: Double
    let value: @Sendable (Limits) -> Double
    let set: @Sendable (inout Limits, Double) -> Void
  }

  private static func count(
    _ path: any WritableKeyPath<Limits, Int> & Sendable, upTo most: Int = Int(greatest)
  ) -> Entry {
    Entry(most: Double(most), value: { Double($0[keyPath: path]) }) {
      $0[keyPath: path] = min(Int(max(0, min($1, greatest))), most)
    }
  }

  private static func number(
    _ path: any WritableKeyPath<Limits, Double> & Sendable, upTo most: Double = .infinity
  ) -> Entry {
    Entry(most: most, value: { $0[keyPath: path] }) { $0[keyPath: path] = min($1, most) }
  }

  private static let table: KeyValuePairs<String, Entry> = [
    "elements": count(\.elements),
    "nesting": count(\.nesting, upTo: greatestNesting),
    "source": count(\.source),
    "side": count(\.side, upTo: greatestSide),
    "area": count(\.area),
    "hours": number(\.hours, upTo: 200),
    "frames": count(\.frames),
    "fps": number(\.fps, upTo: 1_000_000),
    "path": count(\.path),
    "rounds": count(\.rounds),
    "steps": count(\.steps),
    "characters": count(\.characters),
    "parts": count(\.parts),
    "memory": count(\.memory),
    "cells": count(\.cells),
    "drawing": number(\.drawing),
  ]

  package static let names = table.map(\.key)

  private static let greatest = 1e15

  /// Returns the largest value that a limit can be set to, or `nil` for an unknown name.
  package static func most(_ name: String) -> Double? {
    table.first { $0.key == name }.map(\.value.most)
  }

  /// Returns the help that suggests a sufficient limit, or `nil` if no limit is sufficient. The
  /// suggestion is the next power of ten, since the value that exceeded the limit may be only a
  /// part of the total.
  static func raising(_ name: String, to value: Double) -> String? {
    let most = min(most(name) ?? 0, greatest)
    guard value <= most else { return nil }
    var power = 10.0
    while power < value { power *= 10 }
    return "raise the limit with --limit \(name)=\(Int(min(power, most)))"
  }

  /// Sets a limit by its name. Returns `false` for an unknown name.
  package mutating func set(_ name: String, _ value: Double) -> Bool {
    guard let entry = Limits.table.first(where: { $0.key == name })?.value else { return false }
    entry.set(&self, value)
    given.insert(name)
    return true
  }

  /// Applies the limits of a project, except those that were set by name.
  ///
  /// Returns the names of the limits that would have to be trusted, since they exceed the defaults;
  /// they are applied only if `isTrusted`.
  package mutating func apply(_ limits: [String: Double], isTrusted: Bool) -> Set<String> {
    var refused: Set<String> = []
    for (name, entry) in Limits.table where !given.contains(name) {
      guard let value = limits[name], value >= 0 else { continue }
      if value > entry.value(Limits()), !isTrusted {
        refused.insert(name)
      } else {
        entry.set(&self, value)
      }
    }
    return refused
  }
}
