// SPDX-License-Identifier: MIT

/// Returns an animated WebP whose last image lasts until `end`, in milliseconds; the encoder only
/// guesses its duration. The file is a RIFF list of chunks. Each `ANMF` chunk is an image, with its
/// duration in three bytes, little endian.
func endWebP(_ bytes: [UInt8], at end: Int) -> [UInt8] {
  func number(_ place: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
  var (at, last, sum) = (12, -1, 0)
  while at + 8 <= bytes.count {
    let length = number(at + 4, 4)
    if bytes[at..<at + 4].elementsEqual("ANMF".utf8), length >= 16, at + 24 <= bytes.count {
      last = at + 20
      sum += number(last, 3)
    }
    at += 8 + length + length % 2
  }
  guard last >= 0 else { return bytes }
  let wanted = number(last, 3) + end - sum
  guard (1..<1 << 24).contains(wanted) else { return bytes }
  var out = bytes
  for place in 0..<3 { out[last + place] = UInt8(truncatingIfNeeded: wanted >> (8 * place)) }
  return out
}
