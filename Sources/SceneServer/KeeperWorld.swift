// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneSystem

/// A process that the keeper has started.
package protocol KeptProcess: AnyObject {
  /// Names it in the log.
  var number: Int32 { get }

  /// CPU seconds that it has used.
  var seconds: Double { get }

  /// The size of its memory, in bytes.
  var memory: Int { get }

  func signal(_ number: Int32)

  /// Waits for its end: the exit status, or the negative number of a signal.
  func waitForEnd() -> Int32
}

/// What surrounds a keeper: the streams of its editor, and the processes that it starts.
package protocol KeeperWorld {
  /// The file from which messages of the editor are read.
  var input: Int32 { get }

  /// The file to which messages for the editor are written.
  var output: Int32 { get }

  /// Starts a program whose standard input and output are the other end of `socket`, which the caller closes;
  /// `nil` if it cannot be started.
  func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)?
}

/// The standard streams, and processes of the system.
package struct SystemKeeperWorld: KeeperWorld {
  package let input: Int32 = 0
  package let output: Int32 = 1

  package init() {}

  package func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)? {
    let bytes = words.flatMap { Array($0.utf8.filter { $0 != 0 }) + [0] }
    let made = unsafe bytes.withUnsafeBytes {
      // Safe: the words are copied by the new process before this ends.
      unsafe scene_start_words(
        $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32(words.count))
    }
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
