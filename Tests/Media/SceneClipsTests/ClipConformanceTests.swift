// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneTestSupport
import Testing

/// Small third-party clips and audio files, compared with ffprobe (Tests/Conformance/SOURCES.md).
@Suite("Clips of others", .cpuBudget(seconds: 2)) struct ClipConformanceTests {
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
        #expect(throws: AssetError.self, "\(name)") { try Clips.open(path, store) }
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
      // The tolerance of 0.1 s allows for the padding that an encoder adds at the start and the
      // end.
      if info.pictures == nil, let sound = info.sound,
        let named = row["duration_s"].flatMap(Double.init)
      {
        #expect(abs(sound.length.seconds - named) < 0.1, "\(name): \(sound.length.seconds)")
      }
    }
  }

  /// The pixel format is read from the header of the first slice.
  @Test func formatsOfH264() throws {
    let kinds: [(String, PictureFormat)] = [
      ("-pix_fmt yuv420p", PictureFormat(.yuv420, depth: 8)),
      ("-pix_fmt yuv420p -slices 6", PictureFormat(.yuv420, depth: 8)),
      ("-pix_fmt yuvj420p", PictureFormat(.yuv420, depth: 8, isFullRange: true)),
      ("-pix_fmt yuv422p10le", PictureFormat(.yuv422, depth: 10)),
      ("-pix_fmt yuv444p", PictureFormat(.yuv444, depth: 8)),
      (
        "-pix_fmt yuv420p -x264-params chromaloc=1",
        PictureFormat(.yuv420, depth: 8, siting: .center)
      ),
      ("-pix_fmt gray", PictureFormat(.yuv420, depth: 8, isFullRange: true)),
    ]
    for (number, (options, wanted)) in kinds.enumerated() {
      let kind = ClipKind("head-\(number).mp4", "-c:v libx264 -preset ultrafast \(options)")
      let found = try Clips.open(ClipFiles.shared.path(kind), Clips.store()).pictures?.format
      #expect(found?.layout == wanted.layout && found?.depth == wanted.depth, "\(options)")
      #expect(found?.siting == wanted.siting, "\(options)")
      #expect(found?.isFullRange == wanted.isFullRange, "\(options)")
    }
  }
}
