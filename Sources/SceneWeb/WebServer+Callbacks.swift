// SPDX-License-Identifier: MIT
import CWeb

// What libwebsockets says, all of it in the thread of the network. A result other than 0 closes.
extension WebServer {
  func take(
    _ reason: lws_callback_reasons, _ place: OpaquePointer, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return unsafe isEnding || connections.count >= limits.connections ? 1 : 0
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: _ = unsafe newClient(at: place)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return unsafe confirm(place)
    case LWS_CALLBACK_HTTP: return unsafe begin(place)
    case LWS_CALLBACK_HTTP_WRITEABLE: return unsafe respond(place)
    case LWS_CALLBACK_ESTABLISHED:
      guard let client = unsafe connections[place]?.client else { return 1 }
      unsafe connections[place]?.isSocket = true
      site.opened(client)
    case LWS_CALLBACK_RECEIVE: return unsafe receive(place, Array(bytes))
    case LWS_CALLBACK_SERVER_WRITEABLE: return unsafe write(place)
    case LWS_CALLBACK_WSI_DESTROY:
      guard let old = unsafe connections.removeValue(forKey: place) else { break }
      forget(old.client)
      site.closed(old.client)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: askToWrite()
    default: break
    }
    return 0
  }

  // MARK: Requests

  /// Before a handshake: 0 goes on, 1 where the answer has been sent.
  private func confirm(_ place: OpaquePointer) -> Int32 {
    let client = unsafe newClient(at: place)
    var request = unsafe request(at: place)
    request.asksForSocket = unsafe text(place, WSI_TOKEN_UPGRADE)?.lowercased() == "websocket"
    unsafe request.subprotocol = text(place, WSI_TOKEN_PROTOCOL)
    guard request.asksForSocket else { return -1 }
    switch site.decide(request, from: client) {
    case .openSocket: return 0
    case .later: return -1
    case .answer(let response): return unsafe sendHead(place, response) == 0 ? 1 : -1
    }
  }

  private func begin(_ place: OpaquePointer) -> Int32 {
    let client = unsafe newClient(at: place)
    let request = unsafe request(at: place)
    unsafe connections[place]?.isHead = request.method == .head
    switch site.decide(request, from: client) {
    case .openSocket: return -1
    case .later: unsafe lws_set_timeout(place, PENDING_TIMEOUT_HTTP_CONTENT, 30)
    case .answer(let response):
      _ = withOutbox(client) { $0.response = response }
      unsafe lws_callback_on_writable(place)
    }
    return 0
  }

  private func request(at place: OpaquePointer) -> WebRequest {
    var request = WebRequest()
    var path: UnsafeMutablePointer<CChar>?
    var length: Int32 = 0
    let method = unsafe lws_http_get_uri_and_method(place, &path, &length)
    request.method =
      method == Int32(LWSHUMETH_GET)
      ? .get : method == Int32(LWSHUMETH_HEAD) ? .head : .other
    request.path = unsafe String(
      decoding: UnsafeRawBufferPointer(start: path, count: Int(max(0, length))), as: UTF8.self)
    var number: Int32 = 0
    while let part = unsafe text(place, WSI_TOKEN_HTTP_URI_ARGS, fragment: number), number < 16 {
      let equal = part.firstIndex(of: "=") ?? part.endIndex
      request.arguments[String(part[..<equal])] = String(part[equal...].dropFirst())
      number += 1
    }
    request.host = unsafe text(place, WSI_TOKEN_HOST)
    request.origin = unsafe text(place, WSI_TOKEN_ORIGIN)
    request.range = unsafe text(place, WSI_TOKEN_HTTP_RANGE)
    let name = "sec-fetch-site:"
    let count = unsafe lws_hdr_custom_length(place, name, Int32(name.utf8.count))
    if count >= 0 {
      request.site = unsafe copied(count) {
        unsafe lws_hdr_custom_copy(place, $0, $1, name, Int32(name.utf8.count))
      }
    }
    let body = unsafe text(place, WSI_TOKEN_HTTP_CONTENT_LENGTH) ?? "0"
    request.hasBody = unsafe body != "0" || text(place, WSI_TOKEN_HTTP_TRANSFER_ENCODING) != nil
    return request
  }

  /// A field of a request; one that is there twice has both values.
  private func text(_ place: OpaquePointer, _ token: lws_token_indexes, fragment: Int32? = nil)
    -> String?
  {
    let count =
      unsafe fragment.map { unsafe lws_hdr_fragment_length(place, token, $0) }
      ?? lws_hdr_total_length(place, token)
    guard count > 0 else { return nil }
    // Between several values there is a comma each.
    return unsafe copied(count + 32) { bytes, size in
      unsafe fragment.map { unsafe lws_hdr_copy_fragment(place, bytes, size, token, $0) }
        ?? lws_hdr_copy(place, bytes, size, token)
    }
  }

  private func copied(
    _ count: Int32, _ copy: (UnsafeMutablePointer<CChar>?, Int32) -> Int32
  ) -> String {
    var bytes = [CChar](repeating: 0, count: Int(count) + 1)
    let filled = unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe copy($0.baseAddress, count + 1)
    }
    return String(
      decoding: bytes.prefix(Int(max(0, filled))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Answers

  private func sendHead(_ place: OpaquePointer, _ response: WebResponse) -> Int32 {
    let fields = response.fields.map { "\($0.name):\0\($0.value)\0" }.joined().utf8.map { $0 }
    return unsafe scene_web_head(
      place, response.status, fields, fields.count, Int64(response.body.count))
  }

  private func respond(_ place: OpaquePointer) -> Int32 {
    guard let connection = unsafe connections[place], !isEnding else { return -1 }
    let taken = withOutbox(connection.client) { box in
      defer { box.response = nil }
      return box.response
    }
    guard let response = taken ?? nil else { return 0 }
    guard unsafe sendHead(place, response) == 0 else { return -1 }
    if !response.body.isEmpty, !connection.isHead {
      guard unsafe write(place, response.body, LWS_WRITE_HTTP_FINAL) else { return -1 }
    }
    return unsafe lws_http_transaction_completed(place) == 0 && response.status < 400 ? 0 : -1
  }

  /// With the room in front that libwebsockets asks for.
  private func write(_ place: OpaquePointer, _ bytes: [UInt8], _ kind: lws_write_protocol) -> Bool {
    let room = Int(scene_web_pre)
    var all = [UInt8](repeating: 0, count: room)
    all += bytes
    return unsafe all.withUnsafeMutableBufferPointer { all in
      // Safe: the room is there.
      unsafe lws_write(place, all.baseAddress! + room, bytes.count, kind) >= bytes.count
    }
  }

  // MARK: Sockets

  private func receive(_ place: OpaquePointer, _ bytes: [UInt8]) -> Int32 {
    guard let connection = unsafe connections[place] else { return -1 }
    let isTooLong = connection.received.count + bytes.count > limits.messageBytes
    if unsafe isTooLong || lws_frame_is_binary(place) != 0 {
      let reason =
        isTooLong ? LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE : LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE
      unsafe lws_close_reason(place, reason, nil, 0)
      return -1
    }
    unsafe connections[place]?.received += bytes
    guard unsafe lws_is_final_fragment(place) != 0, unsafe lws_remaining_packet_payload(place) == 0
    else { return 0 }
    unsafe connections[place]?.received = []
    site.received(connection.received + bytes, from: connection.client)
    return 0
  }

  private func write(_ place: OpaquePointer) -> Int32 {
    guard let client = unsafe connections[place]?.client,
      let (next, isFull, isEnding) = withOutbox(
        client,
        { box in
          let next = box.next()
          box.isSending = next != nil
          return (next, box.isFull, box.isEnding)
        })
    else { return -1 }
    if isFull { return -1 }
    guard let next else {
      if isEnding {
        unsafe lws_close_reason(place, LWS_CLOSE_STATUS_GOINGAWAY, nil, 0)
        return -1
      }
      site.drained(client)
      return 0
    }
    guard unsafe write(place, next.bytes, next.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) else {
      return -1
    }
    // The next call comes when all of it has left.
    unsafe lws_callback_on_writable(place)
    return 0
  }
}
