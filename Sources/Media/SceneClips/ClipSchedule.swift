// SPDX-License-Identifier: MIT
import SceneModel

/// A worker process that decodes the frames of one clip, with its position. Changed only under the
/// lock of the store; only the thread that marked the cursor busy communicates with the process.
final class PictureCursor {
  let clip: OpenClip
  var process: ClipProcess?
  /// The last decoded frame, or the frame being fetched; -1 before the first.
  var picture = -1
  var isBusy = true
  var lastUse = 0

  init(_ clip: OpenClip) { self.clip = clip }
}

/// The cache of decoded frames and the assignment of fetches to cursors.
struct ClipSchedule {
  private struct Key: Hashable {
    let clip: ClipDigest
    let number: Int
  }

  private struct Kept {
    let picture: ClipPicture
    var lastUse: Int
    /// Whether a caller requested the frame. Others are decoded in advance for reverse playback.
    var isUsed: Bool
  }

  /// The next action of a thread that requests a frame.
  enum Step {
    case ready(ClipPicture)
    case refused(ClipError)
    case fetch(PictureFetch)
  }

  private var clips: [ClipDigest: OpenClip] = [:]
  /// The number of times each clip was opened. Different files can have equal digests.
  private var uses: [ClipDigest: Int] = [:]
  private var kept: [Key: Kept] = [:]
  private var byteCount = 0
  /// The size in bytes of the cached frames that were already requested.
  private var usedByteCount = 0
  private var pending: Set<Key> = []
  private var cursors: [PictureCursor] = []
  /// A counter of requests, used as the time of last use.
  private var clock = 0
  /// The last request for a frame of each clip.
  private var lastUses: [ClipDigest: Int] = [:]
  private let byteLimit: Int
  private let workers: Int

  private static let mostCursors = 16
  /// The divisor of the byte limit for frames that were already requested. Forward playback rarely
  /// needs them again.
  private static let shareOfUsed = 8
  /// The number of requests per worker after which an unused clip is released. In most videos each
  /// clip appears once, and its process occupies about 50 MB.
  private static let rest = 120
  /// The distance in frames within which a request waits for a busy cursor to pass.
  private static let near = 8
  /// The number of requests per cursor after which an unused cursor is idle.
  private static let turns = 15
  /// The limit for the decoders of all idle cursors in bytes, and the estimated number of frames
  /// per decoder. One decoder of 1080p frames may rest.
  private static let (restingBytes, decoderPictures) = (32 << 20, 8)
  /// The number of frames of a clip from which on a cursor ends with the last frame. Opening a
  /// shorter clip again, for each round of a loop, costs more than decoding it.
  private static let long = 48

  init(byteLimit: Int, workers: Int) {
    self.byteLimit = byteLimit
    self.workers = workers
  }

  mutating func open(_ clip: OpenClip) {
    let digest = clip.info.digest
    if clips[digest] == nil { clips[digest] = clip }
    uses[digest, default: 0] += 1
  }

  func clip(_ digest: ClipDigest) -> OpenClip? { clips[digest] }

  // MARK: Asking

  /// Returns the next action for a request; `nil` if the caller must wait.
  mutating func step(_ digest: ClipDigest, _ number: Int) -> Step? {
    guard let clip = clips[digest], let track = clip.track, let order = clip.order,
      order.packets.indices.contains(number)
    else {
      return .refused(.noClip)
    }
    let key = Key(clip: digest, number: number)
    if let picture = kept[key]?.picture {
      clock += 1
      lastUses[digest] = clock
      kept[key]?.lastUse = clock
      if kept[key]?.isUsed == false {
        kept[key]?.isUsed = true
        usedByteCount += picture.byteCount
      }
      return .ready(picture)
    }
    if pending.contains(key) { return nil }
    guard let slots = clip.slots(track, byteLimit: byteLimit) else {
      return .refused(clip.failure(number, "out of memory for its frames"))
    }
    guard let (cursor, isNear) = cursor(for: clip, order, number) else { return nil }
    let cost = PictureFetch.cost(from: cursor, to: number, order)
    clock += 1
    lastUses[digest] = clock
    cursor.isBusy = true
    cursor.lastUse = clock
    let numbers =
      isNear
      ? [number] : run(to: number, of: digest, order: order, byteCount: slots.layout.byteCount)
    makeRoom(for: numbers.count * slots.layout.byteCount)
    var places: [Int] = []
    while places.count < numbers.count, let slot = slots.take() { places.append(slot) }
    guard places.count > 0 else {
      cursor.isBusy = false
      return .refused(clip.failure(number, "too many of its frames are in use"))
    }
    let wanted = Array(numbers.suffix(places.count))
    cursor.picture = number
    for number in wanted { pending.insert(Key(clip: digest, number: number)) }
    return .fetch(
      PictureFetch(
        cursor: cursor, slots: slots, cost: cost + wanted.count,
        pictures: Array(zip(wanted, places)).map { (number: $0.0, slot: $0.1) }))
  }

