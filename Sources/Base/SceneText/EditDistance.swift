// SPDX-License-Identifier: MIT

/// Returns the minimum number of insertions, deletions, replacements and transpositions of
/// neighbors that turn `a` into `b`.
///
/// Computes the optimal string alignment distance (Damerau 1964) in time proportional to the
/// product of the lengths.
package func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.utf8)
  let b = Array(b.utf8)
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var rows = [[Int]](repeating: Array(0...b.count), count: 3)
  for i in 1...a.count {
    let now = i % 3
    let last = (i + 2) % 3
    rows[now][0] = i
    for j in 1...b.count {
      let change = a[i - 1] == b[j - 1] ? 0 : 1
      var best = min(rows[last][j] + 1, rows[now][j - 1] + 1, rows[last][j - 1] + change)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        best = min(best, rows[(i + 1) % 3][j - 2] + 1)
      }
      rows[now][j] = best
    }
  }
  return rows[a.count % 3][b.count]
}

/// Returns the candidate closest to a misspelled name, if one is close enough.
///
/// Case is ignored. Up to a third of the name's length may differ, with at least one and at most
/// three edits allowed. Otherwise, if the name is a prefix of exactly one candidate, returns that
/// candidate.
package func nearest(_ name: String, in candidates: some Sequence<String>) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let wanted = name.lowercased()
  let limit = min(3, max(1, wanted.utf8.count / 3))
  var best: (distance: Int, name: String)?
  for candidate in candidates {
    guard abs(candidate.utf8.count - wanted.utf8.count) <= limit else { continue }
    let distance = editDistance(wanted, candidate.lowercased())
    // At least half of a short name must match.
    guard candidate != name, distance <= limit, 2 * distance <= wanted.utf8.count else { continue }
    if let held = best, (held.distance, held.name) <= (distance, candidate) { continue }
    best = (distance, candidate)
  }
  if let best { return best.name }
  guard wanted.utf8.count >= 3 else { return nil }
  let longer = Set(candidates.filter { $0.lowercased().hasPrefix(wanted) && $0 != name })
  return longer.count == 1 ? longer.first : nil
}

/// Returns whether a name is clearly a typo of another: one edit, the same first letter, and no
/// other candidate as close.
///
/// Short names and an additional last letter or digit are not typos: `pa`, `rotatex` and `card2`
/// are likely intended.
package func isSlip(
  _ written: String, of name: String, among candidates: some Sequence<String>
) -> Bool {
  let (a, b) = (written.lowercased(), name.lowercased())
  guard b.utf8.count >= 4, a.utf8.count <= 64, a.first == b.first, editDistance(a, b) <= 1 else {
    return false
  }
  func digits(_ text: String) -> [Character] { text.filter(\.isNumber) }
  guard digits(a) == digits(b) else { return false }
  if a.hasPrefix(b), let last = a.last, a.count > b.count, "xyz".contains(last) { return false }
  let limit = editDistance(a, b)
  return !candidates.contains { other in
    let other = other.lowercased()
    return other != b && other != a && abs(other.utf8.count - a.utf8.count) <= limit
      && editDistance(a, other) <= limit
  }
}
