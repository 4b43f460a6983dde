// SPDX-License-Identifier: MIT
import CLinux
package import SceneIR
package import SceneModel
import ScenePixels
import SceneSystem
import Synchronization

/// Clips: what they are, and their pictures by number. Shared by all threads; nothing is decoded in
/// this process.
package final class ClipStore: Sendable {
  private let helper: ClipHelper
  private let indexes: ClipIndexCache?
  private let byteLimit: Int
  private let state: Monitor<ClipSchedule>
  private let sounds = Monitor(SoundSchedule())
  private let damages = Mutex(Damages())

  /// `program` is `scenec-clip` beside this program, if not another one; `byteLimit` is for decoded
  /// pictures that wait to be shown again.
  package init(
    program: String? = nil, cache: ClipIndexCache?, byteLimit: Int = 256 << 20, workers: Int
  ) {
    helper = ClipHelper(program: program)
    indexes = cache
    self.byteLimit = byteLimit
    state = Monitor(ClipSchedule(byteLimit: byteLimit, workers: workers))
  }

  deinit {
    // Before the helper, which waits for the processes that it split off.
    state.update { $0.closeAll() }
    sounds.update { $0.readers = [] }
  }

  // MARK: Index

  /// What an open file is as a clip. It is kept open for its pictures until it is forgotten; `path`
  /// is for messages.
  package func index(_ file: Int32, path: String) throws(AssetFault) -> ClipInfo {
    guard let status = FileStatus(file: file) else { throw .unreadable(Files.reason()) }
    guard status.isRegular else { throw .notRegular }
    guard status.size > 0 else { throw .undecodable("the file is empty") }
    guard status.size <= ClipIndex.Limits.bytes else {
      throw .tooLarge("\(status.size) bytes are over 64 GiB, the most that a clip may have")
    }
    let index: ClipIndex
    if let known = indexes?.read(status) { index = known } else { index = try scan(file, status) }
    let bytes = index.bytes
    guard let info = ClipInfo(index, digest: ContentHash.digest(of: bytes)) else {
      throw .undecodable("the times of its pictures make no sense")
    }
    guard let clip = OpenClip(file, path: path, info: info, index: index, bytes) else {
      throw .unreadable(Files.reason())
    }
    state.update { $0.open(clip) }
    return info
  }

  private func scan(_ file: Int32, _ status: FileStatus) throws(AssetFault) -> ClipIndex {
    let memory = Decoder.emptyMemoryFile()
    guard memory >= 0 else { throw .unreadable("no memory for its index: \(Files.reason())") }
    defer { close(memory) }
    let process = try helper.begin(.index, [file, memory])
    // A clip whose packets have no times is decoded from end to end.
    let reply = process.reply(until: 20 + Double(status.size) / 2e6)
    let count: Int
    switch reply {
    case .success(.done(let written)): count = written
    case .success(.refused(let fault)): throw fault
    case .failure(let death): throw .undecodable(death.words)
    }
    let bytes = Files.head(of: memory, count: max(0, min(count, ClipIndex.Limits.indexBytes)))
    guard bytes.count == count, let index = ClipIndex(bytes) else {
      throw .undecodable("what its decoder answers makes no sense")
    }
    indexes?.write(bytes, for: status)
    return index
  }

  // MARK: Pictures

  /// A picture of a clip that was indexed, by its number.
  package func picture(_ clip: ClipDigest, _ number: Int) throws(ClipFault) -> ClipPicture {
    while true {
      switch state.wait({ $0.step(clip, number) }) {
      case .ready(let picture): return picture
      case .refused(let fault): throw fault
      case .fetch(let job):
        let found = job.run(helper)
        state.update { $0.finish(job, found) }
        if case .failure(let fault)? = found.last { throw fault }
        if case .success(let picture)? = found.last { return picture }
      }
    }
  }

  /// A picture, or where that is damaged and `damage` says so the last one before it that is not.
  package func picture(_ clip: ClipDigest, _ number: Int, _ damage: ClipReading.Damage)
    throws(ClipFault) -> ClipPicture
  {
    guard damage == .hold else { return try picture(clip, number) }
    var shown = number
    while true {
      shown = damages.withLock { $0.standIn(for: shown, clip) }
      do throws(ClipFault) {
        return try picture(clip, shown)
      } catch {
        guard shown > 0 else { throw error }
        damages.withLock { $0.add(error, clip, shown) }
      }
    }
  }

  /// The pictures that others were shown for, and the first of them.
  package var held: (count: Int, first: ClipFault)? { damages.withLock { $0.found } }

  /// A clip that was indexed and not forgotten.
  func openClip(_ clip: ClipDigest) -> OpenClip? { state.update { $0.clip(clip) } }

  // MARK: Sound

  /// Samples of a clip from a number on, interleaved as they were recorded; silence where it has none.
  package func sound(_ clip: ClipDigest, from: Int, count: Int) throws(ClipFault) -> [Float] {
    try sound(clip, from: from, count: count) { clip, sample in
      sounds.wait { $0.take(clip, sample) }
    } give: { reader in
      sounds.update { $0.give(reader) }
    }
  }

  /// The same by a reader that is taken for a sample, and given back.
  func sound(
    _ clip: ClipDigest, from: Int, count: Int, take: (OpenClip, Int) -> SoundReader,
    give: (SoundReader) -> Void
  ) throws(ClipFault) -> [Float] {
    guard let open = openClip(clip), let sound = open.info.sound else { throw .noClip }
    let silence = { [Float](repeating: 0, count: max(0, $0) * sound.channels) }
    let inside = (from..<from + max(0, count)).clamped(to: 0..<sound.sampleCount)
    guard !inside.isEmpty else { return silence(count) }
    let reader = take(open, inside.lowerBound)
    defer { give(reader) }
    do throws(AssetFault) {
      let samples = try reader.read(sound, from: inside.lowerBound, count: inside.count, helper)
      return silence(inside.lowerBound - from) + samples
        + silence(from + count - inside.upperBound)
    } catch {
      reader.close()
      let ticks = Double(from) / Double(sound.rate) * Double(Ticks.perSecond)
      throw ClipFault(
        path: open.path, picture: nil, time: Ticks(rounding: ticks) ?? .zero, reason: error.words)
    }
  }

  /// What is measured of the sound of a clip, 100 times a second from its first sample on; kept in
  /// the folder of indexes.
  package func levels(_ clip: ClipDigest, _ measure: SoundMeasure) throws(ClipFault) -> [Float] {
    guard let open = openClip(clip), let sound = open.info.sound else { throw .noClip }
    if let known = indexes?.levels(clip, measure) { return known }
    do throws(AssetFault) {
      let levels = try LevelsReader(open, sound, measure).read(helper)
      indexes?.write(levels, clip, measure)
      return levels
    } catch {
      throw ClipFault(path: open.path, picture: nil, time: .zero, reason: error.words)
    }
  }

  /// Lets go of clips and all that was decoded of them, each once for each time it was indexed.
  package func forget(_ clips: [ClipDigest]) {
    let gone = state.update { $0.forget(clips) }
    sounds.update { sounds in
      sounds.readers.removeAll { !$0.isTaken && gone.contains($0.clip.info.digest) }
    }
  }
}

/// Pictures that cannot be decoded, where those before them are shown.
private struct Damages {
  private var numbers: [ClipDigest: Set<Int>] = [:]
  private(set) var found: (count: Int, first: ClipFault)?

  func standIn(for number: Int, _ clip: ClipDigest) -> Int {
    guard let numbers = numbers[clip] else { return number }
    var number = number
    while number > 0, numbers.contains(number) { number -= 1 }
    return number
  }

  mutating func add(_ fault: ClipFault, _ clip: ClipDigest, _ number: Int) {
    guard numbers[clip, default: []].insert(number).inserted else { return }
    let isFirst =
      found.map { ($0.first.path, $0.first.picture ?? 0) > (fault.path, number) } ?? true
    found = ((found?.count ?? 0) + 1, isFirst ? fault : found?.first ?? fault)
  }
}
