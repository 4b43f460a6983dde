// SPDX-License-Identifier: MIT
package import SceneAV

/// Where the samples of a sound track come from, at its rate.
package protocol SampleSource: AnyObject {
  /// How many samples of each channel there are up to now, counted from the first one.
  var readyCount: Int { get }

  /// The next samples, left and right by turns, from -1 to 1.
  func next(_ count: Int) throws(VideoFault) -> [Float]
  /// The track as it was encoded before; it is then not asked for samples.
  var encoded: EncodedSound? { get }
  /// Gets the track as it was encoded, where it is not too long to be kept.
  func keep(_ encoded: EncodedSound)
}

extension SampleSource {
  /// Of a source that makes them when they are asked for.
  package var readyCount: Int { .max }
  package var encoded: EncodedSound? { nil }
  package func keep(_ encoded: EncodedSound) {}
}
