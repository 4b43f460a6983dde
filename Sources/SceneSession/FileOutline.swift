// SPDX-License-Identifier: MIT
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

  package init(_ path: String) throws(FileFault) {
    let bytes = try SceneFile.read(path)
    let tree = parse(SourceFile(id: FileID(0), name: path, bytes: bytes)).tree
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
}
