// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneSystem

/// A process started by the keeper.
package protocol KeptProcess: AnyObject {
  /// The process id, for the log.
  var number: Int32 { get }

  /// The CPU time used, in seconds.
  var seconds: Double { get }

  /// The memory size in bytes.
  var memory: Int { get }

  func signal(_ number: Int32)

  /// Waits for the process to exit; returns the exit status, or the negated number of a signal.
  func waitForEnd() -> Int32
}

/// The environment of a keeper: the streams of its editor, and the processes that it starts.
package protocol KeeperWorld {
  /// The file descriptor for messages from the editor.
  var input: Int32 { get }

  /// The file descriptor for messages to the editor.
  var output: Int32 { get }

  /// Starts a program whose standard input and output are the other end of `socket`; returns `nil`
  /// on failure. The caller closes the socket.
  func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)?
}

/// The standard streams and operating system processes.
package struct SystemKeeperWorld: KeeperWorld {
  package let input: Int32 = 0
  package let output: Int32 = 1

  package init() {}

  package func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)? {
    let bytes = words.flatMap { word in
      word.utf8.filter { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }
    // Safe: the new process copies the arguments before this call returns.
    let made = unsafe scene_start_words(bytes, Int32(words.count))
    return made.socket < 0 ? nil : (made.socket, SystemProcess(made.process))
  }
}

private final class SystemProcess: KeptProcess {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  var seconds: Double { scene_process_seconds(number) }

  var memory: Int { scene_process_memory(number) }

  func signal(_ number: Int32) { kill(self.number, number) }

  func waitForEnd() -> Int32 { scene_wait_status(number) }
}
