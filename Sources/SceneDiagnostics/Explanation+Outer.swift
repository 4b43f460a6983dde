// SPDX-License-Identifier: MIT

extension Explanation {
  static let outerPages: [Explanation] = [
    Explanation(
      .fileNotFound, "the file is not there",
      """
      Names are relative to the folder of the scene.
      """,
      wrong: """
        scene {
            for: 1s
            image "no-such.png"
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
      .outsideRoot, "the file is outside the root",
      """
      A scene reads only files in its folder and below, so that a scene from someone
      else is safe to build. '--root DIR' widens that.
      """,
      wrong: """
        scene {
            for: 1s
            image "../secret.png"
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
      .undecodable, "the file cannot be decoded",
      """
      An image must be a whole PNG, JPEG, WebP, GIF or SVG file, and a font a TrueType or
      OpenType file.
      """
    ),
    Explanation(
      .unknownFont, "no such font family",
      """
      'scenec fonts' lists the families of this machine. End a list of families with one
      that always exists, such as sans-serif.
      """,
      wrong: """
        scene {
            for: 1s
            text "a" { font: "No Such Family" }
        }
        """,
      right: """
        scene {
            for: 1s
            text "a" { font: sans-serif }
        }
        """
    ),
    Explanation(
      .invalidPathData, "wrong path data",
      """
      Path data is that of SVG 2: M 0 0 L 10 10 …; the message says where it goes wrong.
      """,
      wrong: """
        scene {
            for: 1s
            path "M 0 0 L 10" { }
        }
        """,
      right: """
        scene {
            for: 1s
            path "M 0 0 L 10 5" { }
        }
        """
    ),
    Explanation(
      .invalidFormula, "wrong TeX in a formula",
      """
      A formula is a subset of TeX, which the page of 'math' lists; the message says where it goes
      wrong. TeX is written between dollar signs, where braces and backslashes are its own.
      """,
      wrong: """
        scene {
            for: 1s
            math $\\frac{1}{2$
        }
        """,
      right: """
        scene {
            for: 1s
            math $\\frac{1}{2}$
        }
        """
    ),
    Explanation(
      .noPictures, "a file without pictures as a clip",
      """
      'video' shows pictures; a file that holds only sound, or a cover picture beside its sound,
      has none to show.
      """,
      wrong: """
        scene {
            video "voice.mp4"
        }
        """,
      right: """
        scene {
            fps: 25
            video "waves.mp4"
        }
        """
    ),
    Explanation(
      .noSound, "a file without sound as a sound",
      """
      'audio' plays the sound of a file. This one has none: a film without a sound track, an
      animation, or a track without a single sample. To show its pictures, write 'video'.
      """,
      wrong: """
        scene {
            for: 2s
            audio "silent.mp4"
        }
        """,
      right: """
        scene {
            audio "voice.wav"
        }
        """
    ),
    Explanation(
      .noOutline, "a paint or an outline for a part of an SVG that is a picture",
      """
      Parts of an SVG that are plain paths and shapes take 'fill', 'stroke' and 'trim' here. Texts, pictures,
      gradients and what is clipped, masked or filtered are drawn as pictures, which can move, turn, fade and
      take filters. Name a part inside it that is a plain shape, or change it in the file.
      """,
      wrong: """
        scene {
            for: 2s
            svg "logo.svg" { part "word" { fill: red } }
        }
        """,
      right: """
        scene {
            for: 2s
            svg "logo.svg" {
                part "word" { enter: fade }
                part "wheel" { fill: red }
            }
        }
        """
    ),
    Explanation(
      .internalFault, "a bug in scenec",
      """
      A value could not be computed, and no other error says why. scenec draws no scene
      with a value that is missing, so it stops here. Nothing is wrong with the scene:
      please report it together with this message.
      """
    ),
    Explanation(
      .limitExceeded, "over a limit",
      """
      Limits keep a scene from taking all time and memory of a machine. '--limit
      name=value' raises one of these: elements 100000, nesting 64 (256 at most), source
      16777216 (bytes), side 16384 (pixels), area 64000000, hours 24, frames 10000000, fps
      1000, path 1000000 (points of one path), rounds 500000 (of all loops and lists
      together), steps 4000000 (values that are computed), characters 1000000 (of one
      value that is a text), cells 1000000 (of a table), drawing 4000000000 (steps that a
      frame takes, each about a nanosecond). Those of the whole file count all of its
      scenes together. Others are fixed: 16 filters on an element, 10000 characters in a
      text that is shown, 1000 stops in a gradient, 1000 dashes, 10000 keys, 1000 errors,
      256 brackets inside each other, 1500 operators in a row, and the depth to which
      values are built on each other, which the stack of a program bounds.
      """,
      wrong: """
        scene { size: 20000x100;  for: 1s;  circle { } }
        """,
      right: """
        scene { size: 2000x100;  for: 1s;  circle { } }
        """
    ),
    Explanation(
      .oddSize, "an odd size in 4:2:0 or 4:2:2",
      """
      In 4:2:0, which most videos have, one colour is stored for 2x2 pixels, so width and height must be
      even; in 4:2:2 the width.
      """
    ),
    Explanation(
      .invalidOutputSetting, "the encoder cannot meet this setting",
      """
      What the ending of the file, the codec and the other settings of 'output' cannot do
      together is found before the first frame is drawn; the message says what they can.
      """
    ),
    Explanation(
      .transparentOutput, "a format that holds no transparency",
      """
      Give the scene a background, or write a format that holds it: .webm, .webp, an animated .png or .gif,
      a .mov with output { codec: prores }, or PNG stills: -o frame-%04d.png.
      """
    ),
    Explanation(
      .missingGlyph, "a character that no font has",
      """
      It is drawn as a box with its number. Install a font that has it, or name
      one.
      """
    ),
  ]
}
