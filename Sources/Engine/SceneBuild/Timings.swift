// SPDX-License-Identifier: MIT
import CProcess
import SceneJSON
import SceneModel
package import SceneSystem
import Synchronization

/// The timings of a build (`--timings`). Used by all its threads.
package final class Timings: Sendable {
  /// The kinds of work in display order. Audio is processed in parallel with frames.
  package enum Work: String, CaseIterable, Sendable {
    case check, plan, key, read, lower, draw, encode, keep, sound, write
  }

  private struct Span {
    let work: Work
    /// The number of the worker thread, or 0.
    let thread: Int
    let start: Duration
    let length: Duration
    let frame: Int?
  }

  fileprivate let clock: any TimeSource
  private let started: ContinuousClock.Instant
  private let spans = Mutex<[Span]>([])

  package init(clock: any TimeSource = SystemClock()) {
    self.clock = clock
    started = clock.now
  }

  fileprivate func note(_ work: Work, thread: Int, frame: Int?, from start: ContinuousClock.Instant)
  {
    let span = Span(
      work: work, thread: thread, start: start - started, length: clock.now - start,
      frame: frame)
    spans.withLock { $0.append(span) }
  }

  /// Returns a line for each kind of work, the total time, and the slowest frames with the location
  /// that `heaviest` returns for them.
  package func lines(heaviest: (Int) -> String?) -> [String] {
    let all = spans.withLock { $0 }
    var lines = Work.allCases.compactMap { work -> String? in
      let own = all.filter { $0.work == work }
      guard !own.isEmpty else { return nil }
      let sum = own.reduce(Duration.zero) { $0 + $1.length }
      return Timings.row(work.rawValue, sum, more: own.count > 1 ? "\(own.count) times" : "")
    }
    lines.append(Timings.row("total", clock.now - started, more: ""))
    if let fences = Timings.fences(refused: scene_refused_fences()) { lines.append(fences) }
    let slow = all.filter { $0.work == .draw && $0.frame != nil }
      .sorted { $0.length > $1.length }.prefix(3)
    for span in slow {
      let frame = span.frame ?? 0
      let place = heaviest(frame).map { ", mostly \($0)" } ?? ""
      lines.append(Timings.row("frame \(frame)", span.length, more: "to draw\(place)"))
    }
    return lines
  }

  /// Returns a line with the sandbox features that the kernel does not support, or `nil`.
  package static func fences(refused: Int32) -> String? {
    let names = [(1, "seccomp"), (2, "Landlock")].filter { refused & $0.0 != 0 }.map(\.1)
    guard !names.isEmpty else { return nil }
    let more =
      "not supported by the kernel: \(names.joined(separator: " and ")); decoders run with resource limits only"
    return padded("sandbox") + more
  }

  private static func row(_ name: String, _ time: Duration, more: String) -> String {
    var format = NumberFormat()
    format.decimals = 3
    let seconds = format.text(time / .seconds(1))
    let space = String(repeating: " ", count: max(0, 9 - seconds.count))
    return padded(name) + "\(space)\(seconds) s" + (more.isEmpty ? "" : "  \(more)")
  }

  /// Returns a name with spaces up to the second column.
  private static func padded(_ name: String) -> String {
    name + String(repeating: " ", count: max(0, 12 - name.count))
  }

  /// The timings in the trace event format of browser developer tools.
  package var trace: String {
    let microsecond = Duration.microseconds(1)
    let events = spans.withLock { $0 }.map { span in
      JSON.object([
        "name": .string(span.work.rawValue), "ph": .string("X"), "pid": .int(1),
        "tid": .int(span.thread), "ts": .double(span.start / microsecond),
        "dur": .double(span.length / microsecond),
        "args": .object(span.frame.map { ["frame": .int($0)] } ?? [:]),
      ])
    }
    return String(decoding: JSON.array(events).bytes, as: UTF8.self) + "\n"
  }
}

extension Timings? {
  /// Runs `body` and records its duration if timings are collected.
  package func measure<T, E: Error>(
    _ work: Timings.Work, thread: Int = 0, frame: Int? = nil, _ body: () throws(E) -> T
  ) throws(E) -> T {
    guard let self else { return try body() }
    let start = self.clock.now
    defer { self.note(work, thread: thread, frame: frame, from: start) }
    return try body()
  }
}
