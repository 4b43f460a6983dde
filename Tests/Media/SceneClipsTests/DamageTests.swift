// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneSystem
import SceneTestSupport
import Testing

/// Files with the wrong extension, and damaged clips, which result in a message or an image.
@Suite("Damaged clips", .cpuBudget(seconds: 11)) struct DamageTests {
  private func reason(_ path: String) throws -> String {
    do throws(AssetError) {
      let file = Files.open(path, O_RDONLY | O_NONBLOCK)
      defer { close(file) }
      let info = try Clips.store().index(file, path: path)
      return "\(info.pictures?.times.count ?? 0) pictures"
    } catch {
      return "\(error)"
    }
  }

  @Test func whatIsNoClip() throws {
    let folder = try Folder()
    #expect(try reason(try folder.write("empty.mp4", "")).contains("the file is empty"))
    for text in [
      "Hello", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n",
      "ffconcat version 1.0\nfile /etc/passwd\n", "<svg xmlns='http://www.w3.org/2000/svg'/>",
      "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=video 5004 RTP/AVP 96\r\n",
    ] {
      let found = try reason(try folder.write("a.mp4", text))
      #expect(found.contains("unknown clip format"), "\(found)")
    }
    for (head, name) in [("FLV\u{1}\u{5}", "FLV"), (".RMF", "RealMedia"), ("\u{6}\u{E}+4", "MXF")] {
      let found = try reason(try folder.write("a.flv", head + String(repeating: "0", count: 99)))
      #expect(found == "unsupported(\"\(name)\")")
    }
    for (head, wanted) in [
      ("RIFF1234WAVEfm", "a RIFF file"), ("OggS", "an Ogg file"), ("fLaC\0", "a FLAC file"),
      ("ID3\u{3}", "an MP3 file"), ("FORM", "an AIFF file"),
      ("0000ftypisom", "the MP4 or MOV file"),
      ("0000mdat", "the MP4 or MOV file"), ("\0", "unknown clip format"),
      ("PK\u{3}\u{4}", "unknown clip format"),
    ] {
      let found = try reason(try folder.write("a.mp3", head))
      #expect(found.contains(wanted), "\(found)")
      for words in ["Invalid", "argument", "Input/output", "End of file"] {
        #expect(!found.contains(words), "\(found)")
      }
    }
    unsafe #expect(mkfifo(folder.path + "/b.mp4", 0o600) == 0)
    #expect(try reason(folder.path + "/b.mp4").contains("notRegular"))
    #expect(try reason(folder.path).contains("notRegular"))
  }

  @Test func codecsAndStreamsThatAreNotSupported() throws {
    let clips = ClipFiles.shared
    _ = try clips.path(ClipKind.all[0])
    let sine = "-f lavfi -i sine=duration=0.3"
    for (name, options, wanted) in [
      ("wmv.avi", "-f lavfi -i testsrc2=d=0.2:s=64x64 -c:v wmv2", "the codec wmv2"),
      (
        "cover.mp3", "\(sine) -f lavfi -i color=s=64x64 -map 0 -map 1 -frames:v 1 -t 0.3 -c:v png",
        "0 pictures"
      ),
      ("sound.wav", sine, "0 pictures"),
      (
        "slanted.mp4",
        "-f lavfi -i testsrc2=d=0.2:s=64x64 -c:v libx264 -pix_fmt yuv420p slanted-0.mp4"
          + " && timeout 20 ffmpeg -v error -y -display_rotation 45 -i slanted-0.mp4 -c copy",
        "2"
      ),
      (
        "behind.mp3",
        "-f lavfi -i sine=duration=5 plain.mp3 && (head -c 100000 /dev/zero; cat plain.mp3) > behind.mp3 && true",
        "0 pictures"
      ),
      (
        "data.mkv",
        "-f lavfi -i testsrc2=d=0.2:s=64x64 -c:v ffv1 -f lavfi -i sine=d=0.2 -c:a wmav2",
        "5 pictures"
      ),
    ] {
      do { try clips.run("timeout 20 ffmpeg -v error -y \(options) \(name)", name) } catch {
        continue
      }
      let found = try reason(clips.path(name))
      #expect(found.contains(wanted), "\(name): \(found)")
    }
  }

  /// The path of a clip with a keyframe each second, whose index precedes its packets.
  private static var indexedFirst: String {
    get throws {
      try ClipFiles.shared.path(
        ClipKind("h264-fast.mp4", "-c:v libx264 -bf 0 -g 24 -sc_threshold 0 -movflags +faststart"))
    }
  }

  /// A file whose end is missing gives a warning, and the frames that exist are shown.
  @Test func cutShort() throws {
    let whole = try Self.indexedFirst
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let folder = try Folder()
    let path = folder.path + "/cut.mp4"
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    let store = Clips.store()
    let info = try Clips.open(path, store)
    #expect(
      info.remarks.contains { $0.contains("the file is truncated at") && $0.hasSuffix("of 3s") })
    #expect(try Clips.number(in: store.picture(info.digest, 5).draw()) == 5)
    // The incomplete frame at the end is not listed.
    let last = try #require(info.pictures).times.count - 1
    #expect(last > 20)
    #expect(try Clips.number(in: store.picture(info.digest, last).draw()) == last)
  }

  /// The end of the container indicates that a file was cut, even if only a few bytes are missing.
  @Test func cutAnywhere() throws {
    let (clips, folder) = (ClipFiles.shared, try Folder())
    let pictures = "-f lavfi -i testsrc2=d=3:s=160x96"
    let sound = "-f lavfi -i sine=d=3:r=48000 -ac 1"
    for (name, options) in [
      ("fast.mp4", "\(pictures) \(sound) -c:v libx264 -movflags +faststart"),
      ("parts.mp4", "\(pictures) -c:v libx264 -g 12 -movflags frag_keyframe+empty_moov"),
      ("both.mkv", "\(pictures) \(sound) -c:v libx264"),
      ("both.webm", "\(pictures) \(sound) -c:v libvpx -c:a libopus"),
      ("both.avi", "\(pictures) \(sound) -c:v mpeg4 -c:a mp3"),
      // The lengths of a piped file are unknown.
      ("piped.avi", "\(pictures) -c:v mpeg4 -f avi pipe:1 >"),
      ("late.mkv", "\(pictures) -c:v libx264 -output_ts_offset 5"),
      ("sound.ogg", "\(sound) -c:a libvorbis"), ("sound.opus", "\(sound) -c:a libopus"),
    ] {
      try clips.run("ffmpeg -v error -y \(options) \(name)", name)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: clips.path(name)))
      func remarks(_ content: Data) throws -> [String] {
        let path = "\(folder.path)/\(name)"
        try content.write(to: URL(fileURLWithPath: path))
        return try Clips.open(path, Clips.store()).remarks
      }
      #expect(try remarks(bytes) == [], "\(name)")
      #expect(try remarks(bytes + Data("end".utf8)) == [], "\(name) and other bytes")
      for share in [0.7, 0.9, 0.97, 0.995] where name != "piped.avi" {
        let found = try remarks(bytes.prefix(Int(Double(bytes.count) * share)))
        let isFound = found.contains {
          $0.contains("is truncated at") || $0 == "the end of the file is missing"
        }
        #expect(isFound, "\(name) to \(share): \(found)")
      }
    }
  }

  /// An opened file is read further after another file takes its name; truncation gives a message.
  @Test func aFileThatChangesWhileItIsRead() throws {
    let folder = try Folder()
    let path = folder.path + "/a.mp4"
    func put(_ kind: Int, _ name: String) throws {
      let clip = try ClipFiles.shared.path(ClipKind.all[kind])
      try FileManager.default.copyItem(atPath: clip, toPath: folder.path + "/" + name)
    }
    try put(0, "a.mp4")
    try put(7, "b.mp4")
    let store = Clips.store(1 << 18)
    let info = try Clips.open(path, store)
    #expect(try Clips.number(in: store.picture(info.digest, 5).draw()) == 5)
    #expect(Files.rename(folder.path + "/b.mp4", path))
    for number in [60, 10, 89] {
      #expect(try Clips.number(in: store.picture(info.digest, number).draw()) == number)
    }
    let other = try Clips.open(path, store)
    #expect(other.digest != info.digest)
    #expect(try Clips.number(in: store.picture(other.digest, 3).draw()) == 3)
    let size = try #require(FileManager.default.contents(atPath: path)).count
    #expect(unsafe truncate(path, size / 2) == 0)
    var lost = 0
    for number in (0..<90).reversed() {
      do throws(ClipError) {
        #expect(try Clips.number(in: store.picture(other.digest, number).draw()) == number)
      } catch {
        lost += 1
        #expect(error.description.hasPrefix("frame \(number) of '\(path)', at "))
      }
    }
    #expect(lost > 20)
  }

  /// The number of damaged copies; `make soak` tries many more.
  private static let mutantCount =
    Soak.isRunning ? 340 : 20

  /// A clip with some changed bytes gives a message or an image that is not black.
  @Test(arguments: ["h264.mp4", "h264.ts", "hevc-open.mp4", "vp9.webm", "mpeg2.mpg", "av1.mp4"])
  func mutants(_ name: String) throws {
    let kind = try #require(ClipKind.all.first { $0.name == name })
    let whole = try Data(contentsOf: URL(fileURLWithPath: ClipFiles.shared.path(kind)))
    let folder = try Folder()
    let path = folder.path + "/\(name)"
    var generator = Generator(seed: 1)
    let store = Clips.store(8 << 20)
    var shown = 0
    for mutant in 0..<Self.mutantCount {
      var bytes = whole
      // From one byte in ten thousand to one in fifty, in some copies only in the headers.
      let count = max(1, bytes.count / [10_000, 2_000, 400, 50][mutant % 4])
      let reach = mutant % 3 == 0 ? min(2000, bytes.count) : bytes.count
      for _ in 0..<count {
        bytes[Int.random(in: 0..<reach, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      guard let info = try? Clips.open(path, store) else { continue }
      let all = info.pictures?.times.count ?? 0
      for number in [0, all / 2, all / 3, all - 1] where number >= 0 && number < all {
        do throws(ClipError) {
          let picture = try store.picture(info.digest, number).draw()
          let isBlack = (0..<picture.size.width).allSatisfy {
            picture.pixel($0, picture.size.height / 2).green < 8
          }
          #expect(!isBlack, "mutant \(mutant), picture \(number)")
          shown += 1
        } catch {
          #expect(error.description.contains("frame \(number) of '\(path)', at "))
        }
      }
      store.forget([info.digest])
    }
    #expect(shown > 10)
  }

  @Test func aHelperThatCannotBeStarted() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let store = ClipStore(program: "/nonexistent/scenec-clip", cache: nil, workers: 1)
    #expect(throws: AssetError.self) { try Clips.open(path, store) }
  }

  @Test func limitsAreNamed() throws {
    let clips = ClipFiles.shared
    _ = try clips.path(ClipKind.all[0])
    let folder = try Folder()
    let maps = String(repeating: " -map 0", count: 65)
    for (name, options, limit) in [
      ("wide.avi", "-f lavfi -i color=s=8200x16:d=0.1 -c:v rawvideo", "the limit of 8192 pixels"),
      ("many.mkv", "-f lavfi -i sine=d=0.1\(maps) -c:a pcm_s16le", "streams exceed the limit"),
    ] {
      try clips.run("timeout 20 ffmpeg -v error -y \(options) '\(folder.path)/\(name)'", name)
      let found = try reason(folder.path + "/" + name)
      #expect(found.contains("tooLarge") && found.contains(limit), "\(found)")
    }
    let huge = try folder.write("huge.mp4", "x")
    // This check needs a file system with sparse files.
    if unsafe truncate(huge, (64 << 30) + 1) == 0 {
      #expect(try reason(huge).contains("the limit of 64 GiB"))
    }
  }

  /// Frames that follow a damaged frame are rejected until the next keyframe.
  @Test func damageSpreads() throws {
    let whole = try Self.indexedFirst
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let folder = try Folder()
    let path = folder.path + "/spoilt.mp4"
    let store = Clips.store()
    let info = try Clips.open(whole, store)
    let count = try #require(info.pictures).times.count
    // Damages the middle of the frames from 27 on, but not the keyframes at 48 and 72.
    let table = try Program.run([
      "/usr/bin/ffprobe", "-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
      whole,
    ]).output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    for number in 27..<30 {
      // The columns are the size of the packet and its position.
      let middle = table[number][1] + table[number][0] / 2
      for at in middle..<middle + 6 { bytes[at] ^= 0xFF }
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let spoilt = try Clips.open(path, store)
    var refused: [Int] = []
    for number in 0..<count where (try? store.picture(spoilt.digest, number)) == nil {
      refused.append(number)
    }
    #expect(refused.first.map { (27...29).contains($0) } == true, "\(refused)")
    #expect(refused.last == 47 && refused.count == 48 - (refused.first ?? 0), "\(refused)")
    // The same frames are refused in any order of access.
    for number in [60, 40, 10, 47] {
      #expect(((try? store.picture(spoilt.digest, number)) == nil) == refused.contains(number))
    }
  }

  /// Returns a copy of a clip in which the packets of some frames are overwritten.
  private func overwritten(_ frames: Range<Int>, with byte: UInt8, in folder: Folder) throws
    -> String
  {
    let whole = try Self.indexedFirst
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let table = try Program.run([
      "/usr/bin/ffprobe", "-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0",
      whole,
    ]).output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    for number in frames {
      let (size, place) = (table[number][0], table[number][1])
      bytes.replaceSubrange(place..<place + size, with: Data(repeating: byte, count: size))
    }
    let path = "\(folder.path)/\(frames)-\(byte).mp4"
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Damage that is visible in the packets is known before a frame is decoded.
  @Test(arguments: [(30..<31, UInt8(0)), (30..<31, 255), (3..<40, 0), (0..<1, 0), (71..<72, 9)])
  func damageIsFoundByTheIndex(_ row: (frames: Range<Int>, byte: UInt8)) throws {
    let folder = try Folder()
    let info = try Clips.open(
      overwritten(row.frames, with: row.byte, in: folder), Clips.store())
    let remark = try #require(info.remarks.first)
    let count = row.frames.count
    #expect(remark.hasPrefix(count == 1 ? "the frame at " : "\(count) frames are damaged"))
    let first = Ticks(Int64(row.frames.lowerBound) * Ticks.perSecond / 30)
    #expect(remark.contains(first.description), "\(remark), not \(first.description)")
    #expect(try Clips.open(Self.indexedFirst, Clips.store()).remarks.isEmpty)
  }

  /// The last good frame replaces frames that cannot be decoded, in any order of access.
  ///
  /// At the start of a clip, the first good frame replaces them.
  @Test(arguments: [
    (30..<31, 30..<48, 29), (0..<1, 0..<24, 24), (47..<48, 47..<48, 46), (10..<50, 10..<72, 9),
  ])
  func theLastGoodFrameIsHeld(_ row: (damaged: Range<Int>, held: Range<Int>, shown: Int)) throws {
    let folder = try Folder()
    let path = try overwritten(row.damaged, with: 0, in: folder)
    for isReversed in [false, true] {
      let store = Clips.store()
      let info = try Clips.open(path, store)
      let count = try #require(info.pictures).times.count
      for number in isReversed ? Array((0..<count).reversed()) : Array(0..<count) {
        let shown = try Clips.number(
          in: store.picture(of: info.digest, number: number, damage: .hold).draw())
        #expect(shown == (row.held.contains(number) ? row.shown : number), "frame \(number)")
      }
      #expect(store.held?.count == row.held.count)
      #expect(store.held?.first.picture == row.held.lowerBound)
      #expect(throws: ClipError.self) {
        try store.picture(of: info.digest, number: row.held.lowerBound, damage: .error)
      }
    }
  }

  @Test func whatIsForgottenIsNotShown() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let kept = try store.picture(info.digest, 3)
    store.forget([info.digest])
    #expect(throws: ClipError.self) { try store.picture(info.digest, 3) }
    #expect(throws: ClipError.self) { try store.picture(info.digest, 900) }
    #expect(Clips.number(in: kept.draw()) == 3)
    #expect(try Clips.open(path, store) == info)
    #expect(try Clips.number(in: store.picture(info.digest, 4).draw()) == 4)
  }

  /// An MP4 with thousands of edits, most of them outside the clip, quickly gives a frame or a
  /// message.
  @Test func aLongListOfEdits() throws {
    let count = 3000
    let folder = try Folder()
    let run = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-c:v",
        "libx264", "-g", "12", "-pix_fmt", "yuv420p", "plain.mp4",
      ], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    var bytes = [UInt8](try #require(folder.data("plain.mp4")))
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    func place(_ kind: String) throws -> Int {
      let kind = Array(kind.utf8)
      return try #require(bytes.indices.first { bytes[$0...].starts(with: kind) }) - 4
    }
    func size(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let edits = (0..<count).flatMap { [1, $0 * 7 % 9000, 65_536].flatMap(number) }
    let list = number(edits.count + 16) + Array("elst".utf8) + number(0) + number(count) + edits
    let old = try place("elst")
    let grown = list.count - size(at: old)
    bytes.replaceSubrange(old..<old + size(at: old), with: list)
    for kind in ["moov", "trak", "edts"] {
      let at = try place(kind)
      bytes.replaceSubrange(at..<at + 4, with: number(size(at: at) + grown))
    }
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/edits.mp4"))
    try folder.write(
      "a.scene", "scene { size: 160x96;  fps: 25;  for: 2s;  video \"edits.mp4\" { } }")
    let frame = try Program.measure(
      [Program.scenec, "frame", "a.scene", "--at", "1.2s", "-o", "a.png"], in: folder.path)
    #expect(frame.run.status == 0 || frame.run.errors.contains("edits.mp4"), "\(frame.run.errors)")
    #expect(frame.cpuSeconds < 10, "100 s without a limit")
  }
}
