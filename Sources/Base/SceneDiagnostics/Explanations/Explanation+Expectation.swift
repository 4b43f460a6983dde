// SPDX-License-Identifier: MIT

extension Explanation {
  /// The pages of codes about expectations.
  static let expectationPages = [
    Explanation(
      .expectationFails, "expectation that does not hold",
      body: """
        A condition of an 'expect' is false. A condition must hold in every frame of the lifetime of
        its 'expect' in which all elements that it names are alive and visible. The message names the
        first frame in which it is false, the values there, and the number of frames in which it holds.

        If no such frame exists, the condition says nothing about the video, and also fails.

        To fix it, change the scene or the condition. In 'check', 'build' and 'watch', a condition
        that does not hold is a warning, so a draft can still be built; with '--strict' it is an error.
        'scenec test' ends with status 4.
        """,
      wrong: """
        scene {
            for: 3s
            text title "Ready" { position: (30%, 50%) -> (50%, 50%) over 1s }
            expect "the title rests in the middle" { title.center.x == scene.width / 2 }
        }
        """,
      right: """
        scene {
            for: 3s
            text title "Ready" { position: (30%, 50%) -> (50%, 50%) over 1s }
            expect "the title rests in the middle" {
                at: 1s
                title.center.x == scene.width / 2
            }
        }
        """
    ),
    Explanation(
      .notProven, "expectation that is not proven",
      body: """
        'check' and the language server prove conditions within a tenth of a second. This condition
        takes longer, because it changes in too many frames of a long video or reads too many elements.
        It is not known whether it holds.

        To prove it, run 'scenec test', which has more time. To fix it for 'check' as well, give the
        'expect' a shorter lifetime with 'at' and 'for', or let it name fewer elements.
        """,
      wrong: """
        scene {
            for: 300min
            circle dot { position: (50% + 10% * wave(2s), 50%) }
            expect { inside(dot, safe-area) }
        }
        """,
      right: """
        scene {
            for: 300min
            circle dot { position: (50% + 10% * wave(2s), 50%) }
            expect { for: 2s;  inside(dot, safe-area) }
        }
        """
    ),
    Explanation(
      .unknownContrast, "contrast to an unknown color",
      body: """
        'contrast-of' compares the colors of a text and its background. The background of this text is
        an image, a video, a gradient or an element with filters, or the text itself has a gradient, so
        there is no single color. A filter, a blend mode or a transition of the text, or of a group that
        contains it, changes the colors as well. The condition is neither proven nor refuted.

        The outline of a text determines its lowest contrast on any background. That proves only a
        condition such as 'contrast-of(title) >= 4.5', alone or joined with others by 'and'.

        To fix it, put a shape of one color behind the text. If an effect is the cause, remove it, or
        exclude its frames with 'at' and 'for' of the 'expect'.
        """,
      wrong: """
        scene {
            for: 3s;  background: linear-gradient(navy, black)
            text title "Ready" { fill: white }
            expect { contrast-of(title) >= 4.5 }
        }
        """,
      right: """
        scene {
            for: 3s;  background: linear-gradient(navy, black)
            rect { size: title.box.size + (60, 40);  fill: #10131a }
            text title "Ready" { fill: white }
            expect { contrast-of(title) >= 4.5 }
        }
        """
    ),
    Explanation(
      .goldenDiffers, "golden frame that differs",
      body: """
        A frame that 'golden' of an 'expect' names differs from the stored image, or has no stored
        image yet. 'scenec test' never replaces a stored image: it writes the frame beside it as
        NAME.new.png. With '--report DIR', the web page shows both images and their difference.

        If the change is intended, 'scenec test --accept' replaces the stored images. Otherwise, change
        the scene. If the scene did not change, fonts or libraries did; 'tolerance: 8' allows small
        differences in the pixels.
        """
    ),
  ]
}
