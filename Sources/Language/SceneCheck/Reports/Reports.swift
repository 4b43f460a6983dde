// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneText

/// Proof that an error was reported. Only `Reports` creates it, so that a poison value without a
/// reported error cannot exist.
struct Reported: Error {
  fileprivate init() {}
}

/// The diagnostics of a check, without duplicates.
final class Reports {
  private(set) var all: [Diagnostic] = []
  /// The first limit that was exceeded. No diagnostic is reported after it.
  private(set) var passedLimit: Diagnostic? { didSet { close() } }
  /// Whether the caller canceled the check.
  private(set) var isCancelled = false { didSet { close() } }
  /// Whether the check must end as soon as possible, without further evaluation or diagnostics.
  /// Stored, since each evaluation reads it.
  private(set) var isClosed = false
  private var seen: Set<Diagnostic> = []
  /// The spans at which unknown names were reported.
  private var places: Set<SourceSpan> = []
  /// The number of errors so far. It is limited, since each error may search for similar names.
  private var errorCount = 0
  private var firstExpected: SourceSpan?
  /// The number of calls of `trying` in progress.
  private var trials = 0
  /// The first error that `trying` discarded for good.
  private var withheld: Diagnostic?

  var hasErrors: Bool { all.hasErrors }
  /// Whether diagnostics may be discarded. Poison is not cached meanwhile, since the next
  /// evaluation must report its error.
  var isTrying: Bool { trials > 0 }

  /// Reports a diagnostic unless an equal one was reported, for example in another round of a loop.
  @discardableResult
  func report(_ diagnostic: Diagnostic) -> Reported {
    // After a limit, all values are poison, and further diagnostics would be misleading.
    guard !isClosed, seen.insert(diagnostic).inserted else { return Reported() }
    all.append(diagnostic)
    if diagnostic.severity == .error { errorCount += 1 }
    if errorCount == Diagnostic.greatestCount {
      exceeded(
        "errors", "the file has more than \(Diagnostic.greatestCount) errors", at: diagnostic.span,
        raisedTo: nil)
    }
    return Reported()
  }

  /// Reports the first limit that is exceeded. Evaluation ends after it. `move` returns the
  /// diagnostic at its final place.
  @discardableResult
  func exceeded(
    _ limit: String, _ message: String, at span: SourceSpan, raisedTo value: Int?,
    move: (Diagnostic) -> Diagnostic = { $0 }
  ) -> Reported {
    if passedLimit == nil {
      var notes: [Note] = []
      if let value, Double(value) <= Limits.most(limit) ?? 0 {
        notes.append(Note(help: "raise the limit with --limit \(limit)=\(max(10, value))"))
      }
      passedLimit = move(
        Diagnostic(
          .limitExceeded, message, at: span,
          label: value == nil ? Limits.fixed : "exceeds the limit '\(limit)'", notes: notes))
    }
    return Reported()
  }

  func cancel() { isCancelled = true }

  private func close() { isClosed = isCancelled || passedLimit != nil }

  /// Returns proof of an error that was reported elsewhere. If no error was reported after all, the
  /// check ends with an internal error at this span, so that no scene is drawn with a missing
  /// value.
  func expected(_ span: SourceSpan) -> Reported {
    if firstExpected == nil { firstExpected = span }
    return Reported()
  }

  /// Discards an error. It is reported after all if a value is missing at the end.
  func withhold(_ diagnostic: Diagnostic) { withheld = withheld ?? diagnostic }

  /// The error for a missing value without a reported error, or `nil`: the first withheld error,
  /// or an internal error.
  var missingValue: Diagnostic? {
    if firstExpected != nil, let withheld { return withheld }
    return firstExpected.map {
      Diagnostic(
        .internalError, "an expression has no value, and no error was reported", at: $0,
        notes: [Note(help: "report this bug of scenec together with the scene")])
    }
  }

  /// Returns whether this is the first error at a span. The search for similar names is slow, and a
  /// loop evaluates the same span in each round.
  func isNew(_ span: SourceSpan) -> Bool { places.insert(span).inserted }

  /// Runs `body` and returns its result with the diagnostics it would have reported.
  func trying<T>(_ body: () -> T) -> (T, [Diagnostic]) {
    let kept = (all, seen, places, errorCount, firstExpected)
    (all, seen, places, errorCount, firstExpected) = ([], [], [], 0, nil)
    trials += 1
    defer {
      trials -= 1
      (all, seen, places, errorCount, firstExpected) = kept
    }
    let result = body()
    return (result, all)
  }
}
