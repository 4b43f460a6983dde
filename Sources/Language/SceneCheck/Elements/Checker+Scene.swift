// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// From the declarations of a file to the model of one scene.
extension Checker {
  func run(_ parsed: Parsed) -> SceneModel? {
    let file = parsed.tree.file
    guard file.bytes.count <= options.limits.source else {
      report(
        Diagnostic(
          .limitExceeded,
          "the file has \(file.bytes.count) bytes, more than the limit of \(options.limits.source)",
          at: file.span(0, 0), label: "exceeds the limit 'source'"))
      return nil
    }
    files.add(file)
    loadPrelude()
    let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
    files.loading.begin(name, { name }, at: file.span(0, 0))
    let module = load(parsed, path: name, isRoot: true)
    files.loading.end()
    let scenes = module.scenes
    fileScope = module.scope
    root = module
    typed = typedProgram()
    checkGivenParameters(file)
    guard let syntax = chosenScene(scenes, file) else {
      if scenes.isEmpty { checkUncomputedNames(fileContext().owner) }
      return nil
    }
    // Errors in scenes that are not built are errors of the file as well.
    var model: SceneModel?
    for scene in scenes where !reports.isClosed {
      resetForScene()
      if options.recordsElements, scene === syntax { recording = SceneRecorder() }
      let made = sceneModel(scene)
      if scene === syntax { model = made }
      recording = nil
    }
    return model
  }

  /// Resets the state for the next scene. Counts for limits continue, since they apply to the file.
  private func resetForScene() {
    dismantleElements()
    // All other scopes, such as those of separately checked transitions, no longer exist.
    lets = lets.filter(\.value.scope.isFile)
    seen?.end(builder.program)
    builder = ProgramBuilder()
    _ = builder.make(.now)
    extents = [:]
    openLoops = []
    postponed = []
    referredElements = []
    for module in files.modules {
      for binding in module.scope.bindings.values {
        if case .expression(let it) = binding { it.known = [:] }
      }
    }
  }

  func declare(_ declaration: Declaration, in module: Module, isRoot: Bool) {
    let scope = module.scope
    func bind(_ name: Name, _ binding: Scope.Binding) {
      self.bind(name, binding, in: scope, describedAs: "file")
      guard isRoot else { return }
      switch declaration {
      case .param, .letDecl:
        if case .expression(let it) = binding {
          noteName(name, (it, scope))
        } else {
          noteName(name)
        }
      case .fn: noteName(name, isFunction: true)
      case .definition: noteName(name)
      case .scene, .importDecl: noteShadow(name)
      }
    }
    switch declaration {
    case .importDecl: break
    case .param(let name, let type, let value, _, let span):
      // Values from the command line apply to the file to build.
      let given = isRoot ? options.parameters.last { $0.name == name.text } : nil
      fileScope = scope
      let standsIn = isRoot && isUndrawn(module)
      if let binding = parameter(
        name, type: type, value: value, at: span, given: given, standsIn: standsIn)
      {
        bind(name, binding)
      }
    case .letDecl(let it):
      // Names in the value are resolved in its own file, wherever it is imported.
      bind(
        it.name,
        .expression(
          LetBinding(name: it.name, type: it.type, value: it.value, id: newID(), home: scope)))
    case .fn(let function): bind(function.name, .function(function, scope))
    case .definition(let it):
      if it.kind == .effect { checkDefinition(ofEffect: it) }
      if it.kind == .component, let kind = ElementKind(rawValue: it.name.text) {
        replace(kind, by: it, scope)
      }
      bind(it.name, .definition(it, scope))
    case .scene(let scene):
      if let name = scene.name { bind(name, .scene(scene, scope)) }
      module.scenes.append(scene)
    }
  }

  private func chosenScene(_ scenes: [ElementSyntax], _ file: SourceFile) -> ElementSyntax? {
    if let wanted = options.sceneName {
      if let scene = scenes.first(where: { $0.name?.text == wanted }) { return scene }
      let names = scenes.compactMap { $0.name?.text }
      var diagnostic = Diagnostic(
        .unknownScene, "unknown scene '\(wanted)'", at: file.span(0, 0))
      if let near = nearest(wanted, in: names) {
        diagnostic.notes.append(Note(help: "did you mean '\(near)'?"))
      }
      if !names.isEmpty {
        diagnostic.notes.append(Note("the scenes are \(names.joined(separator: ", "))"))
      }
      report(diagnostic)
      return nil
    }
    if let last = scenes.last { return last }
    if let root, isUndrawn(root) { return nil }
    report(
      Diagnostic(
        .noScene, "the file has no scene", at: file.span(0, 0),
        label: "a file without a scene is a library and cannot be rendered",
        notes: [Note(help: "add a scene: scene { for: 2s;  text \"Hello\" }")]))
    return nil
  }

