// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneSystem

/// The cost of a program, including all its child processes.
struct Cost {
  /// The user and system time of the process tree.
  var cpuSeconds = 0.0
  var wallSeconds = 0.0
  /// The peak of the resident memory of the process tree, with shared memory counted once (`Pss` of
  /// proc_pid_smaps(5)), sampled every 20 ms.
  var peakMegabytes = 0.0
}

struct Failure: Error, CustomStringConvertible {
  let description: String
}

enum Child {
  /// The folder of the built programs, which also contains this one.
  static let folder = Bundle.main.bundlePath
  static let scenec = folder + "/scenec"

  /// Runs a program to its end and discards its output.
  static func run(_ command: [String], in folder: String = ".", isSampled: Bool = true) throws
    -> Cost
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    // Without this, a program that reads keys would block on the terminal.
    process.standardInput = FileHandle.nullDevice
    let before = scene_child_cpu_seconds()
    let clock = SystemClock()
    let started = clock.now
    try process.run()
    var cost = Cost()
    // `waitUntilExit` polls only every 50 ms.
    while process.isRunning {
      if isSampled {
        cost.peakMegabytes = max(cost.peakMegabytes, treeMegabytes(process.processIdentifier))
      }
      clock.sleep(for: .milliseconds(isSampled ? 20 : 1))
    }
    process.waitUntilExit()
    cost.wallSeconds = clock.elapsed(since: started) / .seconds(1)
    cost.cpuSeconds = scene_child_cpu_seconds() - before
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")) failed")
    }
    return cost
  }

  private static func treeMegabytes(_ root: Int32) -> Double {
    var parents: [Int32: Int32] = [:]
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for name in names {
      guard let id = Int32(name),
        let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
        let close = text.lastIndex(of: ")")
      else { continue }
      let fields = text[text.index(after: close)...].split(separator: " ")
      if fields.count > 1, let parent = Int32(fields[1]) { parents[id] = parent }
    }
    var sum = 0.0
    for id in parents.keys {
      var next: Int32? = id
      while let it = next, it != root { next = parents[it] }
      guard next == root,
        let text = try? String(contentsOfFile: "/proc/\(id)/smaps_rollup", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") })
      else { continue }
      let kilobytes = line.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
      sum += kilobytes / 1024
    }
    return sum
  }
}
