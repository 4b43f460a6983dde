// SPDX-License-Identifier: MIT
import SceneWeb

/// The access check for every request, including that of the page itself.
///
/// The host name check prevents DNS rebinding, the origin check blocks other sites, and the token
/// blocks both as well as other users of the machine.
struct Gate: Sendable {
  /// The destination of an accepted request.
  enum Way: Hashable, Sendable {
    case page
    /// A file of the page by name.
    case file(String)
    case socket
    case still, sound, video, track
    /// An HTTP status without a body.
    case refused(UInt32)
  }

  private let token: [UInt8]
  private let hosts: Set<String>
  private let origins: Set<String>
  let port: Int
  private let subprotocol: String

  /// `others` contains host names of this port as seen from elsewhere, such as `box:8080`.
  init(port: Int, token: String, subprotocol: String, others: [String] = []) {
    self.port = port
    self.subprotocol = subprotocol
    self.token = Array(token.utf8)
    hosts = Set(["127.0.0.1:\(port)", "localhost:\(port)"] + others)
    origins = Set(hosts.map { "http://" + $0 })
  }

  func way(of request: WebRequest) -> Way {
    // After DNS rebinding, a page sends no origin with GET.
    guard let host = request.host, hosts.contains(host) else { return .refused(403) }
    let parts = request.path.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "p", isToken(parts[2]) else {
      return .refused(404)
    }
    if let origin = request.origin, !origins.contains(origin) { return .refused(403) }
    // Links from anywhere may open the page itself.
    if !parts[3].isEmpty, let site = request.site, !["same-origin", "none"].contains(site) {
      return .refused(403)
    }
    guard request.method != .other else { return .refused(405) }
    if request.hasBody { return .refused(400) }
    return request.asksForSocket ? socket(request, parts[3]) : way(to: parts[3])
  }

  private func socket(_ request: WebRequest, _ name: Substring) -> Way {
    guard name == "ws" else { return .refused(404) }
    // A page of a different build must reload.
    guard request.subprotocol == subprotocol else { return .refused(409) }
    return request.origin == nil || request.method != .get ? .refused(403) : .socket
  }

  private func way(to name: Substring) -> Way {
    switch name {
    case "": return .page
    case "still": return .still
    case "sound": return .sound
    case "video": return .video
    case "track": return .track
    default: return name.hasPrefix("ui/") ? .file(String(name.dropFirst(3))) : .refused(404)
    }
  }

  /// Returns whether a text is the token, compared in constant time.
  private func isToken(_ text: Substring) -> Bool {
    var difference = text.utf8.count ^ token.count
    for (index, byte) in text.utf8.enumerated() where index < 64 {
      difference |= Int(byte ^ token[index % token.count])
    }
    return difference == 0
  }

  /// Returns the header fields of every response.
  func fields(caching: String = "no-store") -> [(name: String, value: String)] {
    let sockets = hosts.sorted().map { "ws://" + $0 }.joined(separator: " ")
    return [
      (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
          + "connect-src 'self' \(sockets); base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
      ),
      ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
      ("cross-origin-resource-policy", "same-origin"),
      ("cross-origin-opener-policy", "same-origin"), ("cache-control", caching),
    ]
  }
}
