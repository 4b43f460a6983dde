// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneCLI
import SceneFiles
import SceneLanguage
import SceneModel
import SceneSound
import SceneSystem
import SceneVideo

/// A file that is being made: it appears in its place with all others, once they are whole.
///
/// Used by one thread at a time.
final class FilmFile {
  private enum Target {
    /// Without a file to a pipe.
    case video(VideoWriter, OutputFile?)
    case stills(StillsWriter)
  }

  let settings: VideoSettings
  private let path: String
  private let target: Target
  private let mix: MixSource?

  /// Opens it; `inputs` must not be overwritten.
  init(
    _ plan: OutputPlan, _ film: Film, inputs: [String], store: PacketStore?,
    goOn: () throws(BuildFault) -> Void
  ) throws {
    path = plan.path
    var settings = plan.settings
    settings.frameCount = film.frames.count
    settings.notes.chapters = film.model.chapters(in: film.frames)
    mix = try settings.sound.map {
      try MixSource(film.sound, $0, in: plan.settings.file, store, goOn)
    }
    settings.sound?.sampleCount = mix?.sampleCount ?? 0
    self.settings = settings
    if settings.file.isStills {
      target = .stills(try StillsWriter(path, inputs: inputs))
      return
    }
    let file = path == "-" ? nil : try OutputFile(path, inputs: inputs)
    do {
      let writer = try VideoWriter(
        settings, isWhole: !film.isSegmented, to: file ?? StandardOutput(), sound: mix)
      target = .video(writer, file)
    } catch {
      throw FilmFile.named(error, file)
    }
  }

  /// The parameter sets that every stretch has to fit.
  var headers: [UInt8] {
    if case .video(let writer, _) = target { writer.headers } else { [] }
  }

  /// Writes a packet of a stretch that begins with a frame.
  func write(_ packet: VideoPacket, from start: Int) throws(BuildFault) {
    guard case .video(let writer, let file) = target else { return }
    do throws(VideoFault) {
      try writer.write(packet, from: start)
    } catch {
      throw FilmFile.named(error, file)
    }
  }

  /// Writes a still; without bytes it is the one before it.
  func write(still bytes: [UInt8]?, number: Int) throws(BuildFault) {
    if case .stills(let writer) = target { try writer.write(bytes, number: number) }
  }

  /// A full disk and similar faults are reported with the name of the file.
  static func named(_ fault: VideoFault, _ file: OutputFile?) -> BuildFault {
    let isWrite = [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(fault.code)
    guard isWrite, let file else { return .video(fault) }
    let named = OutputFile.writeFault(file.path, code: fault.code)
    return .world(named.message, help: named.help)
  }

  // MARK: The end

  /// Ends all files, and then puts them in their places.
  static func commit(_ files: [FilmFile]) throws {
    for it in files {
      guard case .video(let writer, let file) = it.target else { continue }
      do throws(VideoFault) { try writer.finish() } catch { throw named(error, file) }
    }
    try OutputFile.commit(
      files.compactMap { if case .video(_, let file) = $0.target { file } else { nil } })
    for case .stills(let writer) in files.map(\.target) { try writer.commit() }
  }

  /// Where its sound was too loud.
  var limited: Limited? { mix?.limited }

  /// The first still of an earlier, longer build, which stays.
  func stale(after frames: Range<Int>) -> String? {
    if case .stills(let writer) = target { writer.stale(after: frames) } else { nil }
  }
}

/// Takes the pictures of a film in order into one file.
///
/// One thread makes it, another gives it pictures and ends it.
// Safe: they do not overlap, since threads are started and joined in between.
final class OrderedFile: @unchecked Sendable {
  private let file: FilmFile
  /// The form of its pictures.
  private let form: Int
  private let first: Int
  /// `nil` for stills.
  private let encoder: VideoEncoder?
  private var shown: VideoFrame?

  init(_ file: FilmFile, form: Int, _ frames: Range<Int>) throws {
    self.file = file
    self.form = form
    first = frames.lowerBound
    encoder = file.settings.file.isStills ? nil : try VideoEncoder(file.settings, .whole)
  }

  /// Takes a frame; without pictures it equals the one before it.
  func take(_ index: Int, _ pictures: PictureSet?) throws(BuildFault) {
    guard let encoder else {
      return try file.write(still: pictures?.files[form], number: index)
    }
    if let frame = pictures?.frames[form] { shown = frame }
    guard let shown else { preconditionFailure("the first picture is never a repeated one") }
    try write { () throws(VideoFault) in
      try encoder.encode(shown, index: index - first, isRepeated: pictures == nil)
    }
  }

  /// Takes what the encoder still holds.
  func end() throws(BuildFault) {
    guard let encoder else { return }
    try write { () throws(VideoFault) in try encoder.finish(endsVideo: true) }
  }

  private func write(_ encode: () throws(VideoFault) -> [VideoPacket]) throws(BuildFault) {
    let packets: [VideoPacket]
    do throws(VideoFault) { packets = try encode() } catch { throw .video(error) }
    for packet in packets { try file.write(packet, from: 0) }
  }
}

extension OutputFile: ByteStore {
  package var isSeekable: Bool { true }
}

/// A pipe: bytes go out in order.
private final class StandardOutput: ByteStore {
  var isSeekable: Bool { false }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 {
    Console.print(unsafe bytes.withUnsafeBytes { unsafe Array($0) })
    return Console.outputFailure
  }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int { -Int(ESPIPE) }
}

/// Numbered image files, all put in place together at the end.
private final class StillsWriter {
  private let pattern: NumberPattern
  private let files: OutputSet
  private var last: [UInt8] = []

  init(_ path: String, inputs: [String]) throws {
    guard let pattern = NumberPattern(path) else {
      throw FileFault("'\(path)' has no number such as %04d")
    }
    self.pattern = pattern
    files = try OutputSet(pattern.name(0), inputs: inputs)
  }

  func write(_ bytes: [UInt8]?, number: Int) throws(BuildFault) {
    if let bytes { last = bytes }
    do {
      try files.add(pattern.name(number), last)
    } catch {
      throw .world(error.message, help: error.help)
    }
  }

  func commit() throws { try files.commit() }

  func stale(after frames: Range<Int>) -> String? {
    let next = pattern.name(frames.upperBound)
    return Files.exists(next) ? next : nil
  }
}

extension SceneModel {
  /// The chapters that begin in some frames, as times from the first of them.
  func chapters(in frames: Range<Int>) -> [FileNotes.Chapter] {
    let start = frameRate.time(ofFrame: frames.lowerBound)
    let end = frameRate.time(ofFrame: frames.upperBound)
    return chapters.filter { $0.start >= start && $0.start < end }.map {
      FileNotes.Chapter(
        startMilliseconds: ($0.start - start).rawValue * 1000 / Ticks.perSecond, title: $0.title)
    }
  }
}
