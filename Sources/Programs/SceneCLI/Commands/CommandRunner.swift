// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneDiagnostics
package import SceneOutput
import SceneSession
import SceneSystem
import SceneText
import Synchronization

/// A command implemented outside this module.
package typealias ProgramCommand = (Invocation, Console) throws -> ExitCode

/// The environment of the process: standard streams, signals, arguments and exit status.
package struct MainProgram {
  package let interruption: Interruption

  /// Prepares the process. Must be called before any file is opened and any thread is started.
  package init() {
    let closed = scene_open_standard_files()
    scene_report_crashes()
    StandardOutput.isClosed.store(closed & 2 != 0, ordering: .relaxed)
    interruption = Interruption()
  }

  /// Runs the command that the arguments name and returns the exit status.
  ///
  /// `commands` returns the command with a name, or `nil` if this executable lacks it. If the missing
  /// command encodes video, `scenec-render` replaces this process.
  package func run(commands: (String) -> ProgramCommand?) -> Int32 {
    guard scene_ensure_stack() != 0 else {
      Console(color: nil, isQuiet: false)
        .error(
          "the stack is limited to less than 8 MiB", help: "raise the limit with 'ulimit -s 8192'")
      return ExitCode.worldRefused.rawValue
    }
    let arguments: [String]
    switch OwnProcess.arguments {
    case .success(let words): arguments = words
    case .failure(let failure):
      Console(color: nil, isQuiet: false).error("argument \(failure.index) is not valid UTF-8")
      return ExitCode.callWrong.rawValue
    }
    // The Swift runtime reads the arguments from this file.
    if arguments.isEmpty, !Files.exists("/proc/self/cmdline") {
      Console(color: nil, isQuiet: false)
        .error("the command-line arguments cannot be read without /proc", help: "mount /proc")
      return ExitCode.worldRefused.rawValue
    }
    let code = SceneCLI.run(arguments, commands: commands)
    switch StandardOutput.failure {
    case 0: return interruption.exitStatus(code)
    // The reader closed the pipe, as in `scenec docs rect | head -1`.
    case EPIPE: return 128 + SIGPIPE
    case let failure:
      Console(color: nil, isQuiet: false)
        .error("cannot write to standard output: \(Files.reason(failure))")
      return ExitCode.worldRefused.rawValue
    }
  }
}

private func run(_ arguments: [String], commands: (String) -> ProgramCommand?) -> ExitCode {
  let call: Invocation
  switch arguments.first {
  case nil:
    Console(color: nil, isQuiet: false).write(Help.overview)
    return .callWrong
  case "--version", "-V":
    Console.print("scenec \(version)\n")
    return .done
  case "--help", "-h", "help":
    return help(Array(arguments.dropFirst()))
  default: break
  }
  if arguments.contains("--help") || arguments.contains("-h"),
    let command = CommandSpec.all.first(where: { $0.name == arguments[0] })
  {
    Console.print(Help.page(command))
    return .done
  }
  do {
    call = try Invocation(arguments)
  } catch {
    let known = CommandSpec.all.first { $0.name == arguments[0] }
    let page = known.map { "scenec help \($0.name)" } ?? "scenec help"
    Console(color: nil, isQuiet: false).error(error.message, help: "see '\(page)'")
    return .callWrong
  }
  let console = Console(
    color: call.value("color"), isQuiet: call.has("quiet"), command: call.command.name)
  do {
    if let command = commands(call.command.name) { return try command(call, console) }
    if call.command.isRendered { return handOver(arguments, console) }
    return try perform(call, console)
  } catch {
    return console.report(error)
  }
}

private func perform(_ call: Invocation, _ console: Console) throws -> ExitCode {
  switch call.command.name {
  case "check": return try CheckCommand(call: call, console: console).run()
  case "fmt": return try FormatCommand(call: call, console: console).run()
  case "frame": return try FrameCommand(call: call, console: console).run()
  case "sheet": return try SheetCommand(call: call, console: console).run()
  case "plan": return try PlanCommand(call: call, console: console).run()
  case "diff": return try DiffCommand(call: call, console: console).run()
  case "ir": return try IRCommand(call: call, console: console).run()
  case "explain": return explain(call, console)
  case "docs": return try DocsCommand(call: call, console: console).run()
  case "fonts": return listFonts(call)
  case "cache": return try CacheCommand(call: call, console: console).run()
  case "new": return try NewCommand(call: call, console: console).run()
  default: return .callWrong
  }
}

private func help(_ words: [String]) -> ExitCode {
  guard let word = words.first else {
    Console.print(Help.overview)
    return .done
  }
  guard let command = CommandSpec.all.first(where: { $0.name == word }) else {
    var message = "unknown command '\(word)'"
    if let near = CommandSpec.meant(by: word) {
      message += "; did you mean '\(near)'?"
    }
    Console(color: nil, isQuiet: false).error(message)
    return .callWrong
  }
  Console.print(Help.page(command))
  return .done
}

/// Replaces this process with the `scenec-render` in the same folder.
private func handOver(_ arguments: [String], _ console: Console) -> ExitCode {
  guard let path = OwnProcess.neighbour("scenec-render") else {
    console.error("the scenec installation cannot be found")
    return .worldRefused
  }
  OwnProcess.become(path, arguments)
  console.error(
    "cannot start '\(path)': \(Files.reason())",
    help: "install scenec-render in the same folder as scenec")
  return .worldRefused
}

private func explain(_ call: Invocation, _ console: Console) -> ExitCode {
  guard let word = call.operands.first?.uppercased() else {
    for code in Code.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
      Console.print("\(code.rawValue)  \(Explanation.of(code).title)\n")
    }
    return .done
  }
  // The letter is optional: 401 selects both E0401 and W0401.
  let digits = word.allSatisfy(\.isNumber) && word.count < 4 ? "0" + word : word
  let codes = Code.allCases.filter {
    [$0.rawValue, String($0.rawValue.dropFirst())].contains(digits)
  }
  guard !codes.isEmpty else {
    let near = nearest(word, in: Code.allCases.map(\.rawValue))
    console.error(
      "unknown code '\(word)'",
      help: near.map { "did you mean \($0)?" } ?? "run 'scenec explain' to list all codes")
    return .callWrong
  }
  guard call.operands.count == 1 else {
    console.error("expected a single code, such as 'scenec explain E0201'")
    return .callWrong
  }
  Console.print(codes.map { Explanation.of($0).text }.joined(separator: "\n"))
  return .done
}
