// SPDX-License-Identifier: MIT
package import Foundation
import SceneSystem

/// The result of a finished program.
package struct Run: Sendable {
  /// The exit status; 128 plus the number of the signal that ended the program.
  package let status: Int32
  package let output: String
  package let errors: String
}

/// The programs that `make build` builds, and others that tests run.
package enum Program {
  package static let scenec = Repository.path + "/.build/release/scenec"

  /// Runs a command to its end. Its CPU time counts for the current test.
  package static func run(_ command: [String], in folder: String = Repository.path) throws -> Run {
    let (output, errors) = (try Capture(), try Capture())
    let program = try RunningProgram(
      command, in: folder, output: output.descriptor, errors: errors.descriptor)
    let end = program.wait()
    return try Run(status: end.status, output: output.text(), errors: errors.text())
  }

  package static func scenec(_ arguments: String..., in folder: String = Repository.path) throws
    -> Run
  {
    try run([scenec] + arguments, in: folder)
  }

  /// Starts a command without input. Standard error is redirected to the file `errors`, if given.
  package static func start(_ command: [String], in folder: String, to errors: URL? = nil) throws
    -> RunningProgram
  {
    guard let errors else { return try RunningProgram(command, in: folder) }
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    let file = try FileHandle(forWritingTo: errors)
    return try RunningProgram(command, in: folder, errors: file.fileDescriptor)
  }
}

/// A finished program with its cost and that of all processes it waited for.
package struct MeasuredRun: Sendable {
  package let run: Run
  package let cpuSeconds: Double
  /// The largest resident set of any of the processes.
  package let peakMebibytes: Double
}

extension Program {
  /// Runs a command as `run` does and measures it.
  package static func measure(_ command: [String], in folder: String) throws -> MeasuredRun {
    guard let measure = OwnProcess.neighbour("test-measure") else { throw POSIXError(.ENOENT) }
    let run = try Program.run([measure] + command, in: folder)
    let lines = run.output.split(separator: "\n")
    let numbers = (lines.last ?? "").split(separator: " ").compactMap { Double($0) }
    guard run.status == 0, numbers.count == 3 else { throw POSIXError(.EIO) }
    return MeasuredRun(
      run: Run(
        status: Int32(numbers[0]), output: lines.dropLast().joined(separator: "\n"),
        errors: run.errors),
      cpuSeconds: numbers[1], peakMebibytes: numbers[2] / 1024)
  }
}
