// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneReview
import SceneSyntax
import SceneText

// What is suspicious without being wrong. Asked for only when nothing is wrong.
extension Checker {
  /// Warnings about names and about what the built scene shows, without those that the file allows.
  func warnings(_ model: SceneModel, _ module: Module) -> [Diagnostic] {
    var composition = Composition(
      model, in: module.parsed.tree.file.id, metrics: metrics, referred: referredElements,
      isCancelled: options.isCancelled ?? { false })
    var list = composition.diagnostics() + composition.visibleJumps(of: openLoops)
    list += unusedNames(in: module)
    list += faults.all.filter { $0.severity == .warning }
    return list
  }

  private func unusedNames(in module: Module) -> [Diagnostic] {
    // A file without a scene is there for others.
    guard !module.scenes.isEmpty else { return [] }
    return declaredNames.compactMap { name, what in
      guard name.span.file == module.parsed.tree.file.id, !usedNames.contains(name.span),
        !name.text.hasPrefix("_")
      else { return nil }
      return Diagnostic(
        .unusedName, "the \(what) '\(name.text)' is not used", at: name.span,
        label: "remove it, or begin its name with '_'")
    }
  }

  /// Notes the names in what is not computed now, such as the other side of a condition: they are used
  /// all the same.
  func noteNames(in span: SourceSpan, _ scope: Scope) {
    // Once for each place: a loop comes to it in each round.
    guard notesUses, notedBranches.insert(span).inserted,
      let tree = modules.first(where: { $0.parsed.tree.file.id == span.file })?.parsed.tree
    else { return }
    let tokens = tree.tokens
    let first = tokens.partitioningIndex { Int($0.start) >= span.start }
    for index in tokens[first...].indices.prefix(while: { Int(tokens[$0].start) < span.end })
    where tokens[index].kind == .identifier {
      if let place = scope.lookup(tree.text(ofToken: index))?.0.nameSpan { usedNames.insert(place) }
    }
  }

  /// Values that nothing uses: what is wrong in them is reported all the same.
  func checkUnusedNames(_ root: Instance) {
    let used = usedNames
    notesUses = false
    defer {
      usedNames = used
      notesUses = true
      lets = [:]
    }
    for (span, it) in lets.sorted(by: { $0.key.start < $1.key.start })
    where !usedNames.contains(span) && it.binding.known.isEmpty {
      let isOfFile = it.scope.isFile
      let c = isOfFile ? fileContext() : context(of: it.scope.owner ?? root, now: now)
      let (_, faults) = self.faults.trying { value(of: it.binding, it.scope, span, c) }
      for fault in faults where !isOfFile || Checker.isSureInDeclaration(fault) {
        report(fault)
      }
    }
  }

  /// Notes a name that something should use, and warns of one that hides a built-in.
  func noteName(_ name: Name, _ what: String, _ binding: (LetBinding, Scope)? = nil) {
    declaredNames[name] = what
    if let binding, lets[name.span] == nil { lets[name.span] = binding }
    noteShadow(name, isFunction: what == "function")
  }

  /// Functions are called, so that only a function hides one.
  func noteShadow(_ name: Name, isFunction: Bool = false) {
    let hidden: String
    switch name.text {
    case _ where Checker.elementWords.contains(name.text):
      hidden = "the '\(name.text)' of every element here"
    case _ where namedPoints[name.text] != nil: hidden = "the point '\(name.text)'"
    case _ where BuiltIn.all[name.text] != nil && isFunction:
      hidden = "the function '\(name.text)'"
    case _ where Easing.named[name.text] != nil: hidden = "the easing '\(name.text)'"
    case _ where Color(name: name.text) != nil: hidden = "the colour '\(name.text)'"
    default: return
    }
    report(
      Diagnostic(
        .shadowsBuiltIn, "this name hides \(hidden)", at: name.span,
        label: "give it another name"))
  }

  // MARK: Allowed

  /// Without what `// scenec: allow CODE` on the line silences; an `allow` that silences nothing is
  /// reported.
  func allowed(_ list: [Diagnostic]) -> [Diagnostic] {
    var allows: [Allow] = []
    for module in modules { allows += Checker.allows(in: module.parsed.tree) }
    guard !allows.isEmpty else { return list }
    var used: Set<Int> = []
    var result = list.filter { diagnostic in
      guard diagnostic.severity == .warning,
        let file = modules.first(where: { $0.parsed.tree.file.id == diagnostic.span.file })?
          .parsed.tree.file
      else { return true }
      let line = file.lineIndex(at: diagnostic.span.start)
      let match = allows.firstIndex {
        $0.span.file == file.id && $0.line == line && $0.code == diagnostic.code.rawValue
      }
      if let match { used.insert(match) }
      return match == nil
    }
    guard !list.hasErrors else { return result }
    for (index, allow) in allows.enumerated() where !used.contains(index) {
      let isKnown = Code(rawValue: allow.code) != nil
      result.append(
        Diagnostic(
          .uselessAllow,
          isKnown
            ? "there is no \(allow.code) on this line to allow"
            : "there is no code '\(allow.code)'",
          at: allow.span, label: "remove it"))
    }
    return result
  }

  private struct Allow {
    let code: String
    let line: Int
    let span: SourceSpan
  }

  private static func allows(in tree: SyntaxTree) -> [Allow] {
    tree.tokens.indices.filter { tree.tokens[$0].kind == .lineComment }.flatMap { index in
      let text = tree.text(ofToken: index)
      let words = text.split { $0 == " " || $0 == "," || $0 == "\r" }
      guard words.count >= 4, words[0] == "//", words[1] == "scenec:", words[2] == "allow" else {
        return [Allow]()
      }
      let span = tree.span(ofToken: index)
      return words[3...].map {
        Allow(code: String($0), line: tree.file.lineIndex(at: span.start), span: span)
      }
    }
  }
}

extension Array {
  /// The first index whose element satisfies a predicate that all after it satisfy too.
  fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