  /// Returns a free or new cursor, and whether it reaches the frame by decoding forward. Returns
  /// `nil` if all are busy, or if a busy one is about to reach the frame.
  private mutating func cursor(
    for clip: OpenClip, _ order: PictureOrder, _ number: Int
  ) -> (PictureCursor, Bool)? {
    let own = cursors.filter { $0.clip === clip }
    if own.contains(where: {
      $0.isBusy && number > $0.picture && number - $0.picture <= ClipSchedule.near
    }) {
      return nil
    }
    let free = own.filter { !$0.isBusy }
    let jump = PictureFetch.costOfJump(to: number, order)
    let near = free.map { ($0, PictureFetch.cost(from: $0, to: number, order)) }
      .min { $0.1 < $1.1 }
    if let near, near.1 < jump || near.0.picture < 0 { return (near.0, true) }
    // A cursor that rests elsewhere in the clip jumps here, rather than occupying a second decoder.
    if let idle = free.filter(isIdle).min(by: { $0.lastUse < $1.lastUse }) { return (idle, false) }
    if own.count <= workers {
      if cursors.count >= ClipSchedule.mostCursors {
        let idle = cursors.filter { !$0.isBusy && $0.clip !== clip }.min { $0.lastUse < $1.lastUse }
        if let idle { cursors.removeAll { $0 === idle } }
      }
      if cursors.count < ClipSchedule.mostCursors {
        let made = PictureCursor(clip)
        cursors.append(made)
        return (made, false)
      }
    }
    return free.min { $0.lastUse < $1.lastUse }.map { ($0, false) }
  }

  /// Returns the frames to fetch for a request. For reverse playback these are all frames from the
  /// keyframe on, limited to half of the cache.
  private func run(
    to number: Int, of digest: ClipDigest, order: PictureOrder, byteCount: Int
  ) -> [Int] {
    func isKnown(_ number: Int) -> Bool {
      let key = Key(clip: digest, number: number)
      return kept[key] != nil || pending.contains(key)
    }
    guard (number + 1...number + ClipSchedule.near).contains(where: isKnown) else {
      return [number]
    }
    let first = max(0, Int(order.pictures[order.key(for: number)]))
    let most = min(PictureRequest.most, max(1, byteLimit / 2 / byteCount))
    var start = number
    while start > first, number - start + 1 < most, !isKnown(start - 1) { start -= 1 }
    return Array(start...number)
  }

  // MARK: Results

  /// Stores the results of a fetch, in the order of its frames.
  mutating func finish(_ fetch: PictureFetch, _ found: [Result<ClipPicture, ClipError>]) {
    let cursor = fetch.cursor
    cursor.isBusy = false
    let pictures = cursor.clip.order?.packets.count ?? 0
    let isAtEnd = pictures >= ClipSchedule.long && cursor.picture == pictures - 1
    if cursor.process == nil || isAtEnd { cursors.removeAll { $0 === cursor } }
    let digest = cursor.clip.info.digest
    let isOpen = clips[digest] === cursor.clip
    for ((number, _), result) in zip(fetch.pictures, found) {
      let key = Key(clip: digest, number: number)
      pending.remove(key)
      guard isOpen, case .success(let picture) = result else { continue }
      drop(key)
      let isUsed = number == fetch.pictures.last?.number
      kept[key] = Kept(picture: picture, lastUse: clock, isUsed: isUsed)
      byteCount += picture.byteCount
      if isUsed { usedByteCount += picture.byteCount }
    }
    makeRoom(for: 0)
    retire()
    endResting()
  }

  private func isIdle(_ cursor: PictureCursor) -> Bool {
    !cursor.isBusy && cursor.lastUse < clock - ClipSchedule.turns * cursors.count
  }

  /// Ends idle cursors, least recently used first, until the decoders of the remaining ones fit the
  /// limit. Restarting a cursor costs at most one seek.
  private mutating func endResting() {
    let resting = cursors.filter(isIdle)
    var byteCount = 0
    var ended: Set<ObjectIdentifier> = []
    for cursor in resting.sorted(by: { $0.lastUse > $1.lastUse }) {
      byteCount += ClipSchedule.decoderPictures * cursor.clip.pictureByteCount
      if byteCount > ClipSchedule.restingBytes { ended.insert(ObjectIdentifier(cursor)) }
    }
    if !ended.isEmpty { cursors.removeAll { ended.contains(ObjectIdentifier($0)) } }
  }

  /// Releases clips that have not been used recently.
  private mutating func retire() {
    let last = clock - ClipSchedule.rest * max(1, workers)
    let over = Set(lastUses.filter { $0.value < last }.keys)
    guard !over.isEmpty else { return }
    for digest in over { lastUses[digest] = nil }
    cursors.removeAll { !$0.isBusy && over.contains($0.clip.info.digest) }
    for key in kept.keys where over.contains(key.clip) { drop(key) }
    for digest in over { clips[digest]?.emptySlots() }
  }

  /// Evicts the least recently used frames until `more` bytes fit.
  private mutating func makeRoom(for more: Int) {
    let usedLimit = byteLimit / ClipSchedule.shareOfUsed
    guard byteCount + more > byteLimit || usedByteCount > usedLimit else { return }
    // Evicts some extra frames, because sorting costs more than evicting.
    let slack = byteLimit / 64
    for (key, entry) in kept.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      let isFull = byteCount + more > byteLimit - slack
      guard isFull || usedByteCount > usedLimit - slack else { return }
      if isFull || entry.isUsed { drop(key) }
    }
  }

  private mutating func drop(_ key: Key) {
    guard let entry = kept.removeValue(forKey: key) else { return }
    byteCount -= entry.picture.byteCount
    if entry.isUsed { usedByteCount -= entry.picture.byteCount }
  }

  mutating func closeAll() { cursors = [] }

  /// Removes clips and returns those without remaining users.
  mutating func forget(_ digests: [ClipDigest]) -> Set<ClipDigest> {
    for digest in digests { uses[digest, default: 1] -= 1 }
    let gone = Set(digests.filter { uses[$0, default: 0] <= 0 })
    for digest in gone { (clips[digest], uses[digest], lastUses[digest]) = (nil, nil, nil) }
    for key in kept.keys where gone.contains(key.clip) { drop(key) }
    cursors.removeAll { !$0.isBusy && gone.contains($0.clip.info.digest) }
    return gone
  }
}
