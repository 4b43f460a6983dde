// SPDX-License-Identifier: MIT

extension Explanation {
  /// Pages of warnings about clips, audio, images and fonts.
  static let mediaPages: [Explanation] = [
    Explanation(
      .clipEnds, "a clip that is shown for longer than it lasts",
      """
      After the end of a clip its last picture stands still. Make 'for' shorter, play the clip more
      slowly with 'speed', or again with 'loop'. Where it should stand still, say so:
      'time: 0s -> 10s over 10s' plays ten seconds and then holds.
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
      .soundCut, "a sound that the end of the scene cuts",
      """
      The sound lasts longer than the scene, and stops in the middle when the scene ends.
      Let it go gently with 'fade-out', say with 'for' or 'trim' that this is where it ends,
      or give the scene the length of the sound.
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
      .unevenPictures, "a clip whose pictures come unevenly",
      """
      The clip and the scene have different rates, so some of the clip's pictures are shown for more
      frames than others, or are left out. Steady movement in it judders. Give the scene the clip's
      rate, or one that is a multiple of it. Where nothing moves much it may stay as it is.
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
      .longFade, "a fade that is longer than its sound",
      """
      The sound ends before it has come, or has not come when it begins to go. The fade is
      shortened to the time that there is.
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
      .trimBeyond, "a trim that ends after its clip",
      """
      The clip is played to its end, and is shorter than 'trim' says. A named clip gives its length as
      'duration': trim: 2s .. waves.duration - 1s.
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
      .nothingShown, "a time in which nothing is shown",
      """
      Between two elements only the background is there, for more than a second. Let the first one stay
      longer, or the next one come earlier; with 'sequence' elements follow each other by themselves.
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
      .pitchFollows, "a pitch that cannot be kept",
      """
      'pitch: keep' works where a sound plays forwards at a steady speed from a quarter to four times
      its own. Elsewhere the pitch follows the speed: faster sound is higher.
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
      .otherFont, "characters from another font",
      """
      The named font lacks some characters, so they are taken from another font of this
      machine. Another machine may use a different one. Name the second font yourself, or
      use characters that the first one has.
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
      .enlargedImage, "an image that is enlarged",
      """
      The image is shown at least a quarter larger than its own size, and looks soft. Use a
      larger image, or show it smaller. One that is blurred on purpose is not reported.
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
      .incompleteImage, "a file that is not whole",
      """
      A part of an image, a clip or a sound is missing or cannot be read: the file ends early, as after a
      download that stopped, it is damaged, or an SVG refers to another file, which is not read. The
      rest is shown or played; the last good frame of a clip stands in for a damaged one. Copy or save
      the file again, or put into the SVG what it refers to.
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
      .interlaced, "an interlaced clip",
      """
      Each of its pictures holds two fields, every second line of two instants, as television records
      them. The lines of the first field are kept, and those between are made from the fields around
      it. Where you have the recording as whole pictures (progressive), take that.
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
      .notCopied, "a clip that is not copied",
      """
      An output says `copy: true`: pictures of clips go into the file as they are encoded, without a loss
      and in no time. That works for H.264 in an MP4, a MOV or an MKV file, in the size and at the rate of
      the scene, at its own speed, where nothing else is in the frame, and for whole groups of pictures from
      one key picture to the next. This clip is drawn and encoded like everything else.
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
      .mappedRange, "a clip of high dynamic range",
      """
      The clip holds highlights (PQ or HLG) that are brighter than the white of an ordinary display,
      and the video that is made has none. They are lowered to that white, smoothly from a brightness
      of 46 % on, and colours beyond BT.709 become paler. For other results convert the clip with
      a program for colour grading first.
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
      .neverHeard, "a sound that is never heard",
      """
      The sound begins after what is around it has ended, its volume is 0, or a fixed 'time' holds one
      moment of it, which is silent. Remove it, or change what is named.
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
      .limitedSound, "a mix that is too loud",
      """
      What sounds together is louder than a file can hold, or than the 'peak' that an output names. Where it
      is, it was lowered by more than 1 dB, which may be heard. Turn down what is loud by 'volume', let music
      'duck' under voices, or give the output a 'loudness'. Only 'build' and 'timeline' mix, so 'check' does
      not know.

      AAC, Opus and MP3 can be louder than the mix. 'build' measures what they encoded and lowers the mix until
      it is below the 'peak'. If a file is still too loud after that, its peak is named; a higher 'bitrate'
      helps too.
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
      .idleDrawing, "an SVG with animations or scripts",
      """
      What an SVG does in a browser, by SMIL or scripts, does not happen here: a scene has one clock, and runs
      no foreign code. The file is shown as it is at first. Move its parts in the scene, by their ids.
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
      .ignoredMarkup, "a caption file with parts that are ignored",
      """
      Captions show the place, size and alignment of each cue, regions, and the tags for bold, italic,
      underlined and colored text. They ignore style sheets (STYLE), ruby, times within a text, background
      colors, and settings that are invalid. The label lists them with the lines where they first occur.
      Style all captions in the scene, with properties such as 'fill' and 'font-size', or remove the parts.
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
      """
      'beats' found no tempo that the sound keeps: speech, noise, or music that slows down and speeds
      up. The times are guesses then. Give them yourself, or use 'level' to follow how loud it is.
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