  /// Returns whether the file may lack a scene and values for its params.
  private func isUndrawn(_ module: Module) -> Bool {
    options.purpose == .edit || options.purpose == .check && module.isLibrary
  }

  // MARK: Params

  private func parameter(
    _ name: Name, type: TypeSyntax?, value: Expression?, at span: SourceSpan,
    given: GivenParameter?, standsIn: Bool
  ) -> Scope.Binding? {
    if let type, type.isFunction {
      let diagnostic = report(
        .typeMismatch, "a 'param' cannot be a function", at: type.span,
        label: "cannot be set on the command line",
        help: "declare it with 'fn', or pass it to a component")
      return .value(diagnostic, name.span)
    }
    guard let given else {
      guard let value else {
        if standsIn { return .value(placeholder(of: type), name.span) }
        let diagnostic = report(
          .missingProperty, "the param '\(name.text)' has no value", at: name.span,
          label: "add a default, or set it with --set \(name.text)=…")
        return .value(diagnostic, name.span)
      }
      return .expression(
        LetBinding(name: name, type: type, value: value, id: newID(), home: fileScope))
    }
    let isText = type?.names.count == 1 && type?.names[0].text == "text"
    var result: Value
    if given.row != nil, given.text.isEmpty {
      result = emptyCell(given, isText: isText, value: value, of: name)
    } else if isText {
      result = .literal(given.text)
    } else {
      let written = SourceFile(id: span.file, name: "--set", text: "let value = \(given.text)")
      let parsed = parse(written)
      guard parsed.diagnostics.isEmpty,
        case .letDecl(let it)? = declarations(of: parsed.tree).first
      else {
        return .value(noValue(given, type: type, of: name), name.span)
      }
      result = evaluateGiven(it.value, type: type, of: name, given: given)
    }
    return .value(result, name.span)
  }

  /// Returns the value of an empty cell in a row: an empty text if the default of the param is one,
  /// otherwise an error. The default is for rows without the column. In a personalized video, a
  /// default in place of an empty cell would be an unnoticed error.
  private func emptyCell(
    _ given: GivenParameter, isText: Bool, value: Expression?, of name: Name
  ) -> Value {
    if isText, case .text(let parts)? = value?.kind, parts.isEmpty { return .literal("") }
    return report(
      .outOfRange, "\(given.origin): the cell of the param '\(name.text)' is empty", at: name.span,
      label: "requires a value in each row",
      help: isText
        ? "to allow empty cells, add an empty default: param \(name.text): text = \"\""
        : "fill in the cell, or remove the column to use the default")
  }

  /// Checks the ranges of params after all names are declared, since a range may use later names.
  func checkBounds(_ declared: [Declaration], in module: Module, isRoot: Bool) {
    for case .param(let name, _, let value, let bound?, _) in declared {
      fileScope = module.scope
      let given = isRoot ? options.parameters.last { $0.name == name.text } : nil
      if let given, case .value(let known, _)? = module.scope.bindings[name] {
        checkBound(known, bound, at: name.span, of: name, given: given)
      } else if let value {
        // An error in the default is reported where it is used.
        let (known, reports) = self.reports.trying { evaluate(value, fileContext()) }
        if reports.isEmpty { checkBound(known, bound, at: value.span, of: name, given: nil) }
      }
    }
  }

  /// Evaluates a param value that is given outside the file, as with `--set`. Its spans do not
  /// refer to the file, so errors are reported at the param.
  private func evaluateGiven(
    _ e: Expression, type: TypeSyntax?, of name: Name, given: GivenParameter
  ) -> Value {
    let (value, reports) = self.reports.trying {
      let value = evaluate(e, fileContext(), words: type?.words ?? [])
      return type.map { convert(value, to: $0, at: name.span) } ?? value
    }
    guard let first = reports.first else { return value }
    if first.code == .unknownName { return noValue(given, type: type, of: name) }
    var told = Diagnostic(
      .outOfRange, "\(given.origin): \(first.message)", at: name.span)
    told.notes = first.notes
    report(told)
    return poison(e.span)
  }

