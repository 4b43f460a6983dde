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

/// Functions that open and check clips with the real program.
enum Clips {
  static let program = Repository.path + "/.build/release/scenec-clip"

  static func store(_ byteLimit: Int = 256 << 20, workers: Int = 2) -> ClipStore {
    ClipStore(program: program, cache: nil, byteLimit: byteLimit, workers: workers)
  }

  static func open(_ path: String, _ store: ClipStore) throws -> ClipInfo {
    let file = Files.open(path, O_RDONLY)
    defer { close(file) }
    return try store.index(file, path: path)
  }

  /// Returns the number that is drawn in an upright image.
  static func number(in picture: PixelBuffer) -> Int {
    let isTall = picture.size.height > picture.size.width
    return (0..<16).reduce(0) {
      let (along, across) = ($1 * 10 + 5, 90)
      // In an image that is turned clockwise, the lowest rows are on the left.
      let pixel = isTall ? picture.pixel(95 - across, along) : picture.pixel(along, across)
      return $0 | (pixel.green > 128 ? 1 << $1 : 0)
    }
  }

  static func digest(_ picture: ClipPicture) -> ClipDigest {
    var hash = ContentHash()
    picture.withPlane(0) { bytes, _ in hash.add(bytes) }
    return hash.digest
  }
}

/// Clips of many kinds, made by ffmpeg, with a number drawn in each frame.
@Suite("Clips", .cpuBudget(seconds: 18)) struct ClipTests {
  @Test(arguments: ClipKind.all) func everyPictureIsTheOneThatIsMeant(_ kind: ClipKind) throws {
    let path = try ClipFiles.shared.path(kind)
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let pictures = try #require(info.pictures)
    #expect(pictures.times.count == kind.count)
    #expect(pictures.times.rate == kind.frameRate)
    #expect(info.remarks == [])
    var digests: [ClipDigest] = []
    for number in 0..<pictures.times.count {
      let picture = try store.picture(info.digest, number)
      #expect(Clips.number(in: picture.draw()) == number + kind.first)
      digests.append(Clips.digest(picture))
    }
    // The pixels are the same in any order of access.
    let other = Clips.store(8 << 20)
    #expect(try Clips.open(path, other) == info)
    var generator = Generator(seed: 7)
    let jumps = (0..<30).map { _ in Int.random(in: 0..<kind.count, using: &generator) }
    for number in jumps + stride(from: kind.count - 1, through: 0, by: -2) {
      #expect(Clips.digest(try other.picture(info.digest, number)) == digests[number], "\(number)")
    }
  }

  @Test(arguments: ClipKind.all) func theIndexIsWhatProbesFind(_ kind: ClipKind) throws {
    let path = try ClipFiles.shared.path(kind)
    let pictures = try #require(try Clips.open(path, Clips.store()).pictures)
    let run = try Program.run([
      "/usr/bin/ffprobe", "-v", "error", "-count_frames", "-show_entries",
      "stream=codec_name,width,height,nb_read_frames", "-of", "default=nk=1:nw=1", path,
    ])
    let found = run.output.split(separator: "\n")
    #expect(found.first.map { String($0) } == pictures.codec)
    #expect(
      found.dropFirst().prefix(3).compactMap { Int($0) }
        == [pictures.storedSize.width, pictures.storedSize.height, pictures.times.count])
  }

  @Test func severalThreadsSeeTheSame() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[1])
    let store = Clips.store(1 << 20, workers: 3)
    let info = try Clips.open(path, store)
    let wrong = Monitor(0)
    let threads = (0..<6).compactMap { seed in
      WorkerThread {
        var generator = Generator(seed: UInt64(seed))
        for step in 0..<60 {
          let number =
            seed < 3 ? (seed * 30 + step) % 90 : Int.random(in: 0..<90, using: &generator)
          let picture = try? store.picture(info.digest, number).draw()
          if picture.map(Clips.number) != number { wrong.update { $0 += 1 } }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.update { $0 } == 0)
  }

  @Test func theShapeOfPictures() throws {
    func pictures(_ name: String) throws -> ClipPictures {
      let kind = try #require(ClipKind.all.first { $0.name == name })
      return try #require(try Clips.open(ClipFiles.shared.path(kind), Clips.store()).pictures)
    }
    #expect(try pictures("h264-turned.mp4").size == PixelSize(96, 160))
    #expect(try pictures("h264-turned.mp4").orientation == ClipOrientation(quarterTurns: 1))
    #expect(try pictures("h264-anamorphic.mp4").size == PixelSize(233, 96))
    #expect(try pictures("h264-odd.mp4").size == PixelSize(161, 97))
    #expect(try pictures("h264-10.mp4").format.depth == 10)
    #expect(try pictures("vp9-alpha.webm").format.hasAlpha)
    #expect(try pictures("mjpeg.avi").format.isFullRange)
    #expect(try pictures("h264-open.mp4").keys.first == 0)
  }
}
