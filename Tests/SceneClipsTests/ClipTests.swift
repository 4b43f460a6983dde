// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem
import SceneTestSupport
import Testing

/// Clips of many kinds, made by ffmpeg, each picture with its number in it.
@Suite("Clips") struct ClipTests {
  static let program = Repository.path + "/.build/release/scenec-clip"

  static func open(_ path: String, _ store: ClipStore) throws -> ClipInfo {
    let file = Files.open(path, O_RDONLY)
    defer { close(file) }
    return try store.index(file, path: path)
  }

  /// The number in a picture.
  static func number(in picture: PixelBuffer) -> Int {
    (0..<16).reduce(0) { $0 | (picture.pixel($1 * 10 + 5, 90).1 > 128 ? 1 << $1 : 0) }
  }

  @Test func aClip() throws {
    let folder = try Folder()
    let path = try ClipKind("a.mp4", "-c:v libx264 -pix_fmt yuv420p -g 24").make(in: folder.path)
    let store = ClipStore(program: Self.program, cache: nil, workers: 2)
    let info = try Self.open(path, store)
    print(info)
    for n in [0, 1, 2, 50, 51, 89, 88, 87, 10] {
      let picture = try store.picture(info.digest, n).draw()
      #expect(Self.number(in: picture) == n)
    }
  }
}
