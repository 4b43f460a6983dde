// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels
import SceneSystem

/// Has the sound of one clip measured from end to end, in a process of its own.
struct LevelsReader {
  private let clip: OpenClip
  private let sound: ClipSound
  private let measure: SoundMeasure

  init(_ clip: OpenClip, _ sound: ClipSound, _ measure: SoundMeasure) {
    self.clip = clip
    self.sound = sound
    self.measure = measure
  }

  func read(_ helper: ClipHelper) throws(AssetFault) -> [Float] {
    let count = sound.levelCount
    let index = try Decoder.memoryFile(clip.bytes)
    defer { close(index) }
    guard let memory = SharedMemory(byteCount: max(1, count) * 4) else {
      throw .unreadable("no memory for its levels")
    }
    let process = try helper.begin(.levels, [clip.file, index, memory.file])
    guard process.channel.send(LevelsRequest(measure).bytes) else {
      throw .undecodable(process.death.words)
    }
    // A fiftieth of the time that it plays, and more for what is slow to begin.
    switch process.reply(until: 20 + Double(count) / 5000) {
    case .success(.done(count)):
      return memory.withBytes(0..<count * 4) { $0.floats(count) }
    case .success(.done): throw .undecodable("what its decoder answers makes no sense")
    case .success(.refused(let fault)): throw fault
    case .failure(let death): throw .undecodable(death.words)
    }
  }
}

extension ClipSound {
  /// How often its levels are measured.
  package var levelCount: Int { (sampleCount * SoundMeasure.rate + rate - 1) / max(1, rate) }
}
