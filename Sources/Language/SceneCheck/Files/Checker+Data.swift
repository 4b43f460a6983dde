// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A text of a data file. It converts to the type that its use expects.
struct DataCell: Hashable {
  let text: String
  let place: DataPlace?
}

// `data("x.csv")` and the conversion of cells.
extension Checker {
  /// Returns the content of a data file, relative to the file of a span. Cached.
  func data(of name: String, _ span: SourceSpan) -> Value {
    let path = module(at: span)?.folder ?? ""
    if let known = data[path + name] { return known }
    let value = held(read(path + name, span), span)
    data[path + name] = value
    return value
  }

  /// Returns the module that contains a span.
  private func module(at span: SourceSpan) -> Module? {
    files.module(of: span.file)
  }

  private func read(_ path: String, _ span: SourceSpan) -> Value {
    let isCSV = path.lowercased().hasSuffix(".csv")
    guard isCSV || path.lowercased().hasSuffix(".json") else {
      return report(
        .undecodable, "'\(path)' is not a data file", at: span,
        label: "expected a .csv or .json file")
    }
    guard isCSV else {
      return reading(path, at: span) { value(of: try assets.json(path)) } ?? poison(span)
    }
    guard
      let table = reading(
        path, at: span, { try CSVTable(try assets.source(path), limit: options.limits.cells) })
    else {
      return poison(span)
    }
    return value(of: table.values(file: path))
  }

  /// Returns the result of `read`, or reports its error and returns `nil`.
  func reading<T>(_ path: String, at span: SourceSpan, _ read: () throws -> T) -> T? {
    do {
      return try read()
    } catch let diagnostic as AssetError {
      report(assetError(diagnostic, path, at: span))
    } catch let diagnostic as DataError {
      report(
        Diagnostic(
          .undecodable, "\(path):\(diagnostic.line):\(diagnostic.column): \(diagnostic.message)",
          at: span,
          label: "invalid file"))
    } catch {
      report(Diagnostic(.undecodable, "'\(path)' cannot be read", at: span))
    }
    return nil
  }

  /// Returns the content of a file, or poison if it exceeds a limit.
  private func held(_ value: Value, _ span: SourceSpan) -> Value {
    let size = ValueSize(of: value, upTo: .max)
    memory.files += size.memory
    return reserve(0, span) && spend(size.parts / 16, span) ? value : poison(span)
  }

  private func value(of data: DataValue) -> Value {
    switch data {
    case .none: .none()
    case .empty(let place): .none(place)
    case .bool(let it): .bool(.constant(it ? 1 : 0))
    case .number(let it): .number(it)
    case .text(let text, let place): .cell(DataCell(text: text, place: place))
    case .list(let items): .list(items.map(value))
    case .record(let fields): .record(fields.map { ($0.name, value(of: $0.value)) })
    }
  }

  /// Parses a cell as a literal, such as `#ff8a3d`, `2s` or `(1, 2)`. Returns other values and
  /// invalid literals unchanged.
  func opened(_ value: Value) -> Value {
    guard case .cell(let cell) = value, !cell.text.isEmpty else { return value }
    let text = NumberFormat.withHyphens(cell.text)
    guard let literal = parseValue(SourceFile(id: FileID(0), name: "", text: text)),
      Checker.isLiteral(literal)
    else { return value }
    // A literal cannot cause errors.
    return evaluate(literal, fileContext())
  }

  private static func isLiteral(_ e: Expression) -> Bool {
    switch e.kind {
    case .number, .size, .color, .bool: true
    case .reference(let name): Color(name: name.text) != nil || Easing.named[name.text] != nil
    case .unary(.minus, let inner), .unary(.plus, let inner):
      if case .number = inner.kind { true } else { false }
    case .pair(let a, let b): isLiteral(a) && isLiteral(b)
    default: false
    }
  }
}
