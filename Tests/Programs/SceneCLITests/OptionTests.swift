// SPDX-License-Identifier: MIT
import SceneCLI
import SceneCheck
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneOutput
import SceneSession
import SceneTestSupport
import Testing

/// The parsing and validation of command lines, before any file is opened.
@Suite("Options", .cpuBudget(seconds: 1)) struct OptionTests {
  private func failure(_ words: String) -> String {
    do throws(CallError) {
      _ = try Invocation(words.split(separator: " ").map(String.init))
      return ""
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("bild a.scene", "unknown command 'bild'; did you mean 'build'?"),
    ("render a.scene", "unknown command 'render'; did you mean 'build'?"),
    ("preview a.scene", "unknown command 'preview'; did you mean 'watch'?"),
    ("still a.scene", "unknown command 'still'; did you mean 'frame'?"),
    ("init a.scene", "unknown command 'init'; did you mean 'new'?"),
    ("transmogrify a.scene", "unknown command 'transmogrify'"),
    ("a.scene", "unknown command 'a.scene'; did you mean 'scenec build a.scene'?"),
    ("build a.scene --qualty 3", "unknown option '--qualty' of 'build'; did you mean '--quality'?"),
    ("build a.scene --crf 3", "unknown option '--crf' of 'build'; use '--quality'"),
    ("check a.scene --jobs 3", "unknown option '--jobs' of 'check'; other commands support it"),
    ("build a.scene -x", "unknown option '-x' of 'build'"),
    ("build a.scene --to", "'--to' requires a value: --to TIME"),
    ("build a.scene --quiet=yes", "'--quiet' does not accept a value"),
    ("build a.scene --to 1s --to 2s", "duplicate option '--to'"),
    ("check a.scene --format xml", "'--format' must be one of text|json|sarif|svg, found 'xml'"),
    ("build a.scene --set a=1 --set b=2", ""),
    ("build - -o -", ""),
    ("build -- --quality", ""),
  ])
  func callsAreUnderstoodOrRefused(_ words: String, _ message: String) {
    #expect(failure(words) == message)
  }

  @Test func valuesAreTakenInEachForm() throws {
    let call = try Invocation(["build", "a.scene", "-oout.mp4", "--set=a=1", "--set", "b=2", "b"])
    #expect(call.operands == ["a.scene", "b"])
    #expect(call.value("output") == "out.mp4" && call.all("set") == ["a=1", "b=2"])
    #expect(try Invocation(["build", "-o=x.mp4"]).value("output") == "x.mp4")
    #expect(try Invocation(["build", "--", "-o"]).operands == ["-o"])
    #expect(!call.has("quiet") && call.value("quality") == nil)
  }

  /// Every option of a command is declared and has a line in the help, except options for programs
  /// only.
  @Test func everyOptionIsExplained() {
    let names = CommandSpec.options.map(\.name)
    #expect(Set(names).count == names.count)
    for command in CommandSpec.all {
      let page = Help.page(command)
      #expect(!["worker", "live", "clientProcessId"].contains { page.contains("--\($0)") })
      for name in command.shownOptions {
        let isThere = command.option(name).map {
          page.contains("--\(name)") && !$0.help.isEmpty
        }
        #expect(isThere == true, "\(command.name) --\(name)")
      }
      for example in command.examples {
        #expect("\(example.call) ".hasPrefix(command.name + " "), "\(example.call)")
      }
    }
  }

  private func load(_ words: [String]) throws -> (LoadOptions, [String]) {
    var reader = OptionReader(try Invocation(["check"] + words))
    let options = LoadOptions(&reader)
    return (options, reader.errors)
  }

  @Test func loadOptionsReachTheCheck() throws {
    let (options, errors) = try load([
      "--size", "640x360", "--fps", "30000/1001", "--limit", "steps=5", "--set", "a=b=c", "--scene",
      "s", "--root", "r",
    ])
    #expect(errors == [])
    #expect(options.check.size == PixelSize(640, 360) && options.check.limits.steps == 5)
    #expect(options.check.frameRate == FrameRate(30000, 1001))
    #expect(options.check.parameters.map { "\($0.name) \($0.text)" } == ["a b=c"])
    #expect(options.check.sceneName == "s" && options.root == "r")
  }

  @Test(arguments: [
    ("--size=640", "'--size' must have the form WxH, such as 1280x720, found '640'"),
    ("--size=0x9", "'--size' must have the form WxH, such as 1280x720, found '0x9'"),
    ("--size=99999x9", "'--size' must be at most 32767 pixels per side, found '99999x9'"),
    ("--fps=fast", "'--fps' must be a number or a ratio such as 30000/1001, found 'fast'"),
    ("--fps=0.0001", "'--fps' must be from 0.01 to 1000, found '0.0001'"),
    ("--fps=1/1000", "'--fps' must be at least 0.01, found '1/1000'"),
    ("--set=a", "'--set' must have the form --set name=value"),
    ("--set==1", "'--set' must have the form --set name=value"),
    ("--limit=step=3", "unknown limit 'step' (did you mean 'steps'?); the limits are "),
    ("--limit=hours=500", "'--limit hours' can be at most 200"),
    ("--limit=steps=-1", "'--limit steps' must be a number of at least 0, found '-1'"),
    ("--row=2", "'--row' requires a table: --data people.csv"),
    ("--row=0", "'--row' must be a whole number from 1 to 10000000, found '0'"),
  ])
  func wrongValuesAreNamed(_ word: String, _ message: String) throws {
    let first = try #require(try load([word]).1.first)
    #expect(first.hasPrefix(message), "\(first)")
  }

  private func build(_ words: [String]) throws -> (BuildOptions, [String]) {
    var reader = OptionReader(try Invocation(["build"] + words))
    let options = BuildOptions(&reader)
    return (options, reader.errors)
  }

  @Test func allErrorsAreFoundAtOnce() throws {
    let (_, errors) = try build([
      "--quality", "160", "--bitrate", "2", "--codec", "av2", "--preset", "fastr", "--jobs", "0",
      "--from", "soon", "--scale", "0", "--width", "320",
    ])
    #expect(
      Set(errors) == [
        "'--from' must be a time such as 1.5s or 12f, found 'soon'",
        "'--jobs' must be a whole number from 1 to 64, found '0'",
        "'--scale' must be a factor from 0.01 to 16, such as 0.5, found '0'",
        "'--scale' and '--width' cannot be combined",
        "'--quality' must be from 0 to 100, found '160'",
        "'--bitrate' must be a rate such as 2Mbps or 800kbps, found '2'",
        "'--quality' and '--bitrate' cannot be combined",
        "unknown codec 'av2'; use h264, h265, av1, vp9, prores, ffv1, qtrle, png, gif, webp, apng, jpeg",
        "unknown preset 'fastr'; did you mean 'fast'?",
      ])
  }

  @Test(arguments: [("800kbps", 800_000), ("2.5Mbps", 2_500_000), ("64000", 64_000)])
  func bitRates(_ text: String, _ bits: Double) throws {
    guard case .bitrate(let found)? = try build(["--bitrate", text]).0.settings.rate else {
      Issue.record("no bit rate")
      return
    }
    #expect(found == bits)
  }

  @Test(arguments: [
    ("1.5s", 1.5), ("300ms", 0.3), ("2min", 120), ("12f", 0.48), ("3", 3), ("0", 0),
  ])
  func times(_ text: String, _ seconds: Double) throws {
    let from = try #require(try build(["--from", text]).0.from)
    #expect(from.ticks(FrameRate(25, 1)).seconds == seconds)
  }

  @Test func scaledSizesAreEvenWhereTheyMustBe() throws {
    func size(_ words: [String], isEven: Bool) throws -> PixelSize? {
      try build(words).0.settings.scale?.size(of: PixelSize(1920, 1080), isEven: isEven)
    }
    #expect(try size(["--scale", "50%"], isEven: true) == PixelSize(960, 540))
    #expect(try size(["--width", "333"], isEven: true) == PixelSize(334, 188))
    #expect(try size(["--width", "333"], isEven: false) == PixelSize(333, 187))
    #expect(try size(["--scale", "0.01"], isEven: true) == PixelSize(20, 10))
    #expect(try size([], isEven: true) == nil)
    #expect(throws: PlanError.self) { try size(["--scale", "16"], isEven: true) }
  }
}
