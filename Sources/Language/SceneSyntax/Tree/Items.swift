// SPDX-License-Identifier: MIT
package import SceneText

/// An item of a body.
package enum Item: Sendable {
  case property(PropertySyntax)
  case element(ElementSyntax)
  case letDecl(LetSyntax)
  case forItem(ForSyntax)
  case ifItem(IfSyntax)
  case segment(SegmentSyntax)
  /// A condition of an `expect`.
  case expectation(Expression)
}

/// `name: value`.
package struct PropertySyntax: Sendable {
  package let name: Name
  package let value: Expression
}

/// `kind [name] ["subject"] [{ body }]`.
package final class ElementSyntax: Sendable {
  /// The possibly qualified kind: `[rect]`, or `[f, Logo]` for `f.Logo`.
  package let kind: [Name]
  package let name: Name?
  /// The target of a `change`, if it is not the enclosing element.
  package let target: Expression?
  package let subject: Expression?
  package let items: [Item]
  package let span: SourceSpan
  /// The span of the items, up to the `}` or the next token.
  package let body: SourceSpan?
  /// The kind in source syntax.
  package let kindText: String

  package init(
    kind: [Name], name: Name?, target: Expression? = nil, subject: Expression?, items: [Item],
    span: SourceSpan, body: SourceSpan? = nil
  ) {
    self.body = body
    self.kind = kind
    self.target = target
    kindText = kind.count == 1 ? kind[0].text : kind.map(\.text).joined(separator: ".")
    self.name = name
    self.subject = subject
    self.items = items
    self.span = span
  }

  /// A placeholder where an element is required but missing in the source.
  package static let empty = ElementSyntax(
    kind: [], name: nil, subject: nil, items: [],
    span: SourceSpan(file: FileID(0), start: 0, end: 0))

  /// The span of the kind and the name, without the body; used for labels in messages.
  package var headSpan: SourceSpan {
    (kind.first?.span ?? span)
      .union(target?.span ?? name?.span ?? kind.last?.span ?? span)
  }
}

/// `let name: type = value`.
package final class LetSyntax: Sendable {
  package let name: Name
  package let type: TypeSyntax?
  package let value: Expression

  init(name: Name, type: TypeSyntax?, value: Expression) {
    self.name = name
    self.type = type
    self.value = value
  }
}

/// `for variable, index in list { … }`.
package final class ForSyntax: Sendable {
  package let variable: Name
  package let index: Name?
  package let list: Expression
  package let items: [Item]
  package let body: SourceSpan?

  init(variable: Name, index: Name?, list: Expression, items: [Item], body: SourceSpan?) {
    self.body = body
    self.variable = variable
    self.index = index
    self.list = list
    self.items = items
  }
}

/// `if condition { … } else { … }`.
package final class IfSyntax: Sendable {
  package let condition: Expression
  package let items: [Item]
  package let otherwise: [Item]
  /// The spans of the items of both branches.
  package let bodies: [SourceSpan]

  init(condition: Expression, items: [Item], otherwise: [Item], bodies: [SourceSpan]) {
    self.bodies = bodies
    self.condition = condition
    self.items = items
    self.otherwise = otherwise
  }
}

/// A segment of a path, such as `line by (10, 20)`.
package struct SegmentSyntax: Sendable {
  package let word: Name
  package let isRelative: Bool
  package let arguments: [Argument]
  package let span: SourceSpan
}

/// `name`, `list<type>`, `word | word` or `fn(type) -> type`.
package final class TypeSyntax: Sendable {
  package let names: [Name]
  /// The element type of a list, or the result type of a function.
  package let element: TypeSyntax?
  /// The parameter types of a function; `nil` for all other types.
  package let parameters: [TypeSyntax]?
  package let span: SourceSpan

  package var isFunction: Bool { parameters != nil }

  init(
    names: [Name], element: TypeSyntax?, parameters: [TypeSyntax]? = nil, span: SourceSpan
  ) {
    self.names = names
    self.element = element
    self.parameters = parameters
    self.span = span
  }
}

/// `name: type = value`: a parameter of a function or definition.
package struct ParameterSyntax: Sendable {
  package let name: Name
  package let type: TypeSyntax?
  package let value: Expression?

  package init(name: Name, type: TypeSyntax?, value: Expression?) {
    self.name = name
    self.type = type
    self.value = value
  }
}

