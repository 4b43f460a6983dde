// SPDX-License-Identifier: MIT
import CLinux
package import SceneDiagnostics
import SceneFiles
import SceneOutput
package import SceneSession
import SceneSystem
package import SceneText
import Synchronization

/// The terminal: results on standard output, everything else on standard error.
package struct Console: Sendable {
  package let isColored: Bool
  package let isQuiet: Bool
  /// The running command, for the reference to its help.
  private let command: String?
  /// The warnings already shown for a file that is checked several times.
  private var shown: ShownWarnings?
  /// The buffer that receives messages instead of the terminal.
  private var text: ConsoleText?

  package init(color: String?, isQuiet: Bool, command: String? = nil) {
    self.isQuiet = isQuiet
    self.command = command
    switch color {
    case "always": isColored = true
    case "never": isColored = false
    default:
      isColored =
        isatty(2) == 1 && OwnProcess.environment("NO_COLOR") == nil
        && OwnProcess.environment("TERM") != "dumb"
    }
  }

  package static var isTerminal: Bool { isatty(2) == 1 }

  package static var columns: Int { max(20, Int(scene_terminal_columns(2))) }

  package func error(_ message: String, help: String? = nil) {
    let head = isColored ? "\u{1B}[1;31merror\u{1B}[0m" : "error"
    write("\(head): \(visible(message))\n", isError: true)
    if let help { write("  help: \(visible(help))\n", isError: true) }
  }

  package func note(_ message: String) {
    if !isQuiet { write(visible(message) + "\n") }
  }

  /// Prints the path of an output file or a similar result, unescaped unless on a terminal.
  /// Suppressed in quiet mode.
  package func result(_ text: String) {
    if !isQuiet { Console.print((isatty(1) == 1 ? visible(text) : text) + "\n") }
  }

  /// Returns a console that shows repeated warnings only once.
  package func remembering() -> Console {
    var it = self
    it.shown = ShownWarnings()
    return it
  }

  /// Returns a console that collects its messages in `text`.
  package func writing(to text: ConsoleText) -> Console {
    var it = self
    it.text = text
    return it
  }

  /// The number of suppressed repeated warnings.
  package var repeatedWarnings: Int { shown?.repeated ?? 0 }

  /// Shows errors, and also warnings unless in quiet mode. Set `isStrict` to always show warnings.
  package func show(
    _ diagnostics: [Diagnostic], _ files: [SourceFile], isStrict: Bool = false
  ) {
    let printer = DiagnosticPrinter(files: files, colored: isColored)
    let list = shown?.fresh(diagnostics) ?? diagnostics
    let diagnostics =
      isQuiet && !isStrict ? list.filter { $0.severity == .error } : list
    let first = diagnostics.prefix(50)
    guard !first.isEmpty else { return }
    var text = printer.print(Array(first)) + "\n"
    if diagnostics.count > first.count {
      text += "… and \(diagnostics.count - first.count) more\n"
    }
    write(
      text + DiagnosticPrinter.summary(diagnostics) + "\n",
      isError: diagnostics.contains { $0.severity == .error })
  }

  package func write(_ text: String, isError: Bool = false) {
    if let kept = self.text { kept.add(text) } else { Console.show(text, isError: isError) }
  }

  /// Writes to standard error without escaping. Errors are ignored.
  package static func show(_ text: String, isError: Bool = false) {
    let (queue, isUnread) = waiting.withLock { ($0.messages, $0.isUnread) }
    if queue?.add(text, isError ? .failure : .progress) == true || isUnread { return }
    _ = Files.write(2, Array(text.utf8))
  }

  /// Output queues, used while the program must not block on its readers.
  private struct Waiting {
    var messages: ConsoleQueue?
    var results: ConsoleQueue?
    /// Whether messages were left in a queue at the end. Later output would block and is discarded.
    var isUnread = false
  }

  private static let waiting = Mutex(Waiting())

  /// Makes output nonblocking until `finish`, even if no process reads standard error or standard
  /// output.
  ///
  /// If both go to the same place, such as a terminal, they keep their order.
  package static func goOnUnread() {
    let write: @Sendable (String, ConsoleQueue.Kind) -> Void = { text, kind in
      if kind == .result {
        StandardOutput.write(Array(text.utf8))
      } else {
        _ = Files.write(2, Array(text.utf8))
      }
    }
    let messages = ConsoleQueue(write: write)
    let isOnePlace = FileStatus(file: 1)?.identity == FileStatus(file: 2)?.identity
    let results = isOnePlace ? messages : ConsoleQueue(write: write)
    waiting.withLock { $0 = Waiting(messages: messages, results: results) }
  }

  /// Writes the queued output as far as it is read.
  package static func finish() {
    let (messages, results) = waiting.withLock { ($0.messages, $0.results) }
    let isWritten = [messages, results].map { $0?.end(within: 200) ?? true }
    waiting.withLock { $0 = Waiting(isUnread: isWritten.contains(false)) }
  }

  package static func print(_ text: String) {
    let (queue, isUnread) = waiting.withLock { ($0.results, $0.isUnread) }
    if queue?.add(text, .result) == true || isUnread { return }
    StandardOutput.write(Array(text.utf8))
  }
}

