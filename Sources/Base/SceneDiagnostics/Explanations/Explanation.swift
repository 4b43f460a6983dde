// SPDX-License-Identifier: MIT

/// The page of a code: its meaning, a scene with the error, and the corrected scene.
package struct Explanation: Hashable, Sendable {
  package let code: Code
  package let title: String
  package let body: String
  /// A scene for which `check` reports the code; `nil` if a scene text alone cannot cause it.
  package let wrong: String?
  /// The corrected scene.
  package let right: String?

  init(_ code: Code, _ title: String, body: String, wrong: String? = nil, right: String? = nil) {
    self.code = code
    self.title = title
    self.body = body
    self.wrong = wrong
    self.right = right
  }

  package static func of(_ code: Code) -> Explanation {
    pages[code] ?? Explanation(code, code.rawValue, body: "")
  }

  package static let pages: [Code: Explanation] = {
    let all =
      syntaxPages + namePages + valuePages + outerPages + warningPages + timingPages
      + mediaPages + expectationPages
    return Dictionary(all.map { ($0.code, $0) }) { first, _ in first }
  }()

  /// The page as `scenec explain` prints it.
  package var text: String {
    var text = "\(code.rawValue): \(title)\n\n\(body)\n"
    func block(_ title: String, _ source: String) {
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      text += "\n\(title):\n\n" + lines.map { "    \($0)\n" }.joined()
    }
    if let wrong { block("Wrong", wrong) }
    if let right { block("Right", right) }
    return text
  }
}
