// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneModel
import SceneTestSupport
import Testing

/// Overwritten bytes in the middle of a file, which players skip without a message.
@Suite("Holes in clips", .cpuBudget(seconds: 4)) struct HoleTests {
  /// Overwrites bytes in the middle of a file.
  private func overwrite(_ name: String, made options: String, in folder: Folder) throws -> String {
    let clips = ClipFiles.shared
    try clips.run("ffmpeg -v error -y \(options) \(name)", name)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: clips.path(name)))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + bytes.count / 12, with: Data(count: bytes.count / 12))
    let path = "\(folder.path)/\(name)"
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  private static let sound = "-f lavfi -i sine=d=4:r=48000 -ac 1"

  /// The demuxer finds a hole in a file with checksums or marks.
  @Test(arguments: [
    ("hole.mkv", "-f lavfi -i testsrc2=d=4:s=160x96 -c:v libx264 -g 12"),
    ("hole.webm", "-f lavfi -i testsrc2=d=4:s=160x96 \(sound) -c:v libvpx -c:a libopus"),
    ("hole.mka", "\(sound) -c:a flac"), ("hole.ogg", "\(sound) -c:a libvorbis"),
    ("hole.opus", "\(sound) -c:a libopus"),
  ])
  func holesAreFoundByTheIndex(_ file: (name: String, options: String)) throws {
    let folder = try Folder()
    let path = try overwrite(file.name, made: file.options, in: folder)
    let remarks = try Clips.open(path, Clips.store()).remarks
    let remark = try #require(remarks.first)
    let seconds = remark.split(separator: " ").lazy.compactMap { word in
      word.last == "s" ? Double(word.dropLast()) : nil
    }.first
    let isNamed = ["the file is damaged at ", "the file is truncated at "].contains {
      remark.hasPrefix($0)
    }
    #expect(isNamed, "\(remarks)")
    #expect(seconds.map { (0.9...3).contains($0) } == true, "\(remark)")
    #expect(try Clips.open(ClipFiles.shared.path(file.name), Clips.store()).remarks == [])
  }

  /// Damage that the index shows is an error if the scene requests it.
  @Test(arguments: [("", "warning[W0506]", 0), ("damaged: error", "error[E0503]", 1)])
  func damageIsAnErrorOnRequest(_ row: (property: String, head: String, status: Int32)) throws {
    let folder = try Folder()
    _ = try overwrite(
      "strict.mkv", made: "-f lavfi -i testsrc2=d=4:s=160x96 -c:v libx264 -g 12", in: folder)
    try folder.write("a.scene", "scene { video \"strict.mkv\" { \(row.property) } }")
    let run = try Program.run([Program.scenec, "check", "a.scene"], in: folder.path)
    #expect(run.status == row.status)
    #expect(run.errors.contains("\(row.head): part of 'strict.mkv' cannot be played: "))
    #expect(run.errors.contains("remove 'damaged: error'") == (row.status == 1), "\(run.errors)")
  }

  /// The decoder finds other damage in audio, which is silent. A tag at the end is no damage.
  @Test(arguments: [
    ("torn.flac", "-c:a flac", true), ("torn.m4a", "-c:a aac", true),
    ("torn.mp3", "-c:a libmp3lame -write_id3v1 1", true), ("whole.mp3", "-write_id3v1 1", false),
    ("whole.flac", "-c:a flac", false),
  ])
  func damagedSoundIsNoted(_ file: (name: String, options: String, isTorn: Bool)) throws {
    let folder = try Folder()
    var path = try overwrite(file.name, made: "\(Self.sound) \(file.options)", in: folder)
    if !file.isTorn { path = ClipFiles.shared.path(file.name) }
    let store = Clips.store()
    let info = try Clips.open(path, store)
    let count = try #require(info.sound).sampleCount
    for from in stride(from: 0, to: count, by: 4096) {
      _ = try store.sound(info.digest, from: from, count: 4096)
    }
    let silenced = store.silenced
    #expect((silenced != nil) == file.isTorn)
    if let silenced { #expect((1.2...3).contains(silenced.time.seconds), "\(silenced.time)") }
  }
}