/// A buffer of messages.
package final class ConsoleText: Sendable {
  private let kept = Mutex("")

  package init() {}

  package var text: String { kept.withLock { $0 } }

  fileprivate func add(_ text: String) { kept.withLock { $0 += text } }
}

/// An error that has already been reported and only ends the command.
package struct ReportedError: Error {
  package let code: ExitCode

  package init(code: ExitCode) { self.code = code }
}

/// The warnings already shown. The rows of a table usually cause the same warnings.
private final class ShownWarnings: Sendable {
  private struct Place: Hashable {
    let code: Code
    let span: SourceSpan
  }

  private let state = Mutex((places: Set<Place>(), repeated: 0))

  var repeated: Int { state.withLock { $0.repeated } }

  /// Returns the errors and the warnings whose code and location are not those of an earlier list.
  func fresh(_ list: [Diagnostic]) -> [Diagnostic] {
    state.withLock { state in
      let shown = list.filter {
        $0.severity == .error || !state.places.contains(Place(code: $0.code, span: $0.span))
      }
      state.repeated += list.count - shown.count
      for it in shown where it.severity != .error {
        state.places.insert(Place(code: it.code, span: it.span))
      }
      return shown
    }
  }
}

extension Console {
  /// Notes the other scenes of a file besides the selected one. `help` returns the suggested action
  /// for the name of the first.
  package func noteOtherScenes(of path: String, help: (String) -> String) {
    guard path != "-", let outline = try? FileOutline(path) else { return }
    let others = outline.independentScenes.dropLast()
    guard let first = others.first else { return }
    let names = others.map { "'\($0)'" }.joined(separator: ", ")
    let noun = others.count == 1 ? "scene" : "scenes"
    note("'\(path)' also contains the \(noun) \(names); \(help(first))")
  }

  /// Reports the error that ended a command and returns its exit code.
  package func report(_ failure: any Error) -> ExitCode {
    switch failure {
    case let failure as ReportedError: return failure.code
    case let failure as Invocation.Failure:
      error(failure.message, help: command.map { "see 'scenec help \($0)'" })
      return .callWrong
    case PlanError.call(let message): return report(Invocation.Failure(message: message))
    case let failure as FileError:
      error(failure.message, help: failure.help)
      return .worldRefused
    default:
      error("\(failure)")
      return .worldRefused
    }
  }

  /// Ends the command if its options are invalid. Errors of its scenes are shown as well, so that
  /// everything can be fixed at once.
  package func accept(_ reader: OptionReader, load: LoadOptions, paths: [String])
    throws(ReportedError)
  {
    guard !reader.errors.isEmpty else { return }
    for failure in reader.errors { error(failure) }
    // With a table, a scene cannot be checked without a row.
    for path in paths where path != "-" && load.data == nil {
      guard let scene = try? Session(load).load(path) else { continue }
      if scene.model == nil { show(scene.diagnostics, scene.sources) }
    }
    write("  help: see 'scenec help \(command ?? "")'\n")
    throw ReportedError(code: .callWrong)
  }
}
