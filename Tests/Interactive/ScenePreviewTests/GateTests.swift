// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import Foundation
import SceneJSON
import ScenePreview
import SceneServer
import SceneSession
import SceneSystem
import SceneTestSupport
import Testing

/// Requests from clients other than our own page, sent byte for byte to a running server.
@Suite("Gate", .cpuBudget(seconds: 1)) struct GateTests {
  static let token = "0123456789abcdef0123456789abcdef"

  /// A request and the statuses it may get; 0 means that the connection is closed without a
  /// response.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: String
    let statuses: Set<Int>

    /// Creates a row; `{h}` stands for our host and `{t}` for the token.
    init(_ name: String, _ request: String, _ statuses: Int...) {
      testDescription = name
      self.request = request.replacing("\n", with: "\r\n") + "\r\n\r\n"
      self.statuses = Set(statuses)
    }
  }

  private static let handshake = """
    Upgrade: websocket
    Connection: Upgrade
    Sec-WebSocket-Version: 13
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
    """

  private static func get(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\nHost: {h}" + (fields.isEmpty ? "" : "\n" + fields)
  }

  private static func socket(_ fields: String, path: String = "/p/{t}/ws") -> String {
    get(path, fields + "\n" + handshake)
  }

  static let rows: [Row] = good + hosts + tokens + paths + sites + methods + sockets

  private static let good = [
    Row("the page", get("/p/{t}/"), 200),
    Row("the page by localhost", "GET /p/{t}/ HTTP/1.1\nHost: localhost:{n}", 200),
    Row("the page, from a link of another site", get("/p/{t}/", "Sec-Fetch-Site: cross-site"), 200),
    Row("the head of the page", "HEAD /p/{t}/ HTTP/1.1\nHost: {h}", 200),
    Row("a socket", socket("Origin: http://{h}\nSec-WebSocket-Protocol: {b}"), 101),
    Row(
      "a socket of the page",
      socket(
        "Origin: http://{h}\nSec-Fetch-Site: same-origin\nSec-WebSocket-Protocol: {b}"), 101),
  ]

  private static let hosts =
    [
      "evil.example", "evil.example:{n}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{n}.evil.example",
      "localhost.evil.example:{n}", "LOCALHOST:{n}", "[::1]:{n}", "0.0.0.0:{n}", "127.1:{n}",
      "2130706433:{n}", "127.0.0.1:{n}@evil.example", "user@127.0.0.1:{n}", "127.0.0.1.:{n}",
      "127.0.0.1:{n}, evil.example", "evil.example, 127.0.0.1:{n}",
    ].map { Row("host \($0)", "GET /p/{t}/ HTTP/1.1\nHost: \($0)", 403, 400, 0) } + [
      Row("no host", "GET /p/{t}/ HTTP/1.1\nAccept: */*", 403, 400, 0),
      Row("no host in HTTP/1.0", "GET /p/{t}/ HTTP/1.0\nAccept: */*", 403, 400, 0),
      Row("two hosts", "GET /p/{t}/ HTTP/1.1\nHost: evil.example\nHost: {h}", 403, 400, 0),
      Row(
        "two hosts, ours first", "GET /p/{t}/ HTTP/1.1\nHost: {h}\nHost: evil.example", 403, 400, 0),
      Row(
        "another host in the target", "GET http://evil.example/p/{t}/ HTTP/1.1\nHost: {h}", 403,
        404,
        400, 0),
      Row(
        "rebound socket",
        "GET /p/{t}/ws HTTP/1.1\nHost: evil.example:{n}\nOrigin: http://evil.example:{n}\nSec-WebSocket-Protocol: {b}\n"
          + handshake, 403, 0),
    ]

  private static let tokens = [
    "/", "/p", "/p/", "/p/{t}", "/p//", "/p/0123456789abcdef0123456789abcdee/",
    "/p/0123456789abcdef0123456789abcde/", "/p/{t}0/", "/p/{t}{t}/", "/p/0/", "/x/{t}/",
    "/P/{t}/", "/p/0123456789ABCDEF0123456789ABCDEF/",
    "/p/%00123456789abcdef0123456789abcdef/", "/favicon.ico", "/robots.txt",
  ].map { Row("path \($0)", get($0), 404, 400, 403, 0) }

  private static let paths = [
    "ui/", "ui/index.html", "ui/nothing.js", "ui/../../../../etc/passwd",
    "ui/..%2f..%2fetc%2fpasswd",
    "ui/%2e%2e/%2e%2e/etc/passwd", "ui/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "ui//etc/passwd",
    "ui/%00", "ui/index.html%00.js", "index.html", "ws", "still", "still?view=main",
    "still?view=main&rev=1&n=999999999", "still?view=main&rev=1&n=-1", "still?view=main&rev=x&n=0",
    "etc/passwd", "%2fetc%2fpasswd",
  ].map { Row("place \($0)", get("/p/{t}/\($0)"), 404, 400, 403, 0) }

  private static let sites = [
    Row(
      "a file for another site",
      get("/p/{t}/still?view=main&rev=1&n=0", "Sec-Fetch-Site: cross-site"), 403),
    Row(
      "a file for the same site",
      get("/p/{t}/still?view=main&rev=1&n=0", "Sec-Fetch-Site: same-site"), 403),
    Row("a site that nobody knows", get("/p/{t}/ui/x.js", "Sec-Fetch-Site: "), 403, 404),
    Row("the page with another origin", get("/p/{t}/", "Origin: http://evil.example"), 403),
    Row("the page with no origin at all", get("/p/{t}/", "Origin: null"), 403),
    Row("the origin of another port", get("/p/{t}/", "Origin: http://127.0.0.1:1"), 403),
    Row("our origin by https", get("/p/{t}/", "Origin: https://{h}"), 403),
  ]

  private static let methods =
    [
      "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "GARBAGE",
    ].map {
      Row(
        "method \($0)", "\($0) /p/{t}/ HTTP/1.1\nHost: {h}\nContent-Length: 0", 405, 403, 400, 404,
        0)
    }
    + [
      Row("a body", get("/p/{t}/", "Content-Length: 5") + "\n\nhello", 400, 403, 0),
      Row("a body in pieces", get("/p/{t}/", "Transfer-Encoding: chunked") + "\n\n0", 400, 403, 0),
      Row(
        "a long field", get("/p/{t}/", "X: " + String(repeating: "x", count: 20_000)), 200, 400,
        403, 431, 0),
      Row(
        "a long path", get("/p/{t}/" + String(repeating: "x", count: 20_000)), 400, 403, 404, 414, 0
      ),
      Row("no HTTP", "\u{16}\u{3}\u{1}", 400, 403, 0),
      Row("HTTP/2", "PRI * HTTP/2.0\n\nSM", 400, 403, 404, 405, 0),
      Row(
        "an upgrade to HTTP/2",
        get("/p/{t}/", "Upgrade: h2c\nConnection: Upgrade\nHTTP2-Settings: AAMAAABk"), 400, 403, 0),
    ]

  private static let sockets = [
    Row("a socket without origin", socket("Sec-WebSocket-Protocol: {b}"), 403, 0),
    Row(
      "a socket of another site",
      socket("Origin: http://evil.example\nSec-WebSocket-Protocol: {b}"), 403, 0),
    Row(
      "a socket of another port", socket("Origin: http://127.0.0.1:1\nSec-WebSocket-Protocol: {b}"),
      403, 0),
    Row("a socket of no origin", socket("Origin: null\nSec-WebSocket-Protocol: {b}"), 403, 0),
    Row("a socket of a file", socket("Origin: file://\nSec-WebSocket-Protocol: {b}"), 403, 0),
    Row(
      "a socket whose site is another",
      socket("Origin: http://{h}\nSec-Fetch-Site: cross-site\nSec-WebSocket-Protocol: {b}"), 403, 0),
    Row(
      "a socket elsewhere",
      socket("Origin: http://{h}\nSec-WebSocket-Protocol: {b}", path: "/p/{t}/"), 404, 0),
    Row(
      "a socket without token",
      socket("Origin: http://{h}\nSec-WebSocket-Protocol: {b}", path: "/p/0/ws"), 404, 0),
    Row("a socket of nothing", socket("Origin: http://{h}"), 409, 0),
    Row(
      "a socket of another kind", socket("Origin: http://{h}\nSec-WebSocket-Protocol: chat"), 409,
      400, 403, 0),
  ]

  @Test func strangersGetNothing() throws {
    let server = try TestPreview("scene { size: 64x36; for: 1s }")
    for row in Self.rows {
      let client = try RawClient(port: server.port)
      let request = row.request.replacing("{h}", with: "127.0.0.1:\(server.port)")
        .replacing("{n}", with: "\(server.port)").replacing("{t}", with: server.token)
        .replacing("{b}", with: "scenec." + Preview.build)
      client.send(request)
      // A missing response is also allowed here, so the server must not keep waiting for more
      // bytes.
      if row.statuses.contains(0), !client.isAnswered { client.endWriting() }
      let (head, body) = client.answer(to: request)
      let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      #expect(row.statuses.contains(status), "\(row.testDescription): \(head)")
      #expect(!head.lowercased().contains("access-control"), "\(row.testDescription)")
      if ![200, 101].contains(status) {
        #expect(!String(decoding: body, as: UTF8.self).contains("script"), "\(row.testDescription)")
        #expect(!head.contains(server.token), "\(row.testDescription)")
      }
    }
    #expect(Self.rows.count > 60)
    // The server still responds.
    let client = try RawClient(port: server.port)
    let (head, body) = client.answer(
      "GET /p/\(server.token)/ HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200"))
    #expect(String(decoding: body, as: UTF8.self).contains(Preview.build))
    for word in [
      "default-src 'none'", "nosniff", "no-referrer", "same-origin", "no-store",
      "ws://127.0.0.1:\(server.port)", "trusted-types 'none'",
    ] {
      #expect(head.contains(word), "\(word)")
    }
  }

  /// An invalid frame closes its own socket, and nothing else.
  @Test(arguments: [
    ("reserved bits", [UInt8(0xF1), 0x80, 0, 0, 0, 0]),
    ("an unknown kind", [0x83, 0x80, 0, 0, 0, 0]),
    ("no UTF-8", [0x81, 0x82, 0, 0, 0, 0, 0xC3, 0x28]),
    ("a huge length", [0x81, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]),
    ("a long ping", [0x89, 0xFE, 0, 200, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 200)),
    ("bytes", [0x82, 0x81, 0, 0, 0, 0, 1]),
    ("nothing to go on with", [0x80, 0x81, 0, 0, 0, 0, 1]),
  ])
  func wrongFramesCloseTheSocket(_ name: String, _ bytes: [UInt8]) throws {
    let server = try TestPreview("scene { size: 64x36; for: 1s }")
    let client = try RawClient(port: server.port)
    #expect(client.openSocket(server.port, server.token))
    #expect(client.event("rev") != nil)
    client.send(bytes)
    client.ask(["id": 5, "do": "format-disk"])
    // The server treats the following bytes as part of a frame that never ends.
    if name == "a huge length" { client.endWriting() }
    #expect(client.answer(5) == nil, "\(name)")
    let other = try RawClient(port: server.port)
    #expect(other.openSocket(server.port, server.token))
    #expect(other.event("hello") != nil)
  }

  @Test func longMessagesAndWrongOnesAreRefused() throws {
    let server = try TestPreview("scene { size: 64x36; for: 1s }")
    let client = try server.tab()
    for text in [
      "", "[]", "{}", "{\"id\":1}", "{\"do\":\"frame\"}", "null", "\u{0}", "{\"id\":{},\"do\":1}",
    ] {
      client.sendFrame(Array(text.utf8))
      #expect(client.text { $0["error"].string == "message" } != nil, "\(text)")
    }
    client.ask(["id": 7, "do": "format-disk"])
    #expect(client.answer(7)?["error"].string == "unknown")
    client.ask(["id": 8, "do": "frame", "n": "x", "width": "wide"])
    #expect(client.answer(8)?["error"].string == "message")
    client.sendFrame([UInt8](repeating: 0x20, count: 70_000))
    #expect(client.text { _ in false } == nil)
  }

  /// A position outside the text is clamped before it is sent to an editor.
  @Test func placesOutsideATextAreMoved() throws {
    let folder = try Folder()
    let path = try folder.write("a.scene", "scene { size: 64x36\nfor: 1s }\n")
    let ends = scene_socket_pair()
    defer {
      close(ends.own)
      close(ends.other)
    }
    let server = try TestPreview(at: path, in: folder, link: EditorLink(socket: ends.other))
    let client = try server.tab()
    var heard = FrameReader()
    /// Returns the offset that the editor is asked to select next; `nil` at the end of the
    /// connection.
    func select() -> Int? {
      while true {
        while case .message(let body)? = heard.next() {
          guard let message = JSON(bytes: body), message["method"].string == "live/select" else {
            continue
          }
          return message["params"]["start"].int
        }
        guard let bytes = Files.next(ends.own, upTo: 1 << 16), !bytes.isEmpty else { return nil }
        heard.add(bytes)
      }
    }
    let wanted: [(line: JSON, column: JSON, start: Int)] = [
      (2, 4, 23), (.int(.min), 1, 0), (.int(.max), 1, 30), (2, .int(.min), 20), (2, .int(.max), 29),
      (.int(.min), .int(.min), 0), (0, 0, 0), (.double(1e300), 1, 0), (.double(-0.5), .null, 0),
    ]
    for (number, row) in wanted.enumerated() {
      client.ask(
        [
          "id": .int(number), "do": "open", "view": "main", "file": 0, "line": row.line,
          "column": row.column,
        ])
      #expect(client.answer(number)?["opened"].bool == true, "\(row)")
      #expect(select() == row.start, "\(row)")
    }
    for file in [JSON.int(.min), .int(.max), -1, 1000, .double(1e300), .null] {
      client.ask(["id": 99, "do": "open", "view": "main", "file": file, "line": 1])
      #expect(client.answer(99)?["error"].string == "none", "\(file)")
    }
    // The preview waits until the editor ends the connection.
    scene_shut(ends.own)
  }
}
