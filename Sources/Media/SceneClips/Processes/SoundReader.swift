// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels
import SceneSystem

/// A worker process that decodes the audio of one clip, sequentially if possible. Used only by the
/// thread that took it.
final class SoundReader {
  let clip: OpenClip
  private var process: ClipProcess?
  private var memory: SharedMemory?
  /// The sample after the last read.
  private(set) var position = 0
  /// The first sample of the first packet that could not be decoded in the last read, or `nil`.
  private(set) var damage: Int?
  var isTaken = true
  var lastUse = 0

  init(_ clip: OpenClip) { self.clip = clip }

  func close() { (process, memory) = (nil, nil) }

  func read(
    _ sound: ClipSound, from: Int, count: Int, helper: ClipHelper, limits: DecodingLimits
  ) throws(AssetError) -> [Float] {
    damage = nil
    var samples: [Float] = []
    samples.reserveCapacity(count * sound.channels)
    while samples.count < count * sound.channels {
      let done = samples.count / sound.channels
      let part = SoundRequest(from: from + done, count: min(SoundRequest.most, count - done))
      samples += try read(part, channels: sound.channels, helper: helper, seconds: limits.sound)
      position = part.from + part.count
    }
    return samples
  }

  private func read(
    _ request: SoundRequest, channels: Int, helper: ClipHelper, seconds: Double
  ) throws(AssetError) -> [Float] {
    let (process, memory) = try open(channels, helper)
    let limit = process.cpuSeconds + seconds
    guard process.channel.send(request.bytes) else {
      throw .undecodable(process.death.words)
    }
    switch process.reply(until: limit) {
    case .success(.done): break
    case .success(.damaged(let sample)): damage = damage ?? sample
    case .success(.refused(let failure)): throw failure
    case .failure(let death): throw .undecodable(death.words)
    }
    let bytes = request.count * channels * 4
    return memory.withBytes(0..<bytes) { $0.floats(request.count * channels) }
  }

  private func open(_ channels: Int, _ helper: ClipHelper) throws(AssetError)
    -> (ClipProcess, SharedMemory)
  {
    if let process, let memory { return (process, memory) }
    let index = try Decoder.memoryFile(clip.bytes)
    defer { CLinux.close(index) }
    guard let memory = SharedMemory(byteCount: SoundRequest.most * channels * 4) else {
      throw .unreadable("out of memory for its audio")
    }
    let process = try helper.begin(.sound, [clip.file, index, memory.file])
    (self.process, self.memory) = (process, memory)
    return (process, memory)
  }
}

/// The pool of audio readers.
struct SoundSchedule {
  var readers: [SoundReader] = []
  private var clock = 0
  private static let most = 16
  /// The number of requests after which an unused reader is closed.
  private static let rest = 64

  /// Returns a reader for a sample. Prefers a reader at or shortly before the sample, then a long
  /// unused one of the same clip, then a new one, then the least recently used one. Returns `nil`
  /// while all readers are taken.
  mutating func take(_ clip: OpenClip, _ from: Int) -> SoundReader? {
    clock += 1
    readers.removeAll { !$0.isTaken && clock - $0.lastUse > SoundSchedule.rest }
    let free = readers.filter { !$0.isTaken }
    let own = free.filter { $0.clip === clip }
    let near = own.filter { $0.position <= from }.max { $0.position < $1.position }
    let reach = clip.info.sound.map { $0.rate / 2 } ?? 0
    var found = near.flatMap { from - $0.position <= reach ? $0 : nil }
    found = found ?? own.first { clock - $0.lastUse > SoundSchedule.most }
    if found == nil, readers.count >= SoundSchedule.most {
      guard let oldest = free.min(by: { $0.lastUse < $1.lastUse }) else { return nil }
      readers.removeAll { $0 === oldest }
    }
    if found == nil {
      let made = SoundReader(clip)
      readers.append(made)
      found = made
    }
    found?.isTaken = true
    found?.lastUse = clock
    return found
  }

  mutating func give(_ reader: SoundReader) { reader.isTaken = false }
}
