// SPDX-License-Identifier: MIT
import CTestSupport
import Foundation
import SceneSystem

/// A child process, killed at the latest when its last reference goes away.
package final class RunningProgram: Sendable {
  package let identifier: Int32

  /// How a program ended.
  package struct End: Sendable {
    /// The exit status; 128 plus the number of the signal that ended the program.
    package let status: Int32
    package let wasKilled: Bool

    /// The exit status; `nil` if a signal ended the program.
    package var exitStatus: Int32? { wasKilled ? nil : status }
  }

  /// The ledger of the test that started the program.
  private let ledger = Ledger.current
  /// The end of the program; `nil` until the process has been reaped.
  private let end = Monitor<End?>(nil)

  /// Programs run without a cache, so that no test depends on another, and without the variables
  /// that make them behave differently on a build server or inside a hook of git.
  private static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
    name != "CI" && !name.hasPrefix("GIT_")
  }.merging(["SCENEC_CACHE": ""]) { $1 }

  /// Starts a program. Standard streams that are `nil` are connected to /dev/null; all other
  /// descriptors are closed in the child, and its signals have their default handlers.
  package init(
    _ command: [String], in folder: String, input: Int32? = nil, output: Int32? = nil,
    errors: Int32? = nil
  ) throws {
    let variables = RunningProgram.environment.map { "\($0.key)=\($0.value)" }
    let words = (command + variables).map { $0 + "\0" }.joined()
    let streams = [input, output, errors].map { $0 ?? -1 }
    var made: pid_t = 0
    let code = unsafe scene_test_spawn(
      folder, words, Int32(command.count), Int32(variables.count), streams, &made)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    identifier = made
  }

  deinit {
    kill(SIGKILL)
    wait()
  }

  /// Sends a signal unless the process has been reaped.
  package func kill(_ signal: Int32) {
    end.update { if $0 == nil { Glibc.kill(identifier, signal) } }
  }

  package var isRunning: Bool {
    end.update { end in
      if end == nil { end = reap() }
      return end == nil
    }
  }

  /// Waits until the program has ended.
  @discardableResult
  package func wait() -> End {
    if let known = end.update({ $0 }) { return known }
    // The process stays a zombie, so that its number remains valid for `kill` in other threads.
    scene_test_await(identifier)
    return end.update { end in
      let found = end ?? reap() ?? End(status: -1, wasKilled: true)
      end = found
      return found
    }
  }

  /// Waits until the process has installed its signal handlers; before that, signals just end it.
  package func awaitHandlers() -> Bool {
    eventually {
      let status = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
      let mask = status?.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      return UInt64(mask?.split(separator: "\t").last ?? "", radix: 16).map { $0 & 2 != 0 } ?? false
    }
  }

  /// Waits until the process has used some CPU time, so that it is in the middle of its work.
  package func awaitWork(seconds: Double) -> Bool {
    eventually { RunningProgram.cpuSeconds(of: identifier) >= seconds }
  }

  /// Returns the CPU seconds of any process so far; 0 if it has ended.
  package static func cpuSeconds(of identifier: Int32) -> Double {
    let status = try? String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    // The fields after the name of the program. The 12th and 13th count ticks.
    let fields = status?.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12 else { return 0 }
    let ticks = fields[11...12].compactMap { Double($0) }.reduce(0, +)
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Takes the status of the process if it has ended, and counts its CPU time for the test.
  private func reap() -> End? {
    let end = scene_test_reap(identifier)
    guard end.process == identifier else { return nil }
    ledger?.addChild(seconds: end.seconds)
    let signal = end.status & 0x7F
    return End(
      status: signal == 0 ? (end.status >> 8) & 0xFF : 128 + signal, wasKilled: signal != 0)
  }
}

/// A temporary file without a name, into which a program writes.
final class Capture {
  private let file: FileHandle

  var descriptor: Int32 { file.fileDescriptor }

  init() throws {
    var name = Array(
      FileManager.default.temporaryDirectory.appending(path: "scenec-run-XXXXXX").path.utf8CString)
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    unlink(name)
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// Returns everything that was written.
  func text() throws -> String {
    try file.seek(toOffset: 0)
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }
}
