// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneLanguage
package import SceneSyntax
package import SceneText
import Synchronization
import SceneTypes

/// The syntax-based facts about a file: its tree, and the meaning of its names.
package final class FileFacts: Sendable {
  package let parsed: Parsed
  package let index: NameIndex

  package init(_ bytes: [UInt8], name: String) {
    parsed = parse(SourceFile(id: FileID(0), name: name, bytes: bytes))
    index = NameIndex(parsed.tree)
  }

  /// Returns the element kind that a word denotes, or `nil` if it is not a kind or a component of
  /// the file replaces it.
  package func builtInKind(_ word: String) -> ElementKind? {
    guard let kind = ElementKind(rawValue: word) else { return nil }
    let isReplaced =
      kind.mayBeReplaced
      && index.symbols.contains { $0.kind == .component && $0.name.text == word }
    return isReplaced ? nil : kind
  }

  package var source: SourceFile { parsed.tree.file }
  package var tree: SyntaxTree { parsed.tree }
}

/// All files known to an editor, with the links between their names.
///
/// Keys are absolute paths without the leading `/`, or `std/…`.
package struct Workspace: Sendable {
  package let files: [String: FileFacts]
  package let links: NameLinks
  private let kept = Kept()

  /// Results that are computed on demand.
  private final class Kept: Sendable {
    let types = Mutex<[String: ProgramTypes]>([:])
  }

  /// Creates a workspace, including the library files.
  package init(_ files: [String: FileFacts]) {
    self.files = Workspace.library.merging(files) { _, given in given }
    links = NameLinks(self.files.mapValues(\.index))
  }

  /// Returns the types of a file and its imports, which are computed once.
  func types(of file: String) -> ProgramTypes {
    if let known = kept.types.withLock({ $0[file] }) { return known }
    let made = ProgramTypes(of: file) { files[$0]?.tree }
    kept.types.withLock { $0[file] = made }
    return made
  }

  /// Returns the workspace with a file replaced.
  func replacing(_ file: String, _ facts: FileFacts) -> Workspace {
    var changed = files
    changed[file] = facts
    return Workspace(changed)
  }

  package static let library: [String: FileFacts] = Dictionary(
    uniqueKeysWithValues: StandardFiles.all.map {
      ("std/\($0.path)", FileFacts($0.bytes, name: "std/\($0.path)"))
    })

  /// Returns the symbol named at an offset, and the span of the name; `nil` if no known name is
  /// there.
  package func symbol(at offset: Int, in file: String) -> (
    target: NameLinks.Target, name: SourceSpan
  )? {
    guard let facts = files[file] else { return nil }
    func holds(_ span: SourceSpan) -> Bool { span.start <= offset && offset <= span.end }
    if let use = facts.index.uses.first(where: { holds($0.span) && $0.span.end > offset })
      ?? facts.index.uses.first(where: { holds($0.span) }),
      let target = links.target(of: use, in: file)
    {
      return (target, use.span)
    }
    guard let declared = facts.index.symbols.firstIndex(where: { holds($0.name.span) }) else {
      return nil
    }
    return (NameLinks.Target(file: file, symbol: declared), facts.index.symbols[declared].name.span)
  }

  package func declared(_ target: NameLinks.Target) -> NameIndex.Symbol? {
    guard let index = files[target.file]?.index, index.symbols.indices.contains(target.symbol)
    else { return nil }
    return index.symbols[target.symbol]
  }
}
