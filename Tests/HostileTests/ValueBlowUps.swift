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
      "replacements of each character", rounds(2, "replace(s, \"a\", s)"),
      before: "let s = \"\(String(repeating: "a", count: 100_000))\"\n",
      wanted: "more than 1000000 characters"),
    row(
      "a long time pattern", "format(t, p)",
      before: "let p = \"\(String(repeating: "mm:ss ", count: 50_000))\"\n",
      wanted: "longer than 200 characters"),
    row(
      "characters of a text with a number", rounds(20_000, "s[i]"),
      before: "let n = 3\nlet s = \"é\(String(repeating: "ab", count: 100_000)){n}x\"\n",
      wanted: overSteps),
    row(
      "the numbers of a long list", rounds(5000, "defined(p) ? 1 : 0"),
      before: "let p = [for i in 0..30000: (i, 2)]\n", wanted: overSteps),
    row(
      "unknown columns with long names", rounds(90_000, "m[s]"),
      before: "let m = (a: 1)\nlet s = \"\(String(repeating: "é1", count: 100_000))\"\n",
      wanted: "unknown column 'é1é1"),
    row(
      "a polygon in 5000 rounds", rounds(5000, "polygon(n)"),
      before: "let n = [for i in 0..9000: (i, i)]\n", wanted: overMemory),
    BlowUp(
      "10000 gradients of 900 colors",
      "let c = [for i in 0..900: red]\n"
        + "scene { size: 64x48; for: 1s;  for k in 0..10000 { circle { fill: linear-gradient(c) } } }",
      wanted: overMemory),
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
