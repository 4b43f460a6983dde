// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel

extension Timeline {
  /// The characters for drawing tracks.
  package struct Marks: Sendable {
    let levels: [Character]
    let outside: Character
    let transition: Character
    let changing: Character
    let still: Character
    let dash: String
    let times: String
    let more: String
    /// The opening and the closing quote.
    let quotes: [String]

    package static let unicode = Marks(
      levels: Array(" ▁▂▃▄▅▆▇█"), outside: "·", transition: "╳", changing: "~", still: "─",
      dash: "–", times: "×", more: "…", quotes: ["“", "”"])
    package static let ascii = Marks(
      levels: Array(" .:-=+*#@"), outside: " ", transition: "X", changing: "~", still: "-",
      dash: "-", times: "x", more: "...", quotes: ["\"", "\""])
  }

  /// Returns the timeline as text, one line per track with its lifetime as a bar. The height of the
  /// bar is the visibility or loudness.
  package func text(_ marks: Marks, isVerbose: Bool) -> String {
    var page = Page(timeline: self, marks: marks)
    page.write(isVerbose: isVerbose)
    return page.text
  }

  private struct Page {
    let timeline: Timeline
    let marks: Marks
    var text = ""

    private static let greatest = 80
    private var columns: Int { timeline.tracks.first?.levels.count ?? timeline.columns }
    private var labels: [String] {
      timeline.tracks.map { track in
        let name = track.name.map { " " + $0 } ?? ""
        let count = track.count > 1 ? " \(marks.times)\(track.count)" : ""
        return String(repeating: "  ", count: track.depth) + track.kind + name + count
      }
    }

    mutating func line(_ parts: String...) {
      let joined = parts.joined()
      text += String(joined.reversed().drop { $0 == " " }.reversed()) + "\n"
    }

    mutating func write(isVerbose: Bool) {
      let labels = labels
      let width = min(24, max(7, labels.map(\.count).max() ?? 0))
      head()
      line(pad("", width), "  ", ruler())
      let shown = isVerbose ? timeline.tracks.count : min(Page.greatest, timeline.tracks.count)
      for index in 0..<shown {
        let track = timeline.tracks[index]
        line(pad(labels[index], width), "  ", bar(track, index), "  ", notes(track))
        if isVerbose { for ramp in track.ramps { line(pad("", width), "  ", self.ramp(ramp)) } }
      }
      if shown < timeline.tracks.count {
        line("\(marks.more) \(timeline.tracks.count - shown) more: use --verbose to show all")
      }
      if let sound = timeline.sound {
        line(pad("sound", width), "  ", bar(sound), "  ", notes(sound))
      }
      line(pad("picture", width), "  ", picture(), "  ", legend())
      for warning in timeline.warnings {
        line("\(warning.code) \(warning.file):\(warning.line)  \(warning.message)")
      }
    }

    private mutating func head() {
      let rate = number(timeline.framesPerSecond)
      line(
        timeline.scene.map { "scene \($0), " } ?? "",
        "\(timeline.size), \(rate) fps, \(seconds(timeline.duration)) = \(NumberFormat.count(timeline.frameCount, of: "frame"))"
      )
    }

    private func pad(_ text: String, _ width: Int) -> String {
      if text.count > width { return String(text.prefix(width - 1) + marks.more.prefix(1)) }
      return text + String(repeating: " ", count: width - text.count)
    }

    private func number(_ value: Double) -> String {
      NumberFormat().text((value * 1000).rounded() / 1000)
    }
    private func seconds(_ time: Time) -> String { number(time.seconds) + "s" }

    /// Returns the ruler: times at round steps, each at the start of its column.
    private func ruler() -> String {
      let whole = timeline.duration.seconds
      let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]
      let step = steps.first { $0 / whole * Double(columns) >= 8 } ?? 7200
      var cells = [Character](repeating: " ", count: columns)
      var mark = 0.0
      while mark < whole {
        let at = Int((mark / whole * Double(columns)).rounded())
        let label = Array(number(mark) + "s")
        if at + label.count <= columns { cells.replaceSubrange(at..<at + label.count, with: label) }
        mark += step
      }
      return String(cells)
    }

    private func column(_ time: Time) -> Int {
      Int((time.seconds / max(1e-9, timeline.duration.seconds) * Double(columns)).rounded())
    }

    private func bar(_ track: Track, _ index: Int) -> String {
      var cells = track.levels.map { level -> Character in
        guard let level else { return marks.outside }
        return marks.levels[Int((level * Double(marks.levels.count - 1)).rounded())]
      }
      // If the lifetime contains no column's midpoint, mark its first column.
      let first = min(columns - 1, column(track.start))
      if cells.allSatisfy({ $0 == marks.outside }) { cells[first] = marks.levels.last ?? "#" }
      let around = timeline.tracks[..<index].last { $0.depth == track.depth - 1 }
      for interval in around?.transitions ?? [] {
        for at in column(interval.start)..<max(column(interval.start) + 1, column(interval.end))
        where at < columns && track.levels[at] != nil && isIn(track, interval) {
          cells[at] = marks.transition
        }
      }
      return String(cells)
    }

