// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport
import Testing

/// Small scenes that want all time and memory of a machine. Each ends within 5 seconds of CPU and
/// 512 MiB, with a picture or with a message that names the limit and the place.
@Suite("Blow-ups") struct BlowUpTests {
  @Test func thereAreEnough() { #expect(BlowUp.all.count >= 100) }

  /// The kernel counts: `ulimit` ends a process that takes more CPU time or memory of its own.
  @Test(arguments: BlowUp.all) func ends(_ row: BlowUp) throws {
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
}
