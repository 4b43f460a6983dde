// SPDX-License-Identifier: MIT
import CLinux
package import SceneDiagnostics
import SceneFiles
import SceneOutput
package import SceneSession
import SceneSystem
package import SceneText
package import Synchronization

/// The terminal: results on standard output, everything else on standard error.
package struct Console: Sendable {
  package let isColored: Bool
  package let isQuiet: Bool
  /// The command that runs, for the help that belongs to it.
  private let command: String?
  /// The warnings of one file that were shown, where it is checked several times.
  private var shown: ShownWarnings?
  /// Where messages go instead of to the terminal.
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

  /// Whether standard output was closed when the program began; what is written there is lost.
  package static let isOutputClosed = Atomic<Bool>(false)

  package static var isTerminal: Bool { isatty(2) == 1 }

  package static var columns: Int { max(20, Int(scene_terminal_columns(2))) }

  package func error(_ message: String, help: String? = nil) {
    let head = isColored ? "\u{1B}[1;31merror\u{1B}[0m" : "error"
    write("\(head): \(visible(message))\n", isFault: true)
    if let help { write("  help: \(visible(help))\n", isFault: true) }
  }

  package func note(_ message: String) {
    if !isQuiet { write(visible(message) + "\n") }
  }

  /// The name of a file that was made, or a line like it: as it is for scripts, and not when all is
  /// quiet.
  package func result(_ text: String) {
    if !isQuiet { Console.print((isatty(1) == 1 ? visible(text) : text) + "\n") }
  }

  /// The same console, which shows each warning once however often it comes.
  package func remembering() -> Console {
    var it = self
    it.shown = ShownWarnings()
    return it
  }

  /// The same console, whose messages are kept rather than shown.
  package func writing(to text: ConsoleText) -> Console {
    var it = self
    it.text = text
    return it
  }

  /// How many warnings it kept to itself since they had been shown.
  package var repeatedWarnings: Int { shown?.repeated ?? 0 }

  /// Shows errors, and warnings unless all is quiet; `isStrict` where these are as bad.
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
      isFault: diagnostics.contains { $0.severity == .error })
  }

  package func write(_ text: String, isFault: Bool = false) {
    if let kept = self.text { kept.add(text) } else { Console.show(text, isFault: isFault) }
  }

  /// Writes to standard error as it is; what fails there cannot be said.
  package static func show(_ text: String, isFault: Bool = false) {
    let (queue, isUnread) = waiting.withLock { ($0.messages, $0.isUnread) }
    if queue?.add(text, isFault ? .fault : .progress) == true || isUnread { return }
    _ = Files.write(2, Array(text.utf8))
  }

  /// What waits for who reads it, while nobody waits for them.
  private struct Waiting {
    var messages: ConsoleQueue?
    var results: ConsoleQueue?
    /// Whether something was left when all ended: what came after it would be waited for.
    var isUnread = false
  }

  private static let waiting = Mutex(Waiting())

  /// From now on nobody waits for who reads standard error and standard output, until `finish`.
  ///
  /// What comes by both ways in one place, as a terminal, keeps its order.
  package static func goOnUnread() {
    let write: @Sendable (String, ConsoleQueue.Kind) -> Void = { text, kind in
      if kind == .result { print(Array(text.utf8)) } else { _ = Files.write(2, Array(text.utf8)) }
    }
    let messages = ConsoleQueue(write: write)
    let isOnePlace = FileStatus(file: 1)?.identity == FileStatus(file: 2)?.identity
    let results = isOnePlace ? messages : ConsoleQueue(write: write)
    waiting.withLock { $0 = Waiting(messages: messages, results: results) }
  }

  /// Writes what waits, as far as somebody reads it.
  package static func finish() {
    let (messages, results) = waiting.withLock { ($0.messages, $0.results) }
    let isWritten = [messages, results].map { $0?.end(within: 200) ?? true }
    waiting.withLock { $0 = Waiting(isUnread: isWritten.contains(false)) }
  }

  package static func print(_ text: String) {
    let (queue, isUnread) = waiting.withLock { ($0.results, $0.isUnread) }
    if queue?.add(text, .result) == true || isUnread { return }
    print(Array(text.utf8))
  }

  /// Writes to standard output; that it failed decides the exit status of the program.
  package static func print(_ bytes: [UInt8]) {
    guard outputFailure == 0 else { return }
    failure.store(Files.write(1, bytes), ordering: .relaxed)
  }

  private static let failure = Atomic<Int32>(0)

  /// The errno of the first write to standard output that failed, or 0.
  package static var outputFailure: Int32 { failure.load(ordering: .relaxed) }
}

/// Messages that are kept.
package final class ConsoleText: Sendable {
  private let kept = Mutex("")

  package init() {}

  package var text: String { kept.withLock { $0 } }

  fileprivate func add(_ text: String) { kept.withLock { $0 += text } }
}

/// What ends a command after all has been said about it.
package struct ReportedFault: Error {
  package let code: ExitCode

  package init(code: ExitCode) { self.code = code }
}

/// Which warnings were shown: the rows of a table have most of them in common.
private final class ShownWarnings: Sendable {
  private struct Place: Hashable {
    let code: Code
    let span: SourceSpan
  }

  private let state = Mutex((places: Set<Place>(), repeated: 0))

  var repeated: Int { state.withLock { $0.repeated } }

  /// Without the warnings that came before.
  func fresh(_ list: [Diagnostic]) -> [Diagnostic] {
    state.withLock { state in
      list.filter { it in
        if it.severity == .error { return true }
        let isNew = state.places.insert(Place(code: it.code, span: it.span)).inserted
        if !isNew { state.repeated += 1 }
        return isNew
      }
    }
  }
}

extension Console {
  /// Notes which scenes a file holds besides the one that is built or drawn.
  /// `help` says what to do, with the name of the first.
  package func noteOtherScenes(of path: String, help: (String) -> String) {
    guard path != "-", let outline = try? FileOutline(path) else { return }
    let others = outline.independentScenes.dropLast()
    guard let first = others.first else { return }
    let names = others.map { "'\($0)'" }.joined(separator: ", ")
    note("\(path) also contains \(names): \(help(first))")
  }

  /// Tells why a command ended, and answers with its exit code.
  package func report(_ fault: any Error) -> ExitCode {
    switch fault {
    case let fault as ReportedFault: return fault.code
    case let fault as Invocation.Fault:
      error(fault.message, help: command.map { "see 'scenec help \($0)'" })
      return .callWrong
    case PlanFault.call(let message): return report(Invocation.Fault(message: message))
    case let fault as FileFault:
      error(fault.message, help: fault.help)
      return .worldRefused
    default:
      error("\(fault)")
      return .worldRefused
    }
  }

  /// Ends the call when its options are wrong. What is wrong with its scenes is shown too, so that
  /// both can be put right at once.
  package func accept(_ reader: OptionReader, _ load: LoadOptions, _ paths: [String])
    throws(ReportedFault)
  {
    guard !reader.faults.isEmpty else { return }
    for fault in reader.faults { error(fault) }
    // With a table, a scene means nothing without a row.
    for path in paths where path != "-" && load.data == nil {
      guard let scene = try? Session(load).load(path) else { continue }
      if scene.model == nil { show(scene.diagnostics, scene.sources) }
    }
    write("  help: see 'scenec help \(command ?? "")'\n")
    throw ReportedFault(code: .callWrong)
  }
}
