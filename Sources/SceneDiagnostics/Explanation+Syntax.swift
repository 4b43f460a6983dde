// SPDX-License-Identifier: MIT

extension Explanation {
  static let syntaxPages: [Explanation] = [
    Explanation(
      .invalidUTF8, "the file is not UTF-8",
      """
      A scene is UTF-8 text. Some editors save another encoding: choose UTF-8 there
      and save again.
      """
    ),
    Explanation(
      .unexpectedCharacter, "a character that means nothing",
      """
      Outside texts and comments, only the characters of the grammar have a meaning.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 40 & 2 }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 40 + 2 }
        }
        """
    ),
    Explanation(
      .unterminatedString, "a text without its closing quote",
      """
      A text in "…" ends on its line. For several lines use three quotes on each side.
      """,
      wrong: """
        scene {
            for: 1s
            text "Hello
        }
        """,
      right: """
        scene {
            for: 1s
            text "Hello"
        }
        """
    ),
    Explanation(
      .invalidEscape, "an escape that does not exist",
      """
      In texts \\ begins an escape: \\n, \\t, \\", \\\\, \\{, \\} and \\u{…} with the
      number of a character.
      """,
      wrong: """
        scene {
            for: 1s
            text "100\\q"
        }
        """,
      right: """
        scene {
            for: 1s
            text "100\\n"
        }
        """
    ),
    Explanation(
      .newlineInInterpolation, "a brace in a text is not closed",
      """
      { } in a text hold a value and end on the same line. Write a plain brace as \\{.
      """,
      wrong: """
        scene {
            for: 1s
            text "a { b"
        }
        """,
      right: """
        scene {
            for: 1s
            text "a \\{ b"
        }
        """
    ),
    Explanation(
      .unterminatedComment, "a comment that never ends",
      """
      /* */ comments nest: each /* needs its own */.
      """,
      wrong: """
        scene {
            for: 1s
            /* not drawn
        }
        """,
      right: """
        scene {
            for: 1s
            /* not drawn */
        }
        """
    ),
    Explanation(
      .invalidNumber, "a number with an unknown unit",
      """
      Write the unit right after the number: px, %, s, ms, min, f, beat, deg, rad, turn,
      dB, Hz, kHz, kbps, Mbps.
      """,
      wrong: """
        scene {
            for: 1s
            rect { size: (10em, 20) }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { size: (10px, 20) }
        }
        """
    ),
    Explanation(
      .invalidColor, "not a color",
      """
      A colour is # and 3, 4, 6 or 8 hexadecimal digits, a CSS name, or rgb(), hsl(),
      oklch().
      """,
      wrong: """
        scene {
            for: 1s
            rect { fill: #12 }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { fill: #112233 }
        }
        """
    ),
    Explanation(
      .unexpectedToken, "something else is needed here",
      """
      The message says what was expected at this place and what was found.
      """,
      wrong: """
        scene {
            for: 1s
            rect { size: }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { size: 40x20 }
        }
        """
    ),
    Explanation(
      .unclosedBracket, "a bracket is never closed",
      """
      Every (, [ and { needs its partner.
      """,
      wrong: """
        scene {
            for: 1s
            rect { size: (40, 20 }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { size: (40, 20) }
        }
        """
    ),
    Explanation(
      .braceOnNextLine, "the '{' of an element on its own line",
      """
      A new line ends an item, so write the '{' at the end of the line that it belongs to.
      """,
      wrong: """
        scene
        {
            for: 1s
            circle { }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { }
        }
        """
    ),
    Explanation(
      .chainedOperator, "comparisons and ranges cannot be chained",
      """
      Join two comparisons with 'and'.
      """,
      wrong: """
        scene {
            for: 1s
            circle { visible: 0 < 1 < 2 }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { visible: 0 < 1 and 1 < 2 }
        }
        """
    ),
    Explanation(
      .missingSeparator, "two items without ';' or a new line",
      """
      Put each item of a body on its own line, or separate items with ';'.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 40 fill: red }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 40;  fill: red }
        }
        """
    ),
    Explanation(
      .tweenNeedsParentheses, "a tween inside a key",
      """
      The value of a key is a plain value; a tween there needs parentheses.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: keyframes { 0s: 10 -> 20;  1s: 5 } }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: keyframes { 0s: 10;  0.5s: 20;  1s: 5 } }
        }
        """
    ),
  ]
}
