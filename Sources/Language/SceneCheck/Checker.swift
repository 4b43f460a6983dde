// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneGraphics
import SceneIR
import SceneLanguage
import SceneLint
import SceneMath
package import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The value of a param as text, from the command line or a row of a data file.
package struct GivenParameter: Sendable {
  package let name: String
  package let text: String
  /// The location of the value, if the data file provides locations.
  package let place: DataPlace?
  /// The name of the row in messages, if the value comes from a data file.
  package let row: String?

  package init(_ name: String, _ text: String, place: DataPlace? = nil, row: String? = nil) {
    self.name = name
    self.text = text
    self.place = place
    self.row = row ?? place?.description
  }

  /// The source of the value in messages.
  var origin: String { row ?? "--set \(name)" }
}

/// The options of a check.
package struct CheckOptions: Sendable {
  /// The purpose of a check.
  package enum Purpose: Sendable {
    /// Rendering. A file without a scene is an error.
    case build
    /// Checking. A file with declarations and without a scene is a valid library.
    case check
    /// Editing. The file may be incomplete, and params without a value have a stand-in.
    case edit
  }

  package var purpose = Purpose.build
  /// The name of the scene to build. By default, the last scene of the file.
  package var sceneName: String?
  /// The param values that are given outside the file, as with `--set`. For a duplicate name, the
  /// last value takes precedence.
  package var parameters: [GivenParameter] = []
  package var size: PixelSize?
  package var frameRate: FrameRate?
  /// Whether an output has chosen the frame rate, which need not suit the clips of the scene.
  package var isRateOfOutput = false
  package var limits = Limits()
  /// The project of the file, unless the file itself declares it.
  package var project: ProjectFile?
  /// Called every few hundred steps. If it returns `true`, the check ends without a result.
  package var isCancelled: (@Sendable () -> Bool)?
  /// Whether to record the declaration of each name.
  package var recordsNames = false
  /// Whether to record the elements of the built scene with their spans.
  package var recordsElements = false
  /// Whether the caller proves the expectations itself.
  package var leavesExpectations = false
  /// Whether to record the values and types of expressions, for the lifetime of the session.
  package var recordsValues = false
  /// Whether the process ends after the check, which frees its memory faster than the session does.
  package var endsProcess = false

  package init() {}

  /// Returns the options that evaluate a variant of a scene.
  package func evaluating(_ variant: SceneVariant, of model: SceneModel) -> CheckOptions {
    var options = self
    if variant.size != model.size { options.size = variant.size }
    if variant.frameRate != model.frameRate {
      options.frameRate = variant.frameRate
      options.isRateOfOutput = true
    }
    return options
  }
}

