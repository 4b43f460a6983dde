// SPDX-License-Identifier: MIT
package import SceneText

/// What is on the way, each step for the one before it. Whoever asks for something that is on the way
/// already asks for itself.
package struct Dependencies<Key: Equatable> {
  /// Something that was begun, where it was asked for.
  package struct Step {
    package let key: Key
    /// Made only when a message needs it.
    package let describe: () -> String
    package let span: SourceSpan
  }

  private var steps: [Step] = []

  package init() {}

  package var isEmpty: Bool { steps.isEmpty }

  /// The ring that a key would close: the steps from where it was begun to the innermost. `nil` when it
  /// is not on the way.
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
