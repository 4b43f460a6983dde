// SPDX-License-Identifier: MIT
import SceneSyntax
package import SceneText
import SceneTypes

/// The names of all files of a program, resolved across files.
package struct NameLinks: Sendable {
  /// A symbol of one of the files.
  package struct Target: Hashable, Sendable {
    /// The path of the file in the program, or `std/…`.
    package let file: String
    package let symbol: Int

    package init(file: String, symbol: Int) {
      self.file = file
      self.symbol = symbol
    }
  }

  private let files: [String: NameIndex]

  /// Creates links from indexes by their paths in the program. The prelude is included
  /// automatically. Missing imports have no names.
  package init(_ files: [String: NameIndex]) {
    self.files = preludeIndexes.merging(files) { _, given in given }
  }

  /// Returns the target of a use in any file, or `nil` for a built-in or unknown name.
  package func target(of use: NameIndex.Use, in file: String) -> Target? {
    isWord(use, in: file) ? nil : target(of: use.meaning, use.name, in: file)
  }

  /// Returns whether a name is a word of the parameter that receives the value.
  private func isWord(_ use: NameIndex.Use, in file: String) -> Bool {
    guard let parameter = use.parameter, let callee = files[file]?.use(at: parameter.callee),
      let definition = target(of: callee, in: file), let index = files[definition.file]
    else { return false }
    return index.words(ofParameter: parameter.place, of: definition.symbol).contains(use.name)
  }

  private func target(of meaning: NameIndex.Meaning, _ name: String, in file: String) -> Target? {
    switch meaning {
    case .symbol(let symbol): return Target(file: file, symbol: symbol)
    case .builtIn: return nil
    case .imported(let symbol):
      guard let path = files[file]?.imports.first(where: { $0.symbol == symbol })?.path else {
        return nil
      }
      return publicName(name, of: ModuleGraph.path(of: path, importedBy: file))
    case .free(let kind):
      let imported = (files[file]?.imports ?? []).filter { $0.symbol == nil }
        .map { ModuleGraph.path(of: $0.path, importedBy: file) }
      let target = (imported + preludeIndexes.keys.sorted()).lazy
        .compactMap { publicName(name, of: $0, only: kind) }.first
      // The name denotes a built-in function, unless an effect or transition is expected.
      if kind == nil, BuiltIn.all[name] != nil,
        let it = target, let found = files[it.file]?.symbols[it.symbol].kind,
        [.effect, .transition].contains(found)
      {
        return nil
      }
      return target
    case .parameter(let span):
      guard let index = files[file], let callee = index.use(at: span),
        let definition = target(of: callee, in: file),
        let parameter = files[definition.file]?.parameter(name, of: definition.symbol)
      else { return nil }
      return Target(file: definition.file, symbol: parameter)
    }
  }

  /// Returns the path of an imported file in the program.
  package func path(of text: String, importedBy file: String) -> String {
    ModuleGraph.path(of: text, importedBy: file)
  }

  /// Returns the uses of a symbol in all files, by path.
  package func uses(of target: Target) -> [String: [SourceSpan]] {
    guard let symbol = files[target.file]?.symbols[target.symbol] else { return [:] }
    var found: [String: [SourceSpan]] = [:]
    for (path, index) in files {
      let spans = index.uses.filter {
        $0.name == symbol.name.text && self.target(of: $0, in: path) == target
      }
      if !spans.isEmpty { found[path] = spans.map(\.span) }
    }
    return found
  }

  /// Returns a public top-level symbol of a file, or `nil`.
  private func publicName(
    _ name: String, of file: String, only kind: NameIndex.Symbol.Kind? = nil
  ) -> Target? {
    guard let index = files[file], let symbol = index.topLevel(name) else { return nil }
    let it = index.symbols[symbol]
    guard !it.isPrivate, it.kind != .file, kind == nil || kind == it.kind else { return nil }
    return Target(file: file, symbol: symbol)
  }
}