/// The state of one check. Extensions in other files contain the phases.
final class Checker {
  let options: CheckOptions
  let metrics: any TextMetrics
  let assets: any AssetProvider
  /// The SVG files whose parts are used, by path.
  var vectors: [String: VectorDrawing] = [:]
  let reports = Reports()
  var builder = ProgramBuilder()
  /// The time at which expressions are evaluated: the frame time, or the time of a nested scene.
  var now: Scalar
  var instanceCount = 0
  /// The steps of work so far.
  var stepCount = 0
  var memory = ValueMemory()
  var characterTables = CharacterTables()
  /// The step count at which `poll` next checks for cancellation and the limit.
  var checkpoint = 0
  /// The distinct constant font sizes so far.
  var fontSizes: Set<Double> = []
  /// The ASCII characters of each font in texts without warnings. The fonts have the size 0.
  var coveredCharacters: [FontSpec: Set<UInt8>] = [:]
  /// The axes that were reported as missing, with the family and the place.
  var missingAxes: Set<String> = []
  /// The depth of nested evaluations.
  var depth = 0
  /// The maximum depth of nested evaluations, which use at most half of the 8 MiB stack of a
  /// thread.
  static let greatestDepth = 2000
  /// The number of rounds of all loops so far.
  var roundCount = 0
  /// The evaluations in progress, for the detection of cycles.
  var running = Dependencies<StepKey>()
  var frameRate = FrameRate(30, 1)
  /// Whether an output copies encoded video from clips.
  var isCopying = false
  /// The enumerations, which are computed for the first comparison of two words.
  private(set) lazy var enumerations = allEnumerations()
  var lastBindingID = 0
  /// The calls of declared functions in progress.
  var calls: [(function: Name, span: SourceSpan)] = []
  /// Functions with reported endless recursion, which are not called again.
  var endlessFunctions: Set<SourceSpan> = []
  /// Whether any element quantizes its clock.
  var usesTimeSteps = false
  /// The missing files with placeholders in all scenes of the file.
  var missingClips: [MissingClip] = []
  /// The number of nested computations of step durations, which must not require lifetimes.
  var planning = 0
  /// Warnings that depend on lifetimes, postponed until these are known.
  var postponed: [() -> Void] = []
  /// Whether any file of the scene contains a `change of`.
  var hasTargets: Bool { files.modules.contains(where: \.hasTargets) }
  /// The warning about each description that overlaps speech, or `nil`, with the depth of the
  /// description. A scene that another one plays has the warnings of the outer scene.
  var coveredSpeech: [SourceSpan: (depth: Int, warning: Diagnostic?)] = [:]
  /// Facts about files that a build reports, such as estimated times.
  var remarks: [String] = []
  /// The files with a warning about samples that are NaN or infinite.
  var soundsWithInvalidSamples: Set<String> = []
  /// Whether any file of the scene contains an `expect`.
  var hasExpectations: Bool { files.modules.contains(where: \.hasExpectations) }
  /// The measurements of the expectations.
  var measurements = MeasurementTable()
  /// Cached measurements of sounds.
  var measured: [LevelsKey: [Float]] = [:]
  var extents: [TextModel: (Int32, TextExtent?)] = [:]
  /// The models of texts whose spans are measured, by element.
  var spanTexts: [Int: TimeMap<TextModel>] = [:]
  /// Typeset formulas, keyed by all their inputs.
  var formulas: [FormulaKey: Formula?] = [:]
  /// The order in which effects write the glyphs of formulas.
  var formulaRanks: [RankKey: [Int: Int]] = [:]
  /// The glyph indices of formula parts, one list per occurrence.
  var formulaPlaces: [FormulaPlace: [[Int]]] = [:]
  /// Pairs of constant paths, matched for morphing.
  var matchedPaths: [PathPair: (Path, Path)] = [:]
  var fileScope = Scope(parent: nil, owner: nil)
  let files = ModuleGraph()
  /// The scopes of bodies. A scope and its element retain each other.
  var ownerScopes: [OwnerScope] = []
  /// The file to build.
  var root: Module?
  /// The file `project.scene` that applies to the file to build.
  var project: Module?
  var projectSyntax: ProjectSyntax?
  /// The span of the name in its declaration, by the span of each name that refers to it; empty
  /// without `recordsNames`.
  var foundNames: [SourceSpan: SourceSpan] = [:]
  /// Records the elements of the scene, if requested.
  var recording: SceneRecorder?
  /// Whether the record is that of the built scene, and requested.
  var keepsRecord = false
  /// Records the values of expressions, if requested by an editor.
  var seen: SeenValues?
  var record: SceneRecord?
  /// The element under evaluation, for the location of errors.
  var current: ElementNode?
  /// The static types of the program, as soon as all files are loaded.
  var typed: TypedProgram?
  /// The loops of the last scene that may jump where they restart.
  var openLoops: [OpenLoop] = []
  /// The elements that other elements refer to.
  var referredElements: Set<SourceSpan> = []
  /// The components of each file with the name of an element kind, and the scopes that declare
  /// them.
  var replacedKinds: [FileID: [ElementKind: (DefinitionSyntax, Scope)]] = [:]
  /// The data files by path.
  var data: [String: Value] = [:]
  /// The tables of `lut` by path.
  var colorTables: [String: ColorTable] = [:]
  /// The reads of parameters that changes may animate.
  var parameterReads = ParameterReads(names: [])
  /// Highlighted code by its language and its text.
  var codeTexts: [CodePiece: CodeText] = [:]
  /// The text boxes that were requested.
  var textBoxes: Set<StepKey> = []
  /// The number of cycles that were found. Their values are not cached, so finding all of them can
  /// take exponential time.
  private var ringCount = 0
  private static let mostRings = 1000
  /// The boxes of groups that fill the box of their parent.
  var fillingBoxes: Set<StepKey> = []
  /// The paths with points that depend on the size of a box, with that box.
  var relativePaths: [StepKey: StepKey] = [:]

  init(options: CheckOptions, metrics: any TextMetrics, assets: any AssetProvider) {
    self.options = options
    self.metrics = metrics
    self.assets = assets
    now = builder.make(.now)
    seen = options.recordsValues ? SeenValues() : nil
    setCheckpoint()
  }

