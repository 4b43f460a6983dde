// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem
import SceneTestSupport
import Testing

@Suite("Loaded code", .cpuBudget(seconds: 1)) struct LoadedCodeTests {
  @Test func librariesAreKnownByTheirLinker() throws {
    let all = LoadedCode.ofProcess
    #expect(all.count > 10 && all == LoadedCode.ofProcess && all == all.sorted())
    let library = try #require(all.first { $0.hasPrefix("libc.so.6 ") })
    #expect(library.dropFirst(10).count == 40 && library.dropFirst(10).allSatisfy(\.isHexDigit))
  }

  /// Two files with the same name but different build ids, or without one.
  @Test func filesAreToldApart() throws {
    let folder = try Folder()
    func place(_ name: String) -> String { folder.path + "/" + name }
    try folder.write("a/x", "plain")
    try folder.write("b/x", "plainer")
    #expect(LoadedCode.identity(ofFile: place("a/x")) != LoadedCode.identity(ofFile: place("b/x")))
    #expect(LoadedCode.identity(ofFile: place("none")) == "none")
    // Returns a synthetic file with a build id note: name size, descriptor size, type, name,
    // descriptor.
    func file(_ digest: UInt8) -> Data {
      Data(
        [UInt8](repeating: 0, count: 16) + [
          4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4E, 0x55, 0,
        ])
        + Data([UInt8](repeating: digest, count: 20)) + Data([UInt8](repeating: 7, count: 40))
    }
    for (name, digest) in [("a/x", UInt8(0x1F)), ("b/x", 0x2F)] {
      try file(digest).write(to: URL(fileURLWithPath: place(name)))
    }
    let first = LoadedCode.identity(ofFile: place("a/x"))
    #expect(first == "x " + String(repeating: "1f", count: 20))
    #expect(first != LoadedCode.identity(ofFile: place("b/x")))
  }
}
