// SPDX-License-Identifier: MIT
import CJSON

/// A value of JSON (RFC 8259), read and written by json-c.
///
/// Of equal keys the last counts; half a surrogate and bytes that are no UTF-8 become U+FFFD.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  /// How deep values may stand in each other.
  package static let greatestDepth = 256

  /// `nil` for bytes that are no JSON, or too deep.
  package init?(bytes: [UInt8]) {
    var isRight: Int32 = 0
    let root = unsafe bytes.withUnsafeBytes { bytes in
      // Safe: the text is copied before this ends.
      unsafe scene_json_parse(
        bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count,
        Int32(JSON.greatestDepth), &isRight)
    }
    defer { unsafe json_object_put(root) }
    guard isRight != 0 else { return nil }
    unsafe self.init(root)
  }

  /// As compact text, keys in order.
  package var bytes: [UInt8] {
    let root = unsafe made
    defer { unsafe json_object_put(root) }
    var count = 0
    guard
      let text = unsafe json_object_to_json_string_length(
        root, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &count)
    else { return Array("null".utf8) }
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: count))
  }

  // MARK: Between here and json-c

  private init(_ object: OpaquePointer?) {
    switch unsafe json_object_get_type(object) {
    case json_type_boolean: self = .bool(unsafe json_object_get_boolean(object) != 0)
    case json_type_int: self = .int(Int(unsafe json_object_get_int64(object)))
    case json_type_double: self = .double(unsafe json_object_get_double(object))
    case json_type_string:
      let count = Int(unsafe json_object_get_string_len(object))
      let text = unsafe UnsafeRawBufferPointer(
        start: json_object_get_string(object), count: count)
      self = .string(unsafe String(decoding: text, as: UTF8.self))
    case json_type_array:
      let count = unsafe json_object_array_length(object)
      self = .array((0..<count).map { unsafe JSON(json_object_array_get_idx(object, $0)) })
    case json_type_object:
      var values: [String: JSON] = [:]
      var place = unsafe json_object_iter_begin(object)
      var end = unsafe json_object_iter_end(object)
      while unsafe json_object_iter_equal(&place, &end) == 0 {
        if let name = unsafe json_object_iter_peek_name(&place) {
          values[unsafe String(cString: name)] = unsafe JSON(json_object_iter_peek_value(&place))
        }
        unsafe json_object_iter_next(&place)
      }
      self = .object(values)
    default: self = .null
    }
  }

  /// A new object of json-c, which the caller lets go of.
  private var made: OpaquePointer? {
    switch self {
    case .null: return nil
    case .bool(let truth): return unsafe json_object_new_boolean(truth ? 1 : 0)
    case .int(let number): return unsafe json_object_new_int64(Int64(number))
    case .double(let number):
      return number.isFinite ? unsafe json_object_new_double(number) : nil
    case .string(let text):
      return unsafe json_object_new_string_len(text, Int32(text.utf8.count))
    case .array(let items):
      let list = unsafe json_object_new_array()
      for item in items { unsafe json_object_array_add(list, item.made) }
      return unsafe list
    case .object(let values):
      let object = unsafe json_object_new_object()
      for (name, value) in values.sorted(by: { $0.key < $1.key }) {
        unsafe json_object_object_add(object, name, value.made)
      }
      return unsafe object
    }
  }
}

// MARK: Reading

extension JSON {
  /// A member of an object; null where there is none.
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

  /// A whole number, also of one that is written with a fraction of 0.
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