  // MARK: Errors

  @discardableResult
  func report(_ diagnostic: Diagnostic) -> Reported {
    let isOfLibrary = files.isOfLibrary(diagnostic.span)
    return reports.report(
      atChange(diagnostic) ?? (isOfLibrary ? atUse(diagnostic) : ofArgument(diagnostic)))
  }

  /// Names the parameter in an error about an argument that must be constant. The words of the
  /// component that require it, such as `over`, are not in the source at the argument. An error
  /// with a specific label is about the argument itself and remains unchanged.
  private func ofArgument(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.code == .notConstant, ["", Checker.movingLabel].contains(diagnostic.label)
    else { return diagnostic }
    for use in sequence(first: current, next: { $0?.parent }).compactMap({ $0 }) {
      guard let definition = use.definition else { continue }
      for case .property(let argument) in use.syntax.items
      where argument.value.span == diagnostic.span
        && definition.parameters.contains(where: { $0.name.text == argument.name.text })
      {
        return Diagnostic(
          .notConstant,
          "'\(argument.name.text)' of '\(definition.name.text)' cannot change over time",
          at: diagnostic.span, label: "a value that depends on it must be constant",
          notes: [Note(diagnostic.message)] + diagnostic.notes, fixIts: diagnostic.fixIts)
      }
    }
    return diagnostic
  }

  /// Reports the first limit that is exceeded.
  func exceeded(_ limit: String, _ message: String, at span: SourceSpan, raisedTo value: Int?) {
    reports.exceeded(limit, message, at: span, raisedTo: value) {
      files.isOfLibrary($0.span) ? atUse($0) : $0
    }
  }

  /// Moves an error inside a component or function of the library to its use, since users cannot
  /// change the library: to the argument that the value depends on, if it is the only one.
  private func atUse(_ diagnostic: Diagnostic) -> Diagnostic {
    func moved(to span: SourceSpan, from name: String) -> Diagnostic {
      Diagnostic(
        diagnostic.code, diagnostic.message, at: span, label: diagnostic.label,
        notes: diagnostic.notes + [Note("found in '\(name)'", at: diagnostic.span)])
    }
    if let call = calls.last(where: { !files.isOfLibrary($0.span) }) {
      return moved(to: call.span, from: call.function.text)
    }
    var next = current
    while let it = next {
      if let definition = it.definition, !files.isOfLibrary(it.syntax.span) {
        let whole = moved(to: it.syntax.headSpan, from: it.kindName)
        return atArgument(whole, from: diagnostic, of: definition) ?? whole
      }
      next = it.parent
    }
    return diagnostic
  }

  /// Moves an error to the argument that causes it. Returns `nil` if no single argument does.
  private func atArgument(
    _ moved: Diagnostic, from diagnostic: Diagnostic, of definition: DefinitionSyntax
  ) -> Diagnostic? {
    let place = calls.first { files.isOfLibrary($0.span) }?.span ?? diagnostic.span
    let search = BlameSearch(files: files)
    guard let argument = search.argument(of: place, in: current) else { return nil }
    let (name, component) = (argument.parameter.text, definition.name)
    guard diagnostic.code == .notConstant else {
      return Diagnostic(
        diagnostic.code, diagnostic.message, at: argument.value.span,
        label: diagnostic.label.isEmpty ? "the value of '\(name)'" : diagnostic.label,
        notes: moved.notes)
    }
    var notes = [Note(diagnostic.message, at: diagnostic.span)]
    let advice = search.advice(onChanging: name, of: component.text, in: component.span.file)
    if let advice { notes.append(Note(help: advice)) }
    return Diagnostic(
      diagnostic.code, "'\(name)' of '\(component.text)' cannot change over time",
      at: argument.value.span, label: "a value that depends on it must be constant", notes: notes)
  }

  /// Reports an error and returns poison, so that a rule can report and return in one expression.
  @discardableResult
  func report(
    _ code: Code, _ message: String, at span: SourceSpan, label: String = "",
    notes: [Note] = [], help: String? = nil
  ) -> Value {
    var diagnostic = Diagnostic(code, message, at: span, label: label, notes: notes)
    if let help { diagnostic.notes.append(Note(help: help)) }
    return .poison(report(diagnostic))
  }

  /// Returns poison for an error that was already reported.
  func poison(_ span: SourceSpan) -> Value { .poison(reports.expected(span)) }

