// SPDX-License-Identifier: MIT
import SceneModel

/// The decomposition of an SVG into groups, and layers that librsvg renders one by one. Effects on
/// elements as a whole, such as clip paths and filters, keep their elements in one layer.
struct VectorPlan {
  struct Entry {
    let element: XMLElement
    /// The id in the file, if it is unique.
    let id: String?
    let parent: Int
    var end: Int
    let layer: Int
    let opacity: Double
  }

  private(set) var entries: [Entry] = []
  private(set) var hidden: [String: String] = [:]
  private(set) var idle: [String] = []
  private let tree: XMLTree
  private let rules: VectorStyleRules
  private var taken: Set<String> = []
  private var layerIDs: [String] = []

  static let mostLayers = 20_000
  private static let leaves: Set<Substring> = [
    "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image", "use",
    "svg",
    "switch",
  ]
  private static let animations: Set<Substring> = [
    "animate", "animateTransform", "animateMotion", "animateColor", "set",
  ]

  init(_ bytes: [UInt8]) throws(AssetError) {
    guard let tree = XMLTree(bytes) else { throw .undecodable("the SVG is incomplete") }
    self.tree = tree
    rules = VectorStyleRules(tree)
    var (animated, scripted) = (false, false)
    VectorPlan.visit(tree.root) { element in
      if VectorPlan.animations.contains(element.local) { animated = true }
      if element.local == "script"
        || element.attributes.contains(where: { $0.name.hasPrefix("on") })
      {
        scripted = true
      }
    }
    if animated { idle.append("animations") }
    if scripted { idle.append("scripts") }
    try add(tree.root, parent: -1, isRoot: true)
  }

  private static func visit(_ element: XMLElement, _ use: (XMLElement) -> Void) {
    use(element)
    for child in element.elements { visit(child, use) }
  }

  // MARK: Parts

  private mutating func add(_ element: XMLElement, parent: Int, isRoot: Bool = false)
    throws(AssetError)
  {
    guard element.isSVG else { return }
    let isGroup = isRoot || element.local == "g" || element.local == "a"
    guard isGroup || VectorPlan.leaves.contains(element.local) else {
      return hide(element, "it is not drawn")
    }
    let id = ownID(of: element)
    let opacity = VectorPlan.takeOpacity(of: element)
    let effect = isRoot && rules.blends(tree.root) ? "mix-blend-mode" : rules.effect(on: element)
    let index = entries.count
    let isLayer = !isGroup || effect != nil
    if isLayer {
      guard layerIDs.count < VectorPlan.mostLayers else {
        throw .tooLarge("it exceeds the limit of \(VectorPlan.mostLayers) elements")
      }
      layerIDs.append(layerID(of: element, id))
    }
    entries.append(
      Entry(
        element: element, id: id, parent: parent, end: index + 1,
        layer: isLayer ? layerIDs.count - 1 : -1, opacity: opacity))
    for child in element.elements {
      if isLayer {
        let whole = id.map { "'\($0)'" } ?? "something"
        hide(
          child,
          isGroup
            ? "it is inside \(whole), which has '\(effect ?? "")' and is drawn as a whole"
            : "it is inside \(whole), which is drawn as a whole")
      } else {
        try add(child, parent: index)
      }
    }
    entries[index].end = entries.count
  }

  private mutating func hide(_ element: XMLElement, _ why: String) {
    VectorPlan.visit(element) { element in
      if let id = element["id"], !taken.contains(id), hidden.count < 1000 { hidden[id] = why }
    }
  }

  /// Returns the id of an element if no earlier element has the same one.
  private mutating func ownID(of element: XMLElement) -> String? {
    guard let id = element["id"], !id.isEmpty, taken.insert(id).inserted else { return nil }
    hidden[id] = nil
    return id
  }

  /// Returns the identifier of an element for librsvg. Adds an id if it has none.
  private func layerID(of element: XMLElement, _ id: String?) -> String {
    if let id, !id.contains(where: \.isWhitespace) { return "#" + id }
    let own = "scenec-layer-\(layerIDs.count)"
    element["id"] = own
    return "#" + own
  }

