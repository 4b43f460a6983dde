// SPDX-License-Identifier: MIT

/// A WAV file with 16-bit stereo audio.
package struct WaveFile {
  package let bytes: [UInt8]

  package init(_ samples: [Float], rate: Int) {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 2 * samples.count
    var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    // Integer format, channels, samples per second, bytes per second, bytes and bits per sample.
    bytes += number(1, 2) + number(2, 2) + number(rate, 4) + number(4 * rate, 4)
    bytes += number(4, 2) + number(16, 2) + Array("data".utf8) + number(size, 4)
    bytes.reserveCapacity(bytes.count + size)
    for sample in samples {
      let value = Int16(max(-32_768, min(32_767, (sample * 32_767).rounded())))
      bytes.append(UInt8(truncatingIfNeeded: value))
      bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    }
    self.bytes = bytes
  }
}
