// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// A parameter of a built-in function: its name, its type, and the conversion of its argument to
/// `T`.
struct Parameter<T>: Sendable {
  let shape: FunctionSignature.Parameter
  /// Converts the argument of the parameter with an index in the function's list.
  private let read: @Sendable (Site, Int) throws(Reported) -> T

  init(
    _ name: String, _ type: ValueType, isOptional: Bool = false, isMany: Bool = false,
    words: Set<String> = [],
    read: @escaping @Sendable (Site, Int) throws(Reported) -> T
  ) {
    shape = FunctionSignature.Parameter(
      name: name, type: type, isOptional: isOptional, isMany: isMany, words: words)
    self.read = read
  }

  /// Returns the converted argument of a call.
  func value(at site: Site, _ place: Int) throws(Reported) -> T { try read(site, place) }

  /// Returns the converted argument, or proof of its reported error.
  @inline(__always)
  func result(at site: Site, _ place: Int) -> Result<T, Reported> {
    do throws(Reported) {
      return .success(try read(site, place))
    } catch {
      return .failure(error)
    }
  }

  /// Returns an optional version of a parameter.
  static func optional<U>(_ parameter: Parameter<U>) -> Parameter where T == U? {
    Parameter(
      parameter.shape.name, parameter.shape.type, isOptional: true, words: parameter.shape.words
    ) {
      site, place throws(Reported) in
      site.call[place] == nil ? nil : try parameter.read(site, place)
    }
  }

  /// Returns an optional version of a parameter, with a default.
  static func optional(_ parameter: Parameter, or fallback: T) -> Parameter where T: Sendable {
    Parameter(
      parameter.shape.name, parameter.shape.type, isOptional: true, words: parameter.shape.words
    ) {
      site, place throws(Reported) in
      site.call[place] == nil ? fallback : try parameter.read(site, place)
    }
  }

  /// Creates a parameter from a conversion of an evaluated argument. In an argument of type `path`,
  /// motions and conditions of elements evaluate to outlines in the coordinates of `pathUse`.
  static func of(
    _ name: String, _ type: ValueType, words: Set<String> = [], pathUse: PathUse = .placed,
    convert: @escaping @Sendable (Site, Given) throws(Reported) -> T
  ) -> Parameter {
    Parameter(name, type, words: words) { site, place throws(Reported) in
      let e = try site.need(site.call[place])
      let use: PathUse? =
        switch type {
        case .path: pathUse
        case .pair: nil
        default: site.context.pathUse
        }
      var value = try site.evaluate(e, words: words, pathUse: use)
      if let amount = type.type.amount { value = value.like(amount) }
      return try convert(site, Given(value: value, span: e.span))
    }
  }
}

/// The value and span of an argument.
struct Given {
  let value: Value
  let span: SourceSpan
}

extension Parameter<Given> {
  /// Returns a parameter that accepts a value of any type. `type` is for documentation, and for
  /// motions of elements.
  static func value(
    _ name: String, _ type: ValueType = .value, words: Set<String> = [],
    pathUse: PathUse = .placed
  ) -> Parameter {
    of(name, type, words: words, pathUse: pathUse) { _, given in given }
  }
}

extension Parameter<Scalar> {
  static func number(_ name: String) -> Parameter {
    of(name, .number) { site, it throws(Reported) in
      try site.need(site.checker.asNumber(it.value, it.span))
    }
  }

  static func angle(_ name: String) -> Parameter {
    of(name, .angle) { site, it throws(Reported) in
      try site.need(site.checker.asAngle(it.value, it.span))
    }
  }

  static func bool(_ name: String) -> Parameter {
    of(name, .bool) { site, it throws(Reported) in
      try site.need(site.checker.asBool(it.value, it.span))
    }
  }

  /// Returns a parameter that accepts a time and converts it to ticks.
  static func time(_ name: String) -> Parameter {
    of(name, .time) { site, it throws(Reported) in
      try site.need(site.checker.asTime(it.value, it.span))
    }
  }
}

extension Parameter<Double> {
  /// Returns a parameter that accepts a constant number. `what` names it in the error for a number
  /// that changes over time.
  static func constant(
    _ name: String, in range: ClosedRange<Double>? = nil, of what: String? = nil
  ) -> Parameter {
    of(name, .number) { site, it throws(Reported) in
      let scalar = try site.need(site.checker.asNumber(it.value, it.span))
      guard let number = scalar.constantValue else {
        let subject = what ?? "'\(name)' of '\(site.call.name)'"
        throw site.report(.notConstant, "\(subject) cannot change over time", at: it.span)
      }
      if let range, !range.contains(number) {
        let format = NumberFormat()
        throw site.report(
          .outOfRange, "'\(name)' of '\(site.call.name)' is \(format.text(number))", at: it.span,
          label: "expected \(format.text(range.lowerBound)) to \(format.text(range.upperBound))")
      }
      return number
    }
  }
}

extension Parameter<String> {
  /// Returns a parameter that accepts a constant text. `help` explains how to use a text that
  /// changes.
  static func text(_ name: String, help: String? = nil) -> Parameter {
    of(name, .text) { site, it throws(Reported) in
      try site.need(site.checker.asConstantText(it.value, it.span, help: help))
    }
  }
}

extension Parameter<PointModel> {
  /// Returns a parameter that accepts a point in pixels, or an element for its center. Percentages
  /// are relative to the reference size for points.
  static func point(_ name: String) -> Parameter {
    of(name, .pair) { site, it throws(Reported) in
      let size = site.size
      return try site.need(
        site.checker.asPoint(it.value, it.span, in: site.context, width: size.0, height: size.1))
    }
  }
}

extension Parameter<ColorModel> {
  static func color(_ name: String) -> Parameter {
    of(name, .color) { site, it throws(Reported) in
      try site.need(site.checker.asColor(it.value, it.span))
    }
  }
}

extension Parameter<[Value]> {
  static func list(_ name: String) -> Parameter {
    of(name, .list) { site, it throws(Reported) in
      guard case .list(let items) = it.value else {
        site.checker.mismatch("a list", it.value, at: it.span)
        throw site.checker.reports.expected(it.span)
      }
      return items
    }
  }
}

extension Parameter<[Expression]> {
  /// Returns a parameter that accepts any number of positional arguments, without evaluating them.
  static func many(_ name: String, _ type: ValueType) -> Parameter {
    Parameter(name, type, isMany: true) { site, _ in site.call.many }
  }
}

extension Parameter<Expression> {
  /// Returns a parameter that accepts an expression without evaluating it, for evaluation at other
  /// times.
  static func expression(_ name: String, _ type: ValueType = .value) -> Parameter {
    Parameter(name, type) { site, place throws(Reported) in try site.need(site.call[place]) }
  }
}

extension Parameter<Scope.Binding> {
  /// Returns a parameter that accepts a function of `count` parameters: declared, built-in or a
  /// lambda.
  static func function(_ name: String, taking count: Int) -> Parameter {
    Parameter(name, .function) { site, place throws(Reported) in
      let e = try site.need(site.call[place])
      return try site.need(site.checker.function(e, taking: count, site.context))
    }
  }
}

extension Parameter<[Value]> {
  /// Returns a parameter that accepts the sequence of a loop: a list, or the integers of a range.
  static func rounds(_ name: String) -> Parameter {
    Parameter(name, .list) { site, place throws(Reported) in
      let e = try site.need(site.call[place])
      return try site.need(site.checker.rounds(of: e, site.context))
    }
  }
}
