// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel

/// Notes while a scene is checked what its record needs and nothing else keeps: the motions in the
/// values of properties, and the parts of the model that elements became.
final class SceneRecorder {
  /// What is computed once and asked for again.
  enum Key: Hashable {
    case property(Int, Property, Scalar)
    case binding(Int, LetBinding.Key)
  }

  private var motions: [Key: [SceneRecord.Motion]] = [:]
  /// Those of the values that are being computed, each for the one before.
  private var open: [[SceneRecord.Motion]] = []
  private var clocks: [Int: Scalar] = [:]
  /// The element of each part; the parts are held, so that no two of them are at one address.
  private var origins: [ObjectIdentifier: (model: ElementModel, element: Int)] = [:]

  private var voices: [Int: [Int]] = [:]

  // MARK: Motions

  func begin() { open.append([]) }

  /// Ends the value that was begun last. The motions of a property are its own, whoever asks for it;
  /// those of a `let` belong to each value that it is in.
  func end(_ key: Key) {
    let found = open.removeLast()
    if !found.isEmpty { motions[key] = found }
    if case .binding = key { add(found) }
  }

  /// A `let` that was computed before.
  func reuse(_ key: Key) {
    if let known = motions[key] { add(known) }
  }

  func note(_ motion: SceneRecord.Motion) { add([motion]) }

  private func add(_ found: [SceneRecord.Motion]) {
    if let last = open.indices.last { open[last] += found }
  }

  func motions(_ property: Property, of element: Int, _ clock: Scalar) -> [SceneRecord.Motion] {
    motions[.property(element, property, clock)] ?? []
  }

  // MARK: Parts of the model

  func note(_ model: ElementModel, of element: Int, at clock: Scalar) {
    origins[ObjectIdentifier(model)] = (model, element)
    clocks[element] = clock
  }

  /// The number of a voice in the sound of the model.
  func note(voice: Int, of element: Int) { voices[element, default: []].append(voice) }

  /// The voices of an element, in the order in which they begin to be heard.
  func voices(of element: Int) -> [Int] { voices[element] ?? [] }

  /// `model` shows what `other` does.
  func note(_ model: ElementModel, like other: ElementModel) {
    guard let origin = element(of: other) else { return }
    origins[ObjectIdentifier(model)] = (model, origin)
  }

  func element(of model: ElementModel) -> Int? { origins[ObjectIdentifier(model)]?.element }

  /// The clock in which an element was drawn.
  func clock(of element: Int) -> Scalar? { clocks[element] }
}
