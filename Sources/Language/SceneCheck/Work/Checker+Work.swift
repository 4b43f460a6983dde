// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText

// Accounting of work. Each computation counts its steps, so that a small file cannot cause
// unbounded work. After a limit is exceeded, all further values are poison and evaluate in constant
// time.
extension Checker {
  static let stepsOfText = 150
  static let stepsOfFontSize = 6000
  /// The steps per span for each request, since all spans of a text are laid out together.
  static let stepsOfSpan = 500
  /// The steps per character of a text that shrinks to fit, which requires several layouts.
  static let stepsOfFitting = 80
  /// The steps per character of a text with balanced lines.
  static let stepsOfBalance = 15
  /// The steps per point of two matched paths.
  static let stepsOfMatch = 150
  /// The steps per point of two paths that are matched at each frame.
  static let stepsOfMorph = 800
  /// The steps for a position on a path at each frame, and per point of a measured path.
  static let stepsOfPlace = 100
  static let stepsOfMeasure = 8
  /// The steps per frequency band of a sound whose levels are cached in a file.
  static let stepsOfBand = 100
  /// The steps per level of a long sound with bands that are measured separately, after
  /// `uncountedPasses` bands.
  static let stepsOfPass = 50
  static let uncountedPasses = 64

  /// The steps between two checks for cancellation, which take far less than a millisecond.
  private static let stepsBetweenPolls = 256

  func setCheckpoint() {
    let limit = options.limits.steps
    checkpoint =
      options.isCancelled == nil ? limit : min(limit, stepCount + Checker.stepsBetweenPolls)
  }

  /// Checks for cancellation at intervals.
  private func poll() {
    guard stepCount > checkpoint else { return }
    if options.isCancelled?() == true { reports.cancel() }
    setCheckpoint()
  }

  /// Counts steps of work at a span. Returns `false` after the limit is exceeded.
  func spend(_ count: Int, _ span: SourceSpan) -> Bool {
    stepCount += count
    poll()
    guard stepCount > options.limits.steps else { return !reports.isClosed }
    exceeded(
      "steps", "checking the file takes more than \(options.limits.steps) steps", at: span,
      raisedTo: options.limits.steps * 10)
    return false
  }

  /// Counts one nested evaluation. Returns `false` if the stack or the limit is exhausted.
  func enter(_ span: SourceSpan) -> Bool {
    stepCount += 1
    poll()
    if stepCount <= options.limits.steps, depth < Checker.greatestDepth, !reports.isClosed {
      depth += 1
      return true
    }
    _ = spend(0, span)
    _ = deeper(span) { true }
    return false
  }

  /// Runs `body` one level deeper on the stack, or returns `nil` if the stack is exhausted.
  ///
  /// Nested evaluations use the stack for all functions between them, so both their number and the
  /// depth of their expressions count.
  func deeper<T>(_ span: SourceSpan, by levels: Int = 1, _ body: () -> T) -> T? {
    guard !reports.isClosed else { return nil }
    guard depth < Checker.greatestDepth else {
      exceeded(
        "depth", "too many values depend on each other", at: span,
        raisedTo: nil)
      return nil
    }
    depth += levels
    defer { depth -= levels }
    return body()
  }

  /// Returns whether a text is within the limit. Each use counts as work.
  func isAffordable(_ text: TextExpression, _ span: SourceSpan) -> Bool {
    isAffordable(textOfLength: text.size(atMost: options.limits.characters), span)
  }

  /// Returns whether a text of a length in bytes is within the limit. Each use counts as work.
  func isAffordable(textOfLength length: Int, _ span: SourceSpan) -> Bool {
    isAffordable(
      length, unit: "characters", of: "the text", limit: options.limits.characters,
      named: "characters", at: span)
  }

  /// Returns whether two texts are equal. Their lengths count as work.
  func areEqual(_ a: String, _ b: String, at span: SourceSpan) -> Bool {
    spend(min(a.utf8.count, b.utf8.count) / 64, span) && a == b
  }

  /// Returns whether a path is within the limit of points. Each use counts as work.
  func isAffordable(_ path: PathModel, _ span: SourceSpan) -> Bool {
    let limit = options.limits.path
    return isAffordable(
      path.size(atMost: limit), unit: "points", of: "the path", limit: limit, named: "path",
      at: span)
  }

  /// Counts the size of a value as work. Returns `false` if the size exceeds the limit `name`, or if
  /// the limit of steps is exceeded.
  private func isAffordable(
    _ size: Int, unit: String, of value: String, limit: Int, named name: String,
    at span: SourceSpan
  ) -> Bool {
    guard size <= limit else {
      exceeded(
        name, "\(value) has more than \(limit) \(unit)", at: span, raisedTo: limit * 10)
      return false
    }
    return spend(size / 16, span)
  }

  /// Returns a value made of parts, or poison if it exceeds the limit of parts. Each use counts as
  /// work, because the parts of nested values are shared but visited one by one.
  func affordable(_ value: Value, _ span: SourceSpan) -> Value {
    let limit = options.limits.parts
    guard let size = value.partCount(upTo: limit) else {
      exceeded(
        "depth", "a value is nested more than \(Value.greatestDepth) levels deep", at: span,
        raisedTo: nil)
      return poison(span)
    }
    guard size <= limit else {
      exceeded(
        "parts", "the value has more than \(limit) parts", at: span, raisedTo: limit * 10)
      return poison(span)
    }
    let bytes: Int =
      switch value {
      case .list(let items): ValueMemory.list(items.count)
      case .record(let fields): ValueMemory.list(fields.count * 2)
      default: ValueMemory.box * 2
      }
    return reserve(bytes, span) && spend(size / 16, span) ? value : poison(span)
  }

  /// Returns the characters of a text, or `nil` if the limit of steps is exceeded. The tables of
  /// long texts are cached, so that loops can access all characters.
  func characters(of text: String, _ span: SourceSpan) -> CharacterTable? {
    guard text.utf8.count >= CharacterTables.leastLength else { return CharacterTable(text) }
    var compared = 0
    let known = characterTables.table(of: text, compared: &compared)
    let length = known == nil ? text.utf8.count : 0
    guard spend(compared / 64 + length / 16, span) else { return nil }
    if let known { return known }
    let table = CharacterTable(text)
    characterTables.add(table)
    return table
  }
}
