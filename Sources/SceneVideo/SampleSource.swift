// SPDX-License-Identifier: MIT
package import SceneAV

/// Where the samples of a sound track come from, at its rate.
package protocol SampleSource: AnyObject {
  /// How many samples of each channel there are up to now, counted from the first one.
  var readyCount: Int { get }

  /// The next samples, left and right by turns, from -1 to 1.
  func next(_ count: Int) throws(VideoFault) -> [Float]
}

/// Where the packets of a sound track come from, with times in samples.
package protocol SoundPackets: AnyObject {
  /// The next packet, if it begins before a sample.
  func next(before sample: Int) throws(VideoFault) -> Packet?
}

/// Where a sound track comes from.
package enum SoundInput {
  /// It is encoded as it comes.
  case samples(any SampleSource)
  case packets(any SoundPackets)
}
