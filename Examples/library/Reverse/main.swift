// SPDX-License-Identifier: MIT
import Scenec

// A clip from its end to its beginning, with its sound: example-reverse CLIP FILM

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: example-reverse CLIP FILM") }
let clip = try ClipReader(arguments[1])
let rate = clip.rate ?? 30
let sound = clip.sound.map { FilmSettings.SoundTrack(rate: $0.rate) }
let film = try FilmWriter(size: clip.size, rate: rate, to: arguments[2], FilmSettings(sound: sound))

let frames = Int((clip.duration * rate).rounded())
for frame in 0..<frames {
  // Between two frames, where no rounding decides.
  let picture = try clip.picture(at: clip.duration - (Double(frame) + 0.5) / rate)
  try film.append { $0.draw(picture, in: $0.frame, .fill) }

  guard let sound = clip.sound else { continue }
  // The samples of this frame, counted from the end.
  let (low, high) = (frame * sound.rate / Int(rate), (frame + 1) * sound.rate / Int(rate))
  let end = Int(clip.duration * Double(sound.rate))
  let samples = try clip.samples(from: end - high, count: high - low)
  let turned = stride(from: samples.count - sound.channels, through: 0, by: -sound.channels)
    .flatMap { [samples[$0], samples[$0 + sound.channels - 1]] }
  try film.append(sound: turned)
}
try film.finish()
