// SPDX-License-Identifier: MIT
package import SceneCheck
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A path that is written in a file, with the file that it means.
package struct FileLink: Hashable, Sendable {
  package let range: Range<Int>
  /// As it is written.
  package let path: String
}

extension FileFacts {
  /// The files that imports and elements read.
  package var fileLinks: [FileLink] {
    let readers: Set<String> = ["image", "video", "audio", "captions", "import"]
    var links: [FileLink] = []
    for node in tree.nodes.indices {
      let kind = tree.nodes[node].kind
      guard kind == .element || kind == .importDecl, let word = words(atHeadOf: node).first,
        readers.contains(word.text),
        let string = tree.children(of: node).first(where: { tree.nodes[$0].kind == .string })
      else { continue }
      let span = tree.span(of: string)
      let text = source.text(span)
      let path = String(text.dropFirst().dropLast())
      guard text.count > 2, !path.contains("{"), !path.contains("\\"), !path.contains("\n") else {
        continue
      }
      links.append(FileLink(range: span.start + 1..<span.end - 1, path: path))
    }
    return links
  }
}

/// A few words that an editor shows in the text.
package struct InlayHint: Hashable, Sendable {
  package let offset: Int
  package let text: String
}

extension FileFacts {
  /// The lives of elements that do not say them by themselves: those in sequences, and those whose
  /// times are computed.
  package func hints(_ record: SceneRecord) -> [InlayHint] {
    var hints: [Int: (text: String, count: Int)] = [:]
    for element in record.elements.dropFirst() {
      guard element.head.file == FileID(0), element.head.end <= source.bytes.count,
        !element.isTransition,
        let start = element.start, let end = element.end, isComputed(element, record)
      else { continue }
      let text = "\(start.description) – \(end.description)"
      let count = (hints[element.head.end]?.count ?? 0) + 1
      hints[element.head.end] = (hints[element.head.end]?.text ?? text, count)
    }
    return hints.sorted { $0.key < $1.key }.map { offset, hint in
      InlayHint(
        offset: offset,
        text: hint.count == 1 ? hint.text : "\(hint.text) and \(hint.count - 1) more")
    }
  }

  private func isComputed(_ element: SceneRecord.Element, _ record: SceneRecord) -> Bool {
    if let parent = element.parent, record.elements[parent].kind == "sequence" { return true }
    return element.properties.contains { property in
      guard [.at, .for].contains(property.property), property.origin == .body else { return false }
      let token = tree.token(at: property.value.start)
      let range = tree.range(ofToken: token)
      return tree.tokens[token].kind != .number || range.upperBound != property.value.end
    }
  }
}
