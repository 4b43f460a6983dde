// SPDX-License-Identifier: MIT
import Foundation

/// Builds a video in every format that browsers support and plays each in headless Chromium. The
/// video contains two flashes with clicks, which must be at the correct times.
enum BrowserFormats {
  /// The output files and their settings.
  private static let rows: [(file: String, output: String)] = [
    ("a.mp4", ""), ("a.m4v", "profile: baseline;  level: 3.1"), ("av1.mp4", "codec: av1"),
    ("rate.mp4", "bitrate: 1Mbps"), ("variable.mp4", "frame-rate: variable"),
    ("flac.mp4", "audio { codec: flac }"), ("mp3.mp4", "audio { codec: mp3 }"),
    ("opus.mp4", "audio { codec: opus }"), ("a.webm", ""), ("clear.webm", ""),
    ("av1.webm", "codec: av1"), ("variable.webm", "frame-rate: variable"),
    ("a.gif", "loop: forever"), ("a.webp", ""), ("lossless.webp", "quality: 100"), ("a.png", ""),
    ("clear.png", ""), ("a.wav", ""), ("fine.wav", "audio { bits: 24 }"), ("a.flac", ""),
    ("a.mp3", ""), ("a.m4a", ""), ("a.opus", ""), ("a.ogg", ""),
  ]

  static func run() throws {
    try FlashesAndClicks.inFolder("browser", run(in:))
  }

  private static func run(in folder: String) throws {
    let scenec = Child.scenec
    for (file, output) in rows {
      try """
      scene { size: 64x64;  fps: 25;  for: 2s;  background: \(file.hasPrefix("clear") ? "none" : "black")
        output { \(output) }
        \(FlashesAndClicks.elements(at: [0.48, 1.48]))
      }
      """.write(toFile: "\(folder)/a.scene", atomically: true, encoding: .utf8)
      let run = try Tool.run([scenec, "build", "a.scene", "--quiet", "-o", file], in: folder)
      guard run.status == 0 else { throw Failure(description: "\(file): \(run.errors)") }
    }
    let names = rows.map { "\"\($0.file)\"" }.joined(separator: ", ")
    let found = try Playback.show(page(names), in: folder, lines: rows.count)
    for line in found { print("Chromium: \(line)") }
    let good = found.filter { $0.hasSuffix(" plays") }
    guard good.count == rows.count else {
      throw Failure(description: "\(rows.count - good.count) formats do not play")
    }
  }

  private static func page(_ names: String) -> String {
    "<!doctype html><title>formats</title><script>const names = [\(names)];\n\(script)</script>"
  }

  /// Checks each of `names` and reports the result on the console.
  private static let script = """
    const say = (text) => console.log("scenec-play: " + text);
    const once = (it, name) => new Promise((done, fail) => {
      it.addEventListener(name, done, { once: true });
      it.addEventListener("error", () => fail(it.error ? it.error.message : "error"), { once: true });
    });
    const need = (holds, why) => { if (!holds) throw why; };
    const near = (a, b, by) => Math.abs(a - b) <= by;
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    function shade(it) {
      pen.clearRect(0, 0, 1, 1);
      pen.drawImage(it, 0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      return [(r + g + b) / 3, a];
    }
    async function bytes(name) { return await (await fetch(name)).arrayBuffer(); }
    async function sound(name, slack) {
      const made = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(await bytes(name));
      need(near(made.duration, 2, 0.06), `sounds for ${made.duration} s`);
      const left = made.getChannelData(0);
      for (const time of [0.48, 1.48]) {
        let best = 0;
        for (let k = (time - 0.2) * 48000 | 0; k < (time + 0.2) * 48000; k++)
          if (Math.abs(left[k]) > Math.abs(left[best])) best = k;
        need(near(best / 48000, time, slack), `clicks at ${best / 48000}`);
      }
    }
    async function video(name) {
      const it = document.createElement("video");
      it.muted = true;
      it.src = name;
      await once(it, "loadeddata");
      need(it.videoWidth === 64 && it.videoHeight === 64, `has ${it.videoWidth}x${it.videoHeight} pixels`);
      need(near(it.duration, 2, 0.0251), `lasts ${it.duration} s`);
      for (const [time, white] of [[0.3, 0], [0.5, 1], [0.7, 0], [1.5, 1], [1.9, 0], [0.5, 1]]) {
        it.currentTime = time;
        await once(it, "seeked");
        let [light, alpha] = shade(it);
        // A decoded frame may be shown slightly later.
        for (let k = 0; k < 100 && !near(light, white * 255, 8); k++) {
          await new Promise((done) => setTimeout(done, 20));
          [light, alpha] = shade(it);
        }
        need(near(light, white * 255, 8), `has brightness ${light} at ${time} s`);
        if (name.startsWith("clear")) need(near(alpha, white * 255, 8), `has alpha ${alpha} at ${time} s`);
      }
      it.currentTime = 0;
      await it.play();
      await once(it, "ended");
      // A file that Chromium decodes as a whole begins with the encoder's padding.
      await sound(name, 0.06);
    }
    async function image(name, type) {
      const it = new ImageDecoder({ data: await bytes(name), type });
      await it.tracks.ready;
      await it.completed;
      const track = it.tracks.selectedTrack;
      need(track.animated, "does not move");
      let time = 0;
      for (let k = 0; k < track.frameCount; k++) {
        const { image } = await it.decode({ frameIndex: k });
        const isWhite = near(time, 0.48, 0.01) || near(time, 1.48, 0.01);
        const [light, alpha] = shade(image);
        need(near(light, isWhite * 255, 8), `has brightness ${light} at ${time} s`);
        if (name.startsWith("clear")) need(near(alpha, isWhite * 255, 8), `has alpha ${alpha}`);
        time += image.duration / 1e6;
        image.close();
      }
      need(near(time, 2, 0.001), `lasts ${time} s`);
    }
    async function all() {
      for (const name of names) {
        const ending = name.split(".")[1];
        try {
          if (["mp4", "m4v", "webm"].includes(ending)) await video(name);
          else if (["gif", "webp", "png"].includes(ending)) await image(name, "image/" + ending);
          else await sound(name, 0.06);
          say(name + " plays");
        } catch (why) { say(name + " " + why); }
      }
    }
    all();
    """
}
