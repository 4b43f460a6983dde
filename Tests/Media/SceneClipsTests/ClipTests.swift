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
    let size = pictures.storedSize
    let index = try #require(ClipKind.all.firstIndex { $0.name == kind.name })
    let found = try ClipTests.facts.get()[index]
    #expect(found.codec == pictures.codec)
    #expect(found.size == "\(size.width)x\(size.height)")
    #expect(found.frameCount == pictures.times.count)
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

  /// The properties of a clip that its index contains and ffmpeg reports.
  private struct Facts: Sendable {
    var codec = ""
    /// The size such as "160x96".
    var size = ""
    var frameCount = 0
  }

  /// What ffmpeg finds in the clips of all kinds, in one run.
  private static let facts = Result {
    let folder = try Folder()
    let paths = try ClipKind.all.map { try ClipFiles.shared.path($0) }
    let inputs = paths.flatMap { ["-noautorotate", "-i", $0] }
    let streams = paths.indices.flatMap { ["-map", "\($0):v:0"] }
    let packets = streams + ["-c", "copy", "-f", "framecrc", "packets.txt"]
    let frames = streams + ["-fps_mode", "passthrough", "-f", "framecrc", "frames.txt"]
    let run = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error"] + inputs + packets + frames, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    var found = Array(repeating: Facts(), count: paths.count)
    for line in try lines(of: "packets.txt", in: folder) {
      // Lines such as "#codec_id 3: h264" and "#dimensions 3: 160x96" state the stream first.
      let words = line.split(separator: " ")
      guard words.count == 3, let stream = Int(words[1].dropLast()) else { continue }
      if words[0] == "#codec_id" { found[stream].codec = String(words[2]) }
      if words[0] == "#dimensions" { found[stream].size = String(words[2]) }
    }
    for line in try lines(of: "frames.txt", in: folder) {
      guard let stream = Int(line.prefix { $0 != "," }) else { continue }
      found[stream].frameCount += 1
    }
    return found
  }

  private static func lines(of name: String, in folder: Folder) throws -> [Substring] {
    let data = try #require(folder.data(name))
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
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
