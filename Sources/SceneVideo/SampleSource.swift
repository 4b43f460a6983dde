// SPDX-License-Identifier: MIT
package import SceneAV

/// Where the samples of a sound track come from.
package protocol SampleSource: AnyObject {
  /// The next samples of each channel, interleaved, from -1 to 1.
  func next(_ count: Int) throws(VideoFault) -> [Float]
}
