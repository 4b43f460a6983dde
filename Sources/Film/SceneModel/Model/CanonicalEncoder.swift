// SPDX-License-Identifier: MIT
package import SceneIR

/// Encodes values as bytes: equal values yield equal bytes in any process and on any machine, and
/// different values of one type yield different bytes.
///
/// A value is encoded as its parts in declaration order, each with its name and an end marker.
/// Numbers and strings are encoded as their bits, little-endian. The compiler synthesizes the list
/// of parts, so that none is missed.
package final class CanonicalEncoder: Encoder {
  package private(set) var bytes: [UInt8] = []
  /// Encodes a scalar, which may be computed.
  private let writeScalar: (Scalar, CanonicalEncoder) throws -> Void
  /// Called with each text and each image that is encoded.
  private let noteText: (TextModel) -> Void
  private let noteImage: (ImageReference) -> Void

  package init(
    noteText: @escaping (TextModel) -> Void = { _ in },
    noteImage: @escaping (ImageReference) -> Void = { _ in },
    _ writeScalar: @escaping (Scalar, CanonicalEncoder) throws -> Void
  ) {
    self.writeScalar = writeScalar
    self.noteText = noteText
    self.noteImage = noteImage
  }

  /// Creates an encoder for values without scalars.
  package convenience init() {
    self.init { scalar, encoder in
      throw EncodingError.invalidValue(
        scalar, .init(codingPath: [], debugDescription: "no scalar is expected"))
    }
  }

  package func write(_ value: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: value)
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  package func write(_ value: Double) { write(value.bitPattern) }

  /// Appends bytes from another encoder, which must not refer to computed numbers.
  package func write(encoded bytes: [UInt8]) { self.bytes += bytes }

  package func write(_ text: String) {
    write(text.utf8.count)
    bytes += text.utf8
  }

  package func encode<T: Encodable>(_ value: T) throws {
    if T.self == Scalar.self, let scalar = value as? Scalar {
      try writeScalar(scalar, self)
    } else if T.self == Double.self, let number = value as? Double {
      write(number)
    } else if T.self == Int.self, let number = value as? Int {
      write(number)
    } else if T.self == Bool.self, let truth = value as? Bool {
      bytes.append(truth ? 1 : 0)
    } else if T.self == String.self, let text = value as? String {
      write(text)
    } else if let few = fewScalars(value) {
      for scalar in few { try writeScalar(scalar, self) }
    } else if let bits = bits(ofNumber: value) {
      write(bits)
    } else {
      try encode(parts: value)
    }
  }

  /// Returns the bits of a number of a less common type; `nil` for values of other types. Comparing
  /// the types is faster than a cast to a protocol.
  private func bits<T>(ofNumber value: T) -> UInt64? {
    guard MemoryLayout<T>.size <= MemoryLayout<UInt64>.size else { return nil }
    if T.self == Float.self, let number = value as? Float { return Double(number).bitPattern }
    func bits<Number: FixedWidthInteger>(as type: Number.Type) -> UInt64? {
      T.self == type ? (value as? Number).map { UInt64(truncatingIfNeeded: $0) } : nil
    }
    return bits(as: Int64.self) ?? bits(as: Int32.self) ?? bits(as: UInt8.self)
      ?? bits(as: UInt32.self) ?? bits(as: UInt64.self) ?? bits(as: UInt.self)
      ?? bits(as: Int16.self) ?? bits(as: UInt16.self) ?? bits(as: Int8.self)
  }

  private func encode<T: Encodable>(parts value: T) throws {
    if T.self == TextModel.self, let text = value as? TextModel { noteText(text) }
    if T.self == ImageReference.self, let image = value as? ImageReference { noteImage(image) }
    try value.encode(to: self)
    bytes.append(Mark.end.rawValue)
  }

  /// Returns the scalars of a value of one of the most frequent types; `nil` for other types. The
  /// number of scalars is fixed, so they need no names.
  private func fewScalars<T>(_ value: T) -> [Scalar]? {
    if T.self == AffineModel.self, let it = value as? AffineModel {
      [it.a, it.b, it.c, it.d, it.e, it.f]
    } else if T.self == PointModel.self, let it = value as? PointModel {
      [it.x, it.y]
    } else if T.self == ColorModel.self, let it = value as? ColorModel {
      [it.red, it.green, it.blue, it.alpha]
    } else {
      nil
    }
  }

  fileprivate enum Mark: UInt8 { case end, key, element, none }

  fileprivate func mark(_ mark: Mark) { bytes.append(mark.rawValue) }

  fileprivate func mark(_ key: any CodingKey) {
    mark(.key)
    write(key.stringValue)
  }

  // MARK: Encoder

  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer { Parts(encoder: self) }
  package func singleValueContainer() -> any SingleValueEncodingContainer { Parts(encoder: self) }
}

/// The named parts of a value.
private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: CanonicalEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {
    encoder.mark(key)
    encoder.mark(.none)
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.mark(key)
    try encoder.encode(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
    -> KeyedEncodingContainer<Nested>
  {
    encoder.mark(key)
    return encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.mark(key)
    return encoder.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// Unnamed parts: the elements of a list, or a single value.
private struct Parts: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let encoder: CanonicalEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() { encoder.mark(.none) }

  func encode<T: Encodable>(_ value: T) throws {
    encoder.mark(.element)
    try encoder.encode(value)
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type)
    -> KeyedEncodingContainer<Nested>
  {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { encoder }
}
