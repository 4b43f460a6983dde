// SPDX-License-Identifier: MIT
import SceneWeb

/// What every request has to pass before anything else looks at it, the page itself included.
///
/// The name of the host keeps out names that are made to lead here, what a browser says of its origin
/// other sites, and the token both, with the other users of the machine.
struct Gate: Sendable {
  /// Where a request that passed leads.
  enum Way: Hashable, Sendable {
    case page
    /// A file of the page, by its name.
    case file(String)
    case socket
    case still, sound, video
    /// A status, without a body.
    case refused(UInt32)
  }

  private let token: [UInt8]
  private let hosts: Set<String>
  private let origins: Set<String>
  let port: Int
  private let subprotocol: String

  /// `others` are names of this port as seen from elsewhere, such as `box:8080`.
  init(port: Int, token: String, subprotocol: String, others: [String] = []) {
    self.port = port
    self.subprotocol = subprotocol
    self.token = Array(token.utf8)
    hosts = Set(["127.0.0.1:\(port)", "localhost:\(port)"] + others)
    origins = Set(hosts.map { "http://" + $0 })
  }

  func way(of request: WebRequest) -> Way {
    // A page under another name that leads here sends no origin with GET.
    guard let host = request.host, hosts.contains(host) else { return .refused(403) }
    let parts = request.path.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty, parts[1] == "p", isToken(parts[2]) else {
      return .refused(404)
    }
    if let origin = request.origin, !origins.contains(origin) { return .refused(403) }
    // The page itself may be opened from anywhere.
    if !parts[3].isEmpty, let site = request.site, !["same-origin", "none"].contains(site) {
      return .refused(403)
    }
    guard request.method != .other else { return .refused(405) }
    if request.hasBody { return .refused(400) }
    return request.asksForSocket ? socket(request, parts[3]) : way(to: parts[3])
  }

  private func socket(_ request: WebRequest, _ name: Substring) -> Way {
    guard name == "ws" else { return .refused(404) }
    // A page of another build has to load itself anew.
    guard request.subprotocol == subprotocol else { return .refused(409) }
    return request.origin == nil || request.method != .get ? .refused(403) : .socket
  }

  private func way(to name: Substring) -> Way {
    switch name {
    case "": return .page
    case "still": return .still
    case "sound": return .sound
    case "video": return .video
    default: return name.hasPrefix("ui/") ? .file(String(name.dropFirst(3))) : .refused(404)
    }
  }

  /// Takes as long for each text, whatever it has in common with the token.
  private func isToken(_ text: Substring) -> Bool {
    var difference = text.utf8.count ^ token.count
    for (index, byte) in text.utf8.enumerated() where index < 64 {
      difference |= Int(byte ^ token[index % token.count])
    }
    return difference == 0
  }

  /// What each answer says to a browser.
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
