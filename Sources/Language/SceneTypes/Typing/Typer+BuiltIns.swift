// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax
import SceneText

extension Typer {
  /// A call of a built-in function, with its arguments by parameter.
  struct Call {
    private let typer: Typer
    private let signature: FunctionSignature
    private let scope: Scope
    private let expected: Expected
    /// The arguments of a variadic parameter.
    private var many: [Type] = []
    /// The argument expression and its type, by the index of the parameter.
    private var given: [Int: Expression] = [:]
    private var types: [Int: Type] = [:]

    /// Types the arguments of a call.
    init(
      _ typer: Typer, _ signature: FunctionSignature, arguments: [Argument], in scope: Scope,
      expecting expected: Expected
    ) {
      self.typer = typer
      self.signature = signature
      self.scope = scope
      self.expected = expected
      var next = 0
      for argument in arguments {
        var place: Int?
        if let name = argument.name {
          place = signature.parameters.firstIndex { $0.name == name.text }
        } else if signature.takesMany {
          many.append(type(argument.value, at: 0))
          continue
        } else if next < signature.parameters.count {
          place = next
          next += 1
        }
        guard let place else {
          _ = typer.type(argument.value, in: scope)
          continue
        }
        given[place] = argument.value
        if signature.parameters[place].type != .function, !isKey(place) {
          types[place] = type(argument.value, at: place)
        }
      }
    }

    /// Creates a call with arguments of which only the types are known.
    init(_ typer: Typer, _ signature: FunctionSignature, types: [Type]) {
      self.typer = typer
      self.signature = signature
      scope = typer.makeScope(in: nil)
      expected = .nothing
      if signature.takesMany {
        many = types
      } else {
        self.types = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($0, $1) })
      }
    }

    /// Returns whether a parameter is the key of `sort`: the name of a column, or a function.
    private func isKey(_ place: Int) -> Bool {
      signature.name == "sort" && signature.parameters[place].name == "by"
    }

    private func type(_ e: Expression, at place: Int) -> Type {
      switch signature.name {
      // A stop of `linear` is written as a call.
      case "linear":
        if case .call(_, let arguments) = e.kind {
          for argument in arguments { _ = typer.type(argument.value, in: scope) }
          return .number
        }
      case "loop", "reverse", "delay", "at-time":
        if place == 0 { return typer.type(e, in: scope, expecting: expected) }
      default: break
      }
      return typer.type(e, in: scope, expecting: Expected(words: signature.parameters[place].words))
    }

    private subscript(_ place: Int) -> Type { types[place] ?? .unknown }

    /// The type of the result.
    var result: Type {
      switch signature.result {
      case .value, .list, .paint, .pair, .color: special
      default: signature.result.type
      }
    }

    private var special: Type {
      switch signature.name {
      case "min", "max":
        guard many.count == 1, case .list(let item, _) = many[0] else {
          return many.dropFirst().reduce(many.first ?? .unknown, ordered)
        }
        return ordered(item, item)
      case "clamp": return ordered(ordered(self[0], self[1]), self[2])
      case "mod": return Operator.modulo.result(self[0], self[1]).type
      case "map-range": return Operator.blend.result(self[3], self[4]).type
      case "mix": return Operator.blend.result(self[0], self[1]).type
      case "abs":
        return self[0].convert { shape in
          switch shape {
          case .zero, .quantity: .always(shape)
          case .unknown: .sometimes(.unknown)
          case .pair: .always(.point)
          default: .always(.number)
          }
        }.type
      case "sum": return sum(self[0])
      case "mean": return Operator.divide.result(sum(self[0]), .number).type
      case "first", "last": return end(isFirst: signature.name == "first")
      case "sort": return sorted
      case "reverse-list":
        if case .list(let item, let items) = self[0] {
          return .list(item, items: items.map { $0.reversed() })
        }
        return .anyList
      case "concat":
        let known = many.map { if case .list(_, let items?) = $0 { items } else { nil as [Type]? } }
        return .list(
          many.dropFirst().reduce(many.first?.item ?? .nothing) { $0.joined(with: $1.item) },
          items: known.contains(nil) ? nil : known.flatMap { $0 ?? [] })
      case "zip":
        let (a, b) = (self[0].item, self[1].item)
        return .list(.list(a.joined(with: b), items: [a, b]), items: nil)
      case "fold": return folded
      case "scan": return .list(folded, items: nil)
      case "split": return .list(.text, items: nil)
      case "beats": return .list(.time, items: nil)
      case "code-spans":
        let fields = [("text", Type.text), ("kind", .text), ("line", .number)]
        return .list(
          .record(RecordType(fields.map { RecordType.Field(name: $0.0, type: $0.1) })), items: nil)
      case "random":
        guard types[1] != nil else { return .number }
        if case .range(let low, let high) = self[1] {
          return Operator.blend.result(low, high).type
        }
        return .unknown
      case "wiggle": return Operator.multiply.result(self[1], .number).type
      case "loop", "reverse", "delay", "at-time": return self[0]
      case "linear-gradient", "radial-gradient", "conic-gradient": return .gradient
      case "pattern": return .pattern
      case "brush": return .brush
      case "floor", "ceil", "round", "fract":
        return self[0].convert { shape in
          switch shape {
          case .pair: .always(.point)
          case .unknown: .sometimes(.unknown)
          default: .always(.number)
          }
        }.type
      case "point-at": return .point
      default: return signature.result == .value ? .unknown : signature.result.type
      }
    }

    /// Returns the type of the minimum or maximum of two values.
    private func ordered(_ a: Type, _ b: Type) -> Type { Operator.extreme.result(a, b).type }

    private func sum(_ list: Type) -> Type {
      guard case .list(let item, let items) = list else { return .unknown }
      if item == .nothing { return .zero }
      if let items, let first = items.first {
        return items.dropFirst().reduce(first) { Operator.add.result($0, $1).type }
      }
      // A sum of numbers and percentages is a length.
      let twice = Operator.add.result(item, item).type
      return twice == item ? item : item.joined(with: twice)
    }

    private func end(isFirst: Bool) -> Type {
      guard case .list(let item, let items) = self[0] else { return .unknown }
      return (isFirst ? items?.first : items?.last) ?? item
    }

    private var sorted: Type {
      guard case .list(let item, _) = self[0] else { return .anyList }
      if let key = given[1] {
        switch key.kind {
        case .lambda: _ = typer.result(ofApplying: key, to: [item], scope)
        case .reference(let name):
          if case .function? = scope.lookup(name) {
            _ = typer.result(ofApplying: key, to: [item], scope)
          } else if scope.lookup(name) == nil, typer.signatures[name] != nil {
            typer.note(key.span, .function)
          } else {
            _ = typer.type(key, in: scope)
          }
        default: _ = typer.type(key, in: scope)
        }
      }
      return .list(item, items: nil)
    }

    /// The type of a fold: that of the start value, joined with the results of the function until
    /// it no longer changes.
    private var folded: Type {
      guard let function = given[2] else { return .unknown }
      let item = typer.item(ofRounds: self[0]).type
      var type = self[1]
      for round in 0..<3 {
        // Only the first round reports errors.
        let wasSilent = typer.isSilent
        defer { typer.isSilent = wasSilent }
        if round > 0 { typer.isSilent = true }
        let next = typer.result(ofApplying: function, to: [type, item], scope)
        let joined = type.joined(with: next)
        if joined == type { return type }
        type = joined
      }
      _ = typer.result(ofApplying: function, to: [.unknown, item], scope)
      return .unknown
    }
  }
}
