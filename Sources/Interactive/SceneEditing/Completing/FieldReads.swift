// SPDX-License-Identifier: MIT
import SceneCheck
import SceneSyntax
import SceneText
import SceneTypes

extension FileFacts {
  /// Returns the fields of a parameter that the file reads: in the declaration of the parameter,
  /// and in the functions of the file that receive its value.
  func fieldsRead(of parameter: Int) -> Set<String> {
    var fields: Set<String> = []
    var known: Set<Int> = [parameter]
    var open = [parameter]
    while let symbol = open.popLast() {
      for use in index.uses(of: symbol) {
        let path = tree.path(at: use.start)
        guard let place = path.lastIndex(where: { tree.nodes[$0].kind == .reference }), place > 0
        else { continue }
        let parent = path[place - 1]
        let parts = tree.children(of: parent)
        switch tree.nodes[parent].kind {
        case .member where parts.count == 2 && parts[0] == path[place]:
          fields.insert(tree.text(ofToken: Int(tree.nodes[parts[1]].firstToken)))
        case .argument where place > 1:
          if let next = self.parameter(of: path[place - 2], receiving: parent),
            known.insert(next).inserted
          {
            open.append(next)
          }
        default: break
        }
      }
    }
    return fields
  }

  /// Returns the parameter that receives an argument of a call; `nil` if the file does not declare
  /// the function.
  private func parameter(of call: Int, receiving argument: Int) -> Int? {
    let parts = tree.children(of: call)
    guard tree.nodes[call].kind == .call, let callee = parts.first,
      let place = parts.dropFirst().firstIndex(of: argument),
      case .symbol(let function)? = index.uses.first(where: {
        $0.span == tree.span(of: callee)
      })?.meaning
    else { return nil }
    let parameters = index.members(of: function).filter { index.symbols[$0].kind == .parameter }
    if let name = tree.name(ofArgument: argument) {
      return parameters.first { index.symbols[$0].name.text == name }
    }
    return parameters.indices.contains(place - 1) ? parameters[place - 1] : nil
  }
}
