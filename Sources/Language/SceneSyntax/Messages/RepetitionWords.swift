// SPDX-License-Identifier: MIT

/// Words of other programs that repeat a motion.
package enum RepetitionWords {
  /// The words; `true` for those that also play the motion backward.
  package static let isMirrored: [String: Bool] = [
    "loop": false, "repeat": false, "infinite": false, "infinitely": false, "forever": false,
    "cycle": false, "alternate": true, "mirror": true, "yoyo": true, "pingpong": true,
    "ping-pong": true, "autoreverse": true,
  ]

  /// The words that play a motion backward, apart from the argument `mirror` of `loop`.
  package static let mirrored = isMirrored.filter { $0.value && $0.key != "mirror" }.map(\.key)
}
