// SPDX-License-Identifier: MIT
package import SceneAV

/// Where the samples of a sound track come from.
package protocol SampleSource: AnyObject {
  /// The next samples of each channel, interleaved, from -1 to 1.
  func next(_ count: Int) throws(VideoFault) -> [Float]
  /// The track as it was encoded before; it is then not asked for samples.
  var encoded: EncodedSound? { get }
  /// Gets the track as it was encoded, where it is not too long to be kept.
  func keep(_ encoded: EncodedSound)
}

extension SampleSource {
  package var encoded: EncodedSound? { nil }
  package func keep(_ encoded: EncodedSound) {}
}
