// SPDX-License-Identifier: MIT

extension Explanation {
  static let warningPages: [Explanation] = [
    Explanation(
      .unusedName, "a name that nothing uses",
      """
      Something that is declared and never used is often a mistake: a typing error where it
      should be used, or a leftover of an older version. Names that begin with '_' are
      not reported, nor are names in files without a scene, which are there for others.
      """,
      wrong: """
        let accent = orange

        scene {
            for: 1s
            circle { fill: red }
        }
        """,
      right: """
        let accent = orange

        scene {
            for: 1s
            circle { fill: accent }
        }
        """
    ),
    Explanation(
      .shadowsBuiltIn, "a name that hides a built-in one",
      """
      The name is that of a colour, an easing, a function, or of something that every
      element has, such as 't' or 'left'. Inside its scope the built-in one cannot be
      reached. A colour of your own may have the name of one: let red = #e5484d.
      """,
      wrong: """
        let orange = 40

        scene {
            for: 1s
            circle { radius: orange }
        }
        """,
      right: """
        let oranges = 40

        scene {
            for: 1s
            circle { radius: oranges }
        }
        """
    ),
    Explanation(
      .uselessAllow, "an 'allow' that silences nothing",
      """
      A comment such as '// scenec: allow W0305' silences warnings of that code on its own
      line; after the codes it may say why. Without such warnings, the comment is a leftover.
      """,
      wrong: """
        scene {
            for: 1s
            circle { fill: red }  // scenec: allow W0305
        }
        """,
      right: """
        scene {
            for: 1s
            circle { fill: red }
        }
        """
    ),
    Explanation(
      .neverSeen, "an element that is never seen",
      """
      No frame shows any of it: it is off the canvas, begins after the end of the scene, is
      transparent, or has no size.
      """,
      wrong: """
        scene {
            for: 1s
            circle { position: (-300, 50%) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { position: (-300, 50%) -> (50%, 50%) }
        }
        """
    ),
    Explanation(
      .textOffCanvas, "a text or a formula that leaves the canvas",
      """
      The edge of the frame cuts off a part of the text at the time that the message names.
      Give it a 'width' to wrap at, a smaller 'font-size', or another place. A formula cannot wrap:
      give it a smaller 'font-size', or write it in several rows with '\\begin{aligned}'. A text
      that moves, as credits do, is reported only when a part of it is never seen.
      """,
      wrong: """
        scene {
            for: 1s
            text "A line that goes beyond the edge" { position: (95%, 50%) }
        }
        """,
      right: """
        scene {
            for: 1s
            text "A line that goes beyond the edge" { position: (50%, 50%) }
        }
        """
    ),
    Explanation(
      .outsideSafeArea, "a text or a formula at the edge of the frame",
      """
      Screens cut the edges off and players draw their controls over them. Keep 3.5 % of
      each side free of text and formulas.
      """,
      wrong: """
        scene {
            for: 1s
            text "Low" { position: (50%, 97%);  font-size: 40 }
        }
        """,
      right: """
        scene {
            for: 1s
            text "Low" { position: (50%, 90%);  font-size: 40 }
        }
        """
    ),
    Explanation(
      .textOverText, "a text that overlaps another",
      """
      Two opaque texts are at the same place at the same time. Let one end before
      the other begins, move one of them, put a shape with a fill between them, or give the
      upper one a halo: stroke, stroke-width and paint-order: stroke.
      """,
      wrong: """
        scene {
            for: 1s
            text "One"
            text "Two"
        }
        """,
      right: """
        scene {
            for: 2s
            text one "One" { for: 1s }
            text "Two" { at: one.end }
        }
        """
    ),
    Explanation(
      .foreignView, "a camera that looks at an element outside it",
      """
      For an element outside the camera, 'look-at' takes the coordinates of that element as a
      place of the camera's content. The content of this camera is laid out in the camera's own
      box, which has another size, so that the same coordinates are another place. Put the content
      into a group with the size of the box around the camera, or look at an element inside the
      camera.
      """,
      wrong: """
        scene {
            for: 1s;  size: 640x360
            rect lens { size: 60x40;  position: (30%, 40%) }
            camera {
                size: 240x136;  position: (80%, 80%);  look-at: lens;  zoom: 2
                circle { position: (30%, 40%);  radius: 9 }
            }
        }
        """,
      right: """
        scene {
            for: 1s;  size: 640x360
            rect lens { size: 60x40;  position: (30%, 40%) }
            camera {
                size: 240x136;  position: (80%, 80%);  look-at: lens;  zoom: 2
                group {
                    size: 640x360;  anchor: top-left;  position: (0, 0)
                    circle { position: (30%, 40%);  radius: 9 }
                }
            }
        }
        """
    ),
    Explanation(
      .lowContrast, "a text that hardly stands out",
      """
      The contrast between the colour of the text and the one colour behind it is below
      what WCAG 2.2 asks for: 3 for large texts (a thirtieth of the picture's height, in bold a
      thirty-ninth), 4.5 for smaller ones. Without 'fill' a text takes black or white, whichever
      stands out more.
      """,
      wrong: """
        scene {
            for: 1s
            background: white
            text "Pale" { fill: silver }
        }
        """,
      right: """
        scene {
            for: 1s
            background: white
            text "Dark" { fill: dimgray }
        }
        """
    ),
    Explanation(
      .smallText, "a text that is hard to read",
      """
      In the video it is less than 18 pixels high. Viewers on phones cannot read that.
      """,
      wrong: """
        scene {
            for: 1s
            text "Terms and conditions" { font-size: 12 }
        }
        """,
      right: """
        scene {
            for: 1s
            text "Terms and conditions" { font-size: 24 }
        }
        """
    ),
    Explanation(
      .shareOutOfRange, "a number that is out of range",
      """
      An opacity goes from 0, transparent, to 1, opaque; other values are limited to that
      range. The same goes for the numbers of colours and the ends of 'trim'. A volume is a factor: 80
      is 80 times as loud as the file. Percentages (80%) or decibels (-2dB) say what is mostly meant.
      """,
      wrong: """
        scene {
            for: 1s
            circle { opacity: 70 }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { opacity: 70% }
        }
        """
    ),
    Explanation(
      .idleProperty, "a property that does nothing here",
      """
      Some properties only change what another one draws: a 'stroke-width' needs a
      'stroke', a 'dash-offset' a 'dash', and a 'corner-smoothing' a 'corner-radius'.
      Without it they do nothing.

      An effect does nothing to an element that lacks what it changes: 'type' shows the
      letters of a text, so 'enter: type' of a rect changes nothing.
      """,
      wrong: """
        scene {
            for: 1s
            rect { size: 300;  fill: none;  stroke-width: 8 }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { size: 300;  fill: none;  stroke: gold;  stroke-width: 8 }
        }
        """
    ),
    Explanation(
      .strayClip, "a clip in other coordinates than the points",
      """
      The points of a line, polyline, polygon, arrow or path are measured in the box around
      it. A 'clip' block in it is measured from the corner of its own box. To use the
      coordinates of the points in the clip, put both in a group.
      """,
      wrong: """
        scene {
            for: 1s
            polyline {
                points: [(400, 300), (800, 700), (1200, 300)]
                stroke: gold
                clip { rect { size: 200x400;  position: (500, 500) } }
            }
        }
        """,
      right: """
        scene {
            for: 1s
            group {
                size: 100%
                clip { rect { size: 200x400;  position: (500, 500) } }
                polyline { points: [(400, 300), (800, 700), (1200, 300)];  stroke: gold }
            }
        }
        """
    ),
    Explanation(
      .notInvertible, "a scale of 0",
      """
      An element that is always scaled to nothing cannot be seen.
      """,
      wrong: """
        scene {
            for: 1s
            circle { scale: (1, 0) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { scale: (1, 0.5) }
        }
        """
    ),
    Explanation(
      .keyOutsideLife, "a key that is never reached",
      """
      Times of keys count from when the element begins. This one is after its end. The same
      goes for a motion, an 'enter' or an 'exit' that takes longer than its element is shown.
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
      .openLoop, "a loop that jumps",
      """
      The motion does not end where it begins, so each round starts with a jump. Go there
      and back with 'mirror: true', or come back at the end.
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
      .nothingMoves, "a picture that does not change for long",
      """
      For 20 seconds nothing comes, goes or changes. Viewers may think that the video has stopped.
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
      .fastCaption, "a caption that is gone too soon",
      """
      A caption shows more than 25 characters a second. Few people read more than 15 to 20.
      Show it for longer, or say it in fewer words.
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
      .emptyStep, "a step that is over at once",
      """
      A step lasts for its 'for', else until the last 'enter', 'change', clip or nested steps in it are
      done. A 'for' of an element in it says how long that stays, and a motion in a value goes on
      in its own time: the next step does not wait for them.
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
      .sequenceGap, "nothing is shown in a part of a sequence",
      """
      In a sequence each clip begins when the one before ends; its `at` is the time between them, not
      a time of the sequence. Leave it out, or give the sequence a 'for' that is no longer than its clips take.
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
      .longTransition, "a transition that is longer than half of a clip",
      """
      Two transitions may meet in a clip, so each takes at most half of it. Make the transition
      shorter or the clip longer.
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
