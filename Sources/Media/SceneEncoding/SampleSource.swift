// SPDX-License-Identifier: MIT
package import SceneAV

/// A source of audio samples at the rate of the track.
package protocol SampleSource: AnyObject {
  /// The number of samples per channel available so far, counted from the start of the track.
  var readyCount: Int { get }

  /// Returns the next samples as interleaved stereo in the range -1 to 1.
  func next(_ count: Int) throws(VideoError) -> [Float]
}

/// A source of encoded audio packets, with timestamps in samples.
package protocol SoundPackets: AnyObject {
  /// Returns the next packet if it starts before `sample`.
  func next(before sample: Int) throws(VideoError) -> Packet?
}

/// The input of an audio track.
package enum SoundInput {
  /// Samples that are encoded while the file is written.
  case samples(any SampleSource)
  case packets(any SoundPackets)
}
