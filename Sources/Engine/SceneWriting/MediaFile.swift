// SPDX-License-Identifier: MIT
import CLinux
package import SceneAV
package import SceneEncoding
package import SceneFiles
package import SceneLanguage
package import SceneModel
package import SceneOutput

/// An output file in progress. It is moved into place together with all other outputs once they are
/// complete.
///
/// Used by one thread at a time.
package final class MediaFile {
  private enum Target {
    /// The file is `nil` for output to a pipe.
    case video(VideoWriter, OutputFile?)
    case stills(StillsWriter)
  }

  package let settings: VideoSettings
  private let target: Target

  /// Opens the output. Files in `inputs` are never overwritten. `nameHelp` is the help of the error
  /// if the name cannot be used. Output for `-` is written to `pipe`. `isWhole` is `true` if a single
  /// encoder encodes the whole video even where segments could be joined. `sounds` are the sources of
  /// the audio tracks if the settings have audio: the sound of the scene, and the same sound with
  /// descriptions. `captions` are the caption tracks, with times from the first frame.
  package init(
    _ path: String, _ settings: VideoSettings, isWhole: Bool, inputs: [String],
    nameHelp: String? = nil, pipe: (any ByteStore)? = nil, sounds: [SoundInput] = [],
    captions: [CaptionTrack] = []
  ) throws {
    self.settings = settings
    if settings.file.isStills {
      target = .stills(try StillsWriter(path, inputs: inputs))
      return
    }
    let file = pipe == nil ? try OutputFile(path, inputs: inputs, nameHelp: nameHelp) : nil
    guard let store: any ByteStore = file ?? pipe else { preconditionFailure("one is there") }
    do {
      let writer = try VideoWriter(
        settings, isWhole: isWhole, to: store, sound: sounds, captions: captions)
      target = .video(writer, file)
    } catch {
      throw MediaError(error, file)
    }
  }

  /// The output folder, if it was missing and has been created.
  package var madeFolder: String? {
    switch target {
    case .video(_, let file): file?.madeFolder
    case .stills(let writer): writer.files.madeFolder
    }
  }

  /// The parameter sets that every segment must match.
  package var headers: [UInt8] {
    if case .video(let writer, _) = target { writer.headers } else { [] }
  }

  /// Writes a packet of the segment that starts at frame `start`.
  package func write(_ packet: VideoPacket, from start: Int) throws(MediaError) {
    try written { (writer) throws(VideoError) in try writer.write(packet, from: start) }
  }

  /// Writes the available audio up to the end of the written frames.
  package func writeSound() throws(MediaError) {
    try written { (writer) throws(VideoError) in try writer.writeSound() }
  }

  /// Sets the number of frames if it was unknown at first.
  package func setLength(_ frameCount: Int) {
    if case .video(let writer, _) = target { writer.setLength(frameCount) }
  }

  private func written(_ body: (VideoWriter) throws(VideoError) -> Void) throws(MediaError) {
    guard case .video(let writer, let file) = target else { return }
    do throws(VideoError) { try body(writer) } catch { throw MediaError(error, file) }
  }

  /// Writes a still; `nil` repeats the previous one.
  package func write(still bytes: [UInt8]?, number: Int) throws(MediaError) {
    guard case .stills(let writer) = target else { return }
    do throws(FileError) { try writer.write(bytes, number: number) } catch { throw .file(error) }
  }

  // MARK: Finishing

  /// Writes the rest of the file.
  package func finish() throws(MediaError) {
    try written { (writer) throws(VideoError) in try writer.finish() }
  }

  /// Moves finished files into place.
  package static func commit(_ files: [MediaFile]) throws {
    try OutputFile.commit(
      files.compactMap { if case .video(_, let file) = $0.target { file } else { nil } })
    for case .stills(let writer) in files.map(\.target) { try writer.commit() }
  }

  /// Returns the name of the first leftover still of an earlier, longer build, if any.
  package func stale(after frames: Range<Int>) -> String? {
    if case .stills(let writer) = target { writer.stale(after: frames) } else { nil }
  }
}

/// An error that prevents writing an output file.
package enum MediaError: Error, Sendable {
  case video(VideoError)
  case file(FileError)

  /// Reports a full disk and similar errors with the name of the file.
  package init(_ failure: VideoError, _ file: OutputFile?) {
    let isWrite = [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(failure.code)
    if isWrite, let file {
      self = .file(OutputFile.writeError(file.path, code: failure.code))
    } else {
      self = .video(failure)
    }
  }
}

extension OutputFile: ByteStore {
  package var isSeekable: Bool { true }
}
