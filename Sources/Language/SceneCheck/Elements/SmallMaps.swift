// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneModel

/// A map from properties for a handful of entries: comparing them beats hashing.
struct PropertyMap<Value> {
  private var entries: [(property: Property, value: Value)] = []

  subscript(property: Property) -> Value? {
    get {
      // By number: an entry that is looked at whole is copied.
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

  /// In the order in which they were given.
  var given: [Property] { entries.map(\.property) }

  /// In the order of their names.
  var keys: [Property] { entries.map(\.property).sorted { $0.rank < $1.rank } }
}

/// What is known of an element for the times at which it was asked for.
///
/// Nearly always that is the time of the frame alone, the first node of the program.
struct TimeMap<Value> {
  private var base: Value?
  private var others: [Scalar: Value] = [:]

  subscript(now: Scalar) -> Value? {
    get { if case .node(0) = now { base } else { others[now] } }
    set { if case .node(0) = now { base = newValue } else { others[now] = newValue } }
  }

  /// Changes in its place what is known for a time.
  mutating func update(_ now: Scalar, _ change: (inout Value?) -> Void) {
    if case .node(0) = now { change(&base) } else { change(&others[now]) }
  }
}
