// SPDX-License-Identifier: MIT
import CLinux
import Dispatch
import SceneSystem
import Synchronization

/// A scheduler that runs one thread at a time, in an order that depends only on a seed.
///
/// The threads are system threads that pass a baton: each one waits for its own semaphore, and the
/// holder of the baton chooses the next thread. Time is virtual. It moves a little with each step,
/// and jumps to the next deadline when all threads wait.
// Safe: only the thread that holds the baton accesses the state.
final class SeededScheduler: Simulator, TimeSource, @unchecked Sendable {
  /// The way in which the next thread is chosen.
  private enum Policy {
    /// At random; the running thread continues with this probability.
    case random(sticky: Double)
    /// The ready thread with the highest priority runs. Priorities change at random, as in
    /// Burckhardt et al., "A randomized scheduler with probabilistic guarantees of finding bugs"
    /// (2010).
    case priorities(change: Double)
  }

  // Safe: only the thread that holds the baton accesses the state.
  private final class Thread: @unchecked Sendable {
    let number: Int
    var name: String
    let baton = DispatchSemaphore(value: 0)
    var priority: UInt64
    var isEnded = false
    /// The condition that a suspended thread waits for.
    var isReady: (() -> Bool)?
    var deadline: Instant?

    private var body: (() -> Void)?

    init(_ number: Int, _ name: String, priority: UInt64, body: (() -> Void)? = nil) {
      (self.number, self.name, self.priority, self.body) = (number, name, priority, body)
    }

    /// Runs the body, and releases all its objects while this thread still has the baton.
    func run() {
      let body = body
      self.body = nil
      body?()
    }
  }

  private static let mostSteps = 5_000_000

  let seed: UInt64
  private let start: Instant
  private(set) var now: Instant
  private var random: SplitMix
  private let policy: Policy
  /// The longest step in microseconds. On a slow machine, more timers fire during work.
  private let longestStep: Int
  private var threads: [Thread]
  private var current: Thread
  private var isChoosing = false
  private(set) var stepCount = 0
  /// Whether each write to a file fails because the disk is full.
  var isDiskFull = false
  /// Whether each switch is printed.
  var isTraced = false
  /// Called instead of a switch if no thread can ever run again, or if threads run without end.
  private let fail: (String) -> Never

  init(seed: UInt64, fail: @escaping (String) -> Never) {
    self.seed = seed
    self.fail = fail
    random = SplitMix(seed: seed)
    switch random.int(0...3) {
    case 0: policy = .random(sticky: 0)
    case 1: policy = .random(sticky: 0.7)
    case 2: policy = .random(sticky: 0.95)
    default: policy = .priorities(change: 0.03)
    }
    longestStep = random.pick([30, 30, 300, 1000])
    start = SystemClock().now
    now = start
    current = Thread(0, "director", priority: random.next())
    threads = [current]
  }

  /// The virtual time since the start.
  var time: Duration { now - start }

  /// Sets the name of the running thread in reports.
  func name(_ name: String) { current.name = name }

  /// Whether only the first thread is left.
  var isAlone: Bool { threads.allSatisfy { $0.isEnded || $0.number == 0 } }

  // MARK: Simulator

  func pass() {
    guard !isChoosing else { return }
    step()
    switchThread()
  }

  func wait(atMost limit: Duration?, _ isReady: () -> Bool) -> Bool {
    guard !isChoosing else { return isReady() }
    step()
    let own = current
    own.deadline = limit.map { now + $0 }
    withoutActuallyEscaping(isReady) { isReady in
      own.isReady = isReady
      switchThread()
      own.isReady = nil
    }
    own.deadline = nil
    return isReady()
  }

  func start(_ body: @escaping @Sendable () -> Void) -> Int {
    let thread = Thread(
      threads.count, "thread \(threads.count)", priority: random.next(), body: body)
    threads.append(thread)
    let system = WorkerThread.ofSystem({ [self] in
      thread.baton.wait()
      thread.run()
      thread.isEnded = true
      hand(to: choose())
    })
    guard let system else { fail("the system starts no more threads") }
    system.detach()
    pass()
    return thread.number
  }

  func join(_ thread: Int) {
    let other = threads[thread]
    _ = wait(atMost: nil) { other.isEnded }
  }

  func refusal(ofWritingTo file: Int32) -> Int32? { isDiskFull ? ENOSPC : nil }

  /// The time of files in steps of four milliseconds, as on Linux: two writes may have the same
  /// time.
  var nanosecondsSince1970: Int {
    1_700_000_000_000_000_000 + Int(time / .milliseconds(4)) * 4_000_000
  }

  func date(_ file: Int32) { Files.touch(file, at: nanosecondsSince1970) }

  func sleep(for duration: Duration) { _ = wait(atMost: duration) { false } }

  // MARK: Switching

  private func step() {
    stepCount += 1
    now += .microseconds(random.int(1...longestStep))
    if stepCount > SeededScheduler.mostSteps { fail("no end after \(stepCount) steps\n\(report)") }
  }

  private func switchThread() {
    let (old, next) = (current, choose())
    guard next !== old else { return }
    hand(to: next)
    old.baton.wait()
  }

  private func hand(to next: Thread) {
    if isTraced { print("\(time) \(stepCount): \(next.name)") }
    current = next
    next.baton.signal()
  }

  private func choose() -> Thread {
    isChoosing = true
    defer { isChoosing = false }
    while true {
      if let ready = readyThread() { return ready }
      guard let next = threads.filter({ !$0.isEnded }).compactMap(\.deadline).min() else {
        fail("no thread can continue\n\(report)")
      }
      now = max(now, next)
    }
  }

  private func isReady(_ thread: Thread) -> Bool {
    if thread.isEnded { return false }
    guard let isReady = thread.isReady else { return true }
    if let deadline = thread.deadline, deadline <= now { return true }
    return isReady()
  }

  private func readyThread() -> Thread? {
    switch policy {
    case .random(let sticky):
      if random.chance(sticky), isReady(current) { return current }
      // Takes the first ready thread in a random order.
      var rest = threads.filter { !$0.isEnded }
      while !rest.isEmpty {
        let thread = rest.remove(at: random.int(0...rest.count - 1))
        if isReady(thread) { return thread }
      }
      return nil
    case .priorities(let change):
      if random.chance(change) { current.priority = random.next() }
      return threads.sorted { $0.priority > $1.priority }.first(where: isReady)
    }
  }

  /// A readable list of the states of all threads.
  var report: String {
    threads.filter { !$0.isEnded }.map {
      "  \($0.name): \($0.isReady == nil ? "ready" : $0.deadline == nil ? "waits" : "sleeps")"
    }.joined(separator: "\n")
  }
}
