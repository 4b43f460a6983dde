// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneLint
import SceneSyntax
import SceneText

// What is suspicious without being wrong. Asked for only when nothing is wrong.
extension Checker {
  /// Warnings about names and about what the built scene shows, if there is one.
  func warnings(_ model: SceneModel?, _ module: Module) -> [Diagnostic] {
    let found = uncomputedNames(in: module) + reports.all.filter { $0.severity == .warning }
    guard let model else { return found }
    var composition = Composition(
      model, in: module.parsed.tree.file.id, metrics: metrics, referred: referredElements,
      isCancelled: options.isCancelled ?? { false })
    return composition.diagnostics() + composition.visibleJumps(of: openLoops) + found
  }

  /// Names of the file that nothing uses, by its syntax alone.
  func uncomputedNames(in module: Module) -> [Diagnostic] {
    // A file without a scene is there for others.
    guard !module.scenes.isEmpty else { return [] }
    let index = NameIndex(module.declared, in: module.tree)
    return index.unused.compactMap { number in
      let symbol = index.symbols[number]
      guard let what = Checker.nouns[symbol.kind], !symbol.isPrivate else { return nil }
      return Diagnostic(
        .unusedName, "unused \(what) '\(symbol.name.text)'", at: symbol.name.span,
        label: "remove it, or prefix its name with '_'")
    }
  }

  /// What should be used, as messages call it.
  private static let nouns: [NameIndex.Symbol.Kind: String] = [
    .param: "param", .constant: "name", .function: "function", .component: "component",
    .style: "style", .effect: "effect", .transition: "transition",
  ]

  /// Values that nothing uses: what is wrong in them is reported all the same.
  func checkUncomputedNames(_ root: Instance) {
    let used = computedNames
    notesUses = false
    defer {
      computedNames = used
      notesUses = true
      lets = [:]
    }
    for (span, it) in lets.sorted(by: { $0.key.start < $1.key.start })
    where !computedNames.contains(span) && it.binding.known.isEmpty {
      let isOfFile = it.scope.isFile
      let c = isOfFile ? fileContext() : context(of: it.scope.owner ?? root, now: now)
      let (_, reports) = self.reports.trying { value(of: it.binding, it.scope, span, c) }
      for diagnostic in reports where !isOfFile || Checker.isSureInDeclaration(diagnostic) {
        report(diagnostic)
      }
    }
  }

  /// Keeps a value, to be checked even if nothing uses it, and warns of a name that hides a built-in.
  func noteName(
    _ name: Name, isFunction: Bool = false, _ binding: (LetBinding, Scope)? = nil
  ) {
    if let binding, lets[name.span] == nil { lets[name.span] = binding }
    // A palette may have its own red.
    if let it = binding?.0, Color(name: name.text) != nil, isColor(it) { return }
    noteShadow(name, isFunction: isFunction)
  }

  /// Whether a value is written as a color.
  private func isColor(_ it: LetBinding) -> Bool {
    if it.type?.names.map(\.text) == [ValueType.color.rawValue] { return true }
    switch it.value.kind {
    case .color: return true
    case .reference(let name): return Color(name: name.text) != nil
    case .call(let function, _):
      guard case .reference(let name) = function.kind else { return false }
      return BuiltIn.all[name]?.result == .color
    default: return false
    }
  }

  /// Functions are called, so that only a function hides one.
  func noteShadow(_ name: Name, isFunction: Bool = false) {
    let hidden: String
    switch name.text {
    case _ where ElementWord(rawValue: name.text) != nil:
      hidden = "a value of every element"
    case _ where namedPoints[name.text] != nil: hidden = "a built-in point"
    case _ where BuiltIn.all[name.identifier] != nil && isFunction:
      hidden = "a built-in function"
    case "pi": hidden = "a built-in constant"
    case _ where Easing.named[name.text] != nil: hidden = "a built-in easing"
    case _ where Color(name: name.text) != nil: hidden = "a built-in color"
    default: return
    }
    report(
      Diagnostic(
        .shadowsBuiltIn, "'\(name.text)' shadows \(hidden)", at: name.span,
        label: "choose a different name"))
  }

  // MARK: Allowed

  /// Without what `// scenec: allow CODE` on the line silences; an `allow` that silences nothing is
  /// reported, if these are all warnings that there are.
  func allowed(_ list: [Diagnostic], isAll: Bool) -> [Diagnostic] {
    var allows: [Allow] = []
    for module in files.modules { allows += Checker.allows(in: module.parsed.tree) }
    guard !allows.isEmpty else { return list }
    var used: Set<Int> = []
    var result = list.filter { diagnostic in
      guard diagnostic.severity == .warning,
        let file = files.module(of: diagnostic.span.file)?
          .parsed.tree.file
      else { return true }
      let line = file.lineIndex(at: diagnostic.span.start)
      let match = allows.firstIndex {
        $0.span.file == file.id && $0.line == line && $0.code == diagnostic.code.rawValue
      }
      if let match { used.insert(match) }
      return match == nil
    }
    guard isAll, !list.hasErrors else { return result }
    for (index, allow) in allows.enumerated() where !used.contains(index) {
      let code = Code(rawValue: allow.code)
      if code?.needsTheMix == true { continue }
      result.append(
        Diagnostic(
          .uselessAllow,
          code != nil
            ? "this line has no warning \(allow.code) to allow"
            : "unknown code '\(allow.code)'",
          at: allow.span, label: "remove it"))
    }
    return result
  }

  /// The codes that are silenced in the line where something is written.
  func codesAllowed(at span: SourceSpan) -> Set<String> {
    guard let tree = files.module(of: span.file)?.parsed.tree else { return [] }
    let line = tree.file.lineIndex(at: span.start)
    return Set(Checker.allows(in: tree).filter { $0.line == line }.map(\.code))
  }

  private struct Allow {
    let code: String
    let line: Int
    let span: SourceSpan
  }

  private static func allows(in tree: SyntaxTree) -> [Allow] {
    tree.tokens.indices.filter { tree.tokens[$0].kind == .lineComment }.flatMap { index in
      let span = tree.span(ofToken: index)
      return AllowComment.codes(in: tree.text(ofToken: index)).map {
        Allow(code: String($0), line: tree.file.lineIndex(at: span.start), span: span)
      }
    }
  }
}

/// `// scenec: allow W0302 W0305 why it is so`: the codes end where the reason begins.
package enum AllowComment {
  /// The codes in a comment; what is not an `allow` has none. The first word is one, also when it is
  /// not known; those after it are where they look like one.
  package static func codes(in comment: String) -> [Substring] {
    let words = comment.split { $0 == " " || $0 == "," || $0 == "\r" }
    guard words.count >= 4, words[0] == "//", words[1] == "scenec:", words[2] == "allow" else {
      return []
    }
    return [words[3]] + words[4...].prefix(while: isCode)
  }

  private static func isCode(_ word: Substring) -> Bool {
    guard let first = word.first, first.isASCII, first.isLetter, word.count > 1 else {
      return false
    }
    return word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }
}
