// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneModel
import SceneStore
import SceneTestSupport
import Testing

@Suite("Cache of indexes", .cpuBudget(seconds: 1)) struct ClipIndexCacheTests {
  private func store(_ folder: Folder, _ program: String = Clips.program) -> ClipStore {
    ClipStore(
      program: program, cache: ClipIndexCache(StoreFolder(folder.path + "/clips")), workers: 1)
  }

  private func entries(_ folder: Folder) -> [String] {
    let path = folder.path + "/clips"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map {
      path + "/" + $0
    }
  }

  @Test func aClipIsScannedOnce() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let folder = try Folder()
    let info = try Clips.open(path, store(folder))
    #expect(entries(folder).count == 1)
    // No program could scan the clip now, so the index comes from the cache.
    #expect(try Clips.open(path, store(folder, "/nonexistent")) == info)
    // A different file is a different clip.
    let copy = folder.path + "/copy.mp4"
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(throws: AssetError.self) { try Clips.open(copy, store(folder, "/nonexistent")) }
    #expect(try Clips.open(copy, store(folder)).digest == info.digest)
  }

  @Test func wrongFilesAreIgnored() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let folder = try Folder()
    let info = try Clips.open(path, store(folder))
    let entry = try #require(entries(folder).first)
    let right = try Data(contentsOf: URL(fileURLWithPath: entry))
    var wrong = right
    wrong[right.count / 2] ^= 1
    for content in [wrong, Data(), Data("Hello".utf8), right.dropLast(1), right + right] {
      try content.write(to: URL(fileURLWithPath: entry))
      #expect(try Clips.open(path, store(folder)) == info)
      #expect(try Data(contentsOf: URL(fileURLWithPath: entry)) == right, "it is made anew")
    }
  }

  @Test func aFolderThatCannotBeUsed() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let folder = try Folder()
    try folder.write("clips", "a file")
    #expect(try Clips.open(path, store(folder)).pictures != nil)
    let store = ClipStore(
      program: Clips.program, cache: ClipIndexCache(StoreFolder("/proc/nowhere")), workers: 1)
    #expect(try Clips.open(path, store).pictures != nil)
  }
}
