// SPDX-License-Identifier: MIT

extension Explanation {
  static let namePages: [Explanation] = [
    Explanation(
      .unknownProperty, "no such property",
      """
      Each element has the properties that the manual lists for it; most names are
      those of CSS and SVG.
      """,
      wrong: """
        scene {
            for: 1s
            rect { colour: red }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { fill: red }
        }
        """
    ),
    Explanation(
      .unknownElement, "no such element",
      """
      Elements are built in (rect, circle, text …) or components of the file.
      """,
      wrong: """
        scene {
            for: 1s
            rectangle { }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { }
        }
        """
    ),
    Explanation(
      .unknownName, "nothing has this name",
      """
      A name is visible in the body that declares it and in those inside it. '-'
      before a letter belongs to the name: write spaces around a minus.
      """,
      wrong: """
        scene {
            for: 1s
            let gap = 20
            circle { radius: gapp }
        }
        """,
      right: """
        scene {
            for: 1s
            let gap = 20
            circle { radius: gap }
        }
        """
    ),
    Explanation(
      .propertyTwice, "a property is given twice",
      """
      One of the two would do nothing.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: 10;  radius: 20 }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: 20 }
        }
        """
    ),
    Explanation(
      .nameTwice, "a name is declared twice",
      """
      In one body, a name can mean only one thing.
      """,
      wrong: """
        scene {
            for: 1s
            let a = 1
            let a = 2
            circle { radius: a }
        }
        """,
      right: """
        scene {
            for: 1s
            let a = 1
            let b = 2
            circle { radius: a + b }
        }
        """
    ),
    Explanation(
      .propertyElsewhere, "the property belongs to other elements",
      """
      The property exists, but not for this element; the note says which have it.
      """,
      wrong: """
        scene {
            for: 1s
            circle { corner-radius: 4 }
        }
        """,
      right: """
        scene {
            for: 1s
            rect { corner-radius: 4 }
        }
        """
    ),
    Explanation(
      .unknownFunction, "no such function",
      """
      Functions are built in or declared with 'fn'.
      """,
      wrong: """
        scene {
            for: 1s
            circle { radius: maxi(1, 2) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle { radius: max(1, 2) }
        }
        """
    ),
    Explanation(
      .unknownMember, "the value has no such part",
      """
      A '.' is followed by a property, a child, or a part such as .x, .width, .end,
      .center.
      """,
      wrong: """
        scene {
            for: 1s
            circle dot { }
            line { from: dot.centre;  to: (0, 0) }
        }
        """,
      right: """
        scene {
            for: 1s
            circle dot { }
            line { from: dot.center;  to: (0, 0) }
        }
        """
    ),
    Explanation(
      .cycle, "something depends on itself",
      """
      A place or a time cannot be computed from itself. The notes list the cycle; break
      it at one of them.
      """,
      wrong: """
        scene {
            for: 1s
            circle a { position: b.center }
            circle b { position: a.center }
        }
        """,
      right: """
        scene {
            for: 1s
            circle a { position: (100, 100) }
            circle b { position: a.center }
        }
        """
    ),
    Explanation(
      .misplacedElement, "the element is not allowed here",
      """
      A span must be inside a text; a marker and an output must be directly inside a scene.
      """,
      wrong: """
        scene {
            for: 1s
            group { span "a" }
        }
        """,
      right: """
        scene {
            for: 1s
            text { span "a" }
        }
        """
    ),
    Explanation(
      .noScene, "the file has no scene",
      """
      A file without a scene is a library: others import it, and 'scenec check' accepts it. Put what
      you want to draw in 'scene { … }'.
      """,
      wrong: """
        let a = 1
        """,
      right: """
        scene { for: 1s;  circle { } }
        """
    ),
    Explanation(
      .unknownScene, "no scene of that name",
      """
      '--scene' names one of the scenes of the file.
      """
    ),
    Explanation(
      .misplacedDeclaration, "an element outside a scene",
      """
      The top level of a file holds declarations; elements and properties must be in a scene.
      """,
      wrong: """
        circle { radius: 20 }
        """,
      right: """
        scene { for: 1s;  circle { radius: 20 } }
        """
    ),
  ]
}
