// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneSession
import SceneText
import SceneTestSupport
import Testing

/// The file `project.scene` and the scenes below its folder.
@Suite("Projects", .cpuBudget(seconds: 1)) struct ProjectTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/videos/part", withIntermediateDirectories: true)
  }

  private func project(_ body: String) throws {
    try folder.write("project.scene", "project { \(body) }\n")
  }

  /// Writes and loads a scene with a body.
  private func load(
    _ body: String, declaring declarations: String = "", at path: String = "videos/part/a.scene",
    options: (inout LoadOptions) -> Void = { _ in }
  ) throws -> LoadedScene {
    let scene = try folder.write(
      path, "\(declarations)\nscene { size: 100x50; for: 1s; \(body) }\n")
    var it = LoadOptions()
    options(&it)
    return try Session(it).load(scene)
  }

  private func messages(_ scene: LoadedScene) -> [String] { scene.diagnostics.map(\.message) }

  private func names(_ scene: LoadedScene) -> [String] {
    scene.diagnostics.map { scene.sources[Int($0.span.file.rawValue)].name }
  }

  /// The name of the project in messages.
  private var name: String { folder.path.replacing("//", with: "/") + "/project.scene" }

  // MARK: Params

  /// Values come from the command line, else from the project, else from the file.
  @Test func paramsHaveAnOrder() throws {
    try project("params: (wide: 30, mode: dark, other: 1)")
    let declarations = """
      param wide: number = 10 in 0..50
      param high: number = 20
      param mode: light | dark = light
      """
    let body = "rect { size: (wide, high); fill: mode == dark ? black : white }"
    func box(_ options: (inout LoadOptions) -> Void = { _ in }) throws -> FrameProgram {
      let scene = try load(body, declaring: declarations, options: options)
      #expect(messages(scene) == [])
      var lowerer = Lowerer(try #require(scene.model), metrics: scene.metrics)
      return lowerer.lower(frame: 0)
    }
    let shared = try box()
    try project("")
    let own = try box()
    let given = try box {
      $0.check.parameters = [GivenParameter("wide", "30"), GivenParameter("mode", "dark")]
    }
    #expect(shared != own && shared == given)
    try project("params: (wide: 1, mode: dark)")
    let both = try box { $0.check.parameters = [GivenParameter("wide", "30")] }
    #expect(both == given)
  }

  /// A wrong value is an error at its place in the project.
  @Test func wrongParamsAreReportedInTheProject() throws {
    try project("params: (wide: 70, mode: purple)")
    let scene = try load(
      "rect { size: wide; opacity: mode == dark ? 1 : 0 }",
      declaring: "param wide: number = 10 in 0..50\nparam mode: light | dark = light")
    #expect(
      messages(scene) == ["'wide' is 70", "expected one of light, dark, found a color"])
    #expect(names(scene) == [name, name])
  }

  @Test func paramsAreExpressions() throws {
    try folder.write(
      "project.scene", "let base = 10\nproject { params: (wide: base * 3) }\n")
    let scene = try load("rect { size: wide }", declaring: "param wide: number")
    #expect(messages(scene) == [])
  }

  // MARK: The root

  /// All scenes may read files in the folder of the project, but not beyond it.
  @Test func theRootIsTheFolderOfTheProject() throws {
    let image = "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>"
    try folder.write("logo.svg", image)
    try folder.write("videos/logo.svg", image)
    let body = "image \"../../logo.svg\" { }"
    let outside = "'../../logo.svg' is outside the folder of the scene"
    #expect(try messages(load(body)) == [outside])
    try project("")
    #expect(try messages(load(body)) == [])
    #expect(
      try messages(load("image \"../../../logo.svg\" { }")) == [
        "'../../../logo.svg' is outside the folder of the scene"
      ])
    try project("root: \"videos\"")
    #expect(try messages(load(body)) == [outside])
    #expect(try messages(load("image \"../logo.svg\" { }")) == [])
    #expect(try messages(load(body) { $0.root = folder.path }) == [])
  }

  @Test(arguments: [
    ("root: \"/\"", "the root '/' is outside the folder of the project"),
    ("root: \"..\"", "the root '..' is outside the folder of the project"),
    ("root: \"videos/../..\"", "the root 'videos/../..' is outside the folder of the project"),
    ("root: \"missing\"", "folder 'missing' not found"),
    ("root: \"{1}\"", "'root' must be a literal text"),
    ("limits: (element: 3)", "unknown limit 'element'"),
    ("limits: (elements: 1 + 1)", "the limit 'elements' must be a literal number of at least 0"),
    ("limits: 5", "'limits' must be a literal record"),
    ("params: 5", "'params' must be a literal record"),
    ("params: (a: 1, a: 2)", "duplicate field 'a'"),
    ("fonts: 5", "the name of a font file must be a literal text"),
    ("limits: (elements: -1)", "the limit 'elements' must be a literal number of at least 0"),
    ("limits: (nesting: 257)", "the limit 'nesting' can be at most 256"),
    ("limits: (fps: 10_000_000)", "the limit 'fps' can be at most 1000000"),
    ("fonts: \"missing.ttf\"", "file 'missing.ttf' not found"),
    ("fonts: [\"videos/*.otf\"]", "no file matches 'videos/*.otf'"),
    ("root: \"project.scene\"", "folder 'project.scene' not found"),
    ("if true { root: \"videos\" }", "a project cannot contain loops or conditions"),
    ("}\nproject {", "the file declares two projects"),
    ("circle { }", "'project' cannot contain 'circle'"),
    ("radius: 3", "'radius' is not a property of 'project'"),
    ("output { codec: mpeg }", "unknown value 'mpeg'"),
  ])
  func wrongProjectsAreReported(_ body: String, _ message: String) throws {
    try project(body)
    let scene = try load("circle { }")
    #expect(messages(scene) == [message])
    #expect(names(scene) == [name])
    var options = LoadOptions()
    options.check.purpose = .check
    let alone = try Session(options).load(folder.path + "/project.scene")
    #expect(messages(alone) == [message])
  }

  @Test func aProjectHasItsOwnFile() throws {
    let scene = try load("circle { }", declaring: "project { }")
    #expect(messages(scene) == ["'project' must be in a file named 'project.scene'"])
    #expect(
      try messages(load("project { }"))
        == ["'project' must be at the top level of 'project.scene'"])
  }

  // MARK: Which project

  /// The nearest project applies alone. A file with that name but without a `project` declaration
  /// is ignored.
  @Test func theNearestProjectApplies() throws {
    try project("params: (wide: 70)")
    let declarations = "param wide: number = 10 in 0..50"
    let body = "rect { size: wide }"
    #expect(try messages(load(body, declaring: declarations)) == ["'wide' is 70"])
    try folder.write("videos/project.scene", "scene { for: 1s; circle { } }\n")
    #expect(try messages(load(body, declaring: declarations)) == ["'wide' is 70"])
    try folder.write("videos/project.scene", "project { }\n")
    #expect(try messages(load(body, declaring: declarations)) == [])
    #expect(try messages(load(body, declaring: declarations, at: "b.scene")) == ["'wide' is 70"])
  }

  /// The project is an input of the scene: `watch` repaints when it changes, and an editor replaces
  /// its text.
  @Test func theProjectIsAnInput() throws {
    try project("params: (wide: 20)")
    let path = name
    let scene = try load("rect { size: wide }", declaring: "param wide: number")
    #expect(scene.inputs.paths.contains(path))
    let text = Array("project { params: (wide: 1s) }".utf8)
    let open = try Session(LoadOptions()).load(scene.path, open: [path: text])
    #expect(messages(open) == ["expected a number, found a time"])
  }

  /// A project that appears is a change, as is one that is not valid yet.
  @Test func newProjectsAreNoticed() throws {
    let scene = try load("circle { }")
    #expect(!scene.inputs.haveChanged)
    try folder.write("videos/project.scene", "projct { }\n")
    #expect(scene.inputs.haveChanged)
    let other = try load("circle { }")
    #expect(!other.inputs.haveChanged)
    try folder.write("videos/project.scene", "project { params: (a: 1) }\n")
    #expect(other.inputs.haveChanged)
  }

  /// A link is not a project, since its owner may not have chosen its folder.
  @Test func linksAreNotProjects() throws {
    try folder.write("other.txt", "project { params: (wide: 70) }\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/project.scene", withDestinationPath: "other.txt")
    #expect(
      try messages(load("rect { size: wide }", declaring: "param wide: number = 10 in 0..50"))
        == [])
  }

  // MARK: Limits

  /// Limits below the defaults apply, limits above them only if the project is trusted, and those
  /// of the command line always.
  @Test func limitsMustBeTrusted() throws {
    let body = "for i in 0..200 { circle { } }"
    try project("limits: (elements: 100)")
    #expect(try messages(load(body)) == ["a loop has 200 iterations, more than the limit of 100"])
    #expect(try messages(load(body) { _ = $0.check.limits.set("elements", 300) }) == [])

    try project("limits: (elements: 200_000)")
    let loop = "text \"{sum([for i in 0..110_000: 1])}\" { font-size: 12 }"
    let refused = try load(loop)
    let notes = try #require(refused.diagnostics.first).notes.map(\.message)
    #expect(notes.contains { $0.contains("--trust-project") }, "\(notes)")
    #expect(try messages(load(loop) { $0.trustsProject = true }) == [])
  }

  @Test func limitsOfAFrameRateMustBeTrusted() throws {
    try project("limits: (fps: 3000)")
    let refused = try load("fps: 2000; circle { }")
    let notes = try #require(refused.diagnostics.first).notes.map(\.message)
    #expect(notes.contains { $0.contains("--trust-project") }, "\(notes)")
    #expect(try messages(load("fps: 2000; circle { }") { $0.trustsProject = true }) == [])
  }

  /// The limits of the project apply to the size and the frame rate that options set.
  @Test func limitsApplyToOptions() throws {
    try project("limits: (side: 20_000, fps: 20)")
    func found(_ change: (inout LoadOptions) -> Void) throws -> [String] {
      try messages(load("circle { }") { change(&$0) })
    }
    #expect(try found { $0.check.frameRate = FrameRate(25, 1) } == ["the frame rate is 25"])
    #expect(try found { $0.check.frameRate = FrameRate(20, 1) } == [])
    let size = PixelSize(18_000, 10)
    let tooLong = "a side is longer than the limit of 16384 pixels"
    #expect(try found { $0.check.size = size } == [tooLong])
    #expect(
      try found {
        $0.check.size = size
        $0.trustsProject = true
      } == [])
  }

  /// A project with a syntax error has no limits, since they could be incomplete.
  @Test(arguments: [
    ("project { limits: (frames: 10)", "unclosed '{'"),
    ("projct { limits: (frames: 10) }", "'projct' must be inside a scene"),
  ])
  func syntaxErrorsAreReportedAlone(_ text: String, _ message: String) throws {
    try folder.write("project.scene", text)
    #expect(try messages(load("circle { }")) == [message])
  }

  // MARK: Outputs

  /// The outputs of the project apply to scenes without their own.
  @Test func outputsAreShared() throws {
    try project("output { quality: 30 }; output small { size: 40x20; from: 1beat }")
    let shared = try #require(try load("tempo: 240; circle { }").model).outputs
    #expect(shared.map(\.name) == [nil, "small"] && shared[0].quality == 30)
    #expect(shared[1].size == PixelSize(40, 20) && shared[1].from?.seconds == 0.25)
    let own = try #require(try load("circle { }; output big { }").model).outputs
    #expect(own.map(\.name) == ["big"])
  }
}
