// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneGraphics
import SceneModel
import SceneTestSupport
import Testing

/// Tests the voices of scenes. `waves.mp4` lasts 10 s, `voice.wav` 10 s and `theme.wav` 30 s.
@Suite(.cpuBudget(seconds: 1)) struct SoundTests {
  private func voices(_ body: String) -> [String] {
    let checked = checked("scene { size: 640x360\n\(body)\n}")
    if checked.model == nil {
      let errors = checked.diagnostics.filter { $0.code.severity == .error }
      return errors.map { "\($0.code.rawValue) \($0.message)" }
    }
    return (checked.model?.sound.description ?? "").split(separator: "\n").map(String.init)
  }

  private func warnings(_ body: String) -> [String] {
    checked("scene { size: 640x360\n\(body)\n}").diagnostics.map(\.code.rawValue)
  }

  @Test func aSoundLastsAsItsFile() {
    #expect(
      voices("for: 40s;  circle { };  audio \"theme.wav\" { at: 2s }")
        == ["voice \"theme.wav\" 2s .. 32s from 0s x1 of 0s .. 30s left 1 right 1"])
  }

  @Test func aSceneOfSoundsLastsAsTheLastOne() {
    let model = checked("scene { audio \"voice.wav\" { at: 2s }\n audio \"voice.wav\" }").model
    #expect(model?.duration == Ticks(12 * Ticks.perSecond))
    // Drawn elements take precedence.
    let drawn = checked("scene { circle { for: 3s }\n audio \"voice.wav\" { fade-out: 1s } }").model
    #expect(drawn?.duration == Ticks(3 * Ticks.perSecond))
  }

  @Test func aClipSoundsAsItPlays() {
    #expect(
      voices("video \"waves.mp4\" { trim: 2s .. 6s;  speed: 2 }")
        == ["voice \"waves.mp4\" 0s .. 2s from 2s x2 of 2s .. 6s left 1 right 1"])
    #expect(
      voices("video \"waves.mp4\" { trim: 2s .. 6s;  speed: -1 }")
        == ["voice \"waves.mp4\" 0s .. 4s from 6s x-1 of 2s .. 6s left 1 right 1 follow"])
    #expect(
      voices("video \"waves.mp4\" { trim: 2s .. 4s;  loop: 3 }")
        == ["voice \"waves.mp4\" 0s .. 6s from 2s x1 looped of 2s .. 4s left 1 right 1"])
    #expect(voices("for: 4s;  video \"waves.mp4\" { time: 3s }") == [])
    #expect(voices("video \"waves.mp4\" { volume: 0 }") == [])
    #expect(
      voices("for: 4s;  video \"waves.mp4\" { time: 0s -> 8s over 4s }")
        == ["voice \"waves.mp4\" 0s .. 4s moving of 0s .. 10s left 1 right 1 follow"])
  }

  @Test func soundEndsWithItsClip() {
    // The last frame is frozen for 2 s.
    #expect(
      voices("video \"waves.mp4\" { trim: 0s .. 4s;  for: 6s }")
        == ["voice \"waves.mp4\" 0s .. 4s from 0s x1 of 0s .. 4s left 1 right 1"])
    #expect(
      voices("for: 3s;  group { at: 1s;  audio \"theme.wav\" { loop: true } }")
        == ["voice \"theme.wav\" 1s .. 3s from 0s x1 looped of 0s .. 30s left 1 right 1"])
  }

  @Test func volumesAndPansMultiply() {
    #expect(
      voices(
        "for: 10s;  group { volume: 0.5;  pan: -50%;  audio \"voice.wav\" { volume: 20dB;  pan: 50% } }"
      )
        == ["voice \"voice.wav\" 0s .. 10s from 0s x1 of 0s .. 10s left 2.5 right 2.5"])
    #expect(
      voices("volume: 50%;  for: 10s;  audio \"voice.wav\"")
        == ["voice \"voice.wav\" 0s .. 10s from 0s x1 of 0s .. 10s left 0.5 right 0.5"])
    #expect(
      voices("for: 10s;  audio \"voice.wav\" { volume: 0dB -> -60dB over 2s }")
        == ["voice \"voice.wav\" 0s .. 10s from 0s x1 of 0s .. 10s left moving right moving"])
    #expect(
      voices("for: 10s;  audio \"voice.wav\" { change { at: 1s;  volume: -6dB } }")
        == ["voice \"voice.wav\" 0s .. 10s from 0s x1 of 0s .. 10s left moving right moving"])
  }

  @Test func fadesStandAtTheEndsOfWhatIsHeard() {
    #expect(
      voices("for: 4s;  audio \"theme.wav\" { at: 1s;  fade-in: 1s;  fade-out: 0.5s }")
        == [
          "voice \"theme.wav\" 1s .. 4s from 0s x1 of 0s .. 30s left 1 right 1",
          "  in 1s .. 2s", "  out 3.5s .. 4s",
        ])
    // The fades exceed the duration: each gets the rest of the other, and at least half.
    #expect(
      voices("for: 4s;  audio \"theme.wav\" { fade-in: 3s;  fade-out: 4s }")
        == [
          "voice \"theme.wav\" 0s .. 4s from 0s x1 of 0s .. 30s left 1 right 1",
          "  in 0s .. 2s", "  out 2s .. 4s",
        ])
  }

  @Test func transitionsCrossFade() {
    let clips = "video \"waves.mp4\" { trim: 0s .. 4s }\n video \"waves.mp4\" { trim: 6s .. 9s }"
    #expect(
      voices("sequence { transition: dissolve over 1s\n \(clips) }")
        == [
          "voice \"waves.mp4\" 0s .. 4s from 0s x1 of 0s .. 4s left 1 right 1", "  out 3s .. 4s",
          "voice \"waves.mp4\" 3s .. 6s from 6s x1 of 6s .. 9s left 1 right 1", "  in 3s .. 4s",
        ])
    #expect(
      voices("sequence { transition: fade-through(black) over 1s\n \(clips) }").filter {
        $0.hasPrefix(" ")
      } == ["  out 3s .. 3.5s", "  in 3.5s .. 4s"])
    // Two adjacent parts of one file.
    #expect(
      voices(
        """
        sequence { transition: dissolve over 1s
            video "waves.mp4" { trim: 0s .. 4s }
            video "waves.mp4" { trim: 3s .. 9s }
        }
        """
      ).filter { $0.hasPrefix(" ") } == ["  out 3s .. 4s linear", "  in 3s .. 4s linear"])
  }

  @Test func soundsFollowEachOtherInASequence() {
    #expect(
      voices("sequence { audio \"voice.wav\" { trim: 0s .. 2s }\n audio \"theme.wav\" { at: 1s } }")
        == [
          "voice \"voice.wav\" 0s .. 2s from 0s x1 of 0s .. 2s left 1 right 1",
          "voice \"theme.wav\" 3s .. 33s from 0s x1 of 0s .. 30s left 1 right 1",
        ])
  }

  @Test func aGroupInASequenceLastsAsWhatItPlays() {
    func duration(_ clips: String) -> Double? {
      checked("scene { size: 640x360\n sequence { \(clips) } }").model?.duration.seconds
    }
    // A narrated slide.
    #expect(duration("group { circle { };  audio \"voice.wav\" }") == 10)
    #expect(duration("group { video \"waves.mp4\" { at: 1s };  audio \"theme.wav\" }") == 11)
    #expect(
      duration("group { circle { for: 3s } };  group { group { video \"waves.mp4\" } }") == 13)
    #expect(duration("group { circle { } }") == nil)
    // With a duration to share.
    #expect(duration("for: 6s;  group { circle { for: 2s } };  group { circle { } }") == 6)
  }

  @Test func aSceneInASceneSoundsByItsClock() {
    func film(_ use: String) -> [String] {
      let checked = checked(
        """
        scene inner { size: 640x360;  for: 4s;  audio "voice.wav" { at: 1s;  fade-out: 1s } }
        scene main { size: 640x360;  for: 20s;  \(use) }
        """)
      return (checked.model?.sound.description ?? "").split(separator: "\n").map(String.init)
    }
    let whole = "of 0s .. 10s left 1 right 1"
    #expect(
      film("inner { at: 2s }")
        == ["voice \"voice.wav\" 3s .. 6s from 0s x1 \(whole)", "  out 5s .. 6s"])
    #expect(
      film("inner { at: 2s;  speed: 2 }")
        == ["voice \"voice.wav\" 2.5s .. 4s from 0s x2 \(whole)", "  out 3.5s .. 4s"])
    #expect(
      film("inner { trim: 2s .. 4s;  loop: 2;  volume: 50% }")
        == [
          "voice \"voice.wav\" 0s .. 2s from 1s x1 of 0s .. 10s left 0.5 right 0.5",
          "  out 1s .. 2s",
          "voice \"voice.wav\" 2s .. 4s from 1s x1 of 0s .. 10s left 0.5 right 0.5",
          "  out 3s .. 4s",
        ])
    // Backward: the end is audible first, and its fade-out becomes a fade-in.
    #expect(
      film("inner { speed: -1 }")
        == ["voice \"voice.wav\" 0s .. 3s from 3s x-1 \(whole) follow", "  in 0s .. 1s"])
    #expect(
      film("inner { time: 0s -> 4s over 8s }")
        == ["voice \"voice.wav\" 0s .. 20s moving of 0s .. 10s left moving right moving follow"])
  }

  @Test func masksAreSilent() {
    #expect(
      voices("for: 2s;  rect { mask { video \"waves.mp4\" } }") == [])
  }

  @Test func mistakesAreReported() {
    #expect(voices("for: 1s;  audio \"silent.mp4\"") == ["E0509 'silent.mp4' has no audio track"])
    #expect(voices("for: 1s;  video \"voice.wav\"") == ["E0508 'voice.wav' has no video track"])
    #expect(voices("for: 1s;  audio \"theme.wav\" { volume: -6 }") == ["E0305 the volume is -6"])
    #expect(voices("for: 1s;  audio \"theme.wav\" { pan: 200% }") == ["E0305 'pan' is 200%"])
    #expect(warnings("for: 2s;  circle { };  audio \"theme.wav\"").contains("W0408"))
    #expect(!warnings("for: 2s;  circle { };  audio \"theme.wav\" { for: 2s }").contains("W0408"))
    #expect(
      warnings("for: 2s;  audio \"theme.wav\" { for: 1s;  fade-in: 2s }").contains("W0410"))
    #expect(warnings("for: 2s;  audio \"theme.wav\" { for: 1s;  volume: 80 }").contains("W0307"))
  }

  @Test func outputsSayHowSoundIsEncoded() {
    let model = checked(
      """
      scene { for: 1s;  circle { }
          output { audio { codec: opus;  bitrate: 96kbps;  loudness: -14;  peak: -2dB;  channels: 1 } }
      }
      """
    ).model
    var expected = SoundOutput()
    expected.isWanted = true
    expected.codec = "opus"
    expected.bitrate = 96_000
    expected.loudness = -14
    expected.peak = -2
    expected.channels = 1
    #expect(model?.outputs.first?.sound == expected)
    let none = checked("scene { for: 1s;  circle { };  output { audio: none } }").model
    #expect(none?.outputs.first?.sound.isWanted == false)
  }
}

