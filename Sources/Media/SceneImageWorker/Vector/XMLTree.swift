// SPDX-License-Identifier: MIT
import CSVG

/// A mutable element of an SVG document, as parsed by libxml2.
final class XMLElement {
  enum Child {
    case element(XMLElement)
    case text(String)
    case instruction(String, String)
  }

  /// The qualified name, including the prefix.
  let name: String
  /// Whether the element is in the SVG namespace. Other elements are not drawn.
  let isSVG: Bool
  /// The line at the end of the start tag, counting from 1; 0 if unknown.
  var line = 0
  var attributes: [(name: String, value: String)] = []
  var children: [Child] = []

  init(_ name: String, isSVG: Bool) {
    self.name = name
    self.isSVG = isSVG
  }

  /// The name without the prefix.
  var local: Substring { name.split(separator: ":").last ?? "" }

  var elements: [XMLElement] {
    children.compactMap { if case .element(let it) = $0 { it } else { nil } }
  }

  /// The text of the element, without that of nested elements.
  var text: String {
    children.reduce(into: "") { if case .text(let it) = $1 { $0 += it } }
  }

  subscript(_ name: String) -> String? {
    get { attributes.first { $0.name == name }?.value }
    set {
      let index = attributes.firstIndex { $0.name == name }
      if let index { attributes.remove(at: index) }
      if let newValue { attributes.insert((name, newValue), at: index ?? attributes.count) }
    }
  }
}

/// A document: the processing instructions before the root, and the root.
struct XMLTree {
  private(set) var instructions: [(String, String)] = []
  let root: XMLElement

  private static let deepest = 500

  /// Parses a document; returns `nil` if the bytes are not well-formed XML.
  init?(_ bytes: [UInt8]) {
    guard scene_xml_read(bytes, bytes.count) == 0 else { return nil }
    var texts = XMLTree.result().split(separator: 0, omittingEmptySubsequences: false)[...]
    func next() -> String { String(decoding: texts.popFirst() ?? [], as: UTF8.self) }
    var root: XMLElement?
    var open: [XMLElement] = []
    while texts.count > 1 {
      switch next() {
      case "E":
        let element = XMLElement(next(), isSVG: next() == "1")
        element.line = Int(next()) ?? 0
        guard open.count < XMLTree.deepest else { return nil }
        open.last?.children.append(.element(element))
        if root == nil { root = element }
        open.append(element)
      case "A": open.last?.attributes.append((next(), next()))
      case "T": open.last?.children.append(.text(next()))
      case "P":
        let (target, content) = (next(), next())
        if let last = open.last {
          last.children.append(.instruction(target, content))
        } else if root == nil {
          instructions.append((target, content))
        }
      default: _ = open.popLast()
      }
    }
    guard let root else { return nil }
    self.root = root
  }

  /// Returns the result of the last C call.
  static func result() -> [UInt8] {
    var none: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: scene_svg_result(&none, 0))
    _ = scene_svg_result(&bytes, bytes.count)
    return bytes
  }

  // MARK: Writing

  var bytes: [UInt8] {
    var text = ""
    for (target, content) in instructions { text += "<?\(target) \(content)?>" }
    XMLTree.write(root, to: &text)
    return Array(text.utf8)
  }

  private static func write(_ element: XMLElement, to text: inout String) {
    text += "<" + element.name
    for (name, value) in element.attributes { text += " \(name)=\"\(escaped(value))\"" }
    text += ">"
    for child in element.children {
      switch child {
      case .element(let it): write(it, to: &text)
      case .text(let it): text += escaped(it)
      case .instruction(let target, let content): text += "<?\(target) \(content)?>"
      }
    }
    text += "</\(element.name)>"
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { "<>&\"\t\n\r".utf8.contains($0) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
