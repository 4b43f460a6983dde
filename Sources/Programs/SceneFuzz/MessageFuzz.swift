// SPDX-License-Identifier: MIT
import SceneJSON
import SceneServer

/// Runs one fuzzer input through the message parser: arbitrary bytes arrive in pieces whose length
/// depends on the first byte.
///
/// Traps if the pieces yield different frames than the whole, if a frame does not survive a round
/// trip, or if JSON changes when it is written and parsed again.
package func tryMessages(_ bytes: [UInt8]) {
  let whole = frames(of: bytes, pieces: bytes.count)
  let piece = 1 + Int(bytes.first ?? 0) % 40
  precondition(frames(of: bytes, pieces: piece) == whole, "the frames depend on the pieces")
  for case .message(let body) in whole { tryBody(body) }
  tryBody(bytes)
  let sent = FrameReader.frame(bytes)
  precondition(
    frames(of: sent, pieces: piece) == [.message(bytes)], "a frame does not round-trip")
}

private func frames(of bytes: [UInt8], pieces length: Int) -> [FrameReader.Frame] {
  var reader = FrameReader()
  var frames: [FrameReader.Frame] = []
  for start in stride(from: 0, to: bytes.count, by: max(length, 1)) {
    reader.add(Array(bytes[start..<min(bytes.count, start + max(length, 1))]))
    while let frame = reader.next() { frames.append(frame) }
  }
  return frames
}

private func tryBody(_ body: [UInt8]) {
  guard let json = JSON(bytes: body) else { return }
  let written = json.bytes
  guard let again = JSON(bytes: written) else {
    preconditionFailure("serialized JSON cannot be parsed")
  }
  precondition(again.bytes == written, "JSON does not round-trip")
}
