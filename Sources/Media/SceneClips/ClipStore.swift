// SPDX-License-Identifier: MIT
import CLinux
package import SceneIR
package import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// A registry of clips with access to their metadata, frames and audio. Shared by all threads.
/// Worker processes do all decoding.
package final class ClipStore: Sendable {
  private let helper: ClipHelper
  private let indexes: ClipIndexCache?
  private let byteLimit: Int
  private let limits: DecodingLimits
  private let state: Monitor<ClipSchedule>
  private let sounds = Monitor(SoundSchedule())
  private let damages = Mutex(Damages())
  private let spectra = Mutex(SpectraStore())

  /// `program` is the path of `scenec-clip`; by default, the one beside this program. `byteLimit`
  /// is the size of the cache of decoded frames, in bytes.
  package init(
    program: String? = nil, cache: ClipIndexCache?, byteLimit: Int = 256 << 20, workers: Int,
    limits: DecodingLimits = DecodingLimits()
  ) {
    self.limits = limits
    helper = ClipHelper(program: program)
    indexes = cache
    self.byteLimit = byteLimit
    state = Monitor(ClipSchedule(byteLimit: byteLimit, workers: workers))
  }

  deinit {
    // The cursors must end before the helper, which waits for the processes that it forked.
    state.update { $0.closeAll() }
    sounds.update { $0.readers = [] }
  }

  // MARK: Index

  /// Indexes an open file as a clip. The store keeps its own descriptor until the clip is
  /// forgotten. `path` is used in messages.
  package func index(_ file: Int32, path: String) throws(AssetError) -> ClipInfo {
    guard let status = FileStatus(file: file) else { throw .unreadable(Files.reason()) }
    guard status.isRegular else { throw .notRegular }
    guard status.size > 0 else { throw .undecodable("the file is empty") }
    guard status.size <= ClipIndex.Limits.bytes else {
      throw .tooLarge("\(status.size) bytes exceed the limit of 64 GiB for a clip")
    }
    let index: ClipIndex
    if let known = indexes?.read(status) { index = known } else { index = try scan(file, status) }
    let bytes = index.bytes
    guard let info = ClipInfo(index, digest: ContentHash.digest(of: bytes)) else {
      throw .undecodable("the timestamps of its frames are invalid")
    }
    guard let clip = OpenClip(file, path: path, info: info, index: index, bytes) else {
      throw .unreadable(Files.reason())
    }
    state.update { $0.open(clip) }
    return info
  }

  private func scan(_ file: Int32, _ status: FileStatus) throws(AssetError) -> ClipIndex {
    let memory = Decoder.emptyMemoryFile()
    guard memory >= 0 else { throw .unreadable("out of memory for its index: \(Files.reason())") }
    defer { close(memory) }
    let process = try helper.begin(.index, [file, memory])
    // A clip whose packets lack timestamps is decoded from start to end.
    let reply = process.reply(until: limits.index + Double(status.size) / 2e6)
    let count: Int
    switch reply {
    case .success(.done(let written)): count = written
    case .success(.damaged): throw .undecodable("invalid response from the clip reader")
    case .success(.refused(let failure)): throw failure
    case .failure(let death): throw .undecodable(death.words)
    }
    let bytes = Files.head(of: memory, count: max(0, min(count, ClipIndex.Limits.indexBytes)))
    guard bytes.count == count, let index = ClipIndex(bytes) else {
      throw .undecodable("invalid response from the clip reader")
    }
    indexes?.write(bytes, for: status)
    return index
  }

  // MARK: Frames

  /// Decodes a frame of an indexed clip.
  package func picture(_ clip: ClipDigest, _ number: Int) throws(ClipError) -> ClipPicture {
    if let failure = damages.withLock({ $0.timeouts[clip] }) { throw failure }
    while true {
      switch state.wait({ $0.step(clip, number) }) {
      case .ready(let picture): return picture
      case .refused(let failure): throw failure
      case .fetch(let job):
        let found = job.run(helper, limits)
        state.update { $0.finish(job, found) }
        for case .failure(let failure) in found where failure.isTimeout {
          damages.withLock { $0.timeouts[clip] = failure }
        }
        if case .failure(let failure)? = found.last { throw failure }
        if case .success(let picture)? = found.last { return picture }
      }
    }
  }

  /// Decodes a frame. If it is damaged and `damage` is `.hold`, returns the nearest intact frame
  /// instead: the last one before it, or for damaged frames at the start of a clip the first one
  /// after it.
  ///
  /// Throws if more than `Damages.longestHold` consecutive frames are damaged, and if the decoder
  /// exceeded its CPU limit, since other frames would take as long.
  package func picture(of clip: ClipDigest, number: Int, damage: ClipReading.Damage)
    throws(ClipError) -> ClipPicture
  {
    guard damage == .hold else { return try picture(clip, number) }
    let count = openClip(clip)?.info.pictures?.times.count ?? 0
    while true {
      let shown = try damages.withLock { it throws(ClipError) in
        try it.standIn(for: number, of: count, in: clip)
      }
      do throws(ClipError) {
        return try picture(clip, shown)
      } catch {
        if error.isTimeout { throw error }
        damages.withLock { $0.errors[clip, default: [:]][shown] = error }
      }
    }
  }

  /// The number of damaged frames that were replaced by others, and the first of them.
  package var held: (count: Int, first: ClipError)? { damages.withLock { $0.held } }

  /// The first place at which the audio of a clip could not be decoded, so that a part is silent.
  package var silenced: ClipError? { damages.withLock { $0.silenced } }

  /// Returns an indexed clip that has not been forgotten.
  func openClip(_ clip: ClipDigest) -> OpenClip? { state.update { $0.clip(clip) } }

  // MARK: Audio

  /// Returns interleaved samples of a clip, starting at sample `from`, at the recorded rate.
  /// Samples outside the clip are silent.
  package func sound(_ clip: ClipDigest, from: Int, count: Int) throws(ClipError) -> [Float] {
    try sound(clip, from: from, count: count) { clip, sample in
      sounds.wait { $0.take(clip, sample) }
    } give: { reader in
      sounds.update { $0.give(reader) }
    }
  }

  /// Reads samples with a reader that `take` supplies and `give` returns.
  func sound(
    _ clip: ClipDigest, from: Int, count: Int, take: (OpenClip, Int) -> SoundReader,
    give: (SoundReader) -> Void
  ) throws(ClipError) -> [Float] {
    guard let open = openClip(clip), let sound = open.info.sound else { throw .noClip }
    let silence = { [Float](repeating: 0, count: max(0, $0) * sound.channels) }
    let inside = (from..<from + max(0, count)).clamped(to: 0..<sound.sampleCount)
    guard !inside.isEmpty else { return silence(count) }
    let reader = take(open, inside.lowerBound)
    defer { give(reader) }
    do throws(AssetError) {
      let samples = try reader.read(
        sound, from: inside.lowerBound, count: inside.count, helper: helper, limits: limits)
      if let sample = reader.damage {
        let error = error(in: open, sound, at: sample, reason: "damaged data")
        damages.withLock { $0.note(error, in: clip) }
      }
      return silence(inside.lowerBound - from) + samples
        + silence(from + count - inside.upperBound)
    } catch {
      reader.close()
      throw self.error(in: open, sound, at: from, reason: error.reason)
    }
  }

  private func error(in clip: OpenClip, _ sound: ClipSound, at sample: Int, reason: String)
    -> ClipError
  {
    let ticks = Double(sample) / Double(sound.rate) * Double(Ticks.perSecond)
    return ClipError(
      path: clip.path, picture: nil, time: Ticks(rounding: ticks) ?? .zero, reason: reason)
  }

  /// Returns the levels of a clip's audio, 100 per second from its first sample. Results are cached
  /// in the folder of indexes.
  package func levels(_ clip: ClipDigest, _ measure: SoundMeasure) throws(ClipError) -> [Float] {
    guard let open = openClip(clip), let sound = open.info.sound else { throw .noClip }
    if let known = indexes?.levels(clip, measure) { return known }
    do throws(AssetError) {
      let levels = try measured(
        LevelsReader(open, sound: sound, limits: limits), clip: clip, sound: sound, measure: measure
      )
      indexes?.write(levels, of: clip, measure: measure)
      return levels
    } catch {
      throw ClipError(path: open.path, picture: nil, time: .zero, reason: error.reason)
    }
  }

  /// Measures a band directly the first time. From the second band of a clip on, a single spectrum
  /// serves all bands.
  private func measured(
    _ reader: LevelsReader, clip: ClipDigest, sound: ClipSound, measure: SoundMeasure
  ) throws(AssetError) -> [Float] {
    // Rounds the frequencies as the request does.
    let sent = LevelsRequest(LevelsRequest.measure(measure).bytes)
    guard case .measure(.band(let low, let high))? = sent else {
      return try reader.levels(measure, helper)
    }
    switch spectra.withLock({ $0.step(clip, sound) }) {
    case .known(let spectra): return spectra.levels(low: low, high: high)
    case .band: return try reader.levels(measure, helper)
    case .spectra:
      let made = try reader.spectra(helper)
      spectra.withLock { $0.keep(made, clip) }
      return made.levels(low: low, high: high)
    }
  }

  /// Releases the spectra, which are needed only while several bands of a clip are measured.
  package func forgetSpectra() { spectra.withLock { $0 = SpectraStore() } }

  /// Closes clips. A clip and its decoded data are released once it has been forgotten as often as
  /// it was indexed.
  package func forget(_ clips: [ClipDigest]) {
    let gone = state.update { $0.forget(clips) }
    sounds.update { sounds in
      sounds.readers.removeAll { !$0.isTaken && gone.contains($0.clip.info.digest) }
    }
  }
}

