// SPDX-License-Identifier: MIT
import SceneSyntax
import SceneText

/// A file path in the source.
package struct FileLink: Hashable, Sendable {
  package let range: Range<Int>
  /// The path as written.
  package let path: String
}

extension FileFacts {
  private static let readers: Set<String> = [
    "image", "svg", "video", "audio", "captions", "import",
  ]
  private static let functions: Set<String> = ["brush", "data", "lut", "pattern"]
  private static let fontEndings = ["ttf", "otf", "ttc", "woff", "woff2"]

  /// The paths in imports, elements, properties and function calls.
  package var fileLinks: [FileLink] {
    tree.nodes.indices.filter { tree.nodes[$0].kind == .string }.compactMap { node in
      let span = tree.span(of: node)
      let text = source.text(span)
      let path = String(text.dropFirst().dropLast())
      guard text.count > 2, text.first == "\"", text.last == "\"", !path.contains("{"),
        !path.contains("\\"), !path.contains("\n"), !path.hasPrefix("\""), names(node, path)
      else { return nil }
      return FileLink(range: span.start + 1..<span.end - 1, path: path)
    }
  }

  /// Returns whether a string is a file path.
  private func names(_ string: Int, _ path: String) -> Bool {
    let around = tree.path(at: tree.span(of: string).start + 1).dropLast().reversed()
    for node in around {
      switch tree.nodes[node].kind {
      case .importDecl: return true
      case .element:
        return words(atHeadOf: node).first.map { FileFacts.readers.contains($0.text) } == true
      case .call:
        let name = tree.text(ofToken: Int(tree.nodes[node].firstToken))
        return FileFacts.functions.contains(name)
      case .property:
        let name = words(atHeadOf: node).first?.text
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return name == "source" || (name == "font" && FileFacts.fontEndings.contains(ending))
      case .argument, .list, .paren: continue
      default: return false
      }
    }
    return false
  }
}
