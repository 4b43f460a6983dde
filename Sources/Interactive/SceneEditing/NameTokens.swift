// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

/// A name for semantic highlighting.
package struct NameToken: Hashable, Sendable {
  /// The kind of a name, in the terms of the Language Server Protocol.
  package enum Kind: Int, CaseIterable, Sendable {
    case type, property, variable, parameter, function, enumMember, namespace, `class`
  }

  package let range: Range<Int>
  package let kind: Kind
  package let isDeclaration: Bool
  /// Whether the name is part of the language or its library.
  package let isBuiltIn: Bool
  package let isConstant: Bool
}

extension Workspace {
  /// Returns the names of a file in order, without overlaps.
  package func tokens(of file: String) -> [NameToken] {
    guard let facts = files[file] else { return [] }
    var tokens: [NameToken] = []
    for symbol in facts.index.symbols {
      tokens.append(token(symbol, at: symbol.name.span, isDeclaration: true, isBuiltIn: false))
    }
    for use in facts.index.uses {
      if let target = links.target(of: use, in: file), let symbol = declared(target) {
        tokens.append(
          token(
            symbol, at: use.span, isDeclaration: false, isBuiltIn: target.file.hasPrefix("std/")))
      } else {
        let kind: NameToken.Kind =
          BuiltIn.all[use.name] != nil ? .function : .enumMember
        let isKnown = use.meaning == .builtIn || BuiltIn.all[use.name] != nil
        if isKnown {
          tokens.append(
            NameToken(
              range: use.span.start..<use.span.end, kind: kind, isDeclaration: false,
              isBuiltIn: true, isConstant: true))
        }
      }
    }
    tokens += facts.headTokens
    tokens.sort {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    var end = 0
    return tokens.filter { token in
      guard token.range.lowerBound >= end, !token.range.isEmpty else { return false }
      end = token.range.upperBound
      return true
    }
  }

  private func token(
    _ symbol: NameIndex.Symbol, at span: SourceSpan, isDeclaration: Bool, isBuiltIn: Bool
  ) -> NameToken {
    let kind: NameToken.Kind =
      switch symbol.kind {
      case .file: .namespace
      case .param, .constant, .element, .round: .variable
      case .function, .effect, .transition: .function
      case .component, .scene, .style: .class
      case .parameter: .parameter
      }
    return NameToken(
      range: span.start..<span.end, kind: kind, isDeclaration: isDeclaration, isBuiltIn: isBuiltIn,
      isConstant: [.param, .constant].contains(symbol.kind))
  }
}

extension FileFacts {
  /// The element kinds and property names.
  fileprivate var headTokens: [NameToken] {
    var tokens: [NameToken] = []
    for node in tree.nodes.indices {
      let kind = tree.nodes[node].kind
      guard kind == .element || kind == .property else { continue }
      guard let word = words(atHeadOf: node).first else { continue }
      let isKnown =
        kind == .element
        ? builtInKind(word.text) != nil : Property.named(word.text) != nil
      guard isKnown else { continue }
      tokens.append(
        NameToken(
          range: word.range, kind: kind == .element ? .type : .property, isDeclaration: false,
          isBuiltIn: true, isConstant: false))
    }
    return tokens
  }
}

extension FileFacts {
  /// Returns whether a word is in a position that requires an easing.
  func isEasing(_ token: Int) -> Bool {
    var words: [String] = []
    var index = token - 1
    while index >= 0, words.count < 2 {
      if !tree.tokens[index].kind.isTrivia { words.append(tree.text(ofToken: index)) }
      index -= 1
    }
    return words.first == "with" || words == [":", "easing"]
  }
}
