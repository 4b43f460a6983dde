// SPDX-License-Identifier: MIT

/// A file name with a number in `printf` syntax: `%d` or `%04d`.
package struct NumberPattern {
  private let before: String
  private let after: String
  private let digits: Int

  package init?(_ path: String) {
    guard let percent = path.firstIndex(of: "%") else { return nil }
    let tail = path[path.index(after: percent)...]
    guard let d = tail.firstIndex(of: "d") else { return nil }
    let width = tail[..<d]
    guard width.allSatisfy(\.isNumber), width.isEmpty || width.first == "0" else { return nil }
    digits = Int(width) ?? 1
    guard digits <= 12 else { return nil }
    before = String(path[..<percent])
    after = String(tail[tail.index(after: d)...])
    if after.contains("%") { return nil }
  }

  package func name(_ number: Int) -> String {
    let text = String(number)
    return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
  }
}
