// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
package import SceneTypes

/// The declaration of a built-in function: its name, parameters, result type, documentation and
/// body.
package final class BuiltIn: Sendable {
  /// The values besides the arguments that determine the result of a function.
  enum Reads {
    case nothing
    /// The seed of the scene.
    case seed
    /// The element or its clock, such as the box that percentages are relative to.
    case context
  }

  package let signature: FunctionSignature
  let parameterNames: [String]
  /// Whether the first parameter is variadic.
  let takesMany: Bool
  /// The documentation, in one sentence.
  package let summary: String
  /// Whether the result always changes over time.
  let moves: Bool
  /// The values besides the arguments that determine the result.
  let reads: Reads
  private let body: @Sendable (Site) throws(Reported) -> Value

  private init(
    _ name: String, _ parameters: [FunctionSignature.Parameter], gives result: ValueType,
    moves: Bool, reads: Reads, summary: String,
    body: @escaping @Sendable (Site) throws(Reported) -> Value
  ) {
    signature = FunctionSignature(name: name, parameters: parameters, result: result)
    parameterNames = parameters.map(\.name)
    takesMany = signature.takesMany
    self.summary = summary
    self.moves = moves
    self.reads = reads
    self.body = body
  }

  /// Declares a function of one parameter. This overload and the next one avoid the runtime cost of
  /// a parameter pack for the most frequent calls.
  convenience init<A>(
    _ name: String, taking parameter: Parameter<A>, gives result: ValueType, moves: Bool = false,
    reads: Reads = .context, summary: String,
    body: @escaping @Sendable (Site, A) throws(Reported) -> Value
  ) {
    self.init(name, [parameter.shape], gives: result, moves: moves, reads: reads, summary: summary)
    {
      site throws(Reported) in
      try body(site, parameter.value(at: site, 0))
    }
  }

  convenience init<A, B>(
    _ name: String, taking first: Parameter<A>, _ second: Parameter<B>, gives result: ValueType,
    moves: Bool = false, reads: Reads = .context, summary: String,
    body: @escaping @Sendable (Site, A, B) throws(Reported) -> Value
  ) {
    self.init(
      name, [first.shape, second.shape], gives: result, moves: moves, reads: reads, summary: summary
    ) {
      site throws(Reported) in
      let (a, b) = (first.result(at: site, 0), second.result(at: site, 1))
      return try body(site, a.get(), b.get())
    }
  }

  /// Declares a function whose `body` receives its converted arguments, in the order of the
  /// parameters. All arguments are evaluated before an error is thrown, so that each error is
  /// reported.
  convenience init<each T>(
    _ name: String, taking parameters: repeat Parameter<each T>, gives result: ValueType,
    moves: Bool = false, reads: Reads = .context, summary: String,
    body: @escaping @Sendable (Site, repeat each T) throws(Reported) -> Value
  ) {
    var shapes: [FunctionSignature.Parameter] = []
    for parameter in repeat each parameters { shapes.append(parameter.shape) }
    self.init(name, shapes, gives: result, moves: moves, reads: reads, summary: summary) {
      site throws(Reported) in
      var place = -1
      func next() -> Int {
        place += 1
        return place
      }
      let read = (repeat (each parameters).result(at: site, next()))
      return try body(site, repeat try (each read).get())
    }
  }

  /// Declares a function without parameters.
  convenience init(
    _ name: String, gives result: ValueType, summary: String,
    body: @escaping @Sendable (Site) throws(Reported) -> Value
  ) {
    self.init(
      name, [], gives: result, moves: false, reads: .context, summary: summary, body: body)
  }

  package var name: String { signature.name }
  /// Whether the function can be called only in a pixel function.
  package var readsPixels: Bool { name == "sample" }
  /// Whether the function can be called only in an `expect`.
  package var readsVideo: Bool { BuiltIn.namesOfExpectations.contains(name) }
  package var parameters: [FunctionSignature.Parameter] { signature.parameters }
  /// The result type.
  package var result: ValueType { signature.result }

  /// The signature for messages: `clamp(x, low, high)`.
  package var description: String { signature.description }

  /// Returns the result for the arguments of a call.
  func value(_ site: Site) -> Value {
    do throws(Reported) {
      if moves, let what = site.context.constantFor {
        throw site.checker.moving(what, site.call.span)
      }
      return try body(site)
    } catch {
      return .poison(error)
    }
  }

  /// All built-in functions by name.
  package static let all = NameTable(
    (numbers + angles + chance + lists + texts + paths + outlines + colors + gradients + filters
      + easings + times + sound + pixels + expectations).map { ($0.name, $0) })
}

/// A call of a built-in function, with its checker and context.
struct Site {
  let checker: Checker
  let call: Call
  let context: Context

  /// The builder of program nodes.
  var builder: ProgramBuilder {
    get { checker.builder }
    nonmutating _modify { yield &checker.builder }
  }

  /// Reports an error, by default at the call.
  func report(
    _ code: Code, _ message: String, at span: SourceSpan? = nil, label: String = "",
    help: String? = nil
  ) -> Reported {
    var diagnostic = Diagnostic(code, message, at: span ?? call.span, label: label)
    if let help { diagnostic.notes.append(Note(help: help)) }
    return checker.report(diagnostic)
  }

  /// Evaluates an expression. Throws if the result is poison.
  func evaluate(_ e: Expression, words: Set<String> = []) throws(Reported) -> Value {
    try evaluate(e, words: words, pathUse: context.pathUse)
  }

  /// Evaluates an expression in which elements evaluate to outlines or centers.
  func evaluate(_ e: Expression, words: Set<String> = [], pathUse: PathUse?) throws(Reported)
    -> Value
  {
    var c = context
    if c.pathUse != pathUse { c.pathUse = pathUse }
    let value = checker.evaluate(e, c, words: words)
    if value.isPoison { throw checker.reports.expected(e.span) }
    return value
  }

  /// Unwraps the result of a conversion. Throws if the conversion reported an error.
  func need<T>(_ converted: T?) throws(Reported) -> T {
    guard let converted else { throw checker.reports.expected(call.span) }
    return converted
  }

  /// Returns the time since the start of the element, in ticks.
  func local() throws(Reported) -> Scalar {
    let begin = try need(checker.start(of: context.owner, call.span))
    return builder.subtract(context.now, .constant(Double(begin.rawValue)))
  }
}
