// SPDX-License-Identifier: MIT
import SceneModel
import ScenePixels
import SceneSystem

/// The power spectrum of a clip's audio, 100 times per second.
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

  /// Returns the levels of a band in decibels. They equal those measured directly.
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

/// The spectra of clips with several measured bands.
struct SpectraStore {
  private var spectra: [ClipDigest: SoundSpectra] = [:]
  /// The clips with one measured band.
  private var begun: Set<ClipDigest> = []

  enum Step {
    case known(SoundSpectra)
    /// The spectrum must be measured.
    case spectra
    case band
  }

  /// Decides how to measure a band. The first band of a clip is measured on its own.
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
