// SPDX-License-Identifier: MIT

/// The identity of a request or an open socket. Numbers are never reused.
package struct WebClient: Hashable, Sendable {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// A received request. Its content is not validated.
package struct WebRequest: Sendable {
  /// The method of a request.
  package enum Method: Sendable { case get, head, other }

  package var method = Method.get
  /// The decoded path without the query string.
  package var path = ""
  package var arguments: [String: String] = [:]
  package var host: String?
  package var origin: String?
  /// The value of `Sec-Fetch-Site`.
  package var site: String?
  /// The value of `Range`.
  package var range: String?
  /// Whether the response may be compressed with gzip.
  package var takesGZIP = false
  /// Whether the request opens a WebSocket, and the requested subprotocol.
  package var asksForSocket = false
  package var subprotocol: String?
  /// Whether a body follows.
  package var hasBody = false

  package init() {}
}

/// A response.
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

/// The decision about a request.
package enum WebDecision: Sendable {
  case answer(WebResponse)
  /// The response will be sent later with `WebServer.answer`.
  case later
  case openSocket
}

/// A message for a socket.
package struct WebMessage: Sendable {
  package let bytes: [UInt8]
  package let isBinary: Bool
  /// The kind of the message. A newer message replaces a waiting one of the same kind.
  package let kind: String?

  package init(_ bytes: [UInt8], isBinary: Bool = false, kind: String? = nil) {
    self.bytes = bytes
    self.isBinary = isBinary
    self.kind = kind
  }
}

/// The connections of a server to its clients. Its methods can be called from any thread.
package protocol WebNetwork: AnyObject, Sendable {
  /// Starts serving.
  func start()

  func send(_ message: WebMessage, to client: WebClient)

  func answer(_ client: WebClient, _ response: WebResponse)

  /// Returns whether messages to a client are still waiting.
  func isBusy(_ client: WebClient) -> Bool

  /// Sends a last message to all sockets and closes them within a fraction of a second.
  func end(_ farewell: WebMessage)
}

/// The handlers of a server. All methods are called on the network thread and must not block.
package protocol WebSite: AnyObject, Sendable {
  func decide(_ request: WebRequest, from client: WebClient) -> WebDecision
  func opened(_ client: WebClient)
  func received(_ message: [UInt8], from client: WebClient)
  /// Called when all messages to a client have been sent.
  func drained(_ client: WebClient)
  func closed(_ client: WebClient)
}

/// The limits of the server.
package struct WebLimits: Sendable {
  package var connections = 64
  package var headerBytes = 8192
  /// The time without data after which an incomplete request is dropped.
  package var patienceSeconds = 10
  package var messageBytes = 64 << 10
  package var queuedMessages = 64
  package var queuedBytes = 1 << 20
  package var pingSeconds = 10
  package var hangUpSeconds = 20

  package init() {}
}