/// `level` and `duck`. The measured levels of `voice.wav` alternate between a loud and a silent
/// second.
@Suite(.cpuBudget(seconds: 1)) struct SoundLevelTests {
  private func value(_ expression: String, at seconds: Double, _ body: String) -> Double? {
    let checked = checked(
      "scene { size: 640x360;  for: 20s;  \(body);  circle { opacity: \(expression) } }")
    guard let model = checked.model, let circle = model.elements.last else { return nil }
    var evaluator = Evaluator(model.program, metrics: FixedMetrics())
    evaluator.evaluate(at: Ticks(Int64(seconds * Double(Ticks.perSecond))))
    return evaluator(circle.opacity)
  }

  @Test func levelsFollowTheClockOfTheirSound() throws {
    let level = "level(voice, smooth: 0s)"
    let voice = "audio voice \"voice.wav\" { at: 1s }"
    #expect(try #require(value(level, at: 0.5, voice)) == 0)
    #expect(try #require(value(level, at: 1.5, voice)) == 1)
    #expect(try #require(value(level, at: 2.5, voice)) == 0)
    #expect(try #require(value(level, at: 3.5, voice)) == 1)
    // After its end.
    #expect(try #require(value(level, at: 12, voice)) == 0)
    // At double speed.
    let fast = "audio voice \"voice.wav\" { speed: 2 }"
    #expect(try #require(value(level, at: 0.25, fast)) == 1)
    #expect(try #require(value(level, at: 0.75, fast)) == 0)
  }

  @Test func levelsFallSlowly() throws {
    let voice = "audio voice \"voice.wav\""
    let level = try #require(value("level(voice, smooth: 0.5s)", at: 1.5, voice))
    #expect(abs(level - 0.3679) < 0.01)
  }

  @Test func theSpeechOfAVoiceIsWidened() {
    let levels = (0..<400).map { Float($0 / 100 == 1 ? -20 : -60) }
    #expect(SoundLevels.speech(levels, threshold: -40) == [80..<220])
    // Speech continues until the level is 6 dB below the threshold.
    let quiet = (0..<400).map { Float($0 == 100 ? -39 : $0 < 200 ? -44 : -60) }
    #expect(SoundLevels.speech(quiet, threshold: -40) == [80..<220])
  }

  @Test func aGainIsDownWhenTheVoiceBegins() {
    let how = SoundLevels.Ducking(gain: -12, attack: 0.25, release: 0.8, threshold: -40)
    let gains = SoundLevels.ducked([100..<200, 300..<400, 700..<800], until: 2000, how)
    #expect(gains[70] == 0)
    #expect(abs(gains[88] + 6) < 0.5)
    #expect(gains[100] == -12 && gains[200] == -12)
    // A short pause.
    #expect(gains[250] == -12)
    #expect(abs(gains[440] + 6) < 0.1)
    #expect(gains[481] == 0 && gains[700] == -12)
    // Near the end, the gain stays reduced.
    #expect(SoundLevels.ducked([100..<200], until: 390, how)[390] == -12)
    #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 0.8 })
  }

  @Test func ducksUnderAVoice() throws {
    // From -12 dB to 0 dB, as an amplitude factor.
    let checked = checked(
      """
      scene { size: 640x360;  for: 20s;  circle { }
          audio voice "voice.wav" { at: 5s;  trim: 0s .. 1s }
          audio "theme.wav" { volume: duck(by: -20dB, under: voice);  fade-out: 1s }
      }
      """)
    let sound = try #require(checked.model?.sound)
    let theme = try #require(sound.voices.last)
    var evaluator = Evaluator(sound.program, metrics: FixedMetrics())
    func gain(_ seconds: Double) -> Double {
      evaluator.evaluate(at: Ticks(Int64(seconds * Double(Ticks.perSecond))))
      return evaluator(theme.left)
    }
    #expect(abs(gain(2) - 1) < 1e-6)
    #expect(abs(gain(5.5) - 0.1) < 1e-6)
    #expect(abs(gain(8) - 1) < 1e-6)
  }

  @Test func mistakesAreReported() {
    func codes(_ expression: String) -> [String] {
      checked(
        """
        scene { for: 2s;  circle c { opacity: \(expression) }
            audio voice "voice.wav" { for: 2s }
            video quiet "silent.mp4" { for: 2s }
        }
        """
      ).diagnostics.filter { $0.code.severity == .error }.map(\.code.rawValue)
    }
    #expect(codes("level(voice)") == [])
    #expect(codes("level(c)") == ["E0301"])
    #expect(codes("level(quiet)") == ["E0509"])
    #expect(codes("level(voice, from: 300Hz, to: 100Hz)") == ["E0303"])
    #expect(codes("level(voice, from: 300)") == ["E0301"])
    #expect(codes("level(voice, smooth: -1s)") == ["E0305"])
  }

  /// Two clicks per second in noise: all beats are found within 10 ms, and no others.
  @Test func beatsAreWhereTheClicksAre() {
    var chance = SeededGenerator(3)
    let onsets = (0..<1200).map { index -> Float in
      let noise = Float(Double(chance.next() >> 11) * 0x1p-53)
      return index % 50 == 17 ? 12 + noise : noise
    }
    let beats = Beats(onsets: onsets)
    #expect(abs(beats.tempo - 120) < 0.5)
    #expect(beats.confidence > 0.6)
    #expect(beats.times.count == 24)
    for (number, time) in beats.times.enumerated() {
      #expect(abs(time - (0.185 + 0.5 * Double(number))) < 0.011)
    }
    #expect(Beats(onsets: []).times.isEmpty)
    let noise = (0..<1200).map { _ in Float(Double(chance.next() >> 11) * 0x1p-53) }
    #expect(Beats(onsets: noise).confidence < Beats.leastConfidence)
  }

  /// `theme.wav` has two beats per second.
  @Test func theTempoOfASoundIsReadFromIt() throws {
    func seconds(_ scene: String, _ theme: String = "") -> Double? {
      checked(
        """
        scene { \(scene);  circle { }
            audio theme "theme.wav" { \(theme) }
        }
        """
      ).model?.duration.seconds
    }
    func near(_ value: Double?, _ expected: Double) -> Bool { abs((value ?? 0) - expected) < 0.02 }
    #expect(near(seconds("tempo: theme.tempo;  for: 16beat"), 8))
    #expect(near(seconds("tempo: theme.tempo;  for: 16beat", "speed: 2"), 4))
    #expect(near(seconds("tempo: theme.tempo;  for: 16beat", "trim: 2beat .. 20beat"), 8))
    #expect(near(seconds("for: 1s * theme.tempo / 30"), 4))
    #expect(near(seconds("for: 4beat"), 2))
    func codes(_ body: String) -> [String] {
      diagnose("scene { for: 2s;  tempo: it.tempo;  circle { };  \(body) }").map {
        String($0.prefix(5))
      }
    }
    #expect(codes("audio it \"theme.wav\" { for: 2s;  time: t }").contains("E0305"))
    #expect(codes("video it \"silent.mp4\" { for: 2s }").contains("E0509"))
    #expect(codes("audio it \"voice.wav\" { for: 2s }").contains("W0511"))
    #expect(codes("audio it \"theme.wav\" { for: 2s;  speed: 1beat / 1s }").contains("E0209"))
  }

  @Test func beatsAreTimesOfTheScene() throws {
    let source = """
      scene { size: 640x360;  for: 8s
          audio theme "theme.wav" { at: 1s;  trim: 1s .. 3s;  speed: 2;  loop: 2;  for: 8s }
          for beat in beats(theme) { circle { at: beat;  for: 0.1s } }
      }
      """
    let model = try #require(checked(source).model)
    // Beats of the material at 1.2, 1.7, 2.2 and 2.7 s, twice, at double speed.
    let expected = [1.1, 1.35, 1.6, 1.85, 2.1, 2.35, 2.6, 2.85]
    #expect(model.elements.count == expected.count)
    for (element, time) in zip(model.elements, expected) {
      #expect(abs(element.start.seconds - time) < 0.03)
    }
  }
}
