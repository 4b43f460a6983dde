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
  /// The work in proportion to the sizes of the arguments.
  package let cost: BuiltInCost
  private let body: @Sendable (Site) throws(Reported) -> Value

  private init(
    _ name: String, _ parameters: [FunctionSignature.Parameter], gives result: ValueType,
    moves: Bool, reads: Reads, cost: BuiltInCost, summary: String,
    body: @escaping @Sendable (Site) throws(Reported) -> Value
  ) {
    signature = FunctionSignature(name: name, parameters: parameters, result: result)
    parameterNames = parameters.map(\.name)
    takesMany = signature.takesMany
    self.summary = summary
    self.moves = moves
    self.reads = reads
    self.cost = cost
    self.body = body
  }

  /// Declares a function of one parameter. This overload and the next one avoid the runtime cost of
  /// a parameter pack for the most frequent calls.
  convenience init<A>(
    _ name: String, taking parameter: Parameter<A>, gives result: ValueType, moves: Bool = false,
    reads: Reads = .context, cost: BuiltInCost, summary: String,
    body: @escaping @Sendable (Site, A) throws(Reported) -> Value
  ) {
    self.init(
      name, [parameter.shape], gives: result, moves: moves, reads: reads, cost: cost,
      summary: summary
    ) {
      site throws(Reported) in
      try body(site, parameter.value(at: site, 0))
    }
  }

  convenience init<A, B>(
    _ name: String, taking first: Parameter<A>, _ second: Parameter<B>, gives result: ValueType,
    moves: Bool = false, reads: Reads = .context, cost: BuiltInCost, summary: String,
    body: @escaping @Sendable (Site, A, B) throws(Reported) -> Value
  ) {
    self.init(
      name, [first.shape, second.shape], gives: result, moves: moves, reads: reads, cost: cost,
      summary: summary
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
    moves: Bool = false, reads: Reads = .context, cost: BuiltInCost, summary: String,
    body: @escaping @Sendable (Site, repeat each T) throws(Reported) -> Value
  ) {
    var shapes: [FunctionSignature.Parameter] = []
    for parameter in repeat each parameters { shapes.append(parameter.shape) }
    self.init(name, shapes, gives: result, moves: moves, reads: reads, cost: cost, summary: summary)
    {
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
    _ name: String, gives result: ValueType, cost: BuiltInCost, summary: String,
    body: @escaping @Sendable (Site) throws(Reported) -> Value
  ) {
    self.init(
      name, [], gives: result, moves: false, reads: .context, cost: cost, summary: summary,
      body: body)
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

  /// The program nodes that a call makes without counting them as work.
  private static let uncountedNodes = 32

  /// Returns the result for the arguments of a call. Counts the memory of the result, and the
  /// program nodes that the call makes.
  func value(_ site: Site) -> Value {
    let checker = site.checker
    do throws(Reported) {
      if moves, let what = site.context.constantFor {
        throw checker.moving(what, site.call.span)
      }
      let before = checker.memory.recent
      let nodeCount = checker.builder.program.nodes.count
      let value = try checker.releasing { () throws(Reported) -> Value in try body(site) }
      let added = checker.builder.program.nodes.count - max(nodeCount, checker.memory.countedNodes)
      if added > BuiltIn.uncountedNodes {
        checker.memory.countedNodes = checker.builder.program.nodes.count
        checker.memory.cached += added * ValueMemory.node
        guard checker.reserve(0, site.call.span), checker.spend(added, site.call.span) else {
          throw checker.reports.expected(site.call.span)
        }
      }
      if [.list, .path, .paint].contains(signature.result) {
        // The body already counted a part of this memory.
        try site.reserve(max(0, value.storage + before - checker.memory.recent))
      }
      return value
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
    try charge(for: value)
    return value
  }

  /// Counts the steps for visiting an argument, by the cost of the function.
  func charge(for value: Value) throws(Reported) {
    let size: Int
    switch value {
    case .list(let items): size = items.count
    case .text(let text): size = text.size(atMost: checker.options.limits.characters)
    case .cell(let cell): size = cell.text.utf8.count
    default: return
    }
    var steps = call.function.cost.steps(size)
    if steps > 0, case .text(let text) = value { steps += text.partWork }
    if steps > 0 { try spend(steps) }
  }

  func spend(_ steps: Int) throws(Reported) {
    guard checker.spend(steps, call.span) else { throw checker.reports.expected(call.span) }
  }

  func reserve(_ bytes: Int) throws(Reported) {
    guard checker.reserve(bytes, call.span) else { throw checker.reports.expected(call.span) }
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
