// SPDX-License-Identifier: MIT
import SceneOutput
import SceneVideo

/// Encodes what is appended to a film, in order, into its file.
///
/// One thread makes it, another uses it, and the first one ends it.
// Safe: they do not overlap, since the thread is started and joined in between.
final class FilmEncoder: @unchecked Sendable {
  private let media: MediaFile
  private let file: OrderedFile
  private let samples: SampleQueue?
  private let palettes: PaletteSpool?
  private let sets: [PictureSet]
  private var frames = 0
  /// The pictures that are shown.
  private var shown: Int?

  /// Refuses what cannot be written; `sets` are those that items name.
  init(_ plan: OutputPlan, _ sets: [PictureSet], keeping inputs: [String]) throws {
    var settings = plan.settings
    samples = settings.sound == nil ? nil : SampleQueue()
    // How long it is is known at the end.
    settings.sound?.sampleCount = .max
    media = try MediaFile(
      plan.path, settings, isWhole: true, inputs: inputs, sound: samples.map { .samples($0) })
    file = try OrderedFile(media, form: 0, 0..<0)
    palettes = settings.pixelFormat == .pal8 ? try PaletteSpool(plan, file) : nil
    self.sets = sets
  }

  /// Takes what comes next; the set of pictures that nobody needs any more.
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

  /// Takes what is still held, once all has come.
  func end() throws {
    try palettes?.end()
    try file.end()
    media.setLength(frames)
    samples?.end()
  }

  /// Puts the file in its place.
  func commit() throws { try MediaFile.commit([media]) }
}
