// SPDX-License-Identifier: MIT
import Foundation
import SceneDigest
import SceneStore
import SceneTestSupport
import Testing

@Suite("Store", .cpuBudget(seconds: 1)) struct StoreFolderTests {
  private let folder: Folder
  private let store: StoreFolder

  init() throws {
    folder = try Folder()
    store = StoreFolder(folder.path + "/a/b")
  }

  private func key(_ word: String) -> SHA256 { SHA256(of: Array(word.utf8)) }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: store.path)) ?? []).sorted()
  }

  /// Moves the time of last use of a new file into the past.
  private func age(_ name: String, _ seconds: Double) throws {
    let path = "\(store.path)/\(name)"
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let written = try #require(attributes[.modificationDate] as? Date)
    try FileManager.default.setAttributes(
      [.modificationDate: written.addingTimeInterval(-seconds)], ofItemAtPath: path)
  }

  @Test func usesAreCounted() throws {
    let place = folder.path
    #expect(UseCounts(of: place).builds == 0)
    for number in 1...3 { UseCounts.add(taken: 10 * number, made: number, to: place) }
    let uses = UseCounts(of: place)
    #expect(uses.builds == 3 && uses.taken == 60 && uses.made == 6)
    // Invalid lines are ignored, and many lines are merged into one.
    try folder.write("uses", "1 2 x\n-1 2 3\n" + String(repeating: "1 4 1\n", count: 11_000))
    UseCounts.add(taken: 0, made: 5, to: place)
    let sum = UseCounts(of: place)
    #expect(sum.builds == 11_001 && sum.taken == 44_000 && sum.made == 11_005)
    #expect(try String(contentsOfFile: place + "/uses", encoding: .utf8) == "11001 44000 11005\n")
    UseCounts.remove(from: place)
    #expect(UseCounts(of: place).builds == 0)
    // A missing folder is not an error.
    UseCounts.add(taken: 1, made: 1, to: place + "/none")
  }

  @Test func whatIsWrittenIsRead() {
    let content = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
    #expect(store.read(key("x")) == nil && files.isEmpty)
    #expect(store.write(content, key("x")) == 0)
    #expect(store.read(key("x")).map(Array.init) == content)
    #expect(store.contains(key("x")) && !store.contains(key("y")))
    #expect(store.write([], key("y")) == 0)
    #expect(store.read(key("y")).map(Array.init) == [])
    #expect(files == [key("x").description, key("y").description].sorted())
  }

  /// Any flipped bit and any other length is detected.
  @Test func whatIsDamagedIsNotThere() throws {
    let content = Array("content".utf8)
    let url = URL(fileURLWithPath: "\(store.path)/\(key("x"))")
    store.write(content, key("x"))
    let right = try Data(contentsOf: url)
    var wrong = (0..<right.count * 8).map { bit in
      var copy = right
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      return copy
    }
    wrong += (0..<right.count).map { right.prefix($0) } + [right + right, right + [0]]
    for bytes in wrong {
      try bytes.write(to: url)
      #expect(store.read(key("x")) == nil)
      #expect(files.isEmpty, "it is removed")
    }
    try right.write(to: url)
    #expect(store.read(key("x")).map(Array.init) == content)
    // Intact content under another key.
    try right.write(to: URL(fileURLWithPath: "\(store.path)/\(key("y"))"))
    #expect(store.read(key("y")) == nil)
  }

  @Test func noLinkAndNoFolderIsRead() throws {
    store.write([1, 2, 3], key("x"))
    let path = "\(store.path)/\(key("x"))"
    try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.path + "/elsewhere")
    #expect(store.read(key("x")) == nil)
    try FileManager.default.createDirectory(
      atPath: "\(store.path)/\(key("y"))", withIntermediateDirectories: true)
    #expect(store.read(key("y")) == nil)
  }

  @Test func theLastUsedStay() throws {
    for (word, seconds) in [("a", 400.0), ("b", 300), ("c", 200), ("d", 100)] {
      store.write([UInt8](repeating: 1, count: 928), key(word))
      try age("\(key(word))", seconds)
    }
    #expect(store.usage.count == 4 && store.usage.bytes == 4000)
    #expect((395...405).contains(store.usage.age))
    // Reading updates the time of last use.
    #expect(store.read(key("a")) != nil)
    store.trim(to: 2500)
    #expect(Set(files) == Set([key("a"), key("d")].map(\.description)))
    store.trim(to: 0)
    #expect(files.isEmpty)
  }

  @Test func onlyItsOwnFilesAreTouched() throws {
    store.write([1], key("x"))
    store.write([1], key("y"))
    try age("\(key("x"))", 1000)
    let others = ["notes.txt", "\(key("x"))-copy", String(repeating: "g", count: 64)]
    for name in others { try folder.write("a/b/" + name, "mine") }
    let dead = "\(key("z")).1abc"
    try folder.write("a/b/" + dead, "half")
    let fresh = "\(key("z")).2abc"
    try folder.write("a/b/" + fresh, "half")
    try age(dead, 5000)
    #expect(store.usage.count == 2)
    store.trim(to: 1_000_000)
    #expect(!files.contains(dead), "of a process that has died")
    #expect(store.clean(unusedFor: 500).count == 1)
    #expect(Set(files) == Set(others + [key("y").description, fresh]))
    #expect(store.clean(unusedFor: 0).count == 1)
    #expect(Set(files) == Set(others + [fresh]))
  }

  @Test func whatCannotBeUsedIsNamed() throws {
    #expect(store.problem() == nil)
    try folder.write("file", "")
    #expect(StoreFolder(folder.path + "/file").problem() == "is a file")
    #expect(
      StoreFolder(folder.path + "/file/x").problem()?.hasSuffix("/file', which is a file") == true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "nowhere")
    #expect(StoreFolder(folder.path + "/link").problem() == "is a broken symbolic link")
    #expect(StoreFolder("/proc/nowhere").problem()?.hasPrefix("cannot be created: ") == true)
    #expect(StoreFolder("/proc/nowhere").write([1], key("x")) != 0)
    #expect(StoreFolder("/proc/nowhere").read(key("x")) == nil)
    StoreFolder("/proc/nowhere").trim(to: 0)
  }

  /// If a link in the cache leads to another folder, the files there are neither read, written nor
  /// removed.
  @Test func aLinkIsNotUsed() throws {
    try folder.write("other/x", "")
    let other = StoreFolder(folder.path + "/other")
    #expect(other.write([1], key("x")) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/packets", withDestinationPath: "other")
    let linked = StoreFolder(folder.path + "/packets")
    #expect(linked.problem() == "is a symbolic link")
    #expect(linked.read(key("x")) == nil)
    #expect(linked.write([2], key("y")) == ELOOP)
    #expect(linked.usage.count == 0 && linked.clean(unusedFor: 0).count == 0)
    #expect(other.read(key("x")) == [1] && other.usage.count == 1)
  }

  @Test func aFolderThatEverybodyCanWriteIsNotUsed() throws {
    try folder.write("open/x", "")
    let path = folder.path + "/open"
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    #expect(StoreFolder(path).problem() == "is writable by everyone")
    try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: path)
    #expect(StoreFolder(path).problem() == nil)
  }

  /// Concurrent reads and writes of the same keys.
  @Test func severalUseItAtOnce() {
    let contents = (0..<8).map { number in [UInt8](repeating: UInt8(number), count: 3000) }
    DispatchQueue.concurrentPerform(iterations: 400) { index in
      let number = index % 8
      if index % 3 == 0 { store.trim(to: 12_000) }
      store.write(contents[number], key("\(number)"))
      for other in 0..<8 {
        let read = store.read(key("\(other)")).map(Array.init)
        #expect(read == nil || read == contents[other])
      }
    }
    #expect(files.allSatisfy { $0.count == 64 }, "nothing unfinished is left")
  }
}
