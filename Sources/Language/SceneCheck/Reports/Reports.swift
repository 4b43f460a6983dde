// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// The receipt of an error. Only `Reports` makes one, when it takes a report, so that nothing can stand
/// for an error that nobody was told about.
struct Reported: Error {
  fileprivate init() {}
}

/// What is wrong with the files of a check, each error once.
final class Reports {
  private(set) var all: [Diagnostic] = []
  /// The limit of the whole file that was passed; after it nothing more is reported.
  private(set) var passedLimit: Diagnostic? { didSet { close() } }
  /// Whoever asked for the check no longer wants it.
  private(set) var isCancelled = false { didSet { close() } }
  /// Whether the check is to end as soon as it can: nothing more is computed or reported. It is asked for
  /// each value.
  private(set) var isClosed = false
  private var seen: Set<Diagnostic> = []
  /// Where names that nothing is called by were reported.
  private var places: Set<SourceSpan> = []
  /// Errors so far; each looks for what may be meant.
  private var errorCount = 0
  private var firstExpected: SourceSpan?

  var hasErrors: Bool { all.hasErrors }

  /// Takes an error, once, however many rounds of a loop come to it.
  @discardableResult
  func report(_ diagnostic: Diagnostic) -> Reported {
    // After a limit everything is poison, and what is said about it would be wrong.
    guard !isClosed, seen.insert(diagnostic).inserted else { return Reported() }
    all.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
    if errorCount == Diagnostic.greatestCount {
      exceeded(
        "errors", "the file has more than \(Diagnostic.greatestCount) errors", diagnostic.span,
        raisedTo: nil)
    }
    return Reported()
  }

  /// Reports the first limit of the whole file that is passed; nothing more is computed after it.
  @discardableResult
  func exceeded(_ limit: String, _ message: String, _ span: SourceSpan, raisedTo value: Int?)
    -> Reported
  {
    if passedLimit == nil {
      passedLimit = Diagnostic(
        .limitExceeded, message, at: span, label: "exceeds the limit '\(limit)'",
        notes: value.map { [Note(help: "raise it with --limit \(limit)=\($0)")] } ?? [])
    }
    return Reported()
  }

  func cancel() { isCancelled = true }

  private func close() { isClosed = isCancelled || passedLimit != nil }

  /// The receipt of an error that was reported where it was found, by one that only learns that there
  /// is no value. Should no error have been reported after all, the check ends in one for this place:
  /// no scene is drawn with a value that is missing.
  func expected(_ span: SourceSpan) -> Reported {
    if firstExpected == nil { firstExpected = span }
    return Reported()
  }

  /// What to report when a value is missing and no error says so.
  var missingValue: Diagnostic? {
    firstExpected.map {
      Diagnostic(
        .internalError, "an expression has no value, and no error was reported", at: $0,
        notes: [Note(help: "report this bug of scenec together with the scene")])
    }
  }

  /// Whether an error at a place is the first there: looking for similar names takes long, and a loop
  /// comes to the same place in each round.
  func isNew(_ span: SourceSpan) -> Bool { places.insert(span).inserted }

  /// What `body` answers, and the errors that it would have reported.
  func trying<T>(_ body: () -> T) -> (T, [Diagnostic]) {
    let kept = (all, seen, places, errorCount, firstExpected)
    (all, seen, places, errorCount, firstExpected) = ([], [], [], 0, nil)
    defer { (all, seen, places, errorCount, firstExpected) = kept }
    let result = body()
    return (result, all)
  }

  /// The same, of work that may pass a limit without the file doing so.
  func tryingApart<T>(_ body: () -> T) -> (T, [Diagnostic]) {
    let kept = passedLimit
    defer { passedLimit = kept }
    return trying(body)
  }
}
