// SPDX-License-Identifier: MIT

/// Values by their names, in the order in which they came.
///
/// Nearly all hold a few: comparing those takes less time than a hash of the name.
struct NameTable<Value>: Sequence {
  typealias Element = (key: String, value: Value)

  private var list: [Element] = []
  /// Where they are in the list, when there are many.
  private var places: [String: Int] = [:]

  private static var fewest: Int { 8 }

  subscript(_ name: String) -> Value? { place(of: name).map { list[$0].value } }

  var keys: [String] { list.map(\.key) }
  var values: [Value] { list.map(\.value) }

  func makeIterator() -> IndexingIterator<[Element]> { list.makeIterator() }

  /// Gives a name its value; answers the one it had.
  @discardableResult mutating func set(_ value: Value, for name: String) -> Value? {
    if let place = place(of: name) {
      defer { list[place].value = value }
      return list[place].value
    }
    list.append((name, value))
    if !places.isEmpty {
      places[name] = list.count - 1
    } else if list.count > Self.fewest {
      for (place, element) in list.enumerated() { places[element.key] = place }
    }
    return nil
  }

  private func place(of name: String) -> Int? {
    places.isEmpty ? list.firstIndex { $0.key == name } : places[name]
  }
}
