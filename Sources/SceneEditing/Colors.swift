// SPDX-License-Identifier: MIT
import SceneCheck
package import SceneGraphics
import SceneSyntax
import SceneText

/// A colour that is written in a file.
package struct ColorPlace: Hashable, Sendable {
  package let range: Range<Int>
  package let color: Color
}

extension FileFacts {
  /// The literals, and the CSS names that mean colours where they stand.
  package var colors: [ColorPlace] {
    let names = Set(index.uses.filter { $0.meaning != .builtIn }.map(\.span.start))
    return tree.tokens.indices.compactMap { token in
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
  }

  /// A name that a file gives hides the colour.
  private func isNamed(_ range: Range<Int>, _ names: Set<Int>) -> Bool {
    index.symbols.contains {
      $0.name.text == source.text(source.span(range.lowerBound, range.upperBound))
    }
  }

  /// Whether a word is a value: neither the name of something nor a part of it.
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

  /// The ways to write a colour, that of the text first.
  package func forms(of color: Color, at range: Range<Int>) -> [String] {
    let written = source.text(source.span(range.lowerBound, range.upperBound))
    func byte(_ value: Double) -> Int { Int((max(0, min(1, value)) * 255).rounded()) }
    let parts = [color.red, color.green, color.blue].map(byte)
    let alpha = byte(color.alpha)
    func hex(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16) }
    let long = "#" + (parts + (alpha < 255 ? [alpha] : [])).map(hex).joined()
    let list = parts.map(String.init).joined(separator: ", ")
    let share = String(Double((color.alpha * 1000).rounded()) / 1000)
    let function = alpha < 255 ? "rgb(\(list), \(share))" : "rgb(\(list))"
    let name =
      alpha < 255
      ? nil
      : NamedValues.colors.first { name in
        Color(name: name).map { [$0.red, $0.green, $0.blue].map(byte) == parts } ?? false
      }
    var forms =
      written.first == "#"
      ? [long, function] : written.hasPrefix("rgb") ? [function, long] : [long, function]
    if let name {
      written.first == "#" || written.hasPrefix("rgb")
        ? forms.append(name) : forms.insert(name, at: 0)
    }
    return forms
  }
}
