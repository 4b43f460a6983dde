// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel
import SceneText

/// Collects data for the record during a check: the motions in the values of properties, and the
/// origins of model elements.
final class SceneRecorder {
  /// A value that is evaluated once and cached.
  enum Key: Hashable {
    case property(Int, Property, Scalar)
    case binding(Int, LetBinding.Key)
  }

  /// The motions of a value in progress, without duplicates. A value can use the same `let` along
  /// exponentially many paths.
  private struct Motions {
    private struct Identity: Hashable {
      let span: SourceSpan
      let clock: Scalar
      let origin: Double
      let times: [Double]
    }

    private(set) var list: [SceneRecord.Motion] = []
    private var known: Set<Identity> = []

    mutating func add(_ motion: SceneRecord.Motion) {
      let identity = Identity(
        span: motion.span, clock: motion.clock, origin: motion.origin,
        times: motion.steps.flatMap { [$0.from, $0.to] })
      if known.insert(identity).inserted { list.append(motion) }
    }
  }

  private var motions: [Key: [SceneRecord.Motion]] = [:]
  /// The motions of the values in progress, innermost last.
  private var open: [Motions] = []
  private var clocks: [Int: Scalar] = [:]
  /// The origin of each model element. The elements are retained, so that their addresses remain
  /// unique.
  private var origins: [ObjectIdentifier: (model: ElementModel, element: Int)] = [:]

  private var voices: [Int: [Int]] = [:]
  private var changes: [Key: [SceneRecord.Change]] = [:]

  // MARK: Motions

  func begin() { open.append(Motions()) }

  /// Ends the innermost value. Motions of a property belong to it alone; those of a `let` belong to
  /// each value that uses it.
  func end(_ key: Key) {
    let found = open.removeLast().list
    if !found.isEmpty { motions[key] = found }
    if case .binding = key { add(found) }
  }

  /// Adds the motions of a cached `let`.
  func reuse(_ key: Key) {
    if let known = motions[key] { add(known) }
  }

  func note(_ motion: SceneRecord.Motion) { add([motion]) }

  private func add(_ found: [SceneRecord.Motion]) {
    guard let last = open.indices.last else { return }
    for motion in found { open[last].add(motion) }
  }

  func motions(_ property: Property, of element: Int, _ clock: Scalar) -> [SceneRecord.Motion] {
    motions[.property(element, property, clock)] ?? []
  }

  /// Records the changes of a property, in the order in which they apply.
  func note(_ found: [SceneRecord.Change], of key: Key) { changes[key] = found }

  func changes(_ property: Property, of element: Int, _ clock: Scalar) -> [SceneRecord.Change] {
    changes(.property(element, property, clock))
  }

  func changes(_ key: Key) -> [SceneRecord.Change] { changes[key] ?? [] }

  // MARK: Parts of the model

  func note(_ model: ElementModel, of element: Int, at clock: Scalar) {
    origins[ObjectIdentifier(model)] = (model, element)
    clocks[element] = clock
  }

  /// Records the index of a voice in the mix of the model.
  func note(voice: Int, of element: Int) { voices[element, default: []].append(voice) }

  /// Returns the voices of an element, in the order of their starts.
  func voices(of element: Int) -> [Int] { voices[element] ?? [] }

  /// Records that `model` has the same origin as `other`.
  func note(_ model: ElementModel, like other: ElementModel) {
    guard let origin = element(of: other) else { return }
    origins[ObjectIdentifier(model)] = (model, origin)
  }

  func element(of model: ElementModel) -> Int? { origins[ObjectIdentifier(model)]?.element }

  /// Returns the clock with which an element was generated; `nil` if it was not generated.
  func clock(of element: Int) -> Scalar? { clocks[element] }
}
