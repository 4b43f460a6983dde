// SPDX-License-Identifier: MIT
import SceneJSON
import SceneServer
import SceneSystem

/// The editor's end of a connection to a keeper. Each request gets exactly one response.
final class EditorClient {
  private let run: Run
  private let socket: Int32
  private var reader = FrameReader()
  private var lastID = 0
  /// The requests without a response, by their id.
  private(set) var asked: [Int: String] = [:]
  private(set) var hasEnded = false
  /// Called with each notification, each request of the keeper, and each response.
  var receive: (JSON) -> Void = { _ in }

  init(_ run: Run, socket: Int32) { (self.run, self.socket) = (run, socket) }

  @discardableResult
  func ask(_ method: String, _ parameters: JSON) -> Int {
    lastID += 1
    asked[lastID] = method
    run.note("asks \(lastID): \(method)")
    send(["jsonrpc": "2.0", "id": .int(lastID), "method": .string(method), "params": parameters])
    return lastID
  }

  func tell(_ method: String, _ parameters: JSON) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  func answer(_ request: JSON, _ result: JSON) {
    send(["jsonrpc": "2.0", "id": request["id"], "result": result])
  }

  private func send(_ message: JSON) {
    let bytes = FrameReader.frame(message.bytes)
    // The bytes are sent in pieces, as a pipe delivers them.
    let cut = run.random.chance(0.3) ? run.random.int(1...bytes.count - 1) : bytes.count
    for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty {
      run.expect(Files.write(socket, Array(part)) == 0, "the keeper reads nothing")
    }
  }

  /// Receives messages for a time that is long enough for everything that has started.
  func settle() {
    let end = run.scheduler.now + .seconds(90)
    while run.scheduler.now < end { read(atMost: .seconds(1)) }
  }

  func read(atMost limit: Duration) {
    let wait = Int32(limit / .milliseconds(1))
    guard !hasEnded, Files.hasInput([socket], within: wait) else {
      if hasEnded { run.scheduler.sleep(for: limit) }
      return
    }
    guard let bytes = Files.next(socket, upTo: 1 << 16), !bytes.isEmpty else {
      hasEnded = true
      return
    }
    reader.add(bytes)
    while case .message(let body)? = reader.next() {
      guard let message = JSON(bytes: body) else { continue }
      if message["method"].isNull {
        guard let id = message["id"].int else { run.fail("an answer without a number") }
        run.expect(asked.removeValue(forKey: id) != nil, "request \(id) is answered twice")
      }
      receive(message)
    }
  }
}
