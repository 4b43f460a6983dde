// SPDX-License-Identifier: MIT
import SceneModel

extension Timeline {
  /// The timeline as an SVG image, with a line for each second. Tooltips give times and ramps.
  package var svg: String {
    var page = SVGPage(timeline: self)
    page.write()
    return page.text
  }

  private struct SVGPage {
    let timeline: Timeline
    var text = ""
    private let labels = 190.0
    private let lane = 26.0
    private let width = 960.0

    init(timeline: Timeline) { self.timeline = timeline }

    private func x(_ seconds: Double) -> String {
      number(labels + seconds / max(1e-9, timeline.duration.seconds) * width)
    }

    private func number(_ value: Double) -> String {
      NumberFormat().text((value * 100).rounded() / 100)
    }

    private func escaped(_ text: String) -> String {
      var out = ""
      for character in text {
        switch character {
        case "&": out += "&amp;"
        case "<": out += "&lt;"
        case ">": out += "&gt;"
        case "\"": out += "&quot;"
        default: out.append(character)
        }
      }
      return out
    }

    mutating func write() {
      let height = 60 + lane * Double(timeline.tracks.count + 1)
      text += """
        <svg xmlns="http://www.w3.org/2000/svg" width="\(number(labels + width + 20))" height="\(number(height))" font-family="Inter, sans-serif" font-size="12">
        <rect width="100%" height="100%" fill="#1b1e24"/>

        """
      let title = timeline.scene.map { "scene \($0), " } ?? ""
      label(
        "\(title)\(timeline.size), \(number(timeline.framesPerSecond)) fps, \(number(timeline.duration.seconds))s",
        x: 10, y: 20, color: "#e8eaf0")
      grid(height)
      var y = 52.0
      for (index, track) in timeline.tracks.enumerated() {
        write(track, index: index, y: y)
        y += lane
      }
      label("picture", x: 10, y: y + 14, color: "#b8bec9")
      for stretch in timeline.picture {
        let color = [
          "changing": "#4c8dff", "still": "#3a4150", "passed": "#3fa37a", "copied": "#7fd6a8",
          "empty": "#c4577a",
        ]
        bar(
          from: stretch.start, to: stretch.end, y: y + 4, height: 10,
          color: color[stretch.kind.rawValue] ?? "#fff",
          title: "\(stretch.kind.rawValue), \(span(stretch.start, stretch.end))")
      }
      text += "</svg>\n"
    }

    private func span(_ start: Time, _ end: Time) -> String {
      "\(number(start.seconds)) – \(number(end.seconds))s"
    }

    private mutating func label(_ words: String, x: Double, y: Double, color: String) {
      text +=
        "<text x=\"\(number(x))\" y=\"\(number(y))\" fill=\"\(color)\">\(escaped(words))</text>\n"
    }

    private mutating func grid(_ height: Double) {
      let whole = timeline.duration.seconds
      let step = [1.0, 2, 5, 10, 30, 60, 300, 600].first { whole / $0 <= 24 } ?? 3600
      var second = 0.0
      while second <= whole {
        let at = x(second)
        text += "<path d=\"M\(at) 34V\(number(height))\" stroke=\"#2c313b\"/>\n"
        text +=
          "<text x=\"\(at)\" y=\"40\" fill=\"#7d8696\" font-size=\"10\">\(number(second))s</text>\n"
        second += step
      }
    }

    private mutating func bar(
      from start: Time, to end: Time, y: Double, height: Double, color: String, title: String
    ) {
      let length = max(
        1, (end.seconds - start.seconds) / max(1e-9, timeline.duration.seconds) * width)
      text +=
        "<rect x=\"\(x(start.seconds))\" y=\"\(number(y))\" width=\"\(number(length))\" height=\"\(number(height))\" rx=\"2\" fill=\"\(color)\"><title>\(escaped(title))</title></rect>\n"
    }

    private mutating func write(_ track: Track, index: Int, y: Double) {
      let name = track.name.map { " " + $0 } ?? ""
      let count = track.count > 1 ? " ×\(track.count)" : ""
      let words = track.kind + name + count
      let shown = words.count > 26 ? words.prefix(25) + "…" : words
      label(String(shown), x: 10 + 12 * Double(track.depth), y: y + 14, color: "#b8bec9")
      let color = track.sound != nil && track.clip?.pictures == nil ? "#2f6f5f" : "#3d4a66"
      var title = "\(track.kind)\(name), \(span(track.start, track.end)), line \(track.line)"
      if let clip = track.clip { title += ", \(clip.file)" }
      for effect in track.effects { title += ", \(effect)" }
      bar(from: track.start, to: track.end, y: y, height: 20, color: color, title: title)
      levels(track, y)
      for ramp in track.ramps {
        bar(
          from: ramp.start, to: ramp.end, y: y + 17, height: 3, color: "#ffd166",
          title: "\(ramp.text), \(span(ramp.start, ramp.end))")
      }
      for interval in track.transitions {
        bar(
          from: interval.start, to: interval.end, y: y, height: 20, color: "#a06cd5",
          title: "transition, \(span(interval.start, interval.end))")
      }
    }

    /// Draws the visibility or loudness as an area.
    private mutating func levels(_ track: Track, _ y: Double) {
      let step = width / Double(max(1, track.levels.count))
      var path = ""
      for (index, level) in track.levels.enumerated() {
        guard let level, level > 0 else { continue }
        let left = labels + Double(index) * step
        path +=
          "M\(number(left)) \(number(y + 17))V\(number(y + 17 - 15 * level))H\(number(left + step))V\(number(y + 17))Z"
      }
      if !path.isEmpty {
        text += "<path d=\"\(path)\" fill=\"#8fb3ff\" opacity=\"0.7\" pointer-events=\"none\"/>\n"
      }
    }
  }
}
