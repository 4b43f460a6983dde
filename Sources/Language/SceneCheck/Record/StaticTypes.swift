// SPDX-License-Identifier: MIT
import SceneLibrary
import SceneModel
import SceneSyntax
package import SceneText
package import SceneTypes

extension CheckSession {
  /// Returns the type of the values that the last check computed for the name or expression at a
  /// span, or `nil`. It includes the columns of tables.
  package func computedType(at span: SourceSpan) -> Type? {
    for stage in (checker.seen?.stages ?? []).reversed() {
      guard let seen = stage[span] else { continue }
      return seen.first.type(depth: 3).joined(with: seen.last.type(depth: 3))
    }
    return nil
  }

  /// Returns the static type of the expression or the declared name at a span in source notation,
  /// or `nil` if nothing is known about it. Requires `recordsValues` for expressions.
  package func type(at span: SourceSpan) -> String? {
    guard let type = types.types[span] ?? types.names[span] else { return nil }
    return type.isOpen || type == .nothing ? nil : type.notation
  }
}

extension Checker {
  /// Types the program after all its files are loaded.
  func typedProgram(includesLibrary: Bool = false) -> TypedProgram {
    TypedProgram(
      files.modules.map { TypedUnit($0.path, $0.tree.file, declaring: $0.declared) },
      prelude: preludePaths, signatures: signatures,
      includesLibrary: includesLibrary, recordsTypes: options.recordsValues || includesLibrary,
      hasFamily: metrics.hasFamily)
  }
}

private let preludePaths = Library.prelude.map { "std/\($0)" }

private let signatures = Dictionary(
  uniqueKeysWithValues: BuiltIn.all.map { ($0.name, $0.value.signature) })

extension TypedProgram {
  /// Types files without reporting errors.
  init(typesOf units: [TypedUnit]) {
    self.init(
      units, prelude: preludePaths, signatures: signatures, includesLibrary: false,
      reportsErrors: false, hasFamily: { _ in true })
  }

  /// Types one file without its imports, for its names. A file of the prelude is one of `prelude`.
  init(names file: SourceFile, _ declarations: [Declaration], in prelude: [TypedUnit]) {
    let unit = TypedUnit(path: file.name, file: file, declarations: declarations, imports: [:])
    self.init(
      [unit] + prelude.filter { $0.path != file.name }, names: file.id, prelude: preludePaths,
      signatures: signatures, includesLibrary: false, recordsTypes: false, reportsErrors: false,
      hasFamily: { _ in true })
  }
}

/// A value that is not in the static type of its expression, which is a bug in the typer.
package struct UnsoundType: Sendable {
  package let span: SourceSpan
  package let type: Type?
  package let value: Type
}

extension CheckSession {
  /// Returns the expressions in all files, including the library, whose static type does not
  /// contain a recorded value. Requires `recordsValues`.
  package func unsoundTypes() -> [UnsoundType] {
    let program = checker.typedProgram(includesLibrary: true)
    var found: [UnsoundType] = []
    for stage in checker.seen?.stages ?? [] {
      for seen in stage.values {
        let span = seen.span
        let type = program.types[span]
        // The easing of a transition and the arguments of `sort(rows, by: len)` have no expression
        // of their own, and are evaluated at another span.
        if type == .function || type == nil && seen.first.type(depth: 0) == .easing { continue }
        for value in [seen.first, seen.last].map({ $0.type(depth: 3) })
        where type?.contains(value) != true {
          found.append(UnsoundType(span: span, type: type, value: value))
          break
        }
      }
    }
    return found.sorted { $0.span < $1.span }
  }
}

extension Value {
  /// Returns the type of exactly this value. Parts that are nested more deeply than `depth` are
  /// unknown, since values can share parts that have many parts themselves.
  func type(depth: Int) -> Type {
    func part(_ value: Value) -> Type { depth > 0 ? value.type(depth: depth - 1) : .unknown }
    switch self {
    case .quantity(_, let dimension): return .quantity(dimension)
    case .percent: return .percent
    case .length: return .mixed
    case .bool: return .bool
    case .pair(let x, let y): return .pair(part(x), part(y))
    case .color: return .color
    case .gradient: return .gradient
    case .pattern: return .pattern
    case .brush: return .brush
    case .pixels: return .gradient
    case .filter: return .filter
    case .shadow: return .shadow
    case .stop: return .stop
    case .text: return .text
    case .path: return .path
    case .easing: return .easing
    case .list(let items):
      let known = items.prefix(8).map(part)
      let item = items.isEmpty ? .nothing : items.count > 8 ? .unknown : Type(anyOf: known)
      return .list(item, items: items.count > 8 ? nil : known)
    case .range(let low, let high): return .range(part(low), part(high))
    case .record(let fields):
      return .record(
        RecordType(fields.map { RecordType.Field(name: $0.0, type: part($0.1)) }))
    case .word(let word): return .word([word])
    case .cell: return .cell
    case .none: return .none
    case .emptySum: return .zero
    case .element(let it): return .element(ElementType(kind: it.kind, body: nil))
    case .box: return .box
    case .poison: return .error
    }
  }
}
