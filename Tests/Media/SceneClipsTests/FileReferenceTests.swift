// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneModel
import SceneSystem
import SceneTestSupport
import Testing

/// Every frame and every sample of public files, compared to ffmpeg (Tests/Conformance/SOURCES.md).
///
/// `make soak MEDIA=folder` compares all files of another folder.
@Suite("Files beside ffmpeg", .cpuBudget(seconds: 13)) struct FileReferenceTests {
  private static let given = ProcessInfo.processInfo.environment["SCENEC_MEDIA"]

  static let files = ["clip", "media"].flatMap {
    Repository.files(in: "Tests/Conformance/" + $0)
  }.filter { !$0.hasSuffix(".tsv") }

  /// Files whose sound has a gap in its timestamps, which the raw samples of ffmpeg omit.
  private static let gapped = ["mp4__sample_partially_fragmented.mp4"]

  @Test func thereAreEnough() { #expect(Self.files.count >= 40) }

  @Test(arguments: files) func frames(_ name: String) throws {
    let path = Repository.path + "/" + name
    let result = try compare(path)
    if let error = result.error { #expect(try !Reference.decodes(path), "refused: \(error)") }
    for difference in result.differences.prefix(3) { Issue.record("\(name): \(difference)") }
  }

  /// Compares all files of a folder and its subfolders, and prints a table of the results.
  @Test(.enabled(if: given != nil)) func folder() throws {
    let folder = try #require(Self.given)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter {
      let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)
      return facts[.type] as? FileAttributeType == .typeRegular
    }
    var (frameCount, lostCount, soundCount, refusals) = (0, 0, 0, [String]())
    for name in names where !name.hasSuffix(".tsv") {
      do {
        let result = try compare(folder + "/" + name)
        frameCount += result.frames
        lostCount += result.lost
        soundCount += result.hasSound ? 1 : 0
        if let error = result.error {
          let isDecoded = try Reference.decodes(folder + "/" + name)
          refusals.append("\(name): \(error)" + (isDecoded ? ", but ffmpeg decodes it" : ""))
        }
        for difference in result.differences.prefix(3) { Issue.record("\(name): \(difference)") }
      } catch {
        Issue.record("\(name): \(error)")
      }
    }
    #expect(frameCount + soundCount > 0, "no file of \(folder) can be compared")
    print("\(frameCount) frames (\(lostCount) damaged) and \(soundCount) sounds; refused are:")
    for refusal in refusals { print("  \(refusal)") }
  }

  private struct Result {
    var frames = 0
    var lost = 0
    var hasSound = false
    /// The reason why the file is rejected.
    var error: String?
    var differences: [String] = []
  }

  private func compare(_ path: String) throws -> Result {
    var result = Result()
    let store = Clips.store()
    do throws(AssetError) {
      let file = Files.open(path, O_RDONLY)
      defer { close(file) }
      let info = try store.index(file, path: path)
      if info.pictures != nil, let frames = try? Reference.compareFrames(path, info, store) {
        (result.frames, result.lost) = (frames.count, frames.lost)
        result.differences = frames.differences
      }
      if info.sound != nil, !Self.gapped.contains(where: path.hasSuffix),
        let count = try? Reference.compareSound(path, info, store)
      {
        result.hasSound = count > 0
      }
    } catch {
      result.error = "\(error)"
    }
    return result
  }
}
