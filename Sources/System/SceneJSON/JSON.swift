// SPDX-License-Identifier: MIT
import CJSON
import SceneSystem

/// A JSON value (RFC 8259), parsed and serialized by json-c.
///
/// The last of several equal keys wins. Unpaired surrogates and invalid UTF-8 become U+FFFD.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// The maximum nesting depth.
  package static let greatestDepth = 256

  /// Parses a text; returns `nil` for invalid JSON, or if the nesting is too deep.
  package init?(bytes: [UInt8]) {
    var isRight: Int32 = 0
    // Safe: the text is copied before the call returns.
    let root = unsafe scene_json_parse(
      bytes, bytes.count, Int32(JSON.greatestDepth), &isRight)
    guard isRight != 0 else { return nil }
    guard let root = unsafe Owned(root, { unsafe json_object_put($0) }) else {
      self = .null
      return
    }
    self = unsafe Node(pointer: root.pointer).value
  }

  /// The value as compact text, with sorted keys.
  package var bytes: [UInt8] {
    guard let root = unsafe Owned(made, { unsafe json_object_put($0) }) else {
      return Array("null".utf8)
    }
    var count = 0
    let text = unsafe json_object_to_json_string_length(
      root.pointer, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &count)
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count))
  }

  /// A new json-c object, owned by the caller; `nil` for null and non-finite numbers.
  private var made: OpaquePointer? {
    switch self {
    case .null: return nil
    case .bool(let truth): return json_object_new_boolean(truth ? 1 : 0)
    case .int(let number): return json_object_new_int64(Int64(number))
    case .double(let number):
      return number.isFinite ? json_object_new_double(number) : nil
    case .string(let text):
      return unsafe json_object_new_string_len(text, Int32(text.utf8.count))
    case .array(let items):
      let list = json_object_new_array()
      for item in items { unsafe json_object_array_add(list, item.made) }
      return unsafe list
    case .object(let values):
      let object = json_object_new_object()
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        unsafe json_object_object_add(object, name, value.made)
      }
      return unsafe object
    }
  }
}

/// A non-null json-c value, valid while its root exists.
@safe private struct Node {
  @safe let pointer: OpaquePointer

  var value: JSON {
    switch json_object_get_type(pointer) {
    case json_type_boolean: .bool(json_object_get_boolean(pointer) != 0)
    case json_type_int: .int(Int(json_object_get_int64(pointer)))
    case json_type_double: .double(json_object_get_double(pointer))
    case json_type_string: .string(text)
    case json_type_array: .array((0..<json_object_array_length(pointer)).map { item($0) })
    case json_type_object: .object(members)
    default: .null
    }
  }

  private var text: String {
    let count = Int(json_object_get_string_len(pointer))
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: json_object_get_string(pointer), count: count),
      as: UTF8.self)
  }

  private func item(_ index: Int) -> JSON {
    unsafe json_object_array_get_idx(pointer, index).map { unsafe Node(pointer: $0).value } ?? .null
  }

  private var members: [String: JSON] {
    var values: [String: JSON] = [:]
    var place = unsafe json_object_iter_begin(pointer)
    var value: OpaquePointer?
    while let name = unsafe scene_json_next(pointer, &place, &value) {
      values[unsafe String(cString: name)] =
        unsafe value.map { unsafe Node(pointer: $0).value } ?? .null
    }
    return values
  }
}

// MARK: Reading

extension JSON {
  /// Accesses a member of an object; null if it does not exist.
  package subscript(_ name: String) -> JSON {
    if case .object(let values) = self { values[name] ?? .null } else { .null }
  }

  package subscript(_ index: Int) -> JSON {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { .null }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
  package var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
  package var array: [JSON] { if case .array(let items) = self { items } else { [] } }
  package var isObject: Bool { if case .object = self { true } else { false } }
  package var isNull: Bool { self == .null }

  /// The number, whether integer or floating-point; `nil` for other values.
  package var number: Double? {
    switch self {
    case .double(let value): value
    case .int(let value): Double(value)
    default: nil
    }
  }

  /// The integer, even if written with a zero fraction; `nil` for other values.
  package var int: Int? {
    switch self {
    case .int(let number): number
    case .double(let number): Int(exactly: number)
    default: nil
    }
  }
}

// MARK: Writing

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
