// SPDX-License-Identifier: MIT
import SceneDigest
import SceneModel
package import SceneStore
import SceneSystem
import Synchronization

/// A cache folder for clip indexes and measured levels, so that each clip is scanned only once.
package struct ClipIndexCache: Sendable {
  private let folder: StoreFolder
  private let written = Written()
  private static let largestSum = 64 << 20
  /// The version of the scan results.
  private static let version = 10

  package init(_ folder: StoreFolder) { self.folder = folder }

  private func key(_ words: String) -> SHA256 {
    SHA256(of: Array("\(ClipIndexCache.version) \(words)".utf8))
  }

  private func write(_ bytes: [UInt8], _ key: SHA256) {
    guard bytes.count < ClipIndexCache.largestSum / 2, folder.write(bytes, key) == 0 else { return }
    if written.add(bytes.count) { folder.trim(to: ClipIndexCache.largestSum) }
  }

  /// Limits how often the folder is trimmed. Listing it after each of many writes would take
  /// quadratic time.
  private final class Written: Sendable {
    private static let interval = 1 << 20
    /// The number of bytes written since the last trim. The first write triggers a trim.
    private let bytes = Mutex(Written.interval)

    /// Adds to the count and returns whether the folder should be trimmed.
    func add(_ count: Int) -> Bool {
      bytes.withLock { bytes in
        bytes += count
        guard bytes >= Written.interval else { return false }
        bytes = 0
        return true
      }
    }
  }

  private func key(_ status: FileStatus) -> SHA256 { key(status.state) }

  func read(_ status: FileStatus) -> ClipIndex? {
    folder.read(key(status)).flatMap { ClipIndex(Array($0)) }
  }

  func write(_ bytes: [UInt8], for status: FileStatus) { write(bytes, key(status)) }

  private func key(_ clip: ClipDigest, _ measure: SoundMeasure) -> SHA256 {
    key("levels \(clip.high) \(clip.low) \(LevelsRequest.measure(measure).bytes)")
  }

  func levels(_ clip: ClipDigest, _ measure: SoundMeasure) -> [Float]? {
    guard let bytes = folder.read(key(clip, measure)).map(Array.init) else { return nil }
    return stride(from: 0, to: bytes.count - 3, by: 4).map { at in
      let bits = bytes[at..<at + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Float(bitPattern: bits)
    }
  }

  func write(_ levels: [Float], of clip: ClipDigest, measure: SoundMeasure) {
    let bytes = levels.flatMap { level in
      (0..<4).map { UInt8(truncatingIfNeeded: level.bitPattern >> (8 * UInt32($0))) }
    }
    write(bytes, key(clip, measure))
  }
}
