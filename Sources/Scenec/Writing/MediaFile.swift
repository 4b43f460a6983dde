// SPDX-License-Identifier: MIT
import CLinux
package import SceneAV
package import SceneFiles
package import SceneLanguage
package import SceneOutput
package import SceneVideo

/// A file that is being made: it appears in its place with all others, once they are whole.
///
/// Used by one thread at a time.
package final class MediaFile {
  private enum Target {
    /// Without a file to a pipe.
    case video(VideoWriter, OutputFile?)
    case stills(StillsWriter)
  }

  package let settings: VideoSettings
  private let target: Target

  /// Opens it; `inputs` must not be overwritten. What is for `-` goes to `pipe`. `isWhole` where one encoder
  /// makes all, though stretches could be joined; `sound` is heard where the settings have a sound track.
  package init(
    _ path: String, _ settings: VideoSettings, isWhole: Bool, inputs: [String],
    pipe: (any ByteStore)? = nil, sound: SoundInput? = nil
  ) throws {
    self.settings = settings
    if settings.file.isStills {
      target = .stills(try StillsWriter(path, inputs: inputs))
      return
    }
    let file = pipe == nil ? try OutputFile(path, inputs: inputs) : nil
    guard let store: any ByteStore = file ?? pipe else { preconditionFailure("one is there") }
    do {
      let writer = try VideoWriter(settings, isWhole: isWhole, to: store, sound: sound)
      target = .video(writer, file)
    } catch {
      throw MediaFault(error, file)
    }
  }

  /// The folder of the file, if it was missing and has been made.
  package var madeFolder: String? {
    switch target {
    case .video(_, let file): file?.madeFolder
    case .stills(let writer): writer.files.madeFolder
    }
  }

  /// The parameter sets that every stretch has to fit.
  package var headers: [UInt8] {
    if case .video(let writer, _) = target { writer.headers } else { [] }
  }

  /// Writes a packet of a stretch that begins with a frame.
  package func write(_ packet: VideoPacket, from start: Int) throws(MediaFault) {
    try written { (writer) throws(VideoFault) in try writer.write(packet, from: start) }
  }

  /// Writes what sounds with the pictures that were written, as far as it is there.
  package func writeSound() throws(MediaFault) {
    try written { (writer) throws(VideoFault) in try writer.writeSound() }
  }

  /// Says how many frames there are, where that was not known at the beginning.
  package func setLength(_ frameCount: Int) {
    if case .video(let writer, _) = target { writer.setLength(frameCount) }
  }

  private func written(_ body: (VideoWriter) throws(VideoFault) -> Void) throws(MediaFault) {
    guard case .video(let writer, let file) = target else { return }
    do throws(VideoFault) { try body(writer) } catch { throw MediaFault(error, file) }
  }

  /// Writes a still; without bytes it is the one before it.
  package func write(still bytes: [UInt8]?, number: Int) throws(MediaFault) {
    guard case .stills(let writer) = target else { return }
    do throws(FileFault) { try writer.write(bytes, number: number) } catch { throw .file(error) }
  }

  // MARK: The end

  /// Ends all files, and then puts them in their places.
  package static func commit(_ files: [MediaFile]) throws {
    for it in files { try it.written { (writer) throws(VideoFault) in try writer.finish() } }
    try OutputFile.commit(
      files.compactMap { if case .video(_, let file) = $0.target { file } else { nil } })
    for case .stills(let writer) in files.map(\.target) { try writer.commit() }
  }

  /// The first still of an earlier, longer build, which stays.
  package func stale(after frames: Range<Int>) -> String? {
    if case .stills(let writer) = target { writer.stale(after: frames) } else { nil }
  }
}

/// Why a file cannot be made.
package enum MediaFault: Error, Sendable {
  case video(VideoFault)
  case file(FileFault)

  /// A full disk and similar faults are reported with the name of the file.
  package init(_ fault: VideoFault, _ file: OutputFile?) {
    let isWrite = [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(fault.code)
    if isWrite, let file {
      self = .file(OutputFile.writeFault(file.path, code: fault.code))
    } else {
      self = .video(fault)
    }
  }
}

extension OutputFile: ByteStore {
  package var isSeekable: Bool { true }
}
