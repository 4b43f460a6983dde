// SPDX-License-Identifier: MIT
import CWeb
import SceneSystem

// The callbacks of libwebsockets, all on the network thread. A nonzero result closes the
// connection.
extension WebServer {
  func take(
    _ reason: lws_callback_reasons, place: WebPlace, bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return isEnding || connections.count >= limits.connections ? 1 : 0
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: _ = newClient(at: place)
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm(place)
    case LWS_CALLBACK_HTTP: return begin(place)
    case LWS_CALLBACK_HTTP_WRITEABLE: return respond(place)
    case LWS_CALLBACK_ESTABLISHED:
      guard let client = connections[place]?.client else { return 1 }
      connections[place]?.isSocket = true
      site.opened(client)
    case LWS_CALLBACK_RECEIVE: return unsafe receive(place, Array(bytes))
    case LWS_CALLBACK_SERVER_WRITEABLE: return write(place)
    case LWS_CALLBACK_WSI_DESTROY:
      guard let old = connections.removeValue(forKey: place) else { break }
      forget(old.client)
      site.closed(old.client)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: askToWrite()
    default: break
    }
    return 0
  }

  // MARK: Requests

  /// Decides about a handshake: 0 accepts it; 1 means that the response has been sent.
  private func confirm(_ place: WebPlace) -> Int32 {
    let client = newClient(at: place)
    var request = place.request
    request.asksForSocket = place.text(WSI_TOKEN_UPGRADE)?.lowercased() == "websocket"
    request.subprotocol = place.text(WSI_TOKEN_PROTOCOL)
    guard request.asksForSocket else { return -1 }
    switch site.decide(request, from: client) {
    case .openSocket: return 0
    case .later: return -1
    case .answer(let response): return place.sendHead(response) ? 1 : -1
    }
  }

  private func begin(_ place: WebPlace) -> Int32 {
    let client = newClient(at: place)
    let request = place.request
    connections[place]?.isHead = request.method == .head
    switch site.decide(request, from: client) {
    case .openSocket: return -1
    case .later: lws_set_timeout(place.pointer, PENDING_TIMEOUT_HTTP_CONTENT, 30)
    case .answer(let response):
      _ = withOutbox(client) { $0.response = response }
      place.askToWrite()
    }
    return 0
  }

  // MARK: Responses

  private func respond(_ place: WebPlace) -> Int32 {
    guard let connection = connections[place], !isEnding else { return -1 }
    let taken = withOutbox(connection.client) { box in
      defer { box.response = nil }
      return box.response
    }
    guard let response = taken ?? nil else { return 0 }
    guard place.sendHead(response) else { return -1 }
    if !response.body.isEmpty, !connection.isHead {
      guard place.write(response.body, LWS_WRITE_HTTP_FINAL) else { return -1 }
    }
    return lws_http_transaction_completed(place.pointer) == 0 && response.status < 400 ? 0 : -1
  }

  // MARK: Sockets

  private func receive(_ place: WebPlace, _ bytes: [UInt8]) -> Int32 {
    guard let connection = connections[place] else { return -1 }
    let isTooLong = connection.received.count + bytes.count > limits.messageBytes
    if isTooLong || lws_frame_is_binary(place.pointer) != 0 {
      let reason =
        isTooLong ? LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE : LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE
      scene_web_close(place.pointer, reason)
      return -1
    }
    connections[place]?.received += bytes
    guard lws_is_final_fragment(place.pointer) != 0,
      lws_remaining_packet_payload(place.pointer) == 0
    else { return 0 }
    connections[place]?.received = []
    site.received(connection.received + bytes, from: connection.client)
    return 0
  }

  private func write(_ place: WebPlace) -> Int32 {
    guard let client = connections[place]?.client,
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
        scene_web_close(place.pointer, LWS_CLOSE_STATUS_GOINGAWAY)
        return -1
      }
      site.drained(client)
      return 0
    }
    guard place.write(next.bytes, next.isBinary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT) else {
      return -1
    }
    // The next callback comes when the message has been sent completely.
    place.askToWrite()
    return 0
  }
}