  /// Removes a plain opacity from an element and returns it, to be applied when the element is
  /// drawn.
  private static func takeOpacity(of element: XMLElement) -> Double {
    var style = VectorStyleRules.declarations(element["style"] ?? "")
    let given = style.last { $0.name == "opacity" }?.value ?? element["opacity"]
    guard let given, let opacity = Double(given), opacity.isFinite else { return 1 }
    style.removeAll { $0.name == "opacity" }
    element["opacity"] = nil
    if element["style"] != nil {
      element["style"] = style.map { "\($0.name):\($0.value)" }.joined(separator: ";")
    }
    return max(0, min(1, opacity))
  }

  // MARK: Layers

  /// Returns the SVG with an id for every layer, and the ids of some layers.
  func layers(_ range: Range<Int>) throws(AssetError) -> (bytes: [UInt8], ids: String) {
    guard range.upperBound <= layerIDs.count else { throw .undecodable("the file has changed") }
    return (tree.bytes, layerIDs[range].joined(separator: " "))
  }

  var bytes: [UInt8] { tree.bytes }

  func layerID(_ index: Int) -> String { layerIDs[index] }
}

/// The rules of an SVG's style sheets that affect how it can be decomposed.
struct VectorStyleRules {
  /// The selectors of rules that affect elements as a whole, as sets of words, each with the
  /// property.
  private var rules: [(words: Set<String>, effect: String)] = []
  private var mentionsBlending = false

  private static let effects = ["clip-path", "mask", "filter", "mix-blend-mode", "isolation"]

  init(_ tree: XMLTree) {
    // External style sheets are not read and may contain any rule.
    if tree.instructions.contains(where: { $0.0 == "xml-stylesheet" }) {
      rules.append((["*"], "a style sheet"))
    }
    add(tree.root)
  }

  private mutating func add(_ element: XMLElement) {
    if element.local == "style" { read(element.text) }
    for child in element.elements { add(child) }
  }

  private mutating func read(_ sheet: String) {
    var text = sheet[...]
    var plain = ""
    while let open = text.firstRange(of: "/*") {
      plain += text[..<open.lowerBound]
      text = text[open.upperBound...]
      text = text.firstRange(of: "*/").map { text[$0.upperBound...] } ?? ""
    }
    plain += text
    for rule in plain.split(separator: "}") {
      let parts = rule.split(separator: "{")
      guard parts.count > 1, let body = parts.last else { continue }
      let names = VectorStyleRules.declarations(String(body))
      guard
        let effect = names.first(where: {
          $0.name == "opacity" || VectorStyleRules.effects.contains($0.name)
        })
      else { continue }
      if names.contains(where: { $0.name == "mix-blend-mode" && $0.value != "normal" }) {
        mentionsBlending = true
      }
      let selector = parts.dropLast().joined(separator: " ")
      var words: Set<String> = []
      var word = ""
      for character in selector + " " {
        if character.isLetter || character.isNumber || "-_*".contains(character) {
          word.append(character)
        } else {
          words.insert(word)
          word = character == "." || character == "#" ? String(character) : ""
        }
      }
      rules.append((words, effect.name))
    }
  }

  /// Parses the declarations of a `style` attribute. Names are converted to lower case.
  static func declarations(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: ";").compactMap { part in
      guard let colon = part.firstIndex(of: ":") else { return nil }
      func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
      }
      let name = trimmed(part[..<colon])
      return name.isEmpty ? nil : (name.lowercased(), trimmed(part[part.index(after: colon)...]))
    }
  }

  /// Returns the property that affects an element and its content as a whole, if any.
  func effect(on element: XMLElement) -> String? {
    let style = VectorStyleRules.declarations(element["style"] ?? "")
    func isSet(_ value: String) -> Bool { value != "none" && value != "normal" && value != "auto" }
    for name in VectorStyleRules.effects + ["opacity"] {
      if let value = element[name], isSet(value) { return name }
      if style.contains(where: { $0.name == name && isSet($0.value) }) { return name }
    }
    let classes = (element["class"] ?? "").split(whereSeparator: \.isWhitespace)
    let words =
      ["*", String(element.local), "#" + (element["id"] ?? "")] + classes.map { "." + $0 }
    return rules.first { rule in words.contains { rule.words.contains($0) } }?.effect
  }

  /// Returns whether anything is blended with its backdrop, which requires drawing the document as
  /// a whole.
  func blends(_ element: XMLElement) -> Bool {
    if mentionsBlending { return true }
    let style = VectorStyleRules.declarations(element["style"] ?? "")
    let value = style.last { $0.name == "mix-blend-mode" }?.value ?? element["mix-blend-mode"]
    return value.map { $0 != "normal" } ?? false || element.elements.contains(where: blends)
  }
}
