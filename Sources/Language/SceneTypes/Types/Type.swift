// SPDX-License-Identifier: MIT
package import SceneLanguage

/// The static type of an expression: the set of shapes that its values can have.
///
/// A *shape* is the kind of a computed value, such as a time, a percentage or a pair. A type with
/// several shapes is `either`. Whether a value changes over time is not part of its type.
package indirect enum Type: Hashable, Sendable {
  case quantity(Dimension)
  case percent
  /// A number of pixels plus a percentage of a reference length, as in `50% - 20`.
  case mixed
  case bool, text, color, gradient, pattern, brush, filter, shadow, stop, path, easing, none
  /// The box of an element.
  case box
  /// A text of a data file. It converts to the type that its use expects.
  case cell
  /// The sum of an empty list, which is zero of any type.
  case zero
  /// A word of an enumeration.
  case word(Set<String>)
  case pair(Type, Type)
  case range(Type, Type)
  /// A list with the type of its items. `items` are the types of the individual items, if known.
  case list(Type, items: [Type]?)
  case record(RecordType)
  case element(ElementType)
  /// A parameter that is a function.
  case function
  /// Two or more alternatives, none of which is itself `either`.
  case either(Set<Type>)
  /// The item type of an empty list.
  case nothing
  /// Any value.
  case unknown
  /// The result of a reported error. It is accepted everywhere without another error.
  case error

  package static let number = Type.quantity(.none)
  package static let time = Type.quantity(.time)
  package static let angle = Type.quantity(.angle)
  package static let point = Type.pair(.number, .number)
  /// Any list.
  package static let anyList = Type.list(.unknown, items: nil)
  /// A number, a percentage, or a sum of both.
  package static let length = Type.either([.number, .percent, .mixed])

  /// The maximum number of alternatives. A type with more is unknown.
  private static let mostAlternatives = 8
  /// The maximum number of list items whose individual types are stored.
  static let mostItems = 8
  /// The maximum nesting depth. Deeper parts are unknown.
  static let greatestDepth = 16

  /// The maximum number of parts in a type.
  private static let greatestSize = 256

  /// The type, without its parts if there are too many. Values that share parts can have types of
  /// exponential size.
  var bounded: Type {
    guard size(atMost: Type.greatestSize) > Type.greatestSize else { return self }
    switch self {
    case .list: return .anyList
    case .pair: return .pair(.unknown, .unknown)
    case .range: return .range(.unknown, .unknown)
    case .record: return .record(.any)
    default: return .unknown
    }
  }

  /// Returns the number of parts, or a greater number than the limit as soon as it is exceeded.
  private func size(atMost limit: Int) -> Int {
    var count = 1
    func add(_ part: Type) { if count <= limit { count += part.size(atMost: limit - count) } }
    switch self {
    case .pair(let x, let y), .range(let x, let y):
      add(x)
      add(y)
    case .list(let item, let items):
      add(item)
      for item in items ?? [] { add(item) }
    case .record(let it): for field in it.fields { add(field.type) }
    case .either(let types): for type in types { add(type) }
    default: break
    }
    return count
  }

  /// The shapes of the type: itself, or the alternatives of `either`.
  package var alternatives: [Type] {
    if case .either(let types) = self { Array(types) } else { [self] }
  }

  /// Whether nothing is known about the type, or an error in it was reported.
  package var isOpen: Bool { self == .unknown || self == .error }

  /// Creates the type of values that have one of several types.
  package init(anyOf types: some Sequence<Type>) {
    self = .nothing
    for type in types { self = joined(with: type) }
  }

  /// Returns a type that contains the values of both types.
  ///
  /// Lists, pairs and ranges are joined part by part, and records field by field.
  package func joined(with other: Type) -> Type { joined(with: other, depth: 0) }

  private func joined(with other: Type, depth: Int) -> Type {
    guard depth < Type.greatestDepth else { return .unknown }
    func join(_ a: Type, _ b: Type) -> Type { a.joined(with: b, depth: depth + 1) }
    switch (self, other) {
    case (let a, let b) where a == b: return a
    case (.error, _), (_, .error): return .error
    case (.unknown, _), (_, .unknown): return .unknown
    case (.nothing, let it), (let it, .nothing): return it
    case (.pair(let a, let b), .pair(let c, let d)): return .pair(join(a, c), join(b, d))
    case (.range(let a, let b), .range(let c, let d)): return .range(join(a, c), join(b, d))
    case (.list(let a, let some), .list(let b, let others)):
      var items: [Type]?
      if let some, let others, some.count == others.count { items = zip(some, others).map(join) }
      return .list(join(a, b), items: items)
    case (.record(let a), .record(let b)): return .record(a.joined(with: b, by: join))
    case (.word(let a), .word(let b)): return .word(a.union(b))
    case (.element(let a), .element(let b)): return .element(a.joined(with: b))
    default: break
    }
    // Alternatives with a common shape are joined, so that all shapes of the result differ.
    var types = Set(alternatives)
    for added in other.alternatives {
      if let same = types.first(where: { $0.hasShape(of: added) }) {
        types.remove(same)
        types.insert(join(same, added))
      } else {
        types.insert(added)
      }
    }
    if types.count > Type.mostAlternatives { return .unknown }
    return types.count == 1 ? types.removeFirst() : .either(types)
  }

  /// Returns whether two types are of one shape, so that their parts can be joined.
  private func hasShape(of other: Type) -> Bool {
    switch (self, other) {
    case (.pair, .pair), (.range, .range), (.list, .list), (.record, .record), (.word, .word),
      (.element, .element):
      true
    default: self == other
    }
  }

  /// Returns the type of the values that a condition such as `x != none` leaves.
  func without(_ type: Type) -> Type {
    let shapes = alternatives
    let rest = shapes.filter { $0 != type }
    return rest.count == shapes.count ? self : Type(anyOf: rest)
  }

  /// The type of the items of a list with an unknown number of items.
  var item: Type { if case .list(let item, _) = self { item } else { .unknown } }
}