  private func noValue(_ given: GivenParameter, type: TypeSyntax?, of name: Name) -> Value {
    let names = type?.names.map(\.text) ?? []
    return report(
      .outOfRange,
      "\(given.origin): '\(visible(given.text))' is not a valid value for the param '\(name.text)'",
      at: name.span, label: names.isEmpty ? "" : "expected \(names.joined(separator: " or "))")
  }

  private func checkBound(
    _ value: Value, _ bound: Expression, at span: SourceSpan, of name: Name,
    given: GivenParameter?
  ) {
    guard case .quantity(.constant(let number), let d) = value,
      case .range(.quantity(.constant(let low), d), .quantity(.constant(let high), d)) = evaluate(
        bound, fileContext())
    else { return }
    if number < low || number > high {
      let origin = given.map { "\($0.origin): " } ?? ""
      _ = report(
        .outOfRange, "\(origin)'\(name.text)' is \(shown(number, d))", at: span,
        label: "expected \(shown(low, d)) to \(shown(high, d))")
    }
  }

  /// Formats a quantity as in a scene file.
  private func shown(_ number: Double, _ dimension: Dimension) -> String {
    switch dimension {
    case .time: Ticks(rounding: number)?.description ?? "?"
    case .angle: NumberFormat().text(number) + "deg"
    case .gain: NumberFormat().text(number) + "dB"
    default: NumberFormat().text(number)
    }
  }

  private func checkGivenParameters(_ file: SourceFile) {
    for name in options.parameters.map(\.name) where fileScope.bindings[name] == nil {
      var diagnostic = Diagnostic(
        .unknownName, "unknown param '\(visible(name))'", at: file.span(0, 0))
      if let near = nearest(name, in: fileScope.bindings.keys) {
        diagnostic.notes = [Note(help: "did you mean --set \(near)=…?")]
      }
      report(diagnostic)
    }
  }

  /// Returns a context outside scenes, for values that may use only file-level names.
  func fileContext() -> Context {
    let syntax = ElementSyntax.empty
    let root = Instance(
      kind: .scene, syntax: syntax, parent: nil, scope: fileScope, definition: nil, id: -1)
    root.isElaborated = true
    root.endTime = .zero
    return context(of: root, now: now).with { $0.constantFor = "a value outside a scene" }
  }

  // MARK: The scene

  private func sceneModel(_ syntax: ElementSyntax) -> SceneModel? {
    let scope = ownerScope(in: fileScope)
    let root = Instance(
      kind: .scene, syntax: syntax, parent: nil, scope: scope, definition: nil, id: 0)
    scope.instance = root
    let model = sceneModel(syntax, root)
    if let recording { record = makeRecord(recording, of: root, model) }
    return model
  }

  private func sceneModel(_ syntax: ElementSyntax, _ root: Instance) -> SceneModel? {
    bindEarly(root)
    elaborate(root)
    if hasTargets { linkChanges(in: root) }
    let size = options.size ?? pixelSize(of: root)
    guard let end = self.end(of: root, root.span) else {
      // Continues, so that all other errors are reported as well.
      root.endTime = Ticks(Ticks.perSecond)
      _ = emitChildren(of: root)
      return nil
    }
    let outputs = root.children.filter { $0.kind == .output }.map(outputSettings)
    isCopying = outputs.contains(where: \.copies)
    var model = SceneModel(
      name: syntax.name?.text, places: places(of: root), size: size, frameRate: frameRate,
      duration: end,
      background: background(of: root), elements: emitChildren(of: root), program: Program())
    warnOfPostponed()
    checkFrameCount(model, root)
    model.sound = soundModel(of: root, end)
    describe(&model, root)
    model.outputs = outputs
    model.motionBlur = motionBlur(of: root)
    model.program = finish(model)
    checkUncomputedNames(root)
    return model
  }

  private func places(of root: Instance) -> ScenePlaces {
    func place(_ property: Property, in instance: Instance?) -> SourceSpan? {
      instance?.properties[property]?.value.span
    }
    return ScenePlaces(
      scene: root.span, size: options.size == nil ? place(.size, in: root) : nil,
      isSizeGiven: options.size != nil, background: place(.background, in: root),
      allowed: codesAllowed(at: root.span))
  }

