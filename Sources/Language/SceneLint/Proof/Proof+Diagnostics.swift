// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneModel
import SceneText

extension Proof {
  /// The warnings about conditions that fail or cannot be proven. Conditions on drawn frames and
  /// the mix are left to `scenec test`.
  package var diagnostics: [Diagnostic] {
    zip(expectation.conditions, verdicts).compactMap { diagnostic(about: $0, $1) }
  }

  /// Returns the warning about a condition, or `nil` if it holds or requires the drawn frames.
  package func diagnostic(
    about condition: ExpectationModel.Condition, _ verdict: Verdict
  ) -> Diagnostic? {
    switch verdict {
    case .holds, .unproven(.media): return nil
    case .fails(let failure):
      var diagnostic = Diagnostic(
        .expectationFails, message(of: failure), at: condition.span, label: failure.explanation,
        notes: failure.facts.map { Note($0) })
      diagnostic.instant = failure.time?.seconds
      return diagnostic
    case .unproven(.budget):
      return Diagnostic(
        .notProven, "this condition takes too long to prove here", at: condition.span,
        label: "'scenec test' proves it")
    case .unproven(.background(let name)):
      return Diagnostic(
        .unknownContrast, "the contrast to \(name) is unknown", at: condition.span,
        label: "it has no single color",
        notes: [Note(help: "put an opaque shape of one color behind the text")])
    case .unproven(.backgroundOfOutline(let name)):
      return Diagnostic(
        .unknownContrast, "only a lower bound of the contrast to \(name) is known",
        at: condition.span, label: "it has no single color",
        notes: [
          Note(
            "the outline of the text proves only conditions such as 'contrast-of(title) >= 4.5', alone or joined by 'and'"
          ),
          Note(help: "put an opaque shape of one color behind the text"),
        ])
    case .unproven(.effect(let name)):
      return Diagnostic(
        .unknownContrast, "the contrast of a text with an effect is unknown", at: condition.span,
        label: "\(name) changes the color of the text",
        notes: [Note(help: "remove the effect, or exclude its frames with 'at' and 'for'")])
    case .unproven(.unavailable(let why)):
      return Diagnostic(
        .notProven, "this condition cannot be proven: \(why)", at: condition.span)
    }
  }

  /// The name of the expectation in messages.
  package var title: String { expectation.name.map { "\"\($0)\"" } ?? "this expectation" }

  private func message(of failure: Failure) -> String {
    switch failure.absent.count {
    case 0:
      guard let frame = failure.frame, let time = failure.time else {
        return "\(title) does not hold"
      }
      return "\(title) does not hold at \(NumberFormat.seconds(time)) (frame \(frame))"
    case 1 where failure.absent[0].isEmpty: return "\(title) contains no frame"
    case 1: return "'\(failure.absent[0])' is never visible in \(title)"
    default:
      let names = failure.absent.prefix(4).map { "'\($0)'" }
      let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
      return "\(list) are never visible at the same time in \(title)"
    }
  }
}

extension Proof.Failure {
  /// The values in the frame, and the number of frames in which the condition holds.
  package var explanation: String {
    var parts = values.isEmpty ? [] : [values.joined(separator: ", ")]
    if total > 0 {
      parts.append(
        holding > 0
          ? "it holds in \(holding) of \(NumberFormat.count(total, of: "frame"))"
          : total == 1
            ? "it does not hold in the only frame"
            : "it holds in none of \(NumberFormat.count(total, of: "frame"))")
    }
    return parts.joined(separator: "; ")
  }
}
