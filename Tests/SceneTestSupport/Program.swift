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

  package static func start(_ command: [String], in folder: String, to output: URL? = nil) throws
    -> Process
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
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

  package static func run(_ command: [String], in folder: String = Repository.path) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
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

/// Waits until something holds, at most some seconds.
package func eventually(seconds: Double = 15, _ holds: () -> Bool) -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if holds() { return true }
    usleep(50_000)
  }
  return holds()
}
