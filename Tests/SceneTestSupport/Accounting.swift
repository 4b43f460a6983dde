// SPDX-License-Identifier: MIT
import CTestSupport
import Foundation
import Synchronization
package import Testing

/// A trait that declares how much CPU the tests of a suite may take in total.
///
/// Every suite declares one. Each test then runs on an executor that measures the CPU time of its
/// jobs, and `Program` adds the child processes that the test starts. The suites with the largest
/// budgets are scheduled first so that no long test begins when all others have ended.
///
/// If the environment variable `SCENEC_TEST_ACCOUNT` names a file, each test appends a line to it;
/// `Tests/account.py` prints the summary. A budget never fails a test, because machines differ.
package struct CPUBudget: SuiteTrait, TestTrait, TestScoping {
  /// CPU seconds of all tests of the suite, including their child processes.
  let seconds: Double

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let ledger = Ledger(budget: seconds)
    defer { ledger.close(test, testCase) }
    let issues = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure { ledger.fail(String(describing: issue)) }
      return issue
    }
    try await Ledger.$current.withValue(ledger) {
      try await withTaskExecutorPreference(TestExecutor(ledger)) {
        // The jobs that end a test also run after this scope; their CPU time until here counts.
        defer { ledger.settle() }
        do {
          try await issues.provideScope(for: test, testCase: testCase, performing: function)
        } catch {
          ledger.fail("thrown: \(error)")
          throw error
        }
      }
    }
  }
}

extension Trait where Self == CPUBudget {
  /// Declares the CPU seconds that all tests of a suite may take on a quiet machine.
  package static func cpuBudget(seconds: Double) -> Self { CPUBudget(seconds: seconds) }
}

/// The CPU time and the failures of one test, or of one of its arguments.
package final class Ledger: Sendable {
  /// The ledger of the running test; `nil` in threads that the test itself starts.
  @TaskLocal package static var current: Ledger?

  let budget: Double
  private let entries = Mutex(Entries())

  private struct Entries {
    /// The time at which the first job began, in seconds of the monotonic clock.
    var begin: Double?
    /// The threads that run a job, each with its CPU seconds up to which they have been added.
    var running: [UInt: Double] = [:]
    var cpuSeconds = 0.0
    var childSeconds = 0.0
    var failures: [String] = []
  }

  init(budget: Double) { self.budget = budget }

  /// Runs a job on this thread and adds its CPU time.
  func measure(_ body: () -> Void) {
    entries.withLock {
      if $0.begin == nil { $0.begin = TestClock.seconds }
      $0.running[pthread_self()] = TestClock.threadSeconds
    }
    body()
    settle()
    entries.withLock { $0.running[pthread_self()] = nil }
  }

  /// Adds the CPU time of the job of this thread up to now.
  func settle() {
    entries.withLock {
      guard let start = $0.running[pthread_self()] else { return }
      let now = TestClock.threadSeconds
      $0.cpuSeconds += now - start
      $0.running[pthread_self()] = now
    }
  }

  /// Adds the CPU time of a child process and of all processes that it waited for.
  package func addChild(seconds: Double) { entries.withLock { $0.childSeconds += seconds } }

  func fail(_ message: String) { entries.withLock { $0.failures.append(message) } }

  /// One line of the file that `SCENEC_TEST_ACCOUNT` names.
  private struct Line: Encodable {
    let suite: String
    let test: String
    /// The form that `swift test --filter` accepts.
    let filter: String
    let input: String?
    let budget: Double
    let wall: Double
    let cpu: Double
    let children: Double
    let failures: [String]
    /// The test process, and the CPU seconds of it and its children since its start.
    let process: Int32
    let processSeconds: Double
    let processChildSeconds: Double
  }

  /// Returns the arguments of a test case, which the library exposes only in its description. Large
  /// arguments would take too long to describe.
  private static func arguments(_ testCase: Test.Case) -> String {
    var found: [String] = []
    func visit(_ value: Any, depth: Int) {
      for child in Mirror(reflecting: value).children where child.label != "body" {
        if child.label == "value" {
          found.append(String(String(describingForTest: child.value).prefix(200)))
        } else if depth < 5 {
          visit(child.value, depth: depth + 1)
        }
      }
    }
    visit(testCase, depth: 0)
    return found.joined(separator: ", ")
  }

  /// Appends the line of this test.
  func close(_ test: Test, _ testCase: Test.Case?) {
    guard let path = ProcessInfo.processInfo.environment["SCENEC_TEST_ACCOUNT"] else { return }
    let entries = self.entries.withLock { $0 }
    let suite = test.id.nameComponents.dropLast().joined(separator: "/")
    let target = test.id.moduleName
    let line = Line(
      suite: "\(target).\(suite)", test: test.name,
      filter: "\(target).\(suite)/\(test.name.prefix { $0 != "(" })",
      input: testCase.flatMap { $0.isParameterized ? Ledger.arguments($0) : nil },
      budget: budget, wall: entries.begin.map { TestClock.seconds - $0 } ?? 0,
      cpu: entries.cpuSeconds, children: entries.childSeconds,
      failures: entries.failures.map { String($0.prefix(2000)) },
      process: ProcessInfo.processInfo.processIdentifier,
      processSeconds: scene_test_seconds(0), processChildSeconds: scene_test_seconds(1))
    guard var bytes = try? JSONEncoder().encode(line) else { return }
    bytes.append(UInt8(ascii: "\n"))
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return }
    // A single write, so that the lines of concurrent tests do not mix.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    _ = Glibc.close(file)
  }
}