  /// Returns the motion blur of a scene, or `nil` if it has none.
  private func motionBlur(of root: Instance) -> MotionBlur? {
    guard let (value, span) = self.value(.motionBlur, of: root, now: now) else { return nil }
    if case .none = value { return nil }
    guard let angle = asAngle(value, span) else { return nil }
    guard let degrees = angle.constantValue else {
      _ = report(.notConstant, "'motion-blur' cannot change over time", at: span)
      return nil
    }
    guard (0...720).contains(degrees) else {
      _ = report(
        .outOfRange, "the shutter angle is \(NumberFormat().text(degrees))°", at: span,
        label: "expected 0deg to 720deg; film cameras use 180deg")
      return nil
    }
    let samples = wholeNumber(.samples, of: root, in: 2...128)
    return degrees > 0 ? MotionBlur(angle: degrees, samples: samples) : nil
  }

  /// Evaluates size and frame rate before the body, which may use them.
  ///
  /// A scene as an element has its own size, and the frame rate of the scene to build.
  func bindEarly(_ root: Instance) {
    let isBuilt = root.parent == nil
    if isBuilt { frameRate = options.frameRate ?? FrameRate(30, 1) }
    var size = PixelSize(1920, 1080)
    for case .property(let property) in root.syntax.items {
      let context = context(of: root, now: now).with { $0.constantFor = "'\(property.name.text)'" }
      let span = property.value.span
      func value() -> Value { evaluate(property.value, context) }
      switch KnownWords.properties[property.name] {
      case .size where options.size == nil || !isBuilt: size = readSize(value(), span) ?? size
      case .seed: root.seed = asNumber(value(), span)?.constantValue ?? 0
      case .fps where options.frameRate == nil && isBuilt: frameRate = readRate(value(), span)
      default: break
      }
    }
    if isBuilt { size = options.size ?? size }
    root.boxes[now] = BoxModel(
      x: .zero, y: .zero, width: .constant(Double(size.width)),
      height: .constant(Double(size.height)))
  }

  private func readSize(_ value: Value, _ span: SourceSpan) -> PixelSize? {
    guard case .pair(.quantity(.constant(let w), .none), .quantity(.constant(let h), .none)) = value
    else {
      mismatch("a size", value, at: span, help: "write a size such as 1920x1080")
      return nil
    }
    let limits = options.limits
    guard w >= 1, h >= 1, w == w.rounded(), h == h.rounded() else {
      _ = report(.outOfRange, "a size must be in whole pixels, at least 1x1", at: span)
      return nil
    }
    guard w <= Double(limits.side), h <= Double(limits.side) else {
      _ = report(
        .limitExceeded, "a side is longer than the limit of \(limits.side) pixels", at: span,
        label: "exceeds the limit 'side'")
      return nil
    }
    guard w * h <= Double(limits.area) else {
      _ = report(
        .limitExceeded, "the frame has more pixels than the limit of \(limits.area)", at: span,
        label: "exceeds the limit 'area'", help: "raise it with --limit area=\(Int(w * h))")
      return nil
    }
    return PixelSize(Int(w), Int(h))
  }

  private func readRate(_ value: Value, _ span: SourceSpan) -> FrameRate {
    let fallback = FrameRate(30, 1)
    guard case .quantity(.constant(let number), .none) = value else {
      mismatch("a number", value, at: span)
      return fallback
    }
    if number >= FrameRate.least, number <= options.limits.fps {
      if let rate = FrameRate(number) { return rate }
      // A quotient such as 30000/1001.
      let exact = (number * 1001).rounded()
      if abs(exact / 1001 - number) < 1e-9 { return FrameRate(Int64(exact), 1001) }
    }
    _ = report(
      .invalidFrameRate, "the frame rate cannot be \(NumberFormat().text(number))", at: span,
      label:
        "expected \(FrameRate.least) to \(Int(options.limits.fps)), with at most 3 decimals")
    return fallback
  }

  private func pixelSize(of root: Instance) -> PixelSize {
    guard let box = root.boxes[now], let w = box.width.constantValue,
      let h = box.height.constantValue
    else { return PixelSize(1920, 1080) }
    return PixelSize(Int(w), Int(h))
  }

