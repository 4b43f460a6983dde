// SPDX-License-Identifier: MIT
import SceneText

/// Applies the safe fixes of a text, and returns the text with the number of fixes.
///
/// Each fix is tried and kept only if fewer errors remain and none is new. A fix may reveal other
/// errors, for example in the body of an element with a misspelled kind. It is tried
/// together with the fixes of these errors. Fixes that cause new warnings are omitted. `check`
/// returns the diagnostics of a text, or `nil` to stop.
package func allFixed<E: Error>(
  _ bytes: [UInt8], check: ([UInt8]) throws(E) -> [Diagnostic]?
) throws(E) -> (bytes: [UInt8], count: Int) {
  guard let found = try check(bytes) else { return (bytes, 0) }
  let original = Draft(bytes: bytes, found: found)
  var refused: Set<Draft.Kind> = []
  for _ in 0..<4 {
    let draft = try fixed(original, except: refused, check)
    let misleading = draft.misleading(since: original)
    if misleading.isEmpty { return (draft.bytes, draft.fixes.count) }
    refused.formUnion(misleading)
  }
  return (bytes, 0)
}

/// A text with its diagnostics and the applied fixes.
private struct Draft {
  /// The identity of a diagnostic independent of its position.
  struct Kind: Hashable {
    let code: Code
    let message: String

    init(_ it: Diagnostic) { (code, message) = (it.code, it.message) }
  }

  /// The bytes that a fix inserted, and the diagnostic that it fixed.
  struct Fix {
    var range: Range<Int>
    let kind: Kind
  }

  var bytes: [UInt8]
  var found: [Diagnostic]
  var fixes: [Fix] = []
  /// The locations and diagnostics of fixes that did not help.
  var failed: [Fix] = []

  var errors: [Kind: Int] { counts(.error) }

  func counts(_ severity: Severity) -> [Kind: Int] {
    found.reduce(into: [:]) { if $1.severity == severity { $0[Kind($1), default: 0] += 1 } }
  }

  func isFailed(_ it: Diagnostic) -> Bool {
    failed.contains { $0.kind == Kind(it) && $0.range.lowerBound == it.span.start }
  }

  /// Returns the only fix of a diagnostic if it is safe and in this file; otherwise, `nil`.
  static func fix(of it: Diagnostic) -> FixIt? {
    guard it.fixIts.count == 1, let fix = it.fixIts.first, fix.isSafe, fix.span.file == FileID(0)
    else { return nil }
    return fix
  }

  /// Returns the text with a fix applied; its diagnostics are still the old ones.
  func applying(_ fix: FixIt, of it: Diagnostic) -> Draft {
    var next = self
    let range = (fix.span.start..<fix.span.end).clamped(to: 0..<bytes.count)
    next.bytes.replaceSubrange(range, with: fix.replacement.utf8)
    let shift = fix.replacement.utf8.count - range.count
    func moved(_ list: [Fix]) -> [Fix] {
      list.map { old in
        guard old.range.lowerBound >= range.upperBound else { return old }
        var new = old
        new.range = old.range.lowerBound + shift..<old.range.upperBound + shift
        return new
      }
    }
    (next.fixes, next.failed) = (moved(fixes), moved(failed))
    let end = range.lowerBound + fix.replacement.utf8.count
    next.fixes.append(Fix(range: range.lowerBound..<end, kind: Kind(it)))
    return next
  }

  /// Returns whether fewer errors remain and none is new. If the errors are unchanged, compares the
  /// warnings in the same way.
  func isBetter(than old: Draft) -> Bool {
    func areFewer(_ new: [Kind: Int], _ old: [Kind: Int]) -> Bool {
      new != old && new.allSatisfy { $0.value <= old[$0.key, default: 0] }
    }
    let (new, known) = (errors, old.errors)
    if areFewer(new, known) { return true }
    return new == known && areFewer(counts(.warning), old.counts(.warning))
  }

  /// Returns the errors that another draft does not have.
  func newErrors(since old: Draft) -> [Diagnostic] {
    let known = old.errors
    return found.filter { $0.severity == .error && known[Kind($0)] == nil }
  }

  /// Returns the fixes that caused new warnings. Composition warnings are ignored, since they are
  /// computed only once no errors are left.
  func misleading(since old: Draft) -> [Kind] {
    let known = old.counts(.warning)
    let new = found.filter {
      $0.severity == .warning && $0.span.file == FileID(0) && known[Kind($0)] == nil
        && !$0.code.rawValue.hasPrefix("W03") || $0.code == .idleProperty
    }
    return fixes.filter { fix in
      new.contains {
        $0.span.start < fix.range.upperBound && fix.range.lowerBound < $0.span.end
      }
    }.map(\.kind)
  }
}

/// Returns the draft with helpful fixes applied in rounds, because a fix may enable another fix.
private func fixed<E: Error>(
  _ original: Draft, except refused: Set<Draft.Kind>, _ check: ([UInt8]) throws(E) -> [Diagnostic]?
) throws(E) -> Draft {
  var draft = original
  var (trials, rounds) = (0, 0)
  var (isChanged, isStopped) = (true, false)
  while isChanged, rounds < 4, !isStopped {
    isChanged = false
    rounds += 1
    draft.failed = []
    while trials < 1000, !isStopped {
      let next = draft.found.first {
        Draft.fix(of: $0) != nil && !refused.contains(Draft.Kind($0)) && !draft.isFailed($0)
      }
      guard let diagnostic = next else { break }
      trials += 1
      let trial = try tried(diagnostic, in: draft, except: refused) {
        (bytes) throws(E) -> [Diagnostic]? in
        let found = try check(bytes)
        isStopped = found == nil
        return found
      }
      guard let better = trial else {
        let place = diagnostic.span.start..<diagnostic.span.start
        draft.failed.append(Draft.Fix(range: place, kind: Draft.Kind(diagnostic)))
        continue
      }
      draft = better
      isChanged = true
    }
  }
  return draft
}

/// Applies the fix of a diagnostic, then the fixes of the errors that it reveals, until the draft
/// is better. Returns `nil` if it is not better after eight fixes or if no further fix exists.
private func tried<E: Error>(
  _ diagnostic: Diagnostic, in draft: Draft, except refused: Set<Draft.Kind>,
  _ check: ([UInt8]) throws(E) -> [Diagnostic]?
) throws(E) -> Draft? {
  var (next, trial) = (Optional(diagnostic), draft)
  for _ in 0..<8 {
    guard let diagnostic = next, let fix = Draft.fix(of: diagnostic) else { return nil }
    trial = trial.applying(fix, of: diagnostic)
    guard let found = try check(trial.bytes) else { return nil }
    trial.found = found
    if trial.isBetter(than: draft) { return trial }
    next = trial.newErrors(since: draft).first {
      Draft.fix(of: $0) != nil && !refused.contains(Draft.Kind($0))
    }
  }
  return nil
}
