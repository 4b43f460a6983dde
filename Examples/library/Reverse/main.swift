// SPDX-License-Identifier: MIT
import Scenec

// Plays a clip and its audio backward: example-reverse CLIP FILM

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: example-reverse CLIP FILM") }
let clip = try ClipReader(arguments[1])
let rate = clip.rate ?? 30
let sound = clip.sound.map { FilmSettings.SoundTrack(rate: $0.rate) }
let film = try FilmWriter(size: clip.size, rate: rate, to: arguments[2], FilmSettings(sound: sound))

let frames = Int((clip.duration * rate).rounded())
for frame in 0..<frames {
  // A time between two frames, so that rounding has no effect.
  let image = try clip.frame(at: clip.duration - (Double(frame) + 0.5) / rate)
  try film.append { $0.draw(image, in: $0.frame, .fill) }

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
