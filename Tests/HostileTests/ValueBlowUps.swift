// SPDX-License-Identifier: MIT

// Values that require more memory or time than the expressions that compute them suggest.
extension BlowUp {
  private static let overMemory = "the limit 'memory'"
  private static let overSteps = "the limit 'steps'"

  private static func row(
    _ name: String, _ value: String, before: String = "", wanted: String?
  ) -> BlowUp {
    BlowUp(
      name, "\(before)scene { size: 64x48; for: 1s;  text \"{\(value)}\" }", wanted: wanted)
  }

  private static func rounds(_ count: Int, _ value: String) -> String {
    "len([for i in 0..\(count): \(value)])"
  }

  private static let list = "let a = [for i in 0..10000: i]\n"

  static let values: [BlowUp] = [
    row("10000 lists of pairs", rounds(10_000, "zip(a, a)"), before: list, wanted: overMemory),
    row(
      "10000 reversed lists", rounds(10_000, "reverse-list(a)"), before: list, wanted: overMemory),
    row("10000 slices of lists", rounds(10_000, "a[1..9999]"), before: list, wanted: overMemory),
    row(
      "lists that grow in a scan", "len(scan(a, [0], fn(s, x) = concat(s, [x])))", before: list,
      wanted: overMemory),
    row(
      "a list nested by a fold", "len(fold(a, [], fn(s, x) = [s]))", before: list,
      wanted: "256 levels deep"),
    BlowUp(
      "arguments that are slices",
      "component C(l: list) { circle { radius: len(l) } }\n\(list)"
        + "scene { size: 64x48; for: 1s;  for i in 0..9000 { C { l: a[0..9999] } } }",
      wanted: overMemory),
    row(
      "a path in 20000 rounds", rounds(20_000, "path(s)"),
      before: "let s = \"M0 0\(String(repeating: "h1v1", count: 20_000))\"\n", wanted: overMemory),
    row(
      "a large path in 1000 rounds", rounds(1000, "path(s)"),
      before: "let s = \"M0 0\(String(repeating: "h1v1", count: 100_000))\"\n", wanted: overMemory),
    row(
      "30000 characters by their indices", rounds(30_000, "s[i] == q[i]"),
      before: """
        let s = "\(String(repeating: "aé", count: 20_000))x"
        let q = "\(String(repeating: "aé", count: 20_000))y"

        """, wanted: nil),
    row(
      "sums that move", rounds(1000, "sum(concat([i * t / 1s], b))"),
      before: "\(list)let b = [for i in a: i * t / 1s]\n", wanted: "the limit"),
    BlowUp(
      "40 styles based on two others",
      "style s0 { fill: red }\n"
        + (1..<40).map { "style s\($0) { style: [s\($0 - 1), s\($0 - 1)] }\n" }.joined()
        + "scene { size: 64x48; for: 1s;  circle { style: s39 } }"),
    BlowUp(
      "20000 styles based on each other",
      "style s0 { fill: red }\n"
        + (1..<20_000).map { "style s\($0) { style: s\($0 - 1) }\n" }.joined()
        + "scene { size: 64x48; for: 1s;  circle { style: s19999 } }",
      wanted: "too many values depend on each other"),
  ]
}
