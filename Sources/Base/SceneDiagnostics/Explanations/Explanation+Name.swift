// SPDX-License-Identifier: MIT

extension Explanation {
  static let namePages: [Explanation] = [
    Explanation(
      .unknownProperty, "unknown property",
      body: """
        The element has no property with this name. The manual lists the properties of each
        element; most of their names come from CSS and SVG.
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
      .unknownElement, "unknown element",
      body: """
        An element is either built in, such as rect, circle or text, or a component that the
        file declares or imports. Check the spelling, or import the library file that declares
        it.
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
      .unknownName, "unknown name",
      body: """
        A name is visible in the body that declares it and in all bodies inside. A '-' before a
        letter is part of the name: write spaces around a minus sign.
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
      .propertyTwice, "duplicate property",
      body: """
        The property is set twice in the same place, so one of the values would have no effect.
        Remove one of them.
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
      .nameTwice, "duplicate name",
      body: """
        A name can be declared only once in a body. Rename one of the declarations.
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
      .propertyElsewhere, "property of a different element",
      body: """
        The property exists, but not on this element, or it conflicts with another property. The
        note lists the elements that support it.
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
      .unknownFunction, "unknown function",
      body: """
        A function is either built in or declared with 'fn'. Check the spelling, or declare it.
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
      .unknownMember, "unknown member",
      body: """
        A '.' is followed by the name of a property, a child or a member such as .x, .width,
        .end or .center.
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
      .cycle, "circular dependency",
      body: """
        A position, size, time or value cannot depend on itself. The notes list the cycle.
        Replace one of the references with a fixed value.
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
      .misplacedElement, "misplaced element",
      body: """
        Some elements are only allowed inside certain other elements: a span in a text, a marker
        or an output directly in a scene. Move the element.
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
      .noScene, "file without a scene",
      body: """
        A file without a scene is a library. It can be imported and passed to 'scenec check',
        but not rendered. To render it, add 'scene { … }'.
        """,
      wrong: """
        let a = 1
        """,
      right: """
        scene { for: 1s;  circle { } }
        """
    ),
    Explanation(
      .unknownScene, "unknown scene",
      body: """
        The file has no scene with the name given by '--scene'. The note lists its scenes.
        """
    ),
    Explanation(
      .misplacedDeclaration, "misplaced declaration or element",
      body: """
        The top level of a file contains only declarations. Elements and properties must be
        inside a scene, and declarations such as 'import' outside.
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