/// The damaged frames of clips found so far.
private struct Damages {
  /// The maximum number of consecutive frames that can be replaced, which bounds the work per
  /// frame.
  private static let longestHold = 1000

  var errors: [ClipDigest: [Int: ClipError]] = [:]
  /// The clips whose decoder exceeded its CPU limit. Their frames are not tried again.
  var timeouts: [ClipDigest: ClipError] = [:]
  /// The damaged frames that were replaced by others.
  private var replaced: [ClipDigest: Set<Int>] = [:]

  /// The first place in the audio of each clip that could not be decoded.
  private var sounds: [ClipDigest: ClipError] = [:]

  /// The first of the places in audio that could not be decoded, ordered by path and time.
  var silenced: ClipError? {
    sounds.values.min { ($0.path, $0.time) < ($1.path, $1.time) }
  }

  /// Records a place in the audio of a clip that cannot be decoded.
  mutating func note(_ error: ClipError, in clip: ClipDigest) {
    if let known = sounds[clip], known.time <= error.time { return }
    sounds[clip] = error
  }

  /// The size of `replaced` and its first frame, ordered by path and time.
  var held: (count: Int, first: ClipError)? {
    let count = replaced.values.reduce(0) { $0 + $1.count }
    let first = replaced.compactMap { clip, numbers in
      numbers.min().flatMap { errors[clip]?[$0] }
    }.min { ($0.path, $0.time) < ($1.path, $1.time) }
    return first.map { (count, $0) }
  }

  /// Returns the frame to decode instead of a damaged one, or `number` itself if it is not known to
  /// be damaged.
  mutating func standIn(for number: Int, of count: Int, in clip: ClipDigest)
    throws(ClipError) -> Int
  {
    guard let errors = errors[clip], let failure = errors[number] else { return number }
    replaced[clip, default: []].insert(number)
    let first = max(0, number - Damages.longestHold)
    if let before = (first..<number).last(where: { errors[$0] == nil }) { return before }
    let end = min(count, number + Damages.longestHold)
    guard first == 0, let after = (number..<max(number, end)).first(where: { errors[$0] == nil })
    else { throw failure }
    return after
  }
}
