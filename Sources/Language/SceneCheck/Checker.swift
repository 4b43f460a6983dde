// SPDX-License-Identifier: MIT
import SceneDiagnostics
package import SceneGraphics
import SceneIR
import SceneLanguage
import SceneMath
package import SceneModel
import SceneLint
import SceneSyntax
import SceneText

/// The value of a param as text, from the command line or a row of data.
package struct GivenParameter: Sendable {
  package let name: String
  package let text: String
  /// Where it stands, in a row of data with such places.
  package let place: DataPlace?
  /// The row of data that it is from, as messages name it.
  package let row: String?

  package init(_ name: String, _ text: String, place: DataPlace? = nil, row: String? = nil) {
    self.name = name
    self.text = text
    self.place = place
    self.row = row ?? place?.description
  }

  /// As messages name it.
  var origin: String { row ?? "--set \(name)" }
}

/// What the caller of a check decides.
package struct CheckOptions: Sendable {
  /// What the file is checked for.
  package enum Purpose: Sendable {
    /// Its scene is to be drawn: a file without a scene is an error.
    case build
    /// A file that declares something is right without a scene: it is a library.
    case check
    /// Someone writes it: nothing need be there yet, and params without a value have one that stands
    /// in for it.
    case edit
  }

  package var purpose = Purpose.build
  /// The scene to build; the last of the file without it.
  package var sceneName: String?
  /// Values of params from outside; the last of a name counts.
  package var parameters: [GivenParameter] = []
  package var size: PixelSize?
  package var frameRate: FrameRate?
  package var limits = Limits()
  /// Asked every few hundred steps; a check that is no longer wanted ends without a result.
  package var isCancelled: (@Sendable () -> Bool)?
  /// Whether to keep what each name was found to mean.
  package var recordsNames = false
  /// Whether to keep the elements of the built scene with their places.
  package var recordsElements = false
  /// Whether to keep what each expression is, for as long as the session is there.
  package var recordsValues = false

  package init() {}
}

/// The greatest scenes that are accepted; each can be raised by `--limit name=value`.
package struct Limits: Hashable, Sendable {
  package var elements = 100_000
  package var nesting = 64
  /// What the stack has room for, twice.
  static let greatestNesting = 256
  package var source = 16 << 20
  /// Pixels of a side.
  package var side = 16_384
  /// Pixels of a frame.
  package var area = 64_000_000
  package var hours = 24.0
  package var frames = 10_000_000
  package var fps = 1000.0
  /// Points and control points of one path.
  package var path = 1_000_000
  /// Rounds of all loops and list comprehensions together.
  package var rounds = 500_000
  /// Values that are computed, in all scenes of the file together.
  package var steps = 4_000_000
  /// Characters of one value that is a text; what is shown has a limit of its own.
  package var characters = 1_000_000
  /// Cells of a table, those that its rows lack included.
  package var cells = CSVTable.greatestCount
  /// Steps that drawing a frame may take (`DrawingWork`).
  package var drawing = 4e9

  package init() {}

  /// Each limit's name and how it is set to a number that someone wrote.
  private static let table: KeyValuePairs<String, @Sendable (inout Limits, Double) -> Void> = [
    "elements": { $0.elements = count($1) },
    "nesting": { $0.nesting = min(count($1), Limits.greatestNesting) },
    "source": { $0.source = count($1) },
    "side": { $0.side = min(count($1), 32_767) },
    "area": { $0.area = count($1) },
    "hours": { $0.hours = min($1, 200) },
    "frames": { $0.frames = count($1) },
    "fps": { $0.fps = $1 },
    "path": { $0.path = count($1) },
    "rounds": { $0.rounds = count($1) },
    "steps": { $0.steps = count($1) },
    "characters": { $0.characters = count($1) },
    "cells": { $0.cells = count($1) },
    "drawing": { $0.drawing = $1 },
  ]

  package static let names = table.map(\.key)

  private static let greatest = 1e15

  private static func count(_ value: Double) -> Int { Int(max(0, min(value, greatest))) }

  /// How a limit becomes high enough: the next power of ten, since more may be in the way than is known
  /// where it is reached. `nil` for what no limit allows.
  static func raising(_ name: String, to value: Double) -> String? {
    var power = 10.0
    while power < value, power < greatest { power *= 10 }
    return value <= power ? "raise it with --limit \(name)=\(Int(power))" : nil
  }

  /// Sets a limit by its name; `false` when no limit has that name.
  package mutating func set(_ name: String, _ value: Double) -> Bool {
    guard let set = Limits.table.first(where: { $0.key == name })?.value else { return false }
    set(&self, value)
    return true
  }
}

