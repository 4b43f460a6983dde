// SPDX-License-Identifier: MIT
import CLinux

/// The arguments, environment variables and executable of this process.
package enum OwnProcess {
  /// The arguments without the name of the program, or the index of the first one that is not
  /// UTF-8.
  package static var arguments: Result<[String], InvalidArgument> {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      // Safe: the system passes `argc` null-terminated strings.
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let text = unsafe String(validatingCString: bytes) else {
        return .failure(InvalidArgument(index: index))
      }
      arguments.append(text)
    }
    return .success(arguments)
  }

  /// An error for an argument that is not UTF-8.
  package struct InvalidArgument: Error {
    package let index: Int
  }

  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The number of processors, at least one.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Returns the path of a program in the folder of this one; `nil` if that folder is unknown.
  package static func neighbour(_ name: String) -> String? {
    guard let own = Files.resolved("/proc/self/exe"), let slash = own.lastIndex(of: "/") else {
      return nil
    }
    return own[...slash] + name
  }

  /// Replaces the process with another program. Returns only on failure, with `errno` set.
  package static func become(_ path: String, _ arguments: [String]) {
    var pointers = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execv(path, &pointers)
  }

  /// The CPU time of the process in seconds.
  package static var cpuSeconds: Double { scene_cpu_seconds() }

  /// Lowers the priority of this thread and of threads that it starts.
  package static func giveWay() {
    if Simulation.current == nil { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
  }

  /// Starts another program in the background, looked up like a shell command; returns `false` on
  /// failure.
  @discardableResult
  package static func start(_ command: [String]) -> Bool {
    let words = Array(command.joined(separator: "\0").utf8) + [0, 0]
    return unsafe scene_start(words, Int32(command.count)) == 0
  }
}
