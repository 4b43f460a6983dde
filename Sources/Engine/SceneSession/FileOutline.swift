// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneFiles
import SceneSyntax
import SceneText

/// The declarations of a scene file, based on syntax only. Available for files with errors, too.
package struct FileOutline {
  package let parameters: Set<String>
  /// The names of the scenes, in order. An unnamed scene is called `scene`.
  package let scenes: [String]
  /// The scenes that are not used elsewhere in the file.
  package let independentScenes: [String]
  /// Whether the file contains an `expect`.
  package let hasExpectations: Bool
  /// Whether the file has syntax errors.
  let isInvalid: Bool

  /// Reads the declarations of a file, or of `text` in its place.
  package init(_ path: String, text: [UInt8]? = nil) throws(FileError) {
    let bytes: [UInt8] = if let text { text } else { try SceneFile.read(path) }
    let parsed = parse(SourceFile(id: FileID(0), name: path, bytes: bytes))
    let tree = parsed.tree
    hasExpectations = tree.hasExpectations
    isInvalid = parsed.diagnostics.contains { $0.severity == .error }
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
    // The last scene is built by default. Any other mention of a scene's name is a use.
    independentScenes = scenes.filter { $0 == scenes.last || mentions[$0] == 1 }
  }

  /// Returns the clips that a file names by plain string literals, in order. A check will request
  /// them first.
  static func clips(of tree: SyntaxTree) -> [String] {
    let tokens = tree.tokens
    return tokens.indices.compactMap { text in
      guard tokens[text].kind == .stringText, tokens[text - 1].kind == .stringStart,
        tokens[text + 1].kind == .stringEnd,
        let word = tokens[..<(text - 1)].lastIndex(where: { $0.kind != .whitespace }),
        ["video", "audio"].contains(tree.text(ofToken: word))
      else { return nil }
      let path = tree.text(ofToken: text)
      return path.contains("\\") ? nil : path
    }
  }
}
