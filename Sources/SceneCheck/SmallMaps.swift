// SPDX-License-Identifier: MIT
import SceneModel

/// A map from names for a handful of entries: comparing short names beats hashing them.
struct NameMap<Value> {
  private var entries: [(name: String, value: Value)] = []

  subscript(name: String) -> Value? {
    get {
      for entry in entries where entry.name == name { return entry.value }
      return nil
    }
    set {
      let index = entries.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (nil, let value?): entries.append((name, value))
      case (let index?, nil): entries.remove(at: index)
      case (nil, nil): break
      }
    }
  }

  var keys: [String] { entries.map(\.name) }
}

/// What is known of an element for the times at which it was asked for.
///
/// Nearly always that is the time of the frame alone, the first node of the program.
struct TimeMap<Value> {
  private var base: Value?
  private var others: [Scalar: Value] = [:]

  subscript(now: Scalar) -> Value? {
    get { now == .node(0) ? base : others[now] }
    set { if now == .node(0) { base = newValue } else { others[now] = newValue } }
  }
}
