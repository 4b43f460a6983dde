// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneJSON
import SceneRaster
import SceneSystem
import SceneWeb
import Synchronization

/// The threads that render frames for pages and handle requests that take longer than a moment.
final class RenderPool: Sendable {
  /// A task with access to the resources of a worker.
  typealias Task = @Sendable (Drawer) -> Void

  private struct State {
    var queue = WorkQueue<FrameRequest, Task>()
    var isEnded = false
    /// The last frame that each tab viewed while not playing.
    var looks: [WebClient: FrameRequest] = [:]
    /// The digest and width of the last image sent to each tab for that frame.
    var shown: [WebClient: (digest: String, width: Int)] = [:]
    /// The frames to render while the workers are idle.
    var prefetch: Prefetch?
    /// The revisions to judge for flashes when no frame is left to render, one per view, at most
    /// `mostJudged`.
    var judged: [Revision] = []
    /// Whether a scene is being loaded, which takes priority over rendering ahead.
    var isHeld = false
  }

  private static let mostJudged = 8

  private let cache: FrameCache
  private let line: CachedRanges
  private let outlet: Outlet
  private let state = Monitor(State())
  /// Whether long-running work must stop.
  private let isEnding = Atomic(false)
  private let threads = Mutex<[WorkerThread]>([])
  private let clock: any TimeSource
  private let lastAsked: Mutex<ContinuousClock.Instant>

  init(_ outlet: Outlet, clock: any TimeSource) {
    self.clock = clock
    lastAsked = Mutex(clock.now - .seconds(1))
    self.outlet = outlet
    cache = FrameCache()
    line = CachedRanges(cache, clock)
  }

  /// Whether no page has sent a request recently, so that low-priority work can run.
  var isQuiet: Bool { clock.now - lastAsked.withLock { $0 } > .milliseconds(300) }

  func start() {
    let count = min(4, max(2, OwnProcess.processorCount))
    threads.withLock { threads in
      threads = (0..<count).compactMap { _ in WorkerThread { [self] in work() } }
      threads += [WorkerThread { [self] in workAhead() }].compactMap { $0 }
    }
  }

