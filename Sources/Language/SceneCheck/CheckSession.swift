// SPDX-License-Identifier: MIT
package import SceneDiagnostics
package import SceneModel
import SceneLower
package import SceneSyntax
package import SceneText

/// The model of a scene, when nothing is wrong with it, and all that is wrong. A library has no model.
package struct Checked: Sendable {
  package let model: SceneModel?
  package let diagnostics: [Diagnostic]
  /// The files that were read, each at the place of its id.
  package let sources: [SourceFile]
  /// The caller lost interest: there is neither a model nor a diagnostic.
  package let wasCancelled: Bool
  /// With `recordsNames`: for each name that was looked up, the name in the declaration that it was
  /// found to mean.
  package var foundNames: [SourceSpan: SourceSpan] = [:]
  /// With `recordsElements`: the elements of the built scene, unless an error is in the way of all.
  package var record: SceneRecord?
}

/// Resolves a parsed file into the model of one scene.
///
/// Pure but for what `metrics` and `assets` answer. Never stops at the first error.
package func check(
  _ parsed: Parsed, options: CheckOptions, metrics: any TextMetrics, assets: any AssetProvider
) -> Checked {
  let session = CheckSession(parsed, options: options, metrics: metrics, assets: assets)
  let first = session.checked
  guard let warnings = session.warnings() else {
    return Checked(model: nil, diagnostics: [], sources: first.sources, wasCancelled: true)
  }
  return Checked(
    model: first.model, diagnostics: first.diagnostics + warnings, sources: first.sources,
    wasCancelled: false, foundNames: first.foundNames, record: first.record)
}

/// One check of a file in two steps: the model with its errors, then what is only suspicious.
///
/// Used by one thread. What was made for the check is let go of with the session.
package final class CheckSession {
  let checker: Checker
  /// What the first step found: warnings only beside errors.
  package let checked: Checked

  package init(
    _ parsed: Parsed, options: CheckOptions, metrics: any TextMetrics, assets: any AssetProvider
  ) {
    checker = Checker(options: options, metrics: metrics, assets: assets)
    let model = checker.run(parsed)
    var found = checker.files.modules.flatMap(\.parsed.diagnostics) + checker.relevant()
    if !found.hasErrors, let missing = checker.reports.missingValue { found.append(missing) }
    if !found.hasErrors, let model {
      var work = DrawingWork(model, metrics: metrics, isCancelled: options.isCancelled)
      if let excess = work.excess(over: options.limits.drawing) { found.append(excess) }
      if options.isCancelled?() == true { checker.reports.cancel() }
    }
    found = CheckSession.withoutConsequences(
      of: found, parsed, options: options, metrics: metrics, assets: assets)
    let isWrong = found.hasErrors
    let isCancelled = checker.reports.isCancelled
    checked = Checked(
      model: isWrong || isCancelled ? nil : model,
      diagnostics: isWrong && !isCancelled ? checker.told(found) : [],
      sources: checker.files.sources, wasCancelled: isCancelled, foundNames: checker.foundNames,
      record: isCancelled ? nil : checker.record)
  }

  deinit { checker.dismantle() }

  /// Diagnostics without those that follow from missing clips and images: what is also wrong with other files in
  /// their places stays. Without them, a voice that is not recorded yet has no length, and every time that is
  /// computed from it is wrong.
  private static func withoutConsequences(
    of found: [Diagnostic], _ parsed: Parsed, options: CheckOptions, metrics: any TextMetrics,
    assets: any AssetProvider
  ) -> [Diagnostic] {
    guard found.contains(where: { $0.code == .fileNotFound }) else { return found }
    let other = Checker(options: options, metrics: metrics, assets: StandIns(for: assets))
    defer { other.dismantle() }
    _ = other.run(parsed)
    // Nothing is known of what follows a limit.
    guard !other.reports.isClosed else { return found }
    struct Place: Hashable {
      let code: Code
      let span: SourceSpan
    }
    let all = other.files.modules.flatMap(\.parsed.diagnostics) + other.relevant()
    let places = Set(all.map { Place(code: $0.code, span: $0.span) })
    return found.filter {
      $0.code == .fileNotFound || places.contains(Place(code: $0.code, span: $0.span))
    }
  }

  /// What is suspicious, or `nil` when the caller lost interest. Beside errors that are only names that
  /// nothing uses, for who writes the file and where its syntax is right: all else might follow from
  /// the errors.
  package func warnings() -> [Diagnostic]? {
    if checked.wasCancelled { return nil }
    guard let module = checker.root else { return [] }
    if checked.diagnostics.hasErrors {
      let isWritten = checker.options.purpose == .edit && module.parsed.diagnostics.isEmpty
      return isWritten ? checker.told(checker.uncomputedNames(in: module), isAll: false) : []
    }
    let found = checker.warnings(checked.model, module)
    return checker.options.isCancelled?() == true ? nil : checker.told(found)
  }
}

extension Checker {
  /// As they are shown: by place, one line each, without what the files allow.
  fileprivate func told(_ found: [Diagnostic], isAll: Bool = true) -> [Diagnostic] {
    allowed(found.sortedByPlace().foldedByPlace(), isAll: isAll).sortedByPlace()
  }
}
