// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneMath
import SceneSyntax
import SceneText
import SceneTypes

// Hover texts of words that are not symbols of the scene.
extension Workspace {
  /// The maximum number of listed names.
  private static let greatestList = 12

  /// Returns a list of the names that an imported file declares.
  func names(of link: FileLink, in file: String) -> String? {
    guard let other = files[links.path(of: link.path, importedBy: file)] else { return nil }
    let names = other.index.members(of: nil).map { other.index.symbols[$0] }
      .filter { !$0.isPrivate && $0.kind != .file }.map { "`\($0.name.text)`" }
    let more = names.count - Workspace.greatestList
    return "declares " + names.prefix(Workspace.greatestList).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// Returns the hover text of a formula command: its character. Returns `nil` for other commands.
  func command(at offset: Int, _ facts: FileFacts) -> HoverText? {
    guard let range = facts.command(at: offset) ?? facts.command(at: offset + 1) else { return nil }
    let name = facts.source.text(facts.source.span(range.lowerBound, range.upperBound))
    let sign = Formula.sign(of: String(name.dropFirst()))
    return sign.isEmpty ? nil : HoverText(range: range, text: "`\(name)` is \(sign)")
  }

  /// Returns the parameter of a built-in function that an argument name refers to.
  func argument(at offset: Int, _ path: [Int], _ facts: FileFacts) -> String? {
    guard let argument = path.last(where: { facts.tree.nodes[$0].kind == .argument }),
      let name = facts.tree.children(of: argument).first, facts.tree.nodes[name].kind == .name,
      offset < facts.tree.span(of: name).end,
      let call = path.last(where: { facts.tree.nodes[$0].kind == .call }),
      let function = BuiltIn.all[facts.tree.text(ofToken: Int(facts.tree.nodes[call].firstToken))],
      let parameter = function.parameters.first(where: {
        $0.name == facts.source.text(facts.tree.span(of: name))
      })
    else { return nil }
    return Workspace.code("\(parameter.name): \(parameter.type.rawValue)")
      + (page("function", function.name) ?? function.summary)
  }

  /// Returns the parameter or property that accepts a word as one of its choices.
  func choice(at offset: Int, path: [Int], word: Range<Int>, in file: String) -> String? {
    guard let facts = files[file],
      facts.tree.tokens[facts.tree.token(at: offset)].kind == .identifier
    else { return nil }
    if let (signature, active) = call(at: word.lowerBound, in: file),
      signature.parameters.indices.contains(active), signature.parameters[active].type.contains("|")
    {
      return Workspace.code(signature.parameters[active].text)
    }
    for node in path.reversed() {
      let words = facts.words(atHeadOf: node)
      switch facts.tree.nodes[node].kind {
      case .property:
        let owner = path.last { facts.tree.nodes[$0].kind == .element }
          .flatMap { facts.words(atHeadOf: $0).first }.flatMap { ElementKind(rawValue: $0.text) }
        return words.first.flatMap { page("property", $0.text, of: owner) }
      case .paramDecl:
        return Workspace.code(facts.source.text(facts.tree.span(of: node)).trimmingBlanks)
      case .element:
        return words.first?.text == ElementKind.each.rawValue
          && words.dropFirst().first?.range == word
          ? page("element", ElementKind.each.rawValue) : nil
      default: continue
      }
    }
    return nil
  }
}
