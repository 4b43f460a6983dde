// SPDX-License-Identifier: MIT

extension Explanation {
  /// The pages of warnings about times and motions.
  static let timingPages: [Explanation] = [
    Explanation(
      .keyOutsideLife, "keyframe or motion outside the lifetime of its element",
      body: """
        Times of keyframes are relative to the start of the element. This one is outside the
        lifetime of the element and is never reached. The same applies to a motion, 'enter' or
        'exit' that is longer than the element. Shorten it, or extend the element.
        """,
      wrong: """
        scene {
            for: 1s
            circle { radius: keyframes { 0s: 10;  3s: 80 } }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: keyframes { 0s: 10;  end: 80 } }
        }
        """
    ),
    Explanation(
      .openLoop, "loop with a jump",
      body: """
        The motion does not end at its start value, so every repetition starts with a jump. Add
        'mirror: true' to play it back and forth, or end it at the start value.
        """,
      wrong: """
        scene {
            for: 4s
            circle { radius: loop(10 -> 80 over 1s) }
        }
        """,
      right: """
        scene {
            for: 4s
            circle { radius: loop(10 -> 80 over 1s, mirror: true) }
        }
        """
    ),
    Explanation(
      .nothingMoves, "frame without changes",
      body: """
        Nothing appears, disappears or changes for 20 seconds. Viewers may think that the video
        has stopped. Shorten the interval, or add a motion.
        """,
      wrong: """
        scene {
            for: 30s
            text "Wait"
        }
        """,
      right: """
        scene {
            for: 30s
            text "Wait {format(end - t, decimals: 0)}"
        }
        """
    ),
    Explanation(
      .fastCaption, "caption that is too short to read",
      body: """
        A caption has more than 25 characters per second. Most people read 15 to 20. Show it
        for longer, or shorten the text.
        """,
      wrong: """
        scene {
            for: 4s
            captions "fast.srt"
        }
        """,
      right: """
        scene {
            for: 4s
            captions "talk.srt"
        }
        """
    ),
    Explanation(
      .emptyStep, "step without a duration",
      body: """
        The 'for' of a step sets its duration. Without it, the step ends with the last 'enter', 'change',
        clip or nested 'steps' in it. 'for' of an element and motions in values do not extend a
        step: the next step does not wait for them. Set 'for' on the step.
        """,
      wrong: """
        scene {
            for: 4s
            steps {
                step { text "One" { for: 2s } }
                step { text "Two" { enter: fade } }
            }
        }
        """,
      right: """
        scene {
            for: 4s
            steps {
                step one { for: 2s;  text "One" { for: one.duration } }
                step { text "Two" { enter: fade } }
            }
        }
        """
    ),
    Explanation(
      .sequenceGap, "gap in a sequence",
      body: """
        In a sequence, each clip starts when the previous one ends. 'at' is the gap between
        them, not a time of the sequence. Remove 'at', or set 'for' of the sequence to the
        duration of its clips.
        """,
      wrong: """
        scene {
            sequence {
                rect { for: 2s;  fill: teal }
                rect { for: 2s;  at: 2s;  fill: gold }
            }
        }
        """,
      right: """
        scene {
            sequence {
                rect { for: 2s;  fill: teal }
                rect { for: 2s;  fill: gold }
            }
        }
        """
    ),
    Explanation(
      .longTransition, "transition longer than half of a clip",
      body: """
        A clip can have a transition at both ends, so each of them can take at most half of the
        clip. Shorten the transition, or extend the clip.
        """,
      wrong: """
        scene {
            sequence {
                transition: dissolve over 2s
                rect { for: 3s;  fill: teal }
                rect { for: 3s;  fill: gold }
            }
        }
        """,
      right: """
        scene {
            sequence {
                transition: dissolve over 1s
                rect { for: 3s;  fill: teal }
                rect { for: 3s;  fill: gold }
            }
        }
        """
    ),
  ]
}
