// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneModel
import SceneTestSupport
import SceneTimeline
import Testing

/// The output of `scenec timeline`. `waves.mp4` lasts 10 s at 25 fps, `theme.wav` lasts 30 s.
@Suite(.cpuBudget(seconds: 1)) struct TimelineTests {
  private func timeline(_ source: String, columns: Int = 40, sound: Timeline.Mix? = nil) throws
    -> Timeline
  {
    var options = CheckOptions()
    options.recordsElements = true
    let checked = checked(source, options)
    let model = try #require(checked.model)
    var maker = TimelineMaker(
      model, record: try #require(checked.record), sources: checked.sources,
      metrics: FixedMetrics(),
      columns: columns)
    return maker.timeline(checked.diagnostics, sound: sound)
  }

  private func lines(_ source: String, isVerbose: Bool = false) throws -> [String] {
    try timeline(source).text(.ascii, isVerbose: isVerbose).split(separator: "\n").map(String.init)
  }

  @Test func aLineForEachElement() throws {
    let found = try lines(
      """
      scene film { size: 640x360;  for: 10s
          rect ground { size: 640x360 }
          group card { at: 2s;  for: 4s;  enter: fade over 1s
              circle { radius: 20 }
          }
      }
      """)
    #expect(
      found
        == [
          "scene film, 640x360, 30 fps, 10s = 300 frames",
          "             0s      2s      4s      6s      8s",
          "rect ground  @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  0 - 10s  :2",
          "group card           :=*@@@@@@@@@@@@@                  2 - 6s, enter fade over 1s  :3",
          "  circle             @@@@@@@@@@@@@@@@                  2 - 6s  :4",
          "picture      --------~~~~----------------------------  ~ changing 10 %, - still 90 %",
        ])
  }

  /// An alternative text stays on the line of its element.
  @Test func alternativesAreOneLine() throws {
    let source = "scene { size: 640x360;  for: 1s;  rect { alt: \"a\\n  b \u{202E}c\" } }"
    let row = try #require(lines(source).first { $0.hasPrefix("rect") })
    #expect(row.hasSuffix("0 - 1s, \"a b \\u{202E}c\"  :1"), "\(row)")
    let page = try timeline(source).text(.unicode, isVerbose: false)
    #expect(page.contains("“a b \\u{202E}c”"))
  }

  @Test func clipsCross() throws {
    let lines = try lines(
      """
      scene { size: 640x360;  fps: 25
          sequence {
              transition: dissolve over 1s
              video first "waves.mp4" { trim: 2s .. 6s }
              video "waves.mp4" { trim: 0s .. 5s;  speed: -1;  volume: -6dB }
          }
      }
      """)
    #expect(lines[2] == "sequence       @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  0 - 8s  :2")
    #expect(
      lines[3]
        == "  video first  @@@@@@@@@@@@@@@XXXXX                      0 - 4s, waves.mp4 2 - 6s, #50 - #149, fade-out 1s  :4"
    )
    #expect(
      lines[4]
        == "  video                       XXXXX@@@@@@@@@@@@@@@@@@@@  3 - 8s, waves.mp4 0 - 5s, #124 - #0, -6 dB, x-1, fade-in 1s  :5"
    )
  }

  /// A clip that is longer than its group, in a video that continues after the group.
  @Test func clipsEndWithTheirGroup() throws {
    let made = try timeline(
      """
      scene { size: 640x360;  fps: 25
          sequence {
              group { for: 2s;  size: 100%;  video "waves.mp4" { trim: 1s .. 5s } }
              group { for: 2s;  size: 100%;  video "waves.mp4" { trim: 0s .. 5s } }
          }
      }
      """)
    let rows = made.tracks.filter { $0.kind == "video" }
    #expect(rows.map(\.start.seconds) == [0, 2] && rows.map(\.end.seconds) == [2, 4])
    #expect(rows.map { $0.clip?.pictures } == [[25, 74], [0, 49]])
    #expect(rows.map { $0.clip?.from.seconds } == [1, 0])
    #expect(rows.map { $0.clip?.to.seconds } == [3, 2])
    #expect(rows.map { $0.levels.count { $0 != nil } } == [20, 20])
  }

  @Test(arguments: [
    ("group { for: 2s;  group { circle it { for: 5s;  radius: 9 } } }", 0.0...2),
    ("group { at: 1s;  for: 1s;  circle it { at: 0.5s;  for: 5s;  radius: 9 } }", 1.5...2),
    // The content of a step remains after its end.
    ("steps { step { for: 1s;  circle it { radius: 9 } };  step { for: 1s } }", 0.0...4),
    ("group { for: 2s;  steps { step { for: 1s;  circle it { for: 9s;  radius: 9 } } } }", 0.0...2),
  ])
  func tracksEndWithTheirAncestors(_ row: (body: String, life: ClosedRange<Double>)) throws {
    let made = try timeline("scene { size: 640x360;  for: 4s;  \(row.body) }")
    let track = try #require(made.tracks.first { $0.name == "it" })
    #expect(track.start.seconds...track.end.seconds == row.life)
    let alive = Int((row.life.upperBound - row.life.lowerBound) * 10)
    #expect(track.levels.count { $0 != nil } == alive)
  }

  @Test func soundsHaveTheirGain() throws {
    let lines = try lines(
      """
      scene { size: 640x360;  for: 8s
          circle { radius: 10 }
          audio voice "voice.wav" { at: 2s;  for: 3s }
          audio "theme.wav" { volume: 0dB -> -20dB over 4s;  fade-out: 2s }
      }
      """)
    #expect(
      lines[3]
        == "audio voice            @@@@@@@@@@@@@@@                 2 - 5s, voice.wav 0 - 3s  :3")
    #expect(lines[4].contains("theme.wav 0 - 8s"))
    #expect(lines[4].contains("dB, fade-out 2s  :4"))
  }

  @Test func loopsAreOneLine() throws {
    let made = try timeline(
      "scene { size: 640x360;  for: 4s;  for k in 0..5 { circle { at: 0.5s * k;  for: 1s;  radius: 9 } } }"
    )
    #expect(made.tracks.map(\.count) == [5])
    #expect(made.tracks[0].start.seconds == 0 && made.tracks[0].end.seconds == 3)
  }

  @Test func usesOfAComponentHaveTheirOwnTimesAndFiles() throws {
    let source = """
      component Say(file: text) { audio voice "{file}" }
      scene { size: 640x360;  for: 40s
          circle { radius: 10 }
          Say "voice.wav" { at: 1s;  for: 3s }
          Say "theme.wav" { at: 6s;  for: 20s }
          Say "voice.wav" { at: 30s;  for: 2s }
      }
      """
    let made = try timeline(source)
    let rows = made.tracks.filter { $0.kind == "audio" }
    #expect(rows.map { $0.clip?.file } == ["voice.wav", "theme.wav", "voice.wav"])
    #expect(rows.map(\.start.seconds) == [1, 6, 30] && rows.map(\.end.seconds) == [4, 26, 32])
    #expect(rows.map(\.depth) == [1, 1, 1])
    let heard = rows.map { $0.levels.count { $0 != nil } }
    #expect(heard == [3, 20, 2])
    let lines = made.text(.ascii, isVerbose: false).split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasSuffix("1 - 4s, voice.wav 0 - 3s  :1") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("6 - 26s, theme.wav 0 - 20s  :1") }, "\(lines)")
    #expect(made.svg.contains("audio voice, 6 – 26s, line 1, theme.wav"))
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(made))
    let tracks = try #require((json as? [String: Any])?["tracks"] as? [[String: Any]])
    let files = tracks.compactMap { ($0["clip"] as? [String: Any])?["file"] as? String }
    #expect(files == ["voice.wav", "theme.wav", "voice.wav"])
  }

  @Test(arguments: [
    // Different files, different parts of a file, and equal sounds.
    ("for f in [\"voice.wav\", \"theme.wav\"] { audio \"{f}\" { for: 1s } }", [1, 1]),
    (
      "for k in 0..3 { audio \"theme.wav\" { trim: k * 1s .. k * 1s + 1s;  at: k * 1s } }",
      [1, 1, 1]
    ),
    ("for k in 0..3 { audio \"voice.wav\" { at: k * 4s } }", [3]),
    ("for f in [\"voice.wav\", \"theme.wav\"] { Say \"{f}\" { for: 1s } }", [1, 1]),
    ("for k in 0..2 { Say \"voice.wav\" { at: k * 4s;  for: 1s } }", [2]),
    ("for s in [1s, 2s] { video \"waves.mp4\" { trim: 0s .. s } }", [1, 1]),
  ])
  func roundsOfALoopAreOneLineForEachSound(_ row: (body: String, counts: [Int])) throws {
    let made = try timeline(
      "component Say(file: text) { audio \"{file}\" }\nscene { size: 640x360;  for: 20s;  circle { radius: 9 }\n\(row.body) }"
    )
    #expect(made.tracks.filter { $0.clip != nil }.map(\.count) == row.counts)
  }

  @Test func motionsAreShownWhenAskedFor() throws {
    let source =
      "scene { size: 640x360;  for: 4s;  circle { radius: 10;  rotate: 0deg -> 90deg over 2s after 1s } }"
    #expect(try !lines(source).contains { $0.contains("rotate") })
    let verbose = try lines(source, isVerbose: true)
    #expect(
      verbose[3]
        == "                   |------------------->           rotate: 0deg -> 90deg with linear, 1 - 3s"
    )
  }

  @Test func rampsHaveBothEnds() throws {
    let made = try timeline(
      """
      scene { size: 640x360;  for: 8s
          audio "theme.wav" {
              volume: keyframes { 1s: 0dB;  2s: -20dB with hold;  3s: -6dB with cubic-bezier(0.4, 0, 1, 1) }
          }
          circle { radius: 10;  enter: fade over 0.5s;  easing: ease-out;  opacity: 0 -> 1 -> 0.5 over 2s }
      }
      """)
    let ramps = made.tracks.flatMap(\.ramps)
    #expect(
      ramps.map(\.text).sorted() == [
        "enter: fade", "opacity: 0 -> 1 with ease-out", "opacity: 1 -> 0.5 with ease-out",
        "volume: -20dB -> -6dB with cubic-bezier(0.4, 0, 1, 1)", "volume: 0dB -> -20dB with hold",
      ])
    let fall = try #require(ramps.first { $0.easing == "hold" })
    #expect(fall.start.seconds == 1 && fall.end.seconds == 2)
  }

  @Test func picturesAreWhatIsLowered() throws {
    let made = try timeline(
      "scene { size: 640x360;  fps: 10;  for: 4s;  circle { at: 1s;  for: 2s;  radius: 10 -> 20 over 1s } }"
    )
    #expect(made.picture.map(\.kind) == [.empty, .changing, .still, .empty])
    #expect(made.picture.map(\.start.exact) == ["0/1", "1/1", "2/1", "3/1"])
    #expect(made.picture.last?.end.exact == "4/1")
  }

  @Test func warningsStandBelow() throws {
    let made = try timeline(
      "scene { size: 640x360;  for: 4s;  sequence { circle { for: 1s }\n circle { at: 1s;  for: 2s } } }"
    )
    #expect(made.warnings.map(\.code) == ["W0405"])
    #expect(made.warnings[0].line == 2)
  }

  @Test func jsonHasTheSameKeysForEver() throws {
    let made = try timeline(
      "scene main { size: 640x360;  for: 4s;  video \"waves.mp4\" { for: 4s;  opacity: 0 -> 1 over 1s } }",
      columns: 2)
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(made))
    let top = try #require(json as? [String: Any])
    #expect(
      top.keys.sorted() == [
        "columns", "cuts", "duration", "frameCount", "framesPerSecond", "picture", "scene", "size",
        "tracks", "warnings",
      ])
    let track = try #require((top["tracks"] as? [[String: Any]])?.first)
    #expect(
      track.keys.sorted() == [
        "clip", "count", "depth", "effects", "end", "file", "kind", "levels", "line", "ramps",
        "sound", "start", "transitions",
      ])
    let clip = try #require(track["clip"] as? [String: Any])
    #expect(
      clip.keys.sorted() == ["file", "from", "length", "pictures", "picturesPerSecond", "to"])
  }

  @Test func theMixHasALine() throws {
    let mix = Timeline.Mix(
      lufs: -16.21, peak: -3.14,
      limited: Timeline.Mix.Limit(time: Timeline.Time(Ticks(Ticks.perSecond)), decibels: 1.26),
      peaks: [nil, -48, -24, 0])
    let made = try timeline(
      "scene { for: 4s;  audio \"theme.wav\" { for: 4s } }", columns: 4, sound: mix)
    let line = made.text(.ascii, isVerbose: false).split(separator: "\n").first {
      $0.hasPrefix("sound")
    }
    #expect(
      line == "sound     .=@  -16.2 LUFS, peak -3.1 dBTP, limited by 1.3 dB at 1s")
    let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(made))
    let sound = (json as? [String: Any])?["sound"] as? [String: Any]
    #expect(sound?.keys.sorted() == ["limited", "lufs", "peak", "peaks"])
  }

  @Test func picturesThatPassAreShown() throws {
    let passed = try lines("scene { size: 640x360;  fps: 25;  video \"waves.mp4\" }")
    #expect(passed.last?.hasSuffix("> passed through 100 %") == true)
    let copied = try lines(
      "scene { size: 640x360;  fps: 25;  for: 20s;  video \"waves.mp4\";  output { copy: true } }")
    #expect(copied.contains { $0.hasSuffix("= copied 50 %, ! empty 50 %") }, "\(copied)")
  }

  @Test func picturesThatAreDrawnSayWhy() throws {
    let drawn = try timeline(
      """
      scene { size: 640x360;  fps: 25
          video "waves.mp4"
          circle { at: 1s;  for: 2s;  radius: 9 }
          output { copy: true }
      }
      """)
    let reasons = drawn.picture.compactMap(\.reason)
    #expect(!reasons.isEmpty && reasons.allSatisfy { !$0.isEmpty }, "\(drawn.picture)")
  }

  @Test func duckedTimesAreShown() throws {
    let made = try timeline(
      """
      scene { size: 640x360;  for: 8s
          rect { size: 640x360 }
          audio voice "voice.wav" { at: 2s;  for: 3s }
          audio music "theme.wav" { volume: duck(by: -12dB, under: voice) }
      }
      """)
    let sounds = made.tracks.compactMap(\.sound)
    #expect(sounds.count == 2 && sounds[0].ducked.isEmpty)
    let times = try #require(sounds.last?.ducked)
    #expect(times.count == 1 && times[0].count == 2)
    #expect(times[0][0] < 2.1 && times[0][1] > 4.5 && times[0][1] < 7, "\(times)")
  }

  @Test func aMixThatIsLoweredIsAWarningUnlessItIsAllowed() throws {
    let mix = Timeline.Mix(
      lufs: -9, peak: -1,
      limited: Timeline.Mix.Limit(time: Timeline.Time(Ticks(Ticks.perSecond)), decibels: 4),
      peaks: [0])
    func warnings(_ head: String) throws -> [String] {
      let source = "\(head)\n for: 4s\n audio \"theme.wav\" { for: 4s }\n}"
      return try timeline(source, sound: mix).warnings.map(\.code)
    }
    #expect(try warnings("scene {").contains("W0512"))
    // Only the mix shows whether the suppression is needed, so a check does not report it as
    // unused.
    let allowed = try warnings("scene { // scenec: allow W0512")
    #expect(!allowed.contains("W0512") && !allowed.contains("W0203"), "\(allowed)")
  }

  @Test func svgIsWellFormed() throws {
    let made = try timeline(
      "scene { size: 640x360;  for: 4s;  text \"a\" { enter: fade } }")
    let parser = XMLCheck(made.svg)
    #expect(parser.isWhole)
    #expect(made.svg.contains("<title>text, 0 – 4s, line 1, enter fade</title>"))
  }
}

/// Checks whether every XML element of a text is closed in order.
private struct XMLCheck {
  let isWhole: Bool

  init(_ text: String) {
    var open: [String] = []
    var isRight = true
    for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
      guard let end = part.firstIndex(of: ">") else {
        isRight = false
        continue
      }
      let tag = part[..<end]
      if tag.hasPrefix("/") {
        isRight = isRight && open.popLast() == String(tag.dropFirst())
      } else if !tag.hasSuffix("/") {
        open.append(String(tag.prefix { !$0.isWhitespace }))
      }
    }
    isWhole = isRight && open.isEmpty
  }
}
