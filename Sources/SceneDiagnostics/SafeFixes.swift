// SPDX-License-Identifier: MIT
import SceneText

/// Applies the safe fixes of a text one by one, and returns the text with the number of fixes.
///
/// A fix is kept only if fewer diagnostics with its code and message remain. The next fix may belong to a
/// diagnostic that appears only after this one, for example in the body of an element whose name was wrong.
/// `check` returns the diagnostics of a text, or `nil` to stop.
package func allFixed<E: Error>(
  _ bytes: [UInt8], check: ([UInt8]) throws(E) -> [Diagnostic]?
) throws(E) -> (bytes: [UInt8], count: Int) {
  var (bytes, count) = (bytes, 0)
  var refused: Set<Diagnostic> = []
  guard var found = try check(bytes) else { return (bytes, 0) }
  while count + refused.count <= 1000 {
    let next = found.first {
      $0.fixIts.count == 1 && $0.fixIts[0].span.file == FileID(0) && !refused.contains($0)
    }
    guard let fault = next, let fix = fault.fixIts.first else { break }
    var changed = bytes
    let range = (fix.span.start..<fix.span.end).clamped(to: 0..<bytes.count)
    changed.replaceSubrange(range, with: fix.replacement.utf8)
    guard let after = try check(changed) else { break }
    func alike(_ list: [Diagnostic]) -> Int {
      list.count { $0.code == fault.code && $0.message == fault.message }
    }
    if alike(after) < alike(found) {
      (bytes, found) = (changed, after)
      count += 1
    } else {
      refused.insert(fault)
    }
  }
  return (bytes, count)
}
