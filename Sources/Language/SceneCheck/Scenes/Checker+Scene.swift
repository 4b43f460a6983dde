// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

// Creation of the model of one scene from the declarations of a file.
extension Checker {
  func run(_ parsed: Parsed) -> SceneModel? {
    let file = parsed.tree.file
    guard file.bytes.count <= options.limits.source else {
      report(
        .limitExceeded,
        "the file has \(file.bytes.count) bytes, more than the limit of \(options.limits.source)",
        at: file.span(0, 0), label: "exceeds the limit 'source'",
        help: Limits.raising("source", to: Double(file.bytes.count)))
      return nil
    }
    files.add(file)
    loadPrelude()
    loadProject(of: parsed)
    let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
    files.loading.begin(name, { name }, at: file.span(0, 0))
    let module = load(parsed, path: name, isRoot: true)
    files.loading.end()
    let scenes = module.scenes
    fileScope = module.scope
    root = module
    typed = typedProgram()
    parameterReads = ParameterReads(names: namesOfChangedParameters())
    checkGivenParameters(file)
    checkProject(of: module)
    guard let syntax = chosenScene(scenes, file) else {
      return nil
    }
    // Errors in scenes that are not built also count as errors of the file.
    var model: SceneModel?
    for scene in scenes where !reports.isClosed {
      resetForScene()
      keepsRecord = options.recordsElements && scene === syntax
      // Expectations find their elements in the model by the record.
      if keepsRecord || hasExpectations { recording = SceneRecorder() }
      let made = sceneModel(scene)
      if scene === syntax { model = made }
      recording = nil
    }
    warnOfPlaceholders()
    reportCoveredSpeech()
    return model
  }

