// SPDX-License-Identifier: MIT

/// Who asked: one request, or one socket for as long as it is open. A number is used once.
package struct WebClient: Hashable, Sendable {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// A request as it came. Nothing in it is believed yet.
package struct WebRequest: Sendable {
  /// What is wanted: an answer, its head, or something else.
  package enum Method: Sendable { case get, head, other }

  package var method = Method.get
  /// Without what follows `?`, percent signs decoded.
  package var path = ""
  package var arguments: [String: String] = [:]
  package var host: String?
  package var origin: String?
  /// `Sec-Fetch-Site`.
  package var site: String?
  /// `Range`.
  package var range: String?
  /// Whether an answer may be compressed.
  package var takesGZIP = false
  /// Whether it asks for a WebSocket, and what is to be spoken there.
  package var asksForSocket = false
  package var subprotocol: String?
  /// Whether more is to follow its head.
  package var hasBody = false

  package init() {}
}

/// What a request is answered with.
package struct WebResponse: Sendable {
  package var status: UInt32
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    _ status: UInt32, _ fields: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}

/// What is done about a request.
package enum WebDecision: Sendable {
  case answer(WebResponse)
  /// `WebServer.answer` follows.
  case later
  case openSocket
}

/// A message for a socket.
package struct WebMessage: Sendable {
  package let bytes: [UInt8]
  package let isBinary: Bool
  /// A message that waits is left out when one of the same kind follows it.
  package let kind: String?

  package init(_ bytes: [UInt8], isBinary: Bool = false, kind: String? = nil) {
    self.bytes = bytes
    self.isBinary = isBinary
    self.kind = kind
  }
}

/// What carries messages to clients. Any thread may call it.
package protocol WebNetwork: AnyObject, Sendable {
  /// Serves from now on.
  func start()

  func send(_ message: WebMessage, to client: WebClient)

  func answer(_ client: WebClient, _ response: WebResponse)

  /// Whether messages to a client are still waiting to leave.
  func isBusy(_ client: WebClient) -> Bool

  /// Sends a last message to all sockets, and closes them within a fraction of a second.
  func end(_ farewell: WebMessage)
}

/// What a server is for. All of it is called by the one thread of the network, and must not wait.
package protocol WebSite: AnyObject, Sendable {
  func decide(_ request: WebRequest, from client: WebClient) -> WebDecision
  func opened(_ client: WebClient)
  func received(_ message: [UInt8], from client: WebClient)
  /// All that was sent to it has left.
  func drained(_ client: WebClient)
  func closed(_ client: WebClient)
}

/// What one end of the network may take.
package struct WebLimits: Sendable {
  package var connections = 64
  package var headerBytes = 8192
  /// Without a byte before a request is whole.
  package var patienceSeconds = 10
  package var messageBytes = 64 << 10
  package var queuedMessages = 64
  package var queuedBytes = 1 << 20
  package var pingSeconds = 10
  package var hangUpSeconds = 20

  package init() {}
}
