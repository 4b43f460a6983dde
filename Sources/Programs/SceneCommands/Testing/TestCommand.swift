// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneDiagnostics
import SceneFiles
import SceneModel
import SceneOutput
import SceneSession
import SceneSystem
import SceneText
import Synchronization

/// The `scenec test` command.
struct TestCommand {
  /// The output formats of the command.
  enum Format: String, CaseIterable {
    case text, json, junit
  }

  let call: Invocation
  let console: Console
  let interruption: Interruption

  func run() throws -> ExitCode {
    var reader = OptionReader(call)
    let load = LoadOptions(&reader)
    let format = Format(rawValue: call.value("format") ?? "text")
    if format == nil { reader.report("'test' supports text, json and junit") }
    let jobs = reader.count("jobs", in: 1...256)
    if load.data != nil, call.operands.count != 1 {
      reader.report("'--data' requires a single scene file, found \(call.operands.count)")
    }
    let isAutomatic =
      OwnProcess.environment("CI").map { !["", "0", "false"].contains($0) } ?? false
    if call.has("accept"), isAutomatic {
      reader.report(
        "'--accept' is not allowed when CI is set: a person must review the frames")
    }
    try console.accept(reader, load: load, paths: call.operands)
    let found = call.operands.isEmpty ? TestedFiles(below: ".") : TestedFiles(call.operands)
    // A filter selects expectations, and so does not reveal images without one.
    let abandoned = call.has("filter") ? [] : found.goldens.flatMap(AbandonedGoldens.all)
    guard !found.scenes.isEmpty || !abandoned.isEmpty else {
      throw Invocation.Failure(message: "no scene below this folder contains an 'expect'")
    }
    var files = try test(found.scenes, load, jobs: jobs, isAutomatic: isAutomatic)
    if interruption.caught != 0 { return .interrupted }
    files += abandoned.map { TestedFile($0, accepts: call.has("accept"), isAutomatic: isAutomatic) }
    let results = TestResults(files: files)
    if let filter = call.value("filter"), results.cases.isEmpty, results.code == .done {
      throw Invocation.Failure(message: "no expectation has a name that contains '\(filter)'")
    }
    switch format {
    case .json: Console.print(try JSONDocument(schema: "test/1", content: results).jsonText())
    case .junit: Console.print(results.junit)
    default: show(results)
    }
    if let folder = call.value("report") { try writeReport(results, to: folder) }
    return results.code
  }

  /// Tests the files, several at the same time.
  private func test(
    _ paths: [String], _ load: LoadOptions, jobs: Int?, isAutomatic: Bool
  ) throws -> [TestedFile] {
    let next = Mutex(0)
    let done = Mutex<[Int: TestedFile]>([:])
    let (filter, accepts) = (call.value("filter"), call.has("accept"))
    let work: @Sendable () -> Void = { [interruption] in
      let session = Session(load)
      while interruption.caught == 0 {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < paths.count else { return }
        let run = TestRun(
          path: paths[index], load: load, filter: filter, session: session,
          interruption: interruption, accepts: accepts, isAutomatic: isAutomatic)
        let file = run.file()
        done.withLock { $0[index] = file }
      }
    }
    let count = min(paths.count, jobs ?? min(16, OwnProcess.processorCount))
    let threads = (1..<max(1, count)).compactMap { _ in WorkerThread(work) }
    work()
    for thread in threads { thread.join() }
    return done.withLock { done in paths.indices.compactMap { done[$0] } }
  }

  // MARK: Text

  private func show(_ results: TestResults) {
    for file in results.files {
      if let error = file.error {
        console.error(error.message, help: error.help)
        continue
      }
      console.show(file.errors.diagnostics, file.errors.sources)
      for it in file.cases {
        let mark = it.state == .passed ? "ok  " : it.state == .failed ? "FAIL" : "????"
        if it.state != .passed || !console.isQuiet {
          Console.print("\(mark)  \(visible("\(it.place)  \(it.title)"))\n")
        }
        if it.state != .passed { console.show(it.diagnostics, it.sources, isStrict: true) }
      }
      if file.acceptedCount > 0 {
        let count = NumberFormat.count(file.acceptedCount, of: "golden frame")
        console.note("\(file.path): accepted \(count)")
      }
      if let note = file.note { console.note("\(file.path): \(note)") }
    }
    if !console.isQuiet { Console.print(results.summary + "\n") }
  }

  /// Writes the results as a web page, with copies of the golden frames that differ.
  private func writeReport(_ results: TestResults, to folder: String) throws {
    func write(_ bytes: [UInt8], _ name: String) throws {
      let file = try OutputFile("\(folder)/\(name)", inputs: [])
      try file.write(bytes)
      try file.commit()
    }
    for (number, it) in results.cases.flatMap(\.differences).enumerated() {
      if let old = it.old { try write(try SceneFile.readUnlinked(old), "\(number)-before.png") }
      try write(try SceneFile.readUnlinked(it.new), "\(number)-after.png")
    }
    try write(Array(results.html.utf8), "index.html")
    console.note("wrote \(folder)/index.html")
  }
}

/// The files that `scenec test` finds.
struct TestedFiles {
  private static let greatestDepth = 32

  /// The scene files that contain an `expect`, sorted by path.
  private(set) var scenes: [String]
  /// The folders of golden frames.
  private(set) var goldens: [String] = []

  init(_ scenes: [String]) { self.scenes = scenes }

  /// Finds the files below a folder.
  init(below folder: String) {
    scenes = []
    visit(folder, depth: 0)
  }

  private mutating func visit(_ folder: String, depth: Int) {
    guard depth < TestedFiles.greatestDepth else { return }
    for name in Files.names(in: folder, where: { !$0.hasPrefix(".") }).sorted() {
      let path = folder == "." ? name : "\(folder)/\(name)"
      if name.hasSuffix(".scene") {
        if (try? FileOutline(path))?.hasExpectations == true { scenes.append(path) }
      } else if Files.target(of: path) == nil, FileStatus(path: path)?.isFolder == true {
        if name == "goldens" { goldens.append(path) }
        visit(path, depth: depth + 1)
      }
    }
  }
}

extension TestedFile {
  /// Reports golden frames whose scene file does not exist, or deletes them.
  fileprivate init(_ goldens: AbandonedGoldens, accepts: Bool, isAutomatic: Bool) {
    self.init(path: goldens.path)
    if accepts {
      note = goldens.remove()
    } else if isAutomatic {
      cases = [TestCase(goldens)]
    } else {
      note = "\(goldens.message); \(goldens.help)"
    }
  }
}
