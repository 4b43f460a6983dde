// SPDX-License-Identifier: MIT

extension Explanation {
  static let warningPages: [Explanation] = [
    Explanation(
      .unusedName, "unused name",
      body: """
        A declaration without a use is often a typo or left over from an earlier version. Remove
        it, or prefix its name with '_' to keep it. Names in files without a scene are not
        reported, since other files import them.
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
      .shadowsBuiltIn, "name that shadows a built-in name",
      body: """
        The name is also that of a built-in function, easing or color, or of a value of every
        element, such as 't' or 'left'. Within its scope, the built-in name is not accessible.
        Choose a different name. A color can redefine a color: let red = #e5484d.
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
      .uselessAllow, "unused 'allow' comment",
      body: """
        A comment such as '// scenec: allow W0305' suppresses the warnings with this code on its
        line. A reason can follow the codes. The line does not cause this warning, so the
        comment can be removed.
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
      .neverSeen, "element that is never visible",
      body: """
        No frame shows any part of the element: it is outside the frame, starts after the end of
        the scene, is transparent or has no size. Remove it, or fix the cause that the label
        names.
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
      .textOffCanvas, "text or formula outside the frame",
      body: """
        The edge of the frame cuts off part of the text at the given time. Set 'width' to wrap
        it, reduce 'font-size' or move it. A formula cannot wrap: reduce 'font-size', or split
        it into rows with '\\begin{aligned}'. A text that moves, such as credits, is only
        reported if part of it is never visible.
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
      .outsideSafeArea, "text or formula outside the safe area",
      body: """
        Screens can crop the edges of a video, and players draw their controls over them. Keep
        texts and formulas 3.5% away from each side.
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
      .textOverText, "overlapping texts",
      body: """
        Two opaque texts overlap at the same time. End one before the other starts, move one of
        them, put a filled shape between them, or add an outline to the upper one: stroke,
        stroke-width and paint-order: stroke.
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
      .textBeyondPath, "text that exceeds its path",
      body: """
        Letters beyond the ends of the path that a text follows are not drawn. Reduce the
        'font-size', extend the path, or change 'start-offset' and 'align'. Texts that move along
        their path are not reported.
        """,
      wrong: """
        scene {
            for: 1s
            path arch { move (500, 600);  curve (700, 300), (900, 300), (1100, 600) }
            text "a title that is too long" { along: arch;  font-size: 90 }
        }
        """,
      right: """
        scene {
            for: 1s
            path arch { move (200, 700);  curve (600, 200), (1300, 200), (1700, 700) }
            text "a title of a line" { along: arch;  font-size: 90 }
        }
        """
    ),
    Explanation(
      .foreignView, "camera that looks at an element outside it",
      body: """
        For an element outside the camera, 'look-at' interprets the coordinates of the element
        in the content of the camera. This content is laid out in the box of the camera, which
        has a different size, so the same coordinates refer to a different point. Move the
        content into a group with the size of the box around the camera, or look at an element
        inside the camera.
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
      .lowContrast, "text with low contrast",
      body: """
        The contrast between the color of the text and the color behind it is below the minimum
        of WCAG 2.2: 3 for large text (1/30 of the frame height, or 1/39 in bold), 4.5 for
        smaller text. Change one of the colors. Without 'fill', a text is black or white,
        whichever has more contrast.
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
      .smallText, "text that is too small",
      body: """
        The text is less than 18 pixels high in the video, which is hard to read on a phone.
        Increase 'font-size'. A text that grows or shrinks is only reported if it is never 18 pixels
        high.
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
      .shareOutOfRange, "number outside its range",
      body: """
        The value is clamped to its valid range, such as 0 to 1 for an opacity. The same applies
        to color channels and the ends of 'trim'. A volume is a factor: 80 is 80 times as loud
        as the file. Use a percentage (80%), or decibels (-2dB) for a volume. A scale is a factor
        as well, and the numbers of an anchor are pixels: write 150% and (50%, 100%).
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
      .idleProperty, "property without an effect",
      body: """
        Some properties only modify another one: 'stroke-width' requires 'stroke', 'dash-offset'
        requires 'dash' and 'corner-smoothing' requires 'corner-radius'. Set that property as
        well, or remove this one.

        An effect changes nothing on an element that lacks the affected property: 'type' reveals
        the letters of a text, so 'enter: type' has no effect on a rect.
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
      .strayClip, "clip with different coordinates than the points",
      body: """
        The points of a line, polyline, polygon, arrow or path are relative to the containing
        box. A 'clip' block inside the element is relative to its own box. To clip in the
        coordinates of the points, put the element and the clip into a group.
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
      .notInvertible, "scale of 0",
      body: """
        An element with a constant scale of 0 is never visible. Use 'visible: false' to hide it.
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
  ]
}
