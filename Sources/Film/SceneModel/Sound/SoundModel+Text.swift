// SPDX-License-Identifier: MIT
import SceneGraphics

extension SoundModel: CustomStringConvertible {
  /// One line per voice, followed by the voice's fades.
  package var description: String {
    voices.map(\.description).joined()
  }
}

extension VoiceModel: CustomStringConvertible {
  package var description: String {
    func number(_ scalar: Scalar) -> String {
      scalar.constantValue.map { NumberFormat().text($0) } ?? "moving"
    }
    var text = "voice \"\(path)\" \(start.description) .. \(end.description)"
    switch clock {
    case .steady(let from, let speed, let loops):
      text += " from \(from.description) x\(NumberFormat().text(speed))"
      if loops { text += " looped" }
    case .curve: text += " moving"
    }
    text += " of \(Ticks(range.lowerBound).description) .. \(Ticks(range.upperBound).description)"
    text += " left \(number(left)) right \(number(right))"
    text += keepsPitch ? "\n" : " follow\n"
    for fade in fades {
      text += "  \(fade.isIn ? "in" : "out") \(fade.start.description) .. \(fade.end.description)"
      text += fade.law == .linear ? " linear\n" : "\n"
    }
    return text
  }
}
