// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneLint
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// Warnings, collected only for files without errors.
extension Checker {
  /// Returns the warnings about names and, if there is a model, about the drawn content.
  func warnings(_ model: SceneModel?, _ module: Module) -> [Diagnostic] {
    let found = unusedNames(in: module) + reports.all.filter { $0.severity == .warning }
    guard let model = model?.asBuilt else { return found }
    var composition = Composition(
      model, in: module.parsed.tree.file.id, metrics: metrics, referred: referredElements,
      isCancelled: options.isCancelled ?? { false })
    return composition.diagnostics() + composition.visibleJumps(of: openLoops) + found
      + warningsOfExpectations(model)
  }

  /// Returns the warnings about conditions of expectations that can be proven without drawing.
  private func warningsOfExpectations(_ model: SceneModel) -> [Diagnostic] {
    guard !model.expectations.list.isEmpty, !options.leavesExpectations else { return [] }
    var prover = Prover(
      model, metrics: metrics, budget: Prover.budgetOfCheck,
      isCancelled: options.isCancelled ?? { false })
    return prover.proofs().flatMap(\.diagnostics)
  }

  /// Returns warnings for unused names of the scene file.
  func unusedNames(in module: Module) -> [Diagnostic] {
    // A file without a scene is a library, whose names are used by other files.
    guard !module.scenes.isEmpty, let typed else { return [] }
    return typed.fileNames.unused.compactMap { number in
      let symbol = typed.fileNames.symbols[number]
      guard let what = Checker.nouns[symbol.kind], !symbol.isPrivate else { return nil }
      return Diagnostic(
        .unusedName, "unused \(what) '\(symbol.name.text)'", at: symbol.name.span,
        label: "remove it, or prefix its name with '_'")
    }
  }

  /// The noun of each kind of symbol in messages.
  private static let nouns: [FileNames.Symbol.Kind: String] = [
    .param: "param", .constant: "name", .function: "function", .component: "component",
    .style: "style", .effect: "effect", .transition: "transition",
  ]

  /// Warns about a declared name that shadows a built-in. A palette may redefine color names.
  func noteName(_ name: Name, isFunction: Bool = false, _ binding: LetBinding? = nil) {
    if let it = binding, Color(name: name.text) != nil, isColor(it) { return }
    noteShadow(name, isFunction: isFunction)
  }

  /// Returns whether the value has the syntax or the declared type of a color.
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

  /// Warns about a name that shadows a built-in. Only a function shadows a built-in function.
  func noteShadow(_ name: Name, isFunction: Bool = false) {
    let hidden: String
    switch name.text {
    case _ where ElementWord(rawValue: name.text) != nil:
      hidden = "a value of every element"
    case _ where Words.points[name.text] != nil: hidden = "a built-in point"
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

  // MARK: Allowed warnings

  /// Returns the diagnostics without the warnings that a `// scenec: allow CODE` on their line
  /// allows. If `isAll`, the list contains all warnings, and unnecessary `allow` comments are
  /// reported.
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
      if code?.needsBuild == true { continue }
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

  /// Returns the codes that are allowed on the line of a span.
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

/// A comment such as `// scenec: allow W0302 W0305 reason`. The first word that is not a code
/// begins the reason.
package enum AllowComment {
  /// Returns the codes in a comment; empty if it is not an `allow`. The first word always counts as
  /// a code, so that unknown codes are reported. Later words must have the form of a code.
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
