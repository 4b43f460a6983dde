// SPDX-License-Identifier: MIT
import CLinux
import SceneDigest
import SceneFiles
import SceneSystem

/// The port and token of a scene's preview. They persist between runs, so that an open page can
/// reconnect.
package struct PreviewPlace {
  package var port: Int
  package let token: String

  /// Reads the stored values of a scene or creates a new token.
  package init(of path: String, port: Int?) {
    let kept = PreviewPlace.file(of: path).flatMap { name -> [Substring]? in
      // A file that another user owns or can access is not trusted.
      guard let status = FileStatus(path: name), status.isOwn, status.isRegular,
        status.permissions & 0o077 == 0, let bytes = try? SceneFile.read(name)
      else { return nil }
      return String(decoding: bytes, as: UTF8.self).split(separator: " ")
    }
    let known = kept.flatMap { $0.count == 2 && $0[1].utf8.count == 32 ? Int($0[0]) : nil }
    self.port = port ?? known ?? 4400
    token = known == nil ? PreviewPlace.newToken : kept.map { String($0[1]) } ?? ""
  }

  package func keep(for path: String) {
    guard let name = PreviewPlace.file(of: path) else { return }
    Files.remove(name)
    let file = Files.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = Files.write(file, Array("\(port) \(token)".utf8))
  }

  /// A random token of 128 bits from the kernel.
  private static var newToken: String {
    var kernel = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: 0...UInt8.max, using: &kernel) }
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func file(of path: String) -> String? {
    guard let base = OwnProcess.environment("XDG_RUNTIME_DIR"), base.hasPrefix("/") else {
      return nil
    }
    let folder = base + "/scenec"
    if !Files.exists(folder), !Files.makeFolder(folder, permissions: 0o700) { return nil }
    let place = Files.resolved(path) ?? path
    return folder + "/" + SHA256(of: Array(place.utf8)).description.prefix(16)
  }
}
