// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneJSON
import SceneSystem

/// A child process with the socket connected to it.
final class Child {
  let socket: Int32
  let process: any KeptProcess
  var reader = FrameReader()
  /// The bytes that the process has not accepted yet.
  private(set) var unsent: [UInt8] = []
  /// The ids of responses to drop.
  var swallowed: Set<String> = []

  init(_ socket: Int32, _ process: any KeptProcess) {
    (self.socket, self.process) = (socket, process)
  }

  deinit { close(socket) }

  func notify(_ method: String, _ parameters: JSON) {
    send(JSON.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]).bytes)
  }

  func send(_ body: [UInt8]) {
    unsent += FrameReader.frame(body)
    sendRest()
  }

  func sendRest() {
    var start = 0
    while start < unsent.count {
      let count = unsafe unsent[start...].withUnsafeBytes {
        unsafe scene_send_some(socket, $0.baseAddress, $0.count)
      }
      guard count > 0 else { break }
      start += count
    }
    unsent.removeFirst(start)
  }
}
