// SPDX-License-Identifier: MIT
import SceneDigest
import SceneTestSupport
import Testing

/// Examples of FIPS 180-4 as NIST publishes them.
@Suite("SHA-256", .cpuBudget(seconds: 1)) struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func isThatOfTheStandard(_ text: String, _ expected: String) {
    let digits = SHA256(of: Array(text.utf8)).bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    #expect(digits.joined() == expected)
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
      let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
      #expect(SHA256(ofJoined: parts) == SHA256(of: bytes))
    }
  }
}
