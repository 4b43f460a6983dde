// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneAV
import SceneClips
import SceneModel
import ScenePixels
import SceneSystem

/// Forks a worker process for each clip until the client closes the socket, and reports the signal
/// or the exit status with which a worker ended. This process itself never reads clips.
package func serve(_ socket: Int32) {
  // A single heap makes the memory limit predictable.
  scene_one_heap()
  // Frames are large blocks. Without this call, they would stay allocated after a decoder is closed.
  scene_return_large_blocks()
  silenceLibav()
  let channel = MessageChannel(socket)
  defer { scene_end_children() }
  // The ends of worker processes, by process number: a signal, or a negative exit status.
  var deaths: [Int32: Int32] = [:]
  while let (question, own) = channel.receive() {
    while case let death = scene_bury(), death.pid > 0 {
      let end = death.signal > 0 ? death.signal : -death.status
      deaths[death.pid] = end == 0 ? nil : end
    }
    guard own >= 0 else {
      var reader = MessageReader(question)
      let end = deaths[Int32(truncatingIfNeeded: reader.number())] ?? 0
      guard channel.send(message(Int(end))) else { return }
      continue
    }
    let child = scene_fork()
    if child == 0 {
      close(socket)
      work(MessageChannel(own))
    }
    close(own)
    deaths[child] = nil
    let handle = child > 0 ? scene_process_file(child) : -1
    guard channel.send(message(Int(child)), file: handle) else { return }
    if handle >= 0 { close(handle) }
  }
}

/// The resource limits of a worker process.
private enum ClipLimits {
  /// The maximum memory in bytes, in addition to the memory in use at the start.
  static let memory = 2 << 30
}

/// Reads one clip and exits. The client has already opened all required files.
private func work(_ channel: MessageChannel) -> Never {
  guard let (bytes, clip) = channel.receive(), let work = ClipWork(bytes) else { _exit(1) }
  let others = (1..<work.fileCount).compactMap { _ in channel.receive()?.file }
  guard clip >= 0, others.count == work.fileCount - 1, others.allSatisfy({ $0 >= 0 }) else {
    _exit(1)
  }
  scene_end_with(channel.socket)
  // Operations that need other system calls than reads and writes must precede the sandbox.
  let store = FileStore(clip)
  let index = work == .index ? [] : Files.head(of: others[0], count: FileStore(others[0]).length)
  let memory = work == .index ? nil : SharedMemory(file: others[1], isWritten: true)
  scene_limit(ClipLimits.memory, 0)
  // If the kernel does not support the sandbox, the resource limits still apply.
  _ = scene_confine_calls(0)
  switch (work, memory) {
  case (.index, _):
    // Packets of a large clip would each be mapped and cleared.
    scene_keep_large_blocks()
    answerIndex(of: store, memory: others[0], channel: channel)
  case (.pictures, let memory?):
    if let webp = try? WebPClip(store) {
      webp.serve(memory, channel)
    } else {
      servePictures(of: store, index: index, memory: memory, channel: channel)
    }
  case (.sound, let memory?): serveSound(of: store, index: index, memory: memory, channel: channel)
  case (.levels, let memory?):
    serveLevels(of: store, index: index, memory: memory, channel: channel)
  default: break
  }
  _exit(0)
}

private func answerIndex(of clip: FileStore, memory: Int32, channel: MessageChannel) {
  var reply: ClipReply
  do throws(AssetError) {
    let bytes: [UInt8]
    if let webp = try WebPClip(clip) {
      bytes = try webp.index().bytes
    } else {
      var indexer = try ClipIndexer(clip)
      bytes = try indexer.index().bytes
    }
    reply =
      Files.write(memory, bytes) == 0
      ? .done(bytes.count) : .refused(.unreadable("out of memory for its index"))
  } catch {
    reply = .refused(error)
  }
  _ = channel.send(reply.bytes)
}
