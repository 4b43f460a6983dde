// SPDX-License-Identifier: MIT

extension Explanation {
  static let valuePages: [Explanation] = [
    Explanation(
      .typeMismatch, "mismatched types",
      body: """
        Each property and argument has a type. Only a few conversions are implicit: a percentage
        to a number, a number to a length, and one number to a pair.
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
      .operandMismatch, "operator with incompatible types",
      body: """
        Numbers keep their units, so a time and a length cannot be added. Convert one of them:
        't / 1s' is a time as a plain number.
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
      body: """
        The arguments do not match the parameters of the function or component. The note shows
        its signature.
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
      .unknownWord, "unknown value for an enumeration",
      body: """
        The property accepts only certain words. The message lists them.
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
      .outOfRange, "value out of range",
      body: """
        The value has the right type but is not valid here, such as a negative duration or a
        negative radius. The message or its label shows the valid range. The first and last
        values of a motion are checked like constants; values that are computed for each frame
        are clamped.
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
      .notConstant, "value that changes over time",
      body: """
        The elements of a scene, their lifetimes and the durations of motions must be known
        before the first frame, so they cannot depend on time. To show and hide elements over
        time, use 'visible'.
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
      .indexOutOfRange, "index out of range",
      body: """
        The list, text or file has no item at this index. Indices start at 0.
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
      .notFinite, "undefined result",
      body: """
        The operation has no finite result, such as a division by zero or the square root of a
        negative number. 'defined(x)' returns whether an expression has one: defined(1 / x) ? 1 / x
        : 0. To plot a function with poles, set 'gaps: true' on its 'Curve'.
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
      .missingProperty, "missing property or value",
      body: """
        The element or parameter cannot work without this property or value. Add it.
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
      .notMixable, "incompatible values in a motion",
      body: """
        A motion requires two values of the same type: numbers, lengths, times, angles, pairs,
        colors, gradients or paths of the same structure, lists of the same length, or texts.
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
      .recursion, "recursion without an end",
      body: """
        Functions can call themselves, and components can contain themselves, for example to draw a
        tree. At most 64 calls and 8 uses can be nested. A condition must end the recursion; its
        value must not change over time.
        """,
      wrong: """
        fn f(x: number) -> number = f(x - 1)
        scene { for: 1s;  circle { radius: f(3) } }
        """,
      right: """
        fn f(x: number) -> number = x < 1 ? 2 : 2 * f(x - 1)
        scene { for: 1s;  circle { radius: f(3) } }
        """
    ),
    Explanation(
      .noLength, "scene without a duration",
      body: """
        The duration of a scene is its 'for', or the end of its last child with a duration. Set
        'for' on the scene or on one of its elements.
        """,
      wrong: """
        scene { circle { } }
        """,
      right: """
        scene { for: 2s;  circle { } }
        """
    ),
    Explanation(
      .keysOutOfOrder, "keyframes out of order",
      body: """
        Keyframes must be sorted by time. Reorder them.
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
      .invalidFrameRate, "invalid frame rate",
      body: """
        The frame rate must be above 0: a number such as 25 or 29.97, or a ratio such as 30000 /
        1001.
        """,
      wrong: """
        scene { fps: 0;  for: 1s;  circle { } }
        """,
      right: """
        scene { fps: 25;  for: 1s;  circle { } }
        """
    ),
    Explanation(
      .emptyMotion, "motion without a duration",
      body: """
        'loop' repeats a motion, and 'reverse' plays it backward. If their value does not change
        over time, pass a duration as well. 'keyframes' requires at least one keyframe.
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