  /// Resets the state for the next scene. Counts for limits continue, since they apply to the file.
  private func resetForScene() {
    dismantleElements()
    // Editors show the values of all scenes, unless these require much memory.
    let keepsValues = seen != nil && memory.total < options.limits.memory / 8
    seen?.end(builder.program, keepsValues: keepsValues)
    builder = ProgramBuilder()
    _ = builder.make(.now)
    memory.endScene(keepsValues: keepsValues)
    extents = [:]
    formulaRanks = [:]
    measurements = MeasurementTable()
    openLoops = []
    parameterReads = ParameterReads(names: parameterReads.names)
    postponed = []
    remarks = []
    soundsWithInvalidSamples = []
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
          noteName(name, it)
        } else {
          noteName(name)
        }
      case .fn: noteName(name, isFunction: true)
      case .definition: noteName(name)
      case .scene, .project, .importDecl: noteShadow(name)
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
        name, type: type, value: value, at: span, given: given,
        shared: isRoot ? sharedValue(of: name) : nil, standsIn: standsIn)
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
    case .project(let project): module.projects.append(project)
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
    if let root, !root.projects.isEmpty {
      report(
        Diagnostic(
          .noScene, "the file has no scene", at: file.span(0, 0),
          label: "a project holds settings for scenes in other files",
          notes: [Note(help: "build a scene in the folder of the project")]))
      return nil
    }
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

  /// Returns a context outside scenes, for values that may use only file-level names.
  func fileContext() -> Context {
    let syntax = ElementSyntax.empty
    let root = ElementNode(
      kind: .scene, syntax: syntax, parent: nil, scope: fileScope, definition: nil, id: -1)
    root.isElaborated = true
    root.endTime = .zero
    return context(of: root, now: now).with { $0.constantFor = "a value outside a scene" }
  }

  // MARK: The scene

  private func sceneModel(_ syntax: ElementSyntax) -> SceneModel? {
    let scope = ownerScope(in: fileScope)
    let root = ElementNode(
      kind: .scene, syntax: syntax, parent: nil, scope: scope, definition: nil, id: 0)
    scope.instance = root
    let model = sceneModel(syntax, root)
    if keepsRecord, let recording { record = makeRecord(recording, of: root, model) }
    return model
  }

  private func sceneModel(_ syntax: ElementSyntax, _ root: ElementNode) -> SceneModel? {
    bindEarly(root)
    elaborate(root)
    if hasTargets { linkChanges(in: root) }
    checkPendingReads()
    let size = options.size ?? pixelSize(of: root)
    guard let end = self.end(of: root, root.span) else {
      // Continues, so that all other errors are reported as well.
      root.endTime = Ticks(Ticks.perSecond)
      _ = emitChildren(of: root)
      return nil
    }
    var outputs = outputs(of: root)
    if outputs.isEmpty { outputs = sharedOutputs(for: root) }
    isCopying = outputs.contains(where: \.copies)
    var model = SceneModel(
      name: syntax.name?.text, places: places(of: root), size: size, frameRate: frameRate,
      duration: end,
      background: background(of: root), elements: emitChildren(of: root), program: Program())
    if model.elements.contains(where: \.dependsOnEye) {
      model.perspective = perspective(of: root, now: now)
    }
    checkPendingReads()
    warnOfPostponed()
    checkFrameCount(model, root)
    let hearing = hearing(of: root, end)
    model.sound = soundModel(of: hearing.voices)
    model.captions = CaptionTrack.merged(hearing.captions)
    describe(&model, root)
    model.outputs = outputs
    model.descriptions = descriptions(of: hearing, in: model)
    warnOfCoveredSpeech(hearing, in: model, root)
    model.remarks = remarks
    checkCaptions(of: model)
    checkExcerpts(of: model)
    model.motionBlur = motionBlur(of: root)
    model.flashLimit = word(.flashLimit, of: root)
    model.program = finish(model)
    // Evaluated last, so that expectations cannot change the video.
    if hasExpectations { model.expectations = expectations(of: root, in: model) }
    return model
  }

  private func places(of root: ElementNode) -> ScenePlaces {
    func place(_ property: Property, in instance: ElementNode?) -> SourceSpan? {
      instance?.properties[property]?.value.span
    }
    return ScenePlaces(
      scene: root.span, size: options.size == nil ? place(.size, in: root) : nil,
      isSizeGiven: options.size != nil, background: place(.background, in: root),
      allowed: codesAllowed(at: root.span))
  }

  /// Returns the motion blur of a scene, or `nil` if it has none.
  private func motionBlur(of root: ElementNode) -> MotionBlur? {
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

  func background(of root: ElementNode) -> PaintModel? {
    guard let (value, span) = self.value(.background, of: root, now: now) else {
      return .color(ColorModel(.black))
    }
    return paint(value, at: span, in: root.boxes[now], of: root, now: now)
  }

  private func checkFrameCount(_ model: SceneModel, _ root: ElementNode) {
    guard model.frameCount > options.limits.frames else { return }
    report(
      Diagnostic(
        .limitExceeded,
        "the scene has \(model.frameCount) frames, more than the limit of \(options.limits.frames)",
        at: root.span, label: "exceeds the limit 'frames'",
        notes: [Note(help: "raise the limit with --limit frames=\(model.frameCount)")]))
  }

  private func describe(_ model: inout SceneModel, _ root: ElementNode) {
    checkAlternative(of: root)
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
      if let name = marker.syntax.name?.text { model.markers[name] = start }
    }
    model.chapters += chapters(in: root)
    model.chapters.sort { $0.start < $1.start }
  }

  private func finish(_ model: SceneModel) -> Program {
    var uses: [(Scalar, Range<Int64>)] = []
    let whole = 0..<max(1, model.duration.rawValue)
    model.background?.forEachScalar { uses.append(($0, whole)) }
    model.perspective?.forEachScalar { uses.append(($0, whole)) }
    func visit(_ elements: [ElementModel], within life: Range<Int64>) {
      for element in elements {
        let from = max(life.lowerBound, element.start.rawValue)
        let to = min(life.upperBound, element.end.rawValue)
        guard from < to else { continue }
        element.forEachScalar { if case .node = $0 { uses.append(($0, from..<to)) } }
        visit(element.children, within: from..<to)
        if !element.isPlain, let mask = element.style.mask {
          visit(mask.elements, within: from..<to)
        }
      }
    }
    visit(model.elements, within: whole)
    return builder.finish(uses: uses)
  }
}
