// SPDX-License-Identifier: MIT
package import SceneCLI
import SceneModel
import SceneSystem

/// The style of progress output (`--progress`).
package enum ProgressStyle: String, Sendable {
  case auto, plain, json, none

  package init(_ reader: OptionReader) {
    self = reader.text("progress").flatMap(ProgressStyle.init) ?? .auto
  }
}

/// The progress output of a build: a bar on a terminal, plain lines, or JSON lines.
struct Progress {
  private enum Style { case bar, plain, json, none }

  private let style: Style
  private let total: Int
  private let clock: any TimeSource
  private let started: ContinuousClock.Instant
  private var shown: ContinuousClock.Instant

  init(_ wanted: ProgressStyle, isQuiet: Bool, total: Int, clock: any TimeSource) {
    self.clock = clock
    started = clock.now
    self.total = total
    shown = started
    switch wanted {
    case .plain: style = .plain
    case .json: style = .json
    case .none: style = .none
    case .auto: style = isQuiet || !Console.isTerminal ? .none : .bar
    }
  }

  mutating func show(_ done: Int) {
    guard style != .none else { return }
    let now = clock.now
    let interval: Duration = style == .bar ? .milliseconds(100) : .milliseconds(500)
    guard done == total || now - shown >= interval else { return }
    shown = now
    let seconds = (now - started) / .seconds(1)
    let rate = seconds > 0 ? Double(done) / seconds : 0
    let left = rate > 0 ? Double(total - done) / rate : 0
    switch style {
    case .bar: Console.show(bar(done: done, rate: rate, left: left))
    case .plain:
      line(
        "\(done)/\(NumberFormat.count(total, of: "frame")), \(tenths(rate)) fps, \(clock(left)) left"
      )
    case .json:
      line(
        "{\"frame\":\(done),\"frames\":\(total),\"rate\":\(tenths(rate)),\"left\":\(tenths(left))}")
    case .none: break
    }
  }

  /// Erases the bar from the terminal.
  func clear() {
    if style == .bar { Console.show("\r\u{1B}[2K") }
  }

  private func line(_ text: String) { Console.show(text + "\n") }

  private func bar(done: Int, rate: Double, left: Double) -> String {
    let text = " \(done)/\(total)  \(tenths(rate)) fps  \(clock(left)) left"
    let width = max(0, min(40, Console.columns - text.count - 3))
    let filled = total > 0 ? width * done / total : 0
    let cells =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    return "\r\u{1B}[2K" + cells + text
  }

  private func tenths(_ value: Double) -> String {
    let number = Int((value * 10).rounded())
    return "\(number / 10).\(number % 10)"
  }

  private func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 360_000).rounded())
    return "\(whole / 60):" + (whole % 60 < 10 ? "0" : "") + "\(whole % 60)"
  }
}
