// SPDX-License-Identifier: MIT
import SceneModel
import ScenePixels
import SceneSystem

/// The powers of all frequencies of one sound, 100 times a second.
struct SoundSpectra {
  private let shape: SpectrumShape
  private let count: Int
  /// A row of `shape.binCount` floats for each level.
  private let memory: SharedMemory

  init(_ shape: SpectrumShape, count: Int, _ memory: SharedMemory) {
    self.shape = shape
    self.count = count
    self.memory = memory
  }

  var byteCount: Int { memory.byteCount }

  /// The levels of a band, in decibels: the same as a pass over the sound measures.
  func levels(low: Double, high: Double) -> [Float] {
    let bins = shape.bins(low: low, high: high)
    let row = shape.binCount * 4
    return (0..<count).map { level in
      let part = level * row + bins.lowerBound * 4..<level * row + (bins.upperBound + 1) * 4
      return memory.withBytes(part) { bytes in
        var sum = 0.0
        for bin in 0..<bins.count { sum += Double(bytes.float(bin)) }
        return shape.decibels(ofBand: sum)
      }
    }
  }
}

/// The spectra of the sounds that several bands were wanted of.
struct SpectraStore {
  private var spectra: [ClipDigest: SoundSpectra] = [:]
  /// Sounds that one band was wanted of.
  private var begun: Set<ClipDigest> = []

  enum Step {
    case known(SoundSpectra)
    /// All frequencies are to be measured.
    case spectra
    case band
  }

  /// How to measure a band: the first one of a sound is measured alone.
  mutating func step(_ clip: ClipDigest, _ sound: ClipSound) -> Step {
    if let known = spectra[clip] { return .known(known) }
    guard sound.hasSpectra else { return .band }
    return begun.insert(clip).inserted ? .band : .spectra
  }

  mutating func keep(_ made: SoundSpectra, _ clip: ClipDigest) {
    let sum = spectra.values.reduce(made.byteCount) { $0 + $1.byteCount }
    if sum > ClipSound.mostSpectraBytes { spectra = [:] }
    spectra[clip] = made
  }
}
