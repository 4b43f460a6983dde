// SPDX-License-Identifier: MIT
import SceneDigest
import SceneStore
import SceneSystem

/// Encoded segments and sounds by what they follow from: those of earlier builds, and those that several
/// videos of one build have in common.
final class PacketStore: Sendable {
  /// How many segments were drawn, and how many were there already.
  struct Counts {
    var drawn = 0
    var kept = 0
    /// Of those that were drawn, how many are there by other programs or with other fonts.
    var byOtherCode = 0
    var withOtherFonts = 0

    /// How many segments that were there could not be taken, and why.
    var others: [String] {
      [(byOtherCode, "by a different version of scenec"), (withOtherFonts, "with different fonts")]
        .compactMap {
          count, how in
          count == 0
            ? nil
            : "\(count) \(count == 1 ? "segment was" : "segments were") cached \(how) and rendered again"
        }
    }

    /// `nil` where all was drawn.
    var text: String? {
      guard kept > 0 else { return nil }
      let total = drawn + kept
      return drawn == 0
        ? "nothing to render: \(total == 1 ? "the only segment is" : "all \(total) segments are") cached"
        : "rendered \(drawn) of \(total) segments; the others are cached"
    }
  }

  private struct State {
    var counts = Counts()
    /// Without a folder.
    var packets: [SHA256: [UInt8]] = [:]
    var bytes = 0
    /// Bytes that were written since the folder was trimmed.
    var written = 0
    /// The errno of the first write that failed.
    var failure: Int32 = 0
  }

  /// Bytes of packets that are kept in memory; further ones are not.
  private static let memoryLimit = 256 << 20

  private let folder: StoreFolder?
  /// Around the folder and others.
  private let place: StorePlace
  /// What made the segments, by what was wanted.
  private let makers: StoreFolder?
  private let limit: Int
  private let state = Monitor(State())

  /// Why the folder is of no use, in a sentence.
  let problem: String?

  /// Without a folder, they are kept in memory for as long as this lives.
  init(_ place: StorePlace) {
    self.place = place
    folder = place.packets
    makers = place.makers
    limit = place.limit
    problem = folder.flatMap { folder in
      folder.problem().map { "the cache '\(folder.path)' \($0); rendered segments are not cached" }
    }
  }

  func read(_ key: SHA256) -> ArraySlice<UInt8>? {
    guard let folder else { return state.update { $0.packets[key]?[...] } }
    return folder.read(key)
  }

  func keep(_ bytes: [UInt8], _ key: SHA256) {
    guard let folder else {
      return state.update { state in
        guard state.bytes + bytes.count <= PacketStore.memoryLimit else { return }
        state.packets[key] = bytes
        state.bytes += bytes.count
      }
    }
    let failure = folder.write(bytes, key)
    let isMuch = state.update { state in
      if state.failure == 0 { state.failure = failure }
      state.written += bytes.count
      return state.written > limit / 8 + (1 << 20)
    }
    if isMuch { trim() }
  }

  func keep(_ packets: [UInt8], _ key: SegmentKey) {
    keep(packets, key.packets)
    makers?.write(key.maker.bytes, key.wanted)
  }

  /// Counts a segment that is missing, if it is there as other programs or fonts make it.
  func noteOther(_ key: SegmentKey) {
    guard let maker = makers?.read(key.wanted), !maker.elementsEqual(key.maker.bytes) else {
      return
    }
    let isOtherCode = !maker.prefix(32).elementsEqual(key.maker.code.bytes)
    state.update { state in
      if isOtherCode { state.counts.byOtherCode += 1 } else { state.counts.withOtherFonts += 1 }
    }
  }

  /// Removes what is too much, where something came.
  func trim() {
    let isMore = state.update { state in
      defer { state.written = 0 }
      return state.written > 0
    }
    guard isMore else { return }
    folder?.trim(to: limit)
    makers?.trim(to: limit / 64)
  }

  func count(isDrawn: Bool) {
    state.update { if isDrawn { $0.counts.drawn += 1 } else { $0.counts.kept += 1 } }
  }

  /// The counts since this was asked last.
  func takeCounts() -> Counts {
    let counts = state.update { state in
      defer { state.counts = Counts() }
      return state.counts
    }
    if let path = place.path, problem == nil, counts.drawn + counts.kept > 0 {
      UseCounts.add(taken: counts.kept, made: counts.drawn, to: path)
    }
    return counts
  }

  /// Why something could not be kept; said once.
  func takeFailure() -> String? {
    let failure = state.update { state in
      defer { state.failure = -1 }
      return state.failure
    }
    guard failure > 0, problem == nil, let folder else { return nil }
    return "cannot cache segments in '\(folder.path)': \(Files.reason(failure))"
  }
}
