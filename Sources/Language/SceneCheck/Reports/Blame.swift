// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneSyntax
import SceneText

/// The argument of a component that determines a value inside the component.
struct BlamedArgument {
  let parameter: Name
  let value: Expression
}

/// The search for the argument that an expression inside a component depends on.
///
/// Names in the component's `let`s, loops and default arguments stand for the names in their
/// values. The search reads names from the source text of expressions, so it may find more
/// dependencies than exist, but it never misses one.
struct BlameSearch {
  let files: ModuleGraph
  /// Whether the length of a list counts as a use of the list. It is rarely the cause of an error.
  private let readsLengths: Bool

  init(files: ModuleGraph) { self.init(files: files, readsLengths: false) }

  private init(files: ModuleGraph, readsLengths: Bool) {
    (self.files, self.readsLengths) = (files, readsLengths)
  }

  /// Returns the only argument of a use outside the library that an expression depends on; `nil` if
  /// it depends on none or on several. `element` is the innermost element around the expression.
  func argument(of span: SourceSpan, in element: ElementNode?) -> BlamedArgument? {
    onlyArgument(of: span, in: element)
      ?? BlameSearch(files: files, readsLengths: true).onlyArgument(of: span, in: element)
  }

  private func onlyArgument(of span: SourceSpan, in element: ElementNode?) -> BlamedArgument? {
    var names = identifiers(in: span)
    var place = span
    var next = element
    while let it = next {
      next = it.parent
      guard let definition = it.definition, let body = definition.body,
        body.contains(place)
          || definition.parameters.contains(where: { $0.value?.span.contains(place) == true })
      else { continue }
      let found = arguments(of: it.syntax, definition, reachedFrom: names)
      guard files.isOfLibrary(it.syntax.span) else { return found.count == 1 ? found[0] : nil }
      names = found.reduce(into: []) { $0.formUnion(identifiers(in: $1.value.span)) }
      place = it.syntax.headSpan
    }
    return nil
  }

  private func arguments(
    of use: ElementSyntax, _ definition: DefinitionSyntax, reachedFrom start: Set<String>
  ) -> [BlamedArgument] {
    var values: [String: [Expression]] = [:]
    collect(definition.items, &values)
    var given: [String: BlamedArgument] = [:]
    for case .property(let it) in use.items {
      given[it.name.text] = BlamedArgument(parameter: it.name, value: it.value)
    }
    for parameter in definition.parameters {
      values[parameter.name.text] = parameter.value.map { [$0] } ?? []
    }
    let parameters = Set(definition.parameters.map(\.name.text))
    var (seen, open) = (start, Array(start))
    var found: [BlamedArgument] = []
    while let name = open.popLast() {
      if parameters.contains(name), let argument = given[name] {
        found.append(argument)
        continue
      }
      for value in values[name] ?? [] {
        for other in identifiers(in: value.span) where seen.insert(other).inserted {
          open.append(other)
        }
      }
    }
    return found
  }

  /// Collects the values of all names that a body declares.
  private func collect(_ items: [Item], _ values: inout [String: [Expression]]) {
    for item in items {
      switch item {
      case .letDecl(let it): values[it.name.text, default: []].append(it.value)
      case .forItem(let it):
        for name in [it.variable, it.index].compactMap({ $0 }) {
          values[name.text, default: []].append(it.list)
        }
        collect(it.items, &values)
      case .ifItem(let it): collect(it.items + it.otherwise, &values)
      case .element(let it): collect(it.items, &values)
      case .property, .segment, .expectation: break
      }
    }
  }

  /// Returns the words of an expression that can be names. Members follow a single dot.
  private func identifiers(in span: SourceSpan) -> Set<String> {
    let whole = files.text(at: span)
    let text = readsLengths ? whole : BlameSearch.withoutLengths(whole)
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    let names = words.filter { word in
      let before = text[..<word.startIndex].suffix(2)
      return word.first?.isNumber == false && (before.last != "." || before == "..")
    }
    return Set(names.map(String.init))
  }

  /// Returns an expression without the arguments of `len`.
  private static func withoutLengths(_ text: String) -> String {
    var parts = text.split(separator: "len(", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      var depth = 1
      parts[index] = String(
        parts[index].drop {
          depth += $0 == "(" ? 1 : $0 == ")" ? -1 : 0
          return depth > 0
        })
    }
    return parts.joined(separator: " ")
  }

  // MARK: Advice

  /// Returns the sentence about changes of a parameter in the documentation of its component, or
  /// `nil`. `file` declares the component.
  func advice(onChanging parameter: String, of component: String, in file: FileID) -> String? {
    guard let module = files.module(of: file) else { return nil }
    guard let symbol = module.names.topLevel(component) else { return nil }
    let text = module.names.documentation(of: symbol).split(separator: "\n").joined(separator: " ")
    let sentence = text.split(separator: ". ").first {
      $0.contains("`\(parameter)`") && $0.hasPrefix("To change")
    }
    guard let sentence else { return nil }
    let words = sentence.prefix(1).lowercased() + sentence.dropFirst()
    return String(words.last == "." ? words.dropLast() : words[...]).replacing("`", with: "'")
  }
}

extension SourceSpan {
  /// Returns whether another span is in the same file and inside this one.
  fileprivate func contains(_ other: SourceSpan) -> Bool {
    file == other.file && start <= other.start && other.end <= end
  }
}
