// SPDX-License-Identifier: MIT
import SceneBuild
import SceneTestSupport
import Testing

@Suite("Timings", .cpuBudget(seconds: 1)) struct TimingsTests {
  @Test func timingsNameRefusedFences() {
    #expect(Timings.fences(refused: 0) == nil)
    let row = "sandbox     not supported by the kernel:"
    #expect(Timings.fences(refused: 1) == "\(row) seccomp; decoders run with resource limits only")
    #expect(Timings.fences(refused: 2) == "\(row) Landlock; decoders run with resource limits only")
    #expect(
      Timings.fences(refused: 3)
        == "\(row) seccomp and Landlock; decoders run with resource limits only")
  }

  @Test func linesAlignTheirColumns() throws {
    let timings: Timings? = Timings()
    timings.measure(.draw, thread: 1, frame: 7) {}
    timings.measure(.check) {}
    // A line that names the missing features of the kernel depends on the machine.
    let lines = try #require(timings).lines { $0 == 7 ? "for a.scene:3" : nil }
      .filter { !$0.hasPrefix("sandbox") }
    #expect(
      lines.map { $0.prefix(12) } == [
        "check       ", "draw        ", "total       ", "frame 7     ",
      ])
    #expect(lines[0].contains(#/^check {11}0\.\d{3} s$/#), "\(lines)")
    #expect(lines[3].hasSuffix(" s  to draw, mostly for a.scene:3"))
  }

  @Test func tracesAreJSONWithSortedKeys() throws {
    let timings: Timings? = Timings()
    timings.measure(.encode, thread: 2, frame: 3) {}
    let trace = try #require(timings).trace
    #expect(trace.hasPrefix(#"[{"args":{"frame":3},"dur":"#), "\(trace)")
    #expect(trace.contains(#""name":"encode","ph":"X","pid":1,"tid":2"#), "\(trace)")
  }
}