/// A declaration at file level.
package enum Declaration: Sendable {
  case importDecl(path: Expression, name: Name?, SourceSpan)
  case param(name: Name, type: TypeSyntax?, value: Expression?, bound: Expression?, SourceSpan)
  case letDecl(LetSyntax)
  case fn(FunctionSyntax)
  /// `component`, `style`, `effect` or `transition`.
  case definition(DefinitionSyntax)
  case scene(ElementSyntax)
  case project(ElementSyntax)

  /// The name of a definition, an `fn`, a `let` or a `param`.
  package var name: Name? {
    switch self {
    case .definition(let it): it.name
    case .fn(let it): it.name
    case .letDecl(let it): it.name
    case .param(let name, _, _, _, _): name
    case .importDecl, .scene, .project: nil
    }
  }
}

/// `fn name(parameters) -> type = value`; the name of an anonymous function is `fn`.
package final class FunctionSyntax: Sendable {
  package let name: Name
  package let parameters: [ParameterSyntax]
  package let result: TypeSyntax?
  package let value: Expression?
  /// The scope of the parameters, up to the token after the function. For a pixel function, it is
  /// the span of the body.
  package let body: SourceSpan?
  /// The body of a pixel function, which has neither a result type nor a value.
  package let pixels: PixelSyntax?

  package init(
    name: Name, parameters: [ParameterSyntax], result: TypeSyntax?, value: Expression?,
    body: SourceSpan? = nil, pixels: PixelSyntax? = nil
  ) {
    self.body = body
    self.pixels = pixels
    self.name = name
    self.parameters = parameters
    self.result = result
    self.value = value
  }
}

/// The body of `filter name(parameters) { … }`, `paint name(parameters) { … }`, or
/// `transition name(parameters) { … }` with a color: a pixel function.
package final class PixelSyntax: Sendable {
  /// The kind of a pixel function; the raw value is its keyword.
  package enum Kind: String, Sendable { case filter, paint, transition }

  package let kind: Kind
  package let lets: [LetSyntax]
  /// The property `color`, which is required.
  package let color: Expression?
  /// The property `reach` of a filter.
  package let reach: Expression?
  /// Everything else in the body, which is an error.
  package let others: [Item]

  init(_ kind: Kind, items: [Item]) {
    self.kind = kind
    var lets: [LetSyntax] = []
    var color: Expression?
    var reach: Expression?
    var others: [Item] = []
    for item in items {
      switch item {
      case .letDecl(let it): lets.append(it)
      case .property(let it) where it.name.text == "color" && color == nil: color = it.value
      case .property(let it) where it.name.text == "reach" && kind == .filter && reach == nil:
        reach = it.value
      default: others.append(item)
      }
    }
    self.lets = lets
    self.color = color
    self.reach = reach
    self.others = others
  }
}

/// `component`, `style`, `effect` or `transition` with a name, parameters and a body.
package final class DefinitionSyntax: Sendable {
  /// The kind of a definition; the raw value is its keyword.
  package enum Kind: String, Sendable {
    case component, style, effect, transition

    /// The kind with an article: "a component", "an effect".
    package var description: String { self == .effect ? "an effect" : "a \(rawValue)" }
  }

  package let kind: Kind
  package let name: Name
  package let parameters: [ParameterSyntax]
  package let items: [Item]
  package let body: SourceSpan?
  /// The pixel function of a transition; `nil` if it shows its clips with `from` and `to`.
  package let function: FunctionSyntax?

  init(
    kind: Kind, name: Name, parameters: [ParameterSyntax], items: [Item], body: SourceSpan?
  ) {
    self.body = body
    let isPixels = kind == .transition && DefinitionSyntax.isPixelFunction(items)
    function =
      isPixels
      ? FunctionSyntax(
        name: name, parameters: parameters, result: nil, value: nil, body: body,
        pixels: PixelSyntax(.transition, items: items)) : nil
    self.kind = kind
    self.name = name
    self.parameters = parameters
    self.items = items
  }

  /// Returns whether the items of a transition have a color, or are only the `let`s for one.
  private static func isPixelFunction(_ items: [Item]) -> Bool {
    let hasColor = items.contains {
      if case .property(let it) = $0 { it.name.text == "color" } else { false }
    }
    let areLets = items.allSatisfy { if case .letDecl = $0 { true } else { false } }
    return hasColor || !items.isEmpty && areLets
  }
}
