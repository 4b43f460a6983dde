// SPDX-License-Identifier: MIT
import SceneCheck
package import SceneGraphics
import SceneSyntax
import SceneText
import SceneTypes

/// A color literal in a file.
package struct ColorPlace: Hashable, Sendable {
  package let range: Range<Int>
  package let color: Color
}

extension FileFacts {
  /// The color literals, CSS color names used as values, and color functions with constant
  /// arguments.
  package var colors: [ColorPlace] {
    let names = Set(index.uses.filter { $0.meaning != .builtIn }.map(\.span.start))
    let words = tree.tokens.indices.compactMap { token -> ColorPlace? in
      let (range, text) = (tree.range(ofToken: token), tree.text(ofToken: token))
      switch tree.tokens[token].kind {
      case .color:
        return Color(hexDigits: String(text.dropFirst())).map {
          ColorPlace(range: range, color: $0)
        }
      case .identifier where isValue(token) && !isNamed(range, names):
        return Color(name: text).map { ColorPlace(range: range, color: $0) }
      default: return nil
      }
    }
    return (words + computedColors).sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private var computedColors: [ColorPlace] {
    tree.nodes.indices.filter { tree.nodes[$0].kind == .call }.compactMap { node in
      guard let callee = tree.children(of: node).first,
        ColorNotation(rawValue: source.text(tree.span(of: callee))) != nil
      else { return nil }
      let span = tree.span(of: node)
      return ColorNotation.read(tree.expression(of: node)).map {
        ColorPlace(range: span.start..<span.end, color: $0.color)
      }
    }
  }

  /// Returns whether the file declares a name that shadows the color.
  private func isNamed(_ range: Range<Int>, _ names: Set<Int>) -> Bool {
    index.symbols.contains {
      $0.name.text == source.text(source.span(range.lowerBound, range.upperBound))
    }
  }

  /// Returns whether a word is a value, as opposed to a declared name or a part of a qualified
  /// name.
  private func isValue(_ token: Int) -> Bool {
    func neighbour(_ step: Int) -> TokenKind? {
      var index = token + step
      while tree.tokens.indices.contains(index) {
        let kind = tree.tokens[index].kind
        if !kind.isTrivia || kind == .newline { return kind }
        index += step
      }
      return nil
    }
    let before = neighbour(-1)
    let opening: Set<TokenKind> = [
      .colon, .comma, .leftParen, .leftBracket, .arrow, .question, .equal,
    ]
    return before.map(opening.contains) == true && neighbour(1) != .colon
      && neighbour(1) != .leftParen
  }

  /// Returns the notations of a color, starting with the one in the source.
  package func forms(of color: Color, at range: Range<Int>) -> [String] {
    let written = source.span(range.lowerBound, range.upperBound)
    let own = tree.literals(in: written).first?.text(of: .color(color))
    let color = color.clamped
    let long = color.hexDescription
    let name = NamedValues.colors.first { Color(name: $0)?.hexDescription == long }
    var forms =
      [long] + ColorNotation.allCases.map { $0.text(of: color) } + (name.map { [$0] } ?? [])
    // A color name is kept if the color has a name.
    let text = source.text(written)
    let isName = text.first?.isLetter == true && !text.contains("(")
    guard let first = isName ? name ?? own : own else { return forms }
    forms.removeAll { $0 == first }
    return [first] + forms
  }
}
