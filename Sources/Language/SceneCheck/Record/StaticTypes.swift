// SPDX-License-Identifier: MIT
import SceneLibrary
import SceneModel
import SceneSyntax
package import SceneText
package import SceneTypes

extension CheckSession {
  /// Returns the static type of the expression or the declared name at a span in source notation,
  /// or `nil` if nothing is known about it.
  package func type(at span: SourceSpan) -> String? {
    guard let type = types.types[span] ?? types.names[span] else { return nil }
    return type.isOpen || type == .nothing ? nil : type.notation
  }
}

extension Checker {
  /// Types the program after all its files are loaded.
  func typedProgram() -> TypedProgram {
    TypedProgram(
      files.modules.map { module in
        var imports: [String: String] = [:]
        for case .importDecl(let file, _, _) in module.declared {
          guard case .text(let parts) = file.kind, parts.count == 1,
            case .literal(let text) = parts[0]
          else { continue }
          imports[text] = ModuleGraph.path(of: text, importedBy: module.path)
        }
        return TypedUnit(
          path: module.path, file: module.tree.file, declarations: module.declared, imports: imports
        )
      }, prelude: Library.prelude.map { "std/\($0)" }, signatures: Checker.signatures,
      hasFamily: metrics.hasFamily)
  }

  private static let signatures = Dictionary(
    uniqueKeysWithValues: BuiltIn.all.map { ($0.name, $0.value.signature) })
}

/// A value that is not in the static type of its expression, which is a fault of the typer.
package struct UnsoundType: Sendable {
  package let span: SourceSpan
  package let type: Type?
  package let value: Type
}

extension CheckSession {
  /// Returns the expressions of which a recorded value is not in the static type. Requires
  /// `recordsValues`.
  package func unsoundTypes(in program: TypedProgram) -> [UnsoundType] {
    var found: [UnsoundType] = []
    for stage in checker.seen?.stages ?? [] {
      for (span, seen) in stage.values {
        let type = program.types[span]
        // The easing of a transition and the arguments of `sort(rows, by: len)` have no expression of
        // their own, and are evaluated at another span.
        if type == .function || type == nil && seen.first.type == .easing { continue }
        for value in [seen.first, seen.last].map(\.type) where type?.contains(value) != true {
          found.append(UnsoundType(span: span, type: type, value: value))
          break
        }
      }
    }
    return found.sorted { $0.span < $1.span }
  }
}

extension Value {
  /// The type of exactly this value.
  var type: Type {
    switch self {
    case .quantity(_, let dimension): .quantity(dimension)
    case .percent: .percent
    case .length: .mixed
    case .bool: .bool
    case .pair(let x, let y): .pair(x.type, y.type)
    case .color: .color
    case .gradient: .gradient
    case .pattern: .pattern
    case .filter: .filter
    case .shadow: .shadow
    case .stop: .stop
    case .text: .text
    case .path: .path
    case .easing: .easing
    case .list(let items):
      .list(
        Type(anyOf: items.map(\.type)), items: items.count <= 8 ? items.map(\.type) : nil)
    case .range(let low, let high): .range(low.type, high.type)
    case .record(let fields):
      .record(RecordType(fields.map { RecordType.Field(name: $0.0, type: $0.1.type) }))
    case .word(let word): .word([word])
    case .cell: .cell
    case .none: .none
    case .emptySum: .zero
    case .element(let it): .element(ElementType(kind: it.kind, body: nil))
    case .box: .box
    case .poison: .error
    }
  }
}
