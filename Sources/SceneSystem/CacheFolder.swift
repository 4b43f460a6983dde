// SPDX-License-Identifier: MIT

/// The folder for what scenec keeps for itself: below `XDG_CACHE_HOME`, by default `~/.cache`.
package enum CacheFolder {
  /// `nil` without a home.
  package static var path: String? {
    let own = OwnProcess.environment("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = OwnProcess.environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    return (own ?? home).map { $0 + "/scenec" }
  }

  /// A folder in it, which is made if it is not there; `nil` where that fails.
  package static func made(_ name: String) -> String? {
    guard let path else { return nil }
    var made = ""
    for part in "\(path)/\(name)".split(separator: "/") {
      made += "/" + part
      if !Files.exists(made) { _ = Files.makeFolder(made, permissions: 0o700) }
    }
    return FileStatus(path: made)?.isFolder == true ? made : nil
  }
}
