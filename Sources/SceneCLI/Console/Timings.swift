// SPDX-License-Identifier: MIT
import CProcess
import Foundation
package import SceneSystem
import Synchronization

/// Where the time of a build goes (`--timings`). Used by all of its threads.
package final class Timings: Sendable {
  /// What is done, in the order in which it is shown; sound is mixed and encoded while pictures are.
  package enum Work: String, CaseIterable, Sendable {
    case check, plan, key, read, lower, draw, encode, keep, sound, write
  }

  private struct Span {
    let work: Work
    /// The number of the worker, or 0.
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

  /// A line for each kind of work, the whole time, and the frames that took longest, each with the
  /// place that `heaviest` knows for its number.
  package func lines(heaviest: (Int) -> String?) -> [String] {
    let all = spans.withLock { $0 }
    var lines = Work.allCases.compactMap { work -> String? in
      let own = all.filter { $0.work == work }
      guard !own.isEmpty else { return nil }
      let sum = own.reduce(Duration.zero) { $0 + $1.length }
      return Timings.row(work.rawValue, sum, own.count > 1 ? "\(own.count) times" : "")
    }
    lines.append(Timings.row("total", clock.now - started, ""))
    if let fences = Timings.fences(refused: scene_refused_fences()) { lines.append(fences) }
    let slow = all.filter { $0.work == .draw && $0.frame != nil }
      .sorted { $0.length > $1.length }.prefix(3)
    for span in slow {
      let frame = span.frame ?? 0
      let place = heaviest(frame).map { ", mostly \($0)" } ?? ""
      lines.append(Timings.row("frame \(frame)", span.length, "to draw\(place)"))
    }
    return lines
  }

  /// A line that names what the kernel refuses of the sandbox in which foreign files are decoded, if anything.
  package static func fences(refused: Int32) -> String? {
    let names = [(1, "seccomp"), (2, "Landlock")].filter { refused & $0.0 != 0 }.map(\.1)
    guard !names.isEmpty else { return nil }
    let more =
      "not supported by the kernel: \(names.joined(separator: " and ")); decoders run with resource limits only"
    return "sandbox".padding(toLength: 12, withPad: " ", startingAt: 0) + more
  }

  private static func row(_ name: String, _ time: Duration, _ more: String) -> String {
    let seconds = String(format: "%9.3f s", time / .seconds(1))
    return name.padding(toLength: 12, withPad: " ", startingAt: 0) + seconds
      + (more.isEmpty ? "" : "  \(more)")
  }

  /// In the trace-event format, which tools of browsers open.
  package func trace() throws -> String {
    struct Event: Encodable {
      let name: String
      let ph = "X"
      let pid = 1
      let tid: Int
      /// Microseconds.
      let ts: Double
      let dur: Double
      let args: [String: Int]
    }
    let microsecond = Duration.microseconds(1)
    let events = spans.withLock { $0 }.map { span in
      Event(
        name: span.work.rawValue, tid: span.thread, ts: span.start / microsecond,
        dur: span.length / microsecond, args: span.frame.map { ["frame": $0] } ?? [:])
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(events), as: UTF8.self) + "\n"
  }
}

extension Timings? {
  /// Does something, and notes how long that took where anybody wants to know.
  package func measure<T, E: Error>(
    _ work: Timings.Work, thread: Int = 0, frame: Int? = nil, _ body: () throws(E) -> T
  ) throws(E) -> T {
    guard let self else { return try body() }
    let start = self.clock.now
    defer { self.note(work, thread: thread, frame: frame, from: start) }
    return try body()
  }
}