/// The fields of a record.
package struct RecordType: Hashable, Sendable {
  /// A field with the type of its value.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let type: Type

    package init(name: String, type: Type) {
      self.name = name
      self.type = type
    }
  }

  /// The known fields in source order.
  package let fields: [Field]
  /// Whether values may have other fields, or lack some of the known ones.
  package let isOpen: Bool

  package init(_ fields: [Field], isOpen: Bool = false) {
    self.fields = fields
    self.isOpen = isOpen
  }

  /// A record about which nothing is known.
  package static let any = RecordType([], isOpen: true)

  package subscript(_ name: String) -> Type? { fields.first { $0.name == name }?.type }

  func joined(with other: RecordType, by join: (Type, Type) -> Type) -> RecordType {
    let names = Set(fields.map(\.name))
    let others = Set(other.fields.map(\.name))
    let mine = fields.map { field in
      Field(name: field.name, type: other[field.name].map { join(field.type, $0) } ?? field.type)
    }
    return RecordType(
      mine + other.fields.filter { !names.contains($0.name) },
      isOpen: isOpen || other.isOpen || names != others)
  }
}

/// The type of an element: its kind, and the body that determines its members.
package struct ElementType: Hashable, Sendable {
  /// The kind of the element; `nil` if several are possible. Components and nested scenes count as
  /// groups.
  package let kind: ElementKind?
  /// The index of the body in the typed program; `nil` if several are possible.
  package let body: Int?

  package init(kind: ElementKind?, body: Int?) {
    self.kind = kind
    self.body = body
  }

  func joined(with other: ElementType) -> ElementType {
    ElementType(kind: kind == other.kind ? kind : nil, body: body == other.body ? body : nil)
  }
}

extension Type {
  /// The type with its article, for messages: "a time", "a number or a text".
  package var description: String {
    switch self {
    case .quantity(let dimension): dimension.description
    case .percent: "a percentage"
    case .mixed: "a length"
    case .bool: "true or false"
    case .text, .cell: "a text"
    case .color: "a color"
    case .gradient: "a gradient"
    case .pattern: "a pattern"
    case .brush: "a brush"
    case .filter: "a filter"
    case .shadow: "a shadow"
    case .stop: "a gradient stop"
    case .path: "a path"
    case .easing: "an easing"
    case .none: "none"
    case .box: "a box"
    case .zero: "the sum of an empty list"
    case .word(let words):
      words.count == 1 ? "the word '\(words.first ?? "")'" : "a word"
    case .pair: "a pair"
    case .range: "a range"
    case .list: "a list"
    case .record: "a record"
    case .element: "an element"
    case .function: "a function"
    case .either(let types):
      Array(Set(types.map(\.description))).sorted().joined(separator: " or ")
    case .nothing, .unknown, .error: "a value"
    }
  }

  /// The type in source notation, for editors: `time`, `list<number>`, `number | text`.
  package var notation: String { notation(depth: 0) }

  private func notation(depth: Int) -> String {
    if depth > 3 { return "…" }
    func inner(_ type: Type) -> String { type.notation(depth: depth + 1) }
    switch self {
    case .quantity(.none), .zero: return "number"
    case .quantity(.rate): return "rate"
    case .quantity(.gain): return "gain"
    case .quantity(let dimension):
      let name = String(dimension.description.drop { $0 != " " }.dropFirst())
      return name.hasPrefix("quantity of ") ? String(name.dropFirst(12)) : name
    case .percent: return "percent"
    case .mixed: return "length"
    case .bool: return "bool"
    case .text, .cell: return "text"
    case .stop: return "gradient stop"
    case .word(let words): return words.sorted().joined(separator: " | ")
    case .pair(let x, let y):
      return x.isOpen && y.isOpen ? "pair" : "(\(inner(x)), \(inner(y)))"
    case .range: return "range"
    case .list(let item, _):
      return item.isOpen || item == .nothing ? "list" : "list<\(inner(item))>"
    case .record(let it):
      if it.fields.isEmpty { return "record" }
      let fields = it.fields.prefix(6).map { "\($0.name): \(inner($0.type))" }
      let rest = it.isOpen || it.fields.count > 6 ? ", …" : ""
      return "(\(fields.joined(separator: ", "))\(rest))"
    case .element(let it): return it.kind?.rawValue ?? "element"
    case .either(let types):
      if self == .length { return "length" }
      return types.map(inner).sorted().joined(separator: " | ")
    case .nothing, .unknown, .error: return "value"
    case .color, .gradient, .pattern, .brush, .filter, .shadow, .path, .easing, .none, .box,
      .function:
      return "\(self)"
    }
  }
}
