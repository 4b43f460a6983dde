// SPDX-License-Identifier: MIT
package import SceneText

/// The stack of evaluations in progress, each requested by its predecessor. A request for an
/// evaluation in progress is a cycle.
package struct Dependencies<Key: Equatable> {
  /// An evaluation in progress, with its description and source location for the message about a
  /// cycle.
  package struct Step {
    package let key: Key
    /// Called only if a message requires it.
    package let describe: () -> String
    package let span: SourceSpan
  }

  private var steps: [Step] = []

  package init() {}

  package var isEmpty: Bool { steps.isEmpty }

  /// Returns the innermost evaluation that satisfies a condition; `nil` if there is none.
  package func innermost(where isWanted: (Key) -> Bool) -> Key? {
    steps.last { isWanted($0.key) }?.key
  }

  package func count(where isCounted: (Step) -> Bool) -> Int { steps.count(where: isCounted) }

  /// Returns the cycle that `key` would close: the steps from its first evaluation to the
  /// innermost. Returns `nil` if `key` is not in progress.
  package func ring(closedBy key: Key) -> [Step]? {
    steps.firstIndex { $0.key == key }.map { Array(steps[$0...]) }
  }

  package mutating func begin(
    _ key: Key, _ describe: @escaping () -> String, at span: SourceSpan
  ) {
    steps.append(Step(key: key, describe: describe, span: span))
  }

  /// Ends the innermost step.
  package mutating func end() { steps.removeLast() }
}
