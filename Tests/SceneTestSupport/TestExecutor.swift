// SPDX-License-Identifier: MIT
import SceneSystem

/// Runs the jobs of one test and measures their CPU time.
final class TestExecutor: TaskExecutor {
  private let ledger: Ledger

  init(_ ledger: Ledger) { self.ledger = ledger }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    TestPool.shared.add(priority: ledger.budget) { [self] in
      ledger.measure { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

/// The threads that run all tests, one for each processor.
private final class TestPool: Sendable {
  static let shared = TestPool()

  private typealias Job = @Sendable () -> Void

  /// The jobs of one priority, first in, first out.
  private struct Queue {
    let priority: Double
    var jobs: [Job?] = []
    var next = 0

    mutating func take() -> Job? {
      guard next < jobs.count else { return nil }
      let job = jobs[next]
      jobs[next] = nil
      next += 1
      if next == jobs.count { (jobs, next) = ([], 0) }
      return job
    }
  }

  /// Sorted from the highest priority to the lowest.
  private let queues = Monitor<[Queue]>([])

  private init() {
    for _ in 0..<OwnProcess.processorCount {
      WorkerThread { [queues] in
        while true {
          queues.wait(TestPool.take)()
        }
      }?.detach()
    }
  }

  func add(priority: Double, _ job: @escaping @Sendable () -> Void) {
    queues.update { queues in
      let place = queues.firstIndex { $0.priority <= priority } ?? queues.endIndex
      if place == queues.endIndex || queues[place].priority < priority {
        queues.insert(Queue(priority: priority), at: place)
      }
      queues[place].jobs.append(job)
    }
  }

  private static func take(_ queues: inout [Queue]) -> Job? {
    queues.firstIndex { !$0.jobs.isEmpty }.flatMap { queues[$0].take() }
  }
}
