// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem
import Synchronization

/// The part of the program that is simulated.
enum Scenario: String, CaseIterable {
  case film, preview, editor, live
}

/// Many runs, one after the other.
struct Campaign {
  private let scenarios: [Scenario]
  private let seeds: Range<UInt64>
  private let isTraced: Bool

  /// Reads `[film|preview|editor|live|all] [FIRST [COUNT]] [trace]`; `nil` for invalid arguments.
  init?(_ words: [String]) {
    var words = words
    isTraced = words.last == "trace"
    if isTraced { words.removeLast() }
    let name = words.first ?? "all"
    guard name == "all" || Scenario(rawValue: name) != nil, words.count <= 3,
      let first = UInt64(words.dropFirst().first ?? "1"),
      let count = UInt64(words.dropFirst(2).first ?? "1"), count > 0,
      case (let end, false) = first.addingReportingOverflow(count)
    else { return nil }
    scenarios = Scenario(rawValue: name).map { [$0] } ?? Scenario.allCases
    seeds = first..<end
  }

  /// Runs all seeds, or ends the process at the first one that fails.
  func run() -> Int32 {
    // A file system in memory is preferred, because some disks take milliseconds to sync a file.
    let base = (Files.exists("/dev/shm", W_OK) ? "/dev/shm" : "/tmp") + "/scenec-simulate"
    _ = Files.makeFolder(base, permissions: 0o700)
    let references = "\(base)/references-\(getpid())"
    guard Files.makeFolder(references, permissions: 0o700) else { return 2 }
    defer { Run.remove(references) }
    let films = Films(in: references)
    let progress = Progress()
    watch(progress)
    var steps = 0
    for seed in seeds {
      let scenario = scenarios[Int(seed % UInt64(scenarios.count))]
      let run = Run(scenario, seed: seed, in: base, isTraced: isTraced)
      progress.begin("\(scenario.rawValue) \(seed)", run.scheduler)
      if seed == seeds.lowerBound { films.prepare(run) }
      // The folder of a seed always has the same path, because the order of paths in sets depends
      // on it.
      Run.remove(run.folder)
      guard Files.makeFolder(run.folder, permissions: 0o700) else { return 2 }
      Simulation.use(run.scheduler)
      switch scenario {
      case .film: FilmScenario(run: run, films: films).play()
      case .preview: PreviewScenario(run: run, films: films).play()
      case .editor: EditorScenario(run: run).play()
      case .live: LiveScenario(run: run).play()
      }
      run.expect(run.scheduler.isAlone, "threads are left:\n\(run.scheduler.report)")
      Simulation.use(nil)
      steps += run.scheduler.stepCount
      Run.remove(run.folder)
    }
    print("\(seeds.count) runs, \(steps) steps: all as promised")
    return 0
  }

  /// Ends the process if a run makes no more steps, because a thread then blocks outside the
  /// simulation.
  private func watch(_ progress: Progress) {
    let thread = WorkerThread.ofSystem({
      var last = (name: "", steps: -1)
      while true {
        SystemClock().sleep(for: .seconds(60))
        let now = progress.now
        if now == last {
          print("\(now.name): no step for a minute, after \(now.steps)\n\(progress.report)")
          _exit(1)
        }
        last = now
      }
    })
    thread?.detach()
  }

  /// The progress of the campaign.
  // Safe: numbers and names that another thread only prints.
  private final class Progress: @unchecked Sendable {
    private let state = Mutex<(name: String, scheduler: SeededScheduler?)>(("", nil))

    func begin(_ name: String, _ scheduler: SeededScheduler) {
      state.withLock { $0 = (name, scheduler) }
    }

    var now: (name: String, steps: Int) {
      state.withLock { ($0.name, $0.scheduler?.stepCount ?? 0) }
    }

    var report: String { state.withLock { $0.scheduler?.report ?? "" } }
  }
}
