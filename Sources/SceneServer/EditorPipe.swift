// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// The way to the editor. Nobody waits for it: an editor that writes before it reads, as some do, finds
/// all messages there when it reads.
struct EditorPipe {
  /// Beyond this nothing more is taken from the worker until the editor has read some.
  static let greatestWaiting = 64 << 20
  /// What a pipe that takes anything takes without waiting (PIPE_BUF).
  private static let piece = 4096

  private struct Frame {
    let bytes: [UInt8]
    /// What a later message of the same kind takes the place of.
    let subject: String?
  }

  private let file: Int32
  private let clock: any TimeSource
  private var waiting: [Frame] = []
  /// Bytes of the first frame that are gone.
  private var sent = 0
  /// Bytes that the editor has not taken yet.
  private(set) var byteCount = 0
  /// Nobody reads any more.
  private(set) var isBroken = false

  init(_ file: Int32, _ clock: any TimeSource) {
    self.file = file
    self.clock = clock
  }

  /// Adds a message. One with a subject takes the place of an earlier one with the same that has not begun.
  mutating func add(_ body: [UInt8], subject: String? = nil) {
    if let subject,
      let old = waiting.indices.dropFirst(sent > 0 ? 1 : 0).first(where: {
        waiting[$0].subject == subject
      })
    {
      byteCount -= waiting.remove(at: old).bytes.count
    }
    let frame = Frame(bytes: FrameReader.frame(body), subject: subject)
    waiting.append(frame)
    byteCount += frame.bytes.count
    send()
  }

  /// Writes what the editor takes now.
  mutating func send() {
    while let first = waiting.first, !isBroken {
      while sent < first.bytes.count {
        var events = [pollfd(fd: file, events: Int16(POLLOUT), revents: 0)]
        guard Files.wait(for: &events, 0) > 0 else { return }
        let part = Array(first.bytes[sent...].prefix(EditorPipe.piece))
        let fault = Files.write(file, part)
        if fault == EAGAIN { return }
        guard fault == 0 else {
          isBroken = true
          return
        }
        sent += part.count
        byteCount -= part.count
      }
      waiting.removeFirst()
      sent = 0
    }
  }

  /// Writes what is left, for as long as that may take.
  mutating func finish(within limit: Duration) {
    let end = clock.now + limit
    while !waiting.isEmpty, !isBroken, clock.now < end {
      var events = [pollfd(fd: file, events: Int16(POLLOUT), revents: 0)]
      guard Files.wait(for: &events, Int32(max(1, (end - clock.now).milliseconds))) > 0 else {
        continue
      }
      send()
    }
  }
}