  /// Stops all threads after their current frame.
  func end() {
    isEnding.store(true, ordering: .relaxed)
    state.update { $0.isEnded = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  // MARK: Requests

  func draw(_ request: FrameRequest) {
    lastAsked.withLock { $0 = clock.now }
    let reception = state.update { state in
      if request.purpose != .play { state.looks[request.tab] = request }
      if state.prefetch == nil { state.prefetch = Prefetch(after: request) }
      state.prefetch?.follow(request)
      return state.queue.add(request)
    }
    switch reception {
    case .taken(passed: nil): break
    case .taken(let passed?): refuse(passed, "passed")
    case .busy: refuse(request, "busy")
    }
  }

  /// Renders the viewed frame of each tab for a new revision. A trial is rendered only for its
  /// owner.
  func push(_ revision: Revision, to owner: WebClient?) {
    let wishes = state.update { state in
      if owner == nil { state.judged.removeAll { $0.view == revision.view } }
      let looks = state.looks.values.filter { look in
        if let owner { look.tab == owner } else { look.revision.base == revision.view }
      }
      return looks.map { look in
        let shown = state.shown[look.tab]
        return look.pushed(
          revision, have: shown?.width == look.width ? shown?.digest : nil,
          asked: clock.now)
      }
    }
    for request in wishes { draw(request) }
  }

  func ask(_ question: @escaping Task) {
    lastAsked.withLock { $0 = clock.now }
    state.update { $0.queue.ask(question) }
  }

  func add(_ task: @escaping Task) {
    lastAsked.withLock { $0 = clock.now }
    state.update { $0.queue.add(task) }
  }

  func forget(_ tab: WebClient) {
    state.update { state in
      state.queue.forget(tab)
      state.looks[tab] = nil
      if state.looks.isEmpty { state.prefetch = nil }
      state.shown[tab] = nil
    }
  }

  /// Judges the frames of a revision for flashes while the workers are idle and a page shows it,
  /// and then sends the warnings.
  func judge(_ revision: Revision) {
    state.update { state in
      state.judged.removeAll { $0.view == revision.view }
      state.judged.append(revision)
      // A view that no page shows any more is never judged.
      if state.judged.count > Self.mostJudged { state.judged.removeFirst() }
    }
  }

  /// Suspends rendering ahead while a scene is loaded.
  func hold(_ isHeld: Bool) { state.update { $0.isHeld = isHeld } }

  /// Wakes the workers after a tab has read its messages.
  func goOn() { state.update { _ in } }

  // MARK: Workers

  private func work() {
    let drawer = Drawer(clock)
    while let work = next({ $0.queue.next(isBusy: outlet.isBusy) }) {
      switch work {
      case .task(let task): task(drawer)
      case .picture(let request):
        draw(request, drawer)
        state.update { $0.queue.finished(request) }
      }
    }
  }

  /// Low-priority work.
  private enum AheadWork {
    case picture(FrameRequest)
    /// The flash detection in the next frame of a revision.
    case judgment(Revision)
  }

  /// Renders frames ahead of requests, and judges frames, at low priority.
  private func workAhead() {
    OwnProcess.giveWay()
    let drawer = Drawer(clock)
    let desk = FlashDesk()
    while let work = next({ aheadWork(&$0) }) {
      switch work {
      case .picture(let request):
        do { note(request, try drawer.draw(request, cache).1) } catch {
          // The following frames would probably take too long as well.
          if error == .givenUp { state.update { $0.prefetch = nil } }
        }
      case .judgment(let revision):
        let isLate = drawer.isLate()
        let isDone = desk.judge(revision) { [self] in isEnding.load(ordering: .relaxed) || isLate()
        }
        guard isDone else { continue }
        // The problems of a revision that was replaced during the search are not sent.
        let isCurrent = state.update { state in
          let count = state.judged.count
          state.judged.removeAll { $0 === revision }
          return state.judged.count < count
        }
        if isCurrent { outlet.asOne { revision.tellProblems(outlet, to: nil) } }
      }
    }
  }

  private func aheadWork(_ state: inout State) -> AheadWork? {
    if state.isHeld { return nil }
    if cache.hasRoom, let request = state.prefetch?.next() { return .picture(request) }
    return state.judged.last { revision in
      state.looks.values.contains { $0.revision.base == revision.view }
    }.map { .judgment($0) }
  }

  /// Blocks until work is available; returns `nil` at the end.
  private func next<T>(_ take: (inout State) -> T?) -> T? {
    state.wait { state -> T?? in
      if state.isEnded { return .some(nil) }
      return take(&state).map { .some($0) }
    }
  }

  /// Sends the ranges of cached frames to the pages.
  private func note(_ request: FrameRequest, _ key: FrameCache.Key) {
    guard let ranges = line.note(request, key) else { return }
    outlet.event(
      "kept",
      [
        "view": .string(request.revision.view), "rev": .int(request.revision.number),
        "ranges": .array(ranges.map { [.int($0.lowerBound), .int($0.upperBound)] }),
      ], replaces: true)
  }

  private func draw(_ request: FrameRequest, _ drawer: Drawer) {
    let waited = (clock.now - request.asked).milliseconds
    let head: [String: JSON] = [
      "id": request.id, "rev": .int(request.revision.number), "n": .int(request.frame),
    ]
    do {
      let (picture, key) = try drawer.draw(request, cache)
      note(request, key)
      if request.purpose != .play {
        state.update { $0.shown[request.tab] = (key.name, request.width) }
      }
      guard let picture else {
        let same: [String: JSON] = ["same": .string(key.name)]
        return outlet.send(.object(head.merging(same) { $1 }), to: request.tab)
      }
      let times = picture.milliseconds
      let more: [String: JSON] = [
        "size": [.int(picture.size.width), .int(picture.size.height)],
        "digest": .string(key.name),
        "view": .string(request.revision.view),
        "ms": [
          "wait": .double(waited), "lower": .double(times.lower), "draw": .double(times.draw),
          "encode": .double(times.encode),
        ],
      ]
      outlet.send(.object(head.merging(more) { $1 }), picture.bytes, to: request.tab)
    } catch {
      let word = error == .givenUp ? "slow" : "gone"
      outlet.send(
        .object(head.merging(["error": .string(word), "reason": .string(error.message)]) { $1 }),
        to: request.tab)
    }
  }

  private func refuse(_ request: FrameRequest, _ word: String) {
    guard request.id != 0 else { return }
    outlet.send(
      ["id": request.id, "error": .string(word), "rev": .int(request.revision.number)],
      to: request.tab)
  }
}
