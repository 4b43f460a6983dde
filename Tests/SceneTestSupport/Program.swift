// SPDX-License-Identifier: MIT
package import Foundation

/// What a run of a program left.
package struct Run: Sendable {
  package let status: Int32
  package let output: String
  package let errors: String
}

/// A folder of its own, removed at the end.
package final class Folder: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "/scenec-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String {
    let whole = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try text.write(toFile: whole, atomically: true, encoding: .utf8)
    return path + "/" + name
  }

  package func data(_ name: String) -> Data? {
    FileManager.default.contents(atPath: path + "/" + name)
  }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// The programs that `make` built.
package enum Program {
  package static let scenec = Repository.path + "/.build/release/scenec"

  /// Nothing is kept from one run to the next.
  private static let environment = ProcessInfo.processInfo.environment.merging(
    ["SCENEC_CACHE": ""]
  ) { $1 }

  package static func start(_ command: [String], in folder: String, to output: URL? = nil) throws
    -> Process
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    if let output {
      _ = FileManager.default.createFile(atPath: output.path, contents: nil)
      process.standardError = try FileHandle(forWritingTo: output)
    }
    try process.run()
    return process
  }

  /// Waits until a process takes signals as it means to: until then each of them just ends it.
  package static func awaitHandlers(of process: Process) -> Bool {
    eventually {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let mask = status?.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
      return UInt64(mask?.split(separator: "\t").last ?? "", radix: 16).map { $0 & 2 != 0 } ?? false
    }
  }

  package static func run(_ command: [String], in folder: String = Repository.path) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let files = (0..<2).map { _ in
      URL(fileURLWithPath: NSTemporaryDirectory() + "/scenec-run-" + UUID().uuidString)
    }
    for file in files { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    defer { for file in files { try? FileManager.default.removeItem(at: file) } }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    let status =
      process.terminationReason == .uncaughtSignal
      ? 128 + process.terminationStatus : process.terminationStatus
    return Run(status: status, output: texts[0], errors: texts[1])
  }

  package static func scenec(_ arguments: String..., in folder: String = Repository.path) throws
    -> Run
  {
    try run([scenec] + arguments, in: folder)
  }
}

/// Waits until something holds, at most some seconds: a machine that runs all tests at once is slow.
package func eventually(seconds: Double = 90, _ holds: () -> Bool) -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if holds() { return true }
    usleep(50_000)
  }
  return holds()
}

/// Seconds of CPU that this thread takes for something: other tests run beside it.
package func threadSeconds(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}

/// What a run left, and what it and all that it waited for took.
package struct MeasuredRun: Sendable {
  package let run: Run
  package let cpuSeconds: Double
  /// The largest resident set of any of the processes.
  package let peakMebibytes: Double
}

extension Program {
  /// Runs a command as `run` does. Python starts it: what Linux counts as the memory of a process
  /// begins with that of whoever started it.
  package static func measure(_ command: [String], in folder: String) throws -> MeasuredRun {
    let script = """
      import resource, subprocess, sys
      run = subprocess.run(sys.argv[1:])
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(run.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss)
      """
    let run = try Program.run(["/usr/bin/python3", "-c", script] + command, in: folder)
    let lines = run.output.split(separator: "\n")
    let numbers = (lines.last ?? "").split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3 else { throw POSIXError(.EIO) }
    return MeasuredRun(
      run: Run(
        status: Int32(numbers[0] < 0 ? 128 - numbers[0] : numbers[0]),
        output: lines.dropLast().joined(separator: "\n"), errors: run.errors),
      cpuSeconds: numbers[1], peakMebibytes: numbers[2] / 1024)
  }
}
