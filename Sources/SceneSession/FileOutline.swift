// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneFiles
import SceneSyntax
import SceneText

/// What a scene file declares, read off its syntax: it may be asked of a file with faults.
package struct FileOutline {
  package let parameters: Set<String>
  /// The names of its scenes, in order; a scene without a name is `scene`.
  package let scenes: [String]
  /// The scenes that no other part of the file mentions.
  package let independentScenes: [String]
  /// Whether its form has faults.
  let isFaulty: Bool

  package init(_ path: String) throws(FileFault) {
    let bytes = try SceneFile.read(path)
    let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
    let tree = parsed.tree
    isFaulty = parsed.diagnostics.contains { $0.severity == .error }
    var parameters: Set<String> = []
    var scenes: [String] = []
    for declaration in declarations(of: tree) {
      switch declaration {
      case .param(let name, _, _, _, _): parameters.insert(name.text)
      case .scene(let scene): scenes.append(scene.name?.text ?? "scene")
      default: break
      }
    }
    var mentions: [String: Int] = [:]
    for index in tree.tokens.indices where tree.tokens[index].kind == .identifier {
      mentions[tree.text(ofToken: index), default: 0] += 1
    }
    self.parameters = parameters
    self.scenes = scenes
    // The last one is what is built; another mention of a name is its use.
    independentScenes = scenes.filter { $0 == scenes.last || mentions[$0] == 1 }
  }

  /// The files that a text names as clips by plain strings, in order: what a check will ask for first.
  static func clips(of tree: SyntaxTree) -> [String] {
    let tokens = tree.tokens.indices.filter { tree.tokens[$0].kind != .whitespace }
    return zip(zip(tokens, tokens.dropFirst()), zip(tokens.dropFirst(2), tokens.dropFirst(3)))
      .compactMap { first, last in
        let (word, start, text, end) = (first.0, first.1, last.0, last.1)
        guard tree.tokens[start].kind == .stringStart, tree.tokens[text].kind == .stringText,
          tree.tokens[end].kind == .stringEnd,
          ["video", "audio"].contains(tree.text(ofToken: word))
        else { return nil }
        let path = tree.text(ofToken: text)
        return path.contains("\\") ? nil : String(path)
      }
  }
}
