// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneText

// What a check may take. Work is counted wherever it is done, so that no form of a small file can
// make it grow without end; once a limit is passed, all further values are poison and come at once.
extension Checker {
  static let stepsOfText = 150
  static let stepsOfFontSize = 6000
  /// All of a text are laid out together, again for each thing that is asked of it.
  static let stepsOfSpan = 500
  /// For each letter of a text that is made smaller until it fits, which lays it out several times.
  static let stepsOfFitting = 80
  /// For each letter of a text with balanced lines.
  static let stepsOfBalance = 15
  /// For each point of two paths that are matched.
  static let stepsOfMatch = 150
  /// The same where they are matched again at each time.
  static let stepsOfMorph = 800
  /// For a place on a path, which is found at each time; and for each point of a path that is measured.
  static let stepsOfPlace = 100
  static let stepsOfMeasure = 8
  /// For each band of a sound, whose levels are kept in a file.
  static let stepsOfBand = 100
  /// For each level of a long sound whose bands are measured one by one, beyond some bands.
  static let stepsOfPass = 50
  static let uncountedPasses = 64

  /// Steps from one question whether the check is still wanted to the next: far below a millisecond.
  private static let stepsBetweenPolls = 256

  func setCheckpoint() {
    let limit = options.limits.steps
    checkpoint =
      options.isCancelled == nil ? limit : min(limit, stepCount + Checker.stepsBetweenPolls)
  }

  /// Asks whether the check is still wanted, once in a while.
  private func poll() {
    guard stepCount > checkpoint else { return }
    if options.isCancelled?() == true { reports.cancel() }
    setCheckpoint()
  }

  /// Counts steps of work for what is written at a place; `false` once there are too many.
  func spend(_ count: Int, _ span: SourceSpan) -> Bool {
    stepCount += count
    poll()
    guard stepCount > options.limits.steps else { return !reports.isClosed }
    reports.exceeded(
      "steps", "checking the file takes more than \(options.limits.steps) steps", span,
      raisedTo: options.limits.steps * 10)
    return false
  }

  /// Counts one value that is computed on the stack; `false` where there is no room for it.
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

  /// Runs `body` one level deeper on the stack, or answers `nil` where there is no room for it.
  ///
  /// Values that are built on one another take the stack of all the functions between them, so
  /// that both their number and the depth of their expressions count.
  func deeper<T>(_ span: SourceSpan, by levels: Int = 1, _ body: () -> T) -> T? {
    guard !reports.isClosed else { return nil }
    guard depth < Checker.greatestDepth else {
      reports.exceeded(
        "depth", "too many values depend on each other", span,
        raisedTo: nil)
      return nil
    }
    depth += levels
    defer { depth -= levels }
    return body()
  }

  /// Whether a text is small enough to be used; each use of it is work.
  func isAffordable(_ text: TextExpression, _ span: SourceSpan) -> Bool {
    let limit = options.limits.characters
    let size = text.size(atMost: limit)
    guard size <= limit else {
      reports.exceeded(
        "characters", "the text has more than \(limit) characters", span, raisedTo: limit * 10)
      return false
    }
    return spend(size / 16, span)
  }

  /// The same for a path, whose points count.
  func isAffordable(_ path: PathModel, _ span: SourceSpan) -> Bool {
    let limit = options.limits.path
    let size = path.size(atMost: limit)
    guard size <= limit else {
      reports.exceeded("path", "the path has more than \(limit) points", span, raisedTo: limit * 10)
      return false
    }
    return spend(size / 16, span)
  }
}
