// SPDX-License-Identifier: MIT
package import SceneAV
package import SceneEncoding
import SceneLanguage

/// Writes the frames of a video in order into one file.
///
/// One thread creates the file, a second one appends frames and finishes it.
// Safe: the accesses do not overlap, since threads are started and joined in between.
package final class OrderedFile: @unchecked Sendable {
  private let file: MediaFile
  /// The index of the file's form in an image set.
  private let form: Int
  private let first: Int
  /// The encoder; `nil` for stills.
  private let encoder: VideoEncoder?
  private var shown: VideoFrame?

  package init(_ file: MediaFile, form: Int, _ frames: Range<Int>) throws(VideoError) {
    self.file = file
    self.form = form
    first = frames.lowerBound
    encoder = file.settings.file.isStills ? nil : try VideoEncoder(file.settings, .whole)
  }

  /// Appends a frame; `nil` repeats the previous one.
  package func take(_ index: Int, _ pictures: PictureSet?) throws(MediaError) {
    if encoder == nil {
      try file.write(still: pictures?.files[form], number: index)
    } else {
      try take(index, pictures?.frames[form])
    }
  }

  /// Appends a video frame; `nil` repeats the previous one.
  package func take(_ index: Int, _ picture: VideoFrame?) throws(MediaError) {
    if let picture { shown = picture }
    guard let shown, let encoder else {
      preconditionFailure("the first frame cannot be a repeat")
    }
    try write { () throws(VideoError) in
      try encoder.encode(shown, index: index - first, isRepeated: picture == nil)
    }
  }

  /// Flushes the encoder. Stops early once `isUnwanted` returns `true`.
  package func end(isUnwanted: () -> Bool = { false }) throws(MediaError) {
    guard let encoder else { return }
    try write { () throws(VideoError) in
      try encoder.finish(endsVideo: true, isUnwanted: isUnwanted)
    }
  }

  private func write(_ encode: () throws(VideoError) -> [VideoPacket]) throws(MediaError) {
    let packets: [VideoPacket]
    do throws(VideoError) { packets = try encode() } catch { throw .video(error) }
    for packet in packets { try file.write(packet, from: 0) }
  }
}