  /// Returns the diagnostics that are not consequences of syntax errors.
  func relevant() -> [Diagnostic] {
    // The limit may have been exceeded inside `trying`, which discards diagnostics.
    var list = merged() + (reports.passedLimit.map { [$0] } ?? [])
    let unknown: [Code] = [.unknownName, .unknownFunction, .unknownElement]
    for module in files.modules where module.isIncomplete {
      let file = module.parsed.tree.file.id
      list.removeAll { $0.span.file == file && unknown.contains($0.code) }
    }
    for module in files.modules where !module.parsed.diagnostics.isEmpty {
      list = relevant(list, beside: module.parsed)
    }
    return list
  }

  /// Returns the errors of the typer and those of evaluation without duplicates.
  ///
  /// Name errors have the message of the typer, which knows all names. Type errors have the message
  /// of evaluation, which knows the values; in code that is not evaluated, they have the message of
  /// the typer.
  private func merged() -> [Diagnostic] {
    guard !reports.isCancelled, let typed else { return reports.all }
    let evaluated = reports.all.filter {
      $0.severity != .error || !typed.invalidNames.contains($0.span)
    }
    let places = evaluated.filter { $0.severity == .error }.map(\.span)
    let added = typed.typeErrors.filter { error in
      !places.contains {
        $0.file == error.span.file && $0.start <= error.span.start && error.span.end <= $0.end
      }
    }
    return evaluated + typed.nameErrors + added
  }

  /// Returns the diagnostics without those that probably follow from the syntax errors of a file:
  /// those on the same lines, and those about names and missing values, since a broken line may
  /// declare anything.
  private func relevant(_ diagnostics: [Diagnostic], beside parsed: Parsed) -> [Diagnostic] {
    let file = parsed.tree.file
    let lines = Set(parsed.diagnostics.map { file.lineIndex(at: $0.span.start) })
    return diagnostics.filter { diagnostic in
      guard diagnostic.span.file == file.id else { return true }
      return !diagnostic.code.mayFollowFromSyntax
        && !lines.contains(file.lineIndex(at: diagnostic.span.start))
    }
  }

  /// Evaluates `body` unless it depends on itself. In that case, reports the cycle once and returns
  /// `nil`.
  func step<T>(
    _ key: StepKey, _ description: @autoclosure @escaping () -> String, at span: SourceSpan,
    body: () -> T
  ) -> T? {
    if ringCount > Checker.mostRings { return nil }
    if let ring = running.ring(closedBy: key) {
      ringCount += 1
      if let speed = ring.first(where: \.key.isSpeed) {
        reportCycle(ofSpeed: speed.span)
        return nil
      }
      if reports.all.contains(where: { $0.code == .cycle }) { return nil }
      var cycle = Diagnostic(
        .cycle, "\(description()) depends on itself", at: ring[0].span,
        label: "the cycle begins here")
      for (index, step) in ring.enumerated() {
        let next = ring[(index + 1) % ring.count]
        cycle.notes.append(Note("\(step.describe()) depends on \(next.describe())", at: next.span))
      }
      if let advice = advice(onCycle: ring) { cycle.notes.append(Note(advice)) }
      report(cycle)
      return nil
    }
    // Stack frames between two steps are larger than those between two values.
    return deeper(span, by: 2) {
      running.begin(key, description, at: span)
      defer { running.end() }
      return body()
    }
  }

  /// Creates the scope of a body. The caller sets its element later.
  func ownerScope(in parent: Scope) -> OwnerScope {
    let scope = OwnerScope(parent: parent)
    ownerScopes.append(scope)
    return scope
  }

  /// Breaks the reference cycles between elements and their scopes.
  func dismantleElements() {
    for scope in ownerScopes {
      scope.instance?.dismantle()
      scope.removeAll()
    }
    ownerScopes = []
  }

  /// Releases all intermediate results and breaks their reference cycles.
  func dismantle() {
    dismantleElements()
    files.dismantle()
    data = [:]
  }

  func text(at span: SourceSpan) -> String { files.text(at: span) }

  /// Returns the text of a constant, or `nil` if the value is not constant.
  func constantText(_ value: Value) -> String? {
    if case .cell(let cell) = value { return cell.text }
    guard case .text(let expression) = value, value.isConstant else { return nil }
    return Evaluator(Program(), metrics: metrics).text(expression)
  }
}
