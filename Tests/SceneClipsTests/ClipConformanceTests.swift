// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneTestSupport
import Testing

/// Small clips and sounds of others, as ffprobe sees them (Tests/Conformance/SOURCES.md).
@Suite("Clips of others") struct ClipConformanceTests {
  private func rows() throws -> [[String: String]] {
    let lines = try Repository.text("Tests/Conformance/clip/clips.tsv").split(separator: "\n")
    let table = lines.filter { !$0.hasPrefix("#") }.map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    }
    return table.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(table[0], $0)) }
  }

  @Test func theyAreWhatProbesFind() throws {
    let rows = try rows()
    #expect(rows.count == 27)
    for row in rows {
      let name = row["file"] ?? ""
      let path = Repository.path + "/Tests/Conformance/clip/" + name
      let count = row["video_frames"].flatMap { Int($0) }
      let rate = row["rate"].flatMap { Int($0) }
      let store = Clips.store()
      guard count != nil || rate != nil else {
        #expect(throws: AssetFault.self, "\(name)") { try Clips.open(path, store) }
        continue
      }
      let info = try Clips.open(path, store)
      #expect(info.pictures?.times.count == count, "\(name)")
      #expect(info.sound?.rate == rate, "\(name)")
      #expect(info.sound?.channels == row["channels"].flatMap { Int($0) }, "\(name)")
      if let pictures = info.pictures {
        let size = PixelSize(Int(row["width"] ?? "") ?? 0, Int(row["height"] ?? "") ?? 0)
        #expect(pictures.storedSize == size && pictures.codec == row["video"], "\(name)")
        let last = try store.picture(info.digest, pictures.times.count - 1)
        #expect(last.draw().size == size, "\(name)")
      }
      // Beyond the tenth of a second that what an encoder puts in front and behind may take.
      if info.pictures == nil, let sound = info.sound,
        let named = row["duration_s"].flatMap(Double.init)
      {
        #expect(abs(sound.length.seconds - named) < 0.1, "\(name): \(sound.length.seconds)")
      }
    }
  }
}