/// The state of one check. Its parts lie in the extensions of the other files.
final class Checker {
  let options: CheckOptions
  let metrics: any TextMetrics
  let assets: any AssetProvider
  /// The SVGs that were read for their parts, by their paths.
  var vectors: [String: VectorDrawing] = [:]
  let reports = Reports()
  var builder = ProgramBuilder()
  /// The time for which values are computed: that of the frame, or of a scene inside it.
  var now: Scalar
  var instanceCount = 0
  /// Steps of work so far.
  var stepCount = 0
  /// Up to here nobody need be asked whether there are too many.
  var checkpoint = 0
  /// The constant sizes of fonts so far.
  var fontSizes: Set<Double> = []
  /// Values that are being computed, each for the one before.
  var depth = 0
  /// With the stack of 8 MiB that threads have, half of what may be needed.
  static let greatestDepth = 2000
  /// Rounds of loops so far.
  var roundCount = 0
  /// What is being computed.
  var running = Dependencies<StepKey>()
  var frameRate = FrameRate(30, 1)
  /// Whether an output copies pictures of clips as they are encoded.
  var isCopying = false
  /// Made when two words are compared for the first time.
  private(set) lazy var enumerations = allEnumerations()
  var lastBindingID = 0
  var functionDepth = 0
  /// Functions that were reported to call themselves; they are not called again.
  var endlessFunctions: Set<SourceSpan> = []
  /// Whether any element holds its clock in steps.
  var usesTimeSteps = false
  /// How many lengths of steps are being computed, for which no life need be known.
  var planning = 0
  /// Warnings that need lives, found meanwhile.
  var postponed: [() -> Void] = []
  /// Whether any file of the scene has a `change of`.
  var hasTargets: Bool { files.modules.contains(where: \.hasTargets) }
  /// What was measured of sounds.
  var measured: [LevelsKey: [Float]] = [:]
  var extents: [TextModel: (Int32, TextExtent?)] = [:]
  /// Formulas that are set, by all that they follow from.
  var formulas: [FormulaKey: Formula?] = [:]
  /// Where parts of them are.
  var formulaPlaces: [FormulaPlace: [[Int]]] = [:]
  /// Paths that become each other, matched if they stand still.
  var matchedPaths: [PathPair: (Path, Path)] = [:]
  var fileScope = Scope(parent: nil, owner: nil)
  let files = ModuleGraph()
  /// The scopes of bodies, which hold their elements and are held by them.
  var ownerScopes: [OwnerScope] = []
  /// The file that is built.
  var root: Module?
  /// Where what a name stands for is declared, by the place of the use, if that is to be kept.
  var foundNames: [SourceSpan: SourceSpan] = [:]
  /// Takes notes for the record of the scene, if one is wanted.
  var recording: SceneRecorder?
  /// Takes notes of what expressions are, for an editor.
  var seen: SeenValues?
  var record: SceneRecord?
  /// The element that is being looked at.
  var current: Instance?
  /// Names of declarations that were computed.
  var computedNames: Set<SourceSpan> = []
  /// Whether what is used is noted as such.
  var notesUses = true
  /// Places that were computed, and parts of the file that were not.
  var taken: Set<SourceSpan> = []
  var left: Set<SourceSpan> = []
  var untaken: [Untaken] = []
  /// The elements that stood in for others while it was checked.
  var doubles: [Instance] = []
  /// The names of all elements in the file that is built.
  private(set) lazy var elementNames = root?.elementNames ?? []
  /// The first `let` at each place, with its scope.
  var lets: [SourceSpan: (binding: LetBinding, scope: Scope)] = [:]
  /// Loops that may jump, of the scene that was read last.
  var openLoops: [OpenLoop] = []
  /// Elements that are named by others.
  var referredElements: Set<SourceSpan> = []
  /// For each file, its components with the name of an element kind, and the scopes that declare them.
  var replacedKinds: [FileID: [ElementKind: (DefinitionSyntax, Scope)]] = [:]
  /// Data files by their paths.
  var data: [String: Value] = [:]
  /// The tables of `lut`, by the paths of their files.
  var colorTables: [String: ColorTable] = [:]
  /// The boxes of texts that were asked for.
  var textBoxes: Set<StepKey> = []

  enum StepKey: Hashable {
    case start(Int)
    case end(Int)
    case property(Int, Property)
    case binding(Int)
    case box(Int)
    case placement(Int)
    case path(Int)
    case view(Int)
    case plan(Int)

