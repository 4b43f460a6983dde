// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import SceneJSON
import ScenePreview

/// A connection to a local port that sends exactly the given bytes.
final class RawClient {
  private let socket: Int32
  private var rest: [UInt8] = []

  init(port: Int) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let status = unsafe withUnsafePointer(to: &place) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  func send(_ bytes: [UInt8]) {
    _ = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Tells the server that no more bytes follow.
  func endWriting() { shutdown(socket, Int32(SHUT_WR)) }

  /// Whether bytes or the end of the connection arrive within 0.2 s.
  var isAnswered: Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 200) > 0
  }

  /// Returns the next bytes; `nil` at the end.
  func more() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(socket, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Returns all bytes until the other side closes the connection.
  func all() -> [UInt8] {
    while let more = more() { rest += more }
    return rest
  }

  /// Returns the next `count` bytes; `nil` if there are fewer.
  private func take(_ count: Int) -> [UInt8]? {
    while rest.count < count {
      guard let more = more() else { return nil }
      rest += more
    }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Returns the head of a response, up to the empty line.
  func head() -> String {
    while true {
      if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
        defer { rest.removeSubrange(..<end.upperBound) }
        return String(decoding: rest[..<end.upperBound], as: UTF8.self)
      }
      guard let more = more() else { return String(decoding: rest, as: UTF8.self) }
      rest += more
    }
  }

  /// Sends a request, and returns the head and the body of the response.
  func answer(_ request: String) -> (head: String, body: [UInt8]) {
    send(request)
    return answer(to: request)
  }

  /// Returns the head and the body of the response to a request that was already sent.
  func answer(to request: String) -> (head: String, body: [UInt8]) {
    let head = head()
    let count = head.lowercased().firstMatch(of: #/content-length: *(\d+)/#).flatMap { Int($0.1) }
    return (head, take(request.hasPrefix("HEAD") ? 0 : count ?? 0) ?? [])
  }

  // MARK: Sockets (RFC 6455)

  func openSocket(_ port: Int, _ token: String) -> Bool {
    send(
      "GET /p/\(token)/ws HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n"
        + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: scenec.\(Preview.build)\r\n\r\n"
    )
    return head().hasPrefix("HTTP/1.1 101")
  }

  /// Sends a frame as a browser does, by default a complete text.
  func sendFrame(_ text: [UInt8], code: UInt8 = 0x81, isMasked: Bool = true) {
    let mask: [UInt8] = isMasked ? [1, 2, 3, 4] : []
    let flag: UInt8 = isMasked ? 0x80 : 0
    let count = text.count
    let length: [UInt8] =
      count < 126
      ? [flag | UInt8(count)]
      : count < 65_536
        ? [flag | 126, UInt8(count >> 8), UInt8(count & 255)]
        : [flag | 127] + [56, 48, 40, 32, 24, 16, 8, 0].map { UInt8(count >> $0 & 255) }
    let body = isMasked ? text.enumerated().map { $1 ^ mask[$0 % 4] } : text
    send([code] + length + mask + body)
  }

  func ask(_ request: JSON) { sendFrame(request.bytes) }

  enum Message {
    case text(JSON)
    case picture(JSON, [UInt8])
    case closed(Int)
  }

  func message() -> Message {
    while true {
      guard let start = take(2) else { return .closed(0) }
      var count = Int(start[1] & 0x7F)
      if count >= 126 {
        count = (take(count == 126 ? 2 : 8) ?? []).reduce(0) { $0 << 8 | Int($1) }
      }
      guard let body = take(count) else { return .closed(0) }
      switch start[0] & 15 {
      case 1: return .text(JSON(bytes: body) ?? .null)
      case 2:
        let length = body.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let head = JSON(bytes: Array(body[4..<4 + length])) ?? .null
        return .picture(head, Array(body[(4 + length)...]))
      case 8: return .closed(body.prefix(2).reduce(0) { $0 << 8 | Int($1) })
      default: continue
      }
    }
  }

  /// Returns the next text message for which `isWanted` returns `true`; `nil` at the end.
  func text(where isWanted: (JSON) -> Bool) -> JSON? {
    while true {
      switch message() {
      case .text(let json): if isWanted(json) { return json }
      case .closed: return nil
      case .picture: continue
      }
    }
  }

  func event(_ name: String) -> JSON? { text { $0["event"].string == name } }

  func answer(_ id: Int) -> JSON? { text { $0["id"].int == id } }

  /// Returns the next image for whose header `isWanted` returns `true`; `nil` at the end.
  func picture(where isWanted: (JSON) -> Bool = { $0["id"] != 0 }) -> (head: JSON, bytes: [UInt8])?
  {
    while true {
      switch message() {
      case .picture(let head, let bytes): if isWanted(head) { return (head, bytes) }
      case .closed: return nil
      case .text: continue
      }
    }
  }
}