  func background(of root: Instance) -> PaintModel? {
    guard let (value, span) = self.value(.background, of: root, now: now) else {
      return .color(ColorModel(.black))
    }
    return paint(value, at: span, in: root.boxes[now], of: root, now: now)
  }

  private func checkFrameCount(_ model: SceneModel, _ root: Instance) {
    guard model.frameCount > options.limits.frames else { return }
    report(
      Diagnostic(
        .limitExceeded,
        "the scene has \(model.frameCount) frames, more than the limit of \(options.limits.frames)",
        at: root.span, label: "exceeds the limit 'frames'",
        notes: [Note(help: "raise it with --limit frames=\(model.frameCount)")]))
  }

  private func describe(_ model: inout SceneModel, _ root: Instance) {
    func text(_ property: Property) -> String {
      guard let (value, span) = value(property, of: root, now: now) else { return "" }
      return asConstantText(value, span) ?? ""
    }
    model.title = text(.title)
    model.author = text(.author)
    model.comment = text(.comment)
    for marker in root.children where marker.kind == .marker {
      elaborate(marker)
      guard let start = self.start(of: marker, marker.span) else { continue }
      var title = marker.syntax.name?.text ?? ""
      if let (value, span) = self.value(.title, of: marker, now: now) {
        title = asConstantText(value, span) ?? title
      }
      if start < .zero || start >= model.duration {
        _ = report(
          .outOfRange, "the marker at \(start.description) is outside the scene",
          at: marker.span, label: "the scene ends at \(model.duration.description)")
      }
      model.chapters.append(Chapter(start: start, title: title))
    }
    model.chapters += chapters(in: root)
    model.chapters.sort { $0.start < $1.start }
  }

  private func outputSettings(_ output: Instance) -> OutputSettings {
    elaborate(output)
    var places: [String: SourceSpan] = [:]
    for property in output.properties.keys {
      places[property.name] = output.properties[property]?.value.span
    }
    if let track = output.children.first(where: { $0.kind == .soundTrack }) {
      places[Property.audio.name] = track.span
    }
    var settings = OutputSettings(output.syntax.name?.text, output.span, places: places)
    func word(_ property: Property) -> String? {
      guard let (value, span) = value(property, of: output, now: now),
        case .word(let words)? = use(of: property, in: output)?.type
      else { return nil }
      return asWord(value, span, from: words)
    }
    settings.codec = word(.codec)
    settings.profile = word(.profile)
    settings.preset = word(.preset)
    settings.pixelFormat = word(.pixelFormat)
    settings.isVariable = word(.frameRate) == "variable"
    if output.properties[.quality] != nil {
      settings.quality = constantNumber(.quality, of: output, in: 0...100)
    }
    if output.properties[.level] != nil {
      let level = constantNumber(.level, of: output, in: 1...6.2, or: 4)
      settings.level = NumberFormat().text(level)
    }
    settings.bitrate = bitrate(of: output, "1.2Mbps or 800kbps")
    settings.sound = soundOutput(of: output)
    if let (value, span) = self.value(.loop, of: output, now: now) {
      let rounds = rounds(value, span)
      settings.plays = rounds.isFinite ? Int(rounds) : 0
    }
    if let (value, span) = self.value(.size, of: output, now: now) {
      settings.size = readSize(value, span)
    }
    settings.fit = word(.fit).flatMap(FrameFit.init) ?? .contain
    settings.hasOwnLayout = word(.layout) == "own"
    settings.copies = bool(.copy, of: output, now: now).constantValue == 1
    return settings
  }

  private func finish(_ model: SceneModel) -> Program {
    var uses: [(Scalar, Range<Int64>)] = []
    let whole = 0..<max(1, model.duration.rawValue)
    model.background?.forEachScalar { uses.append(($0, whole)) }
    func visit(_ elements: [ElementModel], within life: Range<Int64>) {
      for element in elements {
        let from = max(life.lowerBound, element.start.rawValue)
        let to = min(life.upperBound, element.end.rawValue)
        guard from < to else { continue }
        element.forEachScalar { if case .node = $0 { uses.append(($0, from..<to)) } }
        visit(element.children + (element.style.mask?.elements ?? []), within: from..<to)
      }
    }
    visit(model.elements, within: whole)
    return builder.finish(uses: uses)
  }
}