    private func isIn(_ track: Track, _ interval: Interval) -> Bool {
      track.start.seconds <= interval.start.seconds && interval.end.seconds <= track.end.seconds
    }

    private func ramp(_ ramp: Ramp) -> String {
      var cells = [Character](repeating: " ", count: columns)
      let (from, to) = (min(columns - 1, column(ramp.start)), min(columns - 1, column(ramp.end)))
      for at in from...max(from, to) { cells[at] = "-" }
      cells[from] = "|"
      cells[max(from, to)] = ">"
      return
        "\(String(cells))  \(ramp.text), \(number(ramp.start.seconds)) \(marks.dash) \(seconds(ramp.end))"
    }

    private func notes(_ track: Track) -> String {
      var notes = ["\(number(track.start.seconds)) \(marks.dash) \(seconds(track.end))"]
      if let clip = track.clip {
        notes.append("\(clip.file) \(number(clip.from.seconds)) \(marks.dash) \(seconds(clip.to))")
        if let pictures = clip.pictures {
          notes.append("#\(pictures[0]) \(marks.dash) #\(pictures[1])")
        }
        if let rate = clip.picturesPerSecond, abs(rate - timeline.framesPerSecond) > 1e-6 {
          notes.append("\(number(rate)) fps")
        }
      }
      if let sound = track.sound {
        let gains = sound.gain.compactMap { $0[1] }
        if let high = gains.max(), let low = gains.min() {
          if high - low > 0.5 {
            notes.append("\(number(low)) to \(number(high)) dB")
          } else if abs(high) > 0.05 {
            notes.append("\(number(high)) dB")
          }
        }
        if let speed = sound.speed, speed != 1 { notes.append("\(marks.times)\(number(speed))") }
        if let time = sound.fadeIn { notes.append("fade-in \(seconds(time))") }
        if let time = sound.fadeOut { notes.append("fade-out \(seconds(time))") }
        notes += sound.ducked.prefix(3).map {
          "ducked \(number($0[0])) \(marks.dash) \(number($0[1]))s"
        }
        if sound.ducked.count > 3 { notes.append("ducked \(sound.ducked.count - 3) more times") }
      }
      notes += track.effects
      if let alternative = track.alternative {
        let words = alternative.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        notes.append(marks.quotes[0] + visible(words) + marks.quotes[1])
      }
      return notes.joined(separator: ", ") + "  :\(track.line)"
    }

    /// Returns the bar of the audio peaks. The range is 48 dB from full height to the lowest
    /// visible level.
    private func bar(_ sound: Mix) -> String {
      String(
        sound.peaks.map { decibels -> Character in
          let share = decibels.map { max(0.1, min(1, 1 + $0 / 48)) } ?? 0
          return marks.levels[Int((share * Double(marks.levels.count - 1)).rounded())]
        })
    }

    private func notes(_ sound: Mix) -> String {
      guard let lufs = sound.lufs, let peak = sound.peak else { return "silent" }
      func tenths(_ value: Double) -> String { NumberFormat().text((value * 10).rounded() / 10) }
      let lowered = sound.limited.map {
        ", limited by \(tenths($0.decibels)) dB at \(seconds($0.time))"
      }
      return "\(tenths(lufs)) LUFS, peak \(tenths(peak)) dBTP\(lowered ?? "")"
    }

    private struct MarkedKind {
      let kind: Stretch.Kind
      let mark: Character
      let word: String
    }

    /// The character and label of each kind of interval.
    private var kinds: [MarkedKind] {
      [
        MarkedKind(kind: .changing, mark: marks.changing, word: "changing"),
        MarkedKind(kind: .still, mark: marks.still, word: "still"),
        MarkedKind(kind: .passed, mark: ">", word: "passed through"),
        MarkedKind(kind: .copied, mark: "=", word: "copied"),
        MarkedKind(kind: .empty, mark: "!", word: "empty"),
      ]
    }

    private func picture() -> String {
      String(
        (0..<columns).map { at -> Character in
          let time = (Double(at) + 0.5) / Double(columns) * timeline.duration.seconds
          let stretch = timeline.picture.last { $0.start.seconds <= time }
          return kinds.first { $0.kind == stretch?.kind }?.mark ?? " "
        })
    }

    private func legend() -> String {
      kinds.compactMap { it in
        let sum = timeline.picture.filter { $0.kind == it.kind }.reduce(0) {
          $0 + $1.end.seconds - $1.start.seconds
        }
        guard sum > 0 else { return nil }
        return "\(it.mark) \(it.word) \(Int((sum / timeline.duration.seconds * 100).rounded())) %"
      }.joined(separator: ", ")
    }
  }
}
