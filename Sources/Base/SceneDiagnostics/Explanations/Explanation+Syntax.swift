// SPDX-License-Identifier: MIT

extension Explanation {
  static let syntaxPages: [Explanation] = [
    Explanation(
      .invalidUTF8, "the file is not valid UTF-8",
      body: """
        A scene file must be UTF-8 text. Select UTF-8 as the encoding in your editor, and save
        the file again.
        """
    ),
    Explanation(
      .unexpectedCharacter, "unexpected character",
      body: """
        Outside texts and comments, a scene can only contain the characters of the grammar.
        Remove the character, or put it in a text.
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
      .unterminatedString, "text without a closing quote",
      body: """
        A text in "…" must end on its line. Use three quotes on each side for a text of several
        lines.
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
      .invalidEscape, "unknown escape in a text",
      body: """
        In a text, a backslash starts an escape. The escapes are \\n, \\t, \\", \\\\, \\{, \\}
        and \\u{…} with the code point of a character in hexadecimal digits. Write \\\\ for a
        literal backslash.
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
      .newlineInInterpolation, "unclosed '{' in a text",
      body: """
        In a text, '{ }' embeds a value, which must end on the same line. Close the brace, or
        write \\{ for a literal brace.
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
      .unterminatedComment, "unterminated block comment",
      body: """
        Block comments nest: each '/*' requires its own '*/'.
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
      .invalidNumber, "invalid number or unknown unit",
      body: """
        A unit follows the number directly, without a space. The units are px, %, s, ms, min, f,
        beat, deg, rad, turn, dB, Hz, kHz, kbps and Mbps.
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
      .invalidColor, "invalid color",
      body: """
        A color is '#' with 3, 4, 6 or 8 hexadecimal digits, a CSS color name, or a call of
        rgb(), hsl() or oklch().
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
      .unexpectedToken, "unexpected token",
      body: """
        The parser expected something else here. The message names both what it expected and
        what it found.
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
      .unclosedBracket, "unclosed bracket",
      body: """
        Every '(', '[' and '{' requires a matching closing bracket. Add it where the expression
        or body ends.
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
      .braceOnNextLine, "'{' on a line of its own",
      body: """
        A line break ends an item, so a '{' on the next line does not belong to it. Move the '{'
        to the end of the line above.
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
      .chainedOperator, "chained comparison or range",
      body: """
        A comparison or a range has exactly two operands. Join two comparisons with 'and'.
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
      .missingSeparator, "two items without a separator",
      body: """
        Items of a body are separated by line breaks or ';'. Put each item on its own line, or
        add a ';'.
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
      .tweenNeedsParentheses, "tween without parentheses",
      body: """
        Inside a keyframe or a conditional value, a tween is ambiguous. Put it in parentheses.
        Clauses of a conditional value follow the parentheses around it: (c ? a : b) over 1s.
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
