// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneJSON
import SceneRaster
import SceneSystem
import SceneWeb
import Synchronization

/// The threads that render frames for pages and handle requests that take longer than a moment.
final class Crew: Sendable {
  /// A task with access to the resources of a worker.
  typealias Task = @Sendable (Drawer) -> Void

  private struct State {
    var queue = WorkQueue<Wish, Task>()
    var isEnded = false
    /// The last frame that each tab viewed while not playing.
    var looks: [WebClient: Wish] = [:]
    /// The digest and width of the last image sent to each tab for that frame.
    var shown: [WebClient: (digest: String, width: Int)] = [:]
    /// The frames to render while the workers are idle.
    var ahead: Ahead?
    /// Whether a scene is being loaded, which takes priority over rendering ahead.
    var isHeld = false
  }

  private let kept: KeptFrames
  private let line: KeptLine
  private let outlet: Outlet
  private let state = Monitor(State())
  private let threads = Mutex<[WorkerThread]>([])
  private let clock: any TimeSource
  private let lastAsked: Mutex<ContinuousClock.Instant>

  init(_ outlet: Outlet, clock: any TimeSource) {
    self.clock = clock
    lastAsked = Mutex(clock.now - .seconds(1))
    self.outlet = outlet
    kept = KeptFrames()
    line = KeptLine(kept, clock)
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
    state.update { $0.isEnded = true }
    for thread in threads.withLock({ $0 }) { thread.join() }
  }

  // MARK: Requests

  func draw(_ wish: Wish) {
    lastAsked.withLock { $0 = clock.now }
    let reception = state.update { state in
      if wish.purpose != .play { state.looks[wish.tab] = wish }
      if state.ahead == nil { state.ahead = Ahead(after: wish) }
      state.ahead?.follow(wish)
      return state.queue.add(wish)
    }
    switch reception {
    case .taken(passed: nil): break
    case .taken(let passed?): refuse(passed, "passed")
    case .busy: refuse(wish, "busy")
    }
  }

  /// Renders the viewed frame of each tab for a new revision. A trial is rendered only for its
  /// owner.
  func push(_ revision: Revision, to owner: WebClient?) {
    let wishes = state.update { state in
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
    for wish in wishes { draw(wish) }
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
      if state.looks.isEmpty { state.ahead = nil }
      state.shown[tab] = nil
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
      case .picture(let wish):
        draw(wish, drawer)
        state.update { $0.queue.finished(wish) }
      }
    }
  }

  /// Renders frames ahead of requests at low priority.
  private func workAhead() {
    OwnProcess.giveWay()
    let drawer = Drawer(clock)
    while let wish = next({ kept.hasRoom && !$0.isHeld ? $0.ahead?.next() : nil }) {
      do { note(wish, try drawer.draw(wish, kept).1) } catch {
        // The next frame would take as long.
        if error == .givenUp { state.update { $0.ahead = nil } }
      }
    }
  }

  /// Blocks until work is available; returns `nil` at the end.
  private func next<T>(_ take: (inout State) -> T?) -> T? {
    state.wait { state -> T?? in
      if state.isEnded { return .some(nil) }
      return take(&state).map { .some($0) }
    }
  }

  /// Sends the ranges of cached frames to the pages.
  private func note(_ wish: Wish, _ key: KeptFrames.Key) {
    guard let ranges = line.note(wish, key) else { return }
    outlet.event(
      "kept",
      [
        "view": .string(wish.revision.view), "rev": .int(wish.revision.number),
        "ranges": .array(ranges.map { [.int($0.lowerBound), .int($0.upperBound)] }),
      ], replaces: true)
  }

  private func draw(_ wish: Wish, _ drawer: Drawer) {
    let waited = (clock.now - wish.asked).milliseconds
    let head: [String: JSON] = [
      "id": wish.id, "rev": .int(wish.revision.number), "n": .int(wish.frame),
    ]
    do {
      let (picture, key) = try drawer.draw(wish, kept)
      note(wish, key)
      if wish.purpose != .play {
        state.update { $0.shown[wish.tab] = (key.name, wish.width) }
      }
      guard let picture else {
        let same: [String: JSON] = ["same": .string(key.name)]
        return outlet.send(.object(head.merging(same) { $1 }), to: wish.tab)
      }
      let times = picture.milliseconds
      let more: [String: JSON] = [
        "size": [.int(picture.size.width), .int(picture.size.height)],
        "digest": .string(key.name),
        "view": .string(wish.revision.view),
        "ms": [
          "wait": .double(waited), "lower": .double(times.lower), "draw": .double(times.draw),
          "encode": .double(times.encode),
        ],
      ]
      outlet.send(.object(head.merging(more) { $1 }), picture.bytes, to: wish.tab)
    } catch {
      let word = error == .givenUp ? "slow" : "gone"
      outlet.send(
        .object(head.merging(["error": .string(word), "reason": .string(error.message)]) { $1 }),
        to: wish.tab)
    }
  }

  private func refuse(_ wish: Wish, _ word: String) {
    guard wish.id != 0 else { return }
    outlet.send(
      ["id": wish.id, "error": .string(word), "rev": .int(wish.revision.number)], to: wish.tab)
  }
}
