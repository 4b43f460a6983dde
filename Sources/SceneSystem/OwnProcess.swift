// SPDX-License-Identifier: MIT
import CLinux

/// What the system tells this process, and the program that it becomes.
package enum OwnProcess {
  /// The arguments after the name of the program; the number of the first that is no UTF-8.
  package static var arguments: Result<[String], InvalidArgument> {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // Safe: the system passes `argc` strings that end in a zero.
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let text = unsafe String(validatingCString: bytes) else {
        return .failure(InvalidArgument(index: index))
      }
      arguments.append(text)
    }
    return .success(arguments)
  }

  /// An argument of the program is not UTF-8.
  package struct InvalidArgument: Error {
    package let index: Int
  }

  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// How many processors are there, at least one.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// A program in the folder of this one.
  package static func neighbour(_ name: String) -> String? {
    guard let own = Files.resolved("/proc/self/exe"), let slash = own.lastIndex(of: "/") else {
      return nil
    }
    return own[...slash] + name
  }

  /// Becomes another program; returns only when that fails, with `errno`.
  package static func become(_ path: String, _ arguments: [String]) {
    var pointers = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execv(path, &pointers)
  }

  /// Seconds of CPU that it has taken.
  package static var cpuSeconds: Double { scene_cpu_seconds() }

  /// What this thread and those that it starts do matters less than what others do.
  package static func giveWay() {
    if Simulation.current == nil { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
  }

  /// Starts another program, which is found as a shell finds it, and lets it go; `false` when it cannot be.
  @discardableResult
  package static func start(_ command: [String]) -> Bool {
    let words = Array(command.joined(separator: "\0").utf8) + [0, 0]
    return unsafe words.withUnsafeBytes {
      unsafe scene_start($0.baseAddress, Int32(command.count)) == 0
    }
  }
}
