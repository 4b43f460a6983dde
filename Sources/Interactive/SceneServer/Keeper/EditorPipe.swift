// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// The output pipe to the editor. Writing never blocks: messages are queued until the editor reads,
/// since some editors write before they read.
struct EditorPipe {
  /// The queue size beyond which the output of the worker is no longer read.
  static let greatestWaiting = 64 << 20
  /// The number of bytes that a writable pipe accepts without blocking (PIPE_BUF).
  private static let piece = 4096

  private struct Frame {
    let bytes: [UInt8]
    /// The key of messages that supersede each other.
    let subject: String?
  }

  private let file: Int32
  private let clock: any TimeSource
  private var waiting: [Frame] = []
  /// The number of bytes of the first frame that were written.
  private var sent = 0
  /// The number of bytes in the queue.
  private(set) var byteCount = 0
  /// Whether the read end is closed.
  private(set) var isBroken = false

  init(_ file: Int32, _ clock: any TimeSource) {
    self.file = file
    self.clock = clock
  }

  /// Queues a message. It replaces a queued message with the same subject unless the latter is
  /// partially written.
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

  /// Writes as much as the editor accepts without blocking.
  mutating func send() {
    while let first = waiting.first, !isBroken {
      while sent < first.bytes.count {
        var events = [pollfd(fd: file, events: Int16(POLLOUT), revents: 0)]
        guard Files.wait(for: &events, 0) > 0 else { return }
        let part = Array(first.bytes[sent...].prefix(EditorPipe.piece))
        let failure = Files.write(file, part)
        if failure == EAGAIN { return }
        guard failure == 0 else {
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

  /// Writes the remaining messages, for at most `limit`.
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
