// SPDX-License-Identifier: MIT
package import SceneSyntax

/// A map from names to values, in insertion order.
///
/// Nearly all tables contain a few entries, for which a linear search is faster than hashing.
package struct NameTable<Value>: Sequence {
  package typealias Element = (name: Identifier, value: Value)

  private var list: [Element] = []
  /// The hashes of the names, stored separately, since access to an entry copies it.
  private var hashes: [Int] = []
  /// A hash table of indices in the list, or -1 for free slots. Used for many entries; at most half
  /// of the slots are occupied.
  private var places: [Int32] = []

  private static var fewest: Int { 8 }

  package init() {}

  /// Creates an empty table with a capacity.
  init(room: Int) {
    if room > 0 {
      list.reserveCapacity(room)
      hashes.reserveCapacity(room)
    }
  }

  /// Creates a table. For duplicate names, the first value takes precedence.
  init(_ values: some Sequence<(String, Value)>) {
    for (name, value) in values where self[name] == nil { set(value, for: Identifier(name)) }
  }

  package subscript(_ name: Identifier) -> Value? {
    index(of: name).map { list[$0].value }
  }

  subscript(_ name: Name) -> Value? { self[name.identifier] }

  package subscript(_ name: String) -> Value? { self[Identifier(name)] }

  package var keys: [String] { list.map(\.name.text) }
  package var values: [Value] { list.map(\.value) }

  package func makeIterator() -> IndexingIterator<[Element]> { list.makeIterator() }

  /// Sets the value of a name and returns the previous value, or `nil` if there was none.
  @discardableResult mutating func set(_ value: Value, for name: Identifier) -> Value? {
    if let known = index(of: name) {
      defer { list[known].value = value }
      return list[known].value
    }
    list.append((name, value))
    hashes.append(name.hash)
    if !places.isEmpty {
      places[place(of: name)] = Int32(list.count - 1)
    }
    if list.count > Self.fewest, 2 * list.count > places.count { makeRoom() }
    return nil
  }

  private func index(of name: Identifier) -> Int? {
    if places.isEmpty {
      for index in hashes.indices where isNamed(index, name) { return index }
      return nil
    }
    let index = places[place(of: name)]
    return index < 0 ? nil : Int(index)
  }

  private func isNamed(_ index: Int, _ name: Identifier) -> Bool {
    hashes[index] == name.hash && list[index].name.text == name.text
  }

  /// Returns the slot of a name, or the free slot for it.
  private func place(of name: Identifier) -> Int {
    var place = name.hash & (places.count - 1)
    while places[place] >= 0, !isNamed(Int(places[place]), name) {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  private mutating func makeRoom() {
    places = [Int32](repeating: -1, count: Swift.max(32, 2 * places.count))
    for index in list.indices { places[place(of: list[index].name)] = Int32(index) }
  }
}

extension NameTable: Sendable where Value: Sendable {}
