// SPDX-License-Identifier: MIT
import SceneDigest
package import SceneStore
import SceneSystem

/// A cache of encoded segments, grids, verdicts about flashes and audio by content key. Its entries
/// come from earlier builds and from other videos of the same build.
package final class PacketStore: Sendable {
  /// The number of rendered segments and of cache hits.
  package struct Counts {
    var drawn = 0
    var kept = 0
    /// The number of rendered segments whose cached version comes from another build of scenec, or
    /// depends on other fonts.
    var byOtherCode = 0
    var withOtherFonts = 0

    /// Messages about cached segments that could not be reused, with the reason.
    package var others: [String] {
      [(byOtherCode, "by a different version of scenec"), (withOtherFonts, "with different fonts")]
        .compactMap {
          count, how in
          count == 0
            ? nil
            : "\(count) \(count == 1 ? "segment was" : "segments were") cached \(how) and rendered again"
        }
    }

    /// A summary, or `nil` without cache hits.
    package var text: String? {
      guard kept > 0 else { return nil }
      let total = drawn + kept
      return drawn == 0
        ? "nothing to render: \(total == 1 ? "the only segment is" : "all \(total) segments are") cached"
        : "rendered \(drawn) of \(total) segments; the others are cached"
    }
  }

  private struct State {
    var counts = Counts()
    /// The contents of a store without a folder.
    var packets: [SHA256: [UInt8]] = [:]
    var bytes = 0
    /// The number of bytes written since the folder was last trimmed.
    var written = 0
    /// The errno of the first failed write.
    var failure: Int32 = 0
  }

  /// The maximum size of the packets cached in memory, in bytes. Further packets are not cached.
  private static let memoryLimit = 256 << 20

  private let folder: StoreFolder?
  /// The location of all cache folders.
  private let place: StorePlace
  /// The maker of each cached segment, keyed by `SegmentKey.wanted`.
  private let makers: StoreFolder?
  private let limit: Int
  private let state = Monitor(State())

  /// The reason why the folder is unusable, as a sentence.
  package let problem: String?

  /// Opens a store. Without a folder, entries are cached in memory for the lifetime of the store.
  package init(_ place: StorePlace) {
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

  /// Counts a cache miss whose segment is cached from another build of scenec or with other fonts.
  func noteOther(_ key: SegmentKey) {
    guard let maker = makers?.read(key.wanted), !maker.elementsEqual(key.maker.bytes) else {
      return
    }
    let isOtherCode = !maker.prefix(32).elementsEqual(key.maker.code.bytes)
    state.update { state in
      if isOtherCode { state.counts.byOtherCode += 1 } else { state.counts.withOtherFonts += 1 }
    }
  }

  /// Trims the folders to their size limits if anything was written.
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

  /// Returns the counts since the last call.
  package func takeCounts() -> Counts {
    let counts = state.update { state in
      defer { state.counts = Counts() }
      return state.counts
    }
    if let path = place.path, problem == nil, counts.drawn + counts.kept > 0 {
      UseCounts.add(taken: counts.kept, made: counts.drawn, to: path)
    }
    return counts
  }

  /// Returns the reason of the first failed write, in one call only; otherwise `nil`.
  func takeFailure() -> String? {
    let failure = state.update { state in
      defer { state.failure = -1 }
      return state.failure
    }
    guard failure > 0, problem == nil, let folder else { return nil }
    return "cannot cache segments in '\(folder.path)': \(Files.reason(failure))"
  }
}

extension PacketStore {
  /// Opens the store of a build; returns `nil` if caching is off. Reports why a store cannot be
  /// used.
  package static func open(_ place: StorePlace, _ reporter: any BuildReporter) -> PacketStore? {
    guard place.path != nil else { return nil }
    let store = PacketStore(place)
    if let problem = store.problem { reporter.note(problem) }
    return store
  }
}
