// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneSystem

/// One end of a socket between two processes that carries length-prefixed messages.
package struct MessageChannel: Sendable {
  package let socket: Int32

  package init(_ socket: Int32) { self.socket = socket }

  /// Sends a message; returns `false` if the other end is closed.
  package func send(_ message: [UInt8], file: Int32 = -1) -> Bool {
    let bytes = [UInt8(message.count & 255), UInt8(message.count >> 8)] + message
    return unsafe scene_send(socket, bytes, bytes.count, file) == 0
  }

  package func send(pixels: PixelBuffer) -> Bool {
    unsafe scene_send(socket, pixels.memory.bytes.baseAddress, pixels.byteCount, -1) == 0
  }

  /// Returns the next message with a descriptor or -1; `nil` at the end.
  package func receive() -> (message: [UInt8], file: Int32)? {
    var length: [UInt8] = [0, 0]
    var file: Int32 = -1
    let message: [UInt8]? =
      unsafe scene_receive(socket, &length, 2, &file) == 0 ? rest(length) : nil
    guard let message else {
      if file >= 0 { close(file) }
      return nil
    }
    return (message, file)
  }

  /// Returns the next message without a descriptor; `nil` at the end.
  package func next() -> [UInt8]? {
    var length: [UInt8] = [0, 0]
    return unsafe scene_receive(socket, &length, 2, nil) == 0 ? rest(length) : nil
  }

  private func rest(_ length: [UInt8]) -> [UInt8]? {
    var message = [UInt8](repeating: 0, count: Int(length[0]) | Int(length[1]) << 8)
    return unsafe scene_receive(socket, &message, message.count, nil) == 0 ? message : nil
  }

  /// Returns whether data or the end arrives within a time.
  package func waits(milliseconds: Int32) -> Bool {
    Files.hasInput([socket], within: milliseconds)
  }

  package func receive(pixels: PixelBuffer) -> Bool {
    unsafe scene_receive(socket, pixels.memory.bytes.baseAddress, pixels.byteCount, nil) == 0
  }
}
