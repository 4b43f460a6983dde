// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels
import SceneSystem

/// Measures the whole audio of a clip in a separate worker process.
struct LevelsReader {
  private let clip: OpenClip
  private let sound: ClipSound
  private let limits: DecodingLimits

  init(_ clip: OpenClip, sound: ClipSound, limits: DecodingLimits) {
    self.clip = clip
    self.sound = sound
    self.limits = limits
  }

  func levels(_ measure: SoundMeasure, _ helper: ClipHelper) throws(AssetError) -> [Float] {
    let count = sound.levelCount
    let memory = try read(.measure(measure), count: count, helper)
    return memory.withBytes(0..<count * 4) { $0.floats(count) }
  }

  func spectra(_ helper: ClipHelper) throws(AssetError) -> SoundSpectra {
    let shape = SpectrumShape(rate: sound.rate)
    let count = sound.levelCount
    let memory = try read(.spectra, count: count * shape.binCount, helper)
    return SoundSpectra(shape, count: count, memory)
  }

  /// Returns memory that holds `count` floats.
  private func read(_ request: LevelsRequest, count: Int, _ helper: ClipHelper) throws(AssetError)
    -> SharedMemory
  {
    let index = try Decoder.memoryFile(clip.bytes)
    defer { close(index) }
    guard let memory = SharedMemory(byteCount: max(1, count) * 4) else {
      throw .unreadable("out of memory for its levels")
    }
    let process = try helper.begin(.levels, [clip.file, index, memory.file])
    guard process.channel.send(request.bytes) else {
      throw .undecodable(process.death.words)
    }
    switch process.reply(until: limits.levels + limits.levelsEach * Double(sound.levelCount)) {
    case .success(.done(count)): return memory
    case .success(.done), .success(.damaged):
      throw .undecodable("invalid response from the clip reader")
    case .success(.refused(let failure)): throw failure
    case .failure(let death): throw .undecodable(death.words)
    }
  }
}