    var isBox: Bool { if case .box = self { true } else { false } }
  }

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
    reports.report(current.map { atUse(diagnostic, $0) } ?? diagnostic)
  }

  /// An error in a component of the library is reported where the component is used: nobody can change
  /// the library.
  private func atUse(_ diagnostic: Diagnostic, _ element: Instance) -> Diagnostic {
    guard files.isOfLibrary(diagnostic.span) else { return diagnostic }
    var next: Instance? = element
    while let it = next {
      if it.definition != nil, !files.isOfLibrary(it.syntax.span) {
        return Diagnostic(
          diagnostic.code, diagnostic.message, at: it.syntax.headSpan, label: diagnostic.label,
          notes: diagnostic.notes + [Note("found in '\(it.kindName)'", at: diagnostic.span)])
      }
      next = it.parent
    }
    return diagnostic
  }

  /// Reports an error and answers poison, so that a rule ends in one line.
  @discardableResult
  func report(
    _ code: Code, _ message: String, at span: SourceSpan, label: String = "",
    notes: [Note] = [], help: String? = nil
  ) -> Value {
    var diagnostic = Diagnostic(code, message, at: span, label: label, notes: notes)
    if let help { diagnostic.notes.append(Note(help: help)) }
    return .poison(report(diagnostic))
  }

  /// Poison for something that was reported where it was found.
  func poison(_ span: SourceSpan) -> Value { .poison(reports.expected(span)) }

  /// Without what only follows from errors of the syntax.
  func relevant() -> [Diagnostic] {
    // It may have been passed while something was only tried.
    var list = reports.all + (reports.passedLimit.map { [$0] } ?? [])
    let unknown: Set<Code> = [.unknownName, .unknownFunction, .unknownElement]
    for module in files.modules where module.isIncomplete {
      let file = module.parsed.tree.file.id
      list.removeAll { $0.span.file == file && unknown.contains($0.code) }
    }
    for module in files.modules where !module.parsed.diagnostics.isEmpty {
      list = relevant(list, beside: module.parsed)
    }
    return list
  }

  private func relevant(_ diagnostics: [Diagnostic], beside parsed: Parsed) -> [Diagnostic] {
    let consequences: Set<Code> = [
      .unknownName, .missingProperty, .noLength, .noScene, .unknownFunction, .unknownElement,
    ]
    let file = parsed.tree.file
    let broken = Set(parsed.diagnostics.map { file.lineIndex(at: $0.span.start) })
    let brokenText = broken.map { line in
      let range = file.lineRange(line)
      return file.text(file.span(range.lowerBound, range.upperBound))
    }
    return diagnostics.filter { diagnostic in
      guard diagnostic.span.file == file.id else { return true }
      if broken.contains(file.lineIndex(at: diagnostic.span.start)) { return false }
      guard consequences.contains(diagnostic.code) else { return true }
      // What is unknown may be declared in a line that could not be read.
      let name = file.text(diagnostic.span)
      let isUnknown = ![.missingProperty, .noLength, .noScene].contains(diagnostic.code)
      return isUnknown && !brokenText.contains { $0.contains(name) }
    }
  }

  /// Computes something that may ask for itself: then the cycle is reported once, and the result is `nil`.
  func step<T>(
    _ key: StepKey, _ description: @autoclosure @escaping () -> String, _ span: SourceSpan,
    _ body: () -> T
  ) -> T? {
    if let ring = running.ring(closedBy: key) {
      var cycle = Diagnostic(
        .cycle, "\(description()) depends on itself", at: ring[0].span,
        label: "the cycle begins here")
      for (index, step) in ring.enumerated() {
        let next = ring[(index + 1) % ring.count]
        cycle.notes.append(Note("\(step.describe()) depends on \(next.describe())", at: next.span))
      }
      if ring.allSatisfy(\.key.isBox) {
        // A text has no size; its percentages are the reason.
        let hasText = ring.contains { step in textBoxes.contains(step.key) }
        cycle.notes.append(
          Note(
            hasText
              ? "a percentage cannot refer to a width that depends on it: use the scene, such as scene.width * 0.8, or set 'size' on the outer element"
              : "a group without a size fills its containing box: set 'size: fit' on the inner group"
          ))
      }
      if !reports.all.contains(where: { $0.code == .cycle }) { report(cycle) }
      return nil
    }
    // The functions between two steps take more of the stack than those between two values.
    return deeper(span, by: 2) {
      running.begin(key, description, at: span)
      defer { running.end() }
      return body()
    }
  }

  /// The scope of a body, whose element is still to be given.
  func ownerScope(in parent: Scope) -> OwnerScope {
    let scope = OwnerScope(parent: parent)
    ownerScopes.append(scope)
    return scope
  }

  /// Lets go of elements and their scopes, which hold each other.
  func dismantleElements() {
    for scope in ownerScopes {
      scope.instance?.dismantle()
      scope.removeAll()
    }
    ownerScopes = []
    for it in doubles { it.dismantle() }
    doubles = []
  }

  /// Lets go of all that was made.
  func dismantle() {
    dismantleElements()
    files.dismantle()
    data = [:]
    lets = [:]
    untaken = []
  }

  /// What is written at a place.
  func text(at span: SourceSpan) -> String { files.text(at: span) }

  /// The text of a constant, or `nil`.
  func constantText(_ value: Value) -> String? {
    if case .cell(let cell) = value { return cell.text }
    guard case .text(let expression) = value, value.isConstant else { return nil }
    return Evaluator(Program(), metrics: metrics).text(expression)
  }
}
