// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The values of names.
extension Checker {
  /// Evaluates a `let` with the clock of the body that contains it.
  func value(
    of binding: LetBinding, scope: Scope, at span: SourceSpan, in c: Context
  ) -> Value {
    parameterReads.isActive
      ? recordedValue(of: binding, scope: scope, at: span, in: c)
      : plainValue(of: binding, scope: scope, at: span, in: c)
  }

  func plainValue(
    of binding: LetBinding, scope: Scope, at span: SourceSpan, in c: Context
  ) -> Value {
    let scope = binding.home ?? scope
    let owner = scope.owner ?? c.owner
    let pathUse = pathUse(of: binding, in: c)
    let key = LetBinding.Key(
      owner: owner.id, now: c.now, isConstant: c.constantFor != nil, pathUse: pathUse,
      isInitial: parameterReads.isStructural, isTimeless: parameterReads.isTimeless)
    if c.recorder == nil, let known = binding.known[key] {
      recording?.reuse(.binding(binding.id, key))
      return known
    }
    if let first = fixedKey(of: binding, in: scope, owner: owner), let it = binding.known[first] {
      recording?.reuse(.binding(binding.id, first))
      return it
    }
    if reports.isTrying, let failure = binding.failures[key] {
      for diagnostic in failure { reports.report(diagnostic) }
      return poison(span)
    }
    let reported = reports.all.count
    recording?.begin()
    let inner = c.with {
      $0.scope = scope
      $0.owner = owner
      // A declaration of a file is the same for all pixels.
      if binding.home != nil { $0.pixels = nil }
      $0.space = scope.owner ?? c.space
      if scope.owner != nil { $0.timeBase = nil }
      $0.standsInParent = false
      $0.pathUse = pathUse
    }
    let before = memory.recent
    let computed = step(.binding(binding.id), "'\(binding.name.text)'", at: binding.name.span) {
      () -> Value in
      if let item = binding.item {
        return parameterReads.timeless(if: false) { self.value(ofItem: item, in: inner) }
      }
      // The typer reports effects, which are not values.
      if typed?.invalidNames.contains(binding.value.span) == true { return poison(span) }
      let value = parameterReads.timeless(if: key.isTimeless && binding.value.isName) {
        evaluate(binding.value, inner, words: binding.type?.words ?? [])
      }
      let converted =
        binding.type.map { convert(value, to: $0, at: binding.value.span) } ?? value
      guard let parameter = binding.parameter, !parameter.changes.isEmpty, !key.isInitial else {
        return converted
      }
      if key.isTimeless, case .text(let first) = converted {
        return versions(first, parameter, of: binding, in: inner)
      }
      return parameterReads.timeless(if: false) {
        changed(converted, parameter, of: binding, key: key, in: inner)
      }
    }
    recording?.end(.binding(binding.id, key))
    let value = computed ?? poison(span)
    if value.isPoison, reports.isTrying {
      // An error that was already reported in the same trial is not reported again.
      let own = reports.all.dropFirst(reported)
      let failure = own.isEmpty ? reports.all : Array(own)
      if !failure.isEmpty { binding.failures[key] = failure }
      return value
    }
    cache(value, since: before)
    binding.known[key] = value
    let scene = self.scene(of: owner).id
    if binding.first[scene] == nil { binding.first[scene] = key }
    return value
  }

  /// Returns the key of a value that was computed before for another element or time, and that does
  /// not depend on them; `nil` if there is none.
  private func fixedKey(of binding: LetBinding, in scope: Scope, owner: ElementNode)
    -> LetBinding.Key?
  {
    // A value that is used once is not worth the search.
    guard !binding.first.isEmpty else { return nil }
    switch FixitySearch.fixity(of: binding, in: scope, self) {
    case .everywhere: return binding.first.min { $0.key < $1.key }?.value
    case .inScene: return binding.first[self.scene(of: owner).id]
    case .none: return nil
    }
  }

  /// Returns the coordinates in which elements in a `let` evaluate to their outlines, or `nil` if
  /// they evaluate to their centers. A declared type takes precedence over the context.
  private func pathUse(of binding: LetBinding, in c: Context) -> PathUse? {
    guard let type = binding.type, type.names.count == 1, type.element == nil else {
      return c.pathUse
    }
    switch KnownWords.types[type.names[0]] {
    case .path: return c.pathUse ?? .placed
    case .pair: return nil
    default: return c.pathUse
    }
  }
}
