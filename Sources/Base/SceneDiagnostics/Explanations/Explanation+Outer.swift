// SPDX-License-Identifier: MIT

extension Explanation {
  static let outerPages: [Explanation] = [
    Explanation(
      .descriptionOverSpeech, "description over speech",
      body: """
        A 'description' is read aloud to viewers who cannot see the video. Two voices at once cannot
        be understood, so it belongs in a pause of the speech.
        Speech is where a caption in the main language is shown. The main language is the 'language'
        of the scene if there are captions in it, otherwise that of the first captions. Without
        captions, speech is where a sound with 'speech: true' is audible.
        The fix starts the description in the nearest pause that is long enough. If there is none,
        shorten the text, 'for' or the sound as the message says.
        """,
      wrong: """
        scene {
            for: 9s
            captions "talk.srt" { language: "en" }
            description "A red boat" { at: 1.5s }
        }
        """,
      right: """
        scene {
            for: 9s
            captions "talk.srt" { language: "en" }
            description "A red boat" { at: 3s }
        }
        """
    ),
    Explanation(
      .invalidSamples, "samples that are not numbers",
      body: """
        A sound file with floating-point samples contains samples that are NaN or infinite. Faulty
        audio plug-ins write them. They are silent, which can be audible as a click; the other
        samples are played unchanged. Export the file again, or repair it in an audio editor.
        """,
      wrong: """
        scene {
            for: 10s
            audio "corrupt.wav"
        }
        """,
      right: """
        scene {
            for: 10s
            audio "voice.wav"
        }
        """
    ),
    Explanation(
      .trackWithoutLanguage, "caption track without a language",
      body: """
        With 'captions: track', each language of the captions becomes a text track of the video.
        Players list tracks by their language and select one that the viewer understands. Set
        'language' to a BCP 47 tag, such as en, de or pt-BR, on the captions or on the scene.
        """,
      wrong: """
        scene {
            for: 3s
            captions "talk.srt"
            output { captions: track }
        }
        """,
      right: """
        scene {
            for: 3s
            captions "talk.srt" { language: "en" }
            output { captions: track }
        }
        """
    ),
    Explanation(
      .fileNotFound, "file not found",
      body: """
        Paths are relative to the folder of the scene. Check the spelling, or copy the file
        there.
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
      .outsideRoot, "file outside the root folder",
      body: """
        A scene can only read files in its own folder and the folders below, so that building an
        untrusted scene is safe. Move the file, or set a parent folder with '--root DIR'.
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
      .undecodable, "file that cannot be decoded",
      body: """
        The file is damaged, or its format is not supported. Images must be PNG, JPEG, WebP, GIF
        or SVG, and fonts TrueType or OpenType. Convert the file or save it again. A video or an
        audio file in 'image', or an image in 'video', is also an error. Apply the fix to use the
        correct element.
        """
    ),
    Explanation(
      .unknownFont, "unknown font family",
      body: """
        The font family is not installed. 'scenec fonts' lists the installed families. To allow
        missing fonts, end a list of families with a generic one, such as sans-serif.
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
      .invalidPathData, "invalid path data",
      body: """
        Path data uses the syntax of SVG 2, such as M 0 0 L 10 10. The message names the
        position of the error.
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
      .invalidFormula, "invalid formula",
      body: """
        A formula is written in a subset of TeX, which the manual page of 'math' lists. Put it
        between dollar signs: in quotes, braces and backslashes have a different meaning.
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
      .noPictures, "video file without a video track",
      body: """
        'video' shows frames, but the file contains only audio, possibly with cover art. Use
        'audio' to play it.
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
      .noSound, "audio file without an audio track",
      body: """
        'audio' plays the audio track of a file, but the file has none, or an empty one. Use
        'video' to show its frames.
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
      .noOutline, "paint or trim of an SVG part without an outline",
      body: """
        Parts of an SVG that are plain paths and shapes support 'fill', 'stroke' and 'trim'.
        Texts, images, gradients and clipped, masked or filtered parts are drawn as images: they
        can move, rotate, fade and be filtered. Use a plain shape inside the part, or change the
        file.
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
      .internalError, "bug in scenec",
      body: """
        A value could not be computed, and no other error explains why. scenec does not render a
        scene with a missing value, so it stops. The scene is not at fault: report the message
        together with the scene.
        """
    ),
    Explanation(
      .limitExceeded, "limit exceeded",
      body: """
        Limits keep a scene from using all the time and memory of a machine. Raise one of these
        with '--limit name=value': elements 100000, nesting 64 (256 at most), source 16777216
        (bytes), side 16384 (pixels, 32767 at most), area 64000000 (pixels), hours 24 (200 at
        most), frames 10000000, fps 1000, path 1000000 (points of one path), rounds 500000
        (iterations of all loops and lists), steps 4000000 (computed values), characters 1000000
        (of one text value), parts 1000000 (of one list or other value), memory 268435456 (bytes of
        all values together), cells 1000000 (of a table), drawing 4000000000 (steps of one frame,
        about a nanosecond each). Limits of a file include all of its scenes. Other limits are
        fixed: 16 filters on an element, 10000 characters in a text element, 1000 stops in a
        gradient, 1000 dashes, 10000 keyframes, 1000 errors, 256 nested brackets, 1500 operators in
        a row, 256 nested lists, and the depth of values that depend on each other.
        """,
      wrong: """
        scene { size: 20000x100;  for: 1s;  circle { } }
        """,
      right: """
        scene { size: 2000x100;  for: 1s;  circle { } }
        """
    ),
    Explanation(
      .oddSize, "odd frame size with chroma subsampling",
      body: """
        4:2:0, the default of most videos, stores one chroma sample for 2x2 pixels, so width and
        height must be even. 4:2:2 requires an even width. Change the size, or set a pixel
        format without subsampling.
        """
    ),
    Explanation(
      .invalidOutputSetting, "unsupported output setting",
      body: """
        The file extension, the codec and the settings of 'output' are checked against each
        other before the first frame is rendered. The message names the conflict, and the note
        the supported values.
        """
    ),
    Explanation(
      .transparentOutput, "transparent scene in an opaque format",
      body: """
        The scene has a transparent background, which the output format does not support. Set
        an opaque 'background', or use a format with an alpha channel: .webm, .webp, an animated
        .png or .gif, a .mov with output { codec: prores }, or PNG stills: -o frame-%04d.png.
        """
    ),
    Explanation(
      .missingGlyph, "character without a glyph",
      body: """
        No installed font has a glyph for the character, so it is drawn as a box with its code
        point. Install a font with this character, or select one with 'font'.
        """
    ),
  ]
}
