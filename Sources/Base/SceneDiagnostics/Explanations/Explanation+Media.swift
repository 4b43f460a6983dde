// SPDX-License-Identifier: MIT

extension Explanation {
  /// Pages of warnings about clips, audio, images and fonts.
  static let mediaPages: [Explanation] = [
    Explanation(
      .clipEnds, "clip shown after its end",
      body: """
        After the end of a clip, its last frame is frozen. Reduce 'for', set 'speed' to play the
        clip more slowly, or repeat it with 'loop'. For an intended freeze frame, write 'time:
        0s -> 10s over 10s': it plays ten seconds and then holds.
        """,
      wrong: """
        scene {
            video "waves.mp4" { for: 12s }
        }
        """,
      right: """
        scene {
            fps: 25
            video "waves.mp4" { for: 12s;  loop: true }
        }
        """
    ),
    Explanation(
      .soundCut, "sound cut off by the end of the scene",
      body: """
        The sound is longer than the scene and stops abruptly at its end. Add 'fade-out', set
        'for' or 'trim' to end it on purpose, or extend the scene.
        """,
      wrong: """
        scene {
            for: 1s
            audio "theme.wav"
        }
        """,
      right: """
        scene {
            for: 1s
            audio "theme.wav" { fade-out: 0.5s }
        }
        """
    ),
    Explanation(
      .unevenPictures, "clip with a different frame rate",
      body: """
        The frame rates of the clip and the scene do not match, so some frames are repeated or
        dropped and steady motion judders. Set 'fps' of the scene to the frame rate of the clip
        or a multiple of it. Without much motion in the clip, the warning can be ignored.
        """,
      wrong: """
        scene {
            fps: 30
            video "waves.mp4"
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
      .longFade, "fade longer than its sound",
      body: """
        The sound ends before the fade is complete. The fade is shortened to the duration of the
        sound.
        """,
      wrong: """
        scene {
            for: 2s
            audio "voice.wav" { trim: 0s .. 1s;  fade-in: 3s }
        }
        """,
      right: """
        scene {
            for: 2s
            audio "voice.wav" { trim: 0s .. 1s;  fade-in: 0.3s }
        }
        """
    ),
    Explanation(
      .trimBeyond, "trim that ends after its clip",
      body: """
        The clip is shorter than the end of 'trim', and is played to its end. The member
        'duration' of a named clip is its length: trim: 2s .. waves.duration - 1s.
        """,
      wrong: """
        scene {
            video "waves.mp4" { trim: 4s .. 14s }
        }
        """,
      right: """
        scene {
            fps: 25
            video "waves.mp4" { trim: 4s .. 10s }
        }
        """
    ),
    Explanation(
      .nothingShown, "empty interval between elements",
      body: """
        Only the background is visible for more than a second. Extend the previous element, or
        start the next one earlier. In a 'sequence', elements follow each other without gaps. If the
        scene continues after the last clip of a sequence, remove 'for' from the scene, so that it
        ends with its content.
        """,
      wrong: """
        scene {
            for: 6s
            circle { for: 2s }
            rect { at: 4s }
        }
        """,
      right: """
        scene {
            for: 6s
            circle { for: 4s }
            rect { at: 4s }
        }
        """
    ),
    Explanation(
      .pitchFollows, "pitch that cannot be kept",
      body: """
        'pitch: keep' requires a sound that plays forward at a constant speed from 0.25 to 4.
        Otherwise the pitch follows the speed: a faster sound is higher.
        """,
      wrong: """
        scene {
            audio "voice.wav" { speed: -1;  pitch: keep }
        }
        """,
      right: """
        scene {
            audio "voice.wav" { speed: 1.5;  pitch: keep }
        }
        """
    ),
    Explanation(
      .otherFont, "characters from a fallback font",
      body: """
        The selected font has no glyphs for some characters, so a different installed font is
        used. It can differ on other machines. Add a second font to 'font', or use characters of
        the first one.
        """,
      wrong: """
        scene {
            for: 1s
            text "Ω ⅋" { font: "Inter" }
        }
        """,
      right: """
        scene {
            for: 1s
            text "Ω ⅋" { font: ["Inter", "Serif Family"] }
        }
        """
    ),
    Explanation(
      .enlargedImage, "enlarged image",
      body: """
        The image is scaled up by a quarter or more and looks soft. Use a larger image, or
        reduce its size. Images with a blur are not reported.
        """,
      wrong: """
        scene {
            for: 1s
            image "photo.png" { size: 1200x600 }
        }
        """,
      right: """
        scene {
            for: 1s
            image "photo.png" { size: 400x200 }
        }
        """
    ),
    Explanation(
      .incompleteImage, "incomplete file",
      body: """
        Part of an image, clip or sound is missing or damaged, for example after an interrupted
        download, or an SVG links to another file, which is not loaded. The rest is shown or
        played, and the nearest intact frame of a clip replaces a damaged one. Copy or save
        the file again, or embed linked files in the SVG.
        """,
      wrong: """
        scene {
            for: 1s
            image "cut.jpg" { size: 400x200 }
        }
        """,
      right: """
        scene {
            for: 1s
            image "photo.png" { size: 400x200 }
        }
        """
    ),
    Explanation(
      .interlaced, "interlaced clip",
      body: """
        Each frame of the clip consists of two fields, recorded at different times, as in
        television recordings. Each field contains every other line. The clip is deinterlaced:
        the lines of the first field are kept, and the lines in between are interpolated. Use a
        progressive version of the clip if one is available.
        """,
      wrong: """
        scene {
            video "tape.mpg"
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
      .notCopied, "clip that cannot be copied",
      body: """
        With 'copy: true', an output copies the encoded frames of clips without loss of quality.
        This requires H.264 in an MP4, MOV or MKV file, the size and frame rate of the scene,
        the original speed, no other visible elements, and complete groups of pictures (GOPs)
        between keyframes. This clip is decoded and encoded again.
        """,
      wrong: """
        scene {
            size: 640x360
            fps: 50
            video "waves.mp4"
            output { copy: true }
        }
        """,
      right: """
        scene {
            size: 640x360
            fps: 25
            video "waves.mp4"
            output { copy: true }
        }
        """
    ),
    Explanation(
      .mappedRange, "HDR clip tone-mapped to SDR",
      body: """
        The clip contains highlights (PQ or HLG) that are brighter than the white of an SDR
        display, and the output is SDR. They are tone-mapped, starting at a luminance of 46%,
        and colors outside BT.709 are desaturated. For a different result, convert the clip with
        a color grading program first.
        """,
      wrong: """
        scene {
            video "phone-hdr.mp4"
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
      .neverHeard, "sound that is never audible",
      body: """
        The sound starts after the end of its parent, its volume is 0, or a constant 'time'
        stops it. Remove the sound, or fix the cause that the label names.
        """,
      wrong: """
        scene {
            for: 2s
            audio "voice.wav" { at: 3s }
        }
        """,
      right: """
        scene {
            for: 2s
            audio "voice.wav" { at: 1s;  for: 1s }
        }
        """
    ),
    Explanation(
      .idleAxis, "axis that the font does not have",
      body: """
        'font-axes' and 'font-width' set axes of variable fonts, and the first font of the text
        has no such axis. 'scenec fonts NAME' lists the axes of a font. Use one of them, or a
        variable font such as a file next to the scene.
        """,
      wrong: """
        scene {
            for: 1s
            text "wide" { font: "Inter";  font-axes: (wdth: 125) }
        }
        """,
      right: """
        scene {
            for: 1s
            text "bold" { font: "Inter";  font-weight: 800 }
        }
        """
    ),
    Explanation(
      .limitedSound, "mix with clipping",
      body: """
        The mix exceeds full scale, or the 'peak' of an output. The limiter reduced it by more
        than 1 dB, which can be audible. Reduce 'volume', use 'duck' to lower music under
        voices, or set 'loudness' of the output. Only 'build' and 'timeline' render the mix, so
        'check' does not report this.

        AAC, Opus and MP3 can exceed the peak of the mix. 'build' measures the encoded audio and
        reduces the mix until it is below 'peak'. If the file still exceeds it, the label shows
        the peak; a higher 'bitrate' also helps.
        """,
      wrong: """
        scene {
            for: 2s
            audio "theme.wav" { volume: 12dB }
        }
        """,
      right: """
        scene {
            for: 2s
            audio "theme.wav" { volume: -3dB;  for: 2s;  fade-out: 0.5s }
        }
        """
    ),
    Explanation(
      .placeholder, "placeholder",
      body: """
        A clip or sound is missing, and its element has a 'placeholder'. Until the file exists, a
        sound is silent for that duration, and a video is a gray box with the name of the file. All
        missing files are listed in one warning.

        To fix it, add the files. The placeholder then has no effect and can remain in the scene. With
        '--strict', this warning is an error, so that no film is published with a placeholder.
        """,
      wrong: """
        scene {
            audio voice "not-recorded-yet.wav" { placeholder: 2s }
            text "Hello" { at: voice.start;  for: voice.end - voice.start }
        }
        """,
      right: """
        scene {
            audio voice "theme.wav" { placeholder: 2s;  trim: 0s .. 2s }
            text "Hello" { at: voice.start;  for: voice.end - voice.start }
        }
        """
    ),
    Explanation(
      .flashes, "flashing video",
      body: """
        The video flashes more often than three times a second over a large area. Such flashes can
        cause seizures in people with photosensitive epilepsy. A flash is a pair of opposing changes
        of luminance by at least 10%, with the darker value below 80%, or of saturated red.

        'flash-limit: web' of the scene, the default, applies the rules of WCAG 2.3.1: a quarter of
        any third by third of the frame. 'broadcast' applies those of ITU-R BT.1702: a quarter of the
        whole frame, and no more than 4 of 5 seconds with four to six changes per second. Only 'build'
        draws all frames, so 'check' does not report this. Frames that are copied from a clip are not
        judged.

        To fix it, let each flash last at least 0.34 s, or reduce its contrast or its size. The warning
        is not a certificate: a broadcaster may require a test of its own.
        """,
      wrong: """
        scene {
            for: 2s
            rect { size: 100%;  fill: wave(0.2s) > 0 ? white : black }
        }
        """,
      right: """
        scene {
            for: 2s
            rect { size: 100%;  fill: wave(0.5s) > 0 ? white : black }
        }
        """
    ),
    Explanation(
      .idleDrawing, "SVG with animations or scripts",
      body: """
        SMIL animations and scripts of an SVG are not run: a scene has a single clock, and does
        not execute foreign code. The initial state of the file is drawn. Animate its parts in
        the scene by their ids.
        """,
      wrong: """
        scene {
            for: 2s
            svg "spinning.svg"
        }
        """,
      right: """
        scene {
            for: 2s
            svg "logo.svg" { part "wheel" { rotate: 0deg -> 360deg } }
        }
        """
    ),
    Explanation(
      .ignoredMarkup, "caption file with unsupported markup",
      body: """
        Captions support the position, size and alignment of cues, regions, and tags for bold,
        italic, underlined and colored text. Style sheets (STYLE), ruby, background colors
        and invalid settings are ignored. The label lists them with the line of their first
        occurrence. Style captions in the scene with properties such as
        'fill' and 'font-size', or remove the markup. Captions that end before they begin, or
        whose times are invalid, are not shown.
        """,
      wrong: """
        scene {
            for: 3s
            captions "styled.vtt"
        }
        """,
      right: """
        scene {
            for: 3s
            captions "placed.vtt" { fill: gold }
        }
        """
    ),
    Explanation(
      .noBeat, "music without a steady beat",
      body: """
        'beats' found no constant tempo in the sound: it is speech, noise or music with a
        changing tempo. The times are estimates. Enter them manually, or use 'level' to follow
        the loudness.
        """,
      wrong: """
        scene {
            audio voice "voice.wav"
            for beat in beats(voice) { circle { at: beat;  for: 0.2s } }
        }
        """,
      right: """
        scene {
            audio theme "theme.wav"
            for beat in beats(theme) { circle { at: beat;  for: 0.2s } }
        }
        """
    ),
  ]
}
