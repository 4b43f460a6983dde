// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneSyntax
import SceneText
import SceneTypes

// Definitions of names, and references to them.

/// A byte range in a file.
package struct Place: Hashable, Sendable {
  package let file: String
  package let range: Range<Int>

  package init(_ file: String, _ range: Range<Int>) {
    self.file = file
    self.range = range
  }
}

/// The reason why a name cannot be changed, in one sentence.
package struct RenameError: Error, Hashable, Sendable {
  package let reason: String
}

extension Workspace {
  /// Returns the declaration of the name at an offset.
  package func definition(at offset: Int, in file: String) -> Place? {
    guard let found = symbol(at: offset, in: file), let symbol = declared(found.target) else {
      return nil
    }
    let span = symbol.name.span
    return Place(found.target.file, span.start..<span.end)
  }

  /// Returns the definition that an element uses: the component or scene that its kind names. Also
  /// accepts the name of an element.
  package func typeDefinition(at offset: Int, in file: String) -> Place? {
    guard let facts = files[file] else { return nil }
    let path = facts.tree.path(at: offset)
    var element = path.last { facts.tree.nodes[$0].kind == .element }
    if let found = symbol(at: offset, in: file), let symbol = declared(found.target) {
      guard symbol.kind == .element, let home = files[found.target.file] else {
        return definition(at: offset, in: file)
      }
      let start = symbol.name.span.start
      element = home.tree.path(at: start).last { home.tree.nodes[$0].kind == .element }
      return element.flatMap { home.words(atHeadOf: $0).first }
        .flatMap { definition(at: $0.range.lowerBound, in: found.target.file) }
    }
    return element.flatMap { facts.words(atHeadOf: $0).first }
      .flatMap { definition(at: $0.range.lowerBound, in: file) }
  }

  /// Returns all references to the name at an offset, starting with the declaration.
  package func references(at offset: Int, in file: String, withDeclaration: Bool = true) -> [Place]
  {
    guard let found = symbol(at: offset, in: file) else { return [] }
    return references(of: found.target, withDeclaration: withDeclaration)
  }

  func references(of target: NameLinks.Target, withDeclaration: Bool = true) -> [Place] {
    guard let symbol = declared(target) else { return [] }
    let own = Place(target.file, symbol.name.span.start..<symbol.name.span.end)
    let uses = links.uses(of: target).sorted { $0.key < $1.key }
      .flatMap { path, spans in spans.map { Place(path, $0.start..<$0.end) } }
    return (withDeclaration ? [own] : []) + uses.filter { $0 != own }
  }

  /// Returns the range of the name at an offset if the name can be changed.
  package func renamable(at offset: Int, in file: String) throws(RenameError) -> Range<Int> {
    guard let found = symbol(at: offset, in: file) else {
      throw RenameError(reason: "keywords and built-in names cannot be renamed")
    }
    if found.target.file.hasPrefix("std/") {
      throw RenameError(reason: "names of the library cannot be renamed")
    }
    for file in Set(references(of: found.target).map(\.file)) {
      guard let facts = files[file], facts.parsed.diagnostics.hasErrors else { continue }
      throw RenameError(
        reason: "'\(facts.source.name)' has syntax errors; some uses of the name may be unknown")
    }
    return found.name.start..<found.name.end
  }

  /// Returns the edits of each file that rename the symbol at an offset.
  ///
  /// The edits are verified: if they would change the meaning of any name, the rename fails.
  package func rename(at offset: Int, in file: String, to name: String) throws(RenameError)
    -> [String: [TextEdit]]
  {
    _ = try renamable(at: offset, in: file)
    guard let found = symbol(at: offset, in: file), let symbol = declared(found.target) else {
      throw RenameError(reason: "no name found here")
    }
    guard Workspace.isName(name) else {
      throw RenameError(
        reason:
          "'\(name)' is not a valid name: expected letters, digits and '-', starting with a letter")
    }
    if symbol.name.text == name { return [:] }
    let places = references(of: found.target)
    var edits: [String: [TextEdit]] = [:]
    for place in places { edits[place.file, default: []].append(TextEdit(place.range, name)) }
    try verify(edits, found.target)
    return edits
  }

  static func isName(_ text: String) -> Bool {
    let file = parse(SourceFile(name: "", text: text)).tree
    let words = file.tokens.filter { $0.kind != .endOfFile && $0.kind != .newline }
    return words.count == 1 && words[0].kind == .identifier
  }

  /// Throws if the edits change the meaning of a name.
  private func verify(_ edits: [String: [TextEdit]], _ target: NameLinks.Target) throws(RenameError)
  {
    var changed = files
    for (path, list) in edits {
      guard let facts = files[path] else { continue }
      changed[path] = FileFacts(list.applied(to: facts.source.bytes), name: facts.source.name)
    }
    let after = Workspace(changed)
    for (path, facts) in files where !path.hasPrefix("std/") {
      guard let other = after.files[path], facts.index.uses.count == other.index.uses.count else {
        throw RenameError(reason: "the new name would change how '\(facts.source.name)' is parsed")
      }
      for (old, new) in zip(facts.index.uses, other.index.uses)
      where links.target(of: old, in: path) != after.links.target(of: new, in: path) {
        let line = facts.source.position(at: old.span.start).line
        throw RenameError(
          reason:
            "'\(old.name)' in line \(line) of '\(facts.source.name)' would refer to a different declaration"
        )
      }
    }
  }
}
