// SPDX-License-Identifier: MIT
package import SceneModel
import SceneText

/// The verdicts on the conditions of one expectation.
package struct Proof: Sendable {
  package let expectation: ExpectationModel
  /// One verdict for each condition.
  package internal(set) var verdicts: [Verdict]

  /// The result of proving a condition.
  package enum Verdict: Sendable {
    /// The condition holds in this number of frames; `nil` for a condition that does not change.
    case holds(frames: Int?)
    case fails(Failure)
    case unproven(Reason)

    package var failure: Failure? { if case .fails(let it) = self { it } else { nil } }
  }

  /// The frame in which a condition does not hold, with its values.
  package struct Failure: Sendable {
    /// The first frame in which the condition is false; `nil` for a condition that does not change,
    /// or without frames in which all elements are visible.
    package let frame: Int?
    package let time: Ticks?
    /// The numbers of frames in which the condition holds, and of all frames in question.
    package let holding: Int
    package let total: Int
    /// The values of the operands in the frame, such as "contrast-of(title) is 3.9".
    package let values: [String]
    /// Facts about the frame.
    package let facts: [String]
    /// The elements that are never visible at the same time; empty otherwise.
    package var absent: [String] = []
  }

  /// The reason why a condition is neither proven nor refuted.
  package enum Reason: Sendable {
    /// The proof takes more work than allowed.
    case budget
    /// The contrast to this background is unknown.
    case background(String)
    /// Only a lower bound of the contrast to this background is known, because the text has an
    /// outline, and the condition does not follow from it.
    case backgroundOfOutline(String)
    /// This effect changes the colors of a text whose contrast is measured.
    case effect(String)
    /// The condition requires the drawn frames or the mix.
    case media
    /// The frames or the mix could not be rendered.
    case unavailable(String)
  }

  package var failures: [Failure] { verdicts.compactMap(\.failure) }
}
