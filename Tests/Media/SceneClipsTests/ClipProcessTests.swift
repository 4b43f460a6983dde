// SPDX-License-Identifier: MIT
import CLinux
import Foundation
import SceneClips
import SceneIR
import SceneModel
import ScenePixels
import SceneStore
import SceneTestSupport
import Testing

/// A copy of `scenec-clip`, so that its processes are those of one test only.
private struct OwnHelper {
  private let folder: Folder
  let program: String

  init() throws {
    folder = try Folder()
    program = folder.path + "/scenec-clip"
    try folder.install(Clips.program, as: "scenec-clip")
  }

  /// Returns the process that was started and the processes that it forked.
  func running() throws -> [Int32] {
    let end = "/\((folder.path as NSString).lastPathComponent)/scenec-clip"
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
      .filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
        return target?.hasSuffix(end) == true
      }.sorted()
  }
}

/// The processes that decode clips: their number, and what happens when one of them ends.
@Suite("Processes of clips", .cpuBudget(seconds: 4)) struct ClipProcessTests {
  /// Decoding continues after the decoder is killed, and after the process that forks it is killed.
  @Test func aDecoderThatIsKilled() throws {
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    let helper = try OwnHelper()
    let store = ClipStore(program: helper.program, cache: nil, workers: 1)
    let info = try Clips.open(path, store)
    #expect(try Clips.number(in: store.picture(info.digest, 5).draw()) == 5)
    // The process that made the index has answered, but may not have exited yet.
    let areTwo = try eventually { try helper.running().count == 2 }
    #expect(areTwo, "the helper and the decoder")
    let all = try helper.running()
    let decoder = try #require(
      all.first { process in
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let parent = status?.split(separator: " ").dropFirst(3).first.flatMap { Int32($0) }
        return parent.map(all.contains) == true
      })
    kill(decoder, SIGKILL)
    // The frame that it was decoding is lost, with a message.
    let failure = #expect(throws: ClipError.self) { try store.picture(info.digest, 6) }
    #expect(
      failure?.description.hasPrefix(
        "frame 6 of '\(path)', at 0.2s, cannot be decoded: the decoder was killed") == true,
      "\(String(describing: failure))")
    // Another process decodes the next frame.
    #expect(try Clips.number(in: store.picture(info.digest, 61).draw()) == 61)
    for process in try helper.running() { kill(process, SIGKILL) }
    _ = try? store.picture(info.digest, 10)
    #expect(try Clips.number(in: store.picture(info.digest, 11).draw()) == 11)
  }

  /// A library that ends the process of a decoder is reported with the exit status.
  @Test func aDecoderThatExits() throws {
    let folder = try Folder()
    try folder.write("exit.c", "#include <unistd.h>\nint avcodec_send_packet(void) { _exit(7); }\n")
    let made = try Program.run(
      ["/usr/bin/gcc", "-shared", "-fPIC", "-o", "exit.so", "exit.c"], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    let script = try folder.write(
      "clip.sh", "#!/bin/sh\nLD_PRELOAD=\(folder.path)/exit.so exec \(Clips.program) \"$@\"\n")
    try folder.install(script, as: "scenec-clip")
    let path = try ClipFiles.shared.path(ClipKind.all[0])
    // The other program makes the index.
    let cache = ClipIndexCache(StoreFolder(folder.path + "/cache"))
    _ = try Clips.open(path, ClipStore(program: Clips.program, cache: cache, workers: 1))
    let store = ClipStore(program: folder.path + "/scenec-clip", cache: cache, workers: 1)
    let info = try Clips.open(path, store)
    let failure = #expect(throws: ClipError.self) { try store.picture(info.digest, 6) }
    #expect(
      failure?.description
        == "frame 6 of '\(path)', at 0.2s, cannot be decoded: the decoder failed (exit status 7)")
  }

  /// The decoder of a long clip ends with its last frame, since the next request would have to
  /// start again anyway.
  @Test func aDecoderEndsWithItsClip() throws {
    let helper = try OwnHelper()
    let store = ClipStore(program: helper.program, cache: nil, workers: 1)
    let info = try Clips.open(ClipFiles.shared.path(ClipKind.all[0]), store)
    let count = try #require(info.pictures?.times.count)
    try #require(count >= 48)
    _ = try store.picture(info.digest, count - 2)
    let areTwo = try eventually { try helper.running().count == 2 }
    #expect(areTwo, "the helper and the decoder")
    #expect(try Clips.number(in: store.picture(info.digest, count - 1).draw()) == count - 1)
    let isAlone = try eventually { try helper.running().count == 1 }
    #expect(isAlone, "the decoder has ended")
    #expect(try Clips.number(in: store.picture(info.digest, 3).draw()) == 3)
  }

  /// Idle decoders are ended, because a decoder of large frames holds tens of megabytes.
  @Test func decodersThatRestAreEnded() throws {
    let folder = try Folder()
    // Five clips of sixty frames that become brighter, each of which starts one frame later.
    let encoded = try Program.run(
      [
        "/usr/bin/ffmpeg", "-v", "error", "-f", "lavfi", "-i",
        "color=c=0x202020:s=1920x1080:r=30,hue=b=0.1*n", "-frames:v", "64", "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-force_key_frames", "expr:lt(n,5)",
        "all.mp4",
      ], in: folder.path)
    let parts = (0..<5).flatMap {
      ["-c", "copy", "-ss", "\(Double($0) / 30)", "-frames:v", "60", "\($0).mp4"]
    }
    let copied = try Program.run(
      ["/usr/bin/ffmpeg", "-v", "error", "-i", "all.mp4"] + parts, in: folder.path)
    #expect(encoded.status == 0 && copied.status == 0)
    let helper = try OwnHelper()
    let store = ClipStore(program: helper.program, cache: nil, workers: 1)
    let clips = try (0..<5).map { try Clips.open(folder.path + "/\($0).mp4", store) }
    for clip in clips { _ = try store.picture(clip.digest, 0) }
    let areSix = try eventually { try helper.running().count == 6 }
    #expect(areSix, "all were used a moment ago")
    // Decoders in constant use stay, however many there are.
    for number in 1..<20 { for clip in clips { _ = try store.picture(clip.digest, number) } }
    #expect(try helper.running().count == 6)
    let last = try #require(clips.last)
    let pictures = try clips.map { try Clips.digest(store.picture($0.digest, 20)) }
    #expect(Set(pictures).count == clips.count)
    // The last decoder is used so often that the others become idle, although no clip has ended.
    for number in Array(20..<60) + Array(0..<60) + Array(0..<8) {
      _ = try store.picture(last.digest, number)
    }
    // A process may take a moment to exit.
    let areFew = try eventually { try helper.running().count <= 4 }
    #expect(areFew, "one that rests, those of the last, and the helper")
    // A decoder starts again when it is needed.
    #expect(try Clips.digest(store.picture(clips[0].digest, 20)) == pictures[0])
  }

  private static let words = "the decoder exceeds the limit of"

  /// A clip of four large frames, encoded once.
  private static let large = Result {
    let folder = try Folder()
    for (input, name) in [
      (["-f", "lavfi", "-i", "color=s=6000x6000:r=2:d=0.5", "-c:v", "png"], "one.mkv"),
      (["-stream_loop", "3", "-i", "one.mkv", "-c", "copy"], "large.mkv"),
    ] {
      let run = try Program.run(
        ["/usr/bin/ffmpeg", "-v", "error"] + input + [name], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    return folder
  }

  /// Frames and samples that take too long end with a message.
  @Test(arguments: [ClipReading.Damage.hold, .error]) func requestsHaveLimits(
    _ damage: ClipReading.Damage
  ) throws {
    let folder = try ClipProcessTests.large.get()
    let helper = try OwnHelper()
    var limits = DecodingLimits()
    (limits.pictures, limits.picturesEach) = (0, 0)
    let store = ClipStore(program: helper.program, cache: nil, workers: 1, limits: limits)
    let path = folder.path + "/large.mkv"
    let info = try Clips.open(path, store)
    let failure = try #require(
      #expect(throws: ClipError.self) {
        try store.picture(of: info.digest, number: 3, damage: damage)
      })
    #expect(failure.picture == 3 && failure.path == path)
    #expect(failure.reason.hasPrefix(Self.words), "\(failure)")
    // Other frames would take as long, so none is tried.
    let isAlone = try eventually { try helper.running().count == 1 }
    #expect(isAlone, "its process has ended")
    #expect(throws: failure) { try store.picture(of: info.digest, number: 0, damage: damage) }
    #expect(try helper.running().count == 1)
    #expect(store.held == nil)
    // Other clips are still decoded.
    let other = try Clips.open(ClipFiles.shared.path(ClipKind.all[0]), store)
    #expect(other.pictures != nil)
  }

  @Test func levelsHaveLimits() throws {
    let folder = try Folder()
    for (input, name) in [
      (["-f", "lavfi", "-i", "anoisesrc=d=8:r=48000:a=0.1:seed=3", "-c:a", "aac"], "short.mp4"),
      (["-stream_loop", "29", "-i", "short.mp4", "-c", "copy"], "long.mp4"),
    ] {
      let run = try Program.run(
        ["/usr/bin/ffmpeg", "-v", "error"] + input + [name], in: folder.path)
      #expect(run.status == 0, "\(run.errors)")
    }
    let path = folder.path + "/long.mp4"
    var limits = DecodingLimits()
    (limits.levels, limits.levelsEach) = (0, 0)
    let store = ClipStore(program: Clips.program, cache: nil, workers: 1, limits: limits)
    let info = try Clips.open(path, store)
    for measure in [SoundMeasure.onsets, .band(low: 100, high: 200), .band(low: 200, high: 300)] {
      let failure = #expect(throws: ClipError.self) { try store.levels(info.digest, measure) }
      #expect(failure?.path == path && failure?.reason.hasPrefix(Self.words) == true)
    }
  }
}
