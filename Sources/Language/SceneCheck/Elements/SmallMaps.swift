// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel

/// A map from properties for a few entries, for which comparison is faster than hashing.
struct PropertyMap<Value> {
  private var entries: [(property: Property, value: Value)] = []

  subscript(property: Property) -> Value? {
    get {
      // Iterates over indices, since iteration over entries would copy them.
      for index in entries.indices where entries[index].property == property {
        return entries[index].value
      }
      return nil
    }
    set {
      let index = entries.firstIndex { $0.property == property }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (nil, let value?): entries.append((property, value))
      case (let index?, nil): entries.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  /// The properties in the order of their insertion.
  var given: [Property] { entries.map(\.property) }

  /// The properties in alphabetical order.
  var keys: [Property] { entries.map(\.property).sorted { $0.rank < $1.rank } }
}

/// Values of an element, by the time of their evaluation.
///
/// Almost always, this is only the frame time, the first node of the program.
struct TimeMap<Value> {
  private var base: Value?
  private var others: [Scalar: Value] = [:]

  subscript(now: Scalar) -> Value? {
    get { if case .node(0) = now { base } else { others[now] } }
    set { if case .node(0) = now { base = newValue } else { others[now] = newValue } }
  }

  /// Changes the value for a time in place.
  mutating func update(_ now: Scalar, _ change: (inout Value?) -> Void) {
    if case .node(0) = now { change(&base) } else { change(&others[now]) }
  }
}
