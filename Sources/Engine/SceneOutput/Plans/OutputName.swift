// SPDX-License-Identifier: MIT

/// The path of an output file, whose name is divided at its dots.
struct OutputName {
  private let path: String
  /// The parts of the name: `talk`, `de` and `vtt` for `videos/talk.de.vtt`.
  let parts: [Substring]

  init(_ path: String) {
    self.path = path
    let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
    parts = name.split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Returns the path with an additional part before the file extension, or with a different file
  /// extension.
  func adding(_ part: String? = nil, ending: String? = nil) -> String {
    let own = parts.count > 1 ? "." + (parts.last ?? "") : ""
    return path.dropLast(own.count) + (part.map { "." + $0 } ?? "") + (ending ?? own)
  }
}
