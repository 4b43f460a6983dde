// SPDX-License-Identifier: MIT
import CLinux
import CProcess
package import SceneGraphics
package import SceneModel

// What scenec and its decoder say to each other over a socket: messages, each after its length.

/// What is wanted of a file, whose bytes come as a descriptor.
package enum DecodeRequest: Equatable, Sendable {
  /// The pictures of an image or animation, `count` of them from `first` on.
  case pictures(first: Int, count: Int)
  /// An SVG at a multiple of its size.
  case drawing(scale: Double)
  /// Whether every glyph of a font can be read.
  case font

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.number() {
    case 0: self = .pictures(first: reader.number(), count: reader.number())
    case 1: self = .drawing(scale: reader.double())
    case 2: self = .font
    default: return nil
    }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    switch self {
    case .pictures(let first, let count): message(0, first, count)
    case .drawing(let scale): message(1) + message(scale)
    case .font: message(2)
    }
  }
}

/// What comes back: pictures, each followed by its pixels, remarks, and an end.
package enum DecodeReply: Equatable, Sendable {
  case picture(PixelSize, isOpaque: Bool, isVector: Bool, seconds: Double)
  /// What is missing in a file that is shown all the same.
  case remark(String)
  case done
  case refused(AssetFault)

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.number() {
    case 0:
      self = .picture(
        PixelSize(reader.number(), reader.number()), isOpaque: reader.number() != 0,
        isVector: reader.number() != 0, seconds: reader.double())
    case 1: self = .remark(reader.text())
    case 2: self = .done
    case 3: self = .refused(.undecodable(reader.text()))
    case 4: self = .refused(.tooLarge(reader.text()))
    default: return nil
    }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    switch self {
    case .picture(let size, let isOpaque, let isVector, let seconds):
      message(0, size.width, size.height, isOpaque ? 1 : 0, isVector ? 1 : 0) + message(seconds)
    case .remark(let text): message(1) + message(text)
    case .done: message(2)
    case .refused(.tooLarge(let what)): message(4) + message(what)
    case .refused(.undecodable(let why)): message(3) + message(why)
    case .refused: message(3) + message("it cannot be read")
    }
  }
}

/// What one file may take.
package enum DecodeLimits {
  /// Bytes beyond what the process has when it begins.
  package static let memory = 480 << 20
  /// Seconds of CPU.
  package static let time: UInt32 = 5
}

/// Why a file could not be decoded to its end: the status that `scenec-decode` ends with.
package enum DecodeFailure: Int32, Sendable {
  case time = 1
  case memory
  case fault

  package static func status(_ failure: DecodeFailure, isVector: Bool) -> Int32 {
    failure.rawValue + (isVector ? 8 : 0)
  }

  /// What to say of a helper that ended.
  package static func words(status: Int32) -> String {
    let who = status & 8 != 0 ? "the SVG renderer" : "its decoder"
    return switch DecodeFailure(rawValue: status & 7) {
    case .time: "\(who) takes more than \(DecodeLimits.time) s of CPU"
    case .memory: "\(who) needs more than \(DecodeLimits.memory >> 20) MiB of memory"
    case .fault, nil: "\(who) crashed"
    }
  }
}

/// One end of the socket.
package struct DecodeChannel: Sendable {
  package let socket: Int32

  package init(_ socket: Int32) { self.socket = socket }

  /// `false` when nobody listens.
  package func send(_ message: [UInt8], file: Int32 = -1) -> Bool {
    let bytes = [UInt8(message.count & 255), UInt8(message.count >> 8)] + message
    return unsafe scene_send(socket, bytes, bytes.count, file) == 0
  }

  package func send(pixels: PixelBuffer) -> Bool {
    unsafe scene_send(socket, pixels.memory.bytes.baseAddress, pixels.byteCount, -1) == 0
  }

  /// The next message, with a descriptor or -1; `nil` at the end.
  package func receive() -> (message: [UInt8], file: Int32)? {
    var length: [UInt8] = [0, 0]
    var (file, none): (Int32, Int32) = (-1, -1)
    guard unsafe scene_receive(socket, &length, 2, &file) == 0 else { return nil }
    var message = [UInt8](repeating: 0, count: Int(length[0]) | Int(length[1]) << 8)
    guard unsafe scene_receive(socket, &message, message.count, &none) == 0 else {
      if file >= 0 { close(file) }
      return nil
    }
    return (message, file)
  }

  package func receive(pixels: PixelBuffer) -> Bool {
    var none: Int32 = -1
    return unsafe scene_receive(socket, pixels.memory.bytes.baseAddress, pixels.byteCount, &none)
      == 0
  }
}

private func message(_ numbers: Int...) -> [UInt8] {
  numbers.flatMap { number in
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}

private func message(_ number: Double) -> [UInt8] {
  message(Int(bitPattern: UInt(number.bitPattern)))
}

private func message(_ text: String) -> [UInt8] { Array(text.utf8.prefix(1000)) }

private struct MessageReader {
  private var rest: ArraySlice<UInt8>
  private(set) var isWhole = true

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number() -> Int {
    guard rest.count >= 8 else {
      isWhole = false
      return -1
    }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func double() -> Double { Double(bitPattern: UInt64(bitPattern: Int64(number()))) }

  mutating func text() -> String {
    defer { rest = [] }
    return String(decoding: rest, as: UTF8.self)
  }
}
