// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// The `scenec-clip` process, started on first use. It reads no clips itself, but forks a sandboxed
/// worker process for each clip.
final class ClipHelper: Sendable {
  private struct Running {
    let channel: MessageChannel
    let process: pid_t
  }

  private let running = Mutex<Running?>(nil)
  private let program: String?

  init(program: String?) { self.program = program }

  deinit { running.withLock { ClipHelper.stop(&$0) } }

  /// Starts a worker process for a clip and sends it `files`, the clip first.
  func begin(_ work: ClipWork, _ files: [Int32]) throws(AssetError) -> ClipProcess {
    let process = try split()
    for (number, file) in files.enumerated() {
      guard process.channel.send(number == 0 ? work.bytes : [], file: file) else {
        throw .unreadable("the clip reader has exited")
      }
    }
    return process
  }

  /// Returns how a worker process ended.
  fileprivate func end(of process: pid_t) -> ClipProcess.Death {
    running.withLock { running in
      guard let channel = running?.channel, channel.send(message(Int(process))),
        let answer = channel.next()
      else { return .exited(status: 0) }
      var reader = MessageReader(answer)
      let end = reader.number()
      return end > 0 ? .killed(signal: end) : .exited(status: -end)
    }
  }

  private func split() throws(AssetError) -> ClipProcess {
    // `Mutex.withLock` does not propagate typed errors.
    let made = running.withLock { running -> Result<ClipProcess, AssetError> in
      for _ in 0..<2 {
        do throws(AssetError) {
          let helper = if let running { running } else { try start() }
          running = helper
          if let process = try split(helper) { return .success(process) }
        } catch {
          return .failure(error)
        }
        // The helper was terminated; it is restarted.
        ClipHelper.stop(&running)
      }
      return .failure(.unreadable("the clip reader cannot be started"))
    }
    return try made.get()
  }

  /// Requests a worker process from the helper; returns `nil` if the helper has exited.
  private func split(_ helper: Running) throws(AssetError) -> ClipProcess? {
    let ends = scene_socket_pair()
    guard ends.own >= 0 else { throw .unreadable(Files.reason()) }
    let isSent = helper.channel.send([], file: ends.other)
    close(ends.other)
    guard isSent, let (answer, handle) = helper.channel.receive() else {
      close(ends.own)
      return nil
    }
    var reader = MessageReader(answer)
    let number = reader.number()
    guard number > 0, reader.isWhole else {
      close(ends.own)
      if handle >= 0 { close(handle) }
      throw .unreadable("no process for the clip reader is available")
    }
    return ClipProcess(
      self, channel: MessageChannel(ends.own), process: pid_t(truncatingIfNeeded: number),
      handle: handle)
  }

  private func start() throws(AssetError) -> Running {
    guard let path = program ?? OwnProcess.neighbour("scenec-clip") else {
      throw .unreadable("the scenec installation cannot be found; is /proc mounted?")
    }
    let helper = scene_start_helper(path, nil, nil)
    guard helper.socket >= 0 else {
      throw .unreadable(
        "the clip reader '\(path)' cannot be started: \(Files.reason()); install it in the same folder as scenec"
      )
    }
    return Running(channel: MessageChannel(helper.socket), process: helper.process)
  }

  private static func stop(_ running: inout Running?) {
    guard let helper = running else { return }
    // The helper exits once the other end of its socket is closed.
    close(helper.channel.socket)
    _ = scene_wait(helper.process, .infinity)
    running = nil
  }
}

/// A worker process that reads one clip. It ends with this object.
final class ClipProcess: Sendable {
  /// The reason why a worker process did not respond.
  enum Death: Error {
    case killed(signal: Int)
    /// The status is 0 if it is unknown.
    case exited(status: Int)
    case time(seconds: Double)

    var words: String {
      switch self {
      case .exited(status: 0): "the decoder has exited"
      case .exited(let status): "the decoder failed (exit status \(status))"
      case .killed(signal: Int(SIGKILL)):
        "the decoder was killed, possibly because memory is low; try again"
      case .killed(let signal): "the decoder crashed (signal \(signal))"
      case .time(let seconds): "the decoder exceeds the limit of \(Int(seconds)) s of CPU time"
      }
    }
  }

  let channel: MessageChannel
  private let helper: ClipHelper
  private let process: pid_t
  /// A process descriptor, which stays unambiguous even if the process number is reused.
  private let handle: Int32

  fileprivate init(
    _ helper: ClipHelper, channel: MessageChannel, process: pid_t, handle: Int32
  ) {
    self.helper = helper
    self.channel = channel
    self.process = process
    self.handle = handle
  }

  deinit {
    close(channel.socket)
    guard handle >= 0 else { return }
    scene_end_process(handle)
    close(handle)
  }

  var cpuSeconds: Double { scene_process_seconds(process) }

  /// Returns the next reply. `seconds` is the CPU time of the process at which waiting stops.
  func reply(until seconds: Double) -> Result<ClipReply, Death> {
    // The timeout only sets how often the CPU time of the process is checked.
    while !channel.waits(milliseconds: 200) {
      if cpuSeconds > seconds { return .failure(.time(seconds: seconds)) }
    }
    guard let reply = channel.next().flatMap({ ClipReply($0) }) else { return .failure(death) }
    return .success(reply)
  }

  /// The reason why the process no longer responds.
  var death: Death {
    // The process closes the channel shortly before it exits.
    if handle >= 0 { _ = MessageChannel(handle).waits(milliseconds: 1000) }
    return helper.end(of: process)
  }
}
