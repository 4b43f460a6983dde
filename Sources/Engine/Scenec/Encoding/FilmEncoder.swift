// SPDX-License-Identifier: MIT
import SceneEncoding
import SceneOutput
import SceneWriting

/// Encodes the appended items of a video, in order, into its file.
///
/// One thread creates the encoder, a second one uses it, and the first one finishes it.
// Safe: the accesses do not overlap, since the second thread is started and joined in between.
final class FilmEncoder: @unchecked Sendable {
  private let media: MediaFile
  private let file: OrderedFile
  private let samples: SampleQueue?
  private let palettes: PaletteSpool?
  private let sets: [PictureSet]
  private var frames = 0
  /// The index of the image set that is displayed.
  private var shown: Int?

  /// Opens the file and its encoder. Throws if the settings are not supported. Items refer to
  /// `sets` by index.
  init(_ plan: OutputPlan, _ sets: [PictureSet], keeping inputs: [String]) throws {
    var settings = plan.settings
    samples = settings.sound == nil ? nil : SampleQueue()
    // The length is known only at the end.
    settings.sound?.sampleCount = .max
    media = try MediaFile(
      plan.path, settings, isWhole: true, inputs: inputs,
      sounds: samples.map { [.samples($0)] } ?? [])
    file = try OrderedFile(media, form: 0, 0..<0)
    palettes = settings.pixelFormat == .pal8 ? try PaletteSpool(plan, file) : nil
    self.sets = sets
  }

  /// Encodes the next item and returns the index of an image set that is no longer needed, if there
  /// is one.
  func take(_ item: EncodingQueue.Item) throws -> Int? {
    switch item {
    case .sound(let more):
      samples?.append(more)
      try media.writeSound()
      return nil
    case .picture(let set, let count):
      defer { frames += count }
      let pictures = set.map { sets[$0] }
      if let palettes {
        try palettes.take(frames, pictures?.files[0], frames: count)
        return set
      }
      try file.take(frames, pictures)
      for more in 1..<max(1, count) { try file.take(frames + more, nil as PictureSet?) }
      guard let set else { return nil }
      defer { shown = set }
      return shown
    }
  }

  /// Flushes the encoders after the last item.
  func end() throws {
    try palettes?.end()
    try file.end()
    media.setLength(frames)
    samples?.end()
  }

  /// Moves the file into place.
  func commit() throws {
    try media.finish()
    try MediaFile.commit([media])
  }
}
