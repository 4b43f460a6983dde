// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneServer
import SceneSystem

/// A thread in place of a process that the keeper starts. The keeper detects its end when its socket
/// is shut down.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class SimulatedProcess: KeptProcess, @unchecked Sendable {
  let name: String
  let number: Int32
  private let run: Run
  private let socket: Int32
  private var status: Int32 = 0
  private(set) var hasEnded = false
  /// The network of a preview, once it listens.
  var network: SimulatedNetwork?

  /// Starts the thread, which closes the socket at its end.
  init(
    _ name: String, number: Int32, socket: Int32, run: Run,
    _ body: @escaping @Sendable (SimulatedProcess) -> Void
  ) {
    (self.name, self.number, self.socket, self.run) = (name, number, socket, run)
    _ = run.thread("\(name) \(number)") { [self] in
      body(self)
      hasEnded = true
      close(socket)
    }
  }

  var seconds: Double { run.scheduler.time / .seconds(1) }

  let memory = 50 << 20

  func signal(_ number: Int32) {
    guard !hasEnded else { return }
    run.note("the \(name) \(self.number) dies")
    hasEnded = true
    status = -number
    scene_shut(socket)
  }

  func waitForEnd() -> Int32 { status }
}
