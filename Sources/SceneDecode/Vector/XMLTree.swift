// SPDX-License-Identifier: MIT
import CSVG

/// An element of an SVG as libxml2 read it, which can be changed and written again.
final class XMLElement {
  enum Child {
    case element(XMLElement)
    case text(String)
    case instruction(String, String)
  }

  /// As it is written, with its prefix.
  let name: String
  /// Whether it is an element of SVG; others are not drawn.
  let isSVG: Bool
  /// Where its start tag ends, from 1; 0 where that is not known.
  var line = 0
  var attributes: [(name: String, value: String)] = []
  var children: [Child] = []

  init(_ name: String, isSVG: Bool) {
    self.name = name
    self.isSVG = isSVG
  }

  /// Without the prefix.
  var local: Substring { name.split(separator: ":").last ?? "" }

  var elements: [XMLElement] {
    children.compactMap { if case .element(let it) = $0 { it } else { nil } }
  }

  /// All text in it, that of elements in it apart.
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

/// A document: what is before its root, and the root.
struct XMLTree {
  private(set) var instructions: [(String, String)] = []
  let root: XMLElement

  private static let deepest = 500

  /// `nil` for what is not XML.
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

  /// What the last call of C found.
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
