// SPDX-License-Identifier: MIT

extension Explanation {
  static let valuePages: [Explanation] = [
    Explanation(
      .typeMismatch, "a value of another type is needed",
      """
      Each property and argument has a type. Few values convert: a percent to a
      number, a number to a length, one number to a pair of both.
      """,
      wrong: """
        scene {
            for: 1s
            circle { opacity: red }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { opacity: 0.5 }
        }
        """
    ),
    Explanation(
      .operandMismatch, "these values do not go together",
      """
      Numbers keep their units: a time and a length cannot be added. 't / 1s' makes a
      number of a time.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 10 + t }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 10 + t / 1s }
        }
        """
    ),
    Explanation(
      .wrongArguments, "wrong arguments",
      """
      The note shows how the function is called.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: clamp(3) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: clamp(3, 1, 2) }
        }
        """
    ),
    Explanation(
      .unknownWord, "not one of the words",
      """
      The property takes one of a few words; the message lists them.
      """,
      wrong: """
        scene {
            for: 1s
            path "M0 0 H9" { cap: rounded }
        }
        """,
      right: """
        scene {
            for: 1s
            path "M0 0 H9" { cap: round }
        }
        """
    ),
    Explanation(
      .outOfRange, "a value is out of range",
      """
      The value has the right type but makes no sense: a negative length of time, a size
      of no pixels.
      """,
      wrong: """
        scene {
            for: 1s
            circle { at: 0s;  for: -1s }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { at: 0s;  for: 1s }
        }
        """
    ),
    Explanation(
      .notConstant, "this cannot change over time",
      """
      Which elements there are, when they live and how long a change takes is known
      before the first frame. Use 'visible' to show and hide by time.
      """,
      wrong: """
        scene {
            for: 1s
            if t > 0.5s { circle { } }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { visible: t > 0.5s }
        }
        """
    ),
    Explanation(
      .indexOutOfRange, "no item at this index",
      """
      Items of a list are counted from 0.
      """,
      wrong: """
        scene {
            for: 1s
            let xs = [1, 2]
            circle { radius: xs[2] }
        }
        """,
      right: """
        scene {
            for: 1s
            let xs = [1, 2]
            circle { radius: xs[1] }
        }
        """
    ),
    Explanation(
      .notFinite, "no finite result",
      """
      Division by zero and roots of negative numbers have no value.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 1 / 0 }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 1 / 2 }
        }
        """
    ),
    Explanation(
      .missingProperty, "something is missing",
      """
      The element cannot be drawn without it.
      """,
      wrong: """
        scene {
            for: 1s
            line { from: (0, 0) }
        }
        """,
      right: """
        scene {
            for: 1s
            line { from: (0, 0);  to: (9, 9) }
        }
        """
    ),
    Explanation(
      .notMixable, "these values cannot be mixed",
      """
      A change needs two values of one type: numbers, lengths, times, angles, pairs,
      colours, gradients or paths of the same form, lists of the same length, texts.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 10 -> red }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 10 -> 20 }
        }
        """
    ),
    Explanation(
      .recursion, "a function or component contains itself",
      """
      The language has no recursion, so that every scene ends. Use a loop or a list.
      """,
      wrong: """
        fn f(x: number) -> number = f(x - 1)
        scene { for: 1s;  circle { radius: f(3) } }
        """,
      right: """
        fn f(x: number) -> number = x - 1
        scene { for: 1s;  circle { radius: f(3) } }
        """
    ),
    Explanation(
      .noLength, "the scene has no length",
      """
      A scene lasts as long as its 'for', or until the last of its children that has a
      'for'.
      """,
      wrong: """
        scene { circle { } }
        """,
      right: """
        scene { for: 2s;  circle { } }
        """
    ),
    Explanation(
      .keysOutOfOrder, "keys in the wrong order",
      """
      Write keys in the order of their times.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: keyframes { 1s: 5;  0s: 10 } }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: keyframes { 0s: 10;  1s: 5 } }
        }
        """
    ),
    Explanation(
      .invalidFrameRate, "a frame rate that is not possible",
      """
      The frame rate must be above 0: a number such as 25 or 29.97, or a ratio such as
      30000 / 1001.
      """,
      wrong: """
        scene { fps: 0;  for: 1s;  circle { } }
        """,
      right: """
        scene { fps: 25;  for: 1s;  circle { } }
        """
    ),
    Explanation(
      .emptyMotion, "a motion without a length",
      """
      loop and reverse repeat a change; without one, give them a length.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: loop(20) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: loop(10 -> 20 over 0.5s, mirror: true) }
        }
        """
    ),
  ]
}
