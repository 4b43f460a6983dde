// SPDX-License-Identifier: MIT
import Foundation
import ScenePage
import SceneTestSupport
import SceneWeb
import Testing

/// The files of the page, as they are in the repository.
@Suite("Page", .cpuBudget(seconds: 1)) struct PageTests {
  @Test func theTableIsTheFolder() throws {
    let folder = "Sources/Interactive/ScenePage/page"
    let files = Repository.files(in: folder).map { String($0.dropFirst(folder.count + 1)) }
    #expect(Set(files) == Set(ScenePage.files.keys))
    for file in files {
      #expect(try ScenePage.files[file]?.bytes == Repository.bytes(folder + "/" + file), "\(file)")
      #expect(ScenePage.files[file]?.type != "application/octet-stream", "\(file)")
    }
  }

  @Test func thePageIsSmall() throws {
    #expect(ScenePage.files.count <= 36)
    // The size as it is sent.
    let sizes = ScenePage.files.values.compactMap { gzip($0.bytes)?.count }
    #expect(sizes.count == ScenePage.files.count && sizes.reduce(0, +) <= 96 << 10)
    for (name, file) in ScenePage.files {
      let lines = String(decoding: file.bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 401, "\(name)")
    }
  }
}
