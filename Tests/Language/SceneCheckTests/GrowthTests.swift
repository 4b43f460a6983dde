// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneModel
import SceneTestSupport
import Testing

/// Compares growing lengths with the algorithm of the flexbox specification (section 9.7), which
/// freezes children at a limit and restarts.
@Suite("Growth", .cpuBudget(seconds: 1)) struct GrowthTests {
  private struct Child {
    var base = 0.0
    var share = 1.0
    var least: Double?
    var greatest: Double?

    func within(_ length: Double) -> Double {
      max(least ?? 0, min(greatest ?? .infinity, length))
    }
  }

  private static func lengths(_ children: [Child], in room: Double) -> [Double] {
    var frozen = [Double?](repeating: nil, count: children.count)
    for (index, child) in children.enumerated() where child.share == 0 {
      frozen[index] = child.within(child.base)
    }
    while frozen.contains(where: { $0 == nil }) {
      let open = children.indices.filter { frozen[$0] == nil }
      let taken = children.indices.reduce(0) { $0 + (frozen[$1] ?? children[$1].base) }
      let rest = max(0, room - taken)
      let shares = open.reduce(0) { $0 + children[$1].share }
      let wanted = open.map { children[$0].base + rest * children[$0].share / shares }
      let held = zip(open, wanted).map { children[$0].within($1) }
      let violation = zip(held, wanted).reduce(0) { $0 + $1.0 - $1.1 }
      for (index, (length, free)) in zip(open, zip(held, wanted)) {
        let isFrozen =
          abs(violation) < 1e-9 || violation > 0 && length > free || violation < 0 && length < free
        if isFrozen { frozen[index] = length }
      }
    }
    return frozen.map { $0 ?? 0 }
  }

  @Test func agreesWithFlexboxes() throws {
    var generator = Generator(seed: 5)
    func below(_ limit: Int) -> Double { Double(Int.random(in: 0..<limit, using: &generator)) }
    for _ in 0..<120 {
      let room = 400 + below(1000)
      let children = (0..<Int.random(in: 1...5, using: &generator)).map { _ -> Child in
        var child = Child(base: below(3) * 40, share: below(4))
        if below(3) == 0 { child.greatest = 30 + below(300) }
        if below(3) == 0 { child.least = below(200) }
        if let most = child.greatest, let least = child.least, least > most { child.greatest = nil }
        return child
      }
      let body = children.map { child in
        var text = "rect { grow: \(child.share);  size: (\(child.base), 10);  fill: red"
        if let least = child.least { text += ";  min-width: \(least)" }
        if let most = child.greatest { text += ";  max-width: \(most)" }
        return text + " }"
      }.joined(separator: "\n")
      let source = "scene { size: 2000x100;  for: 1s\nrow { size: (\(room), 100)\n\(body)\n} }"
      var options = CheckOptions()
      options.recordsElements = true
      let record = try #require(checked(source, options).record)
      let found = record.elements.filter { $0.kind == "rect" }.map {
        $0.box?.width.constantValue ?? -1
      }
      let wanted = Self.lengths(children, in: room)
      #expect(
        zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-6 } && found.count == wanted.count,
        "\(found) \(wanted) of \(source)")
    }
  }
}
