// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SceneModel

/// Parses JSON files. The fields of objects are sorted by name.
enum JSONData {
  static func parse(_ bytes: [UInt8]) throws(AssetError) -> DataValue {
    do {
      return try JSONDecoder().decode(Node.self, from: Data(bytes)).value
    } catch {
      var scanner = JSONScanner(bytes)
      throw .undecodable(scanner.firstError() ?? "invalid JSON")
    }
  }

  private struct Node: Decodable {
    let value: DataValue

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init?(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      if let object = try? decoder.container(keyedBy: Key.self) {
        value = .record(
          try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
            .init($0.stringValue, try object.decode(Node.self, forKey: $0).value)
          })
        return
      }
      if var list = try? decoder.unkeyedContainer() {
        var items: [DataValue] = []
        while !list.isAtEnd { items.append(try list.decode(Node.self).value) }
        value = .list(items)
        return
      }
      let single = try decoder.singleValueContainer()
      if single.decodeNil() {
        value = .none
      } else if let it = try? single.decode(Bool.self) {
        value = .bool(it)
      } else if let it = try? single.decode(Double.self) {
        value = .number(it)
      } else {
        value = .text(try single.decode(String.self), nil)
      }
    }
  }
}

/// Parses a JSON array of objects, with each field converted to text.
package enum JSONRows {
  package static func read(_ bytes: [UInt8]) throws(AssetError) -> [[(name: String, text: String)]]
  {
    guard case .list(let items) = try JSONData.parse(bytes) else {
      throw .undecodable("expected a list of objects")
    }
    var rows: [[(name: String, text: String)]] = []
    for item in items {
      guard case .record(let fields) = item else {
        throw .undecodable("expected a list of objects")
      }
      rows.append(fields.map { ($0.name, text($0.value)) })
    }
    return rows
  }

  private static func text(_ value: DataValue) -> String {
    switch value {
    case .none, .empty: ""
    case .bool(let it): it ? "true" : "false"
    case .number(let it): it == it.rounded() && abs(it) < 1e15 ? String(Int(it)) : String(it)
    case .text(let it, _): it
    case .list(let items): "[" + items.map(text).joined(separator: ", ") + "]"
    case .record: ""
    }
  }
}
