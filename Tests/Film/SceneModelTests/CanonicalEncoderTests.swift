// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

@Suite("Canonical bytes", .cpuBudget(seconds: 1)) struct CanonicalEncoderTests {
  private struct Inner: Encodable {
    var number: Int?
    var list: [String] = []
  }

  private struct Outer: Encodable {
    var inner = Inner()
    var number: Int?
    var list: [String] = []
    var choice = Choice.none
    var samples: [Float] = []
  }

  private enum Choice: Encodable {
    case none
    case one(Double)
    case other(Double)
    case two(Inner, Inner)
  }

  private func bytes(_ value: Outer) throws -> [UInt8] {
    let encoder = CanonicalEncoder()
    try encoder.encode(value)
    return encoder.bytes
  }

  /// The values differ only in structure, so that a plain sequence of numbers and strings would be
  /// ambiguous.
  @Test func differentValuesHaveDifferentBytes() throws {
    let values = [
      Outer(), Outer(inner: Inner(number: 1)), Outer(number: 1), Outer(number: 256),
      Outer(inner: Inner(list: ["a"])), Outer(list: ["a"]), Outer(list: ["a", ""]),
      Outer(list: ["", "a"]), Outer(list: ["a,"]), Outer(choice: .one(1)), Outer(choice: .other(1)),
      Outer(choice: .one(-1)), Outer(choice: .two(Inner(number: 1), Inner())),
      Outer(choice: .two(Inner(), Inner(number: 1))),
      Outer(choice: .two(Inner(list: ["a"]), Inner(list: ["b"]))),
      Outer(choice: .two(Inner(list: ["a", "b"]), Inner())), Outer(samples: [0]),
      Outer(samples: [0.5, 0]), Outer(samples: [0, 0.5]),
    ]
    #expect(Set(try values.map(bytes)).count == values.count)
    #expect(try values.map(bytes) == values.map(bytes))
  }

  /// The encoding is stable, so that keys of existing cache files remain valid.
  @Test func theBytesAreDefined() throws {
    let encoder = CanonicalEncoder()
    encoder.write(258)
    encoder.write("é")
    #expect(encoder.bytes == [2, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA9])
  }
}
