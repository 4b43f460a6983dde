// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// `scenec-clip`, started when first needed: it reads nothing itself, but splits off a process with
/// limits and fences for each clip that is read.
final class ClipHelper: Sendable {
  private struct Running {
    let channel: MessageChannel
    let process: pid_t
  }

  private let running = Mutex<Running?>(nil)
  private let program: String?

  init(program: String?) { self.program = program }

  deinit { running.withLock { ClipHelper.stop(&$0) } }

  /// A process that works on a clip: it gets `files`, the clip first.
  func begin(_ work: ClipWork, _ files: [Int32]) throws(AssetFault) -> ClipProcess {
    let process = try split()
    for (number, file) in files.enumerated() {
      guard process.channel.send(number == 0 ? work.bytes : [], file: file) else {
        throw .unreadable("the clip reader has exited")
      }
    }
    return process
  }

  /// The signal that ended a process that was split off, where one did.
  fileprivate func signal(thatEnded process: pid_t) -> Int? {
    running.withLock { running in
      guard let channel = running?.channel, channel.send(message(Int(process))),
        let answer = channel.next()
      else { return nil }
      var reader = MessageReader(answer)
      let signal = reader.number()
      return signal > 0 ? signal : nil
    }
  }

  private func split() throws(AssetFault) -> ClipProcess {
    // A lock takes no typed errors through.
    let made = running.withLock { running -> Result<ClipProcess, AssetFault> in
      for _ in 0..<2 {
        do throws(AssetFault) {
          let helper = if let running { running } else { try start() }
          running = helper
          if let process = try split(helper) { return .success(process) }
        } catch {
          return .failure(error)
        }
        // Somebody ended it: another one is started.
        ClipHelper.stop(&running)
      }
      return .failure(.unreadable("the clip reader cannot be started"))
    }
    return try made.get()
  }

  /// `nil` when the helper has gone.
  private func split(_ helper: Running) throws(AssetFault) -> ClipProcess? {
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
    return ClipProcess(self, MessageChannel(ends.own), pid_t(truncatingIfNeeded: number), handle)
  }

  private func start() throws(AssetFault) -> Running {
    guard let path = program ?? OwnProcess.neighbour("scenec-clip") else {
      throw .unreadable("the installation of scenec cannot be found; is /proc mounted?")
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
    // It ends when nobody holds the other end.
    close(helper.channel.socket)
    _ = scene_wait(helper.process, .infinity)
    running = nil
  }
}

/// A process that reads one clip, and ends with this object.
final class ClipProcess: Sendable {
  /// Why no answer came.
  enum Death: Error {
    case ended(signal: Int?)
    case time(seconds: Double)

    var words: String {
      switch self {
      case .ended(signal: nil): "the decoder has exited"
      case .ended(signal: Int(SIGKILL)?):
        "the decoder was killed, possibly because memory is low; try again"
      case .ended(let signal?): "the decoder crashed (signal \(signal))"
      case .time(let seconds): "the decoder exceeds the limit of \(Int(seconds)) s of CPU time"
      }
    }
  }

  let channel: MessageChannel
  private let helper: ClipHelper
  private let process: pid_t
  /// Stands for the process even when its number is used again.
  private let handle: Int32

  fileprivate init(
    _ helper: ClipHelper, _ channel: MessageChannel, _ process: pid_t, _ handle: Int32
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

  /// The next answer, for which the process may take its CPU up to a count of seconds.
  func reply(until seconds: Double) -> Result<ClipReply, Death> {
    // Not a limit of time: it says when to look at the clock of the process.
    while !channel.waits(milliseconds: 200) {
      if cpuSeconds > seconds { return .failure(.time(seconds: seconds)) }
    }
    guard let reply = channel.next().flatMap({ ClipReply($0) }) else { return .failure(death) }
    return .success(reply)
  }

  /// Why nothing comes any more.
  var death: Death {
    // It lets go of the channel a moment before it is gone.
    if handle >= 0 { _ = MessageChannel(handle).waits(milliseconds: 1000) }
    return .ended(signal: helper.signal(thatEnded: process))
  }
}
