// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Small scenes that would exhaust the time or memory of a machine if there were no limits.
///
/// Each scene finishes within 5 s of CPU time and 512 MiB, with an image or with a message that
/// names the limit and the source location.
@Suite("Blow-ups", .cpuBudget(seconds: 60)) struct BlowUpTests {
  @Test func thereAreEnough() { #expect(BlowUp.share.count >= 150) }

  /// The kernel enforces the limits: `ulimit` kills a process that uses more CPU time or memory.
  @Test(arguments: BlowUp.share) func ends(_ row: BlowUp) throws {
    let folder = try Folder()
    try folder.write("scene.scene", row.source)
    for (name, text) in row.files { try folder.write(name, text) }
    let run = try Program.run(
      [
        "/bin/sh", "-c", "ulimit -t 5; ulimit -d 524288; exec \"$0\" frame scene.scene -o out.png",
        Program.scenec,
      ], in: folder.path)
    #expect(run.status < 128, "\(row.name): ended by a signal\n\(run.errors.suffix(400))")
    guard let wanted = row.wanted else {
      #expect(run.status == 0, "\(row.name)\n\(run.errors.prefix(600))")
      #expect(folder.data("out.png") != nil)
      return
    }
    #expect(run.status == 1)
    let errors = run.errors.split(separator: "\n").filter { $0.hasPrefix("error[") }
    #expect(run.errors.contains("scene.scene:"), "a place is named")
    #expect(
      run.errors.contains(wanted) && !errors.isEmpty,
      "\(row.name): wanted \(wanted)\n\(run.errors.prefix(600))")
  }

  @Test func hugeScenesAreRefusedInTime() throws {
    let folder = try Folder()
    let sources = [
      "scene { for: 1s;  for i in 0..1000000000 { circle { } } }",
      "scene { for: 1s;  for i in 0..1000 { for j in 0..1000 { circle { } } } }",
      "scene { size: 1000000x1000000;  for: 1s }",
      "scene { for: 1s\n" + String(repeating: "group {\n", count: 5000),
      "scene { for: 1s;  circle { radius: " + String(repeating: "(", count: 100_000) + "1 } }",
      "component A() { A { } }\nscene { for: 1s;  A { } }",
      "fn f(x: number) -> number = f(x)\nscene { for: 1s;  circle { radius: f(1) } }",
      "let a = b\nlet b = a\nscene { for: 1s;  circle { radius: a } }",
    ]
    for (index, source) in sources.enumerated() {
      try folder.write("h.scene", source)
      let measured = try Program.measure([Program.scenec, "check", "h.scene"], in: folder.path)
      let run = measured.run
      #expect(run.status == 1, "\(index): \(run.status) \(run.errors.prefix(300))")
      #expect(measured.cpuSeconds < 10, "\(index)")
    }
  }
}
