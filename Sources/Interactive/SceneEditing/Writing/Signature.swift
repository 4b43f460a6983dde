// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

/// The signature of a function, component or effect.
package struct Signature: Hashable, Sendable {
  /// A parameter of a signature.
  package struct Parameter: Hashable, Sendable {
    package let name: String
    package let type: String
    package let isMany: Bool

    /// The name without the marks for optional and variadic parameters.
    var word: String { name.filter { $0 != "?" && $0 != "…" } }

    package var text: String { type.isEmpty ? name : "\(name): \(type)" }
  }

  package let name: String
  package let parameters: [Parameter]
  package let result: String
  package let documentation: String
  /// Whether this is a path segment, which is written without parentheses.
  package var isStep = false
  /// Whether the parentheses are omitted if there are no parameters.
  package var isDefinition = false

  package var text: String {
    let list = parameters.map(\.text).joined(separator: ", ")
    if isStep { return "\(name) \(list)" }
    if isDefinition, list.isEmpty { return name }
    return "\(name)(\(list))" + (result.isEmpty ? "" : " -> \(result)")
  }
}

extension Signature {
  /// Returns the index of the parameter that an argument belongs to, or the last one.
  func active(in argument: Cursor.Argument) -> Int {
    let named = argument.name.flatMap { name in parameters.firstIndex { $0.word == name } }
    return named ?? max(0, min(argument.index, parameters.count - 1))
  }

  func parameter(of argument: Cursor.Argument) -> Parameter? {
    parameters.isEmpty ? nil : parameters[active(in: argument)]
  }

  /// The signatures of path segments.
  static let steps: [String: Signature] = Dictionary(
    uniqueKeysWithValues: [
      ("move", ["p"]), ("line", ["p"]), ("curve", ["c1", "c2", "p"]), ("smooth", ["c", "p"]),
      ("quad", ["c", "p"]), ("arc", ["radii", "p", "rotation?", "large?", "sweep?"]),
      ("through", ["p…"]),
    ].map { word, names in
      let types = ["radii": "size", "rotation?": "angle", "large?": "bool", "sweep?": "bool"]
      let step = Signature(
        name: word,
        parameters: names.map {
          Parameter(name: $0, type: types[$0] ?? "point", isMany: $0.hasSuffix("…"))
        }, result: "", documentation: Snippet.segments.first { $0.word == word }?.summary ?? "",
        isStep: true)
      return (word, step)
    })
}

extension Workspace {
  /// Returns the signature of a callable name.
  func signature(of name: String, _ offset: Int, _ file: String) -> Signature? {
    guard let index = files[file]?.index else { return nil }
    let own = index.visible(at: offset).first { index.symbols[$0].name.text == name }
      .map { NameLinks.Target(file: file, symbol: $0) }
    // Uses the last reference before the offset.
    let use =
      index.uses.last { $0.name == name && $0.span.start <= offset }
      ?? index.uses.first { $0.name == name }
    let used = use.flatMap { links.target(of: $0, in: file) }
    if let target = own ?? used, let facts = files[target.file], let symbol = declared(target),
      [.function, .component, .effect, .transition, .style].contains(symbol.kind)
    {
      let parameters = facts.index.parameters(of: target.symbol).map {
        Signature.Parameter(
          name: facts.index.symbols[$0].name.text, type: facts.index.type(of: $0) ?? "",
          isMany: false)
      }
      return Signature(
        name: name, parameters: parameters,
        result: symbol.kind == .function ? facts.index.type(of: target.symbol) ?? "" : "",
        documentation: facts.index.documentation(of: target.symbol),
        isDefinition: symbol.kind != .function)
    }
    guard let function = BuiltIn.all[name] else { return nil }
    return Signature(
      name: name,
      parameters: function.parameters.map {
        Signature.Parameter(
          name: $0.name + ($0.isMany ? "…" : $0.isOptional ? "?" : ""), type: $0.type.rawValue,
          isMany: $0.isMany)
      }, result: function.result.rawValue, documentation: function.summary)
  }

  /// Returns the signature of the call or path segment around an offset, and the index of the
  /// active parameter.
  package func call(at offset: Int, in file: String) -> (signature: Signature, active: Int)? {
    guard let facts = files[file] else { return nil }
    guard let it = Site.argument(facts, at: offset),
      let signature = signature(of: it.function, offset, file)
    else {
      guard let (word, index) = Site.step(facts, at: offset), let step = Signature.steps[word]
      else { return nil }
      return (step, min(index, step.parameters.count - 1))
    }
    return (signature, signature.active(in: it))
  }
}
