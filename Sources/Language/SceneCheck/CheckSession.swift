// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneLower
package import SceneModel
package import SceneSyntax
package import SceneText
package import SceneTypes

/// The result of a check: the diagnostics, and the model if there are no errors. A library has no
/// model.
package struct Checked: Sendable {
  package let model: SceneModel?
  package let diagnostics: [Diagnostic]
  /// The source files, indexed by their ids.
  package let sources: [SourceFile]
  /// Whether the caller canceled the check. There is then neither a model nor a diagnostic.
  package let wasCancelled: Bool
  /// The span of the name in the declaration, by the span of each resolved name; empty without
  /// `recordsNames`.
  package var foundNames: [SourceSpan: SourceSpan] = [:]
  /// The elements of the built scene; `nil` without `recordsElements`, or if an error prevents its
  /// elaboration.
  package var record: SceneRecord?
}

/// Resolves a parsed file into the model of one scene.
///
/// Depends only on its arguments, including the results of `metrics` and `assets`. Continues after
/// errors.
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

/// A check of a file in two phases: the model with its errors, then the warnings.
///
/// Used by one thread. The session owns the intermediate results and releases them when it is
/// deinitialized.
package final class CheckSession {
  let checker: Checker
  /// The result of the first phase. It contains warnings only in addition to errors.
  package let checked: Checked
  /// The static types of the expressions in all files except those of the library, whether a scene
  /// evaluates them or not.
  package var types: TypedProgram { checker.typed ?? TypedProgram() }

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
    if let refused = options.project?.refusedLimits, !refused.isEmpty {
      found = found.map { $0.explaining(refused: refused) }
    }
    let isWrong = found.hasErrors
    let isCancelled = checker.reports.isCancelled
    checked = Checked(
      model: isWrong || isCancelled ? nil : model,
      diagnostics: isWrong && !isCancelled ? checker.prepared(found) : [],
      sources: checker.files.sources, wasCancelled: isCancelled, foundNames: checker.foundNames,
      record: isCancelled ? nil : checker.record)
  }

  deinit {
    if !checker.options.endsProcess { checker.dismantle() }
  }

  /// Returns the diagnostics that are not consequences of missing clips and images: those that
  /// remain when stand-ins replace the missing files. For example, a voice that is not recorded yet
  /// has no duration, so all times that depend on it are invalid.
  private static func withoutConsequences(
    of found: [Diagnostic], _ parsed: Parsed, options: CheckOptions, metrics: any TextMetrics,
    assets: any AssetProvider
  ) -> [Diagnostic] {
    guard found.contains(where: { $0.code == .fileNotFound }) else { return found }
    let other = Checker(options: options, metrics: metrics, assets: StandIns(for: assets))
    defer { other.dismantle() }
    _ = other.run(parsed)
    // The diagnostics after a limit are unknown.
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

  /// Returns the warnings, or `nil` if the caller canceled the check.
  ///
  /// If there are errors, the result contains only unused names, and only for an editor and a file
  /// without syntax errors, since all other warnings might be consequences of the errors.
  package func warnings() -> [Diagnostic]? {
    if checked.wasCancelled { return nil }
    guard let module = checker.root else { return [] }
    if checked.diagnostics.hasErrors {
      let isWritten = checker.options.purpose == .edit && module.parsed.diagnostics.isEmpty
      return isWritten ? checker.prepared(checker.unusedNames(in: module), isAll: false) : []
    }
    let found = checker.warnings(checked.model, module)
    return checker.options.isCancelled?() == true ? nil : checker.prepared(found)
  }
}

extension Checker {
  /// Prepares diagnostics for output: sorts them, folds those of one line and removes allowed
  /// warnings.
  fileprivate func prepared(_ found: [Diagnostic], isAll: Bool = true) -> [Diagnostic] {
    allowed(found.sortedByPlace().foldedByPlace(), isAll: isAll).sortedByPlace()
  }
}
