// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// Rules for the parameters and types of declarations.
@Suite("Signatures", .cpuBudget(seconds: 2)) struct SignatureTests {
  private let sources = Repository.files(in: "Sources", ending: ".swift")

  @Test func atMostTwoParametersAreUnlabeled() throws {
    try check("has three or more unlabeled parameters") { file in
      file.parameterLists.filter { file.fields(of: $0).count(where: file.isUnlabeled) >= 3 }
    }
  }

  @Test func tuplesHaveAtMostTwoFields() throws {
    try check("has a tuple of three or more fields; declare a struct") { file in
      file.tupleTypes.filter { file.fields(of: $0).count >= 3 }
    }
  }

  /// Reports each source location that violates a rule.
  private func check(_ rule: String, _ find: (SourceScan) -> [Int]) throws {
    for path in sources {
      let file = SourceScan(try Repository.text(path))
      for place in find(file) { Issue.record("\(path):\(file.line(of: place)) \(rule)") }
    }
  }
}
